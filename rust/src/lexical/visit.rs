//! A query visits one segment after another: all sums exactly, or estimates first and few exact scores.

use super::accumulate::{Scored, Sums, Taker};
use super::lent::{Lent, Steps};
use super::passing::Passing;
use super::pruning::{Pruner, Target};
use super::segment::Segment;
use crate::kernel::Isa;
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

impl Scratch {
    /// Hands over the sums of all lists of a segment: the best to one, every one to `all` ([`Sums::run_all`]).
    pub fn sums(&mut self, isa: Isa, lists: &[Scored<'_>], slots: usize, all: &mut Vec<f64>, taker: &mut impl Taker) {
        self.sums.run_all(isa, lists, slots, all, taker);
    }
}

/// What a query needs to know in every segment.
pub struct Visit<'a> {
    directory: &'a Directory,
    isa: Isa,
    k: usize,
    boosts: &'a [f64],
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
    /// Before the first segment; the index holds so many records.
    pub fn new(directory: &'a Directory, isa: Isa, k: usize, boosts: &'a [f64], records: usize) -> Self {
        Self { directory, isa, k, boosts, best: TopK::new(k.min(records.max(1))), postings: 0 }
    }

    /// Searches a segment, in which these are the lists of the query's terms in the order of summation, among the rows that
    /// may be found; without `passing` all.
    pub fn segment(
        &mut self,
        scratch: &mut Scratch,
        segment: &Segment,
        lists: &[Scored<'_>],
        steps: impl FnOnce() -> Steps,
        passing: Option<Passing<'_>>,
    ) {
        let postings = self.counted(lists);
        let (isa, directory) = (self.isa, self.directory);
        let k = Some(self.k).filter(|_| self.boosts.is_empty());
        let mut taker = Ranked { directory, segment, passing, boosts: self.boosts, best: &mut self.best };
        if postings >= PRUNED_FROM_POSTINGS
            && self.k <= PRUNED_UP_TO_K
            && let Some(lent) = Lent::of(isa, segment, lists, &steps(), postings)
        {
            let target = Target { margin: lent.margin, k, floor: taker.floor(), passing };
            let survivors = scratch.pruner.prune(isa, &lent.estimated(lists), segment.slots(), target);
            if survivors.len() < 4 * self.k + postings / CROWD {
                lent.exact(lists, survivors, &mut scratch.exact);
                for (&slot, &sum) in survivors.iter().zip(&scratch.exact) {
                    if sum > 0.0 && sum >= taker.floor() {
                        taker.take(slot, sum);
                    }
                }
                self.best.settle(&|number| directory.key(number));
                return;
            }
        }
        scratch.sums.run(isa, lists, segment.slots(), k.filter(|_| passing.is_none()), &mut taker);
        self.best.settle(&|number| directory.key(number));
    }

    /// Searches some slots of a segment, each given once; otherwise as [`Visit::segment`].
    pub fn slots(&mut self, scratch: &mut Scratch, segment: &Segment, lists: &[Scored<'_>], slots: &[u16]) {
        self.counted(lists);
        if !slots.is_empty() {
            let (directory, boosts, best) = (self.directory, self.boosts, &mut self.best);
            let mut taker = Ranked { directory, segment, passing: None, boosts, best };
            scratch.sums.run_at(self.isa, lists, segment.slots(), slots, &mut taker);
        }
    }

    fn counted(&mut self, lists: &[Scored<'_>]) -> usize {
        let postings = lists.iter().map(|scored| scored.list.slots.len()).sum();
        self.postings += postings as u64;
        postings
    }

    /// The best of all segments visited, best first.
    pub fn finish(self) -> Vec<(f64, u32)> {
        self.best.into_sorted(&|number| self.directory.key(number))
    }
}
