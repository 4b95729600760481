//! What absolute fusion and the stages of conversations make of one proposal, for Python.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rustc_hash::FxHashMap;

use super::Proposal;
use crate::binding::filters;
use crate::math::exp;
use crate::rank::absolute::{self, Reason, Row, Settings};
use crate::records::Value;

/// Columns by name, by row.
type Columns = Vec<(String, Vec<Option<f64>>)>;

/// The rows of a proposal after the stages of the profile `auto`.
#[pyclass(frozen, module = "byheart._core")]
pub struct Absolute {
    proposal: Py<Proposal>,
    columns: Columns, // as they came
    known: Vec<Row>,
    most: Option<f64>,
    found: absolute::Absolute,
    is_certain: bool,
}

impl Absolute {
    fn name(&self, row: usize) -> &str {
        &self.proposal.get().names()[row]
    }
}

#[pymethods]
impl Absolute {
    /// What the stages make of a proposal of a leg over words, and perhaps one over embeddings, `legs`. `named` says whether a
    /// question names a speaker; `session_id` is the session that it is asked in. The other arguments are those of the stages.
    /// Hashes were asked for. None where the stages have to run.
    #[staticmethod]
    #[pyo3(signature = (proposal, legs, *, named, session_id, dense, floor, beside, whole, speaker, asking, session, noise, k))]
    #[allow(clippy::too_many_arguments)] // keywords of Python
    fn of(
        proposal: &Bound<'_, Proposal>,
        legs: Vec<usize>,
        named: &Bound<'_, PyAny>,
        session_id: Option<&str>,
        dense: (f64, f64),
        floor: f64,
        beside: (f64, f64),
        whole: f64,
        speaker: f64,
        asking: f64,
        session: f64,
        noise: f64,
        k: usize,
    ) -> PyResult<Option<Self>> {
        let given = proposal.get();
        let rows = given.names();
        if !given.is_plain() {
            return Ok(None);
        }
        let columns = raw(given, &legs, rows.len())?;
        let most = legs.first().and_then(|&leg| given.answer(leg)?.most);
        let session = session_id.map(|_| session);
        let settings = Settings { most, dense, floor, beside, whole, speaker, asking, session, noise, k };
        let Some(known) = known_of(given, &columns, session_id, named)? else { return Ok(None) };
        let found = absolute::absolute(&known, &settings, |one, other| rows[one].cmp(&rows[other]));
        let least = legs.first().and_then(|&leg| given.answer(leg)?.hits.last()).filter(|_| legs.len() == 1);
        Ok(found.map(|found| {
            let is_certain = least.is_some_and(|&(_, least)| found.is_certain(&known, &settings, least));
            Self { proposal: proposal.clone().unbind(), columns, known, most, found, is_certain }
        }))
    }

    /// What the rows that are left are known by, in order.
    #[getter]
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.found.rows.iter().map(|&row| self.name(row)))
    }

    /// Their scores.
    #[getter]
    fn scores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.found.rows.iter().map(|&row| self.found.scores[row]))
    }

    /// A column of theirs as it came; None where there is none of the name.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let found = self.columns.iter().find(|(known, _)| known == name);
        found.map(|(_, values)| PyTuple::new(py, self.found.rows.iter().map(|&row| values[row]))).transpose()
    }

    /// How strong each is: 1 / (1 + exp(-(bias + words x share of the question's words + meaning x cosine above the floor +
    /// familiar x familiarity x share / the greatest share))), of `curve` the bias, words, meaning and familiar;
    /// `familiarity` is that of the question, and the greatest share of what may be found.
    fn strengths<'py>(
        &self,
        py: Python<'py>,
        curve: (f64, f64, f64, f64),
        floor: f64,
        familiarity: (f64, f64),
    ) -> PyResult<Bound<'py, PyTuple>> {
        let (bias, words, meaning, familiar) = curve;
        let (familiarity, greatest) = familiarity;
        let of = |&row: &usize| {
            let row = &self.known[row];
            let above = absolute::above(row.cosine, floor);
            let share = absolute::share_of_words(row.words, self.most);
            let known = if share < greatest { familiarity * (share / greatest) } else { familiarity };
            1.0 / (1.0 + exp(-(bias + words * share + meaning * above + familiar * known)))
        };
        PyTuple::new(py, self.found.rows.iter().map(of))
    }

    /// What they say in a field that was asked for: the first value of each row, or None.
    fn said<'py>(&self, py: Python<'py>, field: &str) -> PyResult<Vec<Option<Bound<'py, PyAny>>>> {
        let values = self.proposal.get().said(field).unwrap_or_default();
        let value = |&row: &usize| values.get(row).and_then(Option::as_ref);
        self.found.rows.iter().map(|row| value(row).map(|value| filters::object(py, value)).transpose()).collect()
    }

    /// What changed their scores, in order: name of the column, whether it multiplies, and the column.
    #[getter]
    #[allow(clippy::type_complexity)] // tuples of Python
    fn changes<'py>(&self, py: Python<'py>) -> PyResult<Vec<(&'static str, bool, Bound<'py, PyTuple>)>> {
        let change = |(name, multiplies, values): &(&'static str, bool, Vec<Option<f64>>)| {
            Ok((*name, *multiplies, PyTuple::new(py, self.found.rows.iter().map(|&row| values[row]))?))
        };
        self.found.changes.iter().map(change).collect()
    }

    /// Whether rows behind those of a leg over words could change neither which rows are left nor their order, where no record
    /// is part of a conversation and none of the rows says nearly the same as another record.
    #[getter]
    fn is_certain(&self) -> bool {
        self.is_certain
    }

    /// Rows of later sessions, each with one that it may go before if texts say so: then the stages have to run.
    #[getter]
    fn later(&self) -> Vec<(&str, &str)> {
        self.found.later.iter().map(|&(one, other)| (self.name(one), self.name(other))).collect()
    }

    /// Whether the newer of two near-duplicates that fit as well may answer less: if the question asks for something narrow,
    /// texts decide, and the stages have to run.
    #[getter]
    fn may_answer_less(&self) -> bool {
        self.found.may_answer_less
    }

    /// The names of the columns that came.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.columns.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Rows that were dropped, in the order in which the stages drop them: name, "nothing", "repeats" or "k", and the row that
    /// a repetition repeats.
    #[getter]
    fn dropped(&self) -> Vec<(&str, &'static str, Option<&str>)> {
        let told = |&(row, reason): &(usize, Reason)| {
            let (why, of) = match reason {
                Reason::Nothing => ("nothing", None),
                Reason::Repeats(first) => ("repeats", Some(self.name(first))),
                Reason::BeyondK => ("k", None),
            };
            (self.name(row), why, of)
        };
        self.found.dropped.iter().map(told).collect()
    }

    fn __len__(&self) -> usize {
        self.found.rows.len()
    }

    fn __repr__(&self) -> String {
        format!("Absolute({} of {} rows)", self.found.rows.len(), self.proposal.get().names().len())
    }
}

/// The scores of the legs by row, "words" and "dense", and the columns that came with them.
fn raw(proposal: &Proposal, legs: &[usize], rows: usize) -> PyResult<Columns> {
    let mut columns = Columns::new();
    for (&leg, name) in legs.iter().zip(["words", "dense"]) {
        let answer = proposal.answer(leg).ok_or_else(|| PyIndexError::new_err("there is no such leg"))?;
        let mut scores = vec![None; rows];
        for &(row, score) in &answer.hits {
            scores[row as usize] = Some(score);
        }
        columns.push((name.to_owned(), scores));
    }
    for name in proposal.column_names() {
        let values = proposal.column(name).expect("it has this name").iter();
        let values = values.map(|&value| Some(value).filter(|value| !value.is_nan()));
        columns.push((name.to_owned(), values.collect()));
    }
    Ok(columns)
}

/// What is known of each row; nothing where one says what is no text.
fn known_of(
    proposal: &Proposal,
    columns: &Columns,
    session_id: Option<&str>,
    named: &Bound<'_, PyAny>,
) -> PyResult<Option<Vec<Row>>> {
    let column = |name: &str| columns.iter().find(|(known, _)| known == name).map(|(_, values)| values.as_slice());
    let (words, cosines) = (column("words"), column("cosine").or(column("dense")));
    let [before, after, whole] = ["told_before", "told_after", "told_whole"].map(column);
    let [made, seen, lengths, forms] = ["created_at", "seen_at", "length", "opening mark"].map(column);
    let [speakers, sessions, kinds, noise, asking] =
        ["speaker", "session_id", "kind", "metadata.noise", "asking"].map(|name| proposal.said(name));
    let mut is_named: FxHashMap<&str, bool> = FxHashMap::default();
    let mut number_of: FxHashMap<&str, usize> = FxHashMap::default();
    let mut near = near_of(proposal).into_iter();
    let mut known = Vec::with_capacity(proposal.names().len());
    for row in 0..proposal.names().len() {
        let whole = at(whole, row);
        let is_speaker_named = match said(speakers, row).filter(|_| whole.is_some()) {
            None => false,
            Some(Value::Text(speaker)) => match is_named.get(&**speaker) {
                Some(&known) => known,
                None => *is_named.entry(speaker).or_insert(named.call1((&**speaker,))?.extract()?),
            },
            Some(_) => return Ok(None),
        };
        let [session, kind] = [sessions, kinds].map(|field| match said(field, row) {
            Some(Value::Text(text)) => Some(&**text),
            _ => None,
        });
        let sessions_before = number_of.len();
        known.push(Row {
            words: at(words, row),
            cosine: at(cosines, row),
            before: at(before, row),
            after: at(after, row),
            whole,
            is_named: is_speaker_named,
            asking: match said(asking, row) {
                Some(Value::Number(share)) => Some(share.get()),
                _ => None,
            },
            is_of_session: session.is_some() && session == session_id,
            is_noise: said(noise, row).is_some(),
            is_summary: kind == Some("summary"),
            session: match session {
                Some(session) => Some(*number_of.entry(session).or_insert(sessions_before)),
                None => (kind == Some("memory")).then(|| usize::MAX - row), // a durable copy, of whichever session
            },
            hash: proposal.hash(row),
            said: at(seen, row).or(at(made, row)),
            length: at(lengths, row),
            form: at(forms, row),
            near: near.next().unwrap_or_default(),
        });
    }
    Ok(Some(known))
}

fn at(column: Option<&[Option<f64>]>, row: usize) -> Option<f64> {
    column.and_then(|values| values[row])
}

fn said(field: Option<&[Option<Value>]>, row: usize) -> Option<&Value> {
    field.and_then(|values| values[row].as_ref())
}

/// By row the rows that it says nearly the same as, None for a record that is no row; nothing where none says so.
fn near_of(proposal: &Proposal) -> Vec<Vec<Option<usize>>> {
    let names = proposal.names();
    if (0..names.len()).all(|row| proposal.listed(row).is_empty()) {
        return Vec::new(); // as nearly always
    }
    let row_of: FxHashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
    let row = |value: &Value| match value {
        Value::Text(id) => row_of.get(&**id).copied(),
        Value::Flag(_) | Value::Number(_) => None,
    };
    (0..names.len()).map(|at| proposal.listed(at).iter().map(row).collect()).collect()
}
