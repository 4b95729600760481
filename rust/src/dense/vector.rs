//! Vectors on their way in: checked, divided by their length; and the cosine of two rows.

use super::ladder::Ladder;
use crate::error::{Error, Result};
use crate::kernel::{Isa, wide_dot};

/// A vector shorter than this is left as it is (spec A1.4.2).
const LEAST_LENGTH: f64 = 1e-9;

/// The longest a row can be: each place was rounded once to 24 bits.
const MAX_LENGTH: f64 = 1.0 + 1.0 / 8_388_608.0;

/// Whether numbers can be a row: the proof of the bounds rests on this. The length of what is not finite is not below anything.
pub(super) fn is_short_enough(isa: Isa, row: &[f32]) -> bool {
    wide_dot(isa, row, row).sqrt() <= MAX_LENGTH
}

/// Refuses numbers that are not finite.
///
/// # Errors
/// [`Error::InvalidArgument`] with the place of the first one.
pub(super) fn check_finite(what: &str, values: &[f32]) -> Result<()> {
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(at) => Err(Error::invalid(what, format!("holds {} at {at}; give finite numbers", values[at]))),
    }
}

/// Refuses a vector of other dimensions, and one that is not finite.
///
/// # Errors
/// [`Error::InvalidArgument`].
pub(super) fn check(what: &str, vector: &[f32], dimensions: usize) -> Result<()> {
    if vector.len() != dimensions {
        let why = format!("has {} dimensions; this index has {dimensions}", vector.len());
        return Err(Error::invalid(what, why));
    }
    check_finite(what, vector)
}

/// What a vector is divided by: its length, or 1 if that is nearly none.
pub(super) fn length(isa: Isa, vector: &[f32]) -> f64 {
    let found = wide_dot(isa, vector, vector).sqrt();
    if found < LEAST_LENGTH { 1.0 } else { found }
}

/// The row of a vector: divided by its length, rounded to `f32`.
pub(super) fn normalised(isa: Isa, vector: &[f32]) -> impl Iterator<Item = f32> {
    let length = length(isa, vector);
    vector.iter().map(move |&value| (f64::from(value) / length) as f32)
}

/// The prefix of each tier divided by its own length (spec A1.4.1), before it is rounded to `f32`.
///
/// # Errors
/// [`Error::InvalidArgument`] for a vector of other dimensions or one that is not finite.
///
/// ```
/// use byheart_core::{dense::{Ladder, prefixes}, kernel::Isa};
/// let ladder = Ladder::new(2, Some(&[1, 2]))?;
/// assert_eq!(prefixes(Isa::active()?, &ladder, &[3.0, 4.0])?, [vec![1.0], vec![0.6, 0.8]]);
/// # Ok::<(), byheart_core::Error>(())
/// ```
pub fn prefixes(isa: Isa, ladder: &Ladder, vector: &[f32]) -> Result<Vec<Vec<f64>>> {
    check("vector", vector, ladder.dimensions())?;
    let prefix = |&tier: &usize| {
        let length = length(isa, &vector[..tier]);
        vector[..tier].iter().map(|&value| f64::from(value) / length).collect()
    };
    Ok(ladder.tiers().iter().map(prefix).collect())
}

/// A score from a dot product.
pub(super) fn cut(dot: f64) -> f64 {
    dot.clamp(-1.0, 1.0)
}
