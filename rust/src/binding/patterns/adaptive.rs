//! Adaptive retrieval for Python: whether a query can do without the memory.

use pyo3::prelude::*;

use super::{length_unit, own_rules, owned_text, table};
use crate::binding::convert;
use crate::patterns::{self, Decision};
use crate::symbolic::MAX_QUERY_BYTES;

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
