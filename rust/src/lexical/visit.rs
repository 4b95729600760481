//! A query visits one segment after another: all sums exactly, or estimates first and few exact scores.

use std::cell::OnceCell;

use super::accumulate::{Scored, Sums, Taker};
use super::bm25::{Saturation, base};
use super::index::Index;
use super::lent::{Lent, Steps};
use super::passing::Passing;
use super::pruning::{Pruner, Target};
use super::segment::{Segment, Term};
use super::statistics::Statistics;
use crate::kernel::{Curve, Isa};
use crate::rank::TopK;
use crate::records::Directory;

/// With fewer postings in a segment all sums are exact: pruning would cost more than it spares.
const PRUNED_FROM_POSTINGS: usize = 512;

/// The same for more wanted records.
const PRUNED_UP_TO_K: usize = 256;

/// More survivors than this share of the postings are scored again in one go with all others.
const CROWD: usize = 64;

/// Buffers that one thread uses for all its searches.
#[derive(Debug, Default)]
pub struct Scratch {
    sums: Sums,
    pruner: Pruner,
    exact: Vec<f64>,
}

/// What a query needs to know in every segment.
pub struct Visit<'a> {
    index: &'a Index,
    directory: &'a Directory,
    isa: Isa,
    k: usize,
    boosts: &'a [f64],
    curves: Vec<Curve>, // by field, then term
    averages: &'a [f64],
    steps: OnceCell<Steps>, // from the first segment with many postings on
    best: TopK,
    /// Postings of the query's terms so far.
    pub postings: u64,
}

/// Takes the sums of a segment, boosts them and keeps the best of those that may be found.
struct Ranked<'a> {
    directory: &'a Directory,
    segment: &'a Segment,
    passing: Option<Passing<'a>>,
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
        if self.passing.is_some_and(|passing| !passing.holds(slot)) {
            return;
        }
        let factor = self.boosts.get(self.segment.label(slot) as usize);
        let score = factor.map_or(sum, |factor| sum * factor);
        let number = self.segment.documents()[usize::from(slot)];
        self.best.offer(score, number, &|number| self.directory.key(number));
    }
}

impl<'a> Visit<'a> {
    /// Before the first segment.
    pub fn new(
        index: &'a Index,
        directory: &'a Directory,
        isa: Isa,
        k: usize,
        boosts: &'a [f64],
        statistics: &'a Statistics,
    ) -> Self {
        let settings = index.settings();
        let averages = &statistics.averages;
        let mut curves = Vec::with_capacity(averages.len() * statistics.inverse.len());
        for (field, &average) in settings.fields.iter().zip(averages) {
            let saturation = Saturation::new(settings.k1, settings.b, average);
            let curve = |&idf: &f64| saturation.curve(base(field.weight, idf, settings.k1));
            curves.extend(statistics.inverse.iter().map(curve));
        }
        let best = TopK::new(k.min(index.len().max(1)));
        Self { index, directory, isa, k, boosts, averages, curves, steps: OnceCell::new(), best, postings: 0 }
    }

    /// Searches a segment, in which the query's terms are these, among the rows that may be found; without `passing` all.
    pub fn segment(
        &mut self,
        scratch: &mut Scratch,
        segment: &'a Segment,
        numbers: &[Option<u32>],
        terms: &[Option<Term<'a>>],
        passing: Option<Passing<'a>>,
    ) {
        let (lists, postings) = self.lists(segment, numbers, terms);
        let (isa, directory) = (self.isa, self.directory);
        let k = Some(self.k).filter(|_| self.boosts.is_empty());
        let mut taker = Ranked { directory, segment, passing, boosts: self.boosts, best: &mut self.best };
        if postings >= PRUNED_FROM_POSTINGS
            && self.k <= PRUNED_UP_TO_K
            && let steps = self.steps.get_or_init(|| Steps::of(self.index.settings(), self.averages))
            && let Some(lent) = Lent::of(isa, segment, &lists, steps, postings)
        {
            let target = Target { margin: lent.margin, k, floor: taker.floor(), passing };
            let survivors = scratch.pruner.prune(isa, &lent.estimated(&lists), segment.slots(), target);
            if survivors.len() < 4 * self.k + postings / CROWD {
                lent.exact(&lists, survivors, &mut scratch.exact);
                for (&slot, &sum) in survivors.iter().zip(&scratch.exact) {
                    if sum > 0.0 && sum >= taker.floor() {
                        taker.take(slot, sum);
                    }
                }
                self.best.settle(&|number| directory.key(number));
                return;
            }
        }
        scratch.sums.run(isa, &lists, segment.slots(), k.filter(|_| passing.is_none()), &mut taker);
        self.best.settle(&|number| directory.key(number));
    }

    /// Searches some slots of a segment, each given once.
    pub fn slots(
        &mut self,
        scratch: &mut Scratch,
        segment: &'a Segment,
        numbers: &[Option<u32>],
        terms: &[Option<Term<'a>>],
        slots: &[u16],
    ) {
        let (lists, _) = self.lists(segment, numbers, terms);
        if !slots.is_empty() {
            let (directory, boosts, best) = (self.directory, self.boosts, &mut self.best);
            let mut taker = Ranked { directory, segment, passing: None, boosts, best };
            scratch.sums.run_at(self.isa, &lists, segment.slots(), slots, &mut taker);
        }
    }

    /// The lists of the query's terms in a segment, in the order of summation, and how many postings they hold.
    fn lists(
        &mut self,
        segment: &'a Segment,
        numbers: &[Option<u32>],
        terms: &[Option<Term<'a>>],
    ) -> (Vec<Scored<'a>>, usize) {
        // Fields outer, query terms inner.
        let mut lists = Vec::with_capacity(terms.len());
        let mut postings = 0;
        for (at, &curve) in self.curves.iter().enumerate() {
            let (field, place) = (at / terms.len(), at % terms.len());
            if let (Some(term), Some(entry)) = (numbers[place], terms[place])
                && let Some(list) = entry.list(field)
            {
                postings += list.slots.len();
                lists.push(Scored { list, term, field, lengths: segment.lengths(field), curve });
            }
        }
        self.postings += postings as u64;
        (lists, postings)
    }

    /// The best of all segments visited, best first.
    pub fn finish(self) -> Vec<(f64, u32)> {
        self.best.into_sorted(&|number| self.directory.key(number))
    }
}
