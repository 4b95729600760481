//! Facts, rules and closures for Python.

use std::time::{Duration, Instant};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyString};

use super::closure::Closure;
use super::convert;
use super::held::{Held, held};
use crate::error::Error;
use crate::rank::MAX_K;
use crate::symbolic::{self, Atom, Options, Query, Record, Rule, Scope, Settings, Statement};
use crate::text::Mode;

/// A triple as Python writes it.
type Triple = (String, String, String);

/// A rule as Python writes it: id, premises, conclusion, weight, max_depth.
type Row = (String, Vec<Triple>, Triple, f64, Option<usize>);

fn atom((subject, relation, object): Triple) -> Atom {
    Atom { subject, relation, object }
}

fn rule((id, premises, conclusion, weight, max_depth): Row) -> Rule {
    Rule { id, premises: premises.into_iter().map(atom).collect(), conclusion: atom(conclusion), weight, max_depth }
}

/// What a symbol is compared by: lower case, all but words and hyphens made a space.
///
/// >>> symbol_key("Secure   Execution!")
/// 'secure execution'
#[pyfunction]
#[pyo3(signature = (text, mode = "unicode"))]
pub fn symbol_key(text: &Bound<'_, PyAny>, mode: &str) -> PyResult<String> {
    Ok(symbolic::symbol_key(convert::text(text, "text")?, Mode::from_name(mode)?))
}

/// The words of a symbol's key without stop words, unstemmed.
///
/// >>> symbol_tokens("the foo_bar")
/// ['foo', 'bar']
#[pyfunction]
#[pyo3(signature = (text, mode = "unicode"))]
pub fn symbol_tokens(text: &Bound<'_, PyAny>, mode: &str) -> PyResult<Vec<String>> {
    Ok(symbolic::symbol_tokens(convert::text(text, "text")?, Mode::from_name(mode)?))
}

/// Refuses a symbol of more than 512 bytes, or one without a letter or number.
#[pyfunction]
pub fn check_symbol(what: &str, text: &Bound<'_, PyAny>) -> PyResult<()> {
    Ok(symbolic::check_symbol(what, convert::text(text, what)?, Mode::Unicode)?)
}

/// The fact that a sentence states: subject, relation, object, confidence; or None.
///
/// Texts of more than 2,000 characters state nothing.
///
/// >>> extract_fact("Ploinky depends on KernelX.")
/// ('Ploinky', 'depends_on', 'KernelX', 0.9)
#[pyfunction]
pub fn extract_fact(text: &Bound<'_, PyAny>) -> PyResult<Option<(String, String, String, f64)>> {
    let found = symbolic::extract_fact(convert::text(text, "text")?);
    Ok(found.map(|fact| (fact.subject, fact.relation, fact.object, fact.confidence)))
}

/// Refuses a rule that is not a positive Horn clause, naming the fault; `relations`: those that exist (None: any).
#[pyfunction]
#[pyo3(signature = (rule, relations = None))]
pub fn check_rule(rule: Row, relations: Option<Vec<String>>) -> PyResult<()> {
    Ok(self::rule(rule).check(relations.as_deref())?)
}

/// How sure a conclusion is: the premises multiplied in order, times the weight of the rule.
#[pyfunction]
pub fn derived_confidence(premises: Vec<f64>, weight: f64) -> f64 {
    symbolic::derived_confidence(premises.into_iter(), weight)
}

/// What a proof of `steps` steps is worth, with the default penalty and bonuses.
#[pyfunction]
pub fn path_score(raw: f64, steps: usize, touches_goal: bool, from_seed: bool) -> f64 {
    symbolic::path_score(raw, steps, touches_goal, from_seed, &Options::default())
}

/// Facts of records in cells, and the rules by which more follows from them.
///
/// `rules` are (id, premises, conclusion, weight, max_depth), a premise and the conclusion being (subject, relation,
/// object), where "?x" is a variable; `preferred` relations come first among proofs.
///
/// >>> index = SymbolicIndex(["uses"])
/// >>> index.add(["note"], [("Ada", "uses", "Loom", 1.0)])
/// >>> index.search(["ada"]).ids
/// ['note']
#[pyclass(frozen, module = "byheart._core")]
pub struct SymbolicIndex {
    pub(super) held: Held<symbolic::SymbolicIndex>,
}

held!(symbolic::SymbolicIndex, "SymbolicIndex", Mode, |index| index.settings().mode());

#[pymethods]
impl SymbolicIndex {
    #[new]
    #[pyo3(signature = (relations, rules = vec![], preferred = vec![], mode = "unicode"),
           text_signature = "(relations, rules=(), preferred=(), mode='unicode')")]
    fn new(relations: &Bound<'_, PyAny>, rules: Vec<Row>, preferred: Vec<String>, mode: &str) -> PyResult<Self> {
        let rules = rules.into_iter().map(rule).collect();
        let relations = convert::texts(relations, "relations")?;
        let settings = Settings::new(Mode::from_name(mode)?, relations, &preferred, rules)?;
        Ok(Self { held: Held::new(symbolic::SymbolicIndex::new(settings)) })
    }

    /// Adds one fact for each id: (subject, relation, object, confidence). A record with the same id is replaced.
    ///
    /// `cells` gives one key for all or one for each. All or nothing: an error leaves the index as it was.
    #[pyo3(signature = (ids, facts, *, cells = None))]
    fn add(
        &self,
        py: Python<'_>,
        ids: &Bound<'_, PyAny>,
        facts: &Bound<'_, PyAny>,
        cells: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let ids = convert::texts(ids, "ids")?;
        let cells = convert::cells_for(cells, ids.len())?.unwrap_or_else(|| vec![String::new(); ids.len()]);
        let facts = statements(py, facts)?;
        if facts.len() != ids.len() || cells.len() != ids.len() {
            let why =
                format!("{} facts and {} cells for {} ids; give one for each", facts.len(), cells.len(), ids.len());
            return Err(Error::invalid("facts", why).into());
        }
        let rows = ids.into_iter().zip(cells).zip(facts);
        let records: Vec<Record> = rows.map(|((id, cell), statement)| Record { id, cell, statement }).collect();
        Ok(py.detach(|| self.held.write().add(&records))?)
    }

    /// Removes the records with these ids and answers how many there were.
    fn remove(&self, py: Python<'_>, ids: &Bound<'_, PyAny>) -> PyResult<usize> {
        self.held.remove(py, ids)
    }

    /// What follows from the facts of the cells near a query, and the best `k` records that it rests on.
    ///
    /// `terms` are compared with the tokens of symbols, `text` (without it the terms, joined) with whole symbols.
    /// `among` names the only records that count as there, `without` some that do not: what only others state is not
    /// known, and nothing follows from it. Unknown ids are ignored. `options` are bounds by name: max_depth, max_derived,
    /// max_proofs, max_seeds, max_focused, max_attempts, min_confidence, distance_penalty, goal_bonus, seed_bonus,
    /// derived_first. A `deadline` in seconds makes the answer depend on the clock, if it is met.
    #[pyo3(signature = (terms, text = None, k = None, *, cells = None, among = None, without = None, options = None,
                        deadline = None),
           text_signature = "($self, terms, text=None, k=32, *, cells=None, among=None, without=None, options=None, \
                             deadline=None)")]
    #[allow(clippy::too_many_arguments)] // as Python has them
    fn search(
        &self,
        py: Python<'_>,
        terms: &Bound<'_, PyAny>,
        text: Option<&Bound<'_, PyAny>>,
        k: Option<&Bound<'_, PyAny>>,
        cells: Option<&Bound<'_, PyAny>>,
        among: Option<&Bound<'_, PyAny>>,
        without: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyAny>>,
        deadline: Option<f64>,
    ) -> PyResult<Closure> {
        let terms = convert::texts(terms, "terms")?;
        let text = text.map(|text| convert::text(text, "text")).transpose()?;
        let query = Query::new(&terms, text, self.held.settings)?;
        let mut bounds = Options::default();
        for (name, value) in convert::numbers(options, "options")?.unwrap_or_default() {
            bounds.set(&name, value)?;
        }
        bounds.max_candidates = convert::count_or(k, "k", bounds.max_candidates, MAX_K)?;
        let (cells, among) = (convert::cells(cells)?, convert::texts_or_none(among, "among")?);
        let without = without.map_or(Ok(Vec::new()), |ids| convert::texts(ids, "without"))?;
        let mut expired = expiry(deadline)?;
        let found = py.detach(|| {
            let scope = Scope { cells: cells.as_deref(), among: among.as_deref(), without: &without };
            self.held.read().closure(&query, &bounds, &scope, &mut expired)
        });
        Ok(Closure::new(found))
    }

    /// How many different facts are stated.
    #[getter]
    fn facts(&self, py: Python<'_>) -> usize {
        py.detach(|| self.held.read().fact_count())
    }

    /// The relations that facts may name.
    #[getter]
    fn relations(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| self.held.read().settings().relations().to_vec())
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

    fn __len__(&self, py: Python<'_>) -> usize {
        self.held.len(py)
    }

    fn __contains__(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.held.contains(py, id)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        self.held.repr(py, &format!(", {} facts", self.facts(py)))
    }

    fn __reduce__(&self) -> PyResult<()> {
        self.held.reduce()
    }
}

/// Facts of records that are being added; nothing has changed yet.
pub(super) fn statements(py: Python<'_>, facts: &Bound<'_, PyAny>) -> PyResult<Vec<Statement>> {
    convert::refuse_str(facts, "facts")?;
    let mut all = Vec::new();
    for fact in facts.try_iter()? {
        let fact = fact?;
        if fact.is_instance_of::<PyString>() || fact.len().unwrap_or(0) != 4 {
            return Err(PyTypeError::new_err("a fact must be (subject, relation, object, confidence)"));
        }
        let part =
            |at: usize, what: &str| -> PyResult<String> { Ok(convert::text(&fact.get_item(at)?, what)?.to_owned()) };
        let (subject, relation, object) = (part(0, "subject")?, part(1, "relation")?, part(2, "object")?);
        all.push(Statement { subject, relation, object, confidence: fact.get_item(3)?.extract()? });
        if all.len() % convert::CHUNK == 0 {
            py.check_signals()?;
        }
    }
    Ok(all)
}

/// What is asked whether time is up.
pub(super) fn expiry(deadline: Option<f64>) -> PyResult<impl FnMut() -> bool + Send> {
    let allowed = match deadline {
        None => None,
        Some(seconds) => Some(
            Duration::try_from_secs_f64(seconds)
                .map_err(|error| Error::invalid("deadline", format!("is {seconds}: {error}; give seconds from now")))?,
        ),
    };
    let start = Instant::now();
    Ok(move || allowed.is_some_and(|allowed| start.elapsed() >= allowed))
}
