//! Rows kept a second time as `i8`, and a query as `i16`, each with the length of what that misses.

use super::ladder::Ladder;
use crate::ids::reserve_eighth;
use crate::kernel::{CodedQuery, CodedRows, Isa, add_bounds, largest, quantise, squared_error, wide_dot};

/// What all roundings of a bound add up to at most, and room to spare.
pub const SLACK: f32 = 1.0 / 65_536.0;

/// What the squares of 4,096 numbers and their root may be off by, and room to spare.
const ENLARGED: f64 = 1.0 + 1.0 / 68_719_476_736.0; // 2^-36

/// How far a row with its error can reach: see the proof in `mod.rs`.
const REACH: f64 = 1.5;

/// One block of dimensions of the rows of a cell.
#[derive(Debug, Clone, Default)]
pub(super) struct Block {
    width: usize,
    codes: Vec<i8>,
    scales: Vec<f32>,
    errors: Vec<f32>,
    rests: Vec<f32>, // length of the dimensions after this block
}

/// One block of dimensions of a query.
#[derive(Debug)]
pub(super) struct QueryBlock {
    codes: Vec<i16>,
    weight: f32,
    length: f32,
    /// What this block and those before add to every bound.
    pub slack: f32,
    /// Length of the dimensions after this block.
    pub rest: f32,
}

impl Block {
    /// A block without rows, and room for so many.
    pub fn with_room(width: usize, rows: usize) -> Self {
        let [scales, errors, rests] = [(); 3].map(|()| Vec::with_capacity(rows));
        Self { width, codes: Vec::with_capacity(rows * width), scales, errors, rests }
    }

    /// Adds a row: its part in this block, and what comes after.
    pub fn push(&mut self, isa: Isa, part: &[f32], rest: &[f32]) {
        let scale = largest(isa, part) / 127.0;
        let start = self.codes.len();
        reserve_eighth(&mut self.codes, self.width);
        self.codes.resize(start + self.width, 0);
        let factor = 1.0 / scale; // of a tiny scale it is infinite, and the codes stay 0
        if factor.is_finite() {
            quantise(isa, part, factor, &mut self.codes[start..]);
        }
        let error = squared_error(isa, part, &self.codes[start..], scale).sqrt();
        for (column, value) in
            [(&mut self.scales, scale), (&mut self.errors, above(error)), (&mut self.rests, length(isa, rest))]
        {
            reserve_eighth(column, 1);
            column.push(value);
        }
    }

    /// Gives back the room that no row takes.
    pub fn give_back(&mut self) {
        self.codes.shrink_to_fit();
        for column in [&mut self.scales, &mut self.errors, &mut self.rests] {
            column.shrink_to_fit();
        }
    }

    /// The last row takes the place of the removed one.
    pub fn swap_remove(&mut self, slot: usize) {
        let last = self.scales.len() - 1;
        self.codes.copy_within(last * self.width.., slot * self.width);
        self.codes.truncate(last * self.width);
        for column in [&mut self.scales, &mut self.errors, &mut self.rests] {
            column.swap_remove(slot);
        }
    }

    /// The lengths of what comes after this block, row by row.
    pub fn rests(&self) -> &[f32] {
        &self.rests
    }

    /// Adds to the bounds of the rows from `start` on what this block gives.
    pub fn add_bounds(&self, isa: Isa, query: &QueryBlock, start: usize, bounds: &mut [f32]) {
        let end = start + bounds.len();
        let codes = &self.codes[start * self.width..end * self.width];
        let rows = CodedRows { codes, scales: &self.scales[start..end], errors: &self.errors[start..end] };
        let query = CodedQuery { codes: &query.codes, weight: query.weight, length: query.length };
        add_bounds(isa, &query, &rows, bounds);
    }
}

impl QueryBlock {
    /// The blocks of a query's row.
    pub fn of(isa: Isa, ladder: &Ladder, row: &[f32]) -> Vec<Self> {
        let mut slack = f64::from(SLACK);
        let block = |range: std::ops::Range<usize>| {
            let (part, rest) = (&row[range.clone()], &row[range.end..]);
            // The sum of the sizes of width products of i8 and i16 must stay below 2^31.
            let most = ((i32::MAX as usize / (127 * part.len())).min(32_767)) as f32;
            let weight = largest(isa, part) / most;
            let code = |&value: &f32| (f64::from(value) / f64::from(weight)).round_ties_even();
            let limit = f64::from(most);
            #[allow(clippy::cast_possible_truncation)] // at most 32,767
            let code = |value: &f32| code(value).clamp(-limit, limit) as i16; // 0 / 0 becomes 0
            let codes: Vec<i16> = part.iter().map(code).collect();
            let missed = part.iter().zip(&codes).fold(0.0, |sum, (&value, &code)| {
                let error = f64::from(value) - f64::from(code) * f64::from(weight);
                sum + error * error
            });
            slack += REACH * missed.sqrt() * ENLARGED;
            Self { codes, weight, length: length(isa, part), slack: above(slack), rest: length(isa, rest) }
        };
        ladder.blocks().map(block).collect()
    }
}

/// The length of a vector, or a little more.
fn length(isa: Isa, vector: &[f32]) -> f32 {
    above(wide_dot(isa, vector, vector).sqrt())
}

/// An `f32` that is not below the true value of a computed length.
fn above(value: f64) -> f32 {
    let enlarged = value * ENLARGED;
    let near = enlarged as f32;
    if f64::from(near) < enlarged { near.next_up() } else { near }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn above_is_never_below() {
        for value in [0.0, 1e-60, 1e-45, 0.1, 1.0, 1.0 + 1e-9, 0.999_999_999] {
            assert!(f64::from(above(value)) >= value, "{value}");
            assert!(f64::from(above(value)) <= value * (1.0 + 1e-6) + 1e-44, "{value}");
        }
    }
}
