//! Lexical recall: an incremental inverted index with weighted fields, scored by BM25.
//!
//! Every number that depends on a collection (records, document frequency, average length) is counted for each
//! cell and added up over the cells of a search, so a search knows nothing of other cells. After any order
//! of additions, replacements and removals the scores are, bit for bit, those of a fresh index.
//!
//! [`Index`] works with the numbers of a directory that others share; [`LexicalIndex`] has a directory of its own.
//! Exhaustive over the records that share a term with the query. It knows no phrases and no prefixes.

mod accumulate;
mod batch;
mod bm25;
mod bytes;
mod classes;
mod compounds;
mod dictionary;
mod estimated;
mod explain;
mod groups;
mod handful;
mod holding;
mod index;
mod joined;
mod lent;
mod margin;
mod merge;
mod open;
mod packed;
mod passing;
mod postings;
mod pruning;
mod query;
mod rows;
mod scores;
mod search;
mod segment;
mod settings;
mod spelling;
mod standalone;
mod statistics;
#[cfg(test)]
mod tests;
mod turned;
mod visit;
mod weighed;

pub use batch::Batch;
pub use bm25::{Saturation, base, idf};
pub use explain::{Explanation, Part};
pub use groups::{Groups, NO_GROUP};
pub use handful::Handful;
pub use index::Index;
pub use joined::{FoundJoined, Joined, JoinedLists, MAX_WEIGHT};
pub use query::Query;
pub use scores::Scores;
pub use search::{Counters, Found};
pub use settings::{Field, MAX_FIELDS, MAX_QUERY_BYTES, MAX_QUERY_TERMS, MAX_TEXT_BYTES, Settings};
pub use standalone::{Attributes, LexicalIndex, Options};
