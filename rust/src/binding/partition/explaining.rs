//! How a record of a partition is scored, taken apart.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::asking::{Locked, embeddings};
use super::legs;
use crate::binding::dense::DenseExplanation;
use crate::binding::explanation::LexicalExplanation;
use crate::binding::{buffers, convert};
use crate::error::Error;
use crate::lexical::{Joined, Query};

/// How fields are added up: weights by field, k1 and b, the mark of terms that count as others, the texts beside.
pub type Joint = (Vec<u32>, Option<(f64, f64)>, String, f64);

/// A record: its id, and the key of its cell.
type Named<'a, 'py> = (&'a Bound<'py, PyAny>, &'a str);

/// A keyword that may be missing.
type Item<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// How the words score a record.
pub(super) fn words(
    locked: &Locked,
    py: Python<'_>,
    terms: &Bound<'_, PyAny>,
    (id, cell): Named<'_, '_>,
    cells: Item<'_, '_>,
    boosts: Item<'_, '_>,
    joined: Option<Joint>,
) -> PyResult<LexicalExplanation> {
    let query = query(terms)?;
    let (cells, boosts) = (convert::cells(cells)?, convert::numbers(boosts, "boosts")?.unwrap_or_default());
    let joined = joined.map(|(weights, saturation, mark, beside)| Joined { weights, saturation, mark, beside });
    let explained = locked.about(py, id, cell, |inner, number| {
        let cells = inner.directory().cell_numbers(cells.as_deref());
        let (directory, words) = (inner.directory(), inner.lexical());
        match &joined {
            None => words.explain(directory, &query, &boosts, number, &cells),
            Some(joined) => words.explain_joined(directory, &query, joined, number, &cells),
        }
    })?;
    Ok(LexicalExplanation::new(explained))
}

/// How well the words of a record's whole conversation fit, and what they weigh among conversations.
pub(super) fn whole(
    locked: &Locked,
    py: Python<'_>,
    terms: &Bound<'_, PyAny>,
    leg: &Bound<'_, PyDict>,
    (id, cell): Named<'_, '_>,
    cells: Item<'_, '_>,
) -> PyResult<Option<(LexicalExplanation, f64)>> {
    let query = query(terms)?;
    let (cells, (joined, around)) = (convert::cells(cells)?, legs::words(leg)?);
    let around = around.ok_or_else(|| Error::invalid("leg", "does not say what a conversation is"))?;
    let explained = locked.about(py, id, cell, |inner, number| {
        let cells = inner.directory().cell_numbers(cells.as_deref());
        inner.explain_whole(&around, &joined, &query, number, &cells)
    })?;
    Ok(explained.map(|(told, weight)| (LexicalExplanation::new(told), weight)))
}

/// How an embedding scores a record.
pub(super) fn vector(
    locked: &Locked,
    py: Python<'_>,
    vector: &Bound<'_, PyAny>,
    (id, cell): Named<'_, '_>,
) -> PyResult<DenseExplanation> {
    let dimensions = embeddings(&locked.read())?.ladder().dimensions();
    let vector = buffers::vector(vector, "vector", dimensions)?;
    let explained =
        locked.about(py, id, cell, |inner, number| embeddings(inner)?.explain(inner.directory(), &vector, number))?;
    Ok(DenseExplanation::new(convert::text(id, "id")?.to_owned(), explained))
}

fn query(terms: &Bound<'_, PyAny>) -> PyResult<Query> {
    let terms = convert::texts(terms, "terms")?;
    Ok(Query::from_terms(terms.iter().map(String::as_str))?)
}
