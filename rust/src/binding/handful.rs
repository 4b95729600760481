//! A handful of texts, scored among themselves, for Python.

use pyo3::prelude::*;

use super::convert;
use super::text::Analyzer;
use crate::error::Error;
use crate::lexical::{Handful as CoreHandful, MAX_TEXT_BYTES};

/// A handful of texts that are scored among themselves: BM25 without an index (k1 = 0.6, b = 0.3).
///
/// The idf of a term is that of the texts given, so that what all of them say counts little.
///
/// >>> texts = Handful(Analyzer(), ["tea time", "tea", "sea"])
/// >>> [round(share, 2) for share in texts.shares(["tea"])], texts.lengths
/// ([0.59, 0.64, 0.0], [2, 1, 1])
#[pyclass(frozen, module = "byheart._core")]
#[derive(Debug)]
pub struct Handful {
    inner: CoreHandful,
}

#[pymethods]
impl Handful {
    #[new]
    fn new(py: Python<'_>, analyzer: &Analyzer, texts: &Bound<'_, PyAny>) -> PyResult<Self> {
        let texts = convert::texts(texts, "texts")?;
        if let Some(long) = texts.iter().map(String::len).find(|&size| size > MAX_TEXT_BYTES) {
            return Err(Error::limit("text length in bytes", MAX_TEXT_BYTES, long).into());
        }
        let analyzer = analyzer.inner;
        Ok(Self { inner: py.detach(|| CoreHandful::new(analyzer, &texts)) })
    }

    /// How many terms each text has.
    #[getter]
    fn lengths(&self) -> Vec<u32> {
        self.inner.lengths().to_vec()
    }

    /// Of each text the BM25 of a query's terms, as a share of what these weigh here; 0 where they weigh nothing.
    fn shares(&self, query: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
        Ok(self.inner.shares(&convert::texts(query, "query")?))
    }

    /// Of each text the BM25 of ten words of the ten best texts that others have too, and that the query has not.
    ///
    /// `worth` is that of each text, and says which are the best.
    fn kin(&self, worth: Vec<f64>, query: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
        if worth.len() != self.inner.len() {
            let why = format!("has {} numbers for {} texts", worth.len(), self.inner.len());
            return Err(Error::invalid("worth", why).into());
        }
        Ok(self.inner.kin(&worth, &convert::texts(query, "query")?))
    }

    /// Of each text how much rarer its terms are for its length than is usual among them: -1 to 1.
    fn rich(&self) -> Vec<f64> {
        self.inner.rich()
    }
}
