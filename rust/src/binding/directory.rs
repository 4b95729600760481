//! The directory of records for Python.

use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyTuple};

use super::{convert, filters};
use crate::codec::{Reader, Tag, Writer};
use crate::error::{Error, Result};
use crate::ids;
use crate::records::{self, Batch, Fields, Filter, Value};

const KIND: Tag = *b"FLDS";

/// Records by cell and id, with the fields that filters ask.
///
/// `columns` names fields that hold one number each; those of `ordered` are kept in order besides, for ranges that few
/// records lie in. Every other field takes texts, numbers and flags, one or several, and appears when it first occurs.
///
/// >>> directory = Directory(columns=["length"])
/// >>> directory.put(["a", "b"], [{"tags": ["red", "big"], "length": 3}, {"tags": "red", "length": 5}])
/// >>> directory.select(("and", (("in", "tags", ("red",)), ("range", "length", 4, True, None, False))))
/// [('b', '')]
#[pyclass(frozen, module = "byheart._core")]
pub struct Directory {
    columns: Vec<String>,
    ordered: Vec<String>,
    inner: RwLock<Inner>,
}

#[derive(Default)]
struct Inner {
    records: records::Directory,
    fields: Fields,
}

impl Inner {
    fn put(&mut self, keys: &[(String, String)], batch: &Batch) -> Result<()> {
        // Fields refuse a batch before anything is changed; so the records that are new are taken out again.
        let known = self.records.clone_free(keys);
        let numbers: Vec<u32> = keys.iter().map(|(id, cell)| self.records.insert(cell, id)).collect();
        let done = self.fields.put(&self.records, &numbers, batch);
        if done.is_err() {
            for (number, was_known) in numbers.into_iter().zip(known) {
                if !was_known {
                    self.records.remove(number);
                }
            }
        }
        done
    }
}
