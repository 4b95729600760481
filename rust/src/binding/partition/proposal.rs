//! What the legs of a recall propose, for Python.

use std::sync::Arc;

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use rustc_hash::FxHashMap;

use super::agreed::Agreement;
use crate::binding::closure::Closure;
use crate::binding::filters;
use crate::binding::ranking::trace_rows;
use crate::error::Result;
use crate::partition::{self, Answer};
use crate::rank::{self, Rules};
use crate::records::Value;
use crate::symbolic;

/// What is asked about every record that is proposed.
#[derive(Debug, Default)]
pub struct Wanted {
    /// Columns of numbers.
    pub columns: Vec<String>,
    /// Fields of values, of which the first one is given.
    pub words: Vec<String>,
    /// A field of values, of which all are kept for the stages.
    pub listed: Option<String>,
    /// The hashes.
    pub hashes: bool,
}

/// What all legs propose. A row is a record, numbered from 0 in the order in which it was first proposed.
#[pyclass(frozen, module = "byheart._core")]
pub struct Proposal {
    answers: Arc<Vec<Answer>>,
    rows: Vec<String>,
    ids: Option<Vec<String>>, // by row, where these are others than the rows
    cells: Vec<usize>,        // by row: a place in `cell_keys`
    cell_keys: Vec<String>,
    columns: Vec<(String, Vec<f64>)>,
    words: Vec<(String, Vec<Option<Value>>)>,
    listed: Vec<Vec<Value>>, // by row; empty where nothing was asked for
    hashes: Vec<Option<[u8; 16]>>,
    has_ended: bool,
    closure: Option<Arc<symbolic::Closure>>,
}

impl Proposal {
    /// What was found, with what is asked about the records; read while nobody writes.
    ///
    /// # Errors
    /// `InvalidArgument` for what is no column.
    pub fn new(found: partition::Proposal, partition: &partition::Partition, wanted: &Wanted) -> Result<Self> {
        let (directory, records) = (partition.directory(), &found.records);
        let (mut cell_keys, mut place_of) = (Vec::new(), FxHashMap::default());
        let place = |&number: &u32| {
            let cell = directory.cell(number).expect("a record that is proposed lies in a cell");
            *place_of.entry(cell).or_insert_with(|| {
                cell_keys.push(directory.cell_key(cell).to_owned());
                cell_keys.len() - 1
            })
        };
        let cells = records.iter().map(place).collect();
        let read = |name: &String| {
            let column = partition.column(name)?;
            Ok((name.clone(), records.iter().map(|&number| column.get(number)).collect()))
        };
        let said = partition.fields().first(&wanted.words, records).into_iter();
        let said = said.map(|values| values.into_iter().map(Option::<&Value>::cloned).collect());
        let hash = |&number: &u32| partition.hash(number);
        let listed = |name: &String| -> Vec<Vec<Value>> {
            let values = partition.fields().listed(name, records).into_iter();
            values.map(|values| values.into_iter().cloned().collect()).collect()
        };
        let mut columns: Vec<_> = wanted.columns.iter().map(read).collect::<Result<_>>()?;
        if let Some(told) = found.told {
            let named = [
                ("told_before", told.before),
                ("told_after", told.after),
                ("told_whole", told.whole),
                ("cosine", told.cosine),
            ];
            let named = named.into_iter().filter(|(_, values)| values.len() == records.len());
            columns.extend(named.map(|(name, values)| (name.to_owned(), values)));
        }
        let rows: Vec<String> = records.iter().map(|&number| directory.row(number)).collect();
        let is_plain = records.iter().zip(&rows).all(|(&number, row)| directory.id(number) == row);
        let ids = || records.iter().map(|&number| directory.id(number).to_owned()).collect();
        Ok(Self {
            ids: (!is_plain).then(ids),
            rows,
            cells,
            cell_keys,
            columns,
            words: wanted.words.iter().cloned().zip(said).collect(),
            listed: wanted.listed.as_ref().map(listed).unwrap_or_default(),
            hashes: if wanted.hashes { records.iter().map(hash).collect() } else { Vec::new() },
            has_ended: found.has_ended,
            closure: found.closure.map(|closure| Arc::new(closure.named_by(|number| directory.row(number)))),
            answers: Arc::new(found.answers),
        })
    }
}

impl Proposal {
    /// What a leg found, best first: what each record is known by, and its score.
    pub fn named(&self, leg: usize) -> Option<impl Iterator<Item = (&str, f64)>> {
        let answer = self.answers.get(leg)?;
        Some(answer.hits.iter().map(|&(row, score)| (self.rows[row as usize].as_str(), score)))
    }

    /// What each row is known by.
    pub fn names(&self) -> &[String] {
        &self.rows
    }

    /// Whether that is its id everywhere: no id stands for two records.
    pub fn is_plain(&self) -> bool {
        self.ids.is_none()
    }

    fn ids(&self) -> &[String] {
        self.ids.as_ref().unwrap_or(&self.rows)
    }

    /// What a leg answers.
    pub fn answer(&self, leg: usize) -> Option<&Answer> {
        self.answers.get(leg)
    }

    /// The names of the columns that were asked for, and those of what was told.
    pub fn column_names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// A column by row; not a number where a row has none.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        self.columns.iter().find(|(known, _)| known == name).map(|(_, values)| values.as_slice())
    }

    /// The first value of a field by row.
    pub fn said(&self, name: &str) -> Option<&[Option<Value>]> {
        self.words.iter().find(|(known, _)| known == name).map(|(_, values)| values.as_slice())
    }

    /// All values of a row in the field that was asked for.
    pub fn listed(&self, row: usize) -> &[Value] {
        self.listed.get(row).map_or(&[], Vec::as_slice)
    }

    /// The hash of a row, if it was asked for and there is one.
    pub fn hash(&self, row: usize) -> Option<[u8; 16]> {
        self.hashes.get(row).copied().flatten()
    }
}

#[pymethods]
impl Proposal {
    /// What each leg answers, in the order in which they were asked.
    #[getter]
    fn legs(&self) -> Vec<ProposedLeg> {
        (0..self.answers.len()).map(|at| ProposedLeg { answers: Arc::clone(&self.answers), at }).collect()
    }

    /// Id and cell of each row.
    #[getter]
    fn keys<'py>(&'py self, py: Python<'py>) -> Vec<(&'py str, Bound<'py, PyString>)> {
        let cells: Vec<_> = self.cell_keys.iter().map(|key| PyString::new(py, key)).collect();
        self.ids().iter().zip(&self.cells).map(|(id, &cell)| (id.as_str(), cells[cell].clone())).collect()
    }

    /// What each record is known by: its id, or id, "\x1f" and cell where several cells have the id.
    #[getter]
    fn rows(&self) -> Vec<&str> {
        self.rows.iter().map(String::as_str).collect()
    }

    /// What a leg found, best first: what each record is known by, and its score.
    fn hits(&self, leg: usize) -> PyResult<Vec<(&str, f64)>> {
        let answer = self.answers.get(leg).ok_or_else(|| PyIndexError::new_err("there is no such leg"))?;
        Ok(answer.hits.iter().map(|&(row, score)| (self.rows[row as usize].as_str(), score)).collect())
    }

    /// How many hits a leg has where nothing is filtered, with the best and the least score unless the number alone was asked
    /// for; None if nothing was.
    #[allow(clippy::type_complexity)] // a tuple of Python
    fn whole(&self, leg: usize) -> PyResult<Option<(usize, Option<f64>, Option<f64>)>> {
        let answer = self.answers.get(leg).ok_or_else(|| PyIndexError::new_err("there is no such leg"))?;
        Ok(answer.whole.map(|whole| (whole.count, whole.best, whole.least)))
    }

    /// What the stages of agreement make of one leg's rows, by their twin (`byheart.ranking.agreement`): the best `k` that
    /// reach `floor` (None: any), repeat no content and do not lie behind the `gap`. Scores are clamped where they are
    /// `cosines`; if not, they are divided by the best one. `hashes` were asked for. None where the stages have to run.
    #[pyo3(signature = (leg, *, weight, cosines, floor, gap, k))]
    fn agreement(
        &self,
        leg: usize,
        weight: f64,
        cosines: bool,
        floor: Option<f64>,
        gap: f64,
        k: usize,
    ) -> PyResult<Option<Agreement>> {
        let answer = self.answers.get(leg).ok_or_else(|| PyIndexError::new_err("there is no such leg"))?;
        if self.hashes.is_empty()
            || answer.hits.iter().any(|&(row, _)| self.rows[row as usize] != self.ids()[row as usize])
        {
            return Ok(None);
        }
        let name = |at: usize| self.rows[answer.hits[at].0 as usize].as_str();
        let raw: Vec<f64> = answer.hits.iter().map(|hit| hit.1).collect();
        let hashes: Vec<_> = answer.hits.iter().map(|&(row, _)| self.hashes[row as usize]).collect();
        let best =
            answer.whole.and_then(|whole| whole.best).filter(|&best| best > 0.0).or_else(|| raw.first().copied());
        let rules = Rules { weight, best: best.filter(|_| !cosines), floor, gap, k };
        let found = rank::agreement(&raw, &hashes, |one, other| name(one).cmp(name(other)), &rules);
        let names = || (0..raw.len()).map(|at| name(at).to_owned()).collect();
        Ok(found.map(|found| Agreement::new(names(), raw.clone(), found, answer.whole)))
    }

    /// Columns by name: a number for each row, or None.
    #[getter]
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        for (name, values) in &self.columns {
            let values: Vec<Option<f64>> = values.iter().map(|&value| (!value.is_nan()).then_some(value)).collect();
            columns.set_item(name, values)?;
        }
        Ok(columns)
    }

    /// Fields of values by name: the first value of each row, or None.
    #[getter]
    fn words<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let words = PyDict::new(py);
        for (name, values) in &self.words {
            let value = |value: &Option<Value>| value.as_ref().map(|value| filters::object(py, value)).transpose();
            words.set_item(name, values.iter().map(value).collect::<PyResult<Vec<_>>>()?)?;
        }
        Ok(words)
    }

    /// The hash of each row, or None; empty if they were not asked for.
    #[getter]
    fn hashes<'py>(&self, py: Python<'py>) -> Vec<Option<Bound<'py, PyBytes>>> {
        self.hashes.iter().map(|hash| hash.map(|hash| PyBytes::new(py, &hash))).collect()
    }

    /// Whether records were left out because they have ended.
    #[getter]
    fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// What a leg over facts found, if there was one; its candidates are those that may be found.
    #[getter]
    fn closure(&self) -> Option<Closure> {
        self.closure.as_ref().map(|closure| Closure::shared(Arc::clone(closure)))
    }

    fn __len__(&self) -> usize {
        self.rows.len()
    }

    fn __repr__(&self) -> String {
        format!("Proposal({} records, {} legs)", self.rows.len(), self.answers.len())
    }
}

/// What one leg proposes.
#[pyclass(frozen, module = "byheart._core")]
pub struct ProposedLeg {
    answers: Arc<Vec<Answer>>,
    at: usize,
}

impl ProposedLeg {
    fn answer(&self) -> &Answer {
        &self.answers[self.at]
    }
}

#[pymethods]
impl ProposedLeg {
    /// Whether it was asked.
    #[getter]
    fn asked(&self) -> bool {
        self.answer().is_asked
    }

    /// Rows, best first.
    #[getter]
    fn rows(&self) -> Vec<u32> {
        self.answer().hits.iter().map(|hit| hit.0).collect()
    }

    /// Scores, in the order of rows.
    #[getter]
    fn scores(&self) -> Vec<f64> {
        self.answer().hits.iter().map(|hit| hit.1).collect()
    }

    /// How many hits there are where nothing is filtered, with the best and the least score unless the number alone was asked
    /// for; None if nothing was.
    #[getter]
    fn whole(&self) -> Option<(usize, Option<f64>, Option<f64>)> {
        self.answer().whole.map(|whole| (whole.count, whole.best, whole.least))
    }

    /// What the terms of the query weigh in all, for a leg over words.
    #[getter]
    fn idf_sum(&self) -> Option<f64> {
        self.answer().idf_sum
    }

    /// The score of a record that says all terms of the query, each as often as it counts, for a leg over joined fields.
    #[getter]
    fn most(&self) -> Option<f64> {
        self.answer().most
    }

    /// How much of the query the records speak about, 0 to 0.3, for a leg over joined fields: the root of the share of records
    /// that hold a term, a mean over the terms by idf, 1 at least, as for records of 25 terms.
    #[getter]
    fn familiarity(&self) -> Option<f64> {
        self.answer().familiarity
    }

    /// The tiers that a leg over embeddings visited.
    #[getter]
    fn trace<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        trace_rows(py, &self.answer().trace)
    }

    fn __len__(&self) -> usize {
        self.answer().hits.len()
    }

    fn __repr__(&self) -> String {
        format!("ProposedLeg({} hits)", self.__len__())
    }
}
