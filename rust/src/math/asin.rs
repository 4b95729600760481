//! Arc sine.

use super::high_word;

/// Numerator of the rational approximation of (asin(x) - x) / x^3, lowest power of x squared first.
const P: [f64; 6] = [
    f64::from_bits(0x3FC5_5555_5555_5555),
    f64::from_bits(0xBFD4_D612_03EB_6F7D),
    f64::from_bits(0x3FC9_C155_0E88_4455),
    f64::from_bits(0xBFA4_8228_B568_8F3B),
    f64::from_bits(0x3F49_EFE0_7501_B288),
    f64::from_bits(0x3F02_3DE1_0DFD_F709),
];

/// Its denominator without the leading one.
const Q: [f64; 4] = [
    f64::from_bits(0xC003_3A27_1C8A_2D4B),
    f64::from_bits(0x4000_2AE5_9C59_8AC8),
    f64::from_bits(0xBFE6_066C_1B8D_0159),
    f64::from_bits(0x3FB3_B8C5_B12E_9282),
];

/// A quarter of the circle, what that double lacks, and an eighth.
const HALF_PI_HIGH: f64 = f64::from_bits(0x3FF9_21FB_5444_2D18);
const HALF_PI_LOW: f64 = f64::from_bits(0x3C91_A626_3314_5C07);
const QUARTER_PI: f64 = f64::from_bits(0x3FE9_21FB_5444_2D18);

/// The angle in [-pi/2, pi/2] whose sine is `x`, the same bits on every machine; error below one unit in the last place.
///
/// NaN outside [-1, 1] and for NaN; `asin(-0)` is -0.
///
/// ```
/// use byheart_core::math::asin;
/// assert_eq!(asin(1.0), std::f64::consts::FRAC_PI_2);
/// assert_eq!(asin(0.5).to_bits(), 0x3FE0_C152_382D_7366);
/// assert!(asin(1.5).is_nan());
/// ```
#[must_use]
pub fn asin(x: f64) -> f64 {
    let size = x.abs();
    if x.is_nan() || size > 1.0 {
        return f64::NAN;
    }
    if size < 0.5 {
        let tiny = high_word(size) < 0x3E40_0000; // below 2^-27 the cube is lost in rounding
        return if tiny { x } else { x + x * ratio(x * x) };
    }
    let angle = from_complement((1.0 - size) * 0.5, high_word(size) >= 0x3FEF_3333);
    if x < 0.0 { -angle } else { angle }
}

/// asin(1 - 2t) = pi/2 - 2 asin(sqrt(t)), for t up to 1/4. `near_one`: t is so small that one rounding of
/// the root does no harm.
fn from_complement(t: f64, near_one: bool) -> f64 {
    let (root, r) = (t.sqrt(), ratio(t));
    if near_one {
        return HALF_PI_HIGH - (2.0 * (root + root * r) - HALF_PI_LOW);
    }
    // The root in two parts, the first with a short fraction, so that doubling and subtracting it lose nothing.
    let short = f64::from_bits(root.to_bits() & 0xFFFF_FFFF_0000_0000);
    let rest = (t - short * short) / (root + short);
    let small = 2.0 * root * r - (HALF_PI_LOW - 2.0 * rest);
    let large = QUARTER_PI - 2.0 * short;
    QUARTER_PI - (small - large)
}

/// t * P(t) / Q(t), for 0 <= t <= 1/4.
fn ratio(t: f64) -> f64 {
    let p = t * (P[0] + t * (P[1] + t * (P[2] + t * (P[3] + t * (P[4] + t * P[5])))));
    let q = 1.0 + t * (Q[0] + t * (Q[1] + t * (Q[2] + t * Q[3])));
    p / q
}
