//! Embeddings in Matryoshka tiers: the best rows by cosine, exactly, or by the seed's cascade with early exits.
//!
//! A row is what was given, divided by its length and rounded to `f32` (shorter than 1e-9: left as it is). Its
//! score is the dot product with the query's row in `f64`, in the order of [`crate::kernel::wide_dot`], cut to
//! [-1, 1]. Nothing else is returned, unless a caller asks for the cosines of an early tier; the rest of this room
//! only decides which rows need not be scored. A row of 768 dimensions in three tiers takes some
//! 3,900 bytes, 3,072 of them the row itself, unless somebody else keeps that and lends it ([`Lent`]). Searches are
//! exhaustive; over many millions of rows a graph would be the right thing, and this is not one.
//!
//! # Why a row may be left out
//!
//! The dimensions are cut into blocks, tier by tier. Block `b` of a row `x` is kept a second time as `i8`: codes
//! `c`, a scale `s`, and `E >= |x_b - s c|`, the length of what the codes miss. The query's block is kept as `i16`:
//! codes `g` with scale `a`, and `F >= |q_b - a g|`. Then
//!
//! ```text
//! q_b x_b  =  a s (g c)  +  (q_b - a g)(s c)  +  q_b (x_b - s c)
//!          <= a s (g c)  +  1.5 F             +  |q_b| E             (Cauchy and Schwarz, twice)
//! ```
//!
//! since `|s c| <= |x_b| + E <= 1.5`: half a step in each of at most 4,096 places, a step being 1/127 of the
//! largest, gives `E <= 64 * 0.5002 / 127 |x_b| < 0.26`, and `|x_b| <= 1 + 2^-23` as every row has at most that
//! length. (Where `1 / s` is no `f32`, the codes are 0 and `E` is `|x_b|`, which is below 1e-34.) What the
//! blocks not yet looked at can add is at most `|q_r| |x_r|`, the lengths of the rests. The sum over the blocks
//! looked at, and this, is the bound. A row whose bound is below the k-th best score of any k rows is not among the
//! best k, and no other row is left out; an equal bound is kept, since a tie is for the ids to decide.
//!
//! That holds for the numbers; the computer adds these roundings, all of which [`SLACK`] (2^-16) covers:
//!
//! 1. `g c` is a whole number below 2^31 by the choice of `a`, so it is exact in `i32`, in any order.
//! 2. `E`, `|q_b|`, `F`, `|x_r|` and `|q_r|` are computed in `f64`, where 4,096 squares add up to within 2^-41 of
//!    their sum, enlarged by 2^-36, and rounded up to `f32`: they are upper bounds still.
//! 3. The bound itself is `f32`. Each block costs a rounding of `g c`, two products, a product with `E`, and two
//!    additions; sizes stay below 2 (Cauchy and Schwarz over the blocks: `|a g| <= 1.02`, `|s c| <= 1.3`, and the
//!    errors below 0.3). With at most 8 tiers that is below `(8 + 2 * 8 + 3) * 2 * 2^-24`, so below 2^-18.
//! 4. The score is `f64`: products of two `f32` are exact, at most 4,096 additions are off by 2^-41 together, and
//!    the divisions by two lengths in a lower tier by 2^-51 of the quotient: a bound is divided by the same lengths.
//! 5. Cutting to [-1, 1] can lift a score: a product below -1 lies above -(1 + 2^-23)^2, so by at most 2^-21.
//!
//! In a lower tier the score is the dot product of two prefixes over their lengths; the bound is the sum over its
//! blocks over the same lengths, and no rest.

mod bytes;
mod cascade;
mod cell;
mod found;
mod index;
mod ladder;
mod lent;
mod options;
mod quantised;
mod rows;
mod scan;
mod scope;
mod search;
mod standalone;
#[cfg(test)]
mod tests;
mod vector;

pub use cascade::{Exit, ExitRule, Visit, descend};
pub use found::{Counters, Found};
pub use index::{Explanation, Index};
pub use ladder::{Ladder, MAX_DIMENSIONS, MAX_TIERS};
pub use lent::Lent;
pub use options::{Mode, Options};
pub use quantised::SLACK;
pub use search::MAX_THREADS;
pub use standalone::DenseIndex;
pub use vector::prefixes;
