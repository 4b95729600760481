//! The vectors of one cell: for each field its rows side by side, as a scan wants them.

use super::hypervector::HyperVector;
use crate::kernel::{Words, push_in_large_pages};

/// No row: the record lacks the field.
const NONE: u32 = u32::MAX;

/// The rows of one field. A record without the field has none.
#[derive(Debug, Clone, Default)]
pub(super) struct Column {
    pub rows: Vec<Words>,
    pub parts: Vec<u32>, // by row
    pub slots: Vec<u32>, // by row: whose it is
    row_of: Vec<u32>,    // by slot
}

/// The records of one cell, in slots without gaps.
#[derive(Debug, Clone, Default)]
pub(super) struct Cell {
    pub documents: Vec<u32>, // by slot: number of the record
    pub held: Vec<u8>,       // by slot: how many fields it has
    pub columns: Vec<Column>,
}

impl Column {
    /// The row of a record, if it has the field.
    pub fn row(&self, slot: u32) -> Option<usize> {
        Some(self.row_of[slot as usize]).filter(|&row| row != NONE).map(|row| row as usize)
    }

    fn push(&mut self, vector: Option<&HyperVector>) {
        let slot = self.row_of.len() as u32;
        self.row_of.push(if vector.is_some() { self.rows.len() as u32 } else { NONE });
        if let Some(vector) = vector {
            push_in_large_pages(&mut self.rows, *vector.words());
            self.parts.push(vector.parts());
            self.slots.push(slot);
        }
    }

    /// The last row takes the place of the removed one, the last slot that of the removed slot.
    fn swap_remove(&mut self, slot: u32) {
        if let Some(row) = self.row(slot) {
            self.rows.swap_remove(row);
            self.parts.swap_remove(row);
            self.slots.swap_remove(row);
            if let Some(&moved) = self.slots.get(row) {
                self.row_of[moved as usize] = row as u32;
            }
        }
        self.row_of.swap_remove(slot as usize);
        if let Some(row) = self.row_of.get(slot as usize).filter(|&&row| row != NONE) {
            self.slots[*row as usize] = slot;
        }
    }
}

impl Cell {
    /// Puts a record into the next slot and answers its number.
    pub fn push(&mut self, document: u32, vectors: &[Option<&HyperVector>]) -> u32 {
        let slot = self.documents.len() as u32;
        self.columns.resize_with(vectors.len(), Column::default);
        self.documents.push(document);
        self.held.push(vectors.iter().flatten().count() as u8);
        for (column, vector) in self.columns.iter_mut().zip(vectors) {
            column.push(*vector);
        }
        slot
    }

    /// Gives a cell whose slots are filled its next field: the rows of those slots that have it, in order.
    pub fn push_column(&mut self, rows: Vec<Words>, parts: Vec<u32>, has: &[bool]) {
        let (mut slots, mut row_of) = (Vec::with_capacity(rows.len()), Vec::with_capacity(has.len()));
        for (slot, &has) in (0_u32..).zip(has) {
            row_of.push(if has { slots.len() as u32 } else { NONE });
            if has {
                slots.push(slot);
            }
        }
        self.columns.push(Column { rows, parts, slots, row_of });
    }

    /// Empties a slot by moving the last record into it; answers the number of the record that moved.
    pub fn swap_remove(&mut self, slot: u32) -> Option<u32> {
        self.documents.swap_remove(slot as usize);
        self.held.swap_remove(slot as usize);
        for column in &mut self.columns {
            column.swap_remove(slot);
        }
        self.documents.get(slot as usize).copied()
    }
}
