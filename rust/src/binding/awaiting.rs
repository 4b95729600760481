//! Embeddings on their way from a store to the partitions that await them, for Python.

use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{Builder, scope};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rustc_hash::FxHashMap;

use super::partition::Partition;
use crate::error::Result;
use crate::records::Numbering;

/// Bytes that are handed over at once: so many as stay in a cache until they are taken in.
const AT_ONCE: usize = 64 << 10;

/// Handfuls that wait to be taken in.
const WAITING: usize = 4;

/// What some partitions await, by the numbers that a store has given their keys.
#[pyclass(frozen, module = "byheart._core")]
pub struct Awaiting {
    partitions: Vec<Py<Partition>>,
    targets: Vec<Target>, // by number
}

/// Whose the embedding is of a key with this number.
#[derive(Debug, Clone, Copy)]
struct Target {
    number: i64,
    partition: u32,
    record: u32,
}

/// Some embeddings: whose each is and where it ends, and their bytes, one after another.
#[derive(Default)]
struct Handful {
    ends: Vec<(Target, usize)>,
    bytes: Vec<u8>,
}

impl Awaiting {
    /// What partitions await, by tenant: the keys that both know.
    pub fn of(numbering: &Numbering, partitions: Vec<(String, Py<Partition>)>) -> Self {
        let cells = numbering.cells();
        let mut targets = Vec::with_capacity(numbering.len());
        {
            let locked: Vec<_> = partitions.iter().map(|(_, partition)| partition.get().locked.read()).collect();
            let tenants: FxHashMap<&str, u32> = partitions.iter().map(|(tenant, _)| tenant.as_str()).zip(0..).collect();
            let whose: Vec<_> = cells.iter().map(|(tenant, cell)| (tenants.get(tenant), cell.as_str())).collect();
            for place in 0..numbering.places() {
                let Some((Some(&partition), cell)) = numbering.cell(place).map(|cell| whose[cell as usize]) else {
                    continue;
                };
                let record = locked[partition as usize].directory().get(cell, numbering.key(place)[3]);
                let number = numbering.number(place);
                targets.extend(record.map(|record| Target { number, partition, record }));
            }
        }
        targets.sort_by_key(|target| target.number);
        Self { partitions: partitions.into_iter().map(|(_, partition)| partition).collect(), targets }
    }

    /// Whose the embedding is of a key with this number; they come nearly in order, so that the one `after` the last is
    /// looked at first.
    fn target(&self, number: i64, after: &mut usize) -> Option<Target> {
        let is_it = |at: usize| self.targets.get(at).copied().filter(|target| target.number == number);
        let found = is_it(*after).or_else(|| {
            *after = self.targets.partition_point(|target| target.number < number);
            is_it(*after)
        });
        *after += usize::from(found.is_some());
        found
    }

    fn take_in(&self, some: &Handful) -> Result<()> {
        let mut start = 0;
        for &(Target { partition, record, .. }, end) in &some.ends {
            self.partitions[partition as usize].get().locked.bring(record, &some.bytes[start..end])?;
            start = end;
        }
        Ok(())
    }

    fn take_in_all(&self, handfuls: Receiver<Handful>) -> Result<()> {
        handfuls.into_iter().try_for_each(|some| self.take_in(&some))
    }

    /// Reads rows, hands what is awaited to `take`, and returns the last row's own number.
    fn read(
        &self,
        py: Python<'_>,
        rows: &Bound<'_, PyAny>,
        take: impl Fn(Handful) -> Result<()> + Sync,
    ) -> PyResult<Option<i64>> {
        let (mut last, mut after, mut some) = (None, 0, Handful::default());
        for row in rows.try_iter()? {
            let Ok((own, number, row)) = row?.extract::<(i64, Bound<'_, PyAny>, Bound<'_, PyAny>)>() else { continue };
            last = Some(own);
            let (Ok(number), Ok(row)) = (number.extract(), row.cast::<PyBytes>()) else { continue };
            let Some(target) = self.target(number, &mut after) else { continue };
            some.bytes.extend_from_slice(row.as_bytes());
            some.ends.push((target, some.bytes.len()));
            if some.bytes.len() >= AT_ONCE {
                let full = std::mem::take(&mut some);
                py.detach(|| take(full))?;
            }
        }
        py.detach(|| take(some))?;
        Ok(last)
    }
}

#[pymethods]
impl Awaiting {
    /// Takes in embeddings that are awaited (`Partition.come`), some while the next ones are read: rows of a store's vectors,
    /// tuples of a number of their own, that of the record's key and bytes of float32. Others are passed over, and rows of
    /// other things. Returns the last row's own number, None without rows.
    fn bring(&self, py: Python<'_>, rows: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
        scope(|scope| {
            let (sender, receiver) = sync_channel(WAITING);
            let Ok(thread) = Builder::new().spawn_scoped(scope, move || self.take_in_all(receiver)) else {
                return self.read(py, rows, |some| self.take_in(&some)); // there are no threads
            };
            let read = self.read(py, rows, |some| {
                let _ = sender.send(some); // it is refused after an error, which is told below
                Ok(())
            });
            drop(sender);
            let taken = py.detach(|| thread.join().expect("taking in embeddings does not panic"));
            taken?;
            read
        })
    }
}
