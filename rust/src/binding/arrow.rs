//! The capsule of an Arrow stream whose functions are Python's, for Python.

use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// `struct ArrowArrayStream`, its addresses as numbers: nothing here follows one.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct Stream {
    get_schema: usize,
    get_next: usize,
    get_last_error: usize,
    release: usize, // 0 once a consumer has taken the stream
    private_data: usize,
}

/// Returns the capsule of an Arrow stream of the C stream interface: addresses of its `get_schema`, `get_next`,
/// `get_last_error` and `release`, and the number that stands as its `private_data`. If nobody takes the stream,
/// `end(number)` is called when the capsule goes.
///
/// A capsule goes while the error of a consumer that failed is on its way, and no Python runs beside an error: it is
/// put aside for the time of the call. What `end` raises is told as unraisable.
#[pyfunction]
#[pyo3(signature = (functions, number, end, /))]
pub fn arrow_stream(
    py: Python<'_>,
    functions: (usize, usize, usize, usize),
    number: usize,
    end: Py<PyAny>,
) -> PyResult<Bound<'_, PyCapsule>> {
    let (get_schema, get_next, get_last_error, release) = functions;
    let stream = Stream { get_schema, get_next, get_last_error, release, private_data: number };
    PyCapsule::new_with_value_and_destructor(py, stream, c"arrow_array_stream", move |left: Stream, _| {
        Python::try_attach(|py| {
            let on_its_way = PyErr::take(py);
            if left.release != 0
                && let Err(error) = end.call1(py, (left.private_data,))
            {
                error.write_unraisable(py, None);
            }
            drop(end);
            if let Some(error) = on_its_way {
                error.restore(py);
            }
        });
    })
}
