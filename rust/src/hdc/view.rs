//! A view of a cell: the rows that a search compares, all of them or only those of a few selected records.

use std::borrow::Cow;

use super::cell::{Cell, Column};
use super::index::Index;
use crate::kernel::{Isa, Words, hamming_batch, hamming_many};
use crate::records::Selection;

/// Rows whose distances are held at once.
const BLOCK: usize = 256;

/// A selection of one record in so many, or fewer, is looked up row by row. Of more all rows are compared, since rows that
/// lie side by side come several times as fast from memory; those not selected are not offered then.
const PICKED: usize = 8;

/// The records of a cell that are compared, in slots of their own.
#[derive(Debug)]
pub(super) struct View<'c> {
    pub documents: Cow<'c, [u32]>, // by slot: number of the record
    pub held: Cow<'c, [u8]>,       // by slot: how many fields it has
    pub columns: Vec<Rows<'c>>,
}

/// The rows of one field that are compared.
#[derive(Debug)]
pub(super) struct Rows<'c> {
    all: &'c [Words],
    picked: Option<Vec<u32>>,  // places in `all`, where not all of it is compared
    pub parts: Cow<'c, [u32]>, // by compared row
    pub slots: Cow<'c, [u32]>, // by compared row: whose it is
}

/// The cells with these numbers that hold records of the index, and what a search compares of each.
pub(super) fn views<'i>(index: &'i Index, numbers: &[u32], only: Option<&Selection>) -> (Vec<&'i Cell>, Vec<View<'i>>) {
    let known = |&number: &u32| {
        let cell = index.cells.get(number as usize)?;
        (!cell.documents.is_empty()).then_some((number, cell))
    };
    let (numbers, cells): (Vec<u32>, Vec<&Cell>) = numbers.iter().filter_map(known).unzip();
    let records: usize = cells.iter().map(|cell| cell.documents.len()).sum();
    let views = match only.filter(|only| only.len() <= records / PICKED) {
        None => cells.iter().map(|cell| View::whole(cell)).collect(),
        Some(only) => {
            let mut slots = vec![Vec::new(); cells.len()];
            for place in only.iter().filter_map(|number| index.place(number)) {
                if let Ok(at) = numbers.binary_search(&place.cell) {
                    slots[at].push(place.slot);
                }
            }
            let few = cells.iter().zip(&slots).filter(|(_, slots)| !slots.is_empty());
            few.map(|(cell, slots)| View::picked(cell, slots)).collect()
        }
    };
    (cells, views)
}

impl<'c> View<'c> {
    fn whole(cell: &'c Cell) -> Self {
        let rows = |column: &'c Column| Rows {
            all: &column.rows,
            picked: None,
            parts: Cow::Borrowed(&column.parts),
            slots: Cow::Borrowed(&column.slots),
        };
        Self {
            documents: Cow::Borrowed(&cell.documents),
            held: Cow::Borrowed(&cell.held),
            columns: cell.columns.iter().map(rows).collect(),
        }
    }

    fn picked(cell: &'c Cell, slots: &[u32]) -> Self {
        let rows = |column: &'c Column| {
            let known = (0_u32..).zip(slots).filter_map(|(at, &slot)| Some((at, column.row(slot)?)));
            let (slots, picked): (Vec<u32>, Vec<u32>) = known.map(|(at, row)| (at, row as u32)).unzip();
            let parts = picked.iter().map(|&row| column.parts[row as usize]).collect();
            Rows { all: &column.rows, picked: Some(picked), parts: Cow::Owned(parts), slots: Cow::Owned(slots) }
        };
        Self {
            documents: slots.iter().map(|&slot| cell.documents[slot as usize]).collect(),
            held: slots.iter().map(|&slot| cell.held[slot as usize]).collect(),
            columns: cell.columns.iter().map(rows).collect(),
        }
    }
}

impl Rows<'_> {
    /// Hands over the distances of the rows from all queries, block by block: the block's first row, then for each row
    /// one distance a query.
    pub fn for_each_block(&self, isa: Isa, queries: &[Words], mut take: impl FnMut(usize, &[u16])) {
        if queries.is_empty() {
            return;
        }
        let compare = |rows: &[Words], distances: &mut [u16]| {
            if let [query] = queries {
                hamming_many(isa, query, rows, distances);
            } else {
                hamming_batch(isa, queries, rows, distances);
            }
        };
        let mut distances = vec![0; BLOCK * queries.len()];
        if let Some(picked) = &self.picked {
            for (block, rows) in picked.chunks(BLOCK).enumerate() {
                let distances = &mut distances[..rows.len() * queries.len()];
                for (&row, distances) in rows.iter().zip(distances.chunks_exact_mut(queries.len())) {
                    compare(std::slice::from_ref(&self.all[row as usize]), distances);
                }
                take(block * BLOCK, distances);
            }
            return;
        }
        for (block, rows) in self.all.chunks(BLOCK).enumerate() {
            let distances = &mut distances[..rows.len() * queries.len()];
            compare(rows, distances);
            take(block * BLOCK, distances);
        }
    }
}
