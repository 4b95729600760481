//! A lexical score taken apart, as Python reads it.

use pyo3::prelude::*;

use crate::lexical::{Explanation, Part};

/// One query term found in one field, with every number that its contribution is made of.
#[pyclass(frozen, get_all, module = "byheart._core")]
#[derive(Debug, Clone)]
pub struct LexicalPart {
    field: String,
    term: String,
    weight: f64,
    idf: f64,
    document_frequency: u64,
    ordinary_frequency: f64,
    term_frequency: u32,
    length: u32,
    average_length: f64,
    value: f64,
}

impl From<Part> for LexicalPart {
    fn from(part: Part) -> Self {
        let Part { field, term, weight, idf, document_frequency, ordinary_frequency, .. } = part;
        let Part { term_frequency, length, average_length, value, .. } = part;
        Self {
            field,
            term,
            weight,
            idf,
            document_frequency,
            ordinary_frequency,
            term_frequency,
            length,
            average_length,
            value,
        }
    }
}

#[pymethods]
impl LexicalPart {
    fn __repr__(&self) -> String {
        format!("LexicalPart({}:{} {})", self.field, self.term, self.value)
    }
}

/// Parts in order, their sum in that order, factors on it in order, the score: recomputed, the score's bits.
#[pyclass(frozen, module = "byheart._core")]
#[derive(Debug)]
pub struct LexicalExplanation {
    inner: Explanation,
}

impl LexicalExplanation {
    /// For Python.
    pub fn new(inner: Explanation) -> Self {
        Self { inner }
    }
}

#[pymethods]
impl LexicalExplanation {
    /// Id of the record.
    #[getter]
    fn id(&self) -> &str {
        &self.inner.id
    }

    /// Contributions, fields outer, query terms inner.
    #[getter]
    fn parts(&self) -> Vec<LexicalPart> {
        self.inner.parts.iter().cloned().map(LexicalPart::from).collect()
    }

    /// 0.0, then the values of the parts added one by one.
    #[getter]
    fn sum(&self) -> f64 {
        self.inner.sum
    }

    /// Names and factors that the sum is multiplied by, in order.
    #[getter]
    fn factors(&self) -> Vec<(String, f64)> {
        self.inner.boost.iter().cloned().collect()
    }

    /// What a search gives for this record.
    #[getter]
    fn score(&self) -> f64 {
        self.inner.score
    }

    /// Records in the searched cells.
    #[getter]
    fn records(&self) -> u64 {
        self.inner.records
    }

    /// Ordinary texts that count beside them where it is asked how rare a term is.
    #[getter]
    fn beside(&self) -> f64 {
        self.inner.beside
    }

    /// The index's k1.
    #[getter]
    fn k1(&self) -> f64 {
        self.inner.k1
    }

    /// The index's b.
    #[getter]
    fn b(&self) -> f64 {
        self.inner.b
    }

    fn __repr__(&self) -> String {
        format!("LexicalExplanation({:?}, score={}, parts={})", self.inner.id, self.inner.score, self.inner.parts.len())
    }
}
