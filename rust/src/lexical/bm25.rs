//! The formula, in the order in which it is computed. `byheart.reference.lexical` holds the same lines in Python.
//!
//! Robertson's BM25 with Lucene's idf, which is never negative (seed 003, spec B1.33):
//!
//! ```text
//! idf(t)  = ln((N - df + 0.5) / (df + 0.5) + 1)
//! base    = weight[f] * idf * (k1 + 1)
//! norm    = k1 * ((1 - b) + (b / avgdl[f]) * dl)
//! part    = base * tf / (tf + norm)
//! score   = (0 + part + part + ...) * boost        fields outer, query terms inner
//! ```

use crate::kernel::Curve;
use crate::math;

/// Inverse document frequency of a term that `df` of `records` records hold.
///
/// ```
/// let value = byheart_core::lexical::idf(2, 1);
/// assert!((value - 0.693_147_180_559_945_3).abs() < 1e-15);
/// ```
#[must_use]
pub fn idf(records: u64, df: u64) -> f64 {
    idf_of(records as f64, df as f64)
}

/// As [`idf`], of numbers that need not be whole.
pub(super) fn idf_of(records: f64, df: f64) -> f64 {
    math::ln((records - df + 0.5) / (df + 0.5) + 1.0)
}

/// How a term's frequency saturates in one field: everything but the term itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Saturation {
    k1: f64,
    rest: f64,
    ratio: f64,
}

impl Saturation {
    /// For a field whose records are `average_length` terms long on average; 0 counts as 1.
    #[must_use]
    pub fn new(k1: f64, b: f64, average_length: f64) -> Self {
        let average_length = if average_length == 0.0 { 1.0 } else { average_length };
        Self { k1, rest: 1.0 - b, ratio: b / average_length }
    }

    /// The numbers of a list whose term has this `base`.
    #[must_use]
    pub fn curve(&self, base: f64) -> Curve {
        Curve { base, k1: self.k1, rest: self.rest, ratio: self.ratio }
    }

    /// The contribution of a term with this `base`, occurring `tf` times in a field of `length` terms.
    #[must_use]
    pub fn part(&self, base: f64, tf: f64, length: f64) -> f64 {
        self.curve(base).part(tf, length)
    }
}

/// The part of a contribution that is the same for every record: weight * idf * (k1 + 1).
#[must_use]
pub fn base(weight: f64, idf: f64, k1: f64) -> f64 {
    weight * idf * (k1 + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_examples_of_the_seed() {
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} is not {b}");
        close(idf(10, 1), 1.992_430_164_690_206);
        let part = |tf, dl, avgdl, idf| Saturation::new(1.2, 0.75, avgdl).part(base(1.0, idf, 1.2), tf, dl);
        close(part(1.0, 10.0, 10.0, 1.0), 1.0);
        close(part(1.0, 20.0, 10.0, 1.0), 0.709_677_419_354_838_7);
        close(part(3.0, 4.0, 8.0, 0.5), 0.88);
        close(part(1.0, 0.0, 0.0, 1.0), 2.2 / 1.3);
    }
}
