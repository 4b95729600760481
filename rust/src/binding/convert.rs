//! Python values to the core's, with errors that name the argument.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyMapping, PyString};

use crate::error::Error;

/// Items worked on between two looks at Ctrl-C.
pub const CHUNK: usize = 512;

/// The most threads a batch search may use.
pub const MAX_THREADS: usize = 256;

/// The text of a `str`.
///
/// # Errors
/// `TypeError` for another type, `InvalidArgument` for a lone surrogate.
pub fn text<'a>(value: &'a Bound<'_, PyAny>, what: &str) -> PyResult<&'a str> {
    let Ok(string) = value.cast::<PyString>() else {
        return Err(PyTypeError::new_err(format!("{what} must be str, not {}", type_name(value))));
    };
    string.to_str().map_err(|error| {
        Error::invalid(what, format!("is not valid Unicode text ({error}); replace lone surrogates first")).into()
    })
}

/// A list of `str`; a single `str` is refused, since it would be taken letter by letter.
///
/// # Errors
/// As [`text`].
pub fn texts(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<String>> {
    refuse_str(value, what)?;
    let unlisted = |error: PyErr| {
        if error.is_instance_of::<PyTypeError>(value.py()) {
            PyTypeError::new_err(format!("{what} must be a list of str, not {}", type_name(value)))
        } else {
            error
        }
    };
    value.try_iter().map_err(unlisted)?.map(|item| Ok(text(&item?, what)?.to_owned())).collect()
}

/// As [`texts`]; nothing for `None`.
///
/// # Errors
/// As [`texts`].
pub fn texts_or_none(value: Option<&Bound<'_, PyAny>>, what: &str) -> PyResult<Option<Vec<String>>> {
    value.map(|value| texts(value, what)).transpose()
}

/// Refuses a `str` where several things are asked for: it would be taken letter by letter.
///
/// # Errors
/// `TypeError`.
pub fn refuse_str(value: &Bound<'_, PyAny>, what: &str) -> PyResult<()> {
    if value.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(format!("{what} must be a list, not one str")));
    }
    Ok(())
}

/// Names with a number each, in the mapping's order.
///
/// # Errors
/// `TypeError` for what is no mapping of `str` to `float`.
pub fn numbers(mapping: Option<&Bound<'_, PyAny>>, what: &str) -> PyResult<Option<Vec<(String, f64)>>> {
    let Some(mapping) = mapping else { return Ok(None) };
    let Ok(mapping) = mapping.cast::<PyMapping>() else {
        return Err(PyTypeError::new_err(format!("{what} must be a mapping of str to float")));
    };
    let mut pairs = Vec::new();
    for item in mapping.items()? {
        let (name, value): (Bound<'_, PyAny>, f64) = item.extract()?;
        pairs.push((text(&name, what)?.to_owned(), value));
    }
    Ok(Some(pairs))
}

/// Keys and values of a mapping.
pub type Items<'py> = Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>;

/// The items of a mapping, in its order.
///
/// # Errors
/// `TypeError` with this message for what is no mapping.
pub fn items<'py>(value: &Bound<'py, PyAny>, refusal: &'static str) -> PyResult<Items<'py>> {
    if let Ok(dict) = value.cast_exact::<PyDict>() {
        return Ok(dict.iter().collect()); // without a tuple for each
    }
    let Ok(mapping) = value.cast::<PyMapping>() else { return Err(PyTypeError::new_err(refusal)) };
    mapping.items()?.iter().map(|item| item.extract()).collect()
}

/// What an object that holds an index answers to `pickle`.
pub fn refuse_pickle(class: &str) -> PyErr {
    PyTypeError::new_err(format!("{class} cannot be pickled; use to_bytes() and {class}.from_bytes()"))
}

/// Cell keys of a search: `None` for all, one key or several.
///
/// # Errors
/// As [`text`].
pub fn cells(value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Vec<String>>> {
    match value {
        None => Ok(None),
        Some(one) if one.is_instance_of::<PyString>() => Ok(Some(vec![text(one, "cells")?.to_owned()])),
        Some(many) => Ok(Some(texts(many, "cells")?)),
    }
}

/// Cell keys of added records: `None` for the cell "", one key for all of them, or one for each.
///
/// # Errors
/// As [`text`].
pub fn cells_for(value: Option<&Bound<'_, PyAny>>, records: usize) -> PyResult<Option<Vec<String>>> {
    match value {
        Some(one) if one.is_instance_of::<PyString>() => Ok(Some(vec![text(one, "cells")?.to_owned(); records])),
        other => cells(other),
    }
}

/// A count such as `k` or `threads`.
///
/// # Errors
/// `TypeError` for what is no whole number, `InvalidArgument` for one below 1, `LimitExceeded` for one above `limit`.
pub fn count(value: &Bound<'_, PyAny>, what: &str, limit: usize) -> PyResult<usize> {
    let whole = value.hasattr("__index__")? && !value.is_instance_of::<PyBool>();
    if !whole {
        return Err(PyTypeError::new_err(format!("{what} must be int, not {}", type_name(value))));
    }
    let value = &value.call_method0("__index__")?;
    if value.lt(1)? {
        return Err(Error::invalid(what, format!("is {value}; ask for at least 1")).into());
    }
    let number = value.extract::<u64>().map_or(usize::MAX, |number| usize::try_from(number).unwrap_or(usize::MAX));
    if number > limit {
        return Err(Error::limit(what, limit, number).into());
    }
    Ok(number)
}

/// As [`count`], with a value to take for `None`.
///
/// # Errors
/// As [`count`].
pub fn count_or(value: Option<&Bound<'_, PyAny>>, what: &str, default: usize, limit: usize) -> PyResult<usize> {
    value.map_or(Ok(default), |value| count(value, what, limit))
}

fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string())
}
