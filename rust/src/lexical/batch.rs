//! Documents on their way in: analysed and counted, but not yet part of any index.
//!
//! Analysis is the slow step and can fail; it needs no lock. What comes out is applied in one go that cannot
//! fail, so a batch is in the index wholly or not at all.

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

use super::settings::{MAX_TEXT_BYTES, Settings};
use crate::error::{Error, Result};
use crate::text::Scratch;

/// One counted term of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(clippy::struct_field_names)] // `count` is the word for it
pub struct Count {
    /// Number of the term in the batch.
    pub term: u32,
    /// Number of the field.
    pub field: u8,
    /// How often it occurs there, at least 1.
    pub count: u32,
}

/// One analysed document: counts ordered by term, then field.
#[derive(Debug, Clone, Default)]
pub struct Counted {
    /// By term, then field.
    pub counts: Vec<Count>,
    /// Terms in each field.
    pub lengths: Vec<u32>,
}

/// Analysed documents with a dictionary of their own.
#[derive(Debug, Default)]
pub struct Batch {
    /// In the order in which they were pushed.
    pub documents: Vec<Counted>,
    terms: Dictionary,
    scratch: Scratch,
    seen: Vec<(u32, u8)>,
}

/// The terms of a batch in one string, numbered in order of appearance.
#[derive(Debug, Default)]
struct Dictionary {
    numbers: HashTable<u32>,
    ends: Vec<u32>,
    text: String,
}

impl Dictionary {
    fn term(&self, number: u32) -> &str {
        let start = if number == 0 { 0 } else { self.ends[number as usize - 1] as usize };
        &self.text[start..self.ends[number as usize] as usize]
    }

    fn number(&mut self, term: &str) -> u32 {
        let hash = FxBuildHasher.hash_one(term);
        if let Some(&number) = self.numbers.find(hash, |&n| self.term(n) == term) {
            return number;
        }
        let number = self.ends.len() as u32;
        self.text.push_str(term);
        self.ends.push(self.text.len() as u32);
        let (ends, text) = (&self.ends, &self.text);
        self.numbers.insert_unique(hash, number, |&n| {
            let start = if n == 0 { 0 } else { ends[n as usize - 1] as usize };
            FxBuildHasher.hash_one(&text[start..ends[n as usize] as usize])
        });
        number
    }
}

impl Batch {
    /// Analyses one document, given as its (field number, text) pairs; a field may occur several times.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] for a text over the limit, or a batch whose dictionary outgrows 4 GiB.
    pub fn push(&mut self, settings: &Settings, fields: &[(usize, &str)]) -> Result<()> {
        if let Some((_, text)) = fields.iter().find(|(_, text)| text.len() > MAX_TEXT_BYTES) {
            return Err(Error::limit("text length in bytes", MAX_TEXT_BYTES, text.len()));
        }
        if self.terms.text.len() > u32::MAX as usize - 2 * MAX_TEXT_BYTES * fields.len() {
            return Err(Error::limit("bytes of distinct terms in one call", u32::MAX as usize, self.terms.text.len()));
        }
        let mut lengths = vec![0_u32; settings.fields.len()];
        self.seen.clear();
        for &(field, text) in fields {
            let (terms, seen, length) = (&mut self.terms, &mut self.seen, &mut lengths[field]);
            settings.analyzer.for_each_term(text, &mut self.scratch, &mut |term| {
                seen.push((terms.number(term), field as u8));
                *length += 1;
            });
        }
        self.seen.sort_unstable();
        let mut counts: Vec<Count> = Vec::with_capacity(self.seen.len());
        for &(term, field) in &self.seen {
            match counts.last_mut() {
                Some(last) if (last.term, last.field) == (term, field) => last.count += 1,
                _ => counts.push(Count { term, field, count: 1 }),
            }
        }
        self.documents.push(Counted { counts, lengths });
        Ok(())
    }

    /// Gives a term the next number; false if it has one already.
    pub(super) fn declare(&mut self, term: &str) -> bool {
        let next = self.terms.ends.len();
        self.terms.number(term) as usize == next
    }

    /// How many distinct terms the batch holds.
    #[must_use]
    pub fn term_count(&self) -> usize {
        self.terms.ends.len()
    }

    /// The term behind a number.
    #[must_use]
    pub fn term(&self, number: u32) -> &str {
        self.terms.term(number)
    }
}
