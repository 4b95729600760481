//! A run of at most 65,536 records of one cell, with the postings of every term in them.
//!
//! Records lie in numbered slots; a freed slot is used again while the segment is open. Slot numbers never
//! reach a result.
//!
//! Lists are open or packed. Records that come by the hundreds are packed at once with what is there; one that
//! comes or goes by itself opens the lists of a segment that is not full, once.

use std::sync::Arc;

use super::batch::{Batch, Count};
use super::merge::merge;
use super::open::{Entry, Open};
use super::packed::{Packed, PackedEntry};
use super::postings::{Held, List};
use super::rows::Rows;
use super::turned::Turned;
use crate::kernel::SLOTS;

/// Marks a slot without a record.
pub const VACANT: u32 = u32::MAX;

/// So many records in one go have the lists packed...
const PACKED_FROM: usize = if cfg!(test) { 2 } else { 256 }; // tests go to and fro with a handful
/// ...if they are at least one for so many that are there: packing costs time for all of them.
const ONE_FOR: usize = 8;

/// Records in slots, and what they hold.
#[derive(Debug, Clone)]
pub struct Segment {
    documents: Vec<u32>,
    vacant: Vec<u16>,
    labels: Vec<u32>,       // stays empty while no record has a label
    lengths: Vec<Vec<u32>>, // by field, then slot; stays empty while no record has the field
    lists: Lists,
    rows: Rows,
}

#[derive(Debug, Clone)]
enum Lists {
    Open(Open),
    Packed(Packed),
}

/// A term of a segment.
#[derive(Debug, Clone, Copy)]
pub enum Term<'a> {
    /// In a segment that takes records.
    Open(&'a Entry),
    /// In a full one.
    Packed(PackedEntry<'a>),
}

impl<'a> Term<'a> {
    /// Records of the segment that hold the term in any field.
    #[must_use]
    pub fn documents(&self) -> u32 {
        match self {
            Self::Open(entry) => entry.documents(),
            Self::Packed(entry) => entry.documents(),
        }
    }

    /// The list of one field, if any record holds the term there.
    #[must_use]
    pub fn list(&self, field: usize) -> Option<List<'a>> {
        match self {
            Self::Open(entry) => entry.list(field),
            Self::Packed(entry) => entry.list(field),
        }
    }
}

impl Segment {
    /// An empty segment for records with this many fields.
    #[must_use]
    pub fn new(fields: usize) -> Self {
        let (documents, vacant, labels) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            documents,
            vacant,
            labels,
            lengths: vec![Vec::new(); fields],
            lists: Lists::Open(Open::default()),
            rows: Rows::default(),
        }
    }

    /// One more record fits.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.documents.len() < SLOTS || (matches!(self.lists, Lists::Open(_)) && !self.vacant.is_empty())
    }

    /// No record is left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.documents.len() == self.vacant.len()
    }

    /// Slots in use or free: every slot number is below this.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.documents.len()
    }

    /// The number of the record in each slot, [`VACANT`] where there is none.
    #[must_use]
    pub fn documents(&self) -> &[u32] {
        &self.documents
    }

    /// The label number in a slot; 0 for none.
    #[must_use]
    pub fn label(&self, slot: u16) -> u32 {
        self.labels.get(usize::from(slot)).copied().unwrap_or(0)
    }

    /// Lengths of a field by slot; a slot beyond them is 0 long.
    #[must_use]
    pub fn lengths(&self, field: usize) -> &[u32] {
        &self.lengths[field]
    }

    /// Lengths with the fields added up, each as often as it weighs; `mark` as for [`super::Joined`].
    #[must_use]
    pub fn joined_lengths(&self, weights: &[u32], mark: &str) -> Arc<Vec<u32>> {
        self.rows.lock().joined(weights, mark, &self.lengths, self.slots())
    }

    /// A slot's length in a field.
    #[must_use]
    pub fn length(&self, field: usize, slot: u16) -> u32 {
        self.lengths[field].get(usize::from(slot)).copied().unwrap_or(0)
    }

    /// What searches keep of this segment.
    #[must_use]
    pub fn rows(&self) -> &Rows {
        &self.rows
    }

    /// A term of this segment.
    #[must_use]
    pub fn term(&self, term: u32) -> Option<Term<'_>> {
        match &self.lists {
            Lists::Open(open) => open.entry(term).map(Term::Open),
            Lists::Packed(packed) => packed.entry(term).map(Term::Packed),
        }
    }

    /// All terms of this segment, in any order, and how many of its records hold each in any field.
    pub fn terms(&self) -> impl Iterator<Item = (u32, u32)> {
        let (open, packed) = match &self.lists {
            Lists::Open(open) => (Some(open.terms()), None),
            Lists::Packed(packed) => (None, Some(packed.terms())),
        };
        open.into_iter().flatten().chain(packed.into_iter().flatten())
    }

    /// Takes a slot for a record with these lengths. There must be room; its postings come with [`Segment::add`].
    pub fn take_slot(&mut self, document: u32, label: u32, lengths: &[u32]) -> u16 {
        let slot = self.vacant.pop().unwrap_or_else(|| {
            self.documents.push(VACANT);
            u16::try_from(self.documents.len() - 1).expect("the caller has asked has_room")
        });
        self.documents[usize::from(slot)] = document;
        put(&mut self.labels, slot, label);
        for (field, &length) in lengths.iter().enumerate() {
            put(&mut self.lengths[field], slot, length);
            self.rows.put(field, slot, length);
        }
        self.rows.put_joined(slot, &self.lengths);
        slot
    }

    /// Adds the postings of records whose slots were taken, given as (number in the batch, slot), and packs the
    /// segment if it is full now. `number_of` turns the batch's term numbers into the index's; `appeared` is told of
    /// every term that is new to the segment.
    pub fn add(&mut self, batch: &Batch, rows: &[(u32, u16)], number_of: &[u32], appeared: impl FnMut(u32)) {
        let turned = Turned::of(batch, rows);
        let (fields, held) = (self.lengths.len(), self.documents.len() - self.vacant.len() - rows.len());
        let is_full = self.documents.len() == SLOTS && self.vacant.is_empty();
        // Free slots of a segment without others would be lost to it.
        let packs = is_full || (self.documents.len() < SLOTS && is_many(rows.len(), held));
        let packs = packs && self.postings() + turned.len() <= Packed::MOST;
        match &mut self.lists {
            Lists::Packed(packed) if packs => *packed = merge(packed.held(), &turned, number_of, fields, appeared),
            Lists::Open(open) if packs => {
                self.lists = Lists::Packed(merge(open.held(), &turned, number_of, fields, appeared));
            }
            lists => lists.open(self.documents.len()).add(batch, rows, &turned, number_of, appeared),
        }
    }

    fn postings(&self) -> usize {
        match &self.lists {
            Lists::Open(open) => open.postings(),
            Lists::Packed(packed) => packed.postings(),
        }
    }

    /// Takes the records of some slots out; `vanished` is told of every term that no record of the segment
    /// holds any longer.
    pub fn remove(&mut self, slots: &[u16], mut vanished: impl FnMut(u32)) {
        let held = self.documents.len() - self.vacant.len() - slots.len();
        let is_full = self.documents.len() == SLOTS;
        match &mut self.lists {
            Lists::Packed(packed) if is_full || is_many(slots.len(), held) => {
                packed.remove(slots, &mut vanished);
            }
            lists => {
                let open = lists.open(self.documents.len());
                for &slot in slots {
                    open.remove(slot, &mut vanished);
                }
            }
        }
        for &slot in slots {
            self.documents[usize::from(slot)] = VACANT;
            self.vacant.push(slot);
            put(&mut self.labels, slot, 0);
            for (field, column) in self.lengths.iter_mut().enumerate() {
                put(column, slot, 0);
                self.rows.put(field, slot, 0);
            }
            self.rows.put_joined(slot, &self.lengths);
        }
    }

    /// The counts of every slot, with the index's term numbers.
    #[must_use]
    pub fn counts_by_slot(&self) -> Vec<Vec<Count>> {
        let mut counts = vec![Vec::new(); self.documents.len()];
        let mut add = |Held { term, field, list, .. }: Held<'_>| {
            for (slot, count) in list.iter() {
                counts[usize::from(slot)].push(Count { term, field, count });
            }
        };
        match &self.lists {
            Lists::Open(open) => open.held().for_each(&mut add),
            Lists::Packed(packed) => packed.held().for_each(&mut add),
        }
        counts
    }
}

impl Lists {
    /// The lists able to grow; `slots` is one more than the last slot.
    fn open(&mut self, slots: usize) -> &mut Open {
        if let Self::Packed(packed) = self {
            *self = Self::Open(Open::of(packed.held(), slots));
        }
        match self {
            Self::Open(open) => open,
            Self::Packed(_) => unreachable!("opened above"),
        }
    }
}

/// Is this a good time to write all lists anew?
fn is_many(records: usize, held: usize) -> bool {
    records >= PACKED_FROM && records * ONE_FOR >= held
}

/// Writes a value into a column that ends with its last value other than 0.
fn put(column: &mut Vec<u32>, slot: u16, value: u32) {
    let at = usize::from(slot);
    if value != 0 && column.len() <= at {
        column.resize(at + 1, 0);
    }
    if let Some(place) = column.get_mut(at) {
        *place = value;
    }
}
