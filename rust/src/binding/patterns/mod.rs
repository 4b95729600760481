//! Patterns of texts for Python: noise, adaptive retrieval and the gate's signals.

mod adaptive;
mod gate;
mod noise;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

pub use adaptive::{AdaptiveRetrieval, RetrievalDecision, should_skip_retrieval};
pub use gate::{GatePatterns, GateSignals, gate_signals};
pub use noise::{NoiseFilter, is_noise};

use super::convert;
use crate::error::Error;
use crate::lexical::MAX_TEXT_BYTES;
use crate::patterns::{self, LengthUnit, OwnRule};

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
