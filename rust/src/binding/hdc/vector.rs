//! One hypervector for Python.

use std::hash::BuildHasher;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyInt, PyList, PyTuple};
use rustc_hash::FxBuildHasher;

use crate::binding::{convert, floats};
use crate::hdc::{self, BYTES, MAX_PARTS};

/// 4,096 bits that stand for a key, a set or a sequence. Immutable.
///
/// `a ^ b` binds; `permute` marks a place; `bundle` makes a set; `similarity` compares.
///
/// >>> a = HyperVector.random("ada")
/// >>> a.similarity(a), a.similarity(HyperVector.random("grace")) < 0.6
/// (1.0, True)
/// >>> (a ^ a.permute(1)) ^ a == a.permute(1)
/// True
#[pyclass(frozen, module = "byheart._core")]
pub struct HyperVector {
    inner: hdc::HyperVector,
}

impl From<hdc::HyperVector> for HyperVector {
    fn from(inner: hdc::HyperVector) -> Self {
        Self { inner }
    }
}

#[pymethods]
impl HyperVector {
    /// The vector of a key: the same bits for the same key, everywhere and always.
    #[staticmethod]
    fn random(key: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(hdc::HyperVector::random(convert::text(key, "key")?)?.into())
    }

    /// The vector of these 512 bytes; its `parts` are 1.
    #[staticmethod]
    fn from_bytes(b: PyBackedBytes) -> PyResult<Self> {
        Ok(hdc::HyperVector::from_bytes(&b)?.into())
    }

    /// The majority of each bit, in any order; no vectors give the zero vector.
    ///
    /// `weights` are whole numbers from 1, one for each vector, at most 2**31 together.
    #[staticmethod]
    #[pyo3(signature = (vectors, weights = None))]
    fn bundle(vectors: &Bound<'_, PyAny>, weights: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        // Borrowed, and not detached: the work is shorter than a copy of the vectors would be. The tuple, made in one
        // call, keeps them alive whatever happens to a list meanwhile, and its items need not be counted one by one.
        let vectors = match vectors.cast::<PyList>() {
            Ok(list) => list.to_tuple(),
            Err(_) => PyTuple::new(vectors.py(), vectors.try_iter()?.collect::<PyResult<Vec<_>>>()?)?,
        };
        let vectors = vectors.iter_borrowed().map(borrowed).collect::<PyResult<Vec<&hdc::HyperVector>>>()?;
        let Some(weights) = weights else { return Ok(hdc::HyperVector::bundle(&vectors)?.into()) };
        let weight = |weight: PyResult<Bound<'_, PyAny>>| Ok(convert::count(&weight?, "weights", MAX_PARTS)? as u32);
        let weights = weights.try_iter()?.map(weight).collect::<PyResult<Vec<u32>>>()?;
        Ok(hdc::HyperVector::bundle_weighted(&vectors, &weights)?.into())
    }

    /// Tokens as a set: the bundle of their vectors, repetitions counted.
    #[staticmethod]
    fn encode_tokens(py: Python<'_>, tokens: &Bound<'_, PyAny>) -> PyResult<Self> {
        let tokens = convert::texts(tokens, "tokens")?;
        Ok(py.detach(|| hdc::encode_tokens(&tokens))?.into())
    }

    /// Tokens as a sequence: each one bound to its place, and to its successor.
    #[staticmethod]
    fn encode_ngrams(py: Python<'_>, tokens: &Bound<'_, PyAny>) -> PyResult<Self> {
        let tokens = convert::texts(tokens, "tokens")?;
        Ok(py.detach(|| hdc::encode_ngrams(&tokens))?.into())
    }

    /// Tokens by their letters: words that share runs of three or four are alike.
    #[staticmethod]
    fn encode_subwords(py: Python<'_>, tokens: &Bound<'_, PyAny>) -> PyResult<Self> {
        let tokens = convert::texts(tokens, "tokens")?;
        Ok(py.detach(|| hdc::encode_subwords(&tokens))?.into())
    }

    /// An embedding (float32, 1 to 4,096 dimensions) by the signs of 4,096 random projections.
    ///
    /// The similarity of two such vectors is 1 - angle / pi of the embeddings, give or take 0.008, from some 50
    /// dimensions on. Zeros give the zero vector, which indexes take for a missing one.
    ///
    /// Raises InvalidArgument for NaN, an infinity or no dimensions, LimitExceeded for too many, TypeError for
    /// another type of number.
    #[staticmethod]
    fn from_embedding(py: Python<'_>, vector: &Bound<'_, PyAny>) -> PyResult<Self> {
        let vector: Vec<f32> = floats::vector(vector, "vector")?;
        Ok(py.detach(|| hdc::encode_embedding(&vector))?.into())
    }

    /// As `from_embedding`, for each row of a float32 array of shape (n, dimensions).
    #[staticmethod]
    fn from_embeddings(py: Python<'_>, matrix: &Bound<'_, PyAny>) -> PyResult<Vec<Self>> {
        let found = floats::matrix(matrix, "matrix")?;
        let (columns, mut vectors) = (found.columns, Vec::with_capacity(found.rows));
        if found.rows > 0 {
            hdc::check_dimensions(columns)?;
        }
        for rows in found.values.chunks(convert::CHUNK * columns.max(1)) {
            let first = vectors.len();
            let encoded = py.detach(|| hdc::encode_embeddings(rows, columns, first))?;
            vectors.extend(encoded.into_iter().map(Self::from));
            py.check_signals()?;
        }
        Ok(vectors)
    }

    /// All bits rotated left by 8 * n; n is any int.
    fn permute(&self, n: &Bound<'_, PyInt>) -> PyResult<Self> {
        let steps: i64 = n.call_method1("__mod__", (BYTES,))?.extract()?;
        Ok(self.inner.permute(steps).into())
    }

    /// The part of the bits that agree, 0.0 to 1.0; unrelated vectors are near 0.5.
    fn similarity(&self, b: &Bound<'_, Self>) -> f64 {
        self.inner.similarity(&b.get().inner)
    }

    /// How many vectors were bundled into this one; no part of equality, and not in the bytes.
    #[getter]
    fn parts(&self) -> u32 {
        self.inner.parts()
    }

    fn __xor__(&self, other: &Bound<'_, Self>) -> Self {
        (&self.inner ^ &other.get().inner).into()
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.inner.to_bytes())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| self.inner == other.get().inner)
    }

    fn __hash__(&self) -> u64 {
        FxBuildHasher.hash_one(&self.inner)
    }

    fn __repr__(&self) -> String {
        format!("HyperVector({:016x}..., parts={})", self.inner.words().0[0], self.inner.parts())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("HyperVector cannot be pickled; use bytes(vector) and HyperVector.from_bytes()"))
    }
}

/// The hypervector that a Python value is.
fn hypervector(value: Bound<'_, PyAny>) -> PyResult<Bound<'_, HyperVector>> {
    value.cast_into::<HyperVector>().map_err(|error| no_hypervector(&error.into_inner()))
}

fn no_hypervector(value: &Bound<'_, PyAny>) -> PyErr {
    let name = value.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("expected a HyperVector, not {name}"))
}

/// The hypervector that a Python value is, for as long as something else keeps that alive.
fn borrowed<'a>(value: Borrowed<'a, '_, PyAny>) -> PyResult<&'a hdc::HyperVector> {
    match value.cast::<HyperVector>() {
        Ok(vector) => Ok(&vector.get().inner),
        Err(_) => Err(no_hypervector(&value)),
    }
}

/// A copy of the hypervector that a Python value is.
///
/// # Errors
/// `TypeError` for anything else.
pub fn owned(value: Bound<'_, PyAny>) -> PyResult<hdc::HyperVector> {
    Ok(hypervector(value)?.get().inner.clone())
}
