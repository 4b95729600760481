//! What is known of a partition's records, for Python.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::asking::{Findable, Locked, embeddings, rows as named};
use super::legs::words;
use crate::binding::{convert, filters, keys};
use crate::error::Error;
use crate::partition::{self, Order, Place};

/// The records of one tenant as they are: which there are, where they lie, and what filters ask of them. Every `Partition` is
/// one.
#[pyclass(frozen, subclass, module = "byheart._core")]
pub struct Directory {
    pub(super) locked: Arc<Locked>,
}

#[pymethods]
impl Directory {
    /// Keys of cells (None: of all) that hold records: for each how many can be found, and how many are archived.
    #[pyo3(signature = (cells = None))]
    fn sizes<'py>(&self, py: Python<'py>, cells: Option<&Bound<'_, PyAny>>) -> PyResult<Bound<'py, PyDict>> {
        let sizes = PyDict::new(py);
        for size in self.locked.inside(py, cells, partition::Partition::sizes)? {
            sizes.set_item(size.cell, (size.active, size.archived))?;
        }
        Ok(sizes)
    }

    /// How many records of cells can be found and have no embedding, though there is an index of them.
    #[pyo3(signature = (cells = None))]
    fn without_vector(&self, py: Python<'_>, cells: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
        self.locked.inside(py, cells, partition::Partition::without_vector)
    }

    /// Whether a record of cells (None: of all) has an end.
    #[pyo3(signature = (cells = None))]
    fn any_ends(&self, py: Python<'_>, cells: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
        self.locked.inside(py, cells, partition::Partition::any_ends)
    }

    /// The rows of the records of cells that match a filter, archived ones too, in order.
    ///
    /// A row is what a record is known by: its id, or id, "\x1f" and cell where several cells have the id. A filter is
    /// `("and", (f, ...))`, `("or", (f, ...))`, `("not", f)`, `("in", field, (value, ...))`,
    /// `("range", field, low, low_inclusive, high, high_inclusive)` with None for a bound that is not there, or
    /// `("exists", field, bool)`. A field that no record has and values of another kind match nothing.
    #[pyo3(signature = (filter = None, cells = None))]
    fn rows(
        &self,
        py: Python<'_>,
        filter: Option<&Bound<'_, PyAny>>,
        cells: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<String>> {
        self.locked.among(py, filter, cells, |inner, found| named(inner, &inner.in_order(found.into_iter().collect())))
    }

    /// The rows of the first records of cells that match a filter, archived ones too, in an order: by the numbers in a
    /// column, records without one last, or by id without a column; where numbers are equal ids decide, and then cells.
    ///
    /// `down` has the greatest come first. With `behind`, the number (or None), the id and the cell of a place, only those
    /// behind that.
    #[pyo3(signature = (column, most, *, down = false, behind = None, filter = None, cells = None))]
    #[allow(clippy::too_many_arguments)] // keywords of Python
    fn first(
        &self,
        py: Python<'_>,
        column: Option<&str>,
        #[pyo3(from_py_with = at_most)] most: usize,
        down: bool,
        behind: Option<(Option<f64>, String, String)>,
        filter: Option<&Bound<'_, PyAny>>,
        cells: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<String>> {
        let place = behind.map(|(number, id, cell)| Place { number, id, cell });
        let found = self.locked.among(py, filter, cells, |inner, found| {
            let column = column.map(|name| inner.column(name)).transpose()?;
            Ok::<_, Error>(named(inner, &inner.first(&found, Order { column, down }, place.as_ref(), most)))
        })?;
        Ok(found?)
    }

    /// The rows of the records of cells that can be found and hold one term of each of some groups, in whichever field,
    /// in order.
    ///
    /// `filter`, `now` and `gone` as for `propose`.
    #[pyo3(signature = (groups, cells = None, *, filter = None, now = None, gone = None))]
    #[allow(clippy::too_many_arguments)] // keywords of Python
    fn holding(
        &self,
        py: Python<'_>,
        groups: &Bound<'_, PyAny>,
        cells: Option<&Bound<'_, PyAny>>,
        filter: Option<&Bound<'_, PyAny>>,
        now: Option<f64>,
        gone: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<String>> {
        convert::refuse_str(groups, "groups")?;
        let each = groups.try_iter()?.map(|group| convert::texts(&group?, "groups"));
        let groups = each.collect::<PyResult<Vec<_>>>()?;
        let findable = Findable::read(filter, now, gone)?;
        let found = self.locked.inside(py, cells, |inner, cells| {
            inner.holding(&groups, &findable.of(cells)).map(|numbers| named(inner, &numbers))
        })?;
        Ok(found?)
    }

    /// The rows of the records that have a number in a column which is kept in order, archived ones too, in order; None if
    /// there are more than `limit`, of which no more are looked at.
    fn bearing(&self, py: Python<'_>, column: &str, number: f64, limit: usize) -> PyResult<Option<Vec<String>>> {
        let found = py.detach(|| {
            let inner = self.locked.read();
            Ok::<_, Error>(inner.bearing(column, number, limit)?.map(|numbers| named(&inner, &numbers)))
        })?;
        Ok(found)
    }

    /// How many records of cells match a filter, archived ones too; with `blank` those of them that can be found and
    /// have no embedding, though there is an index of them.
    #[pyo3(signature = (filter = None, cells = None, *, blank = false))]
    fn count(
        &self,
        py: Python<'_>,
        filter: Option<&Bound<'_, PyAny>>,
        cells: Option<&Bound<'_, PyAny>>,
        blank: bool,
    ) -> PyResult<u64> {
        self.locked.among(py, filter, cells, |inner, found| if blank { inner.blank(&found) } else { found.len() })
    }

    /// How many records of cells that match a filter have each value of a field, in the order of the values.
    #[pyo3(signature = (field, filter = None, cells = None))]
    fn counts<'py>(
        &self,
        py: Python<'py>,
        field: &Bound<'py, PyAny>,
        filter: Option<&Bound<'py, PyAny>>,
        cells: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Vec<(Bound<'py, PyAny>, u64)>> {
        let field = convert::text(field, "field")?.to_owned();
        let counted = self.locked.among(py, filter, cells, |inner, found| {
            let counts = inner.fields().counts(&field, &found).into_iter();
            counts.map(|(value, count)| (value.clone(), count)).collect::<Vec<_>>()
        })?;
        counted.into_iter().map(|(value, count)| Ok((filters::object(py, &value)?, count))).collect()
    }

    /// The greatest number in a column among the records of cells that can be found; None if there is none.
    #[pyo3(signature = (column, cells = None))]
    fn greatest(
        &self,
        py: Python<'_>,
        column: &Bound<'_, PyAny>,
        cells: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<f64>> {
        let column = convert::text(column, "column")?.to_owned();
        Ok(self.locked.inside(py, cells, |inner, cells| inner.greatest(&column, cells))??)
    }

    /// The numbers in a column of the records of cells that can be found and have one, smallest first.
    #[pyo3(signature = (column, cells = None))]
    fn numbers(
        &self,
        py: Python<'_>,
        column: &Bound<'_, PyAny>,
        cells: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<f64>> {
        let column = convert::text(column, "column")?.to_owned();
        Ok(self.locked.inside(py, cells, |inner, cells| inner.numbers(&column, cells))??)
    }

    /// The rows of the records with an id, in the order of their cells.
    fn rows_of(&self, id: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let id = convert::text(id, "id")?;
        let inner = self.locked.read();
        let mut numbers: Vec<u32> = inner.directory().all(id).collect();
        numbers.sort_unstable_by(|&one, &other| inner.directory().order(one, other));
        Ok(named(&inner, &numbers))
    }

    /// Of each id the row of its first record, in the order of their cells, that lies in one of these and can be found; None
    /// where there is none.
    fn findable(
        &self,
        py: Python<'_>,
        ids: &Bound<'_, PyAny>,
        cells: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<Option<String>>> {
        let ids = convert::texts(ids, "ids")?;
        self.locked.inside(py, Some(cells), |inner, cells| {
            let directory = inner.directory();
            let is_there = |&number: &u32| {
                !inner.is_archived(number) && directory.cell(number).is_some_and(|cell| cells.contains(&cell))
            };
            let first = |id: &String| {
                let number = directory.all(id).filter(is_there).min_by(|&one, &other| directory.order(one, other))?;
                named(inner, &[number]).pop()
            };
            ids.iter().map(first).collect()
        })
    }

    /// The hashes of the records of cells that name others in a field by their ids, and of those of these cells that are named;
    /// None if more than `limit` name any, or one has no hash.
    #[pyo3(signature = (field, limit, cells = None))]
    fn linked<'py>(
        &self,
        py: Python<'py>,
        field: &str,
        limit: usize,
        cells: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Vec<Bound<'py, PyBytes>>>> {
        let found = self.locked.inside(py, cells, |inner, cells| inner.linked(field, limit, cells))?;
        Ok(found.map(|hashes| hashes.iter().map(|hash| PyBytes::new(py, hash)).collect()))
    }

    /// Id and cell of each row; None for a row that is not known.
    fn places(&self, rows: &Bound<'_, PyAny>) -> PyResult<Vec<Option<(String, String)>>> {
        let rows = convert::texts(rows, "rows")?;
        let inner = self.locked.read();
        Ok(rows.iter().map(|row| inner.directory().at(row).map(|number| inner.directory().name(number))).collect())
    }

    /// Whether the record of a row is known and can be found: it is not archived.
    fn is_active(&self, row: &Bound<'_, PyAny>) -> PyResult<bool> {
        let row = convert::text(row, "row")?;
        let inner = self.locked.read();
        Ok(inner.directory().at(row).is_some_and(|number| !inner.is_archived(number)))
    }

    /// The rows told right before each one in its conversation, and those right after it, the nearest first.
    ///
    /// `leg` is one of words that says what a conversation is, and how far it reaches. Of an unknown row there are none.
    fn beside(
        &self,
        py: Python<'_>,
        rows: &Bound<'_, PyAny>,
        leg: &Bound<'_, PyDict>,
    ) -> PyResult<Vec<(Vec<String>, Vec<String>)>> {
        let (asked, (joined, around)) = (convert::texts(rows, "rows")?, words(leg)?);
        let around = around.ok_or_else(|| Error::invalid("leg", "does not say what a conversation is"))?;
        let found = py.detach(|| {
            let inner = self.locked.read();
            let numbers: Vec<Option<u32>> = asked.iter().map(|row| inner.directory().at(row)).collect();
            let found = inner.beside(&around, &joined, &numbers)?;
            Ok::<_, Error>(found.iter().map(|(before, after)| (named(&inner, before), named(&inner, after))).collect())
        })?;
        Ok(found)
    }

    /// The values that the record of a row has in a field, in order; none for an unknown one.
    fn values<'py>(
        &self,
        py: Python<'py>,
        field: &Bound<'py, PyAny>,
        row: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (field, row) = (convert::text(field, "field")?, convert::text(row, "row")?);
        let inner = self.locked.read();
        let Some(number) = inner.directory().at(row) else { return Ok(Vec::new()) };
        let values = inner.fields().values(number).into_iter().filter(|(name, _)| *name == field);
        values.map(|(_, value)| filters::object(py, value)).collect()
    }

    /// The numbers that records have in a column, None for those without one; ids lie in the cell "" without `cells`.
    #[pyo3(signature = (name, ids, cells = None))]
    fn column(
        &self,
        py: Python<'_>,
        name: &Bound<'_, PyAny>,
        ids: &Bound<'_, PyAny>,
        cells: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Option<f64>>> {
        let (name, keys) = (convert::text(name, "name")?.to_owned(), keys::keys(ids, cells)?);
        let found = py.detach(|| {
            let inner = self.locked.read();
            Ok::<_, Error>(keys::column(inner.directory(), inner.column(&name)?, &keys))
        })?;
        Ok(found)
    }

    /// The hash of each row, or None.
    fn hashes<'py>(&self, py: Python<'py>, rows: &Bound<'py, PyAny>) -> PyResult<Vec<Option<Bound<'py, PyBytes>>>> {
        let rows = convert::texts(rows, "rows")?;
        let inner = self.locked.read();
        let hash = |row: &String| inner.directory().at(row).and_then(|number| inner.hash(number));
        Ok(rows.iter().map(|row| hash(row).map(|hash| PyBytes::new(py, &hash))).collect())
    }

    /// The embeddings of rows, divided by their lengths: float32 numbers, little-endian, of those that have one, in order;
    /// and for each row whether it has.
    fn vectors<'py>(&self, py: Python<'py>, rows: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyBytes>, Vec<bool>)> {
        let rows = convert::texts(rows, "rows")?;
        let inner = self.locked.read();
        let index = embeddings(&inner)?;
        let found: Vec<_> =
            rows.iter().map(|row| inner.directory().at(row).and_then(|number| index.row(number))).collect();
        let mut data = Vec::with_capacity(found.iter().flatten().map(|row| 4 * row.len()).sum());
        for value in found.iter().flatten().flat_map(|row| row.iter()) {
            data.extend_from_slice(&value.to_le_bytes());
        }
        Ok((PyBytes::new(py, &data), found.iter().map(Option::is_some).collect()))
    }

    /// What the index of hypervectors holds of rows, as bytes: for each field a byte that says whether the row has it, and
    /// then how many parts it was made of (4 bytes) and the vector (512 bytes); None where it holds nothing.
    fn hypervectors<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<Option<Bound<'py, PyBytes>>>> {
        let rows = convert::texts(rows, "rows")?;
        let inner = self.locked.read();
        let held = |row: &String| inner.directory().at(row).and_then(|number| inner.hypervectors().held(number));
        Ok(rows.iter().map(|row| held(row).map(|bytes| PyBytes::new(py, &bytes))).collect())
    }

    /// The facts that rows state, in the form that symbols are compared in, and how sure each is; None for a row without
    /// one, and for all of them before facts are learnt.
    fn facts(&self, rows: &Bound<'_, PyAny>) -> PyResult<Vec<Option<(String, f64)>>> {
        let rows = convert::texts(rows, "rows")?;
        let inner = self.locked.read();
        let stated = |row: &String| {
            let (number, index) = (inner.directory().at(row)?, inner.symbolic()?);
            index.stated(number).map(|(fact, confidence)| (fact.to_owned(), confidence))
        };
        Ok(rows.iter().map(stated).collect())
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        py.detach(|| self.locked.read().len())
    }

    /// Whether records with this id are known, in whichever cell.
    fn __contains__(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<bool> {
        let id = convert::text(id, "id")?.to_owned();
        Ok(py.detach(|| self.locked.read().directory().find(&id).is_some()))
    }
}

/// How many there may be: no number is too large.
fn at_most(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    convert::count(value, "most", usize::MAX)
}
