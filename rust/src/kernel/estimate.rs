//! Estimates of contributions in whole units, added to sums of 16 bits. What the rounding can do is proved in
//! `lexical::margin`.
//!
//! The length of a record comes as one of 256 classes, so that a posting touches one byte of its record and two of
//! its sum: a segment's classes and sums stay in the second cache, those of sixteen segments nearly so.

use super::bm25::{Curve, SLOTS};
use super::reaching::Slots;

/// Postings whose contributions are computed side by side.
const LANES: usize = 32;

/// Classes of lengths that a byte can number.
pub const CLASSES: usize = 256;

/// Counts below this have a table of their own.
pub const TABLES: usize = 16;

/// What one occurrence is worth by class of length: 1 / (1 + norm).
pub type Worth = [f32; CLASSES];

/// What a term that stands so often in a record adds, in units, by class of length.
pub type Share = [u16; CLASSES];

/// How often each slot of a list holds the term.
#[derive(Debug, Clone, Copy)]
pub enum Tally<'a> {
    /// Once, but for these places of the list, where it is as often as the second slice says.
    Ones(&'a [u16], &'a [u16]),
    /// As often as the byte says, which is 1 for most.
    Mostly(&'a [u8]),
    /// As often as the byte says; tables by count, of which the first is not used. Counts beyond them are computed.
    Narrow(&'a [u8], &'a [Share]),
    /// As often as the number says.
    Wide(&'a [u32], &'a [Share]),
}

/// A list: its slots, how often each holds the term, and the class of every slot of the segment.
#[derive(Debug, Clone, Copy)]
pub struct Postings<'a> {
    /// Ascending.
    pub slots: &'a [u16],
    /// One for each.
    pub tally: Tally<'a>,
    /// By slot; reaches beyond every one of them.
    pub classes: &'a [u8],
}

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
    fn further(&self, tf: f32, class: u8) -> u16 {
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

kernel! {
    /// Adds the units of each posting to the sum of its slot; `share` is what one occurrence adds, by class. With
    /// `touched`, slots whose sum was 0 are put down there.
    pub fn estimate [estimate_avx2, estimate_avx512](
        units: Units<'_>, share: &Share, postings: Postings<'_>, sums: &mut [u16; SLOTS], touched: Option<&mut Slots>,
    ) -> () = estimate_lanes
}

#[inline(always)]
fn estimate_lanes(
    units: Units<'_>,
    share: &Share,
    postings: Postings<'_>,
    sums: &mut [u16; SLOTS],
    touched: Option<&mut Slots>,
) {
    if let Some(touched) = touched {
        for_each(units, share, postings, |slot, part| {
            let sum = &mut sums[usize::from(slot)];
            touched.push_if(slot, *sum == 0);
            *sum = sum.wrapping_add(part);
        });
    } else {
        for_each(units, share, postings, |slot, part| {
            let sum = &mut sums[usize::from(slot)];
            *sum = sum.wrapping_add(part);
        });
    }
}

#[inline(always)]
fn for_each(units: Units<'_>, share: &Share, postings: Postings<'_>, mut add: impl FnMut(u16, u16)) {
    let Postings { slots, tally, classes } = postings;
    let class = |slot: u16| classes[usize::from(slot)];
    match tally {
        Tally::Ones(places, counts) => {
            once(share, slots, classes, &mut add);
            for (&place, &count) in places.iter().zip(counts) {
                let slot = slots[usize::from(place)];
                add(slot, units.further(f32::from(count), class(slot)));
            }
        }
        Tally::Mostly(counts) => {
            once(share, slots, classes, &mut add);
            for (slots, counts) in slots.chunks(LANES).zip(counts.chunks(LANES)) {
                if counts.iter().fold(0, |all, &count| all | (count ^ 1)) != 0 {
                    for (&slot, &count) in slots.iter().zip(counts).filter(|(_, count)| **count != 1) {
                        add(slot, units.further(f32::from(count), class(slot)));
                    }
                }
            }
        }
        Tally::Narrow(counts, tables) => counted(units, slots, counts, tables, classes, add),
        Tally::Wide(counts, tables) => counted(units, slots, counts, tables, classes, add),
    }
}

#[inline(always)]
fn once(share: &Share, slots: &[u16], classes: &[u8], add: &mut impl FnMut(u16, u16)) {
    for &slot in slots {
        add(slot, share[usize::from(classes[usize::from(slot)])]);
    }
}

#[inline(always)]
fn counted<C: Copy + Into<u32>>(
    units: Units<'_>,
    slots: &[u16],
    counts: &[C],
    tables: &[Share],
    classes: &[u8],
    mut add: impl FnMut(u16, u16),
) {
    for (&slot, &count) in slots.iter().zip(counts) {
        let (count, class): (u32, u8) = (count.into(), classes[usize::from(slot)]);
        let table = tables.get(count as usize);
        add(slot, table.map_or_else(|| units.of(count as f32, class), |table| table[usize::from(class)]));
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

kernel! {
    /// Adds the units of every slot's impact to its sum; 0 where the term is not.
    pub fn estimate_all [estimate_all_avx2, estimate_all_avx512](
        multiplier: u16, impacts: &[u8], sums: &mut [u16; SLOTS],
    ) -> () = estimate_all_lanes
}

#[inline(always)]
fn estimate_all_lanes(multiplier: u16, impacts: &[u8], sums: &mut [u16; SLOTS]) {
    for (sum, &impact) in sums.iter_mut().zip(impacts) {
        *sum = sum.wrapping_add(impact_units(multiplier, impact));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kernel::Isa;

    fn sums() -> Box<[u16; SLOTS]> {
        vec![0; SLOTS].into_boxed_slice().try_into().unwrap()
    }

    proptest! {
        #[test]
        fn every_set_and_form_estimates_to_the_nearest_unit_or_two(
            postings in prop::collection::btree_map(0_u16..400, prop_oneof![3 => Just(1_u8), 1 => 1_u8..], 1..300),
            classes in prop::collection::vec(any::<u8>(), 400),
            lengths in prop::collection::vec(0_u32..90_000, CLASSES),
            k1 in 0.0_f64..3.0, rest in 0.0_f64..1.0, ratio in 1e-6_f64..0.1,
            factor in 1e-3_f32..60_000.0,
        ) {
            let curve = Curve { base: f64::from(factor), k1, rest, ratio };
            let slots: Vec<u16> = postings.keys().copied().collect();
            let counts: Vec<u8> = postings.values().copied().collect();
            let wide: Vec<u32> = counts.iter().map(|&count| u32::from(count)).collect();
            let places: Vec<u16> = (0..).zip(&counts).filter(|(_, count)| **count != 1).map(|(at, _)| at).collect();
            let others: Vec<u16> = counts.iter().filter(|count| **count != 1).map(|&count| u16::from(count)).collect();
            let singles: [f32; CLASSES] = std::array::from_fn(|class| lengths[class] as f32);
            let mut first: Option<Box<[u16; SLOTS]>> = None;
            for isa in Isa::available() {
                let (mut worth, mut tables) = ([0.0; CLASSES], [[0; CLASSES]; TABLES]);
                worth_of(isa, curve, &singles, &mut worth);
                for (tf, table) in tables.iter_mut().enumerate().skip(1) {
                    shares(isa, factor, tf as f32, &worth, table);
                }
                let units = Units { factor, worth: &worth };
                let forms = [
                    Tally::Ones(&places, &others),
                    Tally::Mostly(&counts),
                    Tally::Narrow(&counts, &tables),
                    Tally::Wide(&wide, &tables),
                ];
                for form in forms {
                    let (mut tracked, mut plain, mut touched) = (sums(), sums(), Slots::default());
                    let postings = Postings { slots: &slots, tally: form, classes: &classes };
                    estimate(isa, units, &tables[1], postings, &mut tracked, Some(&mut touched));
                    estimate(isa, units, &tables[1], postings, &mut plain, None);
                    prop_assert_eq!(touched.as_slice(), &slots);
                    prop_assert!(tracked == plain, "{}", isa);
                    for (&slot, &count) in &postings {
                        let length = lengths[usize::from(classes[usize::from(slot)])];
                        let (exact, own) = (curve.part(f64::from(count), f64::from(length)), plain[usize::from(slot)]);
                        // Two roundings to whole numbers where there are two additions.
                        prop_assert!(own > 0 && (f64::from(own) - exact).abs() < 1.1, "{own} for {exact}");
                    }
                    if matches!(form, Tally::Narrow(..)) {
                        prop_assert!(first.get_or_insert(plain.clone()) == &plain, "{}", isa);
                    }
                }
            }
        }

        #[test]
        fn every_set_adds_impacts_within_a_unit(
            impacts in prop::collection::vec(any::<u8>(), 0..300), multiplier in any::<u16>(),
        ) {
            for isa in Isa::available() {
                let mut sums = sums();
                estimate_all(isa, multiplier, &impacts, &mut sums);
                for (&sum, &impact) in sums.iter().zip(&impacts) {
                    let exact = f64::from(multiplier) * f64::from(impact) / 256.0;
                    prop_assert!(f64::from(sum) >= exact && f64::from(sum) <= exact + 1.0);
                    prop_assert_eq!(sum > 0, impact > 0);
                }
                prop_assert!(sums[impacts.len()..].iter().all(|&sum| sum == 0));
            }
        }
    }
}
