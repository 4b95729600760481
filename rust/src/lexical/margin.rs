//! How far an estimate may lie from the score.
//!
//! A search may add up whole units, in any order, to find the few records whose scores are then computed as `bm25`
//! writes them down. Nothing is lost if the bounds here hold. Take a record whose terms stand in n lists, let p be
//! what a list adds to its score, exactly computed at the true average lengths, R the sum of these p, and s the number
//! of units in a score of 1.
//!
//! **By class.** A list's units q are those of the shortest length in the record's class. All of a class are at most
//! `spread` times as long as that; norm grows no faster than length, and tf / (tf + norm) falls no faster than 1 + norm
//! grows, so p lies between the contribution at the shortest length and one `spread`th of it. The single
//! precision of that, at most ten roundings of 2^-24 of 65,535 units, is below 0.05; rounding to whole numbers adds
//! 0.5, or 1 where 0 becomes 1, and where more occurrences are added to the first one, 0.5 again. So q lies within 2 of
//! the units of that contribution: `s p - 2 <= q <= spread s p + 2`.
//!
//! **By impact.** Let F be the units of the largest contribution of the list, at an average length A that is *at
//! least* the true one, a. Norm falls as the average grows, so no contribution at A is below the one at a; and
//! norm(a) <= A / a * norm(A), so none at a is below a / A of the one at A. The impact v is 255ths of the largest,
//! rounded up. The multiplier, 256 F / 255 rounded down, times v / 256 falls short of F v / 255 by less than 1; of
//! that the whole part is taken, and 1 added. So `s p - 2 <= q <= A / a s p + F / 255 + 2`.
//!
//! **Both.** With `spread` the largest of these factors, and f the sum of F over the lists with impacts, the sum S of
//! all q obeys `s R <= S + 2n` and `S <= spread s R + 2n + f / 255`. A sum of only some lists bounds their part
//! of R; the others add at most what their bounds add up to.
//!
//! **E**, the score: double precision in the written order, within (n + 8) 2^-53 < 2^-30 = d of exact sums, and so are
//! bounds and scale. Hence a record that reaches E has S >= s E (1 - 2 d) - 2n less the bounds of the lists that
//! are not yet in S, and one with S has E >= (S - 2n - f / 255) / (s spread) (1 - 2 d).
//!
//! **No overflow.** The bounds of all lists add up to 65,000 - 4n units. A list adds its bound and 2 at most: of
//! classes its units are those of a real length, at least the shortest of all, and the count is at most the one
//! in its bound; an impact is at most F, which is its bound.

/// Relative error of the arithmetic in double precision, with room to spare.
const DOUBLE: f64 = 2.0 / (1 << 30) as f64;

/// The most lists that are estimated: with more of them, what rounding can do would hide the differences.
pub const MOST_LISTS: usize = 1024;

/// The bounds for one query in one segment.
#[derive(Debug, Clone, Copy)]
pub struct Margin {
    /// Units in a score of 1.
    scale: f64,
    /// How many times a record's units the largest of its class are at most.
    spread: f64,
    /// Units that a sum may be too small by.
    short: f64,
    /// Units that it may be too large by.
    over: f64,
}

impl Margin {
    /// How many units a score of 1 has, for so many lists that add at most `bounds` together.
    #[must_use]
    pub fn scale(lists: usize, bounds: f64) -> f64 {
        (65_000.0 - 4.0 * lists as f64) / bounds
    }

    /// For estimates over at most `lists` lists; those with impacts add at most `impacts` units together.
    #[must_use]
    pub fn of(scale: f64, lists: usize, spread: f64, impacts: f64) -> Self {
        let short = 2.0 * lists as f64;
        Self { scale, spread, short, over: short + impacts / 255.0 * (1.0 + DOUBLE) }
    }

    /// The estimate over some lists that a record needs to reach `score`, if the other lists add at most `rest` units.
    #[must_use]
    #[allow(clippy::cast_sign_loss)] // what is less than 0 becomes 0
    pub fn needed(&self, score: f64, rest: f64) -> u16 {
        (score * self.scale * (1.0 - DOUBLE) - rest * (1.0 + DOUBLE) - self.short) as u16
    }

    /// The score that a record with this estimate has at least.
    #[must_use]
    pub fn surely(&self, estimate: u16) -> f64 {
        (f64::from(estimate) - self.over).max(0.0) / (self.scale * self.spread) * (1.0 - DOUBLE)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kernel::{CLASSES, Curve, Isa, Units, impact_units, worth_of};
    use crate::lexical::bm25::Saturation;
    use crate::lexical::rows::stepped;

    proptest! {
        #[test]
        #[allow(clippy::cast_sign_loss)]
        fn a_score_lies_between_its_bounds(
            postings in prop::collection::vec((1_u32..300, 1e-3_f64..1.0, any::<bool>()), 1..12),
            length in 1_u32..5_000,
            spread in prop_oneof![Just(1.0), 1.0_f64..1.13],
            average in prop_oneof![Just(64.0), 1.0_f64..5_000.0], // one for which impacts are computed, or any
        ) {
            let shortest = (f64::from(length) / spread).ceil();
            let (own, step) = (Saturation::new(1.2, 0.75, average), Saturation::new(1.2, 0.75, stepped(average)));
            let mut worth = [0.0; CLASSES];
            worth_of(Isa::Portable, own.curve(1.0), &[shortest as f32; CLASSES], &mut worth);
            let scale = Margin::scale(postings.len(), postings.iter().map(|posting| posting.1).sum());
            let (mut score, mut estimate, mut impacts) = (0.0, 0_u16, 0.0);
            for &(tf, base, by_impact) in &postings {
                score += own.part(base, f64::from(tf), f64::from(length));
                estimate += if by_impact {
                    // The largest of the list is that of endless occurrences here.
                    let impact = (step.part(1.0, f64::from(tf), f64::from(length)) * 255.0).ceil() as u8;
                    impacts += scale * base;
                    impact_units((scale * base * 256.0 / 255.0) as u16, impact)
                } else {
                    Units { factor: (scale * base) as f32, worth: &worth }.of(tf as f32, 0)
                };
            }
            let margin = Margin::of(scale, postings.len(), spread.max(stepped(average) / average), impacts);
            prop_assert!(margin.surely(estimate) <= score, "{estimate} promises more than {score}");
            prop_assert!(margin.needed(score, 0.0) <= estimate, "{estimate} would be dropped with {score}");
            // As tight as it says: without this a margin of any width would do.
            let (units, loss) = (score * scale, impacts / 255.0 + 50.0);
            prop_assert!(margin.surely(estimate) * scale > units / (1.004 * spread * spread) - loss);
            prop_assert!(f64::from(margin.needed(score, 0.0)) > f64::from(estimate) / (1.004 * spread) - loss);
        }
    }

    #[test]
    #[allow(clippy::cast_sign_loss)]
    fn sums_of_bounds_fit_sixteen_bits() {
        for lists in [1, 2, 700, MOST_LISTS] {
            let (base, most) = (3.7, 1.0 / (1.0 + 1e-3));
            let scale = Margin::scale(lists, base * most * lists as f64);
            let worth = [most as f32; CLASSES];
            let by_class = Units { factor: (scale * base) as f32, worth: &worth }.of(1.0, 0);
            let by_impact = impact_units((scale * base * most * 256.0 / 255.0) as u16, 255);
            let largest = usize::from(by_class.max(by_impact)) + 1; // occurrences after the first are rounded apart
            assert!(u16::try_from(largest * lists).is_ok(), "{lists} lists of {largest}");
        }
    }

    #[test]
    fn what_nothing_reaches_and_everything() {
        let margin = Margin::of(1.0, 1, 1.0, 0.0);
        assert_eq!((margin.needed(1e9, 0.0), margin.needed(f64::NEG_INFINITY, 0.0)), (u16::MAX, 0));
        assert_eq!(margin.surely(1).to_bits(), 0.0_f64.to_bits());
    }

    #[test]
    fn longer_records_lose_no_more_than_their_length_says() {
        let curve = Curve { base: 1.0, k1: 1.2, rest: 0.25, ratio: 0.75 / 60.0 };
        for (tf, length, spread) in [(1.0, 10.0, 1.1), (5.0, 3_000.0, 1.128), (200.0, 1.0, 1.01)] {
            assert!(curve.part(tf, length * spread) >= curve.part(tf, length) / spread);
        }
    }
}
