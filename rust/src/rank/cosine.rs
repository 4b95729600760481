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
    let isa = Isa::active()?;
    compared(isa, (a, dot_double(isa, a, a)), (b, dot_double(isa, b, b)))
}

/// The cosine of a vector with each of others, bit for bit what [`cosine`] says.
///
/// # Errors
/// As [`cosine`].
///
/// ```
/// use byheart_core::rank::cosines;
/// assert_eq!(cosines(&[1.0, 0.0], &[vec![2.0, 0.0], vec![0.0, 0.0]])?, [Some(1.0), None]);
/// # Ok::<(), byheart_core::Error>(())
/// ```
pub fn cosines(vector: &[f64], others: &[Vec<f64>]) -> Result<Vec<Option<f64>>> {
    let isa = Isa::active()?;
    let known = (vector, dot_double(isa, vector, vector));
    others.iter().map(|other| compared(isa, known, (other, dot_double(isa, other, other)))).collect()
}

/// The indices of the vectors that repeat one before them: their [`cosine`] with a vector that repeats none is above
/// the threshold. Repetitions are compared with nothing afterwards, and a vector of zeros is like nothing (0).
///
/// # Errors
/// As [`cosine`], for vectors that are compared.
///
/// ```
/// use byheart_core::rank::near_duplicates;
/// let vectors = [vec![1.0, 0.0], vec![0.95, 0.05], vec![0.0, 1.0]];
/// assert_eq!(near_duplicates(&vectors, 0.85)?, [1]);
/// # Ok::<(), byheart_core::Error>(())
/// ```
pub fn near_duplicates(vectors: &[Vec<f64>], threshold: f64) -> Result<Vec<usize>> {
    let isa = Isa::active()?;
    let mut kept: Vec<(&[f64], f64)> = Vec::with_capacity(vectors.len());
    let mut repeated = Vec::new();
    for (at, vector) in vectors.iter().enumerate() {
        let known = (&vector[..], dot_double(isa, vector, vector));
        let mut near = false;
        for &other in &kept {
            near = compared(isa, known, other)?.unwrap_or(0.0) > threshold;
            if near {
                break;
            }
        }
        if near { repeated.push(at) } else { kept.push(known) }
    }
    Ok(repeated)
}

/// The cosine of two vectors, each with its product with itself.
fn compared(isa: Isa, a: (&[f64], f64), b: (&[f64], f64)) -> Result<Option<f64>> {
    if a.0.len() != b.0.len() {
        let why =
            format!("has {} dimensions and the other vector {}; compare vectors of one model", b.0.len(), a.0.len());
        return Err(Error::invalid("b", why));
    }
    if !(a.1 * b.1).is_finite() {
        return Err(Error::invalid("a, b", "hold NaN, an infinity, or numbers too large to be squared"));
    }
    Ok(quotient(dot_double(isa, a.0, b.0), a.1, b.1))
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
    fn many_at_once_are_what_each_alone_is() {
        let vectors: Vec<Vec<f64>> = (0..7_i32)
            .map(|row| (0..19_i32).map(|at| f64::from((row % 5 * 7 + at * 3) % 11) - 5.1).collect())
            .chain([vec![0.0; 19]])
            .collect();
        let each: Vec<_> = vectors.iter().map(|other| cosine(&vectors[2], other).unwrap()).collect();
        assert_eq!(cosines(&vectors[2], &vectors), Ok(each));
        assert_eq!(near_duplicates(&vectors, 0.999), Ok(vec![5, 6]), "rows 0 and 1 again");
        assert_eq!(near_duplicates(&vectors, -1.0).unwrap().first(), Some(&1), "zeros have 0, which is above");
        assert!(cosines(&[1.0], &vectors).is_err() && near_duplicates(&[vec![1.0], vec![]], 0.5).is_err());
        assert_eq!(near_duplicates(&[vec![f64::NAN]], 0.5), Ok(vec![]), "compared with nothing");
    }

    #[test]
    fn zero_vectors_and_empty_ones_have_no_direction() {
        assert_eq!(cosine(&[0.0, -0.0], &[1.0, 1.0]), Ok(None));
        assert_eq!(cosine(&[], &[]), Ok(None));
        assert_eq!(cosine(&[1e-100], &[1e-100]), Ok(None), "its square is 0 in f64");
    }
}
