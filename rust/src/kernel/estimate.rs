//! Contributions in single precision, added to sums. What the rounding can do is proved in `lexical::margin`.

use super::bm25::SLOTS;
use super::reaching::Slots;

/// Postings whose contributions are computed side by side.
const LANES: usize = 32;

/// How often each slot of a list holds the term.
#[derive(Debug, Clone, Copy)]
pub enum Tally<'a> {
    /// Once, but for these places of the list, where it is as often as the second slice says.
    Ones(&'a [u16], &'a [u16]),
    /// As often as the byte says, which is 1 for most.
    Mostly(&'a [u8]),
    /// As often as the byte says.
    Narrow(&'a [u8]),
    /// As often as the number says.
    Wide(&'a [u32]),
}

/// What a term that stands `tf` times in a field adds, for a base of 1; 0 for a `tf` of 0. `worth` is
/// 1 / (1 + norm) of the record, so this is tf / (tf + norm), written without norm.
#[inline(always)]
#[must_use]
pub fn saturated(tf: f32, worth: f32) -> f32 {
    let more = if tf > 1.0 { tf - 1.0 } else { 0.0 };
    tf * worth / (more * worth + 1.0)
}

kernel! {
    /// Adds an estimate of each posting's contribution to the sum of its slot; every one is above 0. With
    /// `touched`, slots whose sum was 0 are put down there. `worth` reaches beyond every slot.
    pub fn estimate [estimate_avx2, estimate_avx512](
        base: f32, slots: &[u16], tally: Tally<'_>, worth: &[f32], sums: &mut [f32; SLOTS], touched: Option<&mut Slots>,
    ) -> () = estimate_lanes
}

#[inline(always)]
fn estimate_lanes(
    base: f32,
    slots: &[u16],
    tally: Tally<'_>,
    worth: &[f32],
    sums: &mut [f32; SLOTS],
    touched: Option<&mut Slots>,
) {
    if let Some(touched) = touched {
        with_tally(base, slots, tally, worth, |slot, part| {
            let sum = &mut sums[usize::from(slot)];
            touched.push_if(slot, *sum == 0.0);
            *sum += part;
        });
    } else {
        with_tally(base, slots, tally, worth, |slot, part| sums[usize::from(slot)] += part);
    }
}

#[inline(always)]
fn with_tally(base: f32, slots: &[u16], tally: Tally<'_>, worth: &[f32], mut add: impl FnMut(u16, f32)) {
    match tally {
        Tally::Ones(places, counts) => {
            once(base, slots, worth, &mut add);
            for (&place, &count) in places.iter().zip(counts) {
                let slot = slots[usize::from(place)];
                add(slot, base * further(f32::from(count), worth[usize::from(slot)]));
            }
        }
        Tally::Mostly(counts) => {
            once(base, slots, worth, &mut add);
            for (slots, counts) in slots.chunks(LANES).zip(counts.chunks(LANES)) {
                if counts.iter().fold(0, |all, &count| all | (count ^ 1)) != 0 {
                    for (&slot, &count) in slots.iter().zip(counts).filter(|(_, count)| **count != 1) {
                        add(slot, base * further(f32::from(count), worth[usize::from(slot)]));
                    }
                }
            }
        }
        Tally::Narrow(counts) => with_counts(base, slots, counts, worth, add),
        Tally::Wide(counts) => with_counts(base, slots, counts, worth, add),
    }
}

#[inline(always)]
fn once(base: f32, slots: &[u16], worth: &[f32], add: &mut impl FnMut(u16, f32)) {
    for &slot in slots {
        add(slot, base * worth[usize::from(slot)]);
    }
}

/// What the occurrences after the first add to it: the difference, written without one.
#[inline(always)]
fn further(tf: f32, worth: f32) -> f32 {
    let more = tf - 1.0;
    more * worth * (1.0 - worth) / (more * worth + 1.0)
}

#[inline(always)]
fn with_counts<C: Copy + Into<u32>>(
    base: f32,
    slots: &[u16],
    counts: &[C],
    worth: &[f32],
    mut add: impl FnMut(u16, f32),
) {
    let (slot_blocks, slot_rest) = slots.as_chunks::<LANES>();
    let (count_blocks, count_rest) = counts.as_chunks::<LANES>();
    for (slots, counts) in slot_blocks.iter().zip(count_blocks) {
        let (mut tf, mut own, mut parts) = ([0.0_f32; LANES], [0.0_f32; LANES], [0.0_f32; LANES]);
        for lane in 0..LANES {
            tf[lane] = counts[lane].into() as f32;
            own[lane] = worth[usize::from(slots[lane])];
        }
        for lane in 0..LANES {
            parts[lane] = base * saturated(tf[lane], own[lane]);
        }
        for lane in 0..LANES {
            add(slots[lane], parts[lane]);
        }
    }
    for (&slot, &count) in slot_rest.iter().zip(count_rest) {
        add(slot, base * saturated(count.into() as f32, worth[usize::from(slot)]));
    }
}

kernel! {
    /// Adds an estimate to every sum: `counts` says how often each slot holds the term, 0 for not at all.
    pub fn estimate_all [estimate_all_avx2, estimate_all_avx512](
        base: f32, counts: &[u8], worth: &[f32], sums: &mut [f32; SLOTS],
    ) -> () = estimate_all_lanes
}

#[inline(always)]
fn estimate_all_lanes(base: f32, counts: &[u8], worth: &[f32], sums: &mut [f32; SLOTS]) {
    for ((sum, &count), &worth) in sums.iter_mut().zip(counts).zip(worth) {
        *sum += base * saturated(f32::from(count), worth);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kernel::Isa;

    fn sums() -> Box<[f32; SLOTS]> {
        vec![0.0; SLOTS].into_boxed_slice().try_into().unwrap()
    }

    proptest! {
        #[test]
        fn every_set_and_form_estimates_within_twelve_roundings(
            postings in prop::collection::btree_map(0_u16..400, prop_oneof![3 => Just(1_u8), 1 => 1_u8..], 1..300),
            norms in prop::collection::vec(1e-4_f64..50.0, 400),
            base in 1e-3_f32..1.0,
        ) {
            let slots: Vec<u16> = postings.keys().copied().collect();
            let counts: Vec<u8> = postings.values().copied().collect();
            let wide: Vec<u32> = counts.iter().map(|&count| u32::from(count)).collect();
            let places: Vec<u16> = (0..).zip(&counts).filter(|(_, count)| **count != 1).map(|(at, _)| at).collect();
            let others: Vec<u16> = counts.iter().filter(|count| **count != 1).map(|&count| u16::from(count)).collect();
            let worth: Vec<f32> = norms.iter().map(|norm| (1.0 / (1.0 + norm)) as f32).collect();
            let mut row = vec![0_u8; 400];
            for (&slot, &count) in &postings {
                row[usize::from(slot)] = count;
            }
            let forms =
                [Tally::Ones(&places, &others), Tally::Mostly(&counts), Tally::Narrow(&counts), Tally::Wide(&wide)];
            for form in forms {
                let mut first: Option<Box<[f32; SLOTS]>> = None;
                for isa in Isa::available() {
                    let (mut tracked, mut plain, mut touched) = (sums(), sums(), Slots::default());
                    estimate(isa, base, &slots, form, &worth, &mut tracked, Some(&mut touched));
                    estimate(isa, base, &slots, form, &worth, &mut plain, None);
                    prop_assert_eq!(touched.as_slice(), &slots);
                    prop_assert!(tracked == plain && first.get_or_insert(plain.clone()) == &plain, "{}", isa);
                    for (&slot, &count) in &postings {
                        let tf = f64::from(count);
                        let exact = f64::from(base) * tf / (tf + norms[usize::from(slot)]);
                        let error = (f64::from(plain[usize::from(slot)]) / exact - 1.0).abs();
                        prop_assert!(error < 12.0 / f64::from(1 << 24), "{error} at {slot} for {count}");
                    }
                }
            }
            let mut first: Option<Box<[f32; SLOTS]>> = None;
            for isa in Isa::available() {
                let (mut all, mut narrow) = (sums(), sums());
                estimate_all(isa, base, &row, &worth, &mut all);
                estimate(isa, base, &slots, Tally::Narrow(&counts), &worth, &mut narrow, None);
                prop_assert!(all == narrow && first.get_or_insert(all.clone()) == &all, "{}", isa);
            }
        }
    }
}
