//! What absolute fusion and the stages of conversations make of one proposal, for Python.

use std::cell::RefCell;
use std::sync::Arc;

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rustc_hash::FxHashMap;

use super::Proposal;
use crate::binding::filters;
use crate::math::exp;
use crate::rank::absolute::{self, Reason, Row, Settings, Texts};
use crate::records::Value;

/// Columns by name, by row.
type Columns = Vec<(String, Vec<Option<f64>>)>;

/// The rows of a proposal after the stages of the profile `auto`.
#[pyclass(frozen, module = "byheart._core")]
pub struct Absolute {
    came: Arc<Came>,
    found: absolute::Absolute,
    is_certain: bool,
}

/// What the stages were given.
struct Came {
    proposal: Py<Proposal>,
    columns: Columns, // as they came
    known: Vec<Row>,
    /// What rows name that are no rows: their numbers come behind those of the rows.
    absent: Vec<String>,
    most: Option<f64>,
}

impl Came {
    fn name(&self, row: usize) -> &str {
        let rows = self.proposal.get().names();
        rows.get(row).unwrap_or_else(|| &self.absent[row - rows.len()])
    }
}

/// What Python knows of texts. After an error all is false.
struct Said<'a, 'py> {
    texts: &'a Bound<'py, PyAny>,
    rows: &'a [String],
    absent: &'a [String],
    failed: RefCell<Option<PyErr>>,
}

impl Said<'_, '_> {
    fn name(&self, row: usize) -> &str {
        self.rows.get(row).unwrap_or_else(|| &self.absent[row - self.rows.len()])
    }

    fn kept<T: Default>(&self, answer: PyResult<T>) -> T {
        answer.unwrap_or_else(|error| {
            self.failed.borrow_mut().get_or_insert(error);
            T::default()
        })
    }
}

impl Texts for Said<'_, '_> {
    fn brought_in(&self, wanted: &[usize], naming: &[usize]) -> Option<Vec<(usize, f64)>> {
        let [ids, by]: [Vec<&str>; 2] = [wanted, naming].map(|rows| rows.iter().map(|&row| self.name(row)).collect());
        let found = self.texts.call_method1("brought_in", (ids, by)).and_then(|found| found.extract());
        let found: Vec<(usize, f64)> = self.kept::<Option<_>>(found)?;
        Some(found.into_iter().map(|(place, said)| (wanted[place], said)).collect())
    }

    fn has_changed(&self, newer: usize, older: usize, fairly: bool) -> bool {
        let given = (self.name(newer), self.name(older), fairly);
        self.kept(self.texts.call_method1("has_changed", given).and_then(|said| said.extract()))
    }

    fn states_anew(&self, newer: usize, older: usize) -> bool {
        let given = (self.name(newer), self.name(older));
        self.kept(self.texts.call_method1("states_anew", given).and_then(|said| said.extract()))
    }

    fn answers_too(&self, newer: usize, older: usize) -> bool {
        let given = (self.name(newer), self.name(older));
        self.kept(self.texts.call_method1("answers_too", given).and_then(|said| said.extract()))
    }
}

#[pymethods]
impl Absolute {
    /// What the stages make of a proposal of a leg over words, and perhaps one over embeddings, `legs`. `named` says whether a
    /// question names a speaker; `session_id` is the session that it is asked in. The other arguments are those of the stages.
    /// Hashes were asked for. `texts` says what the texts of near-duplicates say of each other; of an answer that `is_weak`, no row is left. None where the stages have to
    /// run, as where these decide and None is given.
    #[staticmethod]
    #[pyo3(signature = (proposal, legs, *, named, session_id, dense, floor, beside, whole, speaker, asking, session, noise, k, texts = None, is_weak = false))]
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
        texts: Option<&Bound<'_, PyAny>>,
        is_weak: bool,
    ) -> PyResult<Option<Self>> {
        let given = proposal.get();
        let rows = given.names();
        if !given.is_plain() {
            return Ok(None);
        }
        let columns = raw(given, &legs, rows.len())?;
        let most = legs.first().and_then(|&leg| given.answer(leg)?.most);
        let session = session_id.map(|_| session);
        let settings = Settings { most, dense, floor, beside, whole, speaker, asking, session, noise, k, is_weak };
        let Some((mut known, absent)) = known_of(given, &columns, session_id, named)? else { return Ok(None) };
        let said = texts.map(|texts| Said { texts, rows, absent: &absent, failed: RefCell::default() });
        let decides = said.as_ref().map(|said| said as &dyn Texts);
        let found = absolute::absolute(&mut known, &settings, decides, |one, other| rows[one].cmp(&rows[other]));
        if let Some(error) = said.and_then(|said| said.failed.into_inner()) {
            return Err(error);
        }
        let least = legs.first().and_then(|&leg| given.answer(leg)?.hits.last()).filter(|_| legs.len() == 1);
        Ok(found.map(|found| {
            let is_certain = least.is_some_and(|&(_, least)| found.is_certain(&known, &settings, least));
            let came = Came { proposal: proposal.clone().unbind(), columns, known, absent, most };
            Self { came: Arc::new(came), found, is_certain }
        }))
    }

    /// The same with the first rows in another order, `order` of their places, and cut at `k`.
    fn arranged(&self, order: Vec<usize>, k: usize) -> PyResult<Self> {
        let mut found = self.found.clone();
        for (place, &was) in order.iter().enumerate() {
            let row = self.found.rows.get(was).filter(|_| place < found.rows.len());
            found.rows[place] = *row.ok_or_else(|| PyIndexError::new_err("there is no such row"))?;
        }
        found.cut(k);
        Ok(Self { came: Arc::clone(&self.came), found, is_certain: self.is_certain })
    }

    /// What the first rows are known by in the order of their scores, repetitions too.
    fn by_score<'py>(&self, py: Python<'py>, first: usize) -> PyResult<Bound<'py, PyTuple>> {
        let rows = &self.found.by_score;
        PyTuple::new(py, rows[..first.min(rows.len())].iter().map(|&row| self.came.name(row)))
    }

    /// What the rows that are left are known by, in order.
    #[getter]
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.found.rows.iter().map(|&row| self.came.name(row)))
    }

    /// Their scores.
    #[getter]
    fn scores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.found.rows.iter().map(|&row| self.found.scores[row]))
    }

    /// A column of theirs as it came; None where there is none of the name.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let found = self.came.columns.iter().find(|(known, _)| known == name);
        let at = |values: &[Option<f64>], row: usize| values.get(row).copied().flatten();
        found.map(|(_, values)| PyTuple::new(py, self.found.rows.iter().map(|&row| at(values, row)))).transpose()
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
            let row = &self.came.known[row];
            let above = absolute::above(row.cosine, floor);
            let share = absolute::share_of_words(row.words, self.came.most);
            let known = if share < greatest { familiarity * (share / greatest) } else { familiarity };
            1.0 / (1.0 + exp(-(bias + words * share + meaning * above + familiar * known)))
        };
        PyTuple::new(py, self.found.rows.iter().map(of))
    }

    /// What they say in a field that was asked for: the first value of each row, or None.
    fn said<'py>(&self, py: Python<'py>, field: &str) -> PyResult<Vec<Option<Bound<'py, PyAny>>>> {
        let values = self.came.proposal.get().said(field).unwrap_or_default();
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
        self.found.later.iter().map(|&(one, other)| (self.came.name(one), self.came.name(other))).collect()
    }

    /// The names of the columns that came.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.came.columns.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Rows that were dropped, in the order in which the stages drop them: name, "nothing", "repeats", "late", "weak" or "k", and the
    /// row that a repetition repeats.
    #[getter]
    fn dropped(&self) -> Vec<(&str, &'static str, Option<&str>)> {
        let told = |&(row, reason): &(usize, Reason)| {
            let (why, of) = match reason {
                Reason::Nothing => ("nothing", None),
                Reason::Repeats(first) => ("repeats", Some(self.came.name(first))),
                Reason::Late => ("late", None),
                Reason::Weak => ("weak", None),
                Reason::BeyondK => ("k", None),
            };
            (self.came.name(row), why, of)
        };
        self.found.dropped.iter().map(told).collect()
    }

    fn __len__(&self) -> usize {
        self.found.rows.len()
    }

    fn __repr__(&self) -> String {
        format!("Absolute({} of {} rows)", self.found.rows.len(), self.came.proposal.get().names().len())
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

/// What is known of each row, and the names of what they name that is no row; nothing where one says what is no text.
fn known_of(
    proposal: &Proposal,
    columns: &Columns,
    session_id: Option<&str>,
    named: &Bound<'_, PyAny>,
) -> PyResult<Option<(Vec<Row>, Vec<String>)>> {
    let column = |name: &str| columns.iter().find(|(known, _)| known == name).map(|(_, values)| values.as_slice());
    let (words, cosines) = (column("words"), column("cosine").or(column("dense")));
    let [before, after, whole] = ["told_before", "told_after", "told_whole"].map(column);
    let [made, seen, lengths, forms] = ["created_at", "seen_at", "length", "opening mark"].map(column);
    let [speakers, sessions, kinds, noise, asking] =
        ["speaker", "session_id", "kind", "metadata.noise", "asking"].map(|name| proposal.said(name));
    let mut is_named: FxHashMap<&str, bool> = FxHashMap::default();
    let mut number_of: FxHashMap<&str, usize> = FxHashMap::default();
    let Some((near, absent)) = near_of(proposal) else { return Ok(None) };
    let mut near = near.into_iter();
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
    Ok(Some((known, absent)))
}

fn at(column: Option<&[Option<f64>]>, row: usize) -> Option<f64> {
    column.and_then(|values| values[row])
}

fn said(field: Option<&[Option<Value>]>, row: usize) -> Option<&Value> {
    field.and_then(|values| values[row].as_ref())
}

/// By row what it says nearly the same as, by number, and the names of those that are no rows, whose numbers come behind those of
/// the rows; nothing where one is no text.
fn near_of(proposal: &Proposal) -> Option<(Vec<Vec<usize>>, Vec<String>)> {
    let names = proposal.names();
    let mut absent = Vec::new();
    if (0..names.len()).all(|row| proposal.listed(row).is_empty()) {
        return Some((Vec::new(), absent)); // as nearly always
    }
    let mut number_of: FxHashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
    let mut near = Vec::with_capacity(names.len());
    for row in 0..names.len() {
        let mut of_row = Vec::new();
        for value in proposal.listed(row) {
            let Value::Text(id) = value else { return None };
            of_row.push(*number_of.entry(id).or_insert_with(|| {
                absent.push(id.to_string());
                names.len() + absent.len() - 1
            }));
        }
        near.push(of_row);
    }
    Some((near, absent))
}
