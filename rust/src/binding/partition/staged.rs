//! What the stages of hybrid recall make of two searches, for Python.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use rustc_hash::FxHashMap;

use super::{Partition, Proposal};
use crate::rank::staged::{self, Reason, Row, Settings};
use crate::records::Column;

const DAY: f64 = 86_400.0;

/// The rows of two searches after the stages of hybrid recall, up to its hard minimum.
#[pyclass(frozen, module = "byheart._core")]
pub struct Staged {
    names: Vec<String>, // of every row that came
    known: Vec<Row>,
    ranks: [Vec<Option<f64>>; 2],
    found: staged::Staged,
}

#[pymethods]
impl Staged {
    /// What the stages make of a proposal of two legs, one over embeddings and one over words; `dense` and `lexical` say which.
    /// Hits of the first below `floor` do not count. Ages are those at `now`, epoch seconds; `vector` is the question's. The
    /// other arguments are those of the stages, as `byheart.HybridConfig` has them; `window` None leaves the comparison of
    /// vectors out. None where the stages have to run.
    #[staticmethod]
    #[pyo3(signature = (partition, proposal, *, dense, lexical, floor, now, vector, minimum, window, recency, anchor, decay,
                        hard))]
    #[allow(clippy::too_many_arguments)] // keywords of Python
    fn of(
        partition: &Bound<'_, Partition>,
        proposal: &Bound<'_, Proposal>,
        dense: usize,
        lexical: usize,
        floor: Option<f64>,
        now: f64,
        vector: Vec<f64>,
        minimum: f64,
        window: Option<usize>,
        recency: (f64, f64),
        anchor: f64,
        decay: f64,
        hard: f64,
    ) -> PyResult<Option<Self>> {
        let proposal = proposal.get();
        let (mut names, mut known, mut places) = (Vec::new(), Vec::<Row>::new(), FxHashMap::default());
        let mut ranks = [Vec::new(), Vec::new()];
        for (arm, leg) in [dense, lexical].into_iter().enumerate() {
            let hits = proposal.named(leg).ok_or_else(|| PyIndexError::new_err("there is no such leg"))?;
            let least = floor.filter(|_| arm == 0).unwrap_or(f64::NEG_INFINITY);
            for (rank, (name, score)) in hits.filter(|&(_, score)| score >= least).enumerate() {
                let at = *places.entry(name).or_insert_with(|| {
                    names.push(name.to_owned());
                    known.push(Row::default());
                    names.len() - 1
                });
                let of = if arm == 0 { &mut known[at].dense } else { &mut known[at].lexical };
                *of = Some(score);
                ranks[arm].resize(names.len(), None);
                ranks[arm][at] = Some((rank + 1) as f64);
            }
        }
        for ranks in &mut ranks {
            ranks.resize(names.len(), None);
        }
        let partition = partition.get().locked.read();
        let numbers: Vec<_> = names.iter().map(|name| partition.directory().at(name)).collect();
        if numbers.iter().any(Option::is_none) {
            return Ok(None);
        }
        let numbers: Vec<u32> = numbers.into_iter().flatten().collect();
        let [updated, created, importance, length] = [
            partition.column("updated_at")?,
            partition.column("created_at")?,
            partition.column("importance")?,
            partition.column("length")?,
        ];
        let read = |column: &Column, number: u32| Some(column.get(number)).filter(|value| !value.is_nan());
        for (row, &number) in known.iter_mut().zip(&numbers) {
            let since = read(updated, number).or(read(created, number));
            row.age = since.map_or(0.0, |since| if since >= now { 0.0 } else { now - since }) / DAY;
            row.importance = read(importance, number);
            row.length = read(length, number);
        }
        let settings = Settings { minimum, window, recency, anchor, decay, hard };
        let vector_of = |at: usize| {
            let row = partition.dense()?.row(numbers[at])?;
            Some(row.iter().map(|&value| f64::from(value)).collect())
        };
        let found = staged::staged(&known, &settings, &vector, vector_of)?;
        Ok(found.map(|found| Self { names, known, ranks, found }))
    }

    /// What the rows that are left are known by, in order.
    #[getter]
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.found.rows.iter().map(|&row| self.names[row].as_str()))
    }

    /// Their columns by name, in the order in which the stages make them.
    #[getter]
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        let add = |name: &str, value: &dyn Fn(usize) -> Option<f64>| {
            columns.set_item(name, PyTuple::new(py, self.found.rows.iter().map(|&row| value(row)))?)
        };
        add("dense", &|row| self.known[row].dense)?;
        add("lexical", &|row| self.known[row].lexical)?;
        add("dense_rank", &|row| self.ranks[0][row])?;
        add("lexical_rank", &|row| self.ranks[1][row])?;
        add("age_days", &|row| Some(self.known[row].age))?;
        add("importance", &|row| self.known[row].importance)?;
        add("length", &|row| self.known[row].length)?;
        let first = self.found.changes.first().map(|change| change.0);
        for (name, values) in &self.found.columns {
            add(name, &|row| values[row])?;
            if first == Some(*name) {
                add("score", &|row| Some(self.found.scores[row]))?;
            }
        }
        Ok(columns)
    }

    /// What changed the score, in order: column, whether it multiplies, whether the score is clamped after.
    #[getter]
    fn changes(&self) -> Vec<(&'static str, bool, bool)> {
        self.found.changes.clone()
    }

    /// Rows that were dropped, in the order in which the stages drop them: name, "minimum", "window" or "hard", and the score.
    #[getter]
    fn dropped(&self) -> Vec<(&str, &'static str, f64)> {
        let told = |&(row, reason, score): &(usize, Reason, f64)| {
            let why = match reason {
                Reason::BelowMinimum => "minimum",
                Reason::BeyondWindow => "window",
                Reason::BelowHardMinimum => "hard",
            };
            (self.names[row].as_str(), why, score)
        };
        self.found.dropped.iter().map(told).collect()
    }

    fn __len__(&self) -> usize {
        self.found.rows.len()
    }

    fn __repr__(&self) -> String {
        format!("Staged({} of {} rows)", self.found.rows.len(), self.names.len())
    }
}
