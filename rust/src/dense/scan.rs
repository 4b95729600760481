//! The rows that can be among the best: bounds block by block, and scores for what they cannot exclude.

use super::cell::Row;
use super::quantised::QueryBlock;
use super::scope::Scope;
use super::search::Counters;
use crate::kernel::raise;
use crate::rank::TopK;

/// Rows whose bounds are looked at together.
const CHUNK: usize = 64;

/// The k-th best score of the `k + SPARE` rows with the highest bounds is what the others have to reach.
const SPARE: usize = 30;

/// If more than one row in this many can be among the best, the next block is streamed for all: that reads
/// memory in order, which is worth as much as reading a seventh of it at random.
pub(super) const FEW: usize = 7;

/// One query on its way through the blocks.
#[derive(Debug)]
pub(super) struct Hunt<'s, 'q> {
    scope: &'s Scope<'s>,
    row: Row<'q>,
    blocks: Vec<QueryBlock>,
    bounds: &'q mut [f32], // by row, cell after cell: the sum over the blocks that are done
    done: usize,
    pub k: usize,
    /// What was done so far.
    pub counters: Counters,
    /// The best documents, once they are known.
    pub best: Option<Vec<(f64, u32)>>,
}

/// A row that can still be among the best.
#[derive(Debug, Clone, Copy)]
struct Near {
    cell: u32,
    slot: u32,
    bound: f32,
}

impl<'s, 'q> Hunt<'s, 'q> {
    /// A query that has not looked at anything yet; `row` is its vector divided by its length, `bounds` a place for
    /// as many numbers as there are records.
    pub fn new(scope: &'s Scope<'s>, row: &'q [f32], k: usize, bounds: &'q mut [f32]) -> Self {
        let (isa, ladder) = (scope.index.isa, &scope.index.ladder);
        Self {
            scope,
            row: Row::new(isa, ladder, row),
            blocks: QueryBlock::of(isa, ladder, row),
            bounds,
            done: 0,
            k,
            counters: Counters { records: scope.records as u64, ..Counters::default() },
            best: None,
        }
    }

    /// The best of the last tier for all these queries, in as few passes over the rows as they need.
    pub fn finish(hunts: &mut [Self]) {
        let mut open: Vec<&mut Self> = hunts.iter_mut().collect();
        loop {
            open.retain_mut(|hunt| !hunt.settle());
            if open.is_empty() {
                return;
            }
            Self::advance(&mut open);
        }
    }

    /// Streams the next block of all rows past these queries, which have done the same blocks.
    pub fn advance(hunts: &mut [&mut Self]) {
        let (scope, block) = (hunts[0].scope, hunts[0].done);
        for hunt in hunts.iter_mut() {
            if block == 0 {
                scope.reset(hunt.bounds);
            }
            hunt.counters.estimated += scope.streamed as u64;
            hunt.done += 1;
        }
        let mut before = 0;
        for cell in &scope.cells {
            let rows = cell.documents.len();
            let chunk = if hunts.len() == 1 { rows } else { CHUNK }; // short enough to stay in the first cache
            for start in (0..rows).step_by(chunk) {
                let end = rows.min(start + chunk);
                for hunt in hunts.iter_mut() {
                    let bounds = &mut hunt.bounds[before + start..before + end];
                    cell.blocks[block].add_bounds(scope.index.isa, &hunt.blocks[block], start, bounds);
                }
            }
            before += rows;
        }
    }

    /// The best of a tier; tiers are asked for from the first on, or the last alone.
    pub fn best_of_tier(&mut self, tier: usize) -> Vec<(f64, u32)> {
        if tier == self.scope.index.ladder.last() {
            Self::finish(std::slice::from_mut(self));
            return self.best.take().unwrap_or_default();
        }
        if self.scope.among.is_some() || self.scope.records <= self.k + SPARE {
            return self.score_all(tier);
        }
        Self::advance(&mut [self]);
        let floor = self.least_of_highest(tier);
        let near = self.at_least(tier, floor, usize::MAX).unwrap_or_default();
        self.score_near(tier, &near)
    }

    /// Answers true if the best of the last tier are known now; if not, another block has to be streamed.
    fn settle(&mut self) -> bool {
        let (scope, last) = (self.scope, self.scope.index.ladder.last());
        if scope.records <= self.k + SPARE {
            self.best = Some(self.score_all(last));
            return true;
        }
        if let Some(few) = scope.few() {
            let near = few.iter().map(|&document| self.near(document, 0.0)).collect();
            self.best = Some(self.narrow(near));
            return true;
        }
        if self.done <= scope.index.ladder.first_check() {
            return false;
        }
        let floor = self.least_of_highest(last);
        let most = if self.done > last { usize::MAX } else { scope.streamed / FEW };
        let Some(near) = self.at_least(last, floor, most) else { return false };
        self.best = Some(self.narrow(near));
        true
    }

    /// The best among the `shortlist` rows that look best after the first block; of rows that were named, the best.
    pub fn approximate(&mut self, shortlist: usize) {
        if self.scope.among.is_some() {
            return Self::finish(std::slice::from_mut(self));
        }
        Self::advance(&mut [self]);
        let mut best = TopK::new(shortlist.max(self.k).min(self.scope.records.max(1)));
        let mut before = 0;
        for cell in &self.scope.cells {
            let bounds = self.bounds[before..].chunks(CHUNK);
            for (bounds, documents) in bounds.zip(cell.documents.chunks(CHUNK)) {
                self.offer(&mut best, bounds, documents);
            }
            before += cell.documents.len();
        }
        let near = best.into_kept(&|document| self.name(document)).into_iter();
        let near = near.map(|(bound, document)| self.near(document, bound as f32)).collect();
        self.best = Some(self.narrow(near));
    }

    /// The k-th best score among the rows with the highest bounds: no row below it can be among the best k.
    fn least_of_highest(&mut self, tier: usize) -> f64 {
        let mut highest = TopK::new(self.k + SPARE);
        self.for_each_chunk(tier, |bounds, documents| self.offer(&mut highest, bounds, documents));
        self.least_of(highest, tier)
    }

    fn least_of(&mut self, highest: TopK, tier: usize) -> f64 {
        let kept = highest.into_kept(&|document| self.name(document));
        let mut scores: Vec<f64> = kept.iter().map(|&(_, document)| self.score(tier, document)).collect();
        scores.sort_unstable_by(|a, b| b.total_cmp(a));
        scores.get(self.k - 1).copied().unwrap_or(f64::NEG_INFINITY)
    }

    /// The rows whose bound is not below `floor`; nothing if there are more than `most`.
    fn at_least(&self, tier: usize, floor: f64, most: usize) -> Option<Vec<Near>> {
        let mut found = Vec::new();
        let mut before = 0;
        self.for_each_chunk(tier, |bounds, documents| {
            if found.len() <= most && f64::from(highest(bounds)) >= floor {
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

    /// The best of the last tier among these rows: the blocks that are left, for them alone, then their scores.
    fn narrow(&mut self, mut near: Vec<Near>) -> Vec<(f64, u32)> {
        let index = self.scope.index;
        let last = index.ladder.last();
        for block in self.done..=last {
            for near in &mut near {
                let bound = std::slice::from_mut(&mut near.bound);
                let rows = &index.cells[near.cell as usize].blocks[block];
                rows.add_bounds(index.isa, &self.blocks[block], near.slot as usize, bound);
            }
            self.counters.estimated += near.len() as u64;
            if block >= index.ladder.first_check() && near.len() > self.k + SPARE {
                let mut best = TopK::new(self.k + SPARE);
                let (query_rest, slack) = (self.blocks[block].rest, self.blocks[block].slack);
                let bound = |near: &Near| {
                    let cell = &index.cells[near.cell as usize];
                    let rest = cell.blocks[block].rests()[near.slot as usize];
                    (cell.documents[near.slot as usize], f64::from(near.bound + rest * query_rest + slack))
                };
                for (document, bound) in near.iter().map(bound) {
                    best.offer(bound, document, &|document| self.name(document));
                }
                let floor = self.least_of(best, last);
                near.retain(|near| bound(near).1 >= floor);
            }
        }
        self.score_near(last, &near)
    }

    fn score_near(&mut self, tier: usize, near: &[Near]) -> Vec<(f64, u32)> {
        let documents =
            near.iter().map(|near| self.scope.index.cells[near.cell as usize].documents[near.slot as usize]);
        self.best_of(tier, documents)
    }

    fn score_all(&mut self, tier: usize) -> Vec<(f64, u32)> {
        let scope = self.scope;
        match &scope.among {
            Some(among) => self.best_of(tier, among.documents.iter().copied()),
            None => self.best_of(tier, scope.cells.iter().flat_map(|cell| cell.documents.iter().copied())),
        }
    }

    fn best_of(&mut self, tier: usize, documents: impl Iterator<Item = u32>) -> Vec<(f64, u32)> {
        let mut best = TopK::new(self.k);
        for document in documents {
            let score = self.score(tier, document);
            best.offer(score, document, &|document| self.name(document));
        }
        best.into_sorted(&|document| self.name(document))
    }

    /// The score of a record in a tier.
    pub fn score(&mut self, tier: usize, document: u32) -> f64 {
        self.counters.rescored += 1;
        let index = self.scope.index;
        let place = index.places[document as usize];
        index.cells[place.cell as usize].score(index.isa, &self.row, tier, index.ladder.tiers()[tier], place.slot)
    }

    /// Hands over bounds of the scores in a tier, and whose they are, a few rows at a time.
    fn for_each_chunk(&self, tier: usize, mut take: impl FnMut(&[f32], &[u32])) {
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

    fn offer(&self, best: &mut TopK, bounds: &[f32], documents: &[u32]) {
        if f64::from(highest(bounds)) >= best.threshold() {
            for (&bound, &document) in bounds.iter().zip(documents) {
                best.offer(f64::from(bound), document, &|document| self.name(document));
            }
        }
    }

    fn near(&self, document: u32, bound: f32) -> Near {
        let place = self.scope.index.places[document as usize];
        Near { cell: place.cell, slot: place.slot, bound }
    }

    fn name(&self, document: u32) -> &'s str {
        self.scope.index.ids.name(document)
    }
}

/// Bounds of cosines: sums of products of prefixes, over the lengths of these.
fn over_lengths(sums: &[f32], slack: f32, query: f64, lengths: &[f64], out: &mut [f32]) {
    for ((out, &sum), &length) in out.iter_mut().zip(sums).zip(lengths) {
        let bound = f64::from(sum + slack) / query / length;
        *out = (bound + bound.abs() * f64::from(f32::EPSILON)) as f32;
    }
}

fn highest(bounds: &[f32]) -> f32 {
    bounds.iter().fold(f32::NEG_INFINITY, |a, &b| if b > a { b } else { a })
}
