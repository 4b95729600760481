//! A run of at most 65,536 records of one cell, with the postings of every term in them.
//!
//! Records lie in numbered slots; a freed slot is used again. Slot numbers never reach a result.

use rustc_hash::FxHashMap;

use super::batch::Counted;
use super::postings::{List, Postings};

/// Slots in a segment: what 16 bits can number.
pub const SLOTS: usize = 1 << 16;

/// Marks a slot without a record.
pub const VACANT: u32 = u32::MAX;

/// A term in a segment.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    /// Records of the segment that hold the term in any field.
    pub documents: u32,
    lists: Vec<(u8, Postings)>, // ordered by field
}

impl Entry {
    /// The list of one field, if any record holds the term there.
    #[must_use]
    pub fn list(&self, field: usize) -> Option<List<'_>> {
        self.lists.iter().find(|(f, _)| usize::from(*f) == field).map(|(_, postings)| postings.as_list())
    }

    fn postings(&mut self, field: u8) -> &mut Postings {
        let at = self.lists.partition_point(|(f, _)| *f < field);
        if self.lists.get(at).is_none_or(|(f, _)| *f != field) {
            self.lists.insert(at, (field, Postings::new()));
        }
        &mut self.lists[at].1
    }
}

/// Records in slots, and what they hold.
#[derive(Debug, Clone, Default)]
pub struct Segment {
    documents: Vec<u32>,
    vacant: Vec<u16>,
    labels: Vec<u32>,
    lengths: Vec<Vec<u32>>, // by field, then slot; stays empty while no record has the field
    entries: FxHashMap<u32, Entry>,
    forward: Vec<Box<[u32]>>, // the distinct terms of each slot, for removal
}

impl Segment {
    /// An empty segment for records with this many fields.
    #[must_use]
    pub fn new(fields: usize) -> Self {
        Self { lengths: vec![Vec::new(); fields], ..Self::default() }
    }

    /// One more record fits.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.documents.len() < SLOTS || !self.vacant.is_empty()
    }

    /// Slots in use or free: every slot number is below this.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.documents.len()
    }

    /// The document number in a slot, [`VACANT`] if there is none.
    #[must_use]
    pub fn document(&self, slot: u16) -> u32 {
        self.documents[usize::from(slot)]
    }

    /// The label number in a slot.
    #[must_use]
    pub fn label(&self, slot: u16) -> u32 {
        self.labels[usize::from(slot)]
    }

    /// Lengths of a field by slot; empty if no record ever had the field, else one for every slot.
    #[must_use]
    pub fn lengths(&self, field: usize) -> &[u32] {
        &self.lengths[field]
    }

    /// A slot's length in a field.
    #[must_use]
    pub fn length(&self, field: usize, slot: u16) -> u32 {
        self.lengths[field].get(usize::from(slot)).copied().unwrap_or(0)
    }

    /// A term of this segment.
    #[must_use]
    pub fn entry(&self, term: u32) -> Option<&Entry> {
        self.entries.get(&term)
    }

    /// The distinct terms of a slot, ascending by number.
    #[must_use]
    pub fn terms(&self, slot: u16) -> &[u32] {
        &self.forward[usize::from(slot)]
    }

    /// Puts a record in; `number_of` turns the batch's term numbers into the index's, `appeared` is told of
    /// every term that is new to the segment. There must be room.
    pub fn insert(
        &mut self,
        document: u32,
        label: u32,
        counted: &Counted,
        number_of: &[u32],
        mut appeared: impl FnMut(u32),
    ) -> u16 {
        let slot = self.take_slot(document, label);
        for (lengths, &length) in self.lengths.iter_mut().zip(&counted.lengths) {
            if length > 0 && lengths.len() < self.documents.len() {
                lengths.resize(self.documents.len(), 0);
            }
            if let Some(place) = lengths.get_mut(usize::from(slot)) {
                *place = length;
            }
        }
        let mut terms = Vec::with_capacity(counted.counts.len());
        for group in counted.counts.chunk_by(|a, b| a.term == b.term) {
            let term = number_of[group[0].term as usize];
            let entry = self.entries.entry(term).or_insert_with(|| {
                appeared(term);
                Entry::default()
            });
            entry.documents += 1;
            for count in group {
                entry.postings(count.field).insert(slot, count.count);
            }
            terms.push(term);
        }
        terms.sort_unstable();
        self.forward[usize::from(slot)] = terms.into_boxed_slice();
        slot
    }

    /// Takes the record of a slot out and answers its lengths; `vanished` is told of every term that no record
    /// of the segment holds any longer.
    pub fn remove(&mut self, slot: u16, mut vanished: impl FnMut(u32)) -> Vec<u32> {
        for &term in &std::mem::take(&mut self.forward[usize::from(slot)]) {
            let entry = self.entries.get_mut(&term).expect("a term of a record has an entry");
            entry.documents -= 1;
            for (_, postings) in &mut entry.lists {
                postings.remove(slot);
            }
            entry.lists.retain(|(_, postings)| !postings.is_empty());
            if entry.documents == 0 {
                self.entries.remove(&term);
                vanished(term);
            }
        }
        self.documents[usize::from(slot)] = VACANT;
        self.vacant.push(slot);
        let at = usize::from(slot);
        self.lengths.iter_mut().map(|lengths| lengths.get_mut(at).map_or(0, std::mem::take)).collect()
    }

    fn take_slot(&mut self, document: u32, label: u32) -> u16 {
        if let Some(slot) = self.vacant.pop() {
            self.documents[usize::from(slot)] = document;
            self.labels[usize::from(slot)] = label;
            return slot;
        }
        let slot = u16::try_from(self.documents.len()).expect("the caller has asked has_room");
        self.documents.push(document);
        self.labels.push(label);
        self.forward.push(Box::default());
        for lengths in self.lengths.iter_mut().filter(|lengths| !lengths.is_empty()) {
            lengths.push(0);
        }
        slot
    }
}
