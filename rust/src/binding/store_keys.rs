//! Keys of a store as Python has them: tuples of tenant, scope, class and id.

use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::records::{StoreKey, StoreKeys};

/// Does something with a key of Python; nothing of what is none, or holds lone surrogates.
pub fn with_key<R>(key: &Bound<'_, PyAny>, ask: impl FnOnce(StoreKey<'_>) -> R) -> Option<R> {
    let key = key.cast::<PyTuple>().ok().filter(|key| key.len() == 4)?;
    let parts: Vec<Bound<'_, PyAny>> = key.iter().collect();
    let said: Vec<&str> =
        parts.iter().map(|part| part.cast::<PyString>().ok()?.to_str().ok()).collect::<Option<_>>()?;
    Some(ask([said[0], said[1], said[2], said[3]]))
}

/// What is said of something that is no key.
pub fn refused(what: &str) -> PyErr {
    Error::invalid(what, "is no tuple of tenant, scope, class and id").into()
}

/// The names of a key, those of its cell shared with the keys beside it.
type Names<'py> = [Bound<'py, PyString>; 4];

/// Keys of places that are in use, read while a lock is held and made tuples when it is given back: a tuple may have the
/// interpreter collect what is garbage, and with it run whatever code of Python, which may ask for the lock.
pub struct Read<'py> {
    cells: FxHashMap<u32, [Bound<'py, PyString>; 3]>,
    names: Vec<Names<'py>>,
}

impl<'py> Read<'py> {
    /// The keys in some places; those where none stands are passed over.
    pub fn of(py: Python<'py>, keys: &StoreKeys, places: impl Iterator<Item = u32>) -> Self {
        let mut read = Self { cells: FxHashMap::default(), names: Vec::new() };
        for place in places {
            let Some(cell) = keys.cell(place) else { continue };
            let [tenant, scope, class] =
                read.cells.entry(cell).or_insert_with(|| keys.names(cell).map(|said| PyString::new(py, said))).clone();
            read.names.push([tenant, scope, class, PyString::new(py, keys.key(place)[3])]);
        }
        read
    }

    /// The keys as tuples.
    ///
    /// # Errors
    /// Where there is no memory for them.
    pub fn tuples(self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        self.names.into_iter().map(|names| PyTuple::new(py, names)).collect()
    }
}
