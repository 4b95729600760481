//! An index behind a lock, and the bookkeeping that all index classes share: locking, counting, removing, bytes.
//!
//! A class keeps a [`Held`] and forwards `__len__`, `__contains__`, `remove`, `to_bytes`, `from_bytes`, `__repr__` and
//! `__reduce__` to it, a line each.

use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use super::convert;
use crate::error::Result;

/// An index of the core that Python can hold. [`held!`] writes this down for one of them.
pub trait Index: Sized + Send + Sync {
    /// The name of the class in Python.
    const CLASS: &'static str;
    /// What the index keeps for life; it is read without the lock.
    type Settings: Send + Sync;
    /// A copy of it.
    fn settings(&self) -> Self::Settings;
    /// How many records are held.
    fn len(&self) -> usize;
    /// The index as bytes.
    fn to_bytes(&self) -> Vec<u8>;
    /// The index of these bytes.
    fn from_bytes(bytes: &[u8]) -> Result<Self>;
}

/// An index that knows its records by ids alone.
pub trait ById: Index {
    /// True if a record with this id is held.
    fn contains(&self, id: &str) -> bool;
    /// Removes records and answers how many there were.
    fn remove(&mut self, ids: &[String]) -> usize;
}

/// Says how [`Held`] reaches an index: its type, its class in Python, the type of its settings and where they are.
macro_rules! held {
    ($index:ty, $class:literal, $settings:ty, $of:expr) => {
        impl $crate::binding::held::Index for $index {
            const CLASS: &'static str = $class;
            type Settings = $settings;
            fn settings(&self) -> $settings {
                let of: fn(&$index) -> $settings = $of;
                of(self)
            }
            fn len(&self) -> usize {
                self.len()
            }
            fn to_bytes(&self) -> Vec<u8> {
                self.to_bytes()
            }
            fn from_bytes(bytes: &[u8]) -> $crate::error::Result<Self> {
                Self::from_bytes(bytes)
            }
        }

        impl $crate::binding::held::ById for $index {
            fn contains(&self, id: &str) -> bool {
                self.contains(id)
            }
            fn remove(&mut self, ids: &[String]) -> usize {
                self.remove(ids)
            }
        }
    };
}
pub(super) use held;

/// An index, its lock, and its settings beside the lock.
#[derive(Debug)]
pub struct Held<I: Index> {
    /// What the index keeps for life.
    pub settings: I::Settings,
    inner: RwLock<I>,
}

impl<I: Index> Held<I> {
    /// Holds an index.
    pub fn new(inner: I) -> Self {
        Self { settings: inner.settings(), inner: RwLock::new(inner) }
    }

    /// Access beside other readers.
    pub fn read(&self) -> RwLockReadGuard<'_, I> {
        self.inner.read().expect("a panic while writing left the index in doubt")
    }

    /// Access alone.
    pub fn write(&self) -> RwLockWriteGuard<'_, I> {
        self.inner.write().expect("a panic while writing left the index in doubt")
    }

    /// How many records are held.
    pub fn len(&self, py: Python<'_>) -> usize {
        py.detach(|| self.read().len())
    }

    /// The index as bytes.
    pub fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| self.read().to_bytes()))
    }

    /// The index of these bytes.
    ///
    /// # Errors
    /// `CorruptIndex` and `UnsupportedFormat`.
    pub fn from_bytes(py: Python<'_>, data: &PyBackedBytes) -> PyResult<Self> {
        Ok(Self::new(py.detach(|| I::from_bytes(data))?))
    }

    /// The class, how many records it holds, and more about them (empty, or beginning with a comma).
    pub fn repr(&self, py: Python<'_>, more: &str) -> String {
        format!("{}({} records{more})", I::CLASS, self.len(py))
    }

    /// What `__reduce__` answers: an index is saved as bytes, not pickled.
    ///
    /// # Errors
    /// `TypeError`, always.
    pub fn reduce(&self) -> PyResult<()> {
        Err(convert::refuse_pickle(I::CLASS))
    }
}

impl<I: ById> Held<I> {
    /// True if a record with this id is held.
    ///
    /// # Errors
    /// `TypeError` for what is no `str`.
    pub fn contains(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<bool> {
        let id = convert::text(id, "id")?.to_owned();
        Ok(py.detach(|| self.read().contains(&id)))
    }

    /// Removes the records with these ids and answers how many there were.
    ///
    /// # Errors
    /// `TypeError` for what is no list of `str`.
    pub fn remove(&self, py: Python<'_>, ids: &Bound<'_, PyAny>) -> PyResult<usize> {
        let ids = convert::texts(ids, "ids")?;
        Ok(py.detach(|| self.write().remove(&ids)))
    }
}
