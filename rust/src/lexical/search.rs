//! Search: statistics over the cells, then one segment after another, term at a time.

use std::cell::RefCell;

use super::among::Among;
use super::bm25::idf;
use super::query::Query;
use super::segment::Term;
use super::settings::check_range;
use super::visit::{Scratch, Visit};
use super::{Cell, LexicalIndex};
use crate::error::Result;
use crate::kernel::Isa;
use crate::rank::check_k;

/// What to search for besides the query.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many hits at most, 1 to 100,000.
    pub k: usize,
    /// The cells to search, `None` for all. Unknown and repeated keys are ignored; no cell means no hit.
    pub cells: Option<Vec<String>>,
    /// Factor on the score of records with this label, 0.000001 to 1,000,000.
    pub boosts: Vec<(String, f64)>,
    /// Ids of the only records that can be found, `None` for all. Unknown and repeated ones are ignored. Statistics
    /// stay those of the cells.
    pub among: Option<Vec<String>>,
}

impl Default for Options {
    fn default() -> Self {
        Self { k: 10, cells: None, boosts: Vec::new(), among: None }
    }
}

/// How much there was to do, counted inside the searched cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Records in the cells.
    pub records: u64,
    /// Postings of the query's terms, repetitions counted.
    pub postings: u64,
}

/// Hits, best first, with their scores.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// (id, score)
    pub hits: Vec<(String, f64)>,
    /// Work.
    pub counters: Counters,
}

/// The numbers of a query in a set of cells.
pub(super) struct Statistics {
    pub records: u64,
    pub averages: Vec<f64>,    // by field
    pub frequencies: Vec<u64>, // by query term
    pub inverse: Vec<f64>,     // idf by query term
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

impl LexicalIndex {
    /// The best `k` records for a query: score descending, then id ascending. Scores are greater than 0.
    ///
    /// # Errors
    /// For k and boosts outside their ranges.
    pub fn search(&self, query: &Query, options: &Options) -> Result<Found> {
        check_k(options.k)?;
        let boosts = self.boosts_by_label(&options.boosts)?;
        let numbers = self.numbers(options.cells.as_deref());
        let cells = self.numbered(&numbers);
        let terms: Vec<Option<u32>> = query.terms().map(|term| self.terms.get(term)).collect();
        let entries = entries(&cells, &terms);
        let statistics = self.statistics(&cells, &entries, terms.len());
        let among = options.among.as_ref().map(|ids| Among::of(self, ids).by_segment(&numbers, &cells));
        let mut visit = Visit::new(self, Isa::active()?, options.k, &boosts, &statistics);
        SCRATCH.with_borrow_mut(|scratch| {
            let segments = cells.iter().flat_map(|cell| &cell.segments);
            for (at, (segment, entries)) in segments.zip(entries.chunks(terms.len().max(1))).enumerate() {
                match &among {
                    None => visit.segment(scratch, segment, &terms, entries),
                    Some(among) => visit.slots(scratch, segment, &terms, entries, &among[at]),
                }
            }
        });
        let counters = Counters { records: statistics.records, postings: visit.postings };
        let named = |(score, document)| (self.ids.name(document).to_owned(), score);
        Ok(Found { hits: visit.finish().into_iter().map(named).collect(), counters })
    }

    /// The cells with these keys, `None` for all.
    pub(super) fn select(&self, keys: Option<&[String]>) -> Vec<&Cell> {
        self.numbered(&self.numbers(keys))
    }

    fn numbered(&self, numbers: &[u32]) -> Vec<&Cell> {
        numbers.iter().map(|&number| &self.cells[number as usize]).collect()
    }

    fn numbers(&self, keys: Option<&[String]>) -> Vec<u32> {
        let mut numbers: Vec<u32> = match keys {
            Some(keys) => keys.iter().filter_map(|key| self.cell_keys.get(key)).collect(),
            None => (0..self.cells.len() as u32).collect(),
        };
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// `entries` are those of `terms` terms, as [`entries`] finds them.
    pub(super) fn statistics(&self, cells: &[&Cell], entries: &[Option<Term<'_>>], terms: usize) -> Statistics {
        let records = cells.iter().map(|cell| cell.documents).sum();
        let total = |field: usize| cells.iter().map(|cell| cell.total_lengths.get(field).unwrap_or(&0)).sum::<u64>();
        let average = |field| if records == 0 { 0.0 } else { total(field) as f64 / records as f64 };
        let averages: Vec<f64> = (0..self.settings.fields.len()).map(average).collect();
        let mut frequencies = vec![0; terms];
        for of_segment in entries.chunks(terms.max(1)) {
            for (frequency, entry) in frequencies.iter_mut().zip(of_segment) {
                *frequency += entry.map_or(0, |entry| u64::from(entry.documents()));
            }
        }
        let inverse = frequencies.iter().map(|&df| idf(records, df)).collect();
        Statistics { records, averages, frequencies, inverse }
    }

    /// One factor for each label number; empty when there is nothing to boost.
    pub(super) fn boosts_by_label(&self, boosts: &[(String, f64)]) -> Result<Vec<f64>> {
        if boosts.is_empty() {
            return Ok(Vec::new());
        }
        let mut factors = vec![1.0; self.labels.capacity()];
        for (label, factor) in boosts {
            check_range(&format!("boost of label {label:?}"), *factor, 1e-6, 1e6)?;
            if let Some(number) = self.labels.get(label).filter(|_| !label.is_empty()) {
                factors[number as usize] = *factor;
            }
        }
        Ok(factors)
    }
}

/// The entries of the terms in the segments of the cells: by segment, then term.
pub(super) fn entries<'a>(cells: &[&'a Cell], terms: &[Option<u32>]) -> Vec<Option<Term<'a>>> {
    let segments = || cells.iter().flat_map(|cell| &cell.segments);
    let mut entries = Vec::with_capacity(terms.len() * segments().count());
    for segment in segments() {
        entries.extend(terms.iter().map(|term| segment.term((*term)?)));
    }
    entries
}
