//! The postings of a segment that still takes records: a list for each term and field.

use rustc_hash::FxHashMap;

use super::batch::Batch;
use super::postings::{Held, List, Postings};
use super::turned::{Posting, Turned};

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

    fn postings(&mut self, field: u8) -> &mut Postings {
        let at = self.lists.partition_point(|(f, _)| *f < field);
        if self.lists.get(at).is_none_or(|(f, _)| *f != field) {
            self.lists.insert(at, (field, Postings::default()));
        }
        &mut self.lists[at].1
    }
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

    /// All terms, in any order, and how many records hold each.
    pub fn terms(&self) -> impl Iterator<Item = (u32, u32)> {
        self.entries.iter().map(|(&term, entry)| (term, entry.documents))
    }

    /// The same lists, able to grow and to lose single records. `slots` is one more than the last slot in use.
    #[must_use]
    pub fn of<'a>(held: impl Iterator<Item = Held<'a>>, slots: usize) -> Self {
        let (mut open, mut terms) = (Self::default(), vec![Vec::new(); slots]);
        for Held { term, field, documents, list } in held {
            let entry = open.entries.entry(term).or_default();
            entry.documents = documents;
            let postings = entry.postings(field);
            for (slot, count) in list.iter() {
                postings.insert(slot, count);
                // Lists of one term follow each other, so a term is here already if it is the last.
                let terms: &mut Vec<u32> = &mut terms[usize::from(slot)];
                if terms.last() != Some(&term) {
                    terms.push(term);
                }
            }
        }
        open.forward = terms.into_iter().map(Vec::into_boxed_slice).collect();
        open
    }

    /// All lists, ordered by term, then field.
    pub fn held(&self) -> impl Iterator<Item = Held<'_>> {
        let mut entries: Vec<(u32, &Entry)> = self.entries.iter().map(|(&term, entry)| (term, entry)).collect();
        entries.sort_unstable_by_key(|(term, _)| *term);
        entries.into_iter().flat_map(|(term, entry)| {
            entry.lists.iter().map(move |(field, postings)| Held {
                term,
                field: *field,
                documents: entry.documents,
                list: postings.as_list(),
            })
        })
    }

    /// How many postings there are.
    #[must_use]
    pub fn postings(&self) -> usize {
        self.entries.values().flat_map(|entry| &entry.lists).map(|(_, postings)| postings.as_list().slots.len()).sum()
    }

    /// Adds documents of a batch, given as (number in the batch, slot), and turned round, so that each list is found
    /// once and grows in one go. `number_of` turns the batch's term numbers into the index's; `appeared` is told of
    /// every term that is new to the segment.
    pub fn add(
        &mut self,
        batch: &Batch,
        rows: &[(u32, u16)],
        turned: &Turned,
        number_of: &[u32],
        mut appeared: impl FnMut(u32),
    ) {
        for &(row, slot) in rows {
            self.remember(slot, batch, row as usize, number_of);
        }
        for (term, &number) in (0..).zip(number_of) {
            let group = turned.of_term(term);
            if !group.is_empty() {
                self.extend(number, group, |posting| turned.count(term, posting), &mut appeared);
            }
        }
    }

    fn extend(&mut self, term: u32, group: &[Posting], count: impl Fn(Posting) -> u32, appeared: &mut impl FnMut(u32)) {
        let entry = self.entries.entry(term).or_insert_with(|| {
            appeared(term);
            Entry::default()
        });
        // A record's postings of one term stand next to each other, one for each field.
        for record in group.chunk_by(|a, b| a.slot() == b.slot()) {
            entry.documents += 1;
            for &posting in record {
                entry.postings(posting.field()).insert(posting.slot(), count(posting));
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
