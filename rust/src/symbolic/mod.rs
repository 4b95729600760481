//! Symbolic recall: facts that records state, rules by which more follows, and a closure bounded in every direction.
//!
//! A closure begins at the facts that touch a query, looks a few hops around them, and applies positive Horn rules
//! round by round. It answers with the records whose facts the proofs rest on. It sees only facts that are stated
//! in the searched cells, and its answers do not depend on the order in which records came.
//!
//! Not a theorem prover: no negation, no function terms, and bounds on rounds, derived facts and attempts, so that
//! every set of rules comes to an end.

mod bytes;
mod closure;
mod compiled;
mod extract;
mod fixpoint;
mod index;
mod names;
mod neighbourhood;
mod rules;
mod settings;
mod standalone;
mod symbols;
#[cfg(test)]
mod tests;

pub use closure::{Candidate, Closure, MAX_NAMED, ProofNode, path_score};
pub use extract::{EXTRACTED_CONFIDENCE, MAX_SENTENCE, Statement, extract_fact};
pub use fixpoint::derived_confidence;
pub use index::Index;
pub use neighbourhood::{MAX_QUERY_BYTES, MAX_QUERY_TERMS, Query, Seen};
pub use rules::{Atom, MAX_PREMISES, MAX_RULES, Rule, is_variable};
pub use settings::{MAX_DEPTH, MAX_RELATIONS, Options, Settings};
pub use standalone::{Record, Scope, SymbolicIndex};
pub use symbols::{MAX_SYMBOL_BYTES, canonical, check_symbol, symbol_key, symbol_tokens};
