//! What the stages of agreement make of one search, for Python.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::partition::Whole;
use crate::rank::{self, Reason, Rules};

/// A row that was dropped: its name, why, its score, and the name of the row that says the same.
type Gone<'a> = (&'a str, &'static str, f64, Option<&'a str>);

/// The rows that are left of one search after the stages of agreement, and why others are not.
#[pyclass(frozen, module = "byheart._core")]
pub struct Agreement {
    names: Vec<String>, // of every row that came
    raw: Vec<f64>,
    found: rank::Agreement,
    whole: Option<Whole>,
}

impl Agreement {
    pub fn new(names: Vec<String>, raw: Vec<f64>, found: rank::Agreement, whole: Option<Whole>) -> Self {
        Self { names, raw, found, whole }
    }

    fn column<'py>(&self, py: Python<'py>, values: &[f64]) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.found.rows.iter().map(|&row| values[row]))
    }
}

#[pymethods]
impl Agreement {
    /// What the stages of agreement make of the rows of a search, best first: their names, raw scores and content hashes (16
    /// bytes, or None). The other arguments are those of `Proposal.agreement`; `top` is the best raw score of the search
    /// unfiltered, if there is one.
    #[staticmethod]
    #[pyo3(signature = (names, raw, hashes, *, weight, cosines, floor, gap, k, top = None))]
    #[allow(clippy::too_many_arguments)] // keywords of Python
    fn of(
        names: Vec<String>,
        raw: Vec<f64>,
        hashes: Vec<Option<[u8; 16]>>,
        weight: f64,
        cosines: bool,
        floor: Option<f64>,
        gap: f64,
        k: usize,
        top: Option<f64>,
    ) -> PyResult<Option<Self>> {
        if names.len() != raw.len() || names.len() != hashes.len() {
            return Err(PyValueError::new_err("names, raw and hashes must have one length"));
        }
        let best = top.filter(|&best| best > 0.0).or_else(|| raw.first().copied());
        let rules = Rules { weight, best: best.filter(|_| !cosines), floor, gap, k };
        let found = rank::agreement(&raw, &hashes, |one, other| names[one].cmp(&names[other]), &rules);
        let whole = Whole { count: raw.len(), best: top, least: None };
        Ok(found.map(|found| Self::new(names, raw, found, Some(whole))))
    }

    /// What the rows are known by, best first.
    #[getter]
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.found.rows.iter().map(|&row| self.names[row].as_str()))
    }

    /// Their scores.
    #[getter]
    fn scores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.column(py, &self.found.scores)
    }

    /// Their raw scores.
    #[getter]
    fn raw<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.column(py, &self.raw)
    }

    /// Their scores on the common scale, before the weight.
    #[getter]
    fn scaled<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.column(py, &self.found.scaled)
    }

    /// Rows that were dropped, in the order in which the stages drop them: name, "floor", "repeats", "gap" or "k", score,
    /// and the row that a repetition repeats.
    #[getter]
    fn dropped(&self) -> Vec<Gone<'_>> {
        let told = |&(row, reason): &(usize, Reason)| {
            let (why, of) = match reason {
                Reason::BelowFloor => ("floor", None),
                Reason::Repeats(first) => ("repeats", Some(self.names[first].as_str())),
                Reason::Gap => ("gap", None),
                Reason::BeyondK => ("k", None),
            };
            (self.names[row].as_str(), why, self.found.scores[row], of)
        };
        self.found.dropped.iter().map(told).collect()
    }

    /// The least score that the gap leaves.
    #[getter]
    fn limit(&self) -> f64 {
        self.found.limit
    }

    /// Whether rows behind those that came could not change which are left.
    #[getter]
    fn is_certain(&self) -> bool {
        self.found.is_certain
    }

    /// How many rows came.
    #[getter]
    fn given(&self) -> usize {
        self.raw.len()
    }

    /// How many rows the search proposes unfiltered, up to its k.
    #[getter]
    fn count(&self) -> usize {
        self.whole.map_or(self.raw.len(), |whole| whole.count)
    }

    /// The best raw score of the unfiltered search, if that was asked for and there is one.
    #[getter]
    fn top(&self) -> Option<f64> {
        self.whole.and_then(|whole| whole.best)
    }

    fn __len__(&self) -> usize {
        self.found.rows.len()
    }

    fn __repr__(&self) -> String {
        format!("Agreement({} of {} rows)", self.found.rows.len(), self.names.len())
    }
}
