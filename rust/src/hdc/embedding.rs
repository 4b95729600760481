//! Embeddings as hypervectors: the signs of 4,096 random projections.
//!
//! Charikar, "Similarity estimation techniques from rounding algorithms" (2002): two vectors at an angle `w` differ in
//! a share `w / pi` of such signs, so the similarity of their hypervectors tells their cosine. Directions are made of
//! +1 and -1: that of bit `j` has in dimension `i` the sign that bit `j` of `random("__axis_i")` says. An embedding is
//! so the majority of the vectors of its axes, each counted by its component and turned round where that is negative,
//! and can be bound and bundled like any other hypervector.
//!
//! Directions are rounder the more dimensions there are. From some 50 on the law above holds to chance (0.008); an
//! embedding with few components that matter follows them instead.

use std::sync::OnceLock;

use super::hypervector::{BITS, HyperVector, rotated, seed, xor};
use crate::error::{Error, Result};
use crate::kernel::{Isa, Words, generate, project};

/// The most dimensions an embedding may have.
pub const MAX_DIMENSIONS: usize = 4096;

/// Axes that are made, and kept, together: 128 KB.
const BLOCK: usize = 256;

/// The hypervector of an embedding. 1 part; a row of zeros gives the zero vector, which has none.
///
/// Bit `j` is set if the sum over the dimensions `i`, in order and in `f64`, of the components, each taken off instead of
/// added where bit `j` of axis `i` is clear, is above 0. A sum of exactly 0 takes the bit that a bundle takes: that of
/// the XOR of the axes' vectors, those of negative components turned round and those of zeros left out, permuted by
/// one. So an embedding of ones is the bundle of its axes. A factor does not matter, as long as nothing is rounded.
///
/// # Errors
/// [`Error::InvalidArgument`] for no number or one that is not finite, [`Error::LimitExceeded`] for more than
/// [`MAX_DIMENSIONS`]; as [`Isa::active`].
///
/// ```
/// use byheart_core::hdc::{HyperVector, encode_embedding};
/// assert_eq!(encode_embedding(&[0.5])?, HyperVector::random("__axis_0")?);
/// assert_eq!(encode_embedding(&[1.0, 2.0, 0.5])?, encode_embedding(&[2.0, 4.0, 1.0])?);
/// assert_eq!(encode_embedding(&[1.0, 2.0, 0.5])?.similarity(&encode_embedding(&[-1.0, -2.0, -0.5])?), 0.0);
/// # Ok::<(), byheart_core::Error>(())
/// ```
pub fn encode_embedding(embedding: &[f32]) -> Result<HyperVector> {
    check_dimensions(embedding.len())?;
    if let Some(at) = embedding.iter().position(|component| !component.is_finite()) {
        let why = format!("holds {} in dimension {at}; every component is finite", embedding[at]);
        return Err(Error::invalid("embedding", why));
    }
    let isa = Isa::active()?;
    if embedding.iter().all(|&component| component == 0.0) {
        return Ok(HyperVector::zero());
    }
    let mut sums = vec![0.0; BITS];
    for (block, components) in embedding.chunks(BLOCK).enumerate() {
        project(isa, axes(isa, block), components, &mut sums);
    }
    Ok(HyperVector::new(&signs(isa, &sums, embedding), 1))
}

/// As [`encode_embedding`], for rows of `dimensions` components; an error names the row, counted from `first`.
///
/// # Errors
/// As [`encode_embedding`].
pub fn encode_embeddings(rows: &[f32], dimensions: usize, first: usize) -> Result<Vec<HyperVector>> {
    check_dimensions(dimensions)?;
    let encode = |(at, row): (usize, &[f32])| {
        encode_embedding(row).map_err(|error| match error {
            Error::InvalidArgument { what, why } => Error::invalid(format!("{what} {at}"), why),
            other => other,
        })
    };
    (first..).zip(rows.chunks(dimensions)).map(encode).collect()
}

/// Refuses a number of dimensions outside 1 to [`MAX_DIMENSIONS`].
///
/// # Errors
/// [`Error::InvalidArgument`] for 0, [`Error::LimitExceeded`] above the limit.
pub fn check_dimensions(dimensions: usize) -> Result<()> {
    match dimensions {
        0 => Err(Error::invalid("embedding", "has no dimensions; give at least 1")),
        d if d > MAX_DIMENSIONS => Err(Error::limit("dimensions of an embedding", MAX_DIMENSIONS, d)),
        _ => Ok(()),
    }
}

fn signs(isa: Isa, sums: &[f64], embedding: &[f32]) -> Words {
    let ties = if sums.contains(&0.0) { ties(isa, embedding) } else { Words::ZERO };
    let mut words = Words::ZERO;
    for ((word, sums), tie) in words.0.iter_mut().zip(sums.as_chunks::<64>().0).zip(&ties.0) {
        for (bit, &sum) in sums.iter().enumerate() {
            let set = sum > 0.0 || sum == 0.0 && tie >> bit & 1 == 1;
            *word |= u64::from(set) << bit;
        }
    }
    words
}

fn ties(isa: Isa, embedding: &[f32]) -> Words {
    const ALL: Words = Words([u64::MAX; 64]);
    let mut together = Words::ZERO;
    for (block, components) in embedding.chunks(BLOCK).enumerate() {
        for (axis, &component) in axes(isa, block).iter().zip(components) {
            if component != 0.0 {
                together = xor(&together, axis);
            }
            if component < 0.0 {
                together = xor(&together, &ALL);
            }
        }
    }
    rotated(&together, 1)
}

/// The vectors of the axes of one block, made at first use and kept: at most 2 MB. The same on every instruction set.
fn axes(isa: Isa, block: usize) -> &'static [Words] {
    static MADE: [OnceLock<Vec<Words>>; MAX_DIMENSIONS / BLOCK] = [const { OnceLock::new() }; MAX_DIMENSIONS / BLOCK];
    MADE[block].get_or_init(|| {
        let seeds: Vec<u64> = (0..BLOCK).map(|axis| seed(&format!("__axis_{}", block * BLOCK + axis))).collect();
        let mut vectors = vec![Words::ZERO; BLOCK];
        generate(isa, &seeds, &mut vectors);
        vectors
    })
}
