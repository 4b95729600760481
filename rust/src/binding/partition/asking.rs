//! How a partition is asked: behind its lock, and without holding the interpreter.

use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use pyo3::prelude::*;
use roaring::RoaringBitmap;

use crate::binding::{convert, filters};
use crate::dense;
use crate::error::{Error, Result};
use crate::partition::{self, Scope};
use crate::records::Filter;

/// A keyword that may be missing.
type Item<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// The partition behind its lock.
pub struct Locked(RwLock<partition::Partition>);

impl Locked {
    pub(super) fn new(partition: partition::Partition) -> Self {
        Self(RwLock::new(partition))
    }

    /// Access beside other readers.
    pub fn read(&self) -> RwLockReadGuard<'_, partition::Partition> {
        self.0.read().expect("a panic while writing left the partition in doubt")
    }

    /// Access alone.
    pub(super) fn write(&self) -> RwLockWriteGuard<'_, partition::Partition> {
        self.0.write().expect("a panic while writing left the partition in doubt")
    }

    /// Takes in the embedding of a record by its number, if its row is the one that is awaited.
    ///
    /// # Errors
    /// `InvalidArgument` where there is no index of embeddings.
    pub fn bring(&self, record: u32, row: &[u8]) -> Result<()> {
        self.write().come(record, row)
    }

    /// Something about cells (`None`: all), given by their numbers.
    pub(super) fn inside<R: Send>(
        &self,
        py: Python<'_>,
        cells: Item<'_, '_>,
        ask: impl FnOnce(&partition::Partition, &[u32]) -> R + Send,
    ) -> PyResult<R> {
        let cells = convert::cells(cells)?;
        Ok(py.detach(|| {
            let inner = self.read();
            ask(&inner, &inner.directory().cell_numbers(cells.as_deref()))
        }))
    }

    /// Something about the records of cells that match a filter, archived ones too.
    pub(super) fn among<R: Send>(
        &self,
        py: Python<'_>,
        filter: Item<'_, '_>,
        cells: Item<'_, '_>,
        ask: impl FnOnce(&partition::Partition, RoaringBitmap) -> R + Send,
    ) -> PyResult<R> {
        let filter = filters::filter_or_none(filter)?.unwrap_or_else(|| Filter::And(Vec::new()));
        let found =
            self.inside(py, cells, |inner, cells| inner.matching(&filter, cells).map(|found| ask(inner, found)));
        Ok(found??)
    }

    /// Something about one record.
    pub(super) fn about<R: Send>(
        &self,
        py: Python<'_>,
        id: &Bound<'_, PyAny>,
        cell: &str,
        ask: impl FnOnce(&partition::Partition, u32) -> Result<R> + Send,
    ) -> PyResult<R> {
        let id = convert::text(id, "id")?.to_owned();
        let found = py.detach(|| {
            let inner = self.read();
            let number = inner.directory().get(cell, &id);
            let unknown = || Error::invalid("id", format!("{id:?} is not in this partition"));
            ask(&inner, number.ok_or_else(unknown)?)
        });
        Ok(found?)
    }
}

/// The index of embeddings, or an error that names it.
pub(super) fn embeddings(partition: &partition::Partition) -> Result<&dense::Index> {
    partition.dense().ok_or_else(|| Error::invalid("partition", "has no index of embeddings"))
}

/// The rows of records, by their numbers.
pub(super) fn rows(partition: &partition::Partition, numbers: &[u32]) -> Vec<String> {
    numbers.iter().map(|&number| partition.directory().row(number)).collect()
}

/// Which records may be found, from Python: those of a filter that have not ended and are not gone.
pub(super) struct Findable {
    filter: Option<Filter>,
    now: Option<f64>,
    gone: Option<Filter>,
}

impl Findable {
    /// Reads the two filters.
    ///
    /// # Errors
    /// As [`filters::filter`].
    pub(super) fn read(filter: Item<'_, '_>, now: Option<f64>, gone: Item<'_, '_>) -> PyResult<Self> {
        Ok(Self { filter: filters::filter_or_none(filter)?, now, gone: filters::filter_or_none(gone)? })
    }

    /// The same of cells.
    pub(super) fn of<'a>(&'a self, cells: &'a [u32]) -> Scope<'a> {
        Scope { cells, filter: self.filter.as_ref(), now: self.now, gone: self.gone.as_ref() }
    }
}
