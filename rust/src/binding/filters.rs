//! Fields of records and filters from Python.
//!
//! A filter is nested tuples: `("and", (f, ...))`, `("or", (f, ...))`, `("not", f)`, `("in", field, (value, ...))`,
//! `("range", field, low or None, low_inclusive, high or None, high_inclusive)`, `("exists", field, bool)`.

use std::ops::Bound as End; // `Bound` is PyO3's

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyString, PyTuple};

use super::convert;
use crate::error::Error;
use crate::records::{Batch, Filter, MAX_DEPTH, Value};

const FORMS: &str = "give one of (\"and\", (f, ...)), (\"or\", (f, ...)), (\"not\", f), (\"in\", field, (value, ...)), \
                     (\"range\", field, low, low_inclusive, high, high_inclusive), (\"exists\", field, bool)";

/// A scalar: `bool`, `int`, `float` or `str`.
///
/// # Errors
/// `TypeError` for another type, `InvalidArgument` for a number that is not finite and for a lone surrogate.
pub fn value(item: &Bound<'_, PyAny>, what: &str) -> PyResult<Value> {
    if item.is_instance_of::<PyString>() {
        return Ok(Value::from(convert::text(item, what)?));
    }
    if let Ok(flag) = item.cast::<PyBool>() {
        return Ok(Value::from(flag.is_true()));
    }
    let is_whole = item.is_instance_of::<PyInt>();
    if is_whole && let Ok(whole) = item.extract::<i128>() {
        return Ok(Value::whole(whole));
    }
    if is_whole || item.is_instance_of::<PyFloat>() {
        let number = item.extract::<f64>().unwrap_or(f64::INFINITY); // a whole number over all floats
        return Ok(Value::number(number).map_err(|error| Error::invalid(what, error.to_string()))?);
    }
    let found = item.get_type().name()?;
    Err(PyTypeError::new_err(format!("{what}: a value must be str, int, float or bool, not {found}")))
}

/// What records say: one mapping each of field names to a scalar, a list or tuple of scalars, or None for nothing.
///
/// # Errors
/// As [`value`] and [`Batch::push`].
pub fn batch(records: &Bound<'_, PyAny>) -> PyResult<Batch> {
    convert::refuse_str(records, "fields")?;
    let mut batch = Batch::default();
    for (number, record) in records.try_iter()?.enumerate() {
        let items = convert::items(&record?, "fields must be a list of mappings of names to values")?;
        for (name, said) in &items {
            let name = convert::text(name, "fields")?;
            if let Ok(tuple) = said.cast_exact::<PyTuple>() {
                for one in tuple {
                    batch.push(name, value(&one, name)?)?;
                }
            } else if said.is_instance_of::<PyList>() || said.is_instance_of::<PyTuple>() {
                for one in said.try_iter()? {
                    batch.push(name, value(&one?, name)?)?;
                }
            } else if !said.is_none() {
                batch.push(name, value(said, name)?)?;
            }
        }
        batch.end();
        if number % convert::CHUNK == convert::CHUNK - 1 {
            records.py().check_signals()?;
        }
    }
    Ok(batch)
}

/// A filter.
///
/// # Errors
/// `TypeError` for what has none of the forms, `LimitExceeded` for one nested too deep; as [`value`].
pub fn filter(form: &Bound<'_, PyAny>) -> PyResult<Filter> {
    parse(form, 1)
}

/// As [`filter`]; nothing for `None`.
///
/// # Errors
/// As [`filter`].
pub fn filter_or_none(form: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Filter>> {
    form.map(filter).transpose()
}

fn parse(form: &Bound<'_, PyAny>, depth: usize) -> PyResult<Filter> {
    if depth > MAX_DEPTH {
        return Err(Error::limit("depth of a filter", MAX_DEPTH, depth).into());
    }
    let Ok(tuple) = form.cast::<PyTuple>() else { return Err(unknown(form)) };
    let items: Vec<Bound<'_, PyAny>> = tuple.iter().collect();
    let Some((Ok(word), rest)) = items.split_first().map(|(word, rest)| (word.cast::<PyString>(), rest)) else {
        return Err(unknown(form));
    };
    let parts = |of: &Bound<'_, PyAny>| -> PyResult<Vec<Filter>> {
        of.cast::<PyTuple>()?.iter().map(|part| parse(&part, depth + 1)).collect()
    };
    match (word.to_str()?, rest) {
        ("and", [of]) => Ok(Filter::And(parts(of)?)),
        ("or", [of]) => Ok(Filter::Or(parts(of)?)),
        ("not", [part]) => Ok(Filter::Not(Box::new(parse(part, depth + 1)?))),
        ("in", [field, values]) => {
            let values = values.cast::<PyTuple>()?.iter().map(|one| value(&one, "filter")).collect::<PyResult<_>>()?;
            Ok(Filter::In { field: name(field)?, values })
        }
        ("range", [field, low, low_inclusive, high, high_inclusive]) => Ok(Filter::Range {
            field: name(field)?,
            low: bound(low, low_inclusive)?,
            high: bound(high, high_inclusive)?,
        }),
        ("exists", [field, exists]) => Ok(Filter::Exists { field: name(field)?, exists: exists.extract()? }),
        _ => Err(unknown(form)),
    }
}

fn name(field: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(convert::text(field, "field of a filter")?.to_owned())
}

fn bound(value: &Bound<'_, PyAny>, inclusive: &Bound<'_, PyAny>) -> PyResult<End<Value>> {
    if value.is_none() {
        return Ok(End::Unbounded);
    }
    let value = self::value(value, "filter")?;
    Ok(if inclusive.extract()? { End::Included(value) } else { End::Excluded(value) })
}

fn unknown(form: &Bound<'_, PyAny>) -> PyErr {
    let found = form.repr().map_or_else(|_| "this".to_owned(), |repr| repr.to_string());
    let short: String = found.chars().take(80).collect();
    PyTypeError::new_err(format!("{short} is no filter: {FORMS}"))
}

/// A value for Python; a number without a fraction is an `int`.
pub fn object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Flag(flag) => PyBool::new(py, *flag).to_owned().into_any(),
        Value::Text(text) => text.as_ref().into_pyobject(py)?.into_any(),
        Value::Number(number) => match number.as_whole() {
            Some(whole) => whole.into_pyobject(py)?.into_any(),
            None => number.get().into_pyobject(py)?.into_any(),
        },
    })
}
