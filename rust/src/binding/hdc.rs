//! The hypervector index for Python.

mod vector;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyMapping};

pub use vector::HyperVector;
use vector::owned;

use super::convert;
use super::held::{Held, held};
use super::ranking::Ranking;
use crate::error::Error;
use crate::hdc::{self, Field, Found, MAX_THREADS, Record, Settings, Vectors};
use crate::rank::MAX_K;

/// Records with hypervectors; the nearest ones to a query by Hamming distance, exactly.
///
/// Without `fields` a record has one vector and its similarity is the score. `fields` maps names to weights in
/// the order of summation; `combine` is "sum", or "adaptive" for records that may lack fields; scores must lie
/// above `floor`. A zero vector counts as a missing one.
///
/// >>> index = HypervectorIndex()
/// >>> index.add(["ada", "grace"], [HyperVector.random("ada"), HyperVector.random("grace")])
/// >>> index.search(HyperVector.random("ada"), k=1)
/// Ranking([('ada', 1.0)])
#[pyclass(frozen, module = "byheart._core")]
pub struct HypervectorIndex {
    pub(super) held: Held<hdc::HypervectorIndex>,
}

held!(hdc::HypervectorIndex, "HypervectorIndex", Settings, |index| index.settings().clone());

#[pymethods]
impl HypervectorIndex {
    #[new]
    #[pyo3(signature = (fields = None, combine = "sum", floor = 0.0))]
    fn new(fields: Option<&Bound<'_, PyAny>>, combine: &str, floor: f64) -> PyResult<Self> {
        let fields = convert::numbers(fields, "fields")?;
        let fields = fields.map(|pairs| pairs.into_iter().map(|(name, weight)| Field { name, weight }).collect());
        let settings = Settings::from_parts(fields, combine, floor)?;
        Ok(Self { held: Held::new(hdc::HypervectorIndex::new(settings)?) })
    }

    /// Adds records under these ids: hypervectors, or mappings of field names to hypervectors.
    ///
    /// A record with the same id is replaced. `cells` gives one key for all or one for each. All or nothing: an
    /// error or Ctrl-C leaves the index as it was.
    #[pyo3(signature = (ids, vectors, *, cells = None))]
    fn add(
        &self,
        py: Python<'_>,
        ids: &Bound<'_, PyAny>,
        vectors: &Bound<'_, PyAny>,
        cells: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let ids = convert::texts(ids, "ids")?;
        let cells = convert::cells_for(cells, ids.len())?.unwrap_or_else(|| vec![String::new(); ids.len()]);
        let vectors = all_vectors(py, vectors)?;
        for (what, got) in [("vectors", vectors.len()), ("cells", cells.len())] {
            if got != ids.len() {
                let why = format!("has {got} items for {} ids; give one for each id", ids.len());
                return Err(Error::invalid(what, why).into());
            }
        }
        let records = ids.into_iter().zip(cells).zip(vectors).map(|((id, cell), vectors)| Record { id, cell, vectors });
        let records: Vec<Record> = records.collect();
        Ok(py.detach(|| self.held.write().add(&records))?)
    }

    /// Removes the records with these ids and answers how many there were.
    fn remove(&self, py: Python<'_>, ids: &Bound<'_, PyAny>) -> PyResult<usize> {
        self.held.remove(py, ids)
    }

    /// The best `k` (1 to 100,000) records: score descending, then id ascending.
    ///
    /// `vector` is what a record would be: a hypervector, or a mapping of field names. `cells` limits the search
    /// to these cells (None: all). `among` is a list or set of ids: only these records can be found, still only inside
    /// `cells`, with the scores and in the order of a search without it. Unknown ids are ignored; none at all find
    /// nothing.
    ///
    /// >>> index = HypervectorIndex()
    /// >>> index.add(["ada", "grace"], [HyperVector.random("ada"), HyperVector.random("grace")])
    /// >>> index.search(HyperVector.random("ada"), among={"grace", "unknown"}).ids
    /// ['grace']
    #[pyo3(signature = (vector, k = None, *, cells = None, among = None),
           text_signature = "($self, vector, k=10, *, cells=None, among=None)")]
    fn search(
        &self,
        py: Python<'_>,
        vector: &Bound<'_, PyAny>,
        k: Option<&Bound<'_, PyAny>>,
        cells: Option<&Bound<'_, PyAny>>,
        among: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Ranking> {
        let (query, k, cells) = (vectors(vector)?, convert::count_or(k, "k", 10, MAX_K)?, convert::cells(cells)?);
        let (keys, among) = (keys(cells.as_deref()), convert::texts_or_none(among, "among")?);
        let search = || self.held.read().search_among(&query, k, keys.as_deref(), among.as_deref());
        Ok(ranking(py.detach(search)?))
    }

    /// As `search` for many queries, several in one pass, spread over `threads` (1 to 256); the answers do not
    /// depend on their number.
    #[pyo3(signature = (vectors, k = None, *, cells = None, threads = None),
           text_signature = "($self, vectors, k=10, *, cells=None, threads=1)")]
    fn search_many(
        &self,
        py: Python<'_>,
        vectors: &Bound<'_, PyAny>,
        k: Option<&Bound<'_, PyAny>>,
        cells: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Ranking>> {
        let (k, cells) = (convert::count_or(k, "k", 10, MAX_K)?, convert::cells(cells)?);
        let threads = convert::count_or(threads, "threads", 1, MAX_THREADS)?;
        let queries = all_vectors(py, vectors)?;
        let keys = keys(cells.as_deref());
        let mut answers = Vec::with_capacity(queries.len());
        for chunk in queries.chunks(convert::CHUNK * threads) {
            let found = py.detach(|| self.held.read().search_many(chunk, k, keys.as_deref(), threads))?;
            answers.extend(found.into_iter().map(ranking));
            py.check_signals()?;
        }
        Ok(answers)
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

    /// Field names and weights, in the order of summation; None for an index without fields.
    #[getter]
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        if self.held.settings.fields().is_empty() {
            return Ok(None);
        }
        let fields = PyDict::new(py);
        for field in self.held.settings.fields() {
            fields.set_item(&field.name, field.weight)?;
        }
        Ok(Some(fields))
    }

    /// How the scores of fields are combined: "sum" or "adaptive".
    #[getter]
    fn combine(&self) -> &'static str {
        self.held.settings.combine().name()
    }

    /// Scores must lie above it.
    #[getter]
    fn floor(&self) -> f64 {
        self.held.settings.floor()
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

fn ranking(found: Found) -> Ranking {
    let counters = vec![("records", found.counters.records), ("rows", found.counters.rows)];
    Ranking::new(found.hits, counters)
}

fn keys(cells: Option<&[String]>) -> Option<Vec<&str>> {
    cells.map(|cells| cells.iter().map(String::as_str).collect())
}

/// The vectors of one record or query.
pub(super) fn vectors(value: &Bound<'_, PyAny>) -> PyResult<Vectors> {
    let Ok(mapping) = value.cast::<PyMapping>() else { return Ok(Vectors::One(owned(value.clone())?)) };
    let mut fields = Vec::new();
    for item in mapping.items()? {
        let (name, vector): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        fields.push((convert::text(&name, "vectors")?.to_owned(), owned(vector)?));
    }
    Ok(Vectors::Fields(fields))
}

/// The vectors of many, with a look at Ctrl-C now and then; nothing has changed yet.
fn all_vectors(py: Python<'_>, values: &Bound<'_, PyAny>) -> PyResult<Vec<Vectors>> {
    convert::refuse_str(values, "vectors")?;
    let mut all = Vec::new();
    for value in values.try_iter()? {
        all.push(vectors(&value?)?);
        if all.len() % convert::CHUNK == 0 {
            py.check_signals()?;
        }
    }
    Ok(all)
}
