//! The rows that can be among the best: bounds block by block, and scores for what they cannot exclude.

mod bounds;
mod scores;

use rustc_hash::FxHashMap;

use super::cell::Row;
use super::found::Counters;
use super::quantised::QueryBlock;
use super::scope::{STREAMED_FOR_ONE, Scope};
use crate::records::Key;

/// Rows whose bounds are looked at together.
const CHUNK: usize = 64;

/// The k-th best score of the `k + SPARE` rows with the highest bounds is what the others have to reach.
const SPARE: usize = 30;

/// Rows that lie apart are scored at once, without a look at their bounds, if they are at most so many times as many as
/// have to be scored anyway: their bounds lie in three places each, their row in one, which is fetched ahead.
const AT_ONCE: usize = 8;

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

    fn near_all(&self, listed: Vec<(f64, u32)>) -> Vec<Near> {
        listed.into_iter().map(|(bound, document)| self.near(document, bound as f32)).collect()
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
