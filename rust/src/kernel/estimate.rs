//! Estimates of contributions in whole units, added to sums of 16 bits. What the rounding can do is proved in
//! `lexical::margin`.
//!
//! The length of a record comes as one of 256 classes, so that a posting touches one byte of its record and two of
//! its sum: a segment's classes and sums stay in the second cache, those of sixteen segments nearly so.

use super::bm25::SLOTS;
use super::reaching::Slots;
use super::units::{Share, Units, impact_units};

/// Postings whose contributions are computed side by side.
const LANES: usize = 32;

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
    use crate::kernel::{CLASSES, Curve, Isa, TABLES, shares, worth_of};

    fn sums() -> Box<[u16; SLOTS]> {
        vec![0; SLOTS].into_boxed_slice().try_into().unwrap()
    }

    proptest! {
        #[test]
        fn every_set_and_form_estimates_within_two_units(
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
                    let list = Postings { slots: &slots, tally: form, classes: &classes };
                    estimate(isa, units, &tables[1], list, &mut tracked, Some(&mut touched));
                    estimate(isa, units, &tables[1], list, &mut plain, None);
                    prop_assert_eq!(touched.as_slice(), &slots);
                    prop_assert!(tracked == plain, "{}", isa);
                    for (&slot, &count) in &postings {
                        let length = lengths[usize::from(classes[usize::from(slot)])];
                        let (exact, own) = (curve.part(f64::from(count), f64::from(length)), plain[usize::from(slot)]);
                        // Up to 1 where 0 becomes 1, and half of one for the occurrences after the first.
                        prop_assert!(own > 0 && (f64::from(own) - exact).abs() < 1.55, "{own} for {exact}");
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
