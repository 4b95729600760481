//! Cosine similarity, defined once: in `f64`, in the order of [`wide_dot`], clamped to [-1, 1].

use crate::error::{Error, Result};
use crate::kernel::{Isa, dot_double};

/// The cosine of the angle between two vectors, -1 to 1; `None` where it is undefined, since one of them is zero.
///
/// It is a·b / sqrt(a·a * b·b), so a vector and itself give exactly 1. Vectors so short that a·a * b·b is 0 in
/// `f64` (lengths that multiply to less than 1e-162) count as zero.
///
/// # Errors
/// [`Error::InvalidArgument`] for different lengths, for a number that is not finite, and for numbers so large that
/// a·a * b·b is not; as [`Isa::active`].
///
/// ```
/// use byheart_core::rank::cosine;
/// assert_eq!(cosine(&[3.0, 4.0], &[3.0, 4.0])?, Some(1.0));
/// assert_eq!(cosine(&[1.0, 0.0], &[0.0, 1.0])?, Some(0.0));
/// assert_eq!(cosine(&[0.0, 0.0], &[0.0, 1.0])?, None);
/// assert!(cosine(&[1.0], &[1.0, 0.0]).is_err());
/// # Ok::<(), byheart_core::Error>(())
/// ```
pub fn cosine(a: &[f64], b: &[f64]) -> Result<Option<f64>> {
    if a.len() != b.len() {
        let why = format!("has {} dimensions and the other vector {}; compare vectors of one model", b.len(), a.len());
        return Err(Error::invalid("b", why));
    }
    let isa = Isa::active()?;
    let squares = (dot_double(isa, a, a), dot_double(isa, b, b));
    if !(squares.0 * squares.1).is_finite() {
        return Err(Error::invalid("a, b", "hold NaN, an infinity, or numbers too large to be squared"));
    }
    Ok(quotient(dot_double(isa, a, b), squares.0, squares.1))
}

/// The cosine from a·b, a·a and b·b.
pub(super) fn quotient(product: f64, a: f64, b: f64) -> Option<f64> {
    let squared = a * b;
    (squared > 0.0).then(|| (product / squared.sqrt()).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_direction_and_itself_are_one_whatever_the_length() {
        for length in [1e-70, 0.1, 1.0, 3e7, 1e70] {
            let vector = [0.3 * length, -0.7 * length, 0.11 * length];
            assert_eq!(cosine(&vector, &vector), Ok(Some(1.0)), "{length}");
            assert_eq!(cosine(&vector, &vector.map(|x| -x)), Ok(Some(-1.0)), "{length}");
        }
    }

    #[test]
    fn what_cannot_be_compared_is_an_error() {
        assert!(cosine(&[1.0], &[1.0, 2.0]).unwrap_err().to_string().contains("2 dimensions"));
        for bad in [f64::NAN, f64::INFINITY, 1e200] {
            assert!(cosine(&[bad], &[1.0]).is_err() && cosine(&[1.0], &[bad]).is_err(), "{bad}");
        }
    }

    #[test]
    fn zero_vectors_and_empty_ones_have_no_direction() {
        assert_eq!(cosine(&[0.0, -0.0], &[1.0, 1.0]), Ok(None));
        assert_eq!(cosine(&[], &[]), Ok(None));
        assert_eq!(cosine(&[1e-100], &[1e-100]), Ok(None), "its square is 0 in f64");
    }
}
