//! Which rows can still be among the best, by the bounds of their scores.

use super::{CHUNK, Hunt, Near, SPARE};
use crate::kernel::raise;
use crate::rank::TopK;

/// Before the last block so many of the highest are scored to see whether what is known by then can be enough.
const TRIED: usize = 8;

impl Hunt<'_, '_> {
    /// The rows with the highest sums of the blocks that are done, of those that `may` be taken.
    pub(super) fn look_best(&self, most: usize, may: impl Fn(u32) -> bool) -> Vec<(f64, u32)> {
        let mut best = TopK::new(most);
        let mut sums = &*self.bounds;
        for cell in &self.scope.cells {
            for documents in cell.documents.chunks(CHUNK) {
                let (here, after) = sums.split_at(documents.len());
                sums = after;
                self.offer(&mut best, here, documents, &may);
            }
        }
        best.into_kept(&|document| self.name(document))
    }

    /// The rows with the highest bounds.
    pub(super) fn highest(&self, tier: usize) -> Vec<(f64, u32)> {
        let mut highest = TopK::new(self.k + SPARE);
        self.for_each_chunk(tier, |bounds, documents| self.offer(&mut highest, bounds, documents, |_| true));
        highest.into_kept(&|document| self.name(document))
    }

    /// The k-th best score among these rows: no row below it can be among the best k.
    pub(super) fn least_of(&mut self, highest: &[(f64, u32)], tier: usize) -> f64 {
        let documents: Vec<u32> = highest.iter().map(|&(_, document)| document).collect();
        let mut scores = self.scores(tier, &documents);
        scores.sort_unstable_by(|a, b| b.total_cmp(a));
        scores.get(self.k - 1).copied().unwrap_or(f64::NEG_INFINITY)
    }

    /// Whether at most so many bounds may reach the k-th best score; if not, another block costs less than to look. What
    /// this says decides what is done and nothing of what is found.
    pub(super) fn may_be_enough(&mut self, highest: &mut [(f64, u32)], tier: usize, most: usize) -> bool {
        let order =
            |a: &(f64, u32), b: &(f64, u32)| b.0.total_cmp(&a.0).then_with(|| self.name(a.1).cmp(&self.name(b.1)));
        highest.select_nth_unstable_by(TRIED.min(highest.len()) - 1, order);
        let tried: Vec<u32> = highest.iter().take(TRIED).map(|&(_, document)| document).collect();
        let best = self.scores(tier, &tried).into_iter().fold(f64::NEG_INFINITY, f64::max);
        let mut reaching = 0;
        self.for_each_chunk(tier, |bounds, _| {
            reaching += bounds.iter().map(|&bound| usize::from(f64::from(bound) >= best)).sum::<usize>();
        });
        reaching <= most
    }

    /// The rows whose bound is not below `floor`; nothing if there are more than `most`.
    pub(super) fn at_least(&self, tier: usize, floor: f64, most: usize) -> Option<Vec<Near>> {
        let mut found = Vec::new();
        let mut before = 0;
        self.for_each_chunk(tier, |bounds, documents| {
            if found.len() <= most && any_reaches(bounds, floor) {
                for ((&bound, &document), at) in bounds.iter().zip(documents).zip(before..) {
                    if f64::from(bound) >= floor {
                        found.push(self.near(document, self.bounds[at]));
                    }
                }
            }
            before += documents.len();
        });
        Some(found).filter(|found| found.len() <= most)
    }

    /// Hands over bounds of the scores in a tier, and whose they are, a few rows at a time.
    pub(super) fn for_each_chunk(&self, tier: usize, mut take: impl FnMut(&[f32], &[u32])) {
        let index = self.scope.index;
        let (block, query) = (self.done - 1, &self.blocks[self.done - 1]);
        let mut bounds = [0.0_f32; CHUNK];
        let mut sums = &*self.bounds;
        for cell in &self.scope.cells {
            let mut rests = cell.blocks[block].rests().chunks(CHUNK);
            let mut lengths = cell.lengths(tier).map(|lengths| lengths.chunks(CHUNK));
            for documents in cell.documents.chunks(CHUNK) {
                let (here, after) = sums.split_at(documents.len());
                sums = after;
                let bounds = &mut bounds[..here.len()];
                match lengths.as_mut() {
                    None => raise(index.isa, here, rests.next().unwrap_or_default(), query.rest, query.slack, bounds),
                    Some(lengths) => {
                        let lengths = lengths.next().unwrap_or_default();
                        over_lengths(here, query.slack, self.row.lengths[tier], lengths, bounds);
                    }
                }
                take(bounds, documents);
            }
        }
    }

    pub(super) fn offer(&self, best: &mut TopK, bounds: &[f32], documents: &[u32], may: impl Fn(u32) -> bool) {
        if any_reaches(bounds, best.threshold()) {
            for (&bound, &document) in bounds.iter().zip(documents) {
                if may(document) {
                    best.offer(f64::from(bound), document, &|document| self.name(document));
                }
            }
        }
    }
}

/// Bounds of cosines: sums of products of prefixes, over the lengths of these.
fn over_lengths(sums: &[f32], slack: f32, query: f64, lengths: &[f64], out: &mut [f32]) {
    for ((out, &sum), &length) in out.iter_mut().zip(sums).zip(lengths) {
        let bound = f64::from(sum + slack) / query / length;
        *out = (bound + bound.abs() * f64::from(f32::EPSILON)) as f32;
    }
}

/// Whether one of these reaches a floor, or comes so near that it has to be looked at: without a branch or an order, so that
/// several are compared at once.
#[allow(clippy::needless_bitwise_bool)] // without a branch, so that a part of the bounds is one vector comparison
fn any_reaches(bounds: &[f32], floor: f64) -> bool {
    let near = floor as f32;
    let floor = if f64::from(near) > floor { near.next_down() } else { near };
    bounds.iter().fold(false, |any, &bound| any | (bound >= floor))
}
