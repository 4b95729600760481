//! The rows of one cell: in full for the scores, and block by block for the bounds.

use super::ladder::Ladder;
use super::quantised::Block;
use super::rows::{self, Rows};
use super::vector::{cut, length};
use crate::ids::reserve_eighth;
use crate::kernel::{Isa, wide_dot};

/// The records of one cell, in slots without gaps. Without any it takes no memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Cell {
    pub documents: Vec<u32>, // by slot: number of the record
    pub blocks: Vec<Block>,
    rows: Rows,             // by slot
    lengths: Vec<Vec<f64>>, // for each tier but the last, by slot: what the prefix is divided by
}

/// A query, ready to be compared: its row, and what each tier but the last divides it by.
#[derive(Debug)]
pub(super) struct Row<'q> {
    pub values: &'q [f32],
    pub lengths: Vec<f64>,
}

impl<'q> Row<'q> {
    pub fn new(isa: Isa, ladder: &Ladder, values: &'q [f32]) -> Self {
        Self { values, lengths: prefix_lengths(isa, ladder, values).collect() }
    }
}

impl Cell {
    /// A cell without records, and room for so many.
    pub fn with_room(ladder: &Ladder, records: usize) -> Self {
        Self {
            documents: Vec::with_capacity(records),
            blocks: ladder.blocks().map(|range| Block::with_room(range.len(), records)).collect(),
            rows: Rows::with_room(ladder.dimensions(), records),
            lengths: (0..ladder.last()).map(|_| Vec::with_capacity(records)).collect(),
        }
    }

    /// Puts a record into the next slot and answers its number. The row is divided by its length already.
    pub fn push(&mut self, isa: Isa, ladder: &Ladder, document: u32, row: rows::Row<'_>) -> u32 {
        if self.blocks.is_empty() {
            *self = Self::with_room(ladder, 0);
        }
        let slot = self.documents.len() as u32;
        self.rows.push(row);
        let row = self.rows.get(slot as usize);
        reserve_eighth(&mut self.documents, 1);
        self.documents.push(document);
        for (lengths, length) in self.lengths.iter_mut().zip(prefix_lengths(isa, ladder, row)) {
            reserve_eighth(lengths, 1);
            lengths.push(length);
        }
        for (block, range) in self.blocks.iter_mut().zip(ladder.blocks()) {
            block.push(isa, &row[range.clone()], &row[range.end..]);
        }
        slot
    }

    /// Gives back the room that no record takes.
    pub fn give_back(&mut self) {
        if self.documents.is_empty() {
            *self = Self::default();
        }
        self.documents.shrink_to_fit();
        self.lengths.iter_mut().for_each(Vec::shrink_to_fit);
        self.blocks.iter_mut().for_each(Block::give_back);
    }

    /// Empties a slot by moving the last record into it; answers the number of the record that moved.
    pub fn swap_remove(&mut self, slot: u32) -> Option<u32> {
        let slot = slot as usize;
        self.documents.swap_remove(slot);
        self.rows.swap_remove(slot);
        for lengths in &mut self.lengths {
            lengths.swap_remove(slot);
        }
        self.blocks.iter_mut().for_each(|block| block.swap_remove(slot));
        self.documents.get(slot).copied()
    }

    /// The row of a slot.
    pub fn row(&self, slot: u32) -> &[f32] {
        self.rows.get(slot as usize)
    }

    /// How many rows somebody else keeps.
    pub fn lent(&self) -> usize {
        self.rows.lent()
    }

    /// What the prefixes of a tier are divided by, row by row; none for the last tier, whose rows are as long as
    /// they are.
    pub fn lengths(&self, tier: usize) -> Option<&[f64]> {
        self.lengths.get(tier).map(Vec::as_slice)
    }

    /// The score of a slot in a tier; `row` is its row, as far as the tier looks at it.
    pub fn score(&self, isa: Isa, query: &Row<'_>, tier: usize, row: &[f32], slot: u32) -> f64 {
        let dot = wide_dot(isa, &query.values[..row.len()], row);
        match self.lengths(tier) {
            None => cut(dot),
            Some(lengths) => cut(dot / query.lengths[tier] / lengths[slot as usize]),
        }
    }
}

fn prefix_lengths(isa: Isa, ladder: &Ladder, row: &[f32]) -> impl Iterator<Item = f64> {
    ladder.tiers()[..ladder.last()].iter().map(move |&tier| length(isa, &row[..tier]))
}
