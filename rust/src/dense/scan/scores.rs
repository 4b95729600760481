//! The scores of rows that bounds cannot exclude, and the best by these.

use super::{CHUNK, Hunt, Near, SPARE};
use crate::dense::index::Place;
use crate::rank::TopK;

impl Hunt<'_, '_> {
    /// The best of the last tier among these rows: the blocks that are left, for them alone, then their scores.
    pub(super) fn narrow(&mut self, mut near: Vec<Near>) -> Vec<(f64, u32)> {
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

    pub(super) fn score_near(&mut self, tier: usize, near: &[Near]) -> Vec<(f64, u32)> {
        let documents =
            near.iter().map(|near| self.scope.index.cells[near.cell as usize].documents[near.slot as usize]);
        self.best_of(tier, documents)
    }

    pub(super) fn score_all(&mut self, tier: usize) -> Vec<(f64, u32)> {
        let scope = self.scope;
        match scope.only.as_ref().filter(|_| self.selected) {
            Some(only) => self.best_of(tier, only.documents.iter().copied()),
            None => self.best_of(tier, scope.cells.iter().flat_map(|cell| cell.documents.iter().copied())),
        }
    }

    pub(super) fn best_of(&mut self, tier: usize, documents: impl Iterator<Item = u32>) -> Vec<(f64, u32)> {
        let (mut best, documents) = (TopK::new(self.k), documents.collect::<Vec<_>>());
        for documents in documents.chunks(CHUNK) {
            for (&document, score) in documents.iter().zip(self.scores(tier, documents)) {
                best.offer(score, document, &|document| self.name(document));
            }
        }
        best.into_sorted(&|document| self.name(document))
    }

    /// The scores of records in a tier.
    pub(super) fn scores(&mut self, tier: usize, documents: &[u32]) -> Vec<f64> {
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
}
