//! The postings of a segment that still takes records: a list for each term and field.

use rustc_hash::FxHashMap;

use super::batch::Batch;
use super::postings::{List, Postings};

/// A term in a segment.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    documents: u32,
    lists: Vec<(u8, Postings)>, // ordered by field
}

impl Entry {
    /// Records of the segment that hold the term in any field.
    #[must_use]
    pub fn documents(&self) -> u32 {
        self.documents
    }

    /// The list of one field, if any record holds the term there.
    #[must_use]
    pub fn list(&self, field: usize) -> Option<List<'_>> {
        self.lists.iter().find(|(f, _)| usize::from(*f) == field).map(|(_, postings)| postings.as_list())
    }

    /// All lists with their fields, in the order of fields.
    pub fn lists(&self) -> impl Iterator<Item = (u8, List<'_>)> {
        self.lists.iter().map(|(field, postings)| (*field, postings.as_list()))
    }

    fn postings(&mut self, field: u8) -> &mut Postings {
        let at = self.lists.partition_point(|(f, _)| *f < field);
        if self.lists.get(at).is_none_or(|(f, _)| *f != field) {
            self.lists.insert(at, (field, Postings::default()));
        }
        &mut self.lists[at].1
    }
}

/// One posting on its way into a list.
#[derive(Debug, Clone, Copy, Default)]
struct Incoming {
    slot: u16,
    field: u8,
    count: u32,
}

/// Terms with their lists, and the terms of each slot.
#[derive(Debug, Clone, Default)]
pub struct Open {
    entries: FxHashMap<u32, Entry>,
    forward: Vec<Box<[u32]>>, // the distinct terms of each slot, for removal
}

impl Open {
    /// A term of this segment.
    #[must_use]
    pub fn entry(&self, term: u32) -> Option<&Entry> {
        self.entries.get(&term)
    }

    /// All terms, in any order.
    pub fn entries(&self) -> impl Iterator<Item = (u32, &Entry)> {
        self.entries.iter().map(|(&term, entry)| (term, entry))
    }

    /// Adds documents of a batch, given as (number in the batch, slot). `number_of` turns the batch's term
    /// numbers into the index's; `appeared` is told of every term that is new to the segment.
    ///
    /// The batch is turned round first, so that each list is found once and grows in one go.
    pub fn add(&mut self, batch: &Batch, rows: &[(u32, u16)], number_of: &[u32], mut appeared: impl FnMut(u32)) {
        let mut starts = vec![0_u32; batch.term_count() + 1];
        for count in rows.iter().flat_map(|&(row, _)| batch.counts(row as usize)) {
            starts[count.term as usize + 1] += 1;
        }
        for term in 0..batch.term_count() {
            starts[term + 1] += starts[term];
        }
        let mut next = starts.clone();
        let mut incoming = vec![Incoming::default(); starts[batch.term_count()] as usize];
        for &(row, slot) in rows {
            for count in batch.counts(row as usize) {
                let at = &mut next[count.term as usize];
                incoming[*at as usize] = Incoming { slot, field: count.field, count: count.count };
                *at += 1;
            }
            self.remember(slot, batch, row as usize, number_of);
        }
        for term in 0..batch.term_count() {
            let group = &incoming[starts[term] as usize..starts[term + 1] as usize];
            if !group.is_empty() {
                self.extend(number_of[term], group, &mut appeared);
            }
        }
    }

    fn extend(&mut self, term: u32, group: &[Incoming], appeared: &mut impl FnMut(u32)) {
        let entry = self.entries.entry(term).or_insert_with(|| {
            appeared(term);
            Entry::default()
        });
        // A record's postings of one term stand next to each other, one for each field.
        for record in group.chunk_by(|a, b| a.slot == b.slot) {
            entry.documents += 1;
            for posting in record {
                entry.postings(posting.field).insert(posting.slot, posting.count);
            }
        }
    }

    fn remember(&mut self, slot: u16, batch: &Batch, row: usize, number_of: &[u32]) {
        let mut terms: Vec<u32> = batch.counts(row).iter().map(|count| number_of[count.term as usize]).collect();
        terms.sort_unstable();
        terms.dedup();
        if self.forward.len() <= usize::from(slot) {
            self.forward.resize_with(usize::from(slot) + 1, Box::default);
        }
        self.forward[usize::from(slot)] = terms.into_boxed_slice();
    }

    /// Takes a slot out; `vanished` is told of every term that no record of the segment holds any longer.
    pub fn remove(&mut self, slot: u16, vanished: &mut impl FnMut(u32)) {
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
    }
}
