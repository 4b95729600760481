//! From counts and classes of length to whole units, of which estimates are made.

use super::bm25::Curve;

/// Classes of lengths that a byte can number.
pub const CLASSES: usize = 256;

/// Counts below this have a table of their own.
pub const TABLES: usize = 16;

/// What one occurrence is worth by class of length: 1 / (1 + norm).
pub type Worth = [f32; CLASSES];

/// What a term that stands so often in a record adds, in units, by class of length.
pub type Share = [u16; CLASSES];

/// From counts and classes to units.
#[derive(Debug, Clone, Copy)]
pub struct Units<'a> {
    /// What endless occurrences add.
    pub factor: f32,
    /// By class.
    pub worth: &'a Worth,
}

impl Units<'_> {
    /// What a term that stands `tf` times (at least once) in a record of this class adds; at least 1.
    #[inline(always)]
    #[must_use]
    pub fn of(&self, tf: f32, class: u8) -> u16 {
        whole(self.factor * saturated(tf, self.worth[usize::from(class)])).max(1)
    }

    /// What its occurrences after the first add to that.
    #[inline(always)]
    #[must_use]
    pub fn further(&self, tf: f32, class: u8) -> u16 {
        let (more, worth) = (tf - 1.0, self.worth[usize::from(class)]);
        whole(self.factor * (more * worth * (1.0 - worth) / (more * worth + 1.0)))
    }
}

/// The nearest whole number; `value` lies between 0 and 65,535. Next to 2^23 singles are whole numbers, whose last
/// bits are the number itself: quicker than a conversion, which must mind what does not fit.
#[inline(always)]
fn whole(value: f32) -> u16 {
    (value + 8_388_608.0).to_bits() as u16
}

/// tf / (tf + norm) for `tf` from 1, written without norm.
#[inline(always)]
#[must_use]
pub fn saturated(tf: f32, worth: f32) -> f32 {
    tf * worth / ((tf - 1.0) * worth + 1.0)
}

kernel! {
    /// What one occurrence is worth at each of these lengths.
    pub fn worth_of [worth_of_avx2, worth_of_avx512](curve: Curve, lengths: &[f32; CLASSES], out: &mut Worth) -> ()
        = worth_of_lanes
}

#[inline(always)]
fn worth_of_lanes(curve: Curve, lengths: &[f32; CLASSES], out: &mut Worth) {
    let (k1, rest, ratio) = (curve.k1 as f32, curve.rest as f32, curve.ratio as f32);
    for (worth, &length) in out.iter_mut().zip(lengths) {
        *worth = 1.0 / (1.0 + k1 * (rest + ratio * length));
    }
}

kernel! {
    /// What `tf` occurrences (at least one) add, by class; at least 1 each.
    pub fn shares [shares_avx2, shares_avx512](factor: f32, tf: f32, worth: &Worth, out: &mut Share) -> ()
        = shares_lanes
}

#[inline(always)]
fn shares_lanes(factor: f32, tf: f32, worth: &Worth, out: &mut Share) {
    for (share, &worth) in out.iter_mut().zip(worth) {
        *share = whole(factor * saturated(tf, worth)).max(1);
    }
}

/// Units out of an impact: 0 for 0, else the whole part of impact * multiplier / 256 (at most 65,279), and 1.
#[inline(always)]
#[must_use]
pub fn impact_units(multiplier: u16, impact: u8) -> u16 {
    // As a multiplication of which the high half is kept, which vectors can do.
    let whole = (u32::from(u16::from(impact) << 8) * u32::from(multiplier)) >> 16;
    (whole as u16).wrapping_add(u16::from(impact.min(1)))
}
