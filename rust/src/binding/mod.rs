//! What Python sees: convert, detach, call, convert. No arithmetic lives here.
#![allow(clippy::doc_markdown, clippy::doc_link_with_quotes)] // doc comments here are Python's docstrings
#![allow(clippy::unused_self)] // a method of Python has a self, used or not

mod arrow;
mod awaiting;
mod buffers;
mod closure;
mod convert;
mod dense;
mod diversity;
mod errors;
mod explanation;
mod filters;
mod floats;
mod formulas;
mod handful;
mod hdc;
mod held;
mod keys;
mod lexical;
mod numbering;
mod parallel;
mod partition;
mod patterns;
mod ranking;
mod store_keys;
mod symbolic;
mod table;
mod text;

use pyo3::prelude::*;

/// The core of byheart. Use it through the package `byheart`.
#[pymodule]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::arrow::arrow_stream;
    #[pymodule_export]
    use super::awaiting::Awaiting;
    #[pymodule_export]
    use super::closure::{Closure, SymbolicProof};
    #[pymodule_export]
    use super::dense::{DenseExplanation, DenseIndex, cascade_trace};
    #[pymodule_export]
    use super::diversity::{cosine, cosines, maximal_marginal_relevance, near_duplicates};
    #[pymodule_export]
    use super::explanation::{LexicalExplanation, LexicalPart};
    #[pymodule_export]
    use super::formulas::{
        active_isa, available_isas, bm25_idf, bm25_part, exp, hypervector_reach, ln, ordinary_texts,
    };
    #[pymodule_export]
    use super::handful::Handful;
    #[pymodule_export]
    use super::hdc::{HyperVector, HypervectorIndex};
    #[pymodule_export]
    use super::lexical::LexicalIndex;
    #[pymodule_export]
    use super::numbering::Numbering;
    #[pymodule_export]
    use super::partition::{Absolute, Agreement, Directory, Partition, Proposal, ProposedLeg, Staged};
    #[pymodule_export]
    use super::patterns::{
        AdaptiveRetrieval, GatePatterns, GateSignals, NoiseFilter, RetrievalDecision, find_spans, gate_signals,
        is_noise, should_skip_retrieval,
    };
    #[pymodule_export]
    use super::ranking::Ranking;
    #[pymodule_export]
    use super::symbolic::{
        SymbolicIndex, check_rule, check_symbol, derived_confidence, extract_fact, path_score, symbol_key,
        symbol_tokens,
    };
    #[pymodule_export]
    use super::table::Table;
    #[pymodule_export]
    use super::text::{Analyzer, Marking, identifier_parts, opened, porter_stem, stop_words};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("__build__", env!("BYHEART_BUILD"))
    }
}
