//! What a closure found, for Python.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::symbolic::{self, ProofNode};

/// What came out of a search of a SymbolicIndex.
#[pyclass(frozen, module = "byheart._core")]
pub struct Closure {
    inner: Arc<symbolic::Closure>,
}

impl Closure {
    /// Wraps what the core found.
    pub fn new(found: symbolic::Closure) -> Self {
        Self { inner: Arc::new(found) }
    }

    /// The same, held by others too.
    pub fn shared(inner: Arc<symbolic::Closure>) -> Self {
        Self { inner }
    }

    fn proof(&self, node: usize) -> SymbolicProof {
        SymbolicProof { closure: Arc::clone(&self.inner), node }
    }
}

#[pymethods]
impl Closure {
    /// Ids of the candidates, best first.
    #[getter]
    fn ids(&self) -> Vec<&str> {
        self.inner.candidates.iter().map(|candidate| candidate.record.as_str()).collect()
    }

    /// The score of each candidate's best proof, in the order of ids.
    #[getter]
    fn scores(&self) -> Vec<f64> {
        self.inner.candidates.iter().map(|candidate| candidate.raw).collect()
    }

    /// Scores divided by the best of them, or by 1 if that is less.
    #[getter]
    fn normalised(&self) -> Vec<f64> {
        self.inner.candidates.iter().map(|candidate| candidate.normalised).collect()
    }

    /// Keys and scores of the facts from which the closure grew, best first.
    #[getter]
    fn seeds(&self) -> Vec<(String, u32)> {
        self.inner.seeds.clone()
    }

    /// Derived facts with their proofs, by key.
    #[getter]
    fn derived(&self) -> Vec<SymbolicProof> {
        self.inner.derived.iter().map(|&node| self.proof(node)).collect()
    }

    /// The proofs that matter to the query, the most telling first.
    #[getter]
    fn proofs(&self) -> Vec<SymbolicProof> {
        self.inner.proofs.iter().map(|&node| self.proof(node)).collect()
    }

    /// The best proof that a candidate is a part of; None for a record that is no candidate.
    fn proof_of(&self, id: &str) -> Option<SymbolicProof> {
        let found = self.inner.candidates.iter().find(|candidate| candidate.record == id);
        found.map(|candidate| self.proof(candidate.proof))
    }

    /// True if attempts or time ran out; what was found so far stands.
    #[getter]
    fn exhausted(&self) -> bool {
        self.inner.exhausted
    }

    /// Work done: names and counts.
    #[getter]
    fn counters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counters = PyDict::new(py);
        counters.set_item("facts", self.inner.facts)?;
        counters.set_item("attempts", self.inner.attempts)?;
        counters.set_item("rounds", self.inner.rounds)?;
        Ok(counters)
    }

    fn __len__(&self) -> usize {
        self.inner.candidates.len()
    }

    fn __repr__(&self) -> String {
        format!("Closure({} candidates, {} derived facts)", self.inner.candidates.len(), self.inner.derived.len())
    }
}

/// A fact that holds, and why.
#[pyclass(frozen, module = "byheart._core")]
pub struct SymbolicProof {
    closure: Arc<symbolic::Closure>,
    node: usize,
}

impl SymbolicProof {
    fn node(&self) -> &ProofNode {
        &self.closure.nodes[self.node]
    }
}

#[pymethods]
impl SymbolicProof {
    /// Subject, relation and object, as written.
    #[getter]
    fn fact(&self) -> (&str, &str, &str) {
        let [subject, relation, object] = &self.node().fact;
        (subject, relation, object)
    }

    /// How the fact is named and ordered: subject|relation|object.
    #[getter]
    fn key(&self) -> String {
        self.node().key()
    }

    /// How sure it is.
    #[getter]
    fn raw(&self) -> f64 {
        self.node().raw
    }

    /// The rule by which it follows; None for a stated fact.
    #[getter]
    fn rule(&self) -> Option<&str> {
        self.node().rule.as_ref().map(|(id, _)| id.as_str())
    }

    /// The weight of that rule; None for a stated fact.
    #[getter]
    fn weight(&self) -> Option<f64> {
        self.node().rule.as_ref().map(|&(_, weight)| weight)
    }

    /// Proofs of the premises, in order.
    #[getter]
    fn premises(&self) -> Vec<Self> {
        let proof = |&node: &usize| Self { closure: Arc::clone(&self.closure), node };
        self.node().premises.iter().map(proof).collect()
    }

    /// Rules used, in order, the last one last.
    #[getter]
    fn rules(&self) -> Vec<String> {
        self.node().rules.clone()
    }

    /// Keys of the stated facts that it rests on.
    #[getter]
    fn base(&self) -> Vec<String> {
        self.node().base.clone()
    }

    /// Steps, rules included.
    #[getter]
    fn length(&self) -> usize {
        self.node().length
    }

    /// Is a query term among the tokens of the fact?
    #[getter]
    fn touches_goal(&self) -> bool {
        self.node().touches_goal
    }

    /// Does it rest on a seed?
    #[getter]
    fn rests_on_seed(&self) -> bool {
        self.node().rests_on_seed
    }

    /// What the proof is worth.
    #[getter]
    fn score(&self) -> f64 {
        self.node().score
    }

    /// Ids of the first eight records inside the cells that state the fact; none for a derived one.
    #[getter]
    fn stated_by(&self) -> Vec<String> {
        self.node().stated_by.clone()
    }

    /// How many records inside the cells state the fact.
    #[getter]
    fn statements(&self) -> usize {
        self.node().statements
    }

    fn __repr__(&self) -> String {
        format!("SymbolicProof({:?}, {})", self.key(), self.raw())
    }
}
