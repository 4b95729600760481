//! Maximal marginal relevance: a selection that trades relevance for being unlike what is selected already.
//!
//! Carbonell and Goldstein, "The use of MMR, diversity-based reranking" (1998); spec B1.9. The value of a candidate is
//! `t * score - (1 - t) * s`, where `s` is its largest cosine with the selected ones (0 while there are none, and
//! negative if all point away). The best value is selected, then the next, until `k` are. Equal values: higher score,
//! then lower index. A row of zeros is a missing vector, whose cosine with everything is 0.
//!
//! **Lazy, and still exact.** `s` is a maximum over a set that only grows, so a value only falls, and a value that has
//! not seen the latest selections is an upper bound. That holds for the rounded values too: rounding keeps order, so
//! `fl(fl(t * score) - fl((1 - t) * s))` does not rise when `s` does. A candidate that was never looked at has
//! `s = -1`, below which no clamped cosine lies. So only the candidate with the best bound is brought up to date, one
//! cosine for each selection it has not seen, and no further than to where another candidate's bound is better. Once
//! it has seen all of them and is still the best, no other can be, and it is selected. The answer is that of the
//! obvious loop for every input, usually for a tenth of its cosines.
//!
//! For near-duplicates that should only be moved to the end, this is the wrong place.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::check_k;
use super::cosine::quotient;
use crate::error::{Error, Result};
use crate::kernel::{Isa, wide_dot};

/// The most candidates a selection may choose from.
pub const MAX_POOL: usize = 100_000;

/// The indices of at most `k` candidates in the order of their selection; the first one has the highest score.
///
/// `rows` holds one row a candidate, all of the same length (0 if no candidate has a vector); a row of zeros is a
/// missing vector. `trade_off` is 1 for scores alone and 0 for diversity alone.
///
/// # Errors
/// [`Error::InvalidArgument`] for a number that is not finite, a `trade_off` outside [0, 1] and rows that cannot be
/// divided among the scores; [`Error::LimitExceeded`] for more than [`MAX_POOL`] candidates; as [`check_k`] and
/// [`Isa::active`].
///
/// ```
/// use byheart_core::rank::maximal_marginal_relevance;
/// let rows = [1.0, 0.0, /* the same again */ 1.0, 0.0, /* another */ 0.0, 1.0];
/// assert_eq!(maximal_marginal_relevance(&[0.9, 0.8, 0.7], &rows, 2, 0.85)?, [0, 2]);
/// assert_eq!(maximal_marginal_relevance(&[0.9, 0.8, 0.7], &rows, 2, 1.0)?, [0, 1]);
/// # Ok::<(), byheart_core::Error>(())
/// ```
pub fn maximal_marginal_relevance(scores: &[f64], rows: &[f32], k: usize, trade_off: f64) -> Result<Vec<usize>> {
    few_of_a_group(scores, rows, k, trade_off, &[], usize::MAX)
}

/// The same, with at most `cap` candidates of a group: one that would be one too many is passed over.
///
/// `groups` says for each candidate in which groups it is, by numbers; a candidate in none is never one too many. Empty: nobody
/// is in any.
///
/// # Errors
/// As [`maximal_marginal_relevance`], and [`Error::InvalidArgument`] for a cap of 0 and groups of fewer or more candidates.
///
/// ```
/// use byheart_core::rank::few_of_a_group;
/// let groups = [vec![0], vec![0, 1], vec![], vec![1]];
/// assert_eq!(few_of_a_group(&[0.9, 0.8, 0.7, 0.6], &[], 4, 1.0, &groups, 1)?, [0, 2, 3]);
/// # Ok::<(), byheart_core::Error>(())
/// ```
pub fn few_of_a_group(
    scores: &[f64],
    rows: &[f32],
    k: usize,
    trade_off: f64,
    groups: &[Vec<u32>],
    cap: usize,
) -> Result<Vec<usize>> {
    check(scores, rows, k, trade_off)?;
    if cap == 0 {
        return Err(Error::invalid("cap", "is 0; a group has room for 1 at least"));
    }
    if !groups.is_empty() && groups.len() != scores.len() {
        let why = format!("are those of {} candidates for {} scores; give some for each", groups.len(), scores.len());
        return Err(Error::invalid("groups", why));
    }
    if scores.is_empty() {
        return Ok(Vec::new());
    }
    Ok(Pool::new(Isa::active()?, scores, rows, trade_off)
        .select(k, &mut Room { groups, cap, taken: FxHashMap::default() }))
}

fn check(scores: &[f64], rows: &[f32], k: usize, trade_off: f64) -> Result<()> {
    check_k(k)?;
    if scores.len() > MAX_POOL {
        return Err(Error::limit("number of candidates", MAX_POOL, scores.len()));
    }
    if !(0.0..=1.0).contains(&trade_off) {
        return Err(Error::invalid("trade_off", format!("is {trade_off}; it lies between 0 and 1")));
    }
    if let Some(at) = scores.iter().position(|score| !score.is_finite()) {
        return Err(Error::invalid("scores", format!("holds {} at index {at}; every score is finite", scores[at])));
    }
    if !rows.is_empty() && (scores.is_empty() || !rows.len().is_multiple_of(scores.len())) {
        let why = format!("hold {} numbers for {} scores; give one row for each", rows.len(), scores.len());
        return Err(Error::invalid("vectors", why));
    }
    // Without a branch, so that many numbers are looked at in one instruction.
    if !rows.iter().fold(true, |finite, number| finite & number.is_finite()) {
        let at = rows.iter().position(|number| !number.is_finite()).unwrap_or(0) * scores.len() / rows.len();
        return Err(Error::invalid("vectors", format!("hold NaN or an infinity in row {at}; every number is finite")));
    }
    Ok(())
}

/// A candidate and the most that it can be worth.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    value: f64,
    score: f64,
    index: usize,
}

/// Adding 0 makes -0 a 0, so that the total order of bits is the order of numbers.
fn candidate(value: f64, score: f64, index: usize) -> Candidate {
    Candidate { value: value + 0.0, score: score + 0.0, index }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_value = self.value.total_cmp(&other.value).then(self.score.total_cmp(&other.score));
        by_value.then(other.index.cmp(&self.index))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate {}

/// How much room the groups have left.
struct Room<'a> {
    groups: &'a [Vec<u32>],
    cap: usize,
    taken: FxHashMap<u32, usize>,
}

impl Room<'_> {
    fn is_for(&self, index: usize) -> bool {
        let full = |group: &u32| self.taken.get(group).is_some_and(|&taken| taken >= self.cap);
        !self.groups.get(index).is_some_and(|groups| groups.iter().any(full))
    }

    fn take(&mut self, index: usize) {
        let mut groups = self.groups.get(index).cloned().unwrap_or_default();
        groups.sort_unstable();
        groups.dedup();
        for group in groups {
            *self.taken.entry(group).or_default() += 1;
        }
    }
}

/// The candidates, and for each what it has seen of the selection.
struct Pool<'a> {
    isa: Isa,
    scores: &'a [f64],
    rows: &'a [f32],
    dimensions: usize,
    trade_off: f64,
    seen: Vec<usize>,          // selections that `nearest` takes in
    nearest: Vec<f64>,         // the largest cosine with these; -1 before the first
    squares: Vec<Option<f64>>, // a row's product with itself, once it was needed
}

impl<'a> Pool<'a> {
    fn new(isa: Isa, scores: &'a [f64], rows: &'a [f32], trade_off: f64) -> Self {
        let (count, dimensions) = (scores.len(), rows.len() / scores.len());
        let (seen, nearest, squares) = (vec![0; count], vec![-1.0; count], vec![None; count]);
        Self { isa, scores, rows, dimensions, trade_off, seen, nearest, squares }
    }

    fn select(&mut self, k: usize, room: &mut Room<'_>) -> Vec<usize> {
        let count = self.scores.len();
        let first = (0..count).map(|index| candidate(self.scores[index], self.scores[index], index)).max();
        let mut selected: Vec<usize> = first.iter().map(|first| first.index).collect();
        for &first in &selected {
            room.take(first);
        }
        let others = (0..count).filter(|index| !selected.contains(index));
        let mut bounds: BinaryHeap<Candidate> = others.map(|index| self.bound(index)).collect();
        while selected.len() < k
            && let Some(mut best) = bounds.pop()
        {
            if !room.is_for(best.index) {
                continue; // room never comes back
            }
            let next = bounds.peek();
            let is_best = |best: &Candidate| next.is_none_or(|next| best > next);
            while self.seen[best.index] < selected.len() && is_best(&best) {
                best = self.look_at(best.index, &selected);
            }
            if is_best(&best) {
                selected.push(best.index);
                room.take(best.index);
            } else {
                bounds.push(best);
            }
        }
        selected
    }

    fn bound(&self, index: usize) -> Candidate {
        let value = self.trade_off * self.scores[index] - (1.0 - self.trade_off) * self.nearest[index];
        candidate(value, self.scores[index], index)
    }

    /// Compares a candidate with the first selection that it has not seen.
    fn look_at(&mut self, index: usize, selected: &[usize]) -> Candidate {
        let other = selected[self.seen[index]];
        let (a, b) = (self.square(index), self.square(other));
        let similarity = quotient(wide_dot(self.isa, self.row(index), self.row(other)), a, b).unwrap_or(0.0);
        self.nearest[index] = self.nearest[index].max(similarity);
        self.seen[index] += 1;
        self.bound(index)
    }

    fn row(&self, index: usize) -> &'a [f32] {
        &self.rows[index * self.dimensions..(index + 1) * self.dimensions]
    }

    fn square(&mut self, index: usize) -> f64 {
        let row = self.row(index);
        *self.squares[index].get_or_insert_with(|| wide_dot(self.isa, row, row))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The obvious loop: every value anew for every selection.
    fn by_hand(scores: &[f64], rows: &[f32], k: usize, trade_off: f64, groups: &[Vec<u32>], cap: usize) -> Vec<usize> {
        let dimensions = rows.len() / scores.len().max(1);
        let row = |at: usize| &rows[at * dimensions..(at + 1) * dimensions];
        let dot = |a: usize, b: usize| wide_dot(Isa::Portable, row(a), row(b));
        let mut selected: Vec<usize> = Vec::new();
        let of = |at: usize| groups.get(at).map_or(&[][..], |groups| &groups[..]);
        loop {
            let full = |group: &u32| selected.iter().filter(|&&at| of(at).contains(group)).count() >= cap;
            let left = (0..scores.len()).filter(|at| !selected.contains(at) && !of(*at).iter().any(full));
            let worth = left.map(|at| {
                let near = selected.iter().map(|&b| quotient(dot(at, b), dot(at, at), dot(b, b)).unwrap_or(0.0));
                let nearest = near.fold(f64::NEG_INFINITY, f64::max);
                let nearest = if selected.is_empty() { 0.0 } else { nearest };
                candidate(trade_off * scores[at] - (1.0 - trade_off) * nearest, scores[at], at)
            });
            match worth.max() {
                Some(best) if selected.len() < k => selected.push(best.index),
                _ => return selected,
            }
        }
    }

    proptest! {
        #[test]
        fn the_lazy_selection_is_the_obvious_one(
            pool in prop::collection::vec((0_u8..6, prop::array::uniform3(-2_i8..3), prop::collection::vec(0_u32..4, 0..3)), 0..40),
            k in 1_usize..45,
            cap in prop_oneof![Just(usize::MAX), 1_usize..4],
            trade_off in prop_oneof![Just(0.0), Just(1.0), 0.0_f64..1.0],
        ) {
            let scores: Vec<f64> = pool.iter().map(|&(score, ..)| f64::from(score) / 5.0 - 0.2).collect();
            let rows: Vec<f32> = pool.iter().flat_map(|(_, row, _)| row.map(f32::from)).collect();
            let groups: Vec<Vec<u32>> = pool.into_iter().map(|(_, _, groups)| groups).collect();
            let picked = few_of_a_group(&scores, &rows, k, trade_off, &groups, cap);
            prop_assert_eq!(picked, Ok(by_hand(&scores, &rows, k, trade_off, &groups, cap)));
            let picked = maximal_marginal_relevance(&scores, &rows, k, trade_off);
            prop_assert_eq!(picked, Ok(by_hand(&scores, &rows, k, trade_off, &[], 1)));
        }
    }

    #[test]
    fn few_candidates_are_looked_at() {
        let count = 1000;
        let scores: Vec<f64> = (0..count).map(|at| f64::from(at) / f64::from(count)).collect();
        let rows: Vec<f32> =
            (0..count).flat_map(|at| [f64::from(at).cos() as f32, f64::from(at).sin() as f32]).collect();
        let mut pool = Pool::new(Isa::Portable, &scores, &rows, 0.85);
        let picked = pool.select(10, &mut Room { groups: &[], cap: 1, taken: FxHashMap::default() });
        assert_eq!(picked, by_hand(&scores, &rows, 10, 0.85, &[], 1));
        let cosines: usize = pool.seen.iter().sum();
        assert!(cosines < 8955 / 3, "{cosines} cosines, where keeping a running maximum takes 8,955");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let error = |scores: &[f64], rows: &[f32], k, trade_off| {
            maximal_marginal_relevance(scores, rows, k, trade_off).unwrap_err().to_string()
        };
        assert!(error(&[1.0], &[1.0], 0, 0.5).contains("k: is 0"));
        assert!(error(&[1.0], &[1.0], 1, 1.5).contains("trade_off: is 1.5"));
        assert!(error(&[1.0], &[1.0], 1, f64::NAN).contains("trade_off: is NaN"));
        assert!(error(&[1.0, f64::NAN], &[1.0, 2.0], 1, 0.5).contains("scores: holds NaN at index 1"));
        assert!(error(&[1.0; 2], &[1.0, 2.0, 3.0, f32::INFINITY], 1, 0.5).contains("in row 1"));
        assert!(error(&[1.0; 2], &[1.0; 3], 1, 0.5).contains("one row for each"));
        assert!(error(&[], &[1.0], 1, 0.5).contains("one row for each"));
        assert!(error(&vec![1.0; MAX_POOL + 1], &[], 1, 0.5).contains("100001 is over the limit"));
        let groups = few_of_a_group(&[1.0; 2], &[], 1, 0.5, &[vec![]], 1).unwrap_err().to_string();
        assert!(groups.contains("those of 1 candidates"));
        assert!(few_of_a_group(&[1.0], &[], 1, 0.5, &[], 0).unwrap_err().to_string().contains("cap: is 0"));
        assert_eq!(maximal_marginal_relevance(&[], &[], 1, 0.5), Ok(vec![]));
        assert_eq!(maximal_marginal_relevance(&[1.0, 2.0], &[], 2, 0.5), Ok(vec![1, 0]));
    }
}
