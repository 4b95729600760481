//! Natural logarithm.

use super::{LN2_HIGH, LN2_LOW, high_word};

/// Coefficients of the polynomial in s squared, s = f / (2 + f), lowest power first.
const LG: [f64; 7] = [
    f64::from_bits(0x3FE5_5555_5555_5593),
    f64::from_bits(0x3FD9_9999_9997_FA04),
    f64::from_bits(0x3FD2_4924_9422_9359),
    f64::from_bits(0x3FCC_71C5_1D8E_78AF),
    f64::from_bits(0x3FC7_4664_96CB_03DE),
    f64::from_bits(0x3FC3_9A09_D078_C69F),
    f64::from_bits(0x3FC2_F112_DF3E_5244),
];

/// 2^54, which lifts every subnormal number into the normal range.
const TWO_54: f64 = 18_014_398_509_481_984.0;

/// The natural logarithm of `x`, the same bits on every machine; error below one unit in the last place.
///
/// `ln(0)` and `ln(-0)` are minus infinity, a negative number or NaN gives NaN, infinity gives infinity.
///
/// ```
/// use byheart_core::math::ln;
/// assert_eq!(ln(2.0).to_bits(), 0x3FE6_2E42_FEFA_39EF);
/// assert_eq!(ln(0.0), f64::NEG_INFINITY);
/// assert!(ln(-1.0).is_nan());
/// ```
#[must_use]
pub fn ln(x: f64) -> f64 {
    if x.is_nan() || x < 0.0 {
        return f64::NAN;
    }
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x.is_infinite() {
        return x;
    }
    let (exponent, fraction, f) = reduce(x);
    let k = f64::from(exponent);
    if (fraction + 2) & 0xF_FFFF < 3 {
        return near_power_of_two(k, f);
    }
    let s = f / (2.0 + f);
    let rest = polynomial(s * s);
    // Where 1 + f lies between about 1.38 and 1.42, f is large enough that its square is taken out first.
    if (0x6_147A..=0x6_B851).contains(&fraction) {
        let half_square = 0.5 * f * f;
        if exponent == 0 {
            return f - (half_square - s * (half_square + rest));
        }
        return k * LN2_HIGH - ((half_square - (s * (half_square + rest) + k * LN2_LOW)) - f);
    }
    if exponent == 0 {
        return f - s * (f - rest);
    }
    k * LN2_HIGH - ((s * (f - rest) - k * LN2_LOW) - f)
}

/// The sum of `LG[i] * z^(i+1)`, even and odd powers apart.
fn polynomial(z: f64) -> f64 {
    let w = z * z;
    let even = w * (LG[1] + w * (LG[3] + w * LG[5]));
    let odd = z * (LG[0] + w * (LG[2] + w * (LG[4] + w * LG[6])));
    odd + even
}

/// Writes `x` as 2^exponent * (1 + f) with 1 + f between sqrt(1/2) and sqrt(2).
/// Returns exponent, the upper 20 bits of the fraction of `x`, and f. `x` is positive and finite.
fn reduce(x: f64) -> (i32, u32, f64) {
    let (x, lifted) = if x < f64::MIN_POSITIVE { (x * TWO_54, -54) } else { (x, 0) };
    let high = high_word(x);
    let fraction = high & 0xF_FFFF;
    // Fractions from sqrt(2) up carry into bit 20: they are halved, and their exponent is one more.
    let halved = (fraction + 0x9_5F64) >> 20;
    let exponent = lifted + (high >> 20).cast_signed() - 1023 + halved.cast_signed();
    let scaled_high = fraction | ((1023 - halved) << 20);
    let scaled = f64::from_bits((u64::from(scaled_high) << 32) | (x.to_bits() & 0xFFFF_FFFF));
    (exponent, fraction, scaled - 1.0)
}

/// ln(2^k * (1 + f)) where |f| is below 2^-20: three terms of the series are enough.
fn near_power_of_two(k: f64, f: f64) -> f64 {
    let r = f * f * (0.5 - 0.333_333_333_333_333_3 * f);
    if k == 0.0 { f - r } else { k * LN2_HIGH - ((r - k * LN2_LOW) - f) }
}
