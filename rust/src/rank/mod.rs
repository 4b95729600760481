//! Bounded top-k under a total order: score descending, then name ascending.
//!
//! The order is total, so neither the order of offers nor document numbers can decide a result. NaN never
//! comes here: scores are finite by the checks at the door.
//!
//! Beside it, the other way to choose: by relevance and by being unlike what was chosen ([`maximal_marginal_relevance`]).

pub mod absolute;
mod agreement;
mod beside;
mod cosine;
mod mmr;
pub mod staged;
mod summaries;
mod told_later;

use std::cmp::Ordering;

pub use agreement::{Agreement, Hash, Reason, Rules, agreement};
pub use cosine::{cosine, cosines, near_duplicates};
pub use mmr::{MAX_POOL, few_of_a_group, maximal_marginal_relevance};

/// The largest k a search may ask for.
pub const MAX_K: usize = 100_000;

/// Refuses k outside 1 to [`MAX_K`].
///
/// # Errors
/// [`crate::Error::InvalidArgument`] for 0, [`crate::Error::LimitExceeded`] above the limit.
pub fn check_k(k: usize) -> crate::Result<()> {
    match k {
        0 => Err(crate::Error::invalid("k", "is 0; ask for at least 1 result")),
        k if k > MAX_K => Err(crate::Error::limit("k", MAX_K, k)),
        _ => Ok(()),
    }
}

/// Keeps the best `k` of the offered (score, document) pairs.
///
/// Offers are buffered; a full buffer is cut to its best k by selection, which is cheaper than a heap for
/// the few offers that pass the threshold.
///
/// ```
/// let names = ["b", "a", "c"];
/// let name = |doc: u32| names[doc as usize];
/// let mut best = byheart_core::rank::TopK::new(2);
/// for (doc, score) in [(0, 1.0), (1, 1.0), (2, 0.5)] {
///     best.offer(score, doc, &name);
/// }
/// assert_eq!(best.into_sorted(&name), vec![(1.0, 1), (1.0, 0)]);
/// ```
#[derive(Debug)]
pub struct TopK {
    k: usize,
    buffer: Vec<(f64, u32)>,
    threshold: f64,
}

impl TopK {
    /// An empty selection of at most `k` documents.
    #[must_use]
    pub fn new(k: usize) -> Self {
        Self { k, buffer: Vec::with_capacity((2 * k).clamp(32, 1024)), threshold: f64::NEG_INFINITY }
    }

    /// Scores below this cannot enter; an equal score still may, by its name.
    #[must_use]
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// Considers one document. Offer each document at most once. `name` is what orders equal scores: an id, or a
    /// record's key in its directory.
    pub fn offer<N: Ord>(&mut self, score: f64, doc: u32, name: &impl Fn(u32) -> N) {
        if score < self.threshold {
            return;
        }
        self.buffer.push((score, doc));
        if self.buffer.len() >= (2 * self.k).max(32) {
            self.cut(name);
        }
    }

    /// The kept documents, best first.
    #[must_use]
    pub fn into_sorted<N: Ord>(mut self, name: &impl Fn(u32) -> N) -> Vec<(f64, u32)> {
        self.buffer.sort_unstable_by(|a, b| best_first(a, b, name));
        self.buffer.truncate(self.k);
        self.buffer
    }

    /// The kept documents in no order: sorting thousands by name would cost more than finding them.
    #[must_use]
    pub fn into_kept<N: Ord>(mut self, name: &impl Fn(u32) -> N) -> Vec<(f64, u32)> {
        if self.buffer.len() > self.k {
            self.cut(name);
        }
        self.buffer
    }

    /// Brings the threshold up to date with all offers so far.
    pub fn settle<N: Ord>(&mut self, name: &impl Fn(u32) -> N) {
        if self.buffer.len() >= self.k {
            self.cut(name);
        }
    }

    fn cut<N: Ord>(&mut self, name: &impl Fn(u32) -> N) {
        self.buffer.select_nth_unstable_by(self.k - 1, |a, b| best_first(a, b, name));
        self.buffer.truncate(self.k);
        self.threshold = self.buffer[self.k - 1].0;
    }
}

fn best_first<N: Ord>(a: &(f64, u32), b: &(f64, u32), name: &impl Fn(u32) -> N) -> Ordering {
    b.0.total_cmp(&a.0).then_with(|| name(a.1).cmp(&name(b.1)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_order_of_offers_gives_the_head_of_a_full_sort(scores in prop::collection::vec(0_u8..6, 0..200), k in 1_usize..40, seed in any::<u64>()) {
            let names: Vec<String> = (0..scores.len()).map(|i| format!("{:03}", (i * 7919) % 1000)).collect();
            let name = |doc: u32| names[doc as usize].as_str();
            let mut all: Vec<(f64, u32)> = scores.iter().zip(0..).map(|(&s, doc)| (f64::from(s), doc)).collect();
            let mut best = TopK::new(k);
            let turn = (seed as usize) % all.len().max(1);
            all.rotate_left(turn);
            for &(score, doc) in &all {
                best.offer(score, doc, &name);
            }
            let mut again = TopK::new(k);
            for &(score, doc) in &all {
                again.offer(score, doc, &name);
            }
            all.sort_by(|a, b| best_first(a, b, &name));
            all.truncate(k);
            prop_assert_eq!(&best.into_sorted(&name), &all);
            let mut kept = again.into_kept(&name);
            kept.sort_by(|a, b| best_first(a, b, &name));
            prop_assert_eq!(kept, all);
        }
    }

    #[test]
    fn k_has_bounds() {
        assert!(check_k(0).is_err());
        assert!(check_k(MAX_K).is_ok());
        assert!(check_k(MAX_K + 1).is_err());
    }
}
