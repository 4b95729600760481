//! Search: statistics over the cells, then one segment after another, term at a time.

use std::cell::RefCell;

use super::accumulate::Scored;
use super::bm25::{Saturation, base};
use super::index::Index;
use super::lent::Steps;
use super::passing::{Passing, gathered};
use super::query::Query;
use super::segment::{Segment, Term};
use super::settings::Settings;
use super::statistics::{Statistics, entries};
use super::visit::{Scratch, Visit};
use crate::error::Result;
use crate::kernel::{Curve, Isa};
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
    pub(super) static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// From count and length to contribution: by field, then term.
fn curves(settings: &Settings, statistics: &Statistics) -> Vec<Curve> {
    let mut curves = Vec::with_capacity(statistics.averages.len() * statistics.inverse.len());
    for (field, &average) in settings.fields.iter().zip(&statistics.averages) {
        let saturation = Saturation::new(settings.k1, settings.b, average);
        let curve = |&idf: &f64| saturation.curve(base(field.weight, idf, settings.k1));
        curves.extend(statistics.inverse.iter().map(curve));
    }
    curves
}

/// The lists of the query's terms in a segment, in the order of summation: fields outer, terms inner.
fn lists<'a>(
    segment: &'a Segment,
    numbers: &[Option<u32>],
    terms: &[Option<Term<'a>>],
    curves: &[Curve],
) -> Vec<Scored<'a>> {
    let mut lists = Vec::with_capacity(terms.len());
    for (at, &curve) in curves.iter().enumerate() {
        let (field, place) = (at / terms.len(), at % terms.len());
        if let (Some(term), Some(entry)) = (numbers[place], terms[place])
            && let Some(list) = entry.list(field)
        {
            let term = (Some(term), None);
            lists.push(Scored { list, term, field, lengths: segment.lengths(field), curve });
        }
    }
    lists
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
        let curves = curves(&self.settings, &statistics);
        let mut visit = Visit::new(directory, Isa::active()?, k, &boosts, self.len());
        SCRATCH.with_borrow_mut(|scratch| {
            let segments = cells.iter().flat_map(|cell| &cell.segments);
            for (at, (segment, entries)) in segments.zip(entries.chunks(terms.len().max(1))).enumerate() {
                let lists = lists(segment, &terms, entries, &curves);
                if let Some(few) = &few {
                    visit.slots(scratch, segment, &lists, &few[at]);
                } else {
                    let passing = Passing::of(segment.documents(), only, None);
                    let steps = || Steps::of(&self.settings, &statistics.averages);
                    visit.segment(scratch, segment, &lists, steps, passing);
                }
            }
        });
        let counters = Counters { records: statistics.records, postings: visit.postings };
        let hits = visit.finish().into_iter().map(|(score, number)| (number, score)).collect();
        Ok(Found { hits, counters, idf_sum: statistics.idf_sum() })
    }
}
