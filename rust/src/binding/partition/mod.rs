//! A partition for Python.

mod absolute;
mod agreed;
mod asking;
mod change;
mod directory;
mod explaining;
mod legs;
mod proposal;
mod staged;

use std::sync::Arc;
use std::time::Instant;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};

pub use absolute::Absolute;
pub use agreed::Agreement;
pub use directory::Directory;
pub use proposal::{Proposal, ProposedLeg};
pub use staged::Staged;

use self::asking::{Findable, Locked};
use self::explaining::Joint;
use self::legs::{Asked, forms};
use self::proposal::Wanted;
use super::dense::{DenseExplanation, DenseIndex};
use super::explanation::LexicalExplanation;
use super::hdc::HypervectorIndex;
use super::lexical::LexicalIndex;
use super::symbolic::{self, SymbolicIndex};
use super::{convert, filters, keys};
use crate::error::Result;
use crate::partition::{self, Question};
use crate::records::Fields;
use crate::{dense, hdc, lexical};

/// The records of one tenant: which there are, what filters ask of them, and the indexes over them.
///
/// It begins with the settings of empty indexes. `columns` names fields that hold one number each; those of
/// `ordered` are kept in order besides, for ranges that few records lie in, and `end` is the one of them that says when a
/// record's life ends. Every other field takes texts, numbers and flags, one or several, and appears when it first occurs.
///
/// >>> partition = Partition(LexicalIndex(), HypervectorIndex())
/// >>> partition.put(["a", "b"], ["a red fox", "a red hen"], [{"user_id": "ada"}, {"user_id": "bob"}])
/// >>> found = partition.propose([{"retriever": "lexical", "k": 10}], terms=["red"], filter=("in", "user_id", ("bob",)))
/// >>> found.keys, found.legs[0].rows
/// ([('b', '')], [0])
#[pyclass(frozen, extends = Directory, module = "byheart._core")]
pub struct Partition {
    /// What its directory reads, too.
    pub locked: Arc<Locked>,
}

impl Partition {
    fn begin(partition: partition::Partition) -> PyClassInitializer<Self> {
        let locked = Arc::new(Locked::new(partition));
        PyClassInitializer::from(Directory { locked: Arc::clone(&locked) }).add_subclass(Self { locked })
    }
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
    ) -> PyResult<PyClassInitializer<Self>> {
        let columns = convert::texts_or_none(columns, "columns")?.unwrap_or_default();
        let ordered = convert::texts_or_none(ordered, "ordered")?.unwrap_or_default();
        let words = lexical::Index::new((*lexical.get().held.settings).clone());
        let vectors = hdc::Index::new(hypervectors.get().held.read().settings().clone())?;
        let dense = dense.map(|dense| dense::Index::new(dense.get().held.settings.clone())).transpose()?;
        let inner = partition::Partition::new(Fields::new(&columns, &ordered)?, words, vectors, dense, end)?;
        Ok(Self::begin(inner))
    }

    /// Takes in records, in place of those with the same ids in the same cells. All or nothing.
    ///
    /// `documents` as for `LexicalIndex.add`, `fields` are mappings of names to a scalar or a list of scalars; the rest has one item for each record, or
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
        let keys = keys::distinct_keys(ids, cells)?;
        let (settings, dimensions) = {
            let inner = self.locked.read();
            (inner.lexical().settings().clone(), inner.dense().map(|dense| dense.ladder().dimensions()))
        };
        let rest = change::Rest { labels, hypervectors, embeddings, lent, facts, hashes };
        let additions = change::additions(py, keys, documents, fields, rest, &settings, dimensions)?;
        Ok(py.detach(|| self.locked.write().put(&additions))?)
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
        let (keys, fields) = (keys::distinct_keys(ids, cells)?, filters::batch(fields)?);
        Ok(py.detach(|| self.locked.write().archive(&keys, &fields))?)
    }

    /// Forgets records and answers how many were known; without `cells` those with these ids in whichever cell.
    #[pyo3(signature = (ids, cells = None))]
    fn remove(&self, py: Python<'_>, ids: &Bound<'_, PyAny>, cells: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
        let (keys, everywhere) = (keys::keys(ids, cells)?, cells.is_none());
        Ok(py.detach(|| {
            let mut inner = self.locked.write();
            let numbers = keys::numbers(inner.directory(), &keys, everywhere);
            inner.remove(&numbers)
        }))
    }

    /// Begins an index of facts with the settings of an empty one; `learn` and `put` fill it.
    fn begin_facts(&self, index: &Bound<'_, SymbolicIndex>) {
        let settings = index.get().held.read().settings().clone();
        self.locked.write().begin_facts(settings);
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
        let (keys, facts) = (keys::distinct_keys(ids, cells)?, symbolic::statements(py, facts)?);
        Ok(py.detach(|| {
            let mut inner = self.locked.write();
            let numbers: Result<Vec<u32>> = keys.iter().map(|key| keys::known(inner.directory(), key)).collect();
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
        let keys = keys::distinct_keys(ids, cells)?;
        let (mut rows, mut vectors) = (Vec::new(), Vec::new());
        for (row, given) in change::given(Some(hypervectors), "hypervectors", keys.len())? {
            rows.push(row);
            vectors.push(super::hdc::vectors(&given)?);
        }
        Ok(py.detach(|| {
            let mut inner = self.locked.write();
            let known = |&row: &usize| keys::known(inner.directory(), &keys[row]);
            let numbers: Result<Vec<u32>> = rows.iter().map(known).collect();
            inner.encode(&numbers?, &vectors)
        })?)
    }

    /// Whether hypervectors are made when they are first asked for, and were not yet: until then a leg that asks them raises
    /// IndexNotMade.
    #[getter]
    fn deferred(&self) -> bool {
        self.locked.read().is_deferred()
    }

    /// Has hypervectors made later, or says that they have been made of all records that can be found.
    fn defer(&self, deferred: bool) {
        self.locked.write().defer(deferred);
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
        let keys = keys::keys(ids, cells)?;
        let done = py.detach(|| {
            let mut inner = self.locked.write();
            keys.iter().zip(&embeddings).try_for_each(|((id, cell), row)| {
                let record = inner.directory().get(cell, id);
                record.map_or(Ok(()), |record| inner.come(record, row))
            })
        });
        Ok(done?)
    }

    /// How many embeddings are lent: the bytes that came with `put` are kept, and no second copy of them.
    #[getter]
    fn lent(&self) -> usize {
        self.locked.read().dense().map_or(0, dense::Index::lent)
    }

    /// Waits for rows no longer, and returns id and cell of the records of which none came: these have no embedding.
    fn wait_no_longer(&self) -> Vec<(String, String)> {
        let mut inner = self.locked.write();
        let missing = inner.wait_no_longer();
        missing.into_iter().map(|number| inner.directory().name(number)).collect()
    }

    /// Whether the index of facts has been begun.
    #[getter]
    fn knows_facts(&self) -> bool {
        self.locked.read().symbolic().is_some()
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
            let inner = self.locked.read();
            (inner.dense().map(|index| index.ladder().clone()), inner.symbolic().map(|index| index.settings().mode()))
        };
        let findable = Findable::read(filter, now, gone)?;
        let columns = convert::texts_or_none(columns, "columns")?.unwrap_or_default();
        let words = convert::texts_or_none(words, "words")?.unwrap_or_default();
        let wanted = Wanted { columns, words, listed, hashes };
        let Asked { legs, deadline } = Asked::read(legs, ladder.as_ref())?;
        let forms = forms((terms, boosts), hypervectors, (vector, ladder.as_ref()), (symbols, mode))?;
        let mut expired = symbolic::expiry(deadline)?;
        let found = self.locked.inside(py, cells, |inner, cells| {
            let start = Instant::now();
            let clock = || start.elapsed().as_secs_f64() * 1e3;
            let scope = findable.of(cells);
            let mut question = Question { forms: &forms, scope, clock: &clock, expired: &mut expired };
            Proposal::new(inner.propose(&legs, &mut question)?, inner, &wanted)
        })?;
        Ok(found?)
    }

    /// Of each term, whether the cells' records hold it in one of its forms: itself, its stem, and what the mark makes of these.
    #[pyo3(signature = (terms, mark = "", *, cells = None))]
    fn held_terms(
        &self,
        py: Python<'_>,
        terms: &Bound<'_, PyAny>,
        mark: &str,
        cells: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<bool>> {
        let terms = convert::texts(terms, "terms")?;
        self.locked.inside(py, cells, |inner, cells| inner.lexical().held_terms(&terms, mark, cells))
    }

    /// Of each term that the cells' records hold in none of its forms, compound words that begin or end with it: so many at
    /// most, those in most records first.
    #[pyo3(signature = (terms, mark = "", *, most = 3, cells = None))]
    fn compounds(
        &self,
        py: Python<'_>,
        terms: &Bound<'_, PyAny>,
        mark: &str,
        most: usize,
        cells: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Vec<String>>> {
        let terms = convert::texts(terms, "terms")?;
        self.locked.inside(py, cells, |inner, cells| inner.lexical().compounds(&terms, mark, most, cells))
    }

    /// Of each term, the nearest one that the cells' records hold where they hold neither it nor what the mark makes of it;
    /// None where they hold it, where it has fewer than five letters or other signs, and where none is near.
    #[pyo3(signature = (terms, mark = "", *, cells = None))]
    fn nearest_terms(
        &self,
        py: Python<'_>,
        terms: &Bound<'_, PyAny>,
        mark: &str,
        cells: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Option<String>>> {
        let terms = convert::texts(terms, "terms")?;
        self.locked.inside(py, cells, |inner, cells| inner.lexical().nearest_terms(&terms, mark, cells))
    }

    /// How the words score one record: parts in order, their sum, factors, score (0.0 for no hit). With `joined` (weights
    /// by field; k1 and b, or None; a mark; the ordinary texts that count beside the records) over all fields as one,
    /// without boosts.
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
        explaining::words(&self.locked, py, terms, (id, cell), cells, boosts, joined)
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
        explaining::whole(&self.locked, py, terms, leg, (id, cell), cells)
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
        explaining::vector(&self.locked, py, vector, (id, cell))
    }

    /// The partition as bytes: versioned, checksummed, equal for equal content; without the facts. Without `vectors` the
    /// checksums of the embeddings stand in their place, and whoever reads it brings them (`come`).
    #[pyo3(signature = (*, vectors = true))]
    fn to_bytes<'py>(&self, py: Python<'py>, vectors: bool) -> Bound<'py, PyBytes> {
        let written = || {
            let inner = self.locked.read();
            if vectors { inner.to_bytes() } else { inner.to_bytes_without_rows() }
        };
        PyBytes::new(py, &py.detach(written))
    }

    /// The partition that `to_bytes` wrote. Raises CorruptIndex for damaged bytes, UnsupportedFormat for newer ones.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: PyBackedBytes) -> PyResult<Py<Self>> {
        Py::new(py, Self::begin(py.detach(|| partition::Partition::from_bytes(&data))?))
    }

    /// Whether another partition has the same settings: those of its indexes, its columns, and when records end.
    fn is_like(&self, other: &Bound<'_, Self>) -> bool {
        std::ptr::eq(self, other.get()) || self.locked.read().is_like(&other.get().locked.read())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("Partition({} records)", py.detach(|| self.locked.read().len()))
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(convert::refuse_pickle("Partition"))
    }
}
