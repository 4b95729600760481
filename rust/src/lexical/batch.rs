//! Documents on their way in: analysed and counted, but not yet part of any index.
//!
//! Analysis is the slow step and can fail; it needs no lock. What comes out is applied in one go that cannot
//! fail, so a batch is in the index wholly or not at all.

use super::dictionary::{Dictionary, Sought};
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

/// Analysed documents with a dictionary of their own.
#[derive(Debug, Default)]
pub struct Batch {
    counts: Vec<Count>, // of all documents, one after another
    ends: Vec<usize>,   // by document, into `counts`
    lengths: Vec<u32>,  // by document, then field
    terms: Dictionary,
    places: Vec<u32>, // by term: where its count stands in the document and field it was met in last
    visit: u32,       // numbers documents and fields together, from 1
    scratch: Scratch,
    sought: Vec<Sought>, // the terms of one text
    aside: String,       // the long ones of them
}

impl Batch {
    /// Analyses one document, given as its (field number, text) pairs, each field at most once.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] for a text over the limit, or a batch that outgrows what 32 bits can number.
    pub fn push(&mut self, settings: &Settings, fields: &[(usize, &str)]) -> Result<()> {
        for (_, text) in fields {
            if text.len() > MAX_TEXT_BYTES {
                return Err(Error::limit("text length in bytes", MAX_TEXT_BYTES, text.len()));
            }
        }
        // Normalisation can make a text longer, by a factor of 18 at most; no term is longer than that.
        let bytes: usize = fields.iter().map(|(_, text)| text.len()).sum();
        self.terms.check_room(bytes.saturating_mul(18))?;
        let first = self.counts.len();
        let row = self.lengths.len();
        self.lengths.resize(row + settings.fields.len(), 0);
        for &(field, text) in fields {
            let Self { terms, scratch, sought, aside, .. } = self;
            sought.clear();
            aside.clear();
            settings.analyzer.for_each_term(text, scratch, &mut |term| sought.push(terms.seek(term, aside)));
            self.lengths[row + field] = self.sought.len() as u32;
            self.count(field as u8, first);
        }
        self.ends.push(self.counts.len());
        Ok(())
    }

    /// Adds the document that was added last once more, if there is one: nothing of it is analysed again.
    pub fn repeat(&mut self) {
        let Some(&end) = self.ends.last() else { return };
        let start = self.ends.len().checked_sub(2).map_or(0, |before| self.ends[before]);
        self.counts.extend_from_within(start..end);
        let fields = self.lengths.len() / self.ends.len();
        self.lengths.extend_from_within(self.lengths.len() - fields..);
        self.ends.push(self.counts.len());
    }

    /// Counts the terms that were sought, in a document whose counts begin at `first`.
    fn count(&mut self, field: u8, first: usize) {
        self.visit += 1;
        for &sought in &self.sought {
            let (term, is_first) = self.terms.meet(sought, &self.aside, self.visit);
            if self.places.len() <= term as usize {
                self.places.resize(term as usize + 1, 0);
            }
            if is_first {
                self.places[term as usize] = (self.counts.len() - first) as u32;
                self.counts.push(Count { term, field, count: 1 });
            } else {
                self.counts[first + self.places[term as usize] as usize].count += 1;
            }
        }
    }

    /// Gives a term the next number; false if it has one already.
    pub(super) fn declare(&mut self, term: &str) -> bool {
        self.visit += 1;
        self.aside.clear();
        let sought = self.terms.seek(term, &mut self.aside);
        let next = self.terms.len();
        self.terms.meet(sought, &self.aside, self.visit).0 as usize == next
    }

    /// Adds a document that was counted before.
    pub(super) fn push_counted(&mut self, counts: &[Count], lengths: &[u32]) {
        self.counts.extend_from_slice(counts);
        self.ends.push(self.counts.len());
        self.lengths.extend_from_slice(lengths);
    }

    /// How many documents the batch holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A document's counts: each pair of term and field once, the fields of a term in any order.
    #[must_use]
    pub fn counts(&self, document: usize) -> &[Count] {
        let start = if document == 0 { 0 } else { self.ends[document - 1] };
        &self.counts[start..self.ends[document]]
    }

    /// A document's lengths by field, in terms.
    #[must_use]
    pub fn lengths(&self, document: usize) -> &[u32] {
        let fields = self.lengths.len() / self.ends.len();
        &self.lengths[document * fields..(document + 1) * fields]
    }

    /// How many distinct terms the batch holds.
    #[must_use]
    pub fn term_count(&self) -> usize {
        self.terms.len()
    }

    /// The term behind a number.
    #[must_use]
    pub fn term(&self, number: u32) -> &str {
        self.terms.term(number)
    }
}
