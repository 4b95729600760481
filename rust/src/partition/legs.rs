//! The legs of a recall: which index is asked, in which form, for how much.

use super::told::Around;
use crate::records::Filter;
use crate::{dense, hdc, lexical, symbolic};

/// An index to ask, with the settings of its search.
#[derive(Debug, Clone)]
pub enum Retriever {
    /// Words.
    Lexical,
    /// Words over all fields as one; and what was told around each record, if that is asked.
    Words(lexical::Joined, Option<Box<Around>>),
    /// Hypervectors.
    Hypervector,
    /// Embeddings, in one of the ways of searching them.
    Dense(dense::Mode),
    /// Facts, within these bounds; how many candidates is the leg's.
    Symbolic(symbolic::Options),
}

/// One leg.
#[derive(Debug, Clone)]
pub struct Leg {
    /// What is asked.
    pub retriever: Retriever,
    /// The most hits, 1 to 100,000.
    pub k: usize,
    /// Hits with a lower score are left out.
    pub floor: Option<f64>,
    /// Only records without an embedding can be found.
    pub blank: bool,
    /// Only records that match this can be found, besides what the question filters.
    pub within: Option<Filter>,
    /// The leg is asked only if those before it propose fewer hits than this, all filters left aside.
    pub fewer: Option<usize>,
    /// Whether to say what the leg proposes where nothing is filtered.
    pub whole: bool,
    /// Whether to say how much that is, and perhaps no more.
    pub count: bool,
}

impl Leg {
    /// A leg that is always asked.
    #[must_use]
    pub fn new(retriever: Retriever, k: usize) -> Self {
        Self { retriever, k, floor: None, blank: false, within: None, fewer: None, whole: false, count: false }
    }
}

/// A question in each form that a leg may ask for. A leg without its form is not asked.
#[derive(Debug, Clone, Default)]
pub struct Forms {
    /// For words, with factors on the scores of labels.
    pub terms: Option<(lexical::Query, Vec<(String, f64)>)>,
    /// For hypervectors.
    pub hypervectors: Option<hdc::Vectors>,
    /// For embeddings.
    pub vector: Option<Vec<f32>>,
    /// For facts.
    pub symbols: Option<symbolic::Query>,
}

/// What a leg proposes where nothing is filtered: scores are made comparable by it, so that a filter changes none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Whole {
    /// How many hits there are.
    pub count: usize,
    /// The best score, if there is one and it was asked for.
    pub best: Option<f64>,
    /// The least, likewise.
    pub least: Option<f64>,
}

impl Whole {
    pub(super) fn of(hits: &[(u32, f64)]) -> Self {
        Self { count: hits.len(), best: hits.first().map(|hit| hit.1), least: hits.last().map(|hit| hit.1) }
    }
}
