//! A query visits one segment after another: all sums exactly, or estimates first and few exact scores.

use std::cell::OnceCell;

use super::LexicalIndex;
use super::accumulate::{Scored, Sums, Taker};
use super::bm25::{Saturation, base};
use super::choose::{Aim, Chooser};
use super::lent::{Lent, Steps};
use super::search::Statistics;
use super::segment::{Segment, Term};
use crate::kernel::{Curve, Isa};
use crate::rank::TopK;

/// With fewer postings in a segment all sums are exact: choosing would cost more than it spares.
const FEW: usize = 512;

/// The same for more wanted records.
const MANY: usize = 256;

/// More records than this share of the postings are scored again in one go with all others.
const CROWD: usize = 64;

/// Buffers that one thread uses for all its searches.
#[derive(Debug, Default)]
pub struct Scratch {
    sums: Sums,
    chooser: Chooser,
    exact: Vec<f64>,
}

/// What a query needs to know in every segment.
pub struct Visit<'a> {
    index: &'a LexicalIndex,
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

impl<'a> Visit<'a> {
    /// Before the first segment.
    pub fn new(index: &'a LexicalIndex, isa: Isa, k: usize, boosts: &'a [f64], statistics: &'a Statistics) -> Self {
        let settings = index.settings();
        let averages = &statistics.averages;
        let mut curves = Vec::with_capacity(averages.len() * statistics.inverse.len());
        for (field, &average) in settings.fields.iter().zip(averages) {
            let saturation = Saturation::new(settings.k1, settings.b, average);
            let curve = |&idf: &f64| saturation.curve(base(field.weight, idf, settings.k1));
            curves.extend(statistics.inverse.iter().map(curve));
        }
        let best = TopK::new(k.min(index.len().max(1)));
        Self { index, isa, k, boosts, averages, curves, steps: OnceCell::new(), best, postings: 0 }
    }

    /// Searches a segment, in which the query's terms are these.
    pub fn segment(
        &mut self,
        scratch: &mut Scratch,
        segment: &'a Segment,
        numbers: &[Option<u32>],
        terms: &[Option<Term<'a>>],
    ) {
        let (lists, postings) = self.lists(segment, numbers, terms);
        let isa = self.isa;
        let k = Some(self.k).filter(|_| self.boosts.is_empty());
        let mut taker = Ranked { index: self.index, segment, boosts: self.boosts, best: &mut self.best };
        if postings >= FEW
            && self.k <= MANY
            && let steps = self.steps.get_or_init(|| Steps::of(self.index.settings(), self.averages))
            && let Some(lent) = Lent::of(isa, segment, &lists, steps, postings)
        {
            let aim = Aim { margin: lent.margin, k, floor: taker.floor() };
            let chosen = scratch.chooser.choose(isa, &lent.estimated(&lists), segment.slots(), aim);
            if chosen.len() < 4 * self.k + postings / CROWD {
                lent.exact(&lists, chosen, &mut scratch.exact);
                for (&slot, &sum) in chosen.iter().zip(&scratch.exact) {
                    if sum > 0.0 && sum >= taker.floor() {
                        taker.take(slot, sum);
                    }
                }
                self.best.settle(&|document| self.index.ids.name(document));
                return;
            }
        }
        scratch.sums.run(isa, &lists, segment.slots(), k, &mut taker);
        self.best.settle(&|document| self.index.ids.name(document));
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
        let mut taker = Ranked { index: self.index, segment, boosts: self.boosts, best: &mut self.best };
        scratch.sums.run_at(self.isa, &lists, segment.slots(), slots, &mut taker);
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
        self.best.into_sorted(&|document| self.index.ids.name(document))
    }
}
