//! Hyperdimensional computing: meaning as 4,096 random bits.
//!
//! Every key has a hypervector of its own, unrelated to all others. Binding (XOR) makes a pair that is unlike
//! both parts, bundling (majority) makes a set that is like each member, permuting marks a position. Texts
//! encoded so are compared by Hamming distance. Kanerva, "Hyperdimensional computing" (2009), is the source
//! of the words; the bits are ours and are pinned by tests, since they are part of every file.
//!
//! [`Index`] works with the numbers of a directory that others share; [`HypervectorIndex`] has a directory of its own.
//! Search is exact and exhaustive. For approximate search over many millions this is the wrong place.

mod bytes;
mod cell;
mod embedding;
mod encode;
mod hypervector;
mod index;
mod score;
mod search;
mod settings;
mod standalone;
#[cfg(test)]
mod tests;
mod view;

pub use embedding::{MAX_DIMENSIONS, check_dimensions, encode_embedding, encode_embeddings};
pub use encode::{encode_ngrams, encode_subwords, encode_tokens};
pub use hypervector::{BITS, BYTES, GENERATOR, HyperVector, MAX_PARTS};
pub use index::Index;
pub use score::reach;
pub use search::{Counters, Found, MAX_THREADS};
pub use settings::{Combine, Field, MAX_FIELDS, Settings, Vectors};
pub use standalone::{HypervectorIndex, Record};
