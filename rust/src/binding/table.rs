//! A store's rows and vectors by key, for Python.

use std::sync::{RwLock, RwLockReadGuard};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use super::store_keys::{Read, refused, with_key};
use crate::error::Result;
use crate::records::{self, StoreKey};

/// Rows of bytes by key, and the vectors that models made of what the keys stand for; a key is a tuple of tenant, scope,
/// class and id. It is kept once, and a vector as the object that was given.
///
/// >>> table, key = Table(), ("ada", "notes", "public", "tea")
/// >>> table.put(key, b"green"); table.keep("model", key, b"1234")
/// >>> table.row(key), table.vector("model", key), len(table)
/// (b'green', b'1234', 1)
#[pyclass(frozen, module = "byheart._core")]
#[derive(Default)]
pub struct Table {
    inner: RwLock<records::Table<Py<PyBytes>>>, // bytes alone are made while it is held: no code of Python runs for them
}

/// A key and what is kept of it.
type Item<'py> = (Bound<'py, PyTuple>, Bound<'py, PyBytes>);

impl Table {
    fn read(&self) -> RwLockReadGuard<'_, records::Table<Py<PyBytes>>> {
        self.inner.read().expect("a panic while writing left the rows in doubt")
    }

    fn change<R>(
        &self,
        key: &Bound<'_, PyAny>,
        change: impl FnOnce(&mut records::Table<Py<PyBytes>>, StoreKey<'_>) -> R,
    ) -> Option<R> {
        with_key(key, |key| change(&mut self.inner.write().expect("a panic while writing left the rows in doubt"), key))
    }
}

fn items<'py>(py: Python<'py>, keys: Read<'py>, kept: Vec<Bound<'py, PyBytes>>) -> PyResult<Vec<Item<'py>>> {
    Ok(keys.tuples(py)?.into_iter().zip(kept).collect())
}

#[pymethods]
impl Table {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Puts a row, in place of the one that the key had; LimitExceeded for names that no record can have.
    fn put(&self, key: &Bound<'_, PyAny>, row: &Bound<'_, PyBytes>) -> PyResult<()> {
        let done: Option<Result<()>> = self.change(key, |inner, key| inner.put(key, row.as_bytes()));
        Ok(done.ok_or_else(|| refused("key"))??)
    }

    /// The row of a key; None if it has none.
    fn row<'py>(&self, key: &Bound<'py, PyAny>) -> Option<Bound<'py, PyBytes>> {
        with_key(key, |names| self.read().row(names).map(|row| PyBytes::new(key.py(), row))).flatten()
    }

    /// The row of every key, in order; None where there is none.
    fn rows<'py>(&self, keys: &Bound<'py, PyAny>) -> PyResult<Vec<Option<Bound<'py, PyBytes>>>> {
        keys.try_iter()?.map(|key| Ok(self.row(&key?))).collect()
    }

    /// All keys that have a row, with their rows, as of one moment, in any order.
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Vec<Item<'py>>> {
        let inner = self.read();
        let keys = Read::of(py, inner.keys(), inner.rows().map(|(place, _)| place));
        let kept = inner.rows().map(|(_, row)| PyBytes::new(py, row)).collect();
        drop(inner);
        items(py, keys, kept)
    }

    /// Forgets the row of a key, if it has one; its vectors stay.
    fn remove(&self, key: &Bound<'_, PyAny>) {
        self.change(key, records::Table::remove);
    }

    /// Keeps the vector that a model made of what a key stands for, in place of the one that the key had; errors as in `put`.
    fn keep(&self, model: &str, key: &Bound<'_, PyAny>, vector: &Bound<'_, PyBytes>) -> PyResult<()> {
        let vector = vector.clone().unbind();
        let done: Option<Result<()>> = self.change(key, |inner, key| inner.keep(model, key, vector));
        Ok(done.ok_or_else(|| refused("key"))??)
    }

    /// The vector of a model and a key; None if there is none.
    fn vector<'py>(&self, model: &str, key: &Bound<'py, PyAny>) -> Option<Bound<'py, PyBytes>> {
        with_key(key, |names| self.read().vector(model, names).map(|vector| vector.bind(key.py()).clone())).flatten()
    }

    /// All keys that have a vector of a model, with their vectors, as of one moment, in any order.
    fn vectors<'py>(&self, py: Python<'py>, model: &str) -> PyResult<Vec<Item<'py>>> {
        let inner = self.read();
        let keys = Read::of(py, inner.keys(), inner.vectors(model).map(|(place, _)| place));
        let kept = inner.vectors(model).map(|(_, vector)| vector.bind(py).clone()).collect();
        drop(inner);
        items(py, keys, kept)
    }

    /// Forgets the vectors of a key, of every model.
    fn remove_vectors(&self, key: &Bound<'_, PyAny>) {
        self.change(key, records::Table::remove_vectors);
    }

    /// Whether a vector of another model is kept.
    fn has_others(&self, model: &str) -> bool {
        self.read().has_others(model)
    }

    /// Forgets the vectors of every other model.
    fn keep_only(&self, model: &str) {
        self.inner.write().expect("a panic while writing left the rows in doubt").keep_only(model);
    }

    fn __len__(&self) -> usize {
        self.read().len()
    }

    fn __contains__(&self, key: &Bound<'_, PyAny>) -> bool {
        with_key(key, |key| self.read().row(key).is_some()) == Some(true)
    }

    fn __repr__(&self) -> String {
        format!("Table({} rows)", self.read().len())
    }
}
