//! Hyperdimensional computing: meaning as 4,096 random bits.
//!
//! Every key has a hypervector of its own, unrelated to all others. Binding (XOR) makes a pair that is unlike
//! both parts, bundling (majority) makes a set that is like each member, permuting marks a position. Texts
//! encoded so are compared by Hamming distance. Kanerva, "Hyperdimensional computing" (2009), is the source
//! of the words; the bits are ours and are pinned by tests, since they are part of every file.
//!
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

pub use embedding::{MAX_DIMENSIONS, check_dimensions, encode_embedding, encode_embeddings};
pub use encode::{encode_ngrams, encode_subwords, encode_tokens};
pub use hypervector::{BITS, BYTES, HyperVector};
pub use index::{HypervectorIndex, MAX_RECORDS, Record};
pub use score::reach;
pub use search::{Counters, Found, MAX_THREADS};
pub use settings::{Combine, Field, MAX_FIELDS, Settings, Vectors};

/// The name of the generator behind [`HyperVector::random`], written into every index.
pub const GENERATOR: &str = "xxh3-splitmix64";

/// The most that the weights of one bundle may add up to.
pub const MAX_PARTS: usize = 1 << 31;
