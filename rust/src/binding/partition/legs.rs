//! The legs of a recall and the forms of its question, from Python.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::binding::dense::options::Given;
use crate::binding::{buffers, convert, filters, hdc};
use crate::dense::Ladder;
use crate::error::Error;
use crate::lexical::{Joined, Query};
use crate::partition::{Around, Forms, Leg, Retriever, Telling};
use crate::rank::MAX_K;
use crate::records::Value;
use crate::symbolic::{self, Options};
use crate::text::Mode;

const KEYS: [&str; 21] = [
    "retriever",
    "k",
    "floor",
    "within",
    "blank",
    "fewer",
    "whole",
    "count",
    "mode",
    "thresholds",
    "exit_rule",
    "rescore",
    "time_budget_ms",
    "shortlist",
    "options",
    "deadline",
    "weights",
    "saturation",
    "mark",
    "beside",
    "around",
];

/// Legs, and the seconds that facts may take.
pub struct Asked {
    pub legs: Vec<Leg>,
    pub deadline: Option<f64>,
}

impl Asked {
    /// Reads a list of mappings.
    ///
    /// # Errors
    /// `TypeError`, `InvalidArgument` or `LimitExceeded` naming the key.
    pub fn read(legs: &Bound<'_, PyAny>, ladder: Option<&Ladder>) -> PyResult<Self> {
        let mut asked = Self { legs: Vec::new(), deadline: None };
        for leg in legs.try_iter()? {
            let leg = leg?;
            let Ok(leg) = leg.cast::<PyDict>() else {
                return Err(PyTypeError::new_err("a leg must be a mapping with a retriever and k"));
            };
            let (leg, deadline) = one(leg, ladder)?;
            asked.legs.push(leg);
            asked.deadline = deadline.or(asked.deadline);
        }
        Ok(asked)
    }
}

fn one(leg: &Bound<'_, PyDict>, ladder: Option<&Ladder>) -> PyResult<(Leg, Option<f64>)> {
    for key in leg.keys() {
        let key = convert::text(&key, "legs")?.to_owned();
        if !KEYS.contains(&key.as_str()) {
            return Err(
                Error::invalid("legs", format!("{key:?} is no part of a leg; there are {}", KEYS.join(", "))).into()
            );
        }
    }
    let get = |key: &str| leg.get_item(key).map(|item| item.filter(|item| !item.is_none()));
    let name = get("retriever")?.ok_or_else(|| Error::invalid("legs", "one names no retriever"))?;
    let retriever = match convert::text(&name, "retriever")? {
        "lexical" => Retriever::Lexical,
        "hypervector" => Retriever::Hypervector,
        "dense" => Retriever::Dense(mode(leg, ladder)?),
        "symbolic" => {
            let mut options = Options::default();
            for (name, value) in convert::numbers(get("options")?.as_ref(), "options")?.unwrap_or_default() {
                options.set(&name, value)?;
            }
            Retriever::Symbolic(options)
        }
        "words" => {
            let (joined, around) = words(leg)?;
            Retriever::Words(joined, around.map(Box::new))
        }
        other => {
            let why =
                format!("{other:?} is none of \"lexical\", \"words\", \"hypervector\", \"dense\" and \"symbolic\"");
            return Err(Error::invalid("retriever", why).into());
        }
    };
    let truth = |key: &str| -> PyResult<bool> { get(key)?.map_or(Ok(false), |value| value.extract()) };
    let k = get("k")?.ok_or_else(|| Error::invalid("legs", "one does not say k"))?;
    let read = Leg {
        retriever,
        k: convert::count(&k, "k", MAX_K)?,
        floor: get("floor")?.map(|floor| floor.extract()).transpose()?,
        blank: truth("blank")?,
        within: filters::filter_or_none(get("within")?.as_ref())?,
        fewer: get("fewer")?.map(|fewer| convert::count(&fewer, "fewer", usize::MAX)).transpose()?,
        whole: truth("whole")?,
        count: truth("count")?,
    };
    Ok((read, get("deadline")?.map(|deadline| deadline.extract()).transpose()?))
}

/// Words over all fields as one, and what is asked about conversations.
pub(super) fn words(leg: &Bound<'_, PyDict>) -> PyResult<(Joined, Option<Around>)> {
    let around = leg.get_item("around")?.filter(|around| !around.is_none());
    let around = around.map(|around| self::around(&around)).transpose()?;
    let joined = Joined {
        weights: needed(leg, "weights")?,
        saturation: needed(leg, "saturation")?,
        mark: needed(leg, "mark")?,
        beside: leg.get_item("beside")?.map_or(Ok(0.0), |texts| texts.extract())?,
    };
    Ok((joined, around))
}

/// What is asked about conversations.
fn around(around: &Bound<'_, PyAny>) -> PyResult<Around> {
    let Ok(around) = around.cast::<PyDict>() else {
        return Err(PyTypeError::new_err("around must be a mapping"));
    };
    let without: Option<(String, String)> = needed(around, "without")?;
    let without = without.map(|(field, value)| (field, Value::from(value.as_str())));
    let (asks, asking) = (needed(around, "asks")?, needed(around, "asking")?);
    let telling = Telling { by: needed(around, "by")?, order: needed(around, "order")?, without, asks, asking };
    let (reach, first) = (needed(around, "reach")?, needed(around, "first")?);
    let (decay, short) = (needed(around, "decay")?, needed(around, "short")?);
    let (asked, asking) = (needed(around, "asked")?, needed(around, "asked_all")?);
    let (k1, b) = (needed(around, "k1")?, needed(around, "b")?);
    let (dense, floor) = (needed(around, "dense")?, needed(around, "floor")?);
    Ok(Around { telling, reach, first, decay, asked, asking, short, k1, b, dense, floor })
}

fn needed<'py, T: FromPyObjectOwned<'py>>(mapping: &Bound<'py, PyDict>, key: &str) -> PyResult<T> {
    let item = mapping.get_item(key)?.ok_or_else(|| Error::invalid("legs", format!("one does not say {key}")))?;
    item.extract().map_err(Into::into)
}

/// The way to search for embeddings.
fn mode(leg: &Bound<'_, PyDict>, ladder: Option<&Ladder>) -> PyResult<crate::dense::Mode> {
    let none = || Error::invalid("legs", "one asks an index of embeddings, which this partition does not have");
    let ladder = ladder.ok_or_else(none)?;
    let text = |key: &str, default: &str| -> PyResult<String> {
        leg.get_item(key)?.map_or(Ok(default.to_owned()), |value| Ok(convert::text(&value, key)?.to_owned()))
    };
    let (mode, exit_rule, rescore) = (text("mode", "exact")?, text("exit_rule", "strict")?, text("rescore", "full")?);
    let shortlist = leg.get_item("shortlist")?.filter(|value| !value.is_none());
    let thresholds = leg.get_item("thresholds")?.filter(|value| !value.is_none());
    let time_budget_ms = match leg.get_item("time_budget_ms")? {
        Some(budget) => budget.extract()?,
        None => None, // an answer of a recall does not depend on the clock
    };
    let given = Given {
        k: None,
        cells: None,
        among: None,
        mode: &mode,
        thresholds: thresholds.map(|thresholds| thresholds.extract()).transpose()?,
        exit_rule: &exit_rule,
        rescore: &rescore,
        time_budget_ms,
        shortlist: shortlist.as_ref(),
    };
    Ok(given.read(ladder)?.mode)
}

/// Terms and the text that they are of.
type Symbols<'py> = (Bound<'py, PyAny>, Option<String>);

/// A keyword that may be missing.
type Item<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// The question in each of its forms.
///
/// # Errors
/// `TypeError`, `InvalidArgument` or `LimitExceeded` naming the form.
pub fn forms(
    (terms, boosts): (Item<'_, '_>, Item<'_, '_>),
    hypervectors: Item<'_, '_>,
    (vector, ladder): (Item<'_, '_>, Option<&Ladder>),
    (symbols, mode): (Option<Symbols<'_>>, Option<Mode>),
) -> PyResult<Forms> {
    let mut forms = Forms::default();
    if let Some(terms) = terms {
        let terms = convert::texts(terms, "terms")?;
        let boosts = convert::numbers(boosts, "boosts")?.unwrap_or_default();
        forms.terms = Some((Query::from_terms(terms.iter().map(String::as_str))?, boosts));
    }
    forms.hypervectors = hypervectors.map(hdc::vectors).transpose()?;
    if let (Some(vector), Some(ladder)) = (vector, ladder) {
        forms.vector = Some(buffers::vector(vector, "vector", ladder.dimensions())?);
    }
    if let (Some((terms, text)), Some(mode)) = (symbols, mode) {
        let terms = convert::texts(&terms, "symbols")?;
        forms.symbols = Some(symbolic::Query::new(&terms, text.as_deref(), mode)?);
    }
    Ok(forms)
}
