//! The formulas of the searches, one value at a time, for reading and for checking by hand.

use pyo3::prelude::*;

use crate::kernel::Isa;
use crate::{hdc, lexical, math};

/// e to the power of x, pinned: the same bits on every machine. NaN gives NaN.
#[pyfunction]
pub fn exp(x: f64) -> f64 {
    math::exp(x)
}

/// The natural logarithm of x, pinned: the same bits on every machine. ln(0) is -inf; NaN or a negative number gives NaN.
#[pyfunction]
pub fn ln(x: f64) -> f64 {
    math::ln(x)
}

/// ln((records - df + 0.5) / (df + 0.5) + 1) with the pinned logarithm.
#[pyfunction]
pub fn bm25_idf(records: u64, document_frequency: u64) -> PyResult<f64> {
    if document_frequency > records {
        let why = format!("is {document_frequency}, more than the {records} records there are");
        return Err(crate::Error::invalid("document_frequency", why).into());
    }
    Ok(lexical::idf(records, document_frequency))
}

/// How many of 1,000 ordinary English texts of twenty words hold a term, 0.0 for one not known to be common.
#[pyfunction]
pub fn ordinary_texts(term: &str) -> f64 {
    crate::text::ordinary_texts(term)
}

/// What one term adds to a score, before the weight of its field.
#[pyfunction]
pub fn bm25_part(tf: f64, dl: f64, avgdl: f64, idf: f64, k1: f64, b: f64) -> f64 {
    lexical::Saturation::new(k1, b, avgdl).part(lexical::base(1.0, idf, k1), tf, dl)
}

/// The field score to expect of two bundles of these sizes when the smaller lies in the larger.
#[pyfunction]
pub fn hypervector_reach(parts: u32, other: u32) -> f64 {
    hdc::reach(parts, other)
}

/// The instruction set in use; BYHEART_ISA forces one.
#[pyfunction]
pub fn active_isa() -> PyResult<String> {
    Ok(Isa::active()?.to_string())
}

/// The instruction sets that this processor can run, slowest first.
#[pyfunction]
pub fn available_isas() -> Vec<String> {
    Isa::available().iter().map(ToString::to_string).collect()
}
