//! How far an estimate may lie from the score.
//!
//! A search may add up contributions in single precision, in any order, to find the few records whose scores
//! are then computed as `bm25` writes them down. Nothing is lost if the bounds here hold. Take a record whose
//! terms stand in n lists, and write u for 2^-24, half the distance from 1 to the next single.
//!
//! **R**, the exact sum of exact contributions, taken at an average length A that is *at least* the true one, a:
//! norm falls as the average grows, so no contribution at A is below the one at a. And norm(a) <= A / a * norm(A),
//! so no contribution at a is below a / A of the one at A. All terms are positive; the same holds for sums.
//!
//! **S**, the estimate. `worth` = 1 / (1 + norm) is computed in double precision and rounded once: within 2u.
//! tf, base and the constants are rounded: within u each. base * (tf * worth / ((tf - 1) * worth + 1)) multiplies
//! and divides such numbers and adds positive ones, five operations of u each: within 12u in all. The same in two
//! parts (one occurrence, then the rest) subtracts once, 1 - worth: wrong by at most 2u, which is multiplied by
//! (tf - 1) * worth / (...), at most (tf - 1) / tf of the whole contribution: within 12u of it as well. Adding at
//! most 2n positive numbers in any order is within 2n u. No operation underflows, since [`Margin::of`] refuses
//! bases that lie too far apart and `worth` below 1e-10. So |S - R| <= e R with e = 2 (2n + 12) u, where the
//! factor 2 pays for the products of errors: (2n + 12) u is below 1/30, as n is at most 4,096 terms in 64 fields.
//!
//! **E**, the score: double precision in the written order, within (n + 8) 2^-53 < 2^-30 = d of exact sums at a.
//!
//! Hence `E <= R (1 + d) <= S (1 + d) / (1 - e)`, and `E >= R a / A (1 - d) >= S a / A (1 - d) / (1 + e)`.
//! A sum S of only some lists bounds their part of R; the others add at most what their bounds add up to.
//! Scores and bounds are divided by the largest base first; that and what is computed here costs some 2^-52 each
//! time, which is far less than the distance between 2^-30 and the (n + 8) 2^-53 that are needed.

/// Relative error of the arithmetic in double precision, with room to spare.
const DOUBLE: f64 = 1.0 / (1 << 30) as f64;

/// Half the distance from 1 to the next single.
const SINGLE: f64 = 1.0 / (1 << 24) as f64;

/// The bounds for one query in one set of cells. Scores are given in units of the largest base.
#[derive(Debug, Clone, Copy)]
pub struct Margin {
    /// A score is at most the estimate times this.
    above: f64,
    /// A score is at least the estimate times this.
    below: f64,
}

impl Margin {
    /// For estimates over at most `lists` lists, with rows of `worth` at averages of which the true ones are at
    /// least the share `ratio`.
    #[must_use]
    pub fn of(lists: usize, ratio: f64) -> Self {
        let error = 2.0 * (2.0 * lists as f64 + 12.0) * SINGLE;
        Self { above: (1.0 + DOUBLE) / (1.0 - error), below: ratio * (1.0 - DOUBLE) / (1.0 + error) }
    }

    /// The estimate over some lists that a record needs to reach `score`, if the other lists add at most `rest`.
    #[must_use]
    pub fn needed(&self, score: f64, rest: f64) -> f32 {
        let needed = (score * (1.0 - DOUBLE) - rest * (1.0 + DOUBLE)) / self.above;
        (needed as f32).next_down() // the cast may have rounded up
    }

    /// The score that a record with this estimate has at least.
    #[must_use]
    pub fn surely(&self, estimate: f32) -> f64 {
        f64::from(estimate) * self.below
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kernel::saturated;
    use crate::lexical::bm25::Saturation;
    use crate::lexical::worth::stepped;

    proptest! {
        #[test]
        fn a_score_lies_between_its_bounds(
            postings in prop::collection::vec((1_u32..300, 1e-3_f64..1.0), 1..12),
            length in 1_u32..5_000,
            average in prop_oneof![Just(64.0), 1.0_f64..5_000.0], // one for which rows are made, or any
        ) {
            let (own, row) = (Saturation::new(1.2, 0.75, average), Saturation::new(1.2, 0.75, stepped(average)));
            let worth = row.part(1.0, 1.0, f64::from(length)) as f32;
            let margin = Margin::of(postings.len(), average / stepped(average));
            let (mut score, mut estimate) = (0.0, 0.0_f32);
            for &(tf, base) in &postings {
                score += own.part(base, f64::from(tf), f64::from(length));
                estimate += base as f32 * saturated(tf as f32, worth);
            }
            prop_assert!(margin.surely(estimate) <= score, "{estimate} promises more than {score}");
            prop_assert!(margin.needed(score, 0.0) <= estimate, "{estimate} would be dropped with {score}");
            // As tight as it says: without this a margin of any width would do.
            prop_assert!(margin.surely(estimate) > score * (1.0 - 1.0 / 200.0));
            prop_assert!(f64::from(margin.needed(score, 0.0)) > f64::from(estimate) * (1.0 - 1.0 / 200.0));
        }
    }
}
