//! What one occurrence is worth in each record of a segment: 1 / (1 + norm), in single precision.
//!
//! A row is computed for an average length a little above the true one, so that it serves while records come and
//! go; `margin` proves what follows from that. Rows are a cache: they are made when searches have asked for
//! them often enough to pay, kept up to date slot by slot, and dropped when the average has moved on.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::bm25::Saturation;
use super::postings::{Counts, List};
use crate::kernel::SLOTS;

/// Searches may walk this share of a segment's slots, all together, before a row is made for them.
const PATIENCE: usize = 4;

/// A list that stands in this share of a segment's slots can have its counts by slot.
const FREQUENT: usize = 8;

/// Bytes for such rows in a segment: 4 a record in a full one.
const BUDGET: usize = 4 * SLOTS;

/// Such a row is made when searches have met as many postings of the list as this many walks over all slots.
const WALKS: usize = 2;

/// The next average length, at or above the given one, for which rows are made: 256 for each doubling.
#[must_use]
pub fn stepped(average: f64) -> f64 {
    const BELOW: u64 = (1 << 44) - 1;
    f64::from_bits((average.to_bits() + BELOW) & !BELOW)
}

/// The row of one field.
#[derive(Debug, Clone)]
pub struct Row {
    saturation: Saturation,
    /// By slot; 0 where the field is empty.
    pub values: Vec<f32>,
    /// At most the smallest value above 0; 1 if there is none.
    pub least: f32,
    /// At least the largest value.
    pub most: f32,
}

impl Row {
    fn new(saturation: Saturation, lengths: &[u32]) -> Self {
        let values = lengths.iter().map(|&length| worth(&saturation, length)).collect();
        let mut row = Self { saturation, values, least: 1.0, most: 0.0 };
        for &value in &row.values {
            row.most = row.most.max(value);
            row.least = if value > 0.0 { row.least.min(value) } else { row.least };
        }
        row
    }

    fn put(&mut self, slot: u16, length: u32) {
        let at = usize::from(slot);
        if self.values.len() <= at {
            self.values.resize(at + 1, 0.0);
        }
        let value = worth(&self.saturation, length);
        self.values[at] = value;
        if value > 0.0 {
            (self.least, self.most) = (self.least.min(value), self.most.max(value));
        }
    }
}

fn worth(saturation: &Saturation, length: u32) -> f32 {
    let value = saturation.part(1.0, 1.0, f64::from(length)) as f32;
    if length == 0 { 0.0 } else { value }
}

/// Counts of a term by slot; 0 where it is not.
pub type CountRow = Arc<[u8]>;

/// The rows of a segment.
#[derive(Debug, Default)]
pub struct Rows {
    kept: Mutex<Kept>,
}

/// What a lock gives access to.
#[derive(Debug, Default)]
pub struct Kept {
    worth: Vec<Wanted<Arc<Row>>>,                  // by field
    counts: Vec<((u32, usize), Wanted<CountRow>)>, // with term and field, in the order in which they were wanted
}

/// A row, or how much work searches have done without it.
#[derive(Debug, Clone)]
struct Wanted<T> {
    row: Option<T>,
    work: usize,
}

impl<T> Default for Wanted<T> {
    fn default() -> Self {
        Self { row: None, work: 0 }
    }
}

impl Clone for Rows {
    /// A cache: the copy begins without.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Rows {
    /// Access for one search.
    pub fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the rows that the record in a slot has this length in a field now.
    pub fn put(&mut self, field: usize, slot: u16, length: u32) {
        let kept = self.kept.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(row) = kept.worth.get_mut(field).and_then(|wanted| wanted.row.as_mut()) {
            Arc::make_mut(row).put(slot, length);
        }
        kept.counts.clear();
    }
}

impl Kept {
    /// The row of a field, once it pays, for a search that walks so many postings in the segment.
    pub fn worth(
        &mut self,
        field: usize,
        saturation: Saturation,
        lengths: &[u32],
        postings: usize,
    ) -> Option<Arc<Row>> {
        if self.worth.len() <= field {
            self.worth.resize_with(field + 1, Wanted::default);
        }
        let Wanted { row, work } = &mut self.worth[field];
        if row.as_ref().is_none_or(|row| row.saturation != saturation) {
            *work += postings;
            if *work < lengths.len() / PATIENCE {
                return None;
            }
            *row = Some(Arc::new(Row::new(saturation, lengths)));
            *work = 0;
        }
        row.clone()
    }

    /// The counts of a list by slot, once they pay and if they fit a byte. Only so
    /// many lists have them as fit into [`BUDGET`].
    pub fn counts(&mut self, term: u32, field: usize, list: List<'_>, slots: usize) -> Option<CountRow> {
        if list.slots.len() < slots / FREQUENT || matches!(list.counts, Counts::Wide(_)) {
            return None;
        }
        let at = self.counts.iter().position(|(key, _)| *key == (term, field)).or_else(|| {
            let room = (self.counts.len() + 1) * slots <= BUDGET;
            room.then(|| self.counts.push(((term, field), Wanted::default()))).map(|()| self.counts.len() - 1)
        })?;
        let Wanted { row, work } = &mut self.counts[at].1;
        if row.is_none() {
            *work += list.slots.len();
            if *work >= WALKS * slots {
                let mut counts = vec![0; slots];
                for (slot, count) in list.iter() {
                    counts[usize::from(slot)] = count as u8;
                }
                *row = Some(counts.into());
            }
        }
        row.clone()
    }
}
