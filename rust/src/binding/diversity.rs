//! Similarity and diversity for Python.

use pyo3::prelude::*;

use super::{convert, floats};
use crate::error::Error;
use crate::rank::{self, MAX_K};

/// Indices of at most `k` candidates that are relevant and unlike each other, in the order of their selection.
///
/// `scores` are finite floats; `vectors` is a float32 array of shape (n, d), or a list of float32 arrays and None,
/// with one row for each score; n is at most 100,000. A missing vector, like a row of zeros, has similarity 0 to all.
/// The value of a candidate is trade_off * score - (1 - trade_off) * its largest cosine with those selected (0 before
/// the first); equal values go by the higher score, then the lower index. So the first has the highest score. `groups`
/// are lists of whole numbers, one list for each candidate: of a group no more than `cap` are selected.
/// Source: Carbonell and Goldstein (1998).
///
/// Raises InvalidArgument for NaN, an infinity, lengths that do not fit, `k` below 1 or a `trade_off` outside [0, 1],
/// LimitExceeded for too many candidates, TypeError for other types, float64 vectors among them.
///
/// >>> from array import array
/// >>> vectors = [array("f", [1.0, 0.0]), array("f", [1.0, 0.0]), None]
/// >>> maximal_marginal_relevance([0.9, 0.8, 0.7], vectors, k=2)
/// [0, 2]
/// >>> maximal_marginal_relevance([0.9, 0.8, 0.7], vectors, k=2, trade_off=1.0)
/// [0, 1]
/// >>> maximal_marginal_relevance([0.9, 0.8, 0.7], vectors, k=2, trade_off=1.0, groups=[[7], [7], []])
/// [0, 2]
#[pyfunction]
#[pyo3(signature = (scores, vectors, k, trade_off = 0.85, *, groups = None, cap = 1))]
pub fn maximal_marginal_relevance(
    py: Python<'_>,
    scores: &Bound<'_, PyAny>,
    vectors: &Bound<'_, PyAny>,
    k: &Bound<'_, PyAny>,
    trade_off: f64,
    groups: Option<Vec<Vec<u32>>>,
    #[pyo3(from_py_with = room)] cap: usize,
) -> PyResult<Vec<usize>> {
    let k = convert::count(k, "k", MAX_K)?;
    convert::refuse_str(scores, "scores")?;
    let scores: Vec<f64> = match floats::vector(scores, "scores") {
        Ok(scores) => scores,
        Err(_) => scores.try_iter()?.map(|score| score?.extract()).collect::<PyResult<_>>()?,
    };
    let (count, rows) = floats::rows(vectors, "vectors")?;
    if count != scores.len() {
        let why = format!("has {count} rows for {} scores; give one for each", scores.len());
        return Err(Error::invalid("vectors", why).into());
    }
    Ok(py.detach(|| rank::few_of_a_group(&scores, &rows, k, trade_off, &groups.unwrap_or_default(), cap))?)
}

/// How many of a group have room: no number is too large.
fn room(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    convert::count(value, "cap", usize::MAX)
}

/// The cosine of two float64 arrays of one length, -1.0 to 1.0; None where one of them is zero.
///
/// Raises InvalidArgument for different lengths and for NaN or an infinity, TypeError for other types.
///
/// >>> from array import array
/// >>> cosine(array("d", [3.0, 4.0]), array("d", [3.0, 4.0]))
/// 1.0
#[pyfunction]
pub fn cosine(py: Python<'_>, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
    let (a, b) = (floats::vector(a, "a")?, floats::vector(b, "b")?);
    Ok(py.detach(|| rank::cosine(&a, &b))?)
}

/// The cosine of a vector with each of others, as `cosine` gives it: None where one of the two is zero.
///
/// `vector` is an array, `others` a list of arrays of the same length, of float32 or float64.
///
/// Raises InvalidArgument for different lengths and for NaN or an infinity, TypeError for other types.
///
/// >>> from array import array
/// >>> cosines(array("d", [3.0, 4.0]), [array("f", [3.0, 4.0]), array("d", [0.0, 0.0])])
/// [1.0, None]
#[pyfunction]
pub fn cosines(py: Python<'_>, vector: &Bound<'_, PyAny>, others: &Bound<'_, PyAny>) -> PyResult<Vec<Option<f64>>> {
    let (vector, others) = (floats::doubles(vector, "vector")?, doubles_of(others, "others")?);
    Ok(py.detach(|| rank::cosines(&vector, &others))?)
}

/// Indices of the vectors whose cosine with one before them, which is no such itself, is above the threshold.
///
/// `vectors` is a list of arrays of one length, of float32 or float64; a vector of zeros has 0 with all.
///
/// Raises InvalidArgument for different lengths and for NaN or an infinity where two are compared, TypeError for other
/// types.
///
/// >>> from array import array
/// >>> near_duplicates([array("d", [1.0, 0.0]), array("d", [0.95, 0.05]), array("d", [0.0, 1.0])], 0.85)
/// [1]
#[pyfunction]
pub fn near_duplicates(py: Python<'_>, vectors: &Bound<'_, PyAny>, threshold: f64) -> PyResult<Vec<usize>> {
    let vectors = doubles_of(vectors, "vectors")?;
    Ok(py.detach(|| rank::near_duplicates(&vectors, threshold))?)
}

fn doubles_of(values: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<Vec<f64>>> {
    convert::refuse_str(values, what)?;
    values.try_iter()?.map(|value| floats::doubles(&value?, what)).collect()
}
