//! What a search gives back to Python.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList, PySlice};

use crate::dense::Visit;

/// Hits of one search, best first: an immutable sequence of `(id, score)`.
///
/// `counters` says how much work the search was, counted inside the searched cells only. Searches in tiers also
/// say which one answered and which were visited.
#[pyclass(frozen, sequence, module = "byheart._core")]
#[derive(Debug)]
pub struct Ranking {
    hits: Vec<(String, f64)>,
    counters: Vec<(&'static str, u64)>,
    trace: Vec<Visit>,
    timings: Vec<f64>,
    idf_sum: Option<f64>,
}

impl Ranking {
    /// A ranking of these hits.
    pub fn new(hits: Vec<(String, f64)>, counters: Vec<(&'static str, u64)>) -> Self {
        Self { hits, counters, trace: Vec::new(), timings: Vec::new(), idf_sum: None }
    }

    /// The same, found in these tiers, each in so many milliseconds.
    pub fn in_tiers(self, trace: Vec<Visit>, timings: Vec<f64>) -> Self {
        Self { trace, timings, ..self }
    }

    /// The same, for a query whose terms have this idf in all.
    pub fn of_idf(self, idf_sum: f64) -> Self {
        Self { idf_sum: Some(idf_sum), ..self }
    }
}

/// Visits as dictionaries.
pub fn trace_rows<'py>(py: Python<'py>, trace: &[Visit]) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let row = |visit: &Visit| {
        let row = PyDict::new(py);
        row.set_item("tier", visit.tier)?;
        row.set_item("dimensions", visit.dimensions)?;
        row.set_item("best", visit.best)?;
        row.set_item("exited", visit.exited)?;
        row.set_item("rows", visit.rows)?;
        Ok(row)
    };
    trace.iter().map(row).collect()
}

#[pymethods]
impl Ranking {
    /// Ids, best first.
    #[getter]
    fn ids(&self) -> Vec<&str> {
        self.hits.iter().map(|(id, _)| id.as_str()).collect()
    }

    /// Scores, in the order of ids.
    #[getter]
    fn scores(&self) -> Vec<f64> {
        self.hits.iter().map(|&(_, score)| score).collect()
    }

    /// Work done: names and counts.
    #[getter]
    fn counters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counters = PyDict::new(py);
        for (name, count) in &self.counters {
            counters.set_item(name, count)?;
        }
        Ok(counters)
    }

    /// The tier that answered, counted from 1; None for a search without tiers.
    #[getter]
    fn tier(&self) -> Option<usize> {
        self.trace.last().map(|visit| visit.tier)
    }

    /// How many dimensions that tier looks at; None for a search without tiers.
    #[getter]
    fn dimensions(&self) -> Option<usize> {
        self.trace.last().map(|visit| visit.dimensions)
    }

    /// The tiers visited, in order: tier, dimensions, best score, whether the search ended by it, records in it.
    #[getter]
    fn trace<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        trace_rows(py, &self.trace)
    }

    /// Milliseconds in each of these tiers (for queries that shared a pass: that of the pass). The only part that
    /// differs between equal searches.
    #[getter]
    fn timings(&self) -> Vec<f64> {
        self.timings.clone()
    }

    /// The idf of all terms of the query in the searched cells, added up in order: terms that no record holds count too,
    /// and a repeated one each time. None for a search without terms.
    #[getter]
    fn idf_sum(&self) -> Option<f64> {
        self.idf_sum
    }

    fn __len__(&self) -> usize {
        self.hits.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if key.is_instance_of::<PySlice>() {
            return self.list(py)?.as_any().get_item(key);
        }
        let at = key.extract::<isize>()?;
        let at = if at < 0 { at + self.hits.len().cast_signed() } else { at };
        let hit = usize::try_from(at).ok().and_then(|at| self.hits.get(at));
        let (id, score) = hit.ok_or_else(|| PyIndexError::new_err("there is no hit at this rank"))?;
        Ok((id.as_str(), *score).into_pyobject(py)?.into_any())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.list(py)?.try_iter()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| self.hits == other.get().hits)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Ranking({})", self.list(py)?.repr()?))
    }
}

impl Ranking {
    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.hits.iter().map(|(id, score)| (id.as_str(), *score)))
    }
}
