//! A partition for Python.

mod absolute;
mod agreed;
mod change;
mod legs;
mod proposal;
mod staged;

use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Instant;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};

pub use absolute::Absolute;
pub use agreed::Agreement;
pub use proposal::{Proposal, ProposedLeg};
pub use staged::Staged;

use self::legs::{Asked, forms, words};
use self::proposal::Wanted;
use super::dense::{DenseExplanation, DenseIndex};
use super::explanation::LexicalExplanation;
use super::hdc::HypervectorIndex;
use super::lexical::LexicalIndex;
use super::symbolic::{self, SymbolicIndex};
use super::{buffers, convert, directory, filters};
use crate::error::{Error, Result};
use crate::partition::{self, Question, Scope};
use crate::records::{Fields, Filter};
use crate::{dense, hdc, lexical};

/// The records of one tenant: which there are, what filters ask of them, and the indexes over them.
///
/// It begins with the settings of empty indexes. `columns`, `ordered` as for `Directory`; `end` names the ordered one that
/// says when a record's life ends.
///
/// >>> partition = Partition(LexicalIndex(), HypervectorIndex())
/// >>> partition.put(["a", "b"], ["a red fox", "a red hen"], [{"user_id": "ada"}, {"user_id": "bob"}])
/// >>> found = partition.propose([{"retriever": "lexical", "k": 10}], terms=["red"], filter=("in", "user_id", ("bob",)))
/// >>> found.keys, found.legs[0].rows
/// ([('b', '')], [0])
#[pyclass(frozen, module = "byheart._core")]
pub struct Partition {
    inner: RwLock<partition::Partition>,
}

impl Partition {
    /// Access beside other readers.
    pub fn read(&self) -> RwLockReadGuard<'_, partition::Partition> {
        self.inner.read().expect("a panic while writing left the partition in doubt")
    }

    fn write(&self) -> RwLockWriteGuard<'_, partition::Partition> {
        self.inner.write().expect("a panic while writing left the partition in doubt")
    }

    /// Takes in embeddings whose rows are awaited, each with the key of its record's cell and its id; others are passed over.
    ///
    /// # Errors
    /// `InvalidArgument` where there is no index of embeddings.
    pub fn bring(&self, rows: &[(&str, &str, &[u8])]) -> Result<()> {
        let mut inner = self.write();
        let mut known = Vec::with_capacity(rows.len());
        for (cell, id, row) in rows {
            known.extend(inner.directory().get(cell, id).map(|number| (number, *row)));
        }
        inner.come(&known)
    }

    /// Something about one record.
    fn about<R: Send>(
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

/// How fields are added up: weights by field, k1 and b, the mark of terms that count as others.
type Joint = (Vec<u32>, Option<(f64, f64)>, String);

/// The index of embeddings, or an error that names it.
fn embeddings(partition: &partition::Partition) -> Result<&dense::Index> {
    partition.dense().ok_or_else(|| Error::invalid("partition", "has no index of embeddings"))
}

#[pymethods]
impl Partition {
    #[new]
    #[pyo3(signature = (lexical, hypervectors, dense = None, columns = None, ordered = None, end = None))]
    fn new(
        lexical: &Bound<'_, LexicalIndex>,
        hypervectors: &Bound<'_, HypervectorIndex>,
        dense: Option<&Bound<'_, DenseIndex>>,
        columns: Option<&Bound<'_, PyAny>>,
        ordered: Option<&Bound<'_, PyAny>>,
        end: Option<String>,
    ) -> PyResult<Self> {
        let columns = convert::texts_or_none(columns, "columns")?.unwrap_or_default();
        let ordered = convert::texts_or_none(ordered, "ordered")?.unwrap_or_default();
        let words = lexical::Index::new((*lexical.get().held.settings).clone());
        let vectors = hdc::Index::new(hypervectors.get().held.read().settings().clone())?;
        let dense = dense.map(|dense| dense::Index::new(dense.get().held.settings.clone())).transpose()?;
        let inner = partition::Partition::new(Fields::new(&columns, &ordered)?, words, vectors, dense, end)?;
        Ok(Self { inner: RwLock::new(inner) })
    }

    /// Takes in records, in place of those with the same ids in the same cells. All or nothing.
    ///
    /// `documents` as for `LexicalIndex.add`, `fields` as for `Directory.put`; the rest has one item for each record, or
    /// None: a label, a mapping of hypervectors, an embedding (bytes of float32, or an array), a fact, a hash of 16 bytes.
    #[pyo3(signature = (ids, documents, fields, cells = None, *, labels = None, hypervectors = None, embeddings = None,
                        lent = false, facts = None, hashes = None))]
    #[allow(clippy::too_many_arguments)] // keywords of Python
    fn put(
        &self,
        py: Python<'_>,
        ids: &Bound<'_, PyAny>,
        documents: &Bound<'_, PyAny>,
        fields: &Bound<'_, PyAny>,
        cells: Option<&Bound<'_, PyAny>>,
        labels: Option<Vec<Option<String>>>,
        hypervectors: Option<Vec<Option<Bound<'_, PyAny>>>>,
        embeddings: Option<Vec<Option<Bound<'_, PyAny>>>>,
        lent: bool,
        facts: Option<Vec<Option<Bound<'_, PyAny>>>>,
        hashes: Option<Vec<Option<PyBackedBytes>>>,
    ) -> PyResult<()> {
        let keys = directory::distinct_keys(ids, cells)?;
        let (settings, dimensions) = {
            let inner = self.read();
            (inner.lexical().settings().clone(), inner.dense().map(|dense| dense.ladder().dimensions()))
        };
        let rest = change::Rest { labels, hypervectors, embeddings, lent, facts, hashes };
        let additions = change::additions(py, keys, documents, fields, rest, &settings, dimensions)?;
        Ok(py.detach(|| self.write().put(&additions))?)
    }

    /// Takes records out of every index and keeps what their fields say; unknown ones become known.
    #[pyo3(signature = (ids, fields, cells = None))]
    fn archive(
        &self,
        py: Python<'_>,
        ids: &Bound<'_, PyAny>,
        fields: &Bound<'_, PyAny>,
        cells: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (keys, fields) = (directory::distinct_keys(ids, cells)?, filters::batch(fields)?);
        Ok(py.detach(|| self.write().archive(&keys, &fields))?)
    }

    /// Forgets records and answers how many were known; without `cells` those with these ids in whichever cell.
    #[pyo3(signature = (ids, cells = None))]
    fn remove(&self, py: Python<'_>, ids: &Bound<'_, PyAny>, cells: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
        let (keys, everywhere) = (directory::keys(ids, cells)?, cells.is_none());
        Ok(py.detach(|| {
            let mut inner = self.write();
            let numbers = directory::numbers(inner.directory(), &keys, everywhere);
            inner.remove(&numbers)
        }))
    }

    /// Begins an index of facts with the settings of an empty one; `learn` and `put` fill it.
    fn begin_facts(&self, index: &Bound<'_, SymbolicIndex>) {
        let settings = index.get().held.read().settings().clone();
        self.write().begin_facts(settings);
    }

    /// Takes in facts of records that are known and not archived.
    #[pyo3(signature = (ids, facts, cells = None))]
    fn learn(
        &self,
        py: Python<'_>,
        ids: &Bound<'_, PyAny>,
        facts: &Bound<'_, PyAny>,
        cells: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (keys, facts) = (directory::distinct_keys(ids, cells)?, symbolic::statements(py, facts)?);
        Ok(py.detach(|| {
            let mut inner = self.write();
            let numbers: Result<Vec<u32>> = keys.iter().map(|key| directory::known(inner.directory(), key)).collect();
            inner.learn(&numbers?, &facts)
        })?)
    }

    /// Takes in hypervectors of records that are known and not archived: for each a mapping, or None.
    #[pyo3(signature = (ids, hypervectors, cells = None))]
    fn encode(
        &self,
        py: Python<'_>,
        ids: &Bound<'_, PyAny>,
        hypervectors: Vec<Option<Bound<'_, PyAny>>>,
        cells: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let keys = directory::distinct_keys(ids, cells)?;
        let (mut rows, mut vectors) = (Vec::new(), Vec::new());
        for (row, given) in change::given(Some(hypervectors), "hypervectors", keys.len())? {
            rows.push(row);
            vectors.push(super::hdc::vectors(&given)?);
        }
        Ok(py.detach(|| {
            let mut inner = self.write();
            let known = |&row: &usize| directory::known(inner.directory(), &keys[row]);
            let numbers: Result<Vec<u32>> = rows.iter().map(known).collect();
            inner.encode(&numbers?, &vectors)
        })?)
    }

    /// Whether hypervectors are made when they are first asked for, and were not yet: until then a leg that asks them raises
    /// IndexNotMade.
    #[getter]
    fn deferred(&self) -> bool {
        self.read().is_deferred()
    }

    /// Has hypervectors made later, or says that they have been made of all records that can be found.
    fn defer(&self, deferred: bool) {
        self.write().defer(deferred);
    }

    /// Takes in embeddings (bytes of float32) whose rows are awaited (see `to_bytes`); others are passed over, and unknown ids.
    #[pyo3(signature = (ids, embeddings, cells = None))]
    fn come(
        &self,
        py: Python<'_>,
        ids: &Bound<'_, PyAny>,
        embeddings: Vec<PyBackedBytes>,
        cells: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let keys = directory::keys(ids, cells)?;
        let rows = keys.iter().zip(&embeddings).map(|((id, cell), row)| (cell.as_str(), id.as_str(), &**row));
        let rows: Vec<_> = rows.collect();
        Ok(py.detach(|| self.bring(&rows))?)
    }

    /// How many embeddings are lent: the bytes that came with `put` are kept, and no second copy of them.
    #[getter]
    fn lent(&self) -> usize {
        self.read().dense().map_or(0, dense::Index::lent)
    }

    /// Waits for rows no longer, and returns id and cell of the records of which none came: these have no embedding.
    fn wait_no_longer(&self) -> Vec<(String, String)> {
        let mut inner = self.write();
        let missing = inner.wait_no_longer();
        missing.into_iter().map(|number| inner.directory().name(number)).collect()
    }

    /// Whether the index of facts has been begun.
    #[getter]
    fn knows_facts(&self) -> bool {
        self.read().symbolic().is_some()
    }

    /// Keys of cells (None: of all) that hold records: for each how many can be found, and how many are archived.
    #[pyo3(signature = (cells = None))]
    fn sizes<'py>(&self, py: Python<'py>, cells: Option<&Bound<'_, PyAny>>) -> PyResult<Bound<'py, PyDict>> {
        let (cells, sizes) = (convert::cells(cells)?, PyDict::new(py));
        let found = py.detach(|| {
            let inner = self.read();
            inner.sizes(&inner.directory().cell_numbers(cells.as_deref()))
        });
        for size in found {
            sizes.set_item(size.cell, (size.active, size.archived))?;
        }
        Ok(sizes)
    }

    /// How many records of cells can be found and have no embedding, though there is an index of them.
    #[pyo3(signature = (cells = None))]
    fn without_vector(&self, py: Python<'_>, cells: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
        let cells = convert::cells(cells)?;
        Ok(py.detach(|| {
            let inner = self.read();
            inner.without_vector(&inner.directory().cell_numbers(cells.as_deref()))
        }))
    }

    /// The records of cells that match a filter, archived ones too: pairs of id and cell, by id, then cell.
    #[pyo3(signature = (filter = None, cells = None))]
    fn select(
        &self,
        py: Python<'_>,
        filter: Option<&Bound<'_, PyAny>>,
        cells: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<(String, String)>> {
        let (filter, cells) = (filters::filter_or_none(filter)?, convert::cells(cells)?);
        let found = py.detach(|| {
            let inner = self.read();
            let filter = filter.unwrap_or_else(|| Filter::And(Vec::new()));
            let numbers = inner.select(&filter, &inner.directory().cell_numbers(cells.as_deref()))?;
            Ok::<_, Error>(numbers.into_iter().map(|number| inner.directory().name(number)).collect())
        })?;
        Ok(found)
    }

    /// The rows of the records of cells that match a filter, archived ones too, in order.
    ///
    /// A row is what a record is known by: its id, or id, "\x1f" and cell where several cells have the id.
    #[pyo3(signature = (filter = None, cells = None))]
    fn rows(
        &self,
        py: Python<'_>,
        filter: Option<&Bound<'_, PyAny>>,
        cells: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<String>> {
        let (filter, cells) = (filters::filter_or_none(filter)?, convert::cells(cells)?);
        let found = py.detach(|| {
            let inner = self.read();
            let filter = filter.unwrap_or_else(|| Filter::And(Vec::new()));
            let numbers = inner.select(&filter, &inner.directory().cell_numbers(cells.as_deref()))?;
            Ok::<_, Error>(numbers.into_iter().map(|number| inner.directory().row(number)).collect())
        })?;
        Ok(found)
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
        let (groups, cells) = (each.collect::<PyResult<Vec<_>>>()?, convert::cells(cells)?);
        let (filter, gone) = (filters::filter_or_none(filter)?, filters::filter_or_none(gone)?);
        let found = py.detach(|| {
            let inner = self.read();
            let cells = inner.directory().cell_numbers(cells.as_deref());
            let scope = Scope { cells: &cells, filter: filter.as_ref(), now, gone: gone.as_ref() };
            let numbers = inner.holding(&groups, &scope)?;
            Ok::<_, Error>(numbers.into_iter().map(|number| inner.directory().row(number)).collect())
        })?;
        Ok(found)
    }

    /// The rows of the records that have a number in a column which is kept in order, archived ones too, in order; None if
    /// there are more than `limit`, of which no more are looked at.
    fn bearing(&self, py: Python<'_>, column: &str, number: f64, limit: usize) -> PyResult<Option<Vec<String>>> {
        let found = py.detach(|| {
            let inner = self.read();
            let found = inner.bearing(column, number, limit)?;
            let rows = |numbers: Vec<u32>| numbers.into_iter().map(|number| inner.directory().row(number)).collect();
            Ok::<_, Error>(found.map(rows))
        })?;
        Ok(found)
    }

    /// The hashes of the records that name others in a field by their ids, and of those that are named; None if more than
    /// `limit` name any, or one has no hash.
    fn linked<'py>(&self, py: Python<'py>, field: &str, limit: usize) -> Option<Vec<Bound<'py, PyBytes>>> {
        let found = py.detach(|| self.read().linked(field, limit));
        found.map(|hashes| hashes.iter().map(|hash| PyBytes::new(py, hash)).collect())
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
    ) -> PyResult<usize> {
        let (filter, cells) = (filters::filter_or_none(filter)?, convert::cells(cells)?);
        let found = py.detach(|| {
            let inner = self.read();
            let filter = filter.unwrap_or_else(|| Filter::And(Vec::new()));
            let numbers = inner.select(&filter, &inner.directory().cell_numbers(cells.as_deref()))?;
            Ok::<_, Error>(if blank { inner.blank(&numbers) } else { numbers.len() })
        })?;
        Ok(found)
    }

    /// The rows of the records with an id, in the order of their cells.
    fn rows_of(&self, id: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let id = convert::text(id, "id")?;
        let inner = self.read();
        let mut numbers: Vec<u32> = inner.directory().all(id).collect();
        numbers.sort_unstable_by(|&one, &other| inner.directory().order(one, other));
        Ok(numbers.into_iter().map(|number| inner.directory().row(number)).collect())
    }

    /// Id and cell of each row; None for a row that is not known.
    fn places(&self, rows: &Bound<'_, PyAny>) -> PyResult<Vec<Option<(String, String)>>> {
        let rows = convert::texts(rows, "rows")?;
        let inner = self.read();
        Ok(rows.iter().map(|row| inner.directory().at(row).map(|number| inner.directory().name(number))).collect())
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
        let (rows, (joined, around)) = (convert::texts(rows, "rows")?, words(leg)?);
        let around = around.ok_or_else(|| Error::invalid("leg", "does not say what a conversation is"))?;
        let found = py.detach(|| {
            let inner = self.read();
            let directory = inner.directory();
            let numbers: Vec<Option<u32>> = rows.iter().map(|row| directory.at(row)).collect();
            let named = |numbers: &Vec<u32>| numbers.iter().map(|&number| directory.row(number)).collect();
            let found = inner.beside(&around, &joined, &numbers)?;
            Ok::<_, Error>(found.iter().map(|(before, after)| (named(before), named(after))).collect())
        })?;
        Ok(found)
    }

    /// Whether the record of a row is known and can be found: it is not archived.
    fn is_active(&self, row: &Bound<'_, PyAny>) -> PyResult<bool> {
        let row = convert::text(row, "row")?;
        let inner = self.read();
        Ok(inner.directory().at(row).is_some_and(|number| !inner.is_archived(number)))
    }

    /// The values that the record of a row has in a field, in order; none for an unknown one.
    fn values<'py>(
        &self,
        py: Python<'py>,
        field: &Bound<'py, PyAny>,
        row: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (field, row) = (convert::text(field, "field")?, convert::text(row, "row")?);
        let inner = self.read();
        let Some(number) = inner.directory().at(row) else { return Ok(Vec::new()) };
        let values = inner.fields().values(number).into_iter().filter(|(name, _)| *name == field);
        values.map(|(_, value)| directory::object(py, value)).collect()
    }

    /// The hash of each row, or None.
    fn hashes<'py>(&self, py: Python<'py>, rows: &Bound<'py, PyAny>) -> PyResult<Vec<Option<Bound<'py, PyBytes>>>> {
        let rows = convert::texts(rows, "rows")?;
        let inner = self.read();
        let hash = |row: &String| inner.directory().at(row).and_then(|number| inner.hash(number));
        Ok(rows.iter().map(|row| hash(row).map(|hash| PyBytes::new(py, &hash))).collect())
    }

    /// Whether a record of cells (None: of all) has an end.
    #[pyo3(signature = (cells = None))]
    fn any_ends(&self, cells: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
        let cells = convert::cells(cells)?;
        let inner = self.read();
        Ok(inner.any_ends(&inner.directory().cell_numbers(cells.as_deref())))
    }

    /// The greatest number in a column among the records of cells that can be found; None if there is none.
    #[pyo3(signature = (column, cells = None))]
    fn greatest(
        &self,
        py: Python<'_>,
        column: &Bound<'_, PyAny>,
        cells: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<f64>> {
        let (column, cells) = (convert::text(column, "column")?.to_owned(), convert::cells(cells)?);
        let found = py.detach(|| {
            let inner = self.read();
            inner.greatest(&column, &inner.directory().cell_numbers(cells.as_deref()))
        });
        Ok(found?)
    }

    /// The numbers in a column of the records of cells that can be found and have one, smallest first.
    #[pyo3(signature = (column, cells = None))]
    fn numbers(
        &self,
        py: Python<'_>,
        column: &Bound<'_, PyAny>,
        cells: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<f64>> {
        let (column, cells) = (convert::text(column, "column")?.to_owned(), convert::cells(cells)?);
        let found = py.detach(|| {
            let inner = self.read();
            inner.numbers(&column, &inner.directory().cell_numbers(cells.as_deref()))
        });
        Ok(found?)
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
        let counted = py.detach(|| {
            let inner = self.read();
            directory::counted(inner.directory(), inner.fields(), &field, filter, cells.as_deref())
        })?;
        counted.into_iter().map(|(value, count)| Ok((directory::object(py, &value)?, count))).collect()
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
        let (name, keys) = (convert::text(name, "name")?.to_owned(), directory::keys(ids, cells)?);
        let found = py.detach(|| {
            let inner = self.read();
            Ok::<_, Error>(directory::column(inner.directory(), inner.column(&name)?, &keys))
        })?;
        Ok(found)
    }

    /// What each leg proposes, in one call.
    ///
    /// A leg is a mapping: `retriever` ("lexical", "hypervector", "dense", "symbolic") and `k`; and as far as they are wanted
    /// `floor` (the least score), `within` (a filter of its own), `blank` (only records without an embedding), `fewer` (ask
    /// only if the legs before propose fewer hits, all filters left aside), `whole` (say what it proposes unfiltered), `count`
    /// (say how much that is, and perhaps no more); for "dense" the keywords of `DenseIndex.search`, for "symbolic" `options`
    /// and `deadline`. The question comes in each form that legs ask for: `terms` (with `boosts`), `hypervectors`, `vector`,
    /// `symbols` (terms and a text); a leg without its form is not asked. `filter` says which records may be found, and
    /// changes no score. Records that end at `now` or before are not found, nor are those that match the filter `gone`:
    /// nothing follows from either. `columns` and `words` (fields of values) are given for all records that are proposed, and
    /// with `hashes` their hashes; what they say in the field `listed` is kept for `Absolute`.
    #[pyo3(signature = (legs, cells = None, *, terms = None, boosts = None, hypervectors = None, vector = None,
                        symbols = None, filter = None, now = None, gone = None, columns = None, words = None,
                        hashes = false, listed = None))]
    #[allow(clippy::too_many_arguments)] // keywords of Python
    fn propose(
        &self,
        py: Python<'_>,
        legs: &Bound<'_, PyAny>,
        cells: Option<&Bound<'_, PyAny>>,
        terms: Option<&Bound<'_, PyAny>>,
        boosts: Option<&Bound<'_, PyAny>>,
        hypervectors: Option<&Bound<'_, PyAny>>,
        vector: Option<&Bound<'_, PyAny>>,
        symbols: Option<(Bound<'_, PyAny>, Option<String>)>,
        filter: Option<&Bound<'_, PyAny>>,
        now: Option<f64>,
        gone: Option<&Bound<'_, PyAny>>,
        columns: Option<&Bound<'_, PyAny>>,
        words: Option<&Bound<'_, PyAny>>,
        hashes: bool,
        listed: Option<String>,
    ) -> PyResult<Proposal> {
        let (ladder, mode) = {
            let inner = self.read();
            (inner.dense().map(|index| index.ladder().clone()), inner.symbolic().map(|index| index.settings().mode()))
        };
        let (filter, gone) = (filters::filter_or_none(filter)?, filters::filter_or_none(gone)?);
        let cells = convert::cells(cells)?;
        let columns = convert::texts_or_none(columns, "columns")?.unwrap_or_default();
        let words = convert::texts_or_none(words, "words")?.unwrap_or_default();
        let wanted = Wanted { columns, words, listed, hashes };
        let Asked { legs, deadline } = Asked::read(legs, ladder.as_ref())?;
        let forms = forms((terms, boosts), hypervectors, (vector, ladder.as_ref()), (symbols, mode))?;
        let mut expired = symbolic::expiry(deadline)?;
        let found = py.detach(|| {
            let start = Instant::now();
            let clock = || start.elapsed().as_secs_f64() * 1e3;
            let inner = self.read();
            let cells = inner.directory().cell_numbers(cells.as_deref());
            let scope = Scope { cells: &cells, filter: filter.as_ref(), now, gone: gone.as_ref() };
            let mut question = Question { forms: &forms, scope, clock: &clock, expired: &mut expired };
            Proposal::new(inner.propose(&legs, &mut question)?, &inner, &wanted)
        });
        Ok(found?)
    }

    /// How the words score one record: parts in order, their sum, factors, score (0.0 for no hit). With `joined` (weights
    /// by field; k1 and b, or None; a mark) over all fields as one, without boosts.
    #[pyo3(signature = (terms, id, cell = "", *, cells = None, boosts = None, joined = None))]
    #[allow(clippy::too_many_arguments)] // keywords of Python
    fn explain_words(
        &self,
        py: Python<'_>,
        terms: &Bound<'_, PyAny>,
        id: &Bound<'_, PyAny>,
        cell: &str,
        cells: Option<&Bound<'_, PyAny>>,
        boosts: Option<&Bound<'_, PyAny>>,
        joined: Option<Joint>,
    ) -> PyResult<LexicalExplanation> {
        let terms = convert::texts(terms, "terms")?;
        let query = lexical::Query::from_terms(terms.iter().map(String::as_str))?;
        let (cells, boosts) = (convert::cells(cells)?, convert::numbers(boosts, "boosts")?.unwrap_or_default());
        let joined = joined.map(|(weights, saturation, mark)| lexical::Joined { weights, saturation, mark });
        let explained = self.about(py, id, cell, |inner, number| {
            let cells = inner.directory().cell_numbers(cells.as_deref());
            let (directory, words) = (inner.directory(), inner.lexical());
            match &joined {
                None => words.explain(directory, &query, &boosts, number, &cells),
                Some(joined) => words.explain_joined(directory, &query, joined, number, &cells),
            }
        })?;
        Ok(LexicalExplanation::new(explained))
    }

    /// How well the words of the whole conversation of a record fit, taken apart; and what the words weigh among
    /// conversations. None for a record that is in none. `leg` is as in `beside`.
    #[pyo3(signature = (terms, leg, id, cell = "", *, cells = None))]
    fn explain_whole(
        &self,
        py: Python<'_>,
        terms: &Bound<'_, PyAny>,
        leg: &Bound<'_, PyDict>,
        id: &Bound<'_, PyAny>,
        cell: &str,
        cells: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<(LexicalExplanation, f64)>> {
        let terms = convert::texts(terms, "terms")?;
        let query = lexical::Query::from_terms(terms.iter().map(String::as_str))?;
        let (cells, (joined, around)) = (convert::cells(cells)?, words(leg)?);
        let around = around.ok_or_else(|| Error::invalid("leg", "does not say what a conversation is"))?;
        let explained = self.about(py, id, cell, |inner, number| {
            let cells = inner.directory().cell_numbers(cells.as_deref());
            inner.explain_whole(&around, &joined, &query, number, &cells)
        })?;
        Ok(explained.map(|(told, weight)| (LexicalExplanation::new(told), weight)))
    }

    /// How an embedding scores one record, with what each tier says.
    #[pyo3(signature = (vector, id, cell = ""))]
    fn explain_vector(
        &self,
        py: Python<'_>,
        vector: &Bound<'_, PyAny>,
        id: &Bound<'_, PyAny>,
        cell: &str,
    ) -> PyResult<DenseExplanation> {
        let dimensions = embeddings(&self.read())?.ladder().dimensions();
        let vector = buffers::vector(vector, "vector", dimensions)?;
        let explain =
            |inner: &partition::Partition, number| embeddings(inner)?.explain(inner.directory(), &vector, number);
        Ok(DenseExplanation::new(convert::text(id, "id")?.to_owned(), self.about(py, id, cell, explain)?))
    }

    /// The embeddings of rows, divided by their lengths: float32 numbers, little-endian, of those that have one, in order;
    /// and for each row whether it has.
    fn vectors<'py>(&self, py: Python<'py>, rows: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyBytes>, Vec<bool>)> {
        let rows = convert::texts(rows, "rows")?;
        let inner = self.read();
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
        let inner = self.read();
        let held = |row: &String| inner.directory().at(row).and_then(|number| inner.hypervectors().held(number));
        Ok(rows.iter().map(|row| held(row).map(|bytes| PyBytes::new(py, &bytes))).collect())
    }

    /// The facts that rows state, in the form that symbols are compared in, and how sure each is; None for a row without
    /// one, and for all of them before facts are learnt.
    fn facts(&self, rows: &Bound<'_, PyAny>) -> PyResult<Vec<Option<(String, f64)>>> {
        let rows = convert::texts(rows, "rows")?;
        let inner = self.read();
        let stated = |row: &String| {
            let (number, index) = (inner.directory().at(row)?, inner.symbolic()?);
            index.stated(number).map(|(fact, confidence)| (fact.to_owned(), confidence))
        };
        Ok(rows.iter().map(stated).collect())
    }

    /// The partition as bytes: versioned, checksummed, equal for equal content; without the facts. Without `vectors` the
    /// checksums of the embeddings stand in their place, and whoever reads it brings them (`come`).
    #[pyo3(signature = (*, vectors = true))]
    fn to_bytes<'py>(&self, py: Python<'py>, vectors: bool) -> Bound<'py, PyBytes> {
        let written = || {
            let inner = self.read();
            if vectors { inner.to_bytes() } else { inner.to_bytes_without_rows() }
        };
        PyBytes::new(py, &py.detach(written))
    }

    /// The partition that `to_bytes` wrote. Raises CorruptIndex for damaged bytes, UnsupportedFormat for newer ones.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: PyBackedBytes) -> PyResult<Self> {
        Ok(Self { inner: RwLock::new(py.detach(|| partition::Partition::from_bytes(&data))?) })
    }

    /// Whether another partition has the same settings: those of its indexes, its columns, and when records end.
    fn is_like(&self, other: &Bound<'_, Self>) -> bool {
        std::ptr::eq(self, other.get()) || self.read().is_like(&other.get().read())
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        py.detach(|| self.read().len())
    }

    /// Whether records with this id are known, in whichever cell.
    fn __contains__(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<bool> {
        let id = convert::text(id, "id")?.to_owned();
        Ok(py.detach(|| self.read().directory().find(&id).is_some()))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("Partition({} records)", self.__len__(py))
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(convert::refuse_pickle("Partition"))
    }
}
