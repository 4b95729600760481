//! Which rows of a segment may be found: a selection of records, as a search asks it.
//!
//! A few are gathered before the search, so that only their slots are scored; of many each row is asked when its score
//! is at hand. Which way is taken decides no answer.

use super::index::{Cell, Index};
use super::segment::Segment;
use crate::records::Selection;

/// A selection of one record in so many, or fewer, is gathered.
const GATHERED: usize = 4;

/// The rows of one segment that a selection holds, and that hold a term which finds.
#[derive(Debug, Clone, Copy)]
pub struct Passing<'a> {
    /// Numbers of the records by slot.
    pub documents: &'a [u32],
    /// What may be found; nothing for all.
    pub only: Option<&'a Selection>,
    /// The rows with a term that finds; nothing if each term does.
    pub met: Option<&'a Met>,
}

impl<'a> Passing<'a> {
    /// The rows of a segment that may be found; nothing if all may be.
    #[must_use]
    pub fn of(documents: &'a [u32], only: Option<&'a Selection>, met: Option<&'a Met>) -> Option<Self> {
        (only.is_some() || met.is_some()).then_some(Self { documents, only, met })
    }

    /// May the record in this slot be found?
    #[must_use]
    pub fn holds(&self, slot: u16) -> bool {
        self.met.is_none_or(|met| met.holds(slot))
            && self.only.is_none_or(|only| only.holds(self.documents[usize::from(slot)]))
    }
}

/// The slots of a segment in which one of some lists has a posting.
#[derive(Debug, Clone)]
pub struct Met {
    bits: Vec<u64>,
}

impl Met {
    /// Of these lists; `slots` bounds every slot.
    #[must_use]
    pub fn new<'l>(lists: impl Iterator<Item = &'l [u16]>, slots: usize) -> Self {
        let mut bits = vec![0_u64; slots.div_ceil(64)];
        for &slot in lists.flatten() {
            bits[usize::from(slot / 64)] |= 1 << (slot % 64);
        }
        Self { bits }
    }

    /// Has one of the lists this slot?
    #[must_use]
    pub fn holds(&self, slot: u16) -> bool {
        self.bits[usize::from(slot / 64)] >> (slot % 64) & 1 == 1
    }
}

/// The slots of the selected records: of each segment of these cells, one segment after another. `None` if they are too
/// many to be gathered. `numbers` are those of the cells, ascending.
#[must_use]
pub fn gathered(index: &Index, only: &Selection, numbers: &[u32], cells: &[&Cell]) -> Option<Vec<Vec<u16>>> {
    let slots: usize = cells.iter().flat_map(|cell| &cell.segments).map(Segment::slots).sum();
    if only.len() > slots / GATHERED {
        return None;
    }
    let mut firsts = Vec::with_capacity(cells.len()); // by cell: how many segments come before
    let mut segments = 0;
    for cell in cells {
        firsts.push(segments);
        segments += cell.segments.len();
    }
    let mut gathered = vec![Vec::new(); segments];
    for place in only.iter().filter_map(|number| index.place(number)) {
        if let Ok(at) = numbers.binary_search(&place.cell) {
            gathered[firsts[at] + usize::from(place.segment)].push(place.slot);
        }
    }
    Some(gathered)
}
