//! The pinned `ln`, `exp` and `asin`: the same bits on every machine.
//!
//! `f64::ln` and its kin call the platform's mathematical library, and libraries differ in the last bit. Scores
//! must not, so these three are written out: the algorithms of Sun's freely distributable library (fdlibm), with its
//! published constants, in IEEE double arithmetic, each operation rounded once, never fused.
//! The error is below one unit in the last place. What is not promised: speed beyond the plain formula, and
//! the payload of a NaN argument (every NaN that comes out is `f64::NAN`).

mod asin;
mod exp;
mod ln;

pub use asin::asin;
pub use exp::exp;
pub use ln::ln;

/// The upper half of a double: sign, exponent and the first 20 bits of the fraction.
/// fdlibm decides its cases on this word, so the borders between cases are the same here.
fn high_word(x: f64) -> u32 {
    (x.to_bits() >> 32) as u32
}

/// ln 2 with the last 32 bits of its fraction clear, so that a whole number below 2^20 times this is exact.
const LN2_HIGH: f64 = f64::from_bits(0x3FE6_2E42_FEE0_0000);

/// What [`LN2_HIGH`] lacks.
const LN2_LOW: f64 = f64::from_bits(0x3DEA_39EF_3579_3C76);

#[cfg(test)]
mod tests;
