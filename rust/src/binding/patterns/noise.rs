//! Noise for Python.

use pyo3::prelude::*;

use super::{length_unit, own_rules, owned_text, table};
use crate::lexical::MAX_TEXT_BYTES;
use crate::patterns::{self, Switches};

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
