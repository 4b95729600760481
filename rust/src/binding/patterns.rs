//! Noise, adaptive retrieval and the gate's signals for Python.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::convert;
use crate::error::Error;
use crate::lexical::MAX_TEXT_BYTES;
use crate::patterns::{self, Decision, LengthUnit, OwnRule, OwnSignal, Signals, Switches, TokenUnit};
use crate::symbolic::MAX_QUERY_BYTES;

/// The text of a `str` of at most `limit` bytes, copied so that the interpreter can be let go.
fn owned_text(value: &Bound<'_, PyAny>, what: &str, limit: usize) -> PyResult<String> {
    let text = convert::text(value, what)?;
    if text.len() > limit {
        return Err(Error::limit(format!("{what} length in bytes"), limit, text.len()).into());
    }
    Ok(text.to_owned())
}

/// The rows of a list of tuples of `width`, each handed to `read`; a `str` is refused, since it would be taken letter by
/// letter.
fn rows<T>(
    list: Option<&Bound<'_, PyAny>>,
    what: &str,
    width: usize,
    read: impl Fn(&Bound<'_, PyAny>) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    let Some(list) = list else { return Ok(Vec::new()) };
    convert::refuse_str(list, what)?;
    let row = |row: PyResult<Bound<'_, PyAny>>| {
        let row = row?;
        if row.is_instance_of::<PyString>() || row.len().unwrap_or(0) != width {
            return Err(PyTypeError::new_err(format!("each of {what} must be a tuple of {width}")));
        }
        read(&row)
    };
    list.try_iter()?.take(patterns::MAX_OWN_PATTERNS + 1).map(row).collect()
}

/// The text at a place of a row.
fn part(row: &Bound<'_, PyAny>, place: usize, what: &str) -> PyResult<String> {
    Ok(convert::text(&row.get_item(place)?, what)?.to_owned())
}

/// Names and patterns.
fn own_rules(list: Option<&Bound<'_, PyAny>>, what: &str) -> PyResult<Vec<OwnRule>> {
    let rule = |row: &Bound<'_, PyAny>| Ok(OwnRule { name: part(row, 0, "name")?, pattern: part(row, 1, "pattern")? });
    rows(list, what, 2, rule)
}

/// Signals, names, patterns and weights.
fn own_signals(list: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<OwnSignal>> {
    let signal = |row: &Bound<'_, PyAny>| {
        let (signal, name, pattern) = (part(row, 0, "signal")?, part(row, 1, "name")?, part(row, 2, "pattern")?);
        Ok(OwnSignal { signal, name, pattern, weight: row.get_item(3)?.extract()? })
    };
    rows(list, "own", 4, signal)
}

/// A table as Python sees it.
fn table(rules: &[patterns::Rule]) -> Vec<(&'static str, String, &'static str, String)> {
    rules.iter().map(|rule| (rule.group, rule.name.to_string(), rule.language, rule.pattern.to_string())).collect()
}

fn length_unit(name: Option<&str>) -> PyResult<Option<LengthUnit>> {
    Ok(name.map(LengthUnit::from_name).transpose()?)
}

/// Where a pattern stands in a text, as pairs of start and end in code points, from left to right.
///
/// The syntax is that of the `regex` crate, in which there is neither look-around nor a back-reference; `\d`, `\w` and
/// `\b` are ASCII's. Finds without a length are left out. Raises InvalidArgument for what is no such pattern, and
/// LimitExceeded for one of more than 10,000 characters, and for a text in which it would take more than a fixed number
/// of steps for each byte.
///
/// >>> find_spans("(?i)emp-[0-9]+", "社員 EMP-12, emp-3"), find_spans("x*", "y")
/// ([(3, 9), (11, 16)], [])
#[pyfunction]
pub fn find_spans(
    py: Python<'_>,
    pattern: &Bound<'_, PyAny>,
    text: &Bound<'_, PyAny>,
) -> PyResult<Vec<(usize, usize)>> {
    let (pattern, text) = (convert::text(pattern, "pattern")?.to_owned(), owned_text(text, "text", MAX_TEXT_BYTES)?);
    Ok(py.detach(|| patterns::find_spans(&pattern, &text))?)
}

/// Why a text is noise, as "group: rule"; None if it is not.
///
/// Profiles: "byheart" keeps facts that only look like noise, "1.0.11" and "1.1.0-beta.11" are the original's. The
/// switches leave out what agents say that found nothing, questions about the memory, and openings of a session. Lengths
/// count code points ("codepoint") in "byheart" and UTF-16 units ("utf16") elsewhere. Raises LimitExceeded above 10 MB.
///
/// >>> is_noise("Do you remember me?"), is_noise("Hiking is my hobby"), is_noise("Hiking is my hobby", "1.0.11")
/// ('meta: do you remember', None, 'boilerplate: greeting')
#[pyfunction]
#[pyo3(signature = (text, profile = "byheart", *, filter_denials = true, filter_meta = true, filter_boilerplate = true,
                    length_unit = None))]
pub fn is_noise(
    py: Python<'_>,
    text: &Bound<'_, PyAny>,
    profile: &str,
    filter_denials: bool,
    filter_meta: bool,
    filter_boilerplate: bool,
    length_unit: Option<&str>,
) -> PyResult<Option<String>> {
    let switches = Switches { denials: filter_denials, meta: filter_meta, boilerplate: filter_boilerplate };
    reason(py, patterns::NoiseFilter::shipped(profile)?, text, switches, length_unit)
}

fn reason(
    py: Python<'_>,
    filter: &patterns::NoiseFilter,
    text: &Bound<'_, PyAny>,
    switches: Switches,
    unit: Option<&str>,
) -> PyResult<Option<String>> {
    let (text, unit) = (owned_text(text, "text", MAX_TEXT_BYTES)?, length_unit(unit)?);
    Ok(py.detach(|| filter.reason(&text, switches, unit)))
}

/// The noise rules of a profile with patterns of your own behind them: `own` gives (name, pattern).
///
/// A pattern is written for Rust's `regex` crate: no look-around, no references back, time linear in the text. At most
/// 256 of at most 10,000 characters. No switch leaves them out.
///
/// >>> NoiseFilter(own=[("ticket number", r"^[A-Z]+-\d+$")]).reason("TEAM-4711")
/// 'own: ticket number'
#[pyclass(frozen, module = "byheart._core")]
pub struct NoiseFilter {
    inner: patterns::NoiseFilter,
}

#[pymethods]
impl NoiseFilter {
    #[new]
    #[pyo3(signature = (profile = "byheart", own = None), text_signature = "(profile='byheart', own=())")]
    fn new(profile: &str, own: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        Ok(Self { inner: patterns::NoiseFilter::new(profile, own_rules(own, "own")?)? })
    }

    /// Why a text is noise; None if it is not. As `is_noise`.
    #[pyo3(signature = (text, *, filter_denials = true, filter_meta = true, filter_boilerplate = true,
                        length_unit = None))]
    fn reason(
        &self,
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        filter_denials: bool,
        filter_meta: bool,
        filter_boilerplate: bool,
        length_unit: Option<&str>,
    ) -> PyResult<Option<String>> {
        let switches = Switches { denials: filter_denials, meta: filter_meta, boilerplate: filter_boilerplate };
        reason(py, &self.inner, text, switches, length_unit)
    }

    /// The name of the profile.
    #[getter]
    fn profile(&self) -> &'static str {
        self.inner.profile()
    }

    /// The rules in the order in which they are tried: group, name, language, pattern.
    #[getter]
    fn rules(&self) -> Vec<(&'static str, String, &'static str, String)> {
        table(self.inner.rules())
    }

    fn __repr__(&self) -> String {
        format!("NoiseFilter({:?}, {} rules)", self.inner.profile(), self.inner.rules().len())
    }
}

/// Whether a query can do without the memory, and what decided it. True in a condition if it can.
#[pyclass(frozen, eq, hash, module = "byheart._core")]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RetrievalDecision {
    /// The query needs no memory.
    #[pyo3(get)]
    skip: bool,
    /// "group: rule" of what decided it.
    #[pyo3(get)]
    reason: String,
}

#[pymethods]
impl RetrievalDecision {
    fn __bool__(&self) -> bool {
        self.skip
    }

    fn __repr__(&self) -> String {
        let skip = if self.skip { "True" } else { "False" };
        format!("RetrievalDecision(skip={skip}, reason={:?})", self.reason)
    }
}

impl From<Decision> for RetrievalDecision {
    fn from(decision: Decision) -> Self {
        Self { skip: decision.skip, reason: decision.reason }
    }
}

/// Whether a query can do without the memory, with the reason.
///
/// Profiles: "byheart" never skips a question for its length and a shell word only before a command; "1.0.11" and
/// "1.1.0-beta.11" are the original's. `min_length` takes the place of 15, or 6 where a character is Chinese, Japanese
/// or Korean. Lengths count code points in "byheart" and UTF-16 units elsewhere. Raises LimitExceeded above 1 MB.
///
/// >>> should_skip_retrieval("good morning")
/// RetrievalDecision(skip=True, reason="skip: greeting")
/// >>> should_skip_retrieval("find the decision we took on caching").skip
/// False
#[pyfunction]
#[pyo3(signature = (query, profile = "byheart", *, min_length = None, length_unit = None))]
pub fn should_skip_retrieval(
    py: Python<'_>,
    query: &Bound<'_, PyAny>,
    profile: &str,
    min_length: Option<&Bound<'_, PyAny>>,
    length_unit: Option<&str>,
) -> PyResult<RetrievalDecision> {
    decide(py, patterns::AdaptiveRetrieval::shipped(profile)?, query, min_length, length_unit)
}

fn decide(
    py: Python<'_>,
    rules: &patterns::AdaptiveRetrieval,
    query: &Bound<'_, PyAny>,
    min_length: Option<&Bound<'_, PyAny>>,
    unit: Option<&str>,
) -> PyResult<RetrievalDecision> {
    let (query, unit) = (owned_text(query, "query", MAX_QUERY_BYTES)?, length_unit(unit)?);
    let least = min_length.map(|value| convert::count(value, "min_length", patterns::MAX_MIN_LENGTH)).transpose()?;
    Ok(py.detach(|| rules.decide(&query, least, unit))?.into())
}

/// The rules of adaptive retrieval with patterns of your own behind them: `force` and `skip` give (name, pattern).
///
/// A pattern that forces a look into the memory goes before every other rule. Patterns as for `NoiseFilter`; they see
/// the query trimmed and without what a host wrapped around it.
///
/// >>> AdaptiveRetrieval(force=[("ticket", r"(?i)\bticket\b")]).decide("ticket")
/// RetrievalDecision(skip=False, reason="force: ticket")
#[pyclass(frozen, module = "byheart._core")]
pub struct AdaptiveRetrieval {
    inner: patterns::AdaptiveRetrieval,
}

#[pymethods]
impl AdaptiveRetrieval {
    #[new]
    #[pyo3(signature = (profile = "byheart", force = None, skip = None),
           text_signature = "(profile='byheart', force=(), skip=())")]
    fn new(profile: &str, force: Option<&Bound<'_, PyAny>>, skip: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let (force, skip) = (own_rules(force, "force")?, own_rules(skip, "skip")?);
        Ok(Self { inner: patterns::AdaptiveRetrieval::new(profile, force, skip)? })
    }

    /// Whether a query can do without the memory. As `should_skip_retrieval`.
    #[pyo3(signature = (query, *, min_length = None, length_unit = None))]
    fn decide(
        &self,
        py: Python<'_>,
        query: &Bound<'_, PyAny>,
        min_length: Option<&Bound<'_, PyAny>>,
        length_unit: Option<&str>,
    ) -> PyResult<RetrievalDecision> {
        decide(py, &self.inner, query, min_length, length_unit)
    }

    /// The name of the profile.
    #[getter]
    fn profile(&self) -> &'static str {
        self.inner.profile()
    }

    /// The rules in the order in which they are tried: group, name, language, pattern.
    #[getter]
    fn rules(&self) -> Vec<(&'static str, String, &'static str, String)> {
        table(self.inner.rules())
    }

    fn __repr__(&self) -> String {
        format!("AdaptiveRetrieval({:?}, {} rules)", self.inner.profile(), self.inner.rules().len())
    }
}

/// What a text shows to the ingestion gate: five sums, each from 0 to 1, and the patterns that they are made of.
#[pyclass(frozen, eq, module = "byheart._core")]
#[derive(Debug, Clone, PartialEq)]
pub struct GateSignals {
    inner: Signals,
}

#[pymethods]
impl GateSignals {
    /// T: how likely the text is about technical things.
    #[getter]
    fn technicality(&self) -> f64 {
        self.inner.technicality
    }

    /// D_nl: facts in natural language.
    #[getter]
    fn natural_density(&self) -> f64 {
        self.inner.natural_density
    }

    /// P: technical specificity, by length.
    #[getter]
    fn specificity(&self) -> f64 {
        self.inner.specificity
    }

    /// A: actions and decisions.
    #[getter]
    fn actionability(&self) -> f64 {
        self.inner.actionability
    }

    /// D_tech: technical structure.
    #[getter]
    fn technical_density(&self) -> f64 {
        self.inner.technical_density
    }

    /// What the gate's estimator makes of the trimmed text; 0 for an empty one.
    #[getter]
    fn tokens(&self) -> usize {
        self.inner.tokens
    }

    /// The patterns that are there: how often those of P match, 1 for the others.
    #[getter]
    fn counts(&self) -> Vec<(String, usize)> {
        self.inner.counts.clone()
    }

    fn __repr__(&self) -> String {
        let Signals { technicality, natural_density, specificity, actionability, technical_density, .. } = self.inner;
        format!(
            "GateSignals(T={technicality}, D_nl={natural_density}, P={specificity}, A={actionability}, \
             D_tech={technical_density})"
        )
    }

    /// The signals with these values, in the order T, D_nl, P, A, D_tech: what copying and pickling call.
    #[staticmethod]
    fn of(values: [f64; 5], tokens: usize, counts: Vec<(String, usize)>) -> Self {
        let [technicality, natural_density, specificity, actionability, technical_density] = values;
        let inner =
            Signals { technicality, natural_density, specificity, actionability, technical_density, tokens, counts };
        Self { inner }
    }

    #[allow(clippy::type_complexity)] // a tuple of Python
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, ([f64; 5], usize, Vec<(String, usize)>))> {
        let one = &self.inner;
        let values = [one.technicality, one.natural_density, one.specificity, one.actionability, one.technical_density];
        Ok((py.get_type::<Self>().getattr("of")?, (values, one.tokens, one.counts.clone())))
    }
}

/// What a text shows to the ingestion gate. Profiles: "strict", and "1.3.5", the original's.
///
/// `norm` divides the sum of T; P is divided by a hundredth of the estimated tokens, where a token is four UTF-8 bytes
/// ("byte") or four code points ("codepoint"). Raises LimitExceeded above 10 MB.
///
/// >>> gate_signals("I prefer tea")
/// GateSignals(T=0, D_nl=0.4, P=0, A=0, D_tech=0)
#[pyfunction]
#[pyo3(signature = (text, profile = "strict", *, norm = 1.5, token_unit = "byte"))]
pub fn gate_signals(
    py: Python<'_>,
    text: &Bound<'_, PyAny>,
    profile: &str,
    norm: f64,
    token_unit: &str,
) -> PyResult<GateSignals> {
    signals(py, patterns::GatePatterns::shipped(profile)?, text, norm, token_unit)
}

fn signals(
    py: Python<'_>,
    patterns: &patterns::GatePatterns,
    text: &Bound<'_, PyAny>,
    norm: f64,
    token_unit: &str,
) -> PyResult<GateSignals> {
    let (text, unit) = (owned_text(text, "text", MAX_TEXT_BYTES)?, TokenUnit::from_name(token_unit)?);
    Ok(GateSignals { inner: py.detach(|| patterns.signals(&text, norm, unit))? })
}

/// The gate's patterns with some of your own behind them: `own` gives (signal, name, pattern, weight).
///
/// A signal is "T", "D_nl", "P", "A" or "D_tech"; a weight lies above 0 and not above 1. Patterns as for `NoiseFilter`.
///
/// >>> GatePatterns(own=[("A", "incident", r"(?i)\boutage\b", 0.5)]).signals("the outage is over").actionability
/// 0.5
#[pyclass(frozen, module = "byheart._core")]
pub struct GatePatterns {
    inner: patterns::GatePatterns,
}

#[pymethods]
impl GatePatterns {
    #[new]
    #[pyo3(signature = (profile = "strict", own = None), text_signature = "(profile='strict', own=())")]
    fn new(profile: &str, own: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        Ok(Self { inner: patterns::GatePatterns::new(profile, own_signals(own)?)? })
    }

    /// What a text shows. As `gate_signals`.
    #[pyo3(signature = (text, *, norm = 1.5, token_unit = "byte"))]
    fn signals(&self, py: Python<'_>, text: &Bound<'_, PyAny>, norm: f64, token_unit: &str) -> PyResult<GateSignals> {
        signals(py, &self.inner, text, norm, token_unit)
    }

    /// The name of the profile.
    #[getter]
    fn profile(&self) -> &'static str {
        self.inner.profile()
    }

    /// The patterns in the order in which they are added up: name, weights in T, D_nl, P, A and D_tech, pattern.
    #[getter]
    fn rules(&self) -> Vec<(String, [f64; 5], String)> {
        self.inner.rules().map(|(rule, weights)| (rule.name.to_string(), weights, rule.pattern.to_string())).collect()
    }

    fn __repr__(&self) -> String {
        format!("GatePatterns({:?}, {} patterns)", self.inner.profile(), self.inner.rules().count())
    }
}
