//! The lexical index for Python.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyString};

use super::explanation::LexicalExplanation;
use super::held::{Held, held};
use super::ranking::Ranking;
use super::text::Analyzer;
use super::{convert, parallel};
use crate::lexical::{self, Attributes, Batch, Field, Found, Options, Query, Settings};
use crate::rank::MAX_K;

/// An inverted index with weighted fields, scored by BM25 (Robertson and others, 1994).
///
/// `fields` maps names to weights in the order of summation. Statistics are taken over the cells of a search.
/// Adding and removing at any time gives the scores of a fresh index, bit for bit.
///
/// >>> index = LexicalIndex()
/// >>> index.add(["ada"], ["Ada wrote the first program"])
/// >>> index.search("first programs").ids
/// ['ada']
#[pyclass(frozen, module = "byheart._core")]
pub struct LexicalIndex {
    pub(super) held: Held<lexical::LexicalIndex>,
}

held!(lexical::LexicalIndex, "LexicalIndex", Arc<Settings>, |index| Arc::clone(index.settings()));

impl LexicalIndex {
    fn query(&self, query: &Bound<'_, PyAny>) -> PyResult<Query> {
        if query.is_instance_of::<PyString>() {
            return Ok(Query::from_text(&self.held.settings, convert::text(query, "query")?)?);
        }
        let terms = convert::texts(query, "query")?;
        Ok(Query::from_terms(terms.iter().map(String::as_str))?)
    }
}

/// The texts of a document by field; nothing for the one before that comes again.
type Waiting = Option<Vec<(usize, String)>>;

/// Analyses in chunks, looking at Ctrl-C between them; nothing is in the index yet.
pub(super) fn analyse(py: Python<'_>, settings: &Settings, documents: &Bound<'_, PyAny>) -> PyResult<Batch> {
    convert::refuse_str(documents, "documents")?;
    let mut batch = Batch::default();
    let mut waiting: Vec<Waiting> = Vec::with_capacity(convert::CHUNK);
    let mut flush = |waiting: &mut Vec<Waiting>| -> PyResult<()> {
        py.detach(|| {
            waiting.drain(..).try_for_each(|document| {
                let Some(document) = document else {
                    batch.repeat();
                    return Ok(());
                };
                let fields: Vec<(usize, &str)> = document.iter().map(|(field, text)| (*field, text.as_str())).collect();
                batch.push(settings, &fields)
            })
        })?;
        py.check_signals()
    };
    let mut before: Option<Bound<'_, PyAny>> = None;
    for document in documents.try_iter()? {
        let document = document?;
        // A mapping alone: who says one text of many records is asked to wait for each, and may end that by Ctrl-C.
        let again =
            before.as_ref().is_some_and(|before| before.is(&document) && !document.is_instance_of::<PyString>());
        waiting.push(if again { None } else { Some(self::document(settings, &document)?) });
        before = Some(document);
        if waiting.len() == convert::CHUNK {
            flush(&mut waiting)?;
        }
    }
    flush(&mut waiting)?;
    Ok(batch)
}

fn document(settings: &Settings, document: &Bound<'_, PyAny>) -> PyResult<Vec<(usize, String)>> {
    if document.is_instance_of::<PyString>() {
        return Ok(vec![(0, convert::text(document, "documents")?.to_owned())]);
    }
    let mut fields = Vec::new();
    for (name, value) in convert::items(document, "a document must be str or a mapping of field names to str")? {
        let field = settings.field(convert::text(&name, "documents")?)?;
        fields.push((field, convert::text(&value, "documents")?.to_owned()));
    }
    Ok(fields)
}

fn ranking(found: Found) -> Ranking {
    let counters = vec![("records", found.counters.records), ("postings", found.counters.postings)];
    Ranking::new(found.hits, counters).of_idf(found.idf_sum)
}

fn options(
    k: Option<&Bound<'_, PyAny>>,
    cells: Option<&Bound<'_, PyAny>>,
    boosts: Option<&Bound<'_, PyAny>>,
) -> PyResult<Options> {
    let k = convert::count_or(k, "k", 10, MAX_K)?;
    let boosts = convert::numbers(boosts, "boosts")?.unwrap_or_default();
    Ok(Options { k, cells: convert::cells(cells)?, boosts, among: None })
}

#[pymethods]
impl LexicalIndex {
    #[new]
    #[pyo3(signature = (fields = None, k1 = 1.2, b = 0.75, analyzer = None))]
    fn new(
        fields: Option<&Bound<'_, PyAny>>,
        k1: f64,
        b: f64,
        analyzer: Option<Bound<'_, Analyzer>>,
    ) -> PyResult<Self> {
        let fields = convert::numbers(fields, "fields")?.unwrap_or_else(|| vec![("text".to_owned(), 1.0)]);
        let fields = fields.into_iter().map(|(name, weight)| Field { name, weight }).collect();
        let analyzer = analyzer.map_or_else(Default::default, |analyzer: Bound<'_, Analyzer>| analyzer.get().inner);
        let settings = Settings::new(fields, k1, b, analyzer)?;
        Ok(Self { held: Held::new(lexical::LexicalIndex::new(settings)) })
    }

    /// Adds documents under these ids: texts (for the first field) or mappings of field names to texts.
    ///
    /// A record with the same id is replaced. `cells` gives one key for all or one for each, `labels` one label
    /// or None for each. All or nothing: an error or Ctrl-C leaves the index as it was.
    #[pyo3(signature = (ids, documents, *, cells = None, labels = None))]
    fn add(
        &self,
        py: Python<'_>,
        ids: &Bound<'_, PyAny>,
        documents: &Bound<'_, PyAny>,
        cells: Option<&Bound<'_, PyAny>>,
        labels: Option<Vec<Option<String>>>,
    ) -> PyResult<()> {
        let ids = convert::texts(ids, "ids")?;
        let cells = convert::cells_for(cells, ids.len())?;
        let batch = analyse(py, &self.held.settings, documents)?;
        py.detach(|| {
            let attributes = Attributes { cells: cells.as_deref(), labels: labels.as_deref() };
            self.held.write().add(&ids, &batch, attributes)
        })?;
        Ok(())
    }

    /// Removes the records with these ids and answers how many there were.
    fn remove(&self, py: Python<'_>, ids: &Bound<'_, PyAny>) -> PyResult<usize> {
        self.held.remove(py, ids)
    }

    /// The best `k` (1 to 100,000) records: score descending, then id ascending.
    ///
    /// `query` is a text, or a list of terms analysed before. `cells` limits search and statistics to these
    /// cells (None: all). `boosts` maps labels to factors on the score. `among` is a list or set of ids: only these
    /// records can be found, still only inside `cells`, whose statistics stay as they are. Unknown ids are ignored;
    /// none at all find nothing. The work follows the number of ids.
    ///
    /// >>> index = LexicalIndex()
    /// >>> index.add(["a", "b", "c"], ["a red fox", "a red hen", "a red fox and a red hen"])
    /// >>> index.search("red fox", among=["b", "c", "unknown"]).ids
    /// ['c', 'b']
    #[pyo3(signature = (query, k = None, *, cells = None, boosts = None, among = None),
           text_signature = "($self, query, k=10, *, cells=None, boosts=None, among=None)")]
    fn search(
        &self,
        py: Python<'_>,
        query: &Bound<'_, PyAny>,
        k: Option<&Bound<'_, PyAny>>,
        cells: Option<&Bound<'_, PyAny>>,
        boosts: Option<&Bound<'_, PyAny>>,
        among: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Ranking> {
        let among = convert::texts_or_none(among, "among")?;
        let (query, options) = (self.query(query)?, Options { among, ..options(k, cells, boosts)? });
        Ok(ranking(py.detach(|| self.held.read().search(&query, &options))?))
    }

    /// As `search` for many queries, spread over `threads` (1 to 256); the answers do not depend on their number.
    #[pyo3(signature = (queries, k = None, *, cells = None, threads = None),
           text_signature = "($self, queries, k=10, *, cells=None, threads=1)")]
    fn search_many(
        &self,
        py: Python<'_>,
        queries: &Bound<'_, PyAny>,
        k: Option<&Bound<'_, PyAny>>,
        cells: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Ranking>> {
        convert::refuse_str(queries, "queries")?;
        let options = options(k, cells, None)?;
        let threads = convert::count_or(threads, "threads", 1, convert::MAX_THREADS)?;
        let queries = queries.try_iter()?.map(|query| self.query(&query?)).collect::<PyResult<Vec<_>>>()?;
        let mut answers = Vec::with_capacity(queries.len());
        for chunk in queries.chunks(convert::CHUNK * threads) {
            let found = py.detach(|| {
                let index = self.held.read();
                parallel::map(chunk, threads, |query| index.search(query, &options))
            });
            for one in found {
                answers.push(ranking(one?));
            }
            py.check_signals()?;
        }
        Ok(answers)
    }

    /// How a search scores one record: parts in order, their sum, factors, score (0.0 for no hit).
    #[pyo3(signature = (query, id, *, cells = None, boosts = None))]
    fn explain(
        &self,
        py: Python<'_>,
        query: &Bound<'_, PyAny>,
        id: &Bound<'_, PyAny>,
        cells: Option<&Bound<'_, PyAny>>,
        boosts: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<LexicalExplanation> {
        let (query, options) = (self.query(query)?, options(None, cells, boosts)?);
        let id = convert::text(id, "id")?.to_owned();
        Ok(LexicalExplanation::new(py.detach(|| self.held.read().explain(&query, &id, &options))?))
    }

    /// The index as bytes: versioned, checksummed, equal for equal content.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.held.to_bytes(py)
    }

    /// The index that `to_bytes` wrote. Raises CorruptIndex for damaged bytes, UnsupportedFormat for newer ones.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: PyBackedBytes) -> PyResult<Self> {
        Ok(Self { held: Held::from_bytes(py, &data)? })
    }

    /// The terms that a query text becomes.
    #[getter]
    fn analyzer(&self) -> Analyzer {
        Analyzer { inner: self.held.settings.analyzer }
    }

    /// Field names and weights, in the order of summation.
    #[getter]
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let fields = PyDict::new(py);
        for field in &self.held.settings.fields {
            fields.set_item(&field.name, field.weight)?;
        }
        Ok(fields)
    }

    /// How soon repetitions of a term stop counting.
    #[getter]
    fn k1(&self) -> f64 {
        self.held.settings.k1
    }

    /// How much the length of a field counts.
    #[getter]
    fn b(&self) -> f64 {
        self.held.settings.b
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.held.len(py)
    }

    fn __contains__(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.held.contains(py, id)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        self.held.repr(py, "")
    }

    fn __reduce__(&self) -> PyResult<()> {
        self.held.reduce()
    }
}
