//! The core of byheart: counting, ordering and bytes.
//!
//! It knows numbers, terms and dense document numbers. It knows no Python, no clock and no meaning of a
//! file; `binding` (feature `python`) alone speaks `PyO3`.
//!
//! Arrows point down:
//! `binding -> partition -> lexical, hdc, dense, symbolic, patterns -> records, text, rank ->
//! kernel, codec, ids, math -> error`.

pub mod codec;
pub mod dense;
pub mod error;
pub mod hdc;
pub mod ids;
pub mod kernel;
pub mod lexical;
pub mod math;
pub mod partition;
pub mod patterns;
pub mod rank;
pub mod records;
pub mod symbolic;
pub mod text;

#[cfg(feature = "python")]
mod binding;

pub use error::{Error, Result};
