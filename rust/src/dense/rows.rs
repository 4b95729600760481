//! The rows of a cell, by slot: the index's own, one after another in a few large blocks, or each where somebody keeps it.
//!
//! A hundred thousand rows by themselves are as many allocations, each with bytes of its own beside it, and in pieces of
//! memory that others have used and left.

use std::sync::Arc;

use super::lent::Lent;
use crate::ids::reserve_eighth;

/// Bytes of a block, tests aside: so many that the system gives them by themselves. What is not used of them is not there.
const BLOCK: usize = if cfg!(test) { 256 } else { 32 << 20 };

/// A block below this grows an eighth at a time, one above it doubles.
const SMALL: usize = 1 << 20;

/// A row on its way in.
#[derive(Debug)]
pub(super) enum Row<'r> {
    /// Nobody else keeps it.
    Own(&'r [f32]),
    /// Somebody keeps it anyway.
    Lent(Arc<dyn Lent>),
}

/// Rows of one width.
#[derive(Debug, Clone)]
pub(super) enum Rows {
    /// All are the index's own; every block but the last is full.
    Own { width: usize, blocks: Vec<Vec<f32>> },
    /// Some are lent.
    Each(Vec<Kept>),
}

/// One row by itself.
#[derive(Debug, Clone)]
pub(super) enum Kept {
    Own(Box<[f32]>),
    Lent(Arc<dyn Lent>),
}

impl<'r> Row<'r> {
    /// The row of these values; lent, if what is offered is the same to the last bit.
    pub fn new(values: &'r [f32], offered: Option<Arc<dyn Lent>>) -> Self {
        let same = |lent: &[f32]| {
            lent.len() == values.len() && lent.iter().zip(values).all(|(one, other)| one.to_bits() == other.to_bits())
        };
        offered.filter(|lent| same(lent.values())).map_or(Self::Own(values), Self::Lent)
    }
}

impl Kept {
    fn values(&self) -> &[f32] {
        match self {
            Self::Own(values) => values,
            Self::Lent(lent) => lent.values(),
        }
    }
}

impl Default for Rows {
    fn default() -> Self {
        Self::Each(Vec::new())
    }
}

impl Rows {
    /// No rows of this width, and room for so many in the first block as are to come and it holds.
    pub fn with_room(width: usize, rows: usize) -> Self {
        let room = rows.min(Self::in_block(width)) * width;
        Self::Own { width, blocks: if room == 0 { Vec::new() } else { vec![Vec::with_capacity(room)] } }
    }

    /// How many rows a full block holds.
    fn in_block(width: usize) -> usize {
        (BLOCK / 4 / width).max(1)
    }

    /// The row of a slot.
    #[inline]
    pub fn get(&self, slot: usize) -> &[f32] {
        match self {
            Self::Own { width, blocks } => {
                let most = Self::in_block(*width);
                &blocks[slot / most][slot % most * width..][..*width]
            }
            Self::Each(rows) => rows[slot].values(),
        }
    }

    /// Puts a row into the next slot.
    pub fn push(&mut self, row: Row<'_>) {
        if matches!((&row, &*self), (Row::Lent(_), Self::Own { .. })) {
            self.part();
        }
        match (self, row) {
            (Self::Own { width, blocks }, Row::Own(values)) => push(blocks, values, Self::in_block(*width) * *width),
            (Self::Each(rows), row) => {
                reserve_eighth(rows, 1);
                rows.push(match row {
                    Row::Own(values) => Kept::Own(values.into()),
                    Row::Lent(lent) => Kept::Lent(lent),
                });
            }
            (Self::Own { .. }, Row::Lent(_)) => unreachable!("they were parted"),
        }
    }

    /// Empties a slot by moving the last row into it.
    pub fn swap_remove(&mut self, slot: usize) {
        match self {
            Self::Own { width, blocks } => {
                let (most, last) = (Self::in_block(*width), blocks.len() - 1);
                let start = blocks[last].len() - *width;
                let moved: Vec<f32> = blocks[last].drain(start..).collect();
                if last > slot / most || start > slot % most * *width {
                    blocks[slot / most][slot % most * *width..][..*width].copy_from_slice(&moved);
                }
                if blocks[last].is_empty() {
                    blocks.pop();
                }
            }
            Self::Each(rows) => drop(rows.swap_remove(slot)),
        }
    }

    /// How many rows somebody else keeps.
    pub fn lent(&self) -> usize {
        match self {
            Self::Own { .. } => 0,
            Self::Each(rows) => rows.iter().filter(|row| matches!(row, Kept::Lent(_))).count(),
        }
    }

    /// Keeps every row by itself from now on.
    fn part(&mut self) {
        if let Self::Own { width, blocks } = self {
            let rows = blocks.iter().flat_map(|block| block.chunks_exact(*width));
            *self = Self::Each(rows.map(|values| Kept::Own(values.into())).collect());
        }
    }
}

/// Adds a row to the last block, or to a new one if that holds `most` values.
fn push(blocks: &mut Vec<Vec<f32>>, values: &[f32], most: usize) {
    if blocks.last().is_none_or(|block| block.len() == most) {
        blocks.push(if blocks.is_empty() { Vec::new() } else { Vec::with_capacity(most) });
    }
    let block = blocks.last_mut().expect("one was added");
    if 4 * block.len() < SMALL {
        reserve_eighth(block, values.len());
    } else if block.capacity() - block.len() < values.len() {
        block.reserve_exact(block.len().min(most - block.len()));
    }
    block.extend_from_slice(values);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Debug)]
    struct Held(Vec<f32>);

    impl Lent for Held {
        fn values(&self) -> &[f32] {
            &self.0
        }
    }

    proptest! {
        #[test]
        fn rows_agree_with_a_list_of_them(
            width in 1_usize..100, room in 0_usize..9, steps in prop::collection::vec((0_u8..12, any::<u16>()), 0..200)
        ) {
            let (mut rows, mut held) = (Rows::with_room(width, room), Vec::<(Vec<f32>, bool)>::new());
            for (step, number) in steps {
                let values: Vec<f32> = (0..width).map(|at| f32::from(number) + at as f32).collect();
                match step {
                    0..8 => rows.push(Row::Own(&values)),
                    8 => rows.push(Row::new(&values, Some(Arc::new(Held(values.clone()))))),
                    _ if held.is_empty() => continue,
                    _ => {
                        let slot = usize::from(number) % held.len();
                        held.swap_remove(slot);
                        rows.swap_remove(slot);
                    }
                }
                if step <= 8 {
                    held.push((values, step == 8));
                }
                prop_assert!(held.iter().enumerate().all(|(slot, (values, _))| rows.get(slot) == values));
                prop_assert_eq!(rows.lent(), held.iter().filter(|(_, lent)| *lent).count());
            }
        }
    }
}
