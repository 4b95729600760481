//! Search: statistics over the cells, then one segment after another, term at a time.

use std::cell::RefCell;

use super::index::Index;
use super::passing::{Passing, gathered};
use super::query::Query;
use super::statistics::{Statistics, entries};
use super::visit::{Scratch, Visit};
use crate::error::Result;
use crate::kernel::Isa;
use crate::rank::check_k;
use crate::records::{Directory, Selection};

/// How much there was to do, counted inside the searched cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Records in the cells.
    pub records: u64,
    /// Postings of the query's terms, repetitions counted.
    pub postings: u64,
}

/// Hits, best first, with their scores: records by id, or by number.
#[derive(Debug, Clone, PartialEq)]
pub struct Found<R = String> {
    /// (record, score)
    pub hits: Vec<(R, f64)>,
    /// Work.
    pub counters: Counters,
    /// The idf in the searched cells of all terms of the query, added up in order: also of terms that no record holds,
    /// and of a repeated term each time.
    pub idf_sum: f64,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

impl Index {
    /// The best `k` records for a query: score descending, then as the directory orders them. Scores are greater than 0.
    ///
    /// `boosts` are factors on the scores of records with a label, 0.000001 to 1,000,000; `cells` the numbers of the cells to
    /// search, ascending. With `only` no other records are found: scores and statistics stay those of the cells, so the
    /// answer is the whole one, filtered.
    ///
    /// # Errors
    /// For k and boosts outside their ranges.
    pub fn search(
        &self,
        directory: &Directory,
        query: &Query,
        boosts: &[(String, f64)],
        k: usize,
        cells: &[u32],
        only: Option<&Selection>,
    ) -> Result<Found<u32>> {
        check_k(k)?;
        let boosts = self.boosts_by_label(boosts)?;
        let (numbers, cells) = self.cells(cells);
        let terms: Vec<Option<u32>> = query.terms().map(|term| self.terms.get(term)).collect();
        let entries = entries(&cells, &terms);
        let statistics = Statistics::of(self.settings.fields.len(), &cells, &entries, terms.len());
        let few = only.and_then(|only| gathered(self, only, &numbers, &cells));
        let mut visit = Visit::new(self, directory, Isa::active()?, k, &boosts, &statistics);
        SCRATCH.with_borrow_mut(|scratch| {
            let segments = cells.iter().flat_map(|cell| &cell.segments);
            for (at, (segment, entries)) in segments.zip(entries.chunks(terms.len().max(1))).enumerate() {
                if let Some(few) = &few {
                    visit.slots(scratch, segment, &terms, entries, &few[at]);
                } else {
                    let passing = only.map(|only| Passing { documents: segment.documents(), only });
                    visit.segment(scratch, segment, &terms, entries, passing);
                }
            }
        });
        let counters = Counters { records: statistics.records, postings: visit.postings };
        let hits = visit.finish().into_iter().map(|(score, number)| (number, score)).collect();
        Ok(Found { hits, counters, idf_sum: statistics.idf_sum() })
    }
}
