//! The dense index for Python.

pub(super) mod options;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};

use self::options::{Asked, Given};
use super::held::{Held, held};
use super::ranking::{Ranking, trace_rows};
use super::{buffers, convert};
use crate::dense::{
    self, Exit, ExitRule, Explanation, Found, Ladder, MAX_DIMENSIONS, MAX_THREADS, MAX_TIERS, descend, prefixes,
};
use crate::error::{Error, Result};
use crate::kernel::Isa;

/// Records with embeddings in Matryoshka tiers; the nearest ones to a query by cosine.
///
/// `tiers` grow, and the last is `dimensions`; without any they are 64, 256, 768 for 768 dimensions and a single one
/// otherwise. A vector is divided by its length and kept as float32; the score is the dot product in float64.
///
/// >>> from array import array
/// >>> index = DenseIndex(dimensions=2)
/// >>> index.add(["east", "north"], array("f", [2.0, 0.0, 0.0, 1.0]))
/// >>> index.search(array("f", [1.0, 0.0]), k=1)
/// Ranking([('east', 1.0)])
#[pyclass(frozen, module = "byheart._core")]
pub struct DenseIndex {
    pub(super) held: Held<dense::DenseIndex>,
}

held!(dense::DenseIndex, "DenseIndex", Ladder, |index| index.ladder().clone());

impl DenseIndex {
    fn ladder(&self) -> &Ladder {
        &self.held.settings
    }

    fn run(&self, py: Python<'_>, queries: &[f32], asked: &Asked, threads: usize) -> PyResult<Vec<Ranking>> {
        let keys: Option<Vec<&str>> = asked.cells.as_ref().map(|cells| cells.iter().map(String::as_str).collect());
        let found = py.detach(|| {
            let start = std::time::Instant::now();
            let clock = || start.elapsed().as_secs_f64() * 1e3;
            let among = asked.among.as_deref();
            self.held.read().search_many(queries, keys.as_deref(), among, &asked.options(&clock), threads)
        });
        Ok(found?.into_iter().map(ranking).collect())
    }
}

#[pymethods]
impl DenseIndex {
    #[new]
    #[pyo3(signature = (dimensions = None, tiers = None), text_signature = "(dimensions=768, tiers=None)")]
    fn new(dimensions: Option<&Bound<'_, PyAny>>, tiers: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let dimensions = convert::count_or(dimensions, "dimensions", 768, MAX_DIMENSIONS)?;
        Ok(Self { held: Held::new(dense::DenseIndex::new(ladder(dimensions, tiers)?)?) })
    }

    /// Adds records under these ids. `vectors`: float32 of shape (n, dimensions), or a list of single vectors.
    ///
    /// A record with the same id is replaced in every tier. `cells` gives one key for all or one for each. All or
    /// nothing: an error or Ctrl-C leaves the index as it was.
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
        let vectors = buffers::vectors(vectors, "vectors", self.ladder().dimensions())?;
        Ok(py.detach(|| self.held.write().add(&ids, &cells, &vectors))?)
    }

    /// Removes the records with these ids from every tier and answers how many there were.
    fn remove(&self, py: Python<'_>, ids: &Bound<'_, PyAny>) -> PyResult<usize> {
        self.held.remove(py, ids)
    }

    /// The best `k` (1 to 100,000) records: score descending, then id ascending. A zero vector finds nothing.
    ///
    /// `cells` limits the search to these cells (None: all). `mode` is "exact" (provably the best of the last tier);
    /// "early_exit" (the first tier whose best score exceeds its threshold answers; `thresholds`, one
    /// for each tier but the last, are 0.92 and 0.80 for three tiers; `exit_rule` is "strict" or "at_least";
    /// `rescore` is "full", which gives the hits the scores of the last tier, or "tier"; after `time_budget_ms`
    /// milliseconds the last tier comes next; None: never); or "approx" (the best of the last tier among the
    /// `shortlist` rows that look best in the first; None: 20 for each hit and a hundredth of all).
    ///
    /// `among` is a list or set of ids: only these records may be found, and still only inside `cells`. It changes no
    /// score; unknown ids are ignored, and none at all find nothing. The hits of the search without it that are in it
    /// come first, in the same order; then, up to `k`, the next best of these records: "exact": of all; "early_exit":
    /// of the tier that answers, which is that of the search without it; "approx": of those on the shortlist of the
    /// search without it, and only if they are fewer than `k`, then of those that look best beyond it.
    ///
    /// >>> from array import array
    /// >>> index = DenseIndex(dimensions=2)
    /// >>> index.add(["east", "north", "west"], array("f", [1.0, 0.0, 0.0, 1.0, -1.0, 0.0]))
    /// >>> index.search(array("f", [1.0, 0.0]), k=1, among={"north", "west", "unknown"})
    /// Ranking([('north', 0.0)])
    #[pyo3(
        signature = (vector, k = None, *, cells = None, mode = "exact", thresholds = None, exit_rule = "strict",
                     rescore = "full", time_budget_ms = Some(50.0), shortlist = None, among = None),
        text_signature = "($self, vector, k=10, *, cells=None, mode='exact', thresholds=None, exit_rule='strict', \
                          rescore='full', time_budget_ms=50.0, shortlist=None, among=None)"
    )]
    #[allow(clippy::too_many_arguments)] // keywords of Python
    fn search(
        &self,
        py: Python<'_>,
        vector: &Bound<'_, PyAny>,
        k: Option<&Bound<'_, PyAny>>,
        cells: Option<&Bound<'_, PyAny>>,
        mode: &str,
        thresholds: Option<Vec<f64>>,
        exit_rule: &str,
        rescore: &str,
        time_budget_ms: Option<f64>,
        shortlist: Option<&Bound<'_, PyAny>>,
        among: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Ranking> {
        let given = Given { k, cells, among, mode, thresholds, exit_rule, rescore, time_budget_ms, shortlist };
        let asked = given.read(self.ladder())?;
        let query = buffers::vector(vector, "vector", self.ladder().dimensions())?;
        let found = self.run(py, &query, &asked, 1)?;
        Ok(found.into_iter().next().expect("one query, one answer"))
    }

    /// As `search` for many queries (as `add` takes vectors), exact ones several in one pass, spread over `threads`
    /// (1 to 256); the answers do not depend on their number.
    #[pyo3(
        signature = (vectors, k = None, *, cells = None, threads = None, mode = "exact", thresholds = None,
                     exit_rule = "strict", rescore = "full", time_budget_ms = Some(50.0), shortlist = None),
        text_signature = "($self, vectors, k=10, *, cells=None, threads=1, mode='exact', thresholds=None, \
                          exit_rule='strict', rescore='full', time_budget_ms=50.0, shortlist=None)"
    )]
    #[allow(clippy::too_many_arguments)] // keywords of Python
    fn search_many(
        &self,
        py: Python<'_>,
        vectors: &Bound<'_, PyAny>,
        k: Option<&Bound<'_, PyAny>>,
        cells: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
        mode: &str,
        thresholds: Option<Vec<f64>>,
        exit_rule: &str,
        rescore: &str,
        time_budget_ms: Option<f64>,
        shortlist: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Ranking>> {
        let given = Given { k, cells, among: None, mode, thresholds, exit_rule, rescore, time_budget_ms, shortlist };
        let asked = given.read(self.ladder())?;
        let threads = convert::count_or(threads, "threads", 1, MAX_THREADS)?;
        let queries = buffers::vectors(vectors, "vectors", self.ladder().dimensions())?;
        self.run(py, &queries, &asked, threads)
    }

    /// What an exact search for this vector gives for one record.
    fn score(&self, py: Python<'_>, vector: &Bound<'_, PyAny>, id: &Bound<'_, PyAny>) -> PyResult<f64> {
        Ok(self.explain(py, vector, id)?.score())
    }

    /// That score taken apart, with what each tier says.
    fn explain(&self, py: Python<'_>, vector: &Bound<'_, PyAny>, id: &Bound<'_, PyAny>) -> PyResult<DenseExplanation> {
        let vector = buffers::vector(vector, "vector", self.ladder().dimensions())?;
        let id = convert::text(id, "id")?.to_owned();
        let inner = py.detach(|| self.held.read().explain(&vector, &id))?;
        Ok(DenseExplanation::new(id, inner))
    }

    /// The row of a record: its vector divided by its length, as a read-only float32 array.
    fn vector<'py>(&self, py: Python<'py>, id: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let id = convert::text(id, "id")?.to_owned();
        let bytes: Result<Vec<u8>> =
            py.detach(|| Ok(self.held.read().vector(&id)?.iter().flat_map(|value| value.to_le_bytes()).collect()));
        py.import("numpy")?.call_method1("frombuffer", (PyBytes::new(py, &bytes?), "<f4"))
    }

    /// The prefix of each tier divided by its own length, not yet rounded to float32.
    fn prefixes(&self, py: Python<'_>, vector: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<f64>>> {
        let vector = buffers::vector(vector, "vector", self.ladder().dimensions())?;
        Ok(py.detach(|| prefixes(Isa::active()?, self.ladder(), &vector))?)
    }

    /// The index as bytes; equal content gives equal bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.held.to_bytes(py)
    }

    /// Reads what `to_bytes` wrote; damaged bytes are a `CorruptIndex`.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: PyBackedBytes) -> PyResult<Self> {
        Ok(Self { held: Held::from_bytes(py, &data)? })
    }

    /// How many dimensions a vector has.
    #[getter]
    fn dimensions(&self) -> usize {
        self.ladder().dimensions()
    }

    /// How many dimensions each tier looks at.
    #[getter]
    fn tiers(&self) -> Vec<usize> {
        self.ladder().tiers().to_vec()
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.held.len(py)
    }

    fn __contains__(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.held.contains(py, id)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        self.held.repr(py, &format!(", tiers {:?}", self.ladder().tiers()))
    }

    fn __reduce__(&self) -> PyResult<()> {
        self.held.reduce()
    }
}

/// A score and what it is made of: the cosine in each tier; the last one's dot product; that, cut to [-1, 1].
#[pyclass(frozen, module = "byheart._core")]
#[derive(Debug)]
pub struct DenseExplanation {
    id: String,
    inner: Explanation,
}

impl DenseExplanation {
    /// The explanation of a record's score.
    pub fn new(id: String, inner: Explanation) -> Self {
        Self { id, inner }
    }
}

#[pymethods]
impl DenseExplanation {
    /// Id of the record.
    #[getter]
    fn id(&self) -> &str {
        &self.id
    }

    /// (dimensions, cosine of the prefixes) of each tier.
    #[getter]
    fn tiers(&self) -> Vec<(usize, f64)> {
        self.inner.tiers.clone()
    }

    /// The dot product of the two rows.
    #[getter]
    fn dot(&self) -> f64 {
        self.inner.dot
    }

    /// What a search gives for this record.
    #[getter]
    fn score(&self) -> f64 {
        self.inner.score
    }

    fn __repr__(&self) -> String {
        format!("DenseExplanation({:?}, score={}, tiers={:?})", self.id, self.inner.score, self.inner.tiers)
    }
}

/// The tiers that a cascade visits when their best scores are these (None: the tier holds nothing): the loop of
/// `DenseIndex.search`, for reading and for checking by hand.
///
/// >>> [row["tier"] for row in cascade_trace([0.92, 0.81, 0.5], [64, 256, 768])]
/// [1, 2]
#[pyfunction]
#[pyo3(signature = (best, tiers, *, thresholds = None, exit_rule = "strict", budget_spent = false))]
pub fn cascade_trace<'py>(
    py: Python<'py>,
    best: Vec<Option<f64>>,
    tiers: Vec<usize>,
    thresholds: Option<Vec<f64>>,
    exit_rule: &str,
    budget_spent: bool,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let ladder = Ladder::new(tiers.last().copied().unwrap_or(0), Some(&tiers))?;
    let exit = Exit::new(&ladder, thresholds.as_deref(), ExitRule::from_name(exit_rule)?)?;
    if best.len() != tiers.len() {
        let why = format!("has {} scores for {} tiers; give one for each tier", best.len(), tiers.len());
        return Err(Error::invalid("best", why).into());
    }
    trace_rows(py, &descend(&ladder, &exit, || budget_spent, |tier| (best[tier], u64::from(best[tier].is_some()))))
}

fn ladder(dimensions: usize, tiers: Option<&Bound<'_, PyAny>>) -> PyResult<Ladder> {
    let Some(tiers) = tiers else { return Ok(Ladder::new(dimensions, None)?) };
    let mut widths = Vec::new();
    for tier in tiers.try_iter()?.take(MAX_TIERS + 1) {
        widths.push(convert::count(&tier?, "tiers", MAX_DIMENSIONS)?);
    }
    Ok(Ladder::new(dimensions, Some(&widths))?)
}

fn ranking(found: Found) -> Ranking {
    let counters = found.counters;
    let counters =
        vec![("records", counters.records), ("estimated", counters.estimated), ("rescored", counters.rescored)];
    Ranking::new(found.hits, counters).in_tiers(found.trace, found.timings)
}
