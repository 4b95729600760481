//! A query visits one segment after another: all sums exactly, or estimates first and few exact scores.

use std::cell::OnceCell;
use std::sync::Arc;

use super::accumulate::{Scored, Sums, Taker};
use super::bm25::{Saturation, base};
use super::choose::{Aim, Chooser, Estimated};
use super::margin::Margin;
use super::postings::Counts;
use super::search::Statistics;
use super::segment::{Segment, Term};
use super::worth::{CountRow, Row, stepped};
use super::{LexicalIndex, Settings};
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
    steps: OnceCell<Option<Steps>>, // from the first segment with many postings on
    best: TopK,
    /// Postings of the query's terms so far.
    pub postings: u64,
}

/// What estimates need besides.
struct Steps {
    saturations: Vec<Saturation>, // by field, at the averages of the rows
    margin: Margin,
    largest: f64, // base
}

impl Steps {
    /// `None` for bases so far apart, so large or so small that single precision could not hold them.
    fn of(settings: &Settings, averages: &[f64], curves: &[Curve]) -> Option<Self> {
        let bases = || curves.iter().map(|curve| curve.base).filter(|base| *base > 0.0);
        let (least, largest) = (bases().fold(f64::INFINITY, f64::min), bases().fold(0.0, f64::max));
        if !(1e-200..1e200).contains(&largest) || least < largest * 1e-20 {
            return None;
        }
        let average = |average: f64| if average == 0.0 { 1.0 } else { average };
        let saturation = |&a: &f64| Saturation::new(settings.k1, settings.b, stepped(average(a)));
        let ratio = averages.iter().map(|&a| average(a) / stepped(average(a))).fold(1.0, f64::min);
        let margin = Margin::of(curves.len(), ratio);
        Some(Self { saturations: averages.iter().map(saturation).collect(), margin, largest })
    }
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
        let steps = || Steps::of(self.index.settings(), self.averages, &self.curves);
        let steps = (postings >= FEW && self.k <= MANY).then(|| self.steps.get_or_init(steps).as_ref()).flatten();
        let mut taker = Ranked { index: self.index, segment, boosts: self.boosts, best: &mut self.best };
        if let Some(steps) = steps
            && let Some(lent) = Lent::of(segment, &lists, steps, postings)
        {
            let aim = Aim {
                margin: steps.margin,
                k: Some(self.k).filter(|_| self.boosts.is_empty()),
                floor: taker.floor() / steps.largest,
            };
            let estimated = lent.estimated(&lists, steps);
            let chosen = scratch.chooser.choose(isa, &estimated, segment.slots(), aim);
            if chosen.len() < 4 * self.k + postings / CROWD {
                exact(&lists, &lent.counts, chosen, &mut scratch.exact);
                for (&slot, &sum) in chosen.iter().zip(&scratch.exact) {
                    if sum > 0.0 && sum >= taker.floor() {
                        taker.take(slot, sum);
                    }
                }
                self.best.settle(&|document| self.index.ids.name(document));
                return;
            }
        }
        let k = Some(self.k).filter(|_| self.boosts.is_empty());
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

/// The rows of one search in one segment.
struct Lent {
    worth: Vec<(usize, Arc<Row>)>, // with the field
    counts: Vec<Option<CountRow>>, // by list
}

impl Lent {
    /// `None` unless the rows of all fields pay, and estimates with them keep their margin.
    fn of(segment: &Segment, lists: &[Scored<'_>], steps: &Steps, postings: usize) -> Option<Self> {
        let (mut kept, mut worth) = (segment.rows().lock(), Vec::new());
        for of_field in lists.chunk_by(|a, b| a.field == b.field) {
            let field = of_field[0].field;
            let row = kept.worth(field, steps.saturations[field], segment.lengths(field), postings)?;
            if row.least < 1e-10 {
                return None;
            }
            worth.push((field, row));
        }
        let mut counts = |own: &Scored<'_>| kept.counts(own.term, own.field, own.list, segment.slots());
        Some(Self { counts: lists.iter().map(&mut counts).collect(), worth })
    }

    /// The lists with what estimates need, shortest first; without those that add nothing.
    fn estimated<'e>(&'e self, lists: &[Scored<'e>], steps: &Steps) -> Vec<Estimated<'e>> {
        let mut estimated = Vec::with_capacity(lists.len());
        for (own, counts) in lists.iter().zip(&self.counts).filter(|(own, _)| own.curve.base > 0.0) {
            let (_, row) = self.worth.iter().find(|(field, _)| *field == own.field).expect("all fields have one");
            let share = own.curve.base / steps.largest;
            let most = if own.list.counts == Counts::Ones { f64::from(row.most) * (1.0 + 1e-6) } else { 1.0 };
            let (counts, worth) = (counts.as_deref(), &*row.values);
            estimated.push(Estimated { list: own.list, counts, worth, base: share as f32, bound: share * most });
        }
        estimated.sort_unstable_by_key(|own: &Estimated<'_>| own.list.slots.len());
        estimated
    }
}

/// The sums of a few records, in the order of summation. List by list, so that the processor can look for
/// several records at once.
fn exact(lists: &[Scored<'_>], counts: &[Option<CountRow>], slots: &[u16], sums: &mut Vec<f64>) {
    sums.clear();
    sums.resize(slots.len(), 0.0);
    for (Scored { list, lengths, curve, .. }, counts) in lists.iter().zip(counts) {
        for (sum, &slot) in sums.iter_mut().zip(slots) {
            let count = counts.as_ref().map_or_else(|| list.count_in(slot), |row| u32::from(row[usize::from(slot)]));
            if count > 0 {
                *sum += curve.part(f64::from(count), f64::from(lengths[usize::from(slot)]));
            }
        }
    }
}
