//! A table as the capsule of an Arrow stream, for Python.

use std::ffi::CString;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::kernel::{ArrowColumn, ArrowStream};

/// Returns the capsule of an Arrow stream that gives columns of equally many values as one batch: of each its name, what
/// its values are ("text", "float", or "time": microseconds since 1970 in UTC), and these, None for none.
///
/// What it holds goes when the consumer releases what it took, or with the capsule if nobody takes it.
///
/// Raises ValueError: a kind that there is not, a name with a zero byte, or columns of different lengths.
#[pyfunction]
#[pyo3(signature = (columns, /))]
pub fn arrow_stream<'py>(
    py: Python<'py>,
    columns: Vec<(String, String, Bound<'py, PyAny>)>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let mut rows = None;
    let mut made = Vec::with_capacity(columns.len());
    for (name, kind, values) in columns {
        let name = CString::new(name).map_err(|_| PyValueError::new_err("the name of a column holds a zero byte"))?;
        let (column, length) = match kind.as_str() {
            "text" => {
                let values: Vec<Option<String>> = values.extract()?;
                (ArrowColumn::of_texts(name, &values), values.len())
            }
            "float" => {
                let values: Vec<Option<f64>> = values.extract()?;
                (ArrowColumn::of_floats(name, &values), values.len())
            }
            "time" => {
                let values: Vec<Option<i64>> = values.extract()?;
                (ArrowColumn::of_times(name, &values), values.len())
            }
            _ => return Err(PyValueError::new_err(format!("there is no kind {kind:?} of columns"))),
        };
        if *rows.get_or_insert(length) != length {
            return Err(PyValueError::new_err("the columns have different lengths"));
        }
        made.push(column);
    }
    let rows = i64::try_from(rows.unwrap_or(0)).expect("a list is not that long");
    PyCapsule::new_with_value_and_destructor(py, ArrowStream::of(made, rows), c"arrow_array_stream", |stream, _| {
        drop(stream);
    })
}
