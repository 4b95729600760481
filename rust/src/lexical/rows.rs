//! What searches keep of a segment: classes of its lengths, and the impacts of frequent terms by slot.
//!
//! Rows are a cache: they are made when searches have asked for them often enough to pay. Classes are kept up to date
//! slot by slot; impacts are dropped with every change, and made anew when the average length has moved on: they hold
//! for one a little above the true one. `margin` proves what follows from that.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::accumulate::TermKey;
use super::bm25::Saturation;
use super::classes::Classes;
use super::postings::List;
use crate::kernel::SLOTS;

/// Searches may walk this share of a segment's slots, all together, before its lengths are put into classes.
const PATIENCE: usize = 4;

/// A list that stands in this share of a segment's slots can have its impacts by slot.
const FREQUENT: usize = 8;

/// Bytes for such rows in a segment: 4 a record in a full one.
const BUDGET: usize = 4 * SLOTS;

/// Such a row is made when searches have met as many postings of the list as this many walks over all slots.
const WALKS: usize = 2;

/// The next average length, at or above the given one, for which impacts are computed: 256 for each doubling.
#[must_use]
pub fn stepped(average: f64) -> f64 {
    const BELOW: u64 = (1 << 44) - 1;
    f64::from_bits((average.to_bits() + BELOW) & !BELOW)
}

/// What one term adds, by slot.
#[derive(Debug)]
pub struct Impacts {
    saturation: Saturation,
    /// 255ths of the most, rounded up; 0 where the term is not.
    pub by_slot: Vec<u8>,
    /// What it adds at most, as a share of its base.
    pub most: f64,
}

impl Impacts {
    #[allow(clippy::cast_sign_loss)] // no contribution is below 0
    fn new(saturation: Saturation, list: List<'_>, lengths: &[u32], slots: usize) -> Self {
        let part = |(slot, count): (u16, u32)| {
            let length = lengths.get(usize::from(slot)).copied().unwrap_or(0);
            saturation.part(1.0, f64::from(count), f64::from(length))
        };
        let most = list.iter().map(part).fold(0.0, f64::max);
        let mut by_slot = vec![0; slots];
        for (slot, count) in list.iter() {
            by_slot[usize::from(slot)] = (part((slot, count)) / most * 255.0).ceil().clamp(1.0, 255.0) as u8;
        }
        Self { saturation, by_slot, most }
    }
}

/// The rows of a segment.
#[derive(Debug, Default)]
pub struct Rows {
    kept: Mutex<Kept>,
}

/// What a lock gives access to.
#[derive(Debug, Default)]
pub struct Kept {
    classes: Vec<Wanted<Classes>>,                     // by field
    impacts: Vec<((TermKey, usize), Wanted<Impacts>)>, // with term and field, in the order in which they were wanted
    joint: Option<Joint>,
}

/// How long records are with their fields added up.
#[derive(Debug)]
struct Joint {
    weights: Vec<u32>,
    mark: String,
    lengths: Arc<Vec<u32>>,
}

/// A row, or how much work searches have done without it.
#[derive(Debug)]
struct Wanted<T> {
    row: Option<Arc<T>>,
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
        if let Some(wanted) = kept.classes.get_mut(field)
            && let Some(row) = &mut wanted.row
            && !Arc::make_mut(row).put(slot, length)
        {
            wanted.row = None;
        }
        kept.impacts.clear();
    }

    /// Tells the rows how long the record in a slot is now, in all fields.
    pub fn put_joined(&mut self, slot: u16, fields: &[Vec<u32>]) {
        let kept = self.kept.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Some(joint) = &mut kept.joint else { return };
        let length = joint.length(fields, slot);
        let lengths = Arc::make_mut(&mut joint.lengths);
        let at = usize::from(slot);
        if lengths.len() <= at {
            lengths.resize(at + 1, 0);
        }
        lengths[at] = length;
        self.put(fields.len(), slot, length);
    }
}

impl Joint {
    fn length(&self, fields: &[Vec<u32>], slot: u16) -> u32 {
        let of = |lengths: &Vec<u32>| lengths.get(usize::from(slot)).copied().unwrap_or(0);
        let weighed = fields.iter().zip(&self.weights).map(|(lengths, &weight)| of(lengths).saturating_mul(weight));
        weighed.fold(0, u32::saturating_add)
    }
}

impl Kept {
    /// The lengths of records with their fields added up, each as often as it weighs. Classes and impacts of joined lists
    /// are kept as those of one field more, for one way of adding up at a time: that of the last search.
    pub fn joined(&mut self, weights: &[u32], mark: &str, fields: &[Vec<u32>], slots: usize) -> Arc<Vec<u32>> {
        if let Some(joint) = self.joint.as_ref().filter(|joint| joint.weights == weights && joint.mark == mark) {
            return Arc::clone(&joint.lengths);
        }
        self.classes.truncate(fields.len());
        self.impacts.retain(|((_, field), _)| *field < fields.len());
        let mut joint = Joint { weights: weights.to_vec(), mark: mark.to_owned(), lengths: Arc::default() };
        joint.lengths = Arc::new((0..slots).map(|slot| joint.length(fields, slot as u16)).collect());
        Arc::clone(&self.joint.insert(joint).lengths)
    }

    /// The classes of a field, once they pay, for a search that walks so many postings in the segment.
    pub fn classes(&mut self, field: usize, lengths: &[u32], slots: usize, postings: usize) -> Option<Arc<Classes>> {
        if self.classes.len() <= field {
            self.classes.resize_with(field + 1, Wanted::default);
        }
        let Wanted { row, work } = &mut self.classes[field];
        if row.is_none() {
            *work += postings;
            if *work < slots / PATIENCE {
                return None;
            }
            *row = Some(Arc::new(Classes::new(lengths, slots)));
            *work = 0;
        }
        row.clone()
    }

    /// The impacts of a list at this saturation, once they pay. Only so many lists have them as fit into [`BUDGET`].
    pub fn impacts(
        &mut self,
        (term, field): (TermKey, usize),
        list: List<'_>,
        saturation: Saturation,
        lengths: &[u32],
        slots: usize,
    ) -> Option<Arc<Impacts>> {
        if list.slots.len() < slots / FREQUENT {
            return None;
        }
        let at = self.impacts.iter().position(|(key, _)| *key == (term, field)).or_else(|| {
            let room = (self.impacts.len() + 1) * slots <= BUDGET;
            room.then(|| self.impacts.push(((term, field), Wanted::default()))).map(|()| self.impacts.len() - 1)
        })?;
        let Wanted { row, work } = &mut self.impacts[at].1;
        if row.as_ref().is_none_or(|row| row.saturation != saturation) {
            *work += list.slots.len();
            if *work < WALKS * slots {
                return None;
            }
            *row = Some(Arc::new(Impacts::new(saturation, list, lengths, slots)));
            *work = 0;
        }
        row.clone()
    }
}
