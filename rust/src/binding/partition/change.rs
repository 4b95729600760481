//! Records on their way into a partition.

use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyList};

use crate::binding::{buffers, filters, hdc, lexical as words, symbolic};
use crate::dense::Lent;
use crate::error::Error;
use crate::lexical::Settings;
use crate::partition::Additions;

/// What records have beside their documents and fields: one item for each, or nothing for all.
pub struct Rest<'py> {
    pub labels: Option<Vec<Option<String>>>,
    pub hypervectors: Option<Vec<Option<Bound<'py, PyAny>>>>,
    pub embeddings: Option<Vec<Option<Bound<'py, PyAny>>>>,
    pub lent: bool,
    pub facts: Option<Vec<Option<Bound<'py, PyAny>>>>,
    pub hashes: Option<Vec<Option<PyBackedBytes>>>,
}

/// All of it for the core.
///
/// # Errors
/// As the indexes say of what they cannot take.
pub fn additions(
    py: Python<'_>,
    keys: Vec<(String, String)>,
    documents: &Bound<'_, PyAny>,
    fields: &Bound<'_, PyAny>,
    rest: Rest<'_>,
    settings: &Settings,
    dimensions: Option<usize>,
) -> PyResult<Additions> {
    let records = keys.len();
    let mut additions = Additions { fields: filters::batch(fields)?, ..Additions::default() };
    additions.labels = rest.labels.unwrap_or_else(|| vec![None; records]);
    for (row, vectors) in given(rest.hypervectors, "hypervectors", records)? {
        additions.vector_rows.push(row);
        additions.vectors.push(hdc::vectors(&vectors)?);
    }
    for (row, embedding) in given(rest.embeddings, "embeddings", records)? {
        let none = || Error::invalid("embeddings", "were given to a partition without an index of them");
        let values = floats(&embedding, dimensions.ok_or_else(none)?)?;
        if values.iter().any(|&value| value != 0.0) {
            additions.embedding_rows.push(row);
            additions.embeddings.extend(values);
            if rest.lent {
                additions.lends.push(lent(&embedding));
            }
        }
    }
    let facts = given(rest.facts, "facts", records)?;
    additions.fact_rows = facts.iter().map(|&(row, _)| row).collect();
    let list = PyList::new(py, facts.into_iter().map(|(_, fact)| fact))?;
    additions.facts = symbolic::statements(py, list.as_any())?;
    for hash in rest.hashes.unwrap_or_default() {
        let sixteen = |hash: PyBackedBytes| {
            <[u8; 16]>::try_from(&hash[..]).map_err(|_| Error::invalid("hashes", "has one that is not of 16 bytes"))
        };
        additions.hashes.push(hash.map(sixteen).transpose()?);
    }
    additions.documents = words::analyse(py, settings, documents)?;
    additions.keys = keys;
    Ok(additions)
}

/// The items that are there, with their places.
pub fn given<'py>(
    items: Option<Vec<Option<Bound<'py, PyAny>>>>,
    what: &str,
    records: usize,
) -> PyResult<Vec<(usize, Bound<'py, PyAny>)>> {
    let Some(items) = items else { return Ok(Vec::new()) };
    if items.len() != records {
        let why = format!("has {} items for {records} ids; give one or None for each", items.len());
        return Err(Error::invalid(what, why).into());
    }
    Ok(items.into_iter().enumerate().filter_map(|(row, item)| item.map(|item| (row, item))).collect())
}

/// The bytes of an embedding, which Python never changes.
#[derive(Debug)]
struct Stored(PyBackedBytes);

impl Lent for Stored {
    fn values(&self) -> &[f32] {
        bytemuck::cast_slice(&self.0)
    }
}

/// An embedding as its store keeps it; nothing if it is an array, or its bytes are not numbers of this machine.
fn lent(value: &Bound<'_, PyAny>) -> Option<Arc<dyn Lent>> {
    let bytes = PyBackedBytes::from(value.cast::<PyBytes>().ok()?.clone());
    let is_native = cfg!(target_endian = "little") && bytemuck::try_cast_slice::<u8, f32>(&bytes).is_ok();
    is_native.then(|| Arc::new(Stored(bytes)) as Arc<dyn Lent>)
}

/// An embedding as it is stored, or an array.
fn floats(value: &Bound<'_, PyAny>, dimensions: usize) -> PyResult<Vec<f32>> {
    let Ok(bytes) = value.cast::<PyBytes>() else { return buffers::vector(value, "embeddings", dimensions) };
    let (values, rest) = bytes.as_bytes().as_chunks::<4>();
    if values.len() != dimensions || !rest.is_empty() {
        let why = format!("embeddings must be of {dimensions} float32 each, not {} bytes", bytes.as_bytes().len());
        return Err(PyTypeError::new_err(why));
    }
    Ok(values.iter().map(|value| f32::from_le_bytes(*value)).collect())
}
