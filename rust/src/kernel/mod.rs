//! Slices in, slices out: the inner loops, compiled once per instruction set.
//!
//! Every kernel is one safe body over fixed lanes, but for `narrow.rs`, which has a second one for AVX2. [`Isa`] says
//! for which instruction sets this processor may run a copy of it; the caller picks one and passes it in, once per scan
//! or bundle and never per pair. All copies give the same bits: integer kernels by nature, floating sums because the
//! lanes and the fold are fixed and nothing is fused.
//!
//! Counting uses wrapping arithmetic on purpose: with overflow checks the compiler could not use vectors.
//! This is the only folder that says `unsafe`, and only where a copy is called (the macro in `isa.rs`), the processor is
//! asked for something that Rust has no safe word for (`prefetch.rs`, `pages.rs`), or a table is handed to others in
//! structures of C (`arrow.rs`).

#[macro_use]
mod isa;
mod arrow;
mod bm25;
mod dense;
mod dot;
mod estimate;
mod generate;
mod hamming;
mod majority;
mod narrow;
mod pages;
mod prefetch;
mod project;
mod reaching;
mod units;
mod wide;

pub use arrow::{Column as ArrowColumn, Stream as ArrowStream};
pub use bm25::{Curve, SLOTS, add_narrow, add_ones, add_wide, at_least};
pub use dense::{CodedQuery, CodedRows, add_bounds, largest, quantise, raise, squared_error};
pub use dot::{dot, dot_many};
pub use estimate::{Postings, Tally, estimate, estimate_all};
pub use generate::generate;
pub use hamming::{hamming_batch, hamming_many, smallest};
pub use isa::{Isa, Seen};
pub use majority::Majority;
pub use pages::{push_in_large_pages, with_large_pages};
pub use prefetch::prefetch;
pub use project::project;
pub use reaching::{PEAKS, Slots, count_reaching, peak, reaching};
pub use units::{CLASSES, Share, TABLES, Units, Worth, impact_units, shares, worth_of};
pub use wide::{dot_double, wide_dot};

/// 4,096 bits; bit `i` is bit `i % 64` of word `i / 64`. Aligned to a cache line, so that a vector register
/// never loads across two of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(C, align(64))]
pub struct Words(pub [u64; 64]);

impl Words {
    /// No bit set.
    pub const ZERO: Self = Self([0; 64]);
}
