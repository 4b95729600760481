//! The directory of records for Python.

use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBool, PyBytes};

use super::{convert, filters};
use crate::codec::{Reader, Tag};
use crate::error::{Error, Result};
use crate::ids;
use crate::records::{self, Batch, Column, Fields, Filter, Selection, Value};

const KIND: Tag = *b"FLDS";

/// Records by cell and id, with the fields that filters ask.
///
/// `columns` names fields that hold one number each; those of `ordered` are kept in order besides, for ranges that few
/// records lie in. Every other field takes texts, numbers and flags, one or several, and appears when it first occurs.
///
/// >>> directory = Directory(["length"])
/// >>> directory.put(["a", "b"], [{"tags": ["red", "big"], "length": 3}, {"tags": "red", "length": 5}])
/// >>> directory.select(("and", (("in", "tags", ("red",)), ("range", "length", 4, True, None, False))))
/// [('b', '')]
#[pyclass(frozen, module = "byheart._core")]
pub struct Directory {
    inner: RwLock<Inner>,
}

/// Records and their fields.
struct Inner {
    records: records::Directory,
    fields: Fields,
}

impl Inner {
    fn put(&mut self, keys: &[(String, String)], batch: &Batch) -> Result<()> {
        self.fields.check(keys.len(), batch)?;
        let numbers: Vec<u32> = keys.iter().map(|(id, cell)| self.records.insert(cell, id)).collect();
        self.fields.put(&self.records, &numbers, batch)
    }

    fn remove(&mut self, numbers: &[u32]) -> usize {
        self.fields.remove(&self.records, numbers);
        self.records.remove_all(numbers)
    }

    fn select(&self, filter: &Filter, cells: Option<&[String]>) -> Result<Selection> {
        filter.select(&self.records, &self.fields, &self.records.cell_numbers(cells))
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.records.bytes_with(KIND, |writer, positions| self.fields.write(writer, positions))
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::open(bytes, KIND)?;
        let records = records::Directory::read(&mut reader)?;
        let fields = Fields::read(&mut reader, &records)?;
        reader.finish()?;
        Ok(Self { records, fields })
    }
}

impl Directory {
    fn read(&self) -> RwLockReadGuard<'_, Inner> {
        self.inner.read().expect("a panic while writing left the directory in doubt")
    }

    fn write(&self) -> RwLockWriteGuard<'_, Inner> {
        self.inner.write().expect("a panic while writing left the directory in doubt")
    }
}

/// Ids with the keys of their cells: "" without `cells`.
///
/// # Errors
/// `InvalidArgument` for bad ids, a record that comes twice, and another number of cells; `LimitExceeded` for long names.
pub fn keys(ids: &Bound<'_, PyAny>, cells: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<(String, String)>> {
    let ids = convert::texts(ids, "ids")?;
    let cells = convert::cells_for(cells, ids.len())?.unwrap_or_else(|| vec![String::new(); ids.len()]);
    if cells.len() != ids.len() {
        let why = format!("has {} items for {} ids; give one for each id", cells.len(), ids.len());
        return Err(Error::invalid("cells", why).into());
    }
    for (id, cell) in ids.iter().zip(&cells) {
        ids::check_id(id)?;
        if cell.len() > ids::MAX_ID_BYTES {
            return Err(Error::limit("cell key length in bytes", ids::MAX_ID_BYTES, cell.len()).into());
        }
    }
    Ok(ids.into_iter().zip(cells).collect())
}

/// As [`keys`], each record once.
///
/// # Errors
/// As [`keys`].
pub fn distinct_keys(ids: &Bound<'_, PyAny>, cells: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<(String, String)>> {
    let keys = keys(ids, cells)?;
    let mut sorted: Vec<_> = keys.iter().collect();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        let why = format!("{:?} occurs twice in one cell; give each record once", pair[0].0);
        return Err(Error::invalid("ids", why).into());
    }
    Ok(keys)
}

/// The numbers of records that are known; `everywhere` those with these ids in whichever cell.
pub fn numbers(records: &records::Directory, keys: &[(String, String)], everywhere: bool) -> Vec<u32> {
    let of = |(id, cell): &(String, String)| -> Vec<u32> {
        if everywhere { records.all(id).collect() } else { records.get(cell, id).into_iter().collect() }
    };
    keys.iter().flat_map(of).collect()
}

/// The number of a record.
///
/// # Errors
/// `InvalidArgument` for one that is not known.
pub fn known(records: &records::Directory, (id, cell): &(String, String)) -> Result<u32> {
    records.get(cell, id).ok_or_else(|| Error::invalid("ids", format!("{id:?} is not known in the cell {cell:?}")))
}

/// The numbers of a column, nothing for records without one.
pub fn column(records: &records::Directory, column: &Column, keys: &[(String, String)]) -> Vec<Option<f64>> {
    let get = |(id, cell): &(String, String)| {
        let value = records.get(cell, id).map_or(f64::NAN, |number| column.get(number));
        (!value.is_nan()).then_some(value)
    };
    keys.iter().map(get).collect()
}

/// How many records of cells that match a filter have each value of a field.
///
/// # Errors
/// As [`Filter::matches`].
pub fn counted(
    records: &records::Directory,
    fields: &Fields,
    field: &str,
    filter: Option<Filter>,
    cells: Option<&[String]>,
) -> Result<Vec<(Value, u64)>> {
    let filter = filter.unwrap_or_else(|| Filter::And(Vec::new()));
    let among = filter.matches(records, fields, &records.cell_numbers(cells))?;
    Ok(fields.counts(field, &among).into_iter().map(|(value, count)| (value.clone(), count)).collect())
}

/// A value for Python; a number without a fraction is an `int`.
pub fn object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Flag(flag) => PyBool::new(py, *flag).to_owned().into_any(),
        Value::Text(text) => text.as_ref().into_pyobject(py)?.into_any(),
        Value::Number(number) => match number.as_whole() {
            Some(whole) => whole.into_pyobject(py)?.into_any(),
            None => number.get().into_pyobject(py)?.into_any(),
        },
    })
}

#[pymethods]
impl Directory {
    #[new]
    #[pyo3(signature = (columns = None, ordered = None))]
    fn new(columns: Option<&Bound<'_, PyAny>>, ordered: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let columns = convert::texts_or_none(columns, "columns")?.unwrap_or_default();
        let ordered = convert::texts_or_none(ordered, "ordered")?.unwrap_or_default();
        let inner = Inner { records: records::Directory::default(), fields: Fields::new(&columns, &ordered)? };
        Ok(Self { inner: RwLock::new(inner) })
    }

    /// Takes in records with what their fields say: a mapping each of names to a scalar or a list of scalars.
    ///
    /// A record with the same id in the same cell is replaced. `cells` gives one key for all or one for each. All or nothing.
    #[pyo3(signature = (ids, fields, cells = None))]
    fn put(
        &self,
        py: Python<'_>,
        ids: &Bound<'_, PyAny>,
        fields: &Bound<'_, PyAny>,
        cells: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (keys, batch) = (distinct_keys(ids, cells)?, filters::batch(fields)?);
        Ok(py.detach(|| self.write().put(&keys, &batch))?)
    }

    /// Removes records and answers how many there were; without `cells` those with these ids in whichever cell.
    #[pyo3(signature = (ids, cells = None))]
    fn remove(&self, py: Python<'_>, ids: &Bound<'_, PyAny>, cells: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
        let keys = keys(ids, cells)?;
        let everywhere = cells.is_none();
        Ok(py.detach(|| {
            let mut inner = self.write();
            let numbers = numbers(&inner.records, &keys, everywhere);
            inner.remove(&numbers)
        }))
    }

    /// The records of cells (None: of all) that match a filter: pairs of id and cell, by id, then cell.
    ///
    /// A filter is `("and", (f, ...))`, `("or", (f, ...))`, `("not", f)`, `("in", field, (value, ...))`,
    /// `("range", field, low, low_inclusive, high, high_inclusive)` with None for a bound that is not there, or
    /// `("exists", field, bool)`. A field that no record has and values of another kind match nothing.
    #[pyo3(signature = (filter, cells = None))]
    fn select(
        &self,
        py: Python<'_>,
        filter: &Bound<'_, PyAny>,
        cells: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<(String, String)>> {
        let (filter, cells) = (filters::filter(filter)?, convert::cells(cells)?);
        let found = py.detach(|| {
            let inner = self.read();
            let selection = inner.select(&filter, cells.as_deref())?;
            let mut numbers: Vec<u32> = selection.iter().collect();
            numbers.sort_unstable_by(|&one, &other| inner.records.order(one, other));
            Ok::<_, Error>(numbers.into_iter().map(|number| inner.records.name(number)).collect())
        })?;
        Ok(found)
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
        let (filter, cells) = (filters::filter_or_none(filter)?, convert::cells(cells)?);
        let found = py.detach(|| {
            let inner = self.read();
            counted(&inner.records, &inner.fields, &field, filter, cells.as_deref())
        })?;
        found.into_iter().map(|(value, count)| Ok((object(py, &value)?, count))).collect()
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
        let (name, keys) = (convert::text(name, "name")?.to_owned(), keys(ids, cells)?);
        let found = py.detach(|| {
            let inner = self.read();
            let why = || Error::invalid("name", format!("{name:?} is no column of this directory"));
            let held = inner.fields.column(&name).ok_or_else(why)?;
            Ok::<_, Error>(column(&inner.records, held, &keys))
        })?;
        Ok(found)
    }

    /// The directory as bytes: versioned, checksummed, equal for equal content.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| self.read().to_bytes()))
    }

    /// The directory that `to_bytes` wrote. Raises CorruptIndex for damaged bytes, UnsupportedFormat for newer ones.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: PyBackedBytes) -> PyResult<Self> {
        Ok(Self { inner: RwLock::new(py.detach(|| Inner::from_bytes(&data))?) })
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        py.detach(|| self.read().records.len())
    }

    fn __contains__(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<bool> {
        let id = convert::text(id, "id")?.to_owned();
        Ok(py.detach(|| self.read().records.all(&id).next().is_some()))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("Directory({} records)", self.__len__(py))
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(convert::refuse_pickle("Directory"))
    }
}
