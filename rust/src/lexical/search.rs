//! Search: statistics over the cells, then one segment after another, term at a time.

use std::cell::RefCell;

use super::accumulate::{Scored, Sums, Taker};
use super::bm25::{Saturation, base, idf};
use super::query::Query;
use super::segment::{Segment, Term};
use super::settings::check_range;
use super::{Cell, LexicalIndex, Settings};
use crate::error::Result;
use crate::kernel::Isa;
use crate::rank::{TopK, check_k};

/// What to search for besides the query.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many hits at most, 1 to 100,000.
    pub k: usize,
    /// The cells to search, `None` for all. Unknown and repeated keys are ignored; no cell means no hit.
    pub cells: Option<Vec<String>>,
    /// Factor on the score of records with this label, 0.000001 to 1,000,000.
    pub boosts: Vec<(String, f64)>,
}

impl Default for Options {
    fn default() -> Self {
        Self { k: 10, cells: None, boosts: Vec::new() }
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
    static SUMS: RefCell<Sums> = RefCell::default();
}

/// Takes the sums of a segment, boosts them and keeps the best.
struct Ranked<'a> {
    index: &'a LexicalIndex,
    segment: &'a Segment,
    boosts: &'a [f64],
    best: &'a mut TopK,
}

impl Taker for Ranked<'_> {
    fn floor(&self) -> f64 {
        // No boost: the threshold itself. Else what the largest boost could lift to it, less a margin for rounding.
        let largest = self.boosts.iter().copied().fold(1.0, f64::max);
        if self.boosts.is_empty() { self.best.threshold() } else { self.best.threshold() / largest * (1.0 - 1e-12) }
    }

    fn take(&mut self, slot: u16, sum: f64) {
        let factor = self.boosts.get(self.segment.label(slot) as usize);
        let score = factor.map_or(sum, |factor| sum * factor);
        self.best.offer(score, self.segment.document(slot), &|document| self.index.ids.name(document));
    }
}

impl LexicalIndex {
    /// The best `k` records for a query: score descending, then id ascending. Scores are greater than 0.
    ///
    /// # Errors
    /// For k and boosts outside their ranges.
    pub fn search(&self, query: &Query, options: &Options) -> Result<Found> {
        check_k(options.k)?;
        let boosts = self.boosts_by_label(&options.boosts)?;
        let cells = self.select(options.cells.as_deref());
        let terms: Vec<Option<u32>> = query.terms().map(|term| self.terms.get(term)).collect();
        let statistics = self.statistics(&cells, &terms);
        let mut counters = Counters { records: statistics.records, postings: 0 };
        let name = |document: u32| self.ids.name(document);
        let isa = Isa::active()?;
        let mut best = TopK::new(options.k.min(self.len().max(1)));
        SUMS.with_borrow_mut(|sums| {
            for segment in cells.iter().flat_map(|cell| &cell.segments) {
                let lists = self.lists(segment, &terms, &statistics);
                counters.postings += lists.iter().map(|scored| scored.list.slots.len() as u64).sum::<u64>();
                let mut taker = Ranked { index: self, segment, boosts: &boosts, best: &mut best };
                sums.run(isa, &lists, segment.slots(), &mut taker);
            }
        });
        let hits = best.into_sorted(&name).into_iter().map(|(score, doc)| (name(doc).to_owned(), score)).collect();
        Ok(Found { hits, counters })
    }

    /// The lists of a segment in the order of summation: fields outer, query terms inner.
    fn lists<'s>(&self, segment: &'s Segment, terms: &[Option<u32>], statistics: &Statistics) -> Vec<Scored<'s>> {
        let entries: Vec<Option<Term<'s>>> = terms.iter().map(|term| segment.term((*term)?)).collect();
        let Settings { fields, k1, b, .. } = &**self.settings();
        let mut lists = Vec::new();
        for (number, field) in fields.iter().enumerate() {
            let saturation = Saturation::new(*k1, *b, statistics.averages[number]);
            for (at, entry) in entries.iter().enumerate() {
                if let Some(list) = entry.and_then(|entry| entry.list(number)) {
                    let curve = saturation.curve(base(field.weight, statistics.inverse[at], *k1));
                    lists.push(Scored { list, lengths: segment.lengths(number), curve });
                }
            }
        }
        lists
    }

    pub(super) fn select(&self, keys: Option<&[String]>) -> Vec<&Cell> {
        let mut numbers: Vec<u32> = match keys {
            Some(keys) => keys.iter().filter_map(|key| self.cell_keys.get(key)).collect(),
            None => (0..self.cells.len() as u32).collect(),
        };
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into_iter().map(|number| &self.cells[number as usize]).collect()
    }

    pub(super) fn statistics(&self, cells: &[&Cell], terms: &[Option<u32>]) -> Statistics {
        let records = cells.iter().map(|cell| cell.documents).sum();
        let total = |field: usize| cells.iter().map(|cell| cell.total_lengths.get(field).unwrap_or(&0)).sum::<u64>();
        let average = |field| if records == 0 { 0.0 } else { total(field) as f64 / records as f64 };
        let averages = (0..self.settings.fields.len()).map(average).collect();
        let segments = || cells.iter().flat_map(|cell| &cell.segments);
        let frequency = |term: &Option<u32>| {
            term.map_or(0, |term| segments().map(|s| s.term(term).map_or(0, |t| u64::from(t.documents()))).sum())
        };
        let frequencies: Vec<u64> = terms.iter().map(frequency).collect();
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
