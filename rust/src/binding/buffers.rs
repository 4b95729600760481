//! Embeddings from Python: anything that exports a buffer of `float32`, copied before anything is done with it.

use pyo3::buffer::{PyBuffer, PyUntypedBuffer};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::convert;
use crate::error::Error;

/// How a buffer says that it holds `float32` in this machine's byte order.
const NATIVE: [&str; 4] = ["f", "@f", "=f", if cfg!(target_endian = "little") { "<f" } else { ">f" }];

/// One vector.
///
/// # Errors
/// `TypeError` for what is no buffer of `float32`, `InvalidArgument` for another shape.
pub fn vector(value: &Bound<'_, PyAny>, what: &str, dimensions: usize) -> PyResult<Vec<f32>> {
    let buffer = floats(value, what)?;
    if buffer.shape() != [dimensions] {
        return Err(shape(what, &buffer, &format!("one vector of {dimensions} dimensions has shape ({dimensions},)")));
    }
    buffer.to_vec(value.py())
}

/// Vectors one after the other: a buffer of two dimensions, a flat one of whole vectors, or a list of single ones.
///
/// # Errors
/// As [`vector`].
pub fn vectors(value: &Bound<'_, PyAny>, what: &str, dimensions: usize) -> PyResult<Vec<f32>> {
    let py = value.py();
    convert::refuse_str(value, what)?;
    if PyUntypedBuffer::get(value).is_ok() {
        let buffer = floats(value, what)?;
        return match buffer.shape() {
            [_, width] if *width == dimensions => buffer.to_vec(py),
            [length] if length.is_multiple_of(dimensions) => buffer.to_vec(py),
            _ => Err(shape(what, &buffer, &format!("vectors of {dimensions} dimensions have shape (n, {dimensions})"))),
        };
    }
    let mut all = Vec::new();
    for (number, item) in value.try_iter()?.enumerate() {
        all.append(&mut vector(&item?, what, dimensions)?);
        if number % convert::CHUNK == convert::CHUNK - 1 {
            py.check_signals()?;
        }
    }
    Ok(all)
}

fn floats(value: &Bound<'_, PyAny>, what: &str) -> PyResult<PyBuffer<f32>> {
    let wanted = "give a buffer of float32, such as numpy.asarray(values, dtype=numpy.float32)";
    let Ok(buffer) = PyUntypedBuffer::get(value) else {
        if value.getattr("ndim").is_ok_and(|count| count.eq(0).unwrap_or(false)) {
            return Err(Error::invalid(what, format!("has shape (); {wanted}")).into());
        }
        let found = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!("{what} must be an array of float32, not {found}; {wanted}")));
    };
    // Asked here, since a buffer of the other byte order would be taken for one of this.
    let format = buffer.format().to_string_lossy().into_owned();
    if !NATIVE.contains(&format.as_str()) {
        let found = if format == "d" { "float64" } else { &format };
        return Err(PyTypeError::new_err(format!("{what} must be float32, not {found}; {wanted}")));
    }
    buffer.into_typed().map_err(|_| Error::invalid(what, "is not aligned to 4 bytes; give a copy of it").into())
}

fn shape(what: &str, buffer: &PyBuffer<f32>, why: &str) -> PyErr {
    let shape = buffer.shape().iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    Error::invalid(what, format!("has shape ({shape}); {why}")).into()
}
