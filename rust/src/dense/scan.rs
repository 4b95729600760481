//! The rows that can be among the best: bounds block by block, and scores for what they cannot exclude.

use rustc_hash::FxHashMap;

use super::cell::Row;
use super::found::Counters;
use super::index::Place;
use super::quantised::QueryBlock;
use super::scope::{STREAMED_FOR_ONE, Scope};
use crate::kernel::raise;
use crate::rank::TopK;
use crate::records::Key;

/// Rows whose bounds are looked at together.
const CHUNK: usize = 64;

/// The k-th best score of the `k + SPARE` rows with the highest bounds is what the others have to reach.
const SPARE: usize = 30;

/// Rows that lie apart are scored at once, without a look at their bounds, if they are at most so many times as many as
/// have to be scored anyway: their bounds lie in three places each, their row in one, which is fetched ahead.
const AT_ONCE: usize = 8;

/// Before the last block so many of the highest are scored to see whether what is known by then can be enough.
const TRIED: usize = 8;

/// The bound of a row that may not be found: below every other, and finite, since infinities divided become no number.
const LEFT_OUT: f32 = -1e30;

/// One query on its way through the blocks.
#[derive(Debug)]
pub(super) struct Hunt<'s, 'q> {
    scope: &'s Scope<'s>,
    row: Row<'q>,
    blocks: Vec<QueryBlock>,
    bounds: &'q mut [f32], // by row, cell after cell: the sum over the blocks that are done
    done: usize,
    selected: bool, // are the rows that may not be found left out?
    k: usize,
    known: FxHashMap<u32, f64>, // scores of the last tier: a row can be among the highest after several blocks
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
    /// A query that has not looked at anything yet, among all rows; `row` is its vector divided by its length,
    /// `bounds` a place for as many numbers as rows are streamed.
    pub fn new(scope: &'s Scope<'s>, row: &'q [f32], k: usize, bounds: &'q mut [f32]) -> Self {
        let (isa, ladder) = (scope.index.isa, &scope.index.ladder);
        Self {
            scope,
            row: Row::new(isa, ladder, row),
            blocks: QueryBlock::of(isa, ladder, row),
            bounds,
            done: 0,
            selected: false,
            k,
            known: FxHashMap::default(),
            counters: Counters { records: scope.records as u64, ..Counters::default() },
            best: None,
        }
    }

    /// From now on, looks only at the rows that may be found: one by one from their first block if they are few; if
    /// not, the bounds of the others stay below every score.
    pub fn select(&mut self) {
        self.selected = self.scope.only.is_some();
        if self.few().is_some() {
            self.done = 0;
        } else if self.done > 0 {
            self.mask();
        }
    }

    /// The rows that may be found, if these alone are looked at and they are few.
    fn few(&self) -> Option<&'s [u32]> {
        self.scope.only.as_ref().filter(|only| self.selected && only.few).map(|only| &*only.documents)
    }

    fn mask(&mut self) {
        let Some(only) = self.scope.only.as_ref().filter(|_| self.selected) else { return };
        let documents = self.scope.cells.iter().flat_map(|cell| &cell.documents);
        for (bound, &document) in self.bounds.iter_mut().zip(documents) {
            if !only.holds(document) {
                *bound = LEFT_OUT;
            }
        }
    }

    /// How many rows it looks at.
    pub fn records(&self) -> usize {
        if self.selected { self.scope.records } else { self.scope.streamed }
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
                hunt.bounds.fill(0.0);
                hunt.mask();
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
        if self.records() > self.k + SPARE {
            Self::advance(&mut [self]);
        }
        self.best_so_far(tier)
    }

    /// The best of a tier whose block is done.
    fn best_so_far(&mut self, tier: usize) -> Vec<(f64, u32)> {
        if self.records() <= self.k + SPARE || self.few().is_some() {
            return self.score_all(tier);
        }
        let floor = self.least_of(&self.highest(tier), tier);
        let near = self.at_least(tier, floor, usize::MAX).unwrap_or_default();
        self.score_near(tier, &near)
    }

    /// Of the best of a tier before the last, found among all rows, those that may be found, and the next best that
    /// may; also how many the first part has.
    pub fn selected_of_tier(&mut self, tier: usize, mut best: Vec<(f64, u32)>) -> (Vec<(f64, u32)>, usize) {
        let found = best.len();
        if let Some(only) = &self.scope.only {
            best.retain(|hit| only.holds(hit.1));
        }
        let kept = best.len();
        if kept == found || kept == self.scope.records {
            return (best, kept);
        }
        self.select();
        (self.best_so_far(tier), kept)
    }

    /// Answers true if the best of the last tier are known now; if not, another block has to be streamed.
    fn settle(&mut self) -> bool {
        let (scope, last) = (self.scope, self.scope.index.ladder.last());
        let at_once = if self.few().is_some() { AT_ONCE } else { 1 };
        if self.records() <= at_once * (self.k + SPARE) {
            self.best = Some(self.score_all(last));
            return true;
        }
        if let Some(few) = self.few() {
            let near = few.iter().map(|&document| self.near(document, 0.0)).collect();
            self.best = Some(self.narrow(near));
            return true;
        }
        if self.done <= scope.index.ladder.first_check() {
            return false;
        }
        let mut highest = self.highest(last);
        let most = if self.done > last { usize::MAX } else { scope.streamed / STREAMED_FOR_ONE };
        if self.done <= last && !self.may_be_enough(&mut highest, last, most) {
            return false;
        }
        let floor = self.least_of(&highest, last);
        let Some(near) = self.at_least(last, floor, most) else { return false };
        self.best = Some(self.narrow(near));
        true
    }

    /// The best among the `shortlist` rows that look best after the first block; if too few of these may be found, then
    /// the best among the rows that look best of those that may.
    pub fn approximate(&mut self, shortlist: usize) {
        Self::advance(&mut [self]);
        let most = shortlist.max(self.k);
        let listed = self.look_best(most.min(self.scope.streamed.max(1)), |_| true);
        let Some(only) = &self.scope.only else {
            let near = self.near_all(listed);
            self.best = Some(self.narrow(near));
            return;
        };
        let mut on_list: Vec<u32> = listed.iter().map(|&(_, document)| document).collect();
        on_list.sort_unstable();
        let selected = self.look_best(most.min(self.scope.records.max(1)), |document| only.holds(document));
        let (first, second) = selected.into_iter().partition(|(_, document)| on_list.binary_search(document).is_ok());
        let mut best = Vec::new();
        for part in [first, second] {
            if best.len() < self.k {
                let near = self.near_all(part);
                best.append(&mut self.narrow(near));
            }
        }
        best.truncate(self.k);
        self.best = Some(best);
    }

    /// The rows with the highest sums of the blocks that are done, of those that `may` be taken.
    fn look_best(&self, most: usize, may: impl Fn(u32) -> bool) -> Vec<(f64, u32)> {
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

    fn near_all(&self, listed: Vec<(f64, u32)>) -> Vec<Near> {
        listed.into_iter().map(|(bound, document)| self.near(document, bound as f32)).collect()
    }

    /// The rows with the highest bounds.
    fn highest(&self, tier: usize) -> Vec<(f64, u32)> {
        let mut highest = TopK::new(self.k + SPARE);
        self.for_each_chunk(tier, |bounds, documents| self.offer(&mut highest, bounds, documents, |_| true));
        highest.into_kept(&|document| self.name(document))
    }

    /// The k-th best score among these rows: no row below it can be among the best k.
    fn least_of(&mut self, highest: &[(f64, u32)], tier: usize) -> f64 {
        let documents: Vec<u32> = highest.iter().map(|&(_, document)| document).collect();
        let mut scores = self.scores(tier, &documents);
        scores.sort_unstable_by(|a, b| b.total_cmp(a));
        scores.get(self.k - 1).copied().unwrap_or(f64::NEG_INFINITY)
    }

    /// Whether at most so many bounds may reach the k-th best score; if not, another block costs less than to look. What
    /// this says decides what is done and nothing of what is found.
    fn may_be_enough(&mut self, highest: &mut [(f64, u32)], tier: usize, most: usize) -> bool {
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
    fn at_least(&self, tier: usize, floor: f64, most: usize) -> Option<Vec<Near>> {
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
                let floor = self.least_of(&best.into_kept(&|document| self.name(document)), last);
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
        match scope.only.as_ref().filter(|_| self.selected) {
            Some(only) => self.best_of(tier, only.documents.iter().copied()),
            None => self.best_of(tier, scope.cells.iter().flat_map(|cell| cell.documents.iter().copied())),
        }
    }

    fn best_of(&mut self, tier: usize, documents: impl Iterator<Item = u32>) -> Vec<(f64, u32)> {
        let (mut best, documents) = (TopK::new(self.k), documents.collect::<Vec<_>>());
        for documents in documents.chunks(CHUNK) {
            for (&document, score) in documents.iter().zip(self.scores(tier, documents)) {
                best.offer(score, document, &|document| self.name(document));
            }
        }
        best.into_sorted(&|document| self.name(document))
    }

    /// The scores of records in a tier.
    fn scores(&mut self, tier: usize, documents: &[u32]) -> Vec<f64> {
        let index = self.scope.index;
        let is_last = tier == index.ladder.last();
        let new: Vec<u32> = documents.iter().copied().filter(|at| !is_last || !self.known.contains_key(at)).collect();
        self.counters.rescored += new.len() as u64;
        let places: Vec<Place> = new.iter().map(|&document| index.places[document as usize]).collect();
        let scores = index.score_each(&self.row, tier, &places);
        if !is_last {
            return scores;
        }
        self.known.extend(new.into_iter().zip(scores));
        documents.iter().map(|document| self.known[document]).collect()
    }

    /// Gives hits the scores of the last tier, and their order by these.
    pub fn rescore(&mut self, hits: &mut [(f64, u32)]) {
        let last = self.scope.index.ladder.last();
        let documents: Vec<u32> = hits.iter().map(|hit| hit.1).collect();
        for (hit, score) in hits.iter_mut().zip(self.scores(last, &documents)) {
            hit.0 = score;
        }
        hits.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| self.name(a.1).cmp(&self.name(b.1))));
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

    fn offer(&self, best: &mut TopK, bounds: &[f32], documents: &[u32], may: impl Fn(u32) -> bool) {
        if any_reaches(bounds, best.threshold()) {
            for (&bound, &document) in bounds.iter().zip(documents) {
                if may(document) {
                    best.offer(f64::from(bound), document, &|document| self.name(document));
                }
            }
        }
    }

    fn near(&self, document: u32, bound: f32) -> Near {
        let place = self.scope.index.places[document as usize];
        Near { cell: place.cell, slot: place.slot, bound }
    }

    /// What decides between equal scores.
    fn name(&self, document: u32) -> Key<'s> {
        self.scope.directory.key(document)
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
