//! What a search answers: hits, and how they were found.

use super::cascade::Visit;
use crate::records::Directory;

/// How much there was to do, counted inside the searched cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Records that can be found: those of the cells, and of a selection those in it.
    pub records: u64,
    /// Blocks of rows whose bounds were computed.
    pub estimated: u64,
    /// Rows scored in full precision.
    pub rescored: u64,
}

/// Hits, best first, and how they were found. A record is an id, or its number in a directory.
#[derive(Debug, Clone, PartialEq)]
pub struct Found<Record = String> {
    /// (record, score)
    pub hits: Vec<(Record, f64)>,
    /// Work.
    pub counters: Counters,
    /// Tiers visited; the last one answered. A tier before the last of the ladder says how all records of the cells
    /// look, selected or not, since that is what ends a search; the last says what was found.
    pub trace: Vec<Visit>,
    /// Milliseconds for each of them.
    pub timings: Vec<f64>,
}

impl<Record> Default for Found<Record> {
    fn default() -> Self {
        Self { hits: Vec::new(), counters: Counters::default(), trace: Vec::new(), timings: Vec::new() }
    }
}

impl Found<u32> {
    /// The same with ids.
    #[must_use]
    pub fn named(self, directory: &Directory) -> Found {
        let hits = self.hits.into_iter().map(|(number, score)| (directory.id(number).to_owned(), score)).collect();
        Found { hits, counters: self.counters, trace: self.trace, timings: self.timings }
    }
}
