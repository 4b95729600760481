//! The ingestion gate's signals for Python.

use pyo3::prelude::*;

use super::{owned_text, part, rows};
use crate::lexical::MAX_TEXT_BYTES;
use crate::patterns::{self, OwnSignal, Signals, TokenUnit};

/// Signals, names, patterns and weights.
fn own_signals(list: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<OwnSignal>> {
    let signal = |row: &Bound<'_, PyAny>| {
        let (signal, name, pattern) = (part(row, 0, "signal")?, part(row, 1, "name")?, part(row, 2, "pattern")?);
        Ok(OwnSignal { signal, name, pattern, weight: row.get_item(3)?.extract()? })
    };
    rows(list, "own", 4, signal)
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
