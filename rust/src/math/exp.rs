//! Exponential function.

use super::{LN2_HIGH, LN2_LOW, high_word};

/// Coefficients of the approximation of r * (e^r + 1) / (e^r - 1), lowest power of r squared first.
const P: [f64; 5] = [
    f64::from_bits(0x3FC5_5555_5555_553E),
    f64::from_bits(0xBF66_C16C_16BE_BD93),
    f64::from_bits(0x3F11_566A_AF25_DE2C),
    f64::from_bits(0xBEBB_BD41_C5D2_6BF1),
    f64::from_bits(0x3E66_3769_72BE_A4D0),
];

/// 1 / ln 2.
const INVERSE_LN2: f64 = f64::from_bits(0x3FF7_1547_652B_82FE);

/// The largest argument whose exponential is finite.
const OVERFLOW: f64 = f64::from_bits(0x4086_2E42_FEFA_39EF);

/// The smallest argument whose exponential is not zero.
const UNDERFLOW: f64 = f64::from_bits(0xC087_4910_D52D_3051);

/// e to the power of `x`, the same bits on every machine; error below one unit in the last place
/// (where the result is subnormal, one unit there).
///
/// Infinity above about 709.78, zero below about -745.13, NaN for NaN.
///
/// ```
/// use byheart_core::math::exp;
/// assert_eq!(exp(0.0), 1.0);
/// assert_eq!(exp(-0.5).to_bits(), 0x3FE3_68B2_FC6F_960A);
/// assert_eq!(exp(710.0), f64::INFINITY);
/// ```
#[must_use]
pub fn exp(x: f64) -> f64 {
    if x.is_nan() {
        return f64::NAN;
    }
    if x > OVERFLOW {
        return f64::INFINITY;
    }
    if x < UNDERFLOW {
        return 0.0;
    }
    let size = high_word(x) & 0x7FFF_FFFF;
    if size < 0x3E30_0000 {
        return 1.0 + x; // |x| < 2^-28: the next term is lost in rounding
    }
    if size <= 0x3FD6_2E42 {
        // |x| up to ln 2 / 2: no reduction.
        let c = correction(x);
        return 1.0 - ((x * c) / (c - 2.0) - x);
    }
    let k = whole_halvings(x);
    let high = x - f64::from(k) * LN2_HIGH;
    let low = f64::from(k) * LN2_LOW;
    let r = high - low;
    let c = correction(r);
    scale(1.0 - ((low - (r * c) / (2.0 - c)) - high), k)
}

/// The whole number nearest to x / ln 2, at most 1,075 in size.
#[allow(clippy::cast_possible_truncation)] // the cast cuts off the fraction, which is what it is for
fn whole_halvings(x: f64) -> i32 {
    (INVERSE_LN2 * x + if x < 0.0 { -0.5 } else { 0.5 }) as i32
}

/// r minus its polynomial: the value c of which e^r = 1 + r + r c / (2 - c).
fn correction(r: f64) -> f64 {
    let t = r * r;
    r - t * (P[0] + t * (P[1] + t * (P[2] + t * (P[3] + t * P[4]))))
}

/// y * 2^k for y between 0.7 and 1.42 and a result that is not over the largest double.
/// Exact unless the result is subnormal, where it is rounded once.
fn scale(y: f64, k: i32) -> f64 {
    let add = |k: i32| f64::from_bits(y.to_bits().wrapping_add_signed(i64::from(k) << 52));
    if k >= -1021 { add(k) } else { add(k + 1000) * TWO_TO_MINUS_1000 }
}

/// 2^-1000.
const TWO_TO_MINUS_1000: f64 = f64::from_bits(23 << 52);
