//! From distances to scores. `byheart.reference` holds the same lines in Python.
//!
//! ```text
//! similarity = 1 - distance / 4096
//! field      = max(0, (similarity - 0.5) * 2)                  spec B1.35.3
//! reach      = 1 if p = q else max(0.2, asin(sqrt(min / max)) * 2 / pi)   of the numbers of parts p and q
//! scaled     = 0 if field <= floor else min(1, field / reach)
//! ```
//!
//! `reach` is the field score to expect of two bundles whose smaller one is wholly inside the larger one.

use std::f64::consts::FRAC_2_PI; // 0.6366197723675814

use super::hypervector::similarity_at;
use crate::math;

/// No field score is scaled up by more than the inverse of this. One word against a text of 400 parts is expected
/// to score less than chance does now and then, and scaling would make such noise a perfect score.
const LEAST_REACH: f64 = 0.2;

/// Numbers of parts whose reach is computed once for each query.
const REMEMBERED: usize = 256;

/// The score of one field at this distance, 0 to 1.
pub(super) fn field_score(distance: u16) -> f64 {
    ((similarity_at(distance) - 0.5) * 2.0).max(0.0)
}

/// What field scores can reach for a query vector of a given number of parts.
#[derive(Debug)]
pub(super) struct Reach {
    parts: u32,
    known: Vec<f64>, // by the other side's parts; NaN where not asked yet
}

impl Reach {
    pub(super) fn new(parts: u32) -> Self {
        Self { parts, known: vec![f64::NAN; REMEMBERED] }
    }

    /// The field score in proportion to what is reachable, 0 to 1; 0 for one not above the floor.
    pub(super) fn scaled(&mut self, field: f64, floor: f64, parts: u32) -> f64 {
        if field <= floor { 0.0 } else { (field / self.of(parts)).min(1.0) }
    }

    fn of(&mut self, parts: u32) -> f64 {
        let Some(known) = self.known.get_mut(parts as usize) else { return reach(self.parts, parts) };
        if known.is_nan() {
            *known = reach(self.parts, parts);
        }
        *known
    }
}

/// The field score to expect of bundles of p and q parts when the smaller lies in the larger; 0 parts count as 1.
/// Never below 0.2.
#[must_use]
pub fn reach(p: u32, q: u32) -> f64 {
    let (p, q) = (p.max(1), q.max(1));
    if p == q {
        return 1.0;
    }
    let expected = math::asin((f64::from(p.min(q)) / f64::from(p.max(q))).sqrt()) * FRAC_2_PI;
    expected.max(LEAST_REACH)
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // these values are exact
mod tests {
    use super::*;

    #[test]
    fn field_scores_of_the_seed() {
        assert_eq!([field_score(2048), field_score(1024), field_score(0), field_score(4096)], [0.0, 0.5, 1.0, 0.0]);
        assert_eq!(field_score(2047), 1.0 / 2048.0);
    }

    #[test]
    fn reach_is_one_for_equal_sizes_and_falls_with_their_ratio() {
        assert_eq!([reach(7, 7), reach(0, 1)], [1.0, 1.0]);
        assert!((reach(1, 4) - 1.0 / 3.0).abs() < 1e-15); // asin(1/2) is a sixth of pi
        assert_eq!(reach(3, 12).to_bits(), reach(12, 3).to_bits());
        assert_eq!(reach(1, 400), 0.2);
        let mut memory = Reach::new(5);
        for parts in [1, 300, 1, 300] {
            assert_eq!(memory.of(parts).to_bits(), reach(5, parts).to_bits());
        }
    }

    #[test]
    fn a_score_at_the_floor_is_none_and_one_beyond_reach_is_full() {
        let mut reach = Reach::new(1);
        assert_eq!(
            [reach.scaled(0.25, 0.25, 1), reach.scaled(0.5, 0.25, 1), reach.scaled(0.5, 0.25, 4)],
            [0.0, 0.5, 1.0]
        );
    }

    #[test]
    fn a_bundle_that_holds_another_scores_what_reach_says() {
        let words: Vec<String> = (0..63).map(|i| format!("w{i}")).collect();
        let all = super::super::encode_tokens(&words).unwrap();
        for inside in [3, 7, 21, 45] {
            let part = super::super::encode_tokens(&words[..inside]).unwrap();
            let score = (all.similarity(&part) - 0.5) * 2.0;
            assert!((score - reach(63, inside as u32)).abs() < 0.06, "{inside}: {score}");
        }
    }
}
