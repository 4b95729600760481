//! The numbers of a store's keys for Python.

use std::sync::{Arc, RwLock, RwLockReadGuard};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use super::awaiting::Awaiting;
use super::partition::Partition;
use super::store_keys::{Read, refused, with_key};
use crate::error::{Error, Result};
use crate::records;

/// Which number a store has given each key: a tuple of tenant, scope, class and id.
///
/// >>> numbering = Numbering()
/// >>> numbering.put(("ada", "notes", "public", "tea"), 7)
/// >>> numbering.get(("ada", "notes", "public", "tea")), len(numbering)
/// (7, 1)
#[pyclass(frozen, module = "byheart._core")]
#[derive(Default)]
pub struct Numbering {
    inner: RwLock<Arc<records::Numbering>>, // a copy of it that somebody holds never changes
}

/// Rows that are learnt until the interpreter's signals are looked at.
const UNHEARD: usize = 4_096;

/// What a store says of a record: its number, and tenant, scope, class, id and checksum as bytes.
type Row<'py> = (i64, [Bound<'py, PyBytes>; 5]);

impl Numbering {
    fn read(&self) -> RwLockReadGuard<'_, Arc<records::Numbering>> {
        self.inner.read().expect("a panic while writing left the numbers in doubt")
    }

    fn change<R>(&self, change: impl FnOnce(&mut records::Numbering) -> R) -> R {
        let mut inner = self.inner.write().expect("a panic while writing left the numbers in doubt");
        change(Arc::make_mut(&mut inner))
    }
}

/// The keys in some places as tuples.
fn tuples<'py>(
    py: Python<'py>,
    numbering: &records::Numbering,
    places: impl Iterator<Item = u32>,
) -> PyResult<Vec<Bound<'py, PyTuple>>> {
    Read::of(py, numbering.keys(), places).tuples(py)
}

#[pymethods]
impl Numbering {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Takes in rows of a store, one after another: tuples of a number and of tenant, scope, class, id and checksum as bytes.
    /// Returns how many there were and the sum of the checksums, as a little-endian number of 16 bytes that overflows. A key
    /// that comes twice has one number. After an error nothing was taken in.
    fn learn<'py>(&self, py: Python<'py>, rows: &Bound<'py, PyAny>) -> PyResult<(usize, Bound<'py, PyBytes>)> {
        let mut inner = self.read().clone(); // nobody waits for a lock while the next row is made
        let learnt = Arc::make_mut(&mut inner);
        let (mut count, mut total) = (0, 0_u128);
        for row in rows.try_iter()? {
            let (number, [tenant, scope, class, id, checksum]) = parts(&row?)?;
            let said = |bytes| std::str::from_utf8(bytes).map_err(|_| Error::invalid("rows", "hold what is no text"));
            let [tenant, scope, class, id] = [&tenant, &scope, &class, &id].map(|part| said(part.as_bytes()));
            learnt.put([tenant?, scope?, class?, id?], number)?;
            let checksum = <[u8; 16]>::try_from(checksum.as_bytes());
            let checksum = checksum.map_err(|_| Error::invalid("rows", "hold a checksum that is not of 16 bytes"))?;
            total = total.wrapping_add(u128::from_le_bytes(checksum));
            count += 1;
            if count % UNHEARD == 0 {
                py.check_signals()?;
            }
        }
        *self.inner.write().expect("a panic while writing left the numbers in doubt") = inner;
        Ok((count, PyBytes::new(py, &total.to_le_bytes())))
    }

    /// The number of a key; None if it has none.
    fn get(&self, key: &Bound<'_, PyAny>) -> Option<i64> {
        with_key(key, |key| self.read().get(key)).flatten()
    }

    /// Gives a key its number, in place of the one it had, and returns that; LimitExceeded for names that no record can have.
    fn put(&self, key: &Bound<'_, PyAny>, number: i64) -> PyResult<Option<i64>> {
        let done: Option<Result<Option<i64>>> = with_key(key, |key| self.change(|inner| inner.put(key, number)));
        Ok(done.ok_or_else(|| refused("key"))??)
    }

    /// Forgets a key and returns its number; None if it has none.
    fn take(&self, key: &Bound<'_, PyAny>) -> Option<i64> {
        with_key(key, |key| self.change(|inner| inner.take(key))).flatten()
    }

    /// The same keys and numbers, which stay as they are whatever becomes of these.
    fn copy(&self) -> Self {
        Self { inner: RwLock::new(self.read().clone()) }
    }

    /// The keys in some places and their numbers, in any order: all of them without `end`; places are numbered from 0 to
    /// below `places`.
    #[pyo3(signature = (start = 0, end = None))]
    fn items<'py>(&self, py: Python<'py>, start: u32, end: Option<u32>) -> PyResult<Vec<(Bound<'py, PyTuple>, i64)>> {
        let inner = self.read().clone();
        let places = || (start..end.unwrap_or(u32::MAX).min(inner.places())).filter(|&place| inner.stands(place));
        Ok(tuples(py, &inner, places())?.into_iter().zip(places().map(|place| inner.number(place))).collect())
    }

    /// How many places there are: no fewer than keys.
    #[getter]
    fn places(&self) -> u32 {
        self.read().places()
    }

    /// The keys of a tenant.
    fn of_tenant<'py>(&self, py: Python<'py>, tenant: &str) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let inner = self.read().clone();
        let own: Vec<bool> = inner.cells().iter().map(|(name, _)| *name == tenant).collect();
        let is_own = |&place: &u32| inner.cell(place).is_some_and(|cell| own[cell as usize]);
        tuples(py, &inner, (0..if own.contains(&true) { inner.places() } else { 0 }).filter(is_own))
    }

    /// The keys that have these numbers, by number.
    fn named<'py>(&self, py: Python<'py>, numbers: Vec<i64>) -> PyResult<Bound<'py, PyDict>> {
        let (inner, found) = (self.read().clone(), PyDict::new(py));
        for number in numbers {
            if let Some(place) = inner.at(number) {
                found.set_item(number, &tuples(py, &inner, std::iter::once(place))?[0])?;
            }
        }
        Ok(found)
    }

    /// The keys that are in none of these partitions, by tenant; a tenant that is `apart` has none to be in. None if a
    /// partition is empty, or holds what has no number here.
    fn missing<'py>(
        &self,
        py: Python<'py>,
        partitions: &Bound<'py, PyDict>,
        apart: &str,
    ) -> PyResult<Option<Vec<Bound<'py, PyTuple>>>> {
        let (inner, held) = (self.read().clone(), partitions_of(partitions)?);
        let missing = py.detach(|| {
            let locked: Vec<_> =
                held.iter().map(|(tenant, partition)| (tenant, partition.get().locked.read())).collect();
            let directories: Vec<_> = locked.iter().map(|(tenant, own)| (tenant.as_str(), own.directory())).collect();
            inner.missing(&directories, apart)
        });
        missing.map(|places| tuples(py, &inner, places.into_iter())).transpose()
    }

    /// What the partitions by tenant await, by the numbers of these keys.
    fn awaiting(&self, py: Python<'_>, partitions: &Bound<'_, PyDict>) -> PyResult<Awaiting> {
        let (inner, held) = (self.read().clone(), partitions_of(partitions)?);
        Ok(py.detach(|| Awaiting::of(&inner, held)))
    }

    fn __len__(&self) -> usize {
        self.read().len()
    }

    fn __contains__(&self, key: &Bound<'_, PyAny>) -> bool {
        self.get(key).is_some()
    }

    fn __repr__(&self) -> String {
        format!("Numbering({} keys)", self.read().len())
    }
}

fn parts<'py>(row: &Bound<'py, PyAny>) -> PyResult<Row<'py>> {
    let (number, tenant, scope, class, id, checksum) = row.extract()?;
    Ok((number, [tenant, scope, class, id, checksum]))
}

fn partitions_of(partitions: &Bound<'_, PyDict>) -> PyResult<Vec<(String, Py<Partition>)>> {
    partitions
        .iter()
        .map(|(tenant, partition)| Ok((tenant.extract()?, partition.cast::<Partition>()?.clone().unbind())))
        .collect()
}
