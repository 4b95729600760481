//! Arrays of floats to the core's vectors: copied on entry, so that nobody changes them meanwhile.

use pyo3::buffer::{Element, PyUntypedBuffer};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::error::Error;

/// A copy of the numbers of an array, row after row, and its shape.
pub struct Floats<T> {
    pub shape: Vec<usize>,
    pub values: Vec<T>,
}

/// What an array exports: C-contiguous numbers of exactly this type. Read-only ones will do.
///
/// # Errors
/// `TypeError` for what is no array or holds another type, `InvalidArgument` for one with gaps between its numbers
/// or in another order.
pub fn floats<T: Element>(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Floats<T>> {
    let wanted = format!("float{}", 8 * size_of::<T>());
    let found = value.get_type().name()?;
    let Ok(buffer) = PyUntypedBuffer::get(value) else {
        return Err(PyTypeError::new_err(format!("{what} must be a {wanted} array, not {found}")));
    };
    let swapped = buffer.format().to_bytes().starts_with(b">"); // which PyO3 0.30 takes for little-endian
    if swapped || !T::is_compatible_format(buffer.format()) || buffer.item_size() != size_of::<T>() {
        let held = buffer.format().to_string_lossy();
        let why = format!("{what} must hold {wanted}, not items of format {held:?}; convert them first");
        return Err(PyTypeError::new_err(why));
    }
    if buffer.item_count() == 0 {
        return Ok(Floats { shape: buffer.shape().to_vec(), values: Vec::new() }); // and its address means nothing
    }
    let Some(numbers) = buffer.as_typed::<T>().ok().filter(|numbers| numbers.is_c_contiguous()) else {
        return Err(Error::invalid(what, "is not aligned and C-contiguous; give a copy of it, as array.copy()").into());
    };
    Ok(Floats { shape: numbers.shape().to_vec(), values: numbers.to_vec(value.py())? })
}

/// An array of one dimension.
///
/// # Errors
/// As [`floats`], and `InvalidArgument` for another number of dimensions.
pub fn vector<T: Element>(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<T>> {
    let found = floats(value, what)?;
    if found.shape.len() != 1 {
        let why = format!("is an array of shape {:?}; a vector has one dimension", found.shape);
        return Err(Error::invalid(what, why).into());
    }
    Ok(found.values)
}

/// An array of one dimension, of either width, as float64.
///
/// # Errors
/// As [`vector`].
pub fn doubles(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<f64>> {
    let is_narrow = PyUntypedBuffer::get(value).is_ok_and(|buffer| buffer.item_size() == size_of::<f32>());
    if is_narrow { Ok(vector::<f32>(value, what)?.into_iter().map(f64::from).collect()) } else { vector(value, what) }
}

/// The numbers of an array of two dimensions, row after row.
pub struct Matrix {
    pub rows: usize,
    pub columns: usize,
    pub values: Vec<f32>,
}

/// An array of two dimensions.
///
/// # Errors
/// As [`floats`], and `InvalidArgument` for another number of dimensions.
pub fn matrix(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Matrix> {
    let found = floats(value, what)?;
    let [rows, columns] = found.shape[..] else {
        let why = format!("is an array of shape {:?}; a matrix has two dimensions, rows first", found.shape);
        return Err(Error::invalid(what, why).into());
    };
    Ok(Matrix { rows, columns, values: found.values })
}

/// Rows of equal length as one run of numbers: an array of two dimensions, or a list in which `None` is a missing
/// vector and becomes a row of zeros. Also the number of rows.
///
/// # Errors
/// As [`floats`], and `InvalidArgument` for rows of different lengths.
pub fn rows(value: &Bound<'_, PyAny>, what: &str) -> PyResult<(usize, Vec<f32>)> {
    if PyUntypedBuffer::get(value).is_ok() {
        let found = matrix(value, what)?;
        return Ok((found.rows, found.values));
    }
    super::convert::refuse_str(value, what)?;
    let mut vectors = Vec::new();
    for item in value.try_iter()? {
        let (item, what) = (item?, format!("{what}[{}]", vectors.len()));
        vectors.push(if item.is_none() { None } else { Some(vector::<f32>(&item, &what)?) });
    }
    let dimensions = vectors.iter().flatten().next().map_or(0, Vec::len);
    let mut values = Vec::with_capacity(vectors.len() * dimensions);
    for (at, vector) in vectors.iter().enumerate() {
        match vector {
            None => values.resize(values.len() + dimensions, 0.0),
            Some(vector) if vector.len() == dimensions => values.extend_from_slice(vector),
            Some(vector) => {
                let why = format!("has {} dimensions, and the first vector {dimensions}", vector.len());
                return Err(Error::invalid(format!("{what}[{at}]"), why).into());
            }
        }
    }
    Ok((vectors.len(), values))
}
