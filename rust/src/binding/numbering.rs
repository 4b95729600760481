//! The numbers of a store's keys for Python.

use std::sync::{Arc, RwLock, RwLockReadGuard};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};
use rustc_hash::FxHashMap;

use super::partition::Partition;
use crate::error::{Error, Result};
use crate::records::{self, StoreKey};

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

/// Does something with a key of Python; nothing of what is none, or holds lone surrogates.
fn with_key<R>(key: &Bound<'_, PyAny>, ask: impl FnOnce(StoreKey<'_>) -> R) -> Option<R> {
    let key = key.cast::<PyTuple>().ok().filter(|key| key.len() == 4)?;
    let parts: Vec<Bound<'_, PyAny>> = key.iter().collect();
    let said: Vec<&str> =
        parts.iter().map(|part| part.cast::<PyString>().ok()?.to_str().ok()).collect::<Option<_>>()?;
    Some(ask([said[0], said[1], said[2], said[3]]))
}

fn refused(what: &str) -> PyErr {
    Error::invalid(what, "is no tuple of tenant, scope, class and id").into()
}

/// The keys in some places as tuples.
fn tuples<'py>(
    py: Python<'py>,
    numbering: &records::Numbering,
    places: impl Iterator<Item = u32>,
) -> PyResult<Vec<Bound<'py, PyTuple>>> {
    let mut cells: FxHashMap<u32, [Option<Bound<'py, PyString>>; 3]> = FxHashMap::default(); // whose names are shared
    let mut found = Vec::new();
    for place in places {
        let Some(cell) = numbering.cell(place) else { continue };
        let key = numbering.key(place);
        let shared = cells.entry(cell).or_default();
        for (held, said) in shared.iter_mut().zip(key) {
            held.get_or_insert_with(|| PyString::new(py, said));
        }
        let names = shared.iter().flatten().cloned().chain([PyString::new(py, key[3])]);
        found.push(PyTuple::new(py, names.collect::<Vec<_>>())?);
    }
    Ok(found)
}

#[pymethods]
impl Numbering {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Takes in rows of a store, tuples of a number and of tenant, scope, class, id and checksum as bytes, and returns the sum
    /// of the checksums, as a little-endian number of 16 bytes that overflows. A key that comes twice counts once.
    fn learn<'py>(&self, py: Python<'py>, rows: Vec<Bound<'py, PyTuple>>) -> PyResult<Bound<'py, PyBytes>> {
        let total = self.change(|inner| {
            inner.reserve(rows.len());
            let mut total = 0_u128;
            for row in &rows {
                let (number, [tenant, scope, class, id, checksum]) = parts(row)?;
                let said =
                    |bytes| std::str::from_utf8(bytes).map_err(|_| Error::invalid("rows", "hold what is no text"));
                let [tenant, scope, class, id] = [&tenant, &scope, &class, &id].map(|part| said(part.as_bytes()));
                inner.put([tenant?, scope?, class?, id?], number)?;
                let checksum = <[u8; 16]>::try_from(checksum.as_bytes());
                let checksum =
                    checksum.map_err(|_| Error::invalid("rows", "hold a checksum that is not of 16 bytes"))?;
                total = total.wrapping_add(u128::from_le_bytes(checksum));
            }
            Ok::<_, PyErr>(total)
        })?;
        Ok(PyBytes::new(py, &total.to_le_bytes()))
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
        let inner = self.read();
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
        let inner = self.read();
        let own: Vec<bool> = inner.cells().iter().map(|(name, _)| *name == tenant).collect();
        let is_own = |&place: &u32| inner.cell(place).is_some_and(|cell| own[cell as usize]);
        tuples(py, &inner, (0..if own.contains(&true) { inner.places() } else { 0 }).filter(is_own))
    }

    /// The keys that have these numbers, by number.
    fn named<'py>(&self, py: Python<'py>, numbers: Vec<i64>) -> PyResult<Bound<'py, PyDict>> {
        let (inner, found) = (self.read(), PyDict::new(py));
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

    /// Brings embeddings to the partitions by tenant that await them (`Partition.come`): rows of a store's vectors, tuples of
    /// a number of their own, that of the record's key and bytes of float32. Others are passed over, and rows of other things.
    fn bring(&self, py: Python<'_>, partitions: &Bound<'_, PyDict>, rows: &Bound<'_, PyList>) -> PyResult<()> {
        let (inner, held) = (self.read().clone(), partitions_of(partitions)?);
        let rows: Vec<(i64, i64, PyBackedBytes)> = rows.iter().filter_map(|row| row.extract().ok()).collect();
        let done = py.detach(|| {
            let cells = inner.cells();
            let places: FxHashMap<&str, usize> = held.iter().map(|(tenant, _)| tenant.as_str()).zip(0..).collect();
            let whose: Vec<Option<usize>> = cells.iter().map(|(tenant, _)| places.get(tenant).copied()).collect();
            let mut by_partition: Vec<Vec<(&str, &str, &[u8])>> = vec![Vec::new(); held.len()];
            for (_, number, row) in &rows {
                let place = inner.at(*number);
                let Some((place, cell)) = place.and_then(|place| Some((place, inner.cell(place)?))) else { continue };
                if let Some(at) = whose[cell as usize] {
                    by_partition[at].push((&cells[cell as usize].1, inner.key(place)[3], row));
                }
            }
            let mut with_own = held.iter().zip(by_partition).filter(|(_, own)| !own.is_empty());
            with_own.try_for_each(|((_, partition), own)| partition.get().locked.bring(&own))
        });
        Ok(done?) // the rows are let go of with the interpreter
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

fn parts<'py>(row: &Bound<'py, PyTuple>) -> PyResult<Row<'py>> {
    let (number, tenant, scope, class, id, checksum) = row.extract()?;
    Ok((number, [tenant, scope, class, id, checksum]))
}

fn partitions_of(partitions: &Bound<'_, PyDict>) -> PyResult<Vec<(String, Py<Partition>)>> {
    partitions
        .iter()
        .map(|(tenant, partition)| Ok((tenant.extract()?, partition.cast::<Partition>()?.clone().unbind())))
        .collect()
}
