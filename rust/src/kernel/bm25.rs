//! The two loops of a lexical search: contributions onto running sums, and sums worth a look.
//!
//! Every operation is done on each posting by itself, in the order that `lexical::bm25` writes down, so all
//! instruction sets give the same bits.

/// Postings whose contributions are computed side by side.
const LANES: usize = 32;

/// Slots of a segment: what 16 bits can number.
pub const SLOTS: usize = 1 << 16;

/// The numbers of one list that are the same for all its postings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Curve {
    /// weight * idf * (k1 + 1)
    pub base: f64,
    /// k1
    pub k1: f64,
    /// 1 - b
    pub rest: f64,
    /// b / average length
    pub ratio: f64,
}

impl Curve {
    /// What a posting adds: base * tf / (tf + k1 * (rest + ratio * length)).
    #[inline(always)]
    #[must_use]
    pub fn part(&self, tf: f64, length: f64) -> f64 {
        let norm = self.k1 * (self.rest + self.ratio * length);
        self.base * tf / (tf + norm)
    }
}

kernel! {
    /// Adds each posting's contribution to the sum of its slot. Counts are as many as slots; a slot beyond
    /// `lengths` counts as 0 long.
    pub fn add_narrow [add_narrow_avx2, add_narrow_avx512](
        curve: Curve, slots: &[u16], counts: &[u8], lengths: &[u32], sums: &mut [f64; SLOTS],
    ) -> () = add_lanes
}

kernel! {
    /// [`add_narrow`] for lists with counts beyond a byte.
    pub fn add_wide [add_wide_avx2, add_wide_avx512](
        curve: Curve, slots: &[u16], counts: &[u32], lengths: &[u32], sums: &mut [f64; SLOTS],
    ) -> () = add_lanes
}

kernel! {
    /// [`add_narrow`] for lists in which every count is 1.
    pub fn add_ones [add_ones_avx2, add_ones_avx512](
        curve: Curve, slots: &[u16], lengths: &[u32], sums: &mut [f64; SLOTS],
    ) -> () = add_ones_lanes
}

#[inline(always)]
fn add_ones_lanes(curve: Curve, slots: &[u16], lengths: &[u32], sums: &mut [f64; SLOTS]) {
    static ONES: [u8; SLOTS] = [1; SLOTS];
    add_lanes(curve, slots, &ONES[..slots.len()], lengths, sums);
}

#[inline(always)]
fn add_lanes<C: Copy + Into<u32>>(curve: Curve, slots: &[u16], counts: &[C], lengths: &[u32], sums: &mut [f64; SLOTS]) {
    let length_of = |slot: u16| lengths.get(usize::from(slot)).copied().unwrap_or(0);
    let (slot_blocks, slot_rest) = slots.as_chunks::<LANES>();
    let (count_blocks, count_rest) = counts.as_chunks::<LANES>();
    for (slots, counts) in slot_blocks.iter().zip(count_blocks) {
        let (mut tf, mut length) = ([0.0_f64; LANES], [0.0_f64; LANES]);
        for lane in 0..LANES {
            tf[lane] = f64::from(counts[lane].into());
            length[lane] = f64::from(length_of(slots[lane]));
        }
        let mut parts = [0.0_f64; LANES];
        for lane in 0..LANES {
            parts[lane] = curve.part(tf[lane], length[lane]);
        }
        for lane in 0..LANES {
            sums[usize::from(slots[lane])] += parts[lane];
        }
    }
    for (&slot, &count) in slot_rest.iter().zip(count_rest) {
        sums[usize::from(slot)] += curve.part(f64::from(count.into()), f64::from(length_of(slot)));
    }
}

kernel! {
    /// Appends the slots whose sum is at least `floor` (which is above 0), numbered from `first`.
    pub fn at_least [at_least_avx2, at_least_avx512](sums: &[f64], floor: f64, first: u16, out: &mut Vec<u16>) -> ()
        = at_least_lanes
}

#[inline(always)]
#[allow(clippy::needless_bitwise_bool)] // without a branch, so that a block is one vector comparison
fn at_least_lanes(sums: &[f64], floor: f64, first: u16, out: &mut Vec<u16>) {
    for (block, lanes) in sums.chunks(LANES).enumerate() {
        // One look at a whole block: nearly all of them hold nothing.
        if lanes.iter().fold(false, |any, &sum| any | (sum >= floor)) {
            let start = usize::from(first) + block * LANES;
            let worth = lanes.iter().enumerate().filter(|&(_, &sum)| sum >= floor);
            out.extend(worth.map(|(lane, _)| (start + lane) as u16));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kernel::Isa;

    fn sums() -> Box<[f64; SLOTS]> {
        vec![0.5; SLOTS].into_boxed_slice().try_into().unwrap()
    }

    proptest! {
        #[test]
        fn every_set_adds_as_the_plain_loop_does(
            postings in prop::collection::btree_map(0_u16..400, 1_u8.., 0..200),
            lengths in prop::collection::vec(0_u32..900, 0..400),
            base in 1e-3_f64..9.0, ratio in 1e-6_f64..0.1,
        ) {
            let curve = Curve { base, k1: 1.2, rest: 0.25, ratio };
            let slots: Vec<u16> = postings.keys().copied().collect();
            let counts: Vec<u8> = postings.values().copied().collect();
            let wide: Vec<u32> = counts.iter().map(|&count| u32::from(count)).collect();
            let mut expected = sums();
            for (&slot, &count) in &postings {
                let length = lengths.get(usize::from(slot)).copied().unwrap_or(0);
                expected[usize::from(slot)] += curve.part(f64::from(count), f64::from(length));
            }
            for isa in Isa::available() {
                let (mut narrow, mut broad) = (sums(), sums());
                add_narrow(isa, curve, &slots, &counts, &lengths, &mut narrow);
                let ones: Vec<u8> = vec![1; slots.len()];
                let (mut ones_sums, mut plain) = (sums(), sums());
                add_ones(isa, curve, &slots, &lengths, &mut ones_sums);
                add_narrow(Isa::Portable, curve, &slots, &ones, &lengths, &mut plain);
                prop_assert!(ones_sums.iter().zip(&*plain).all(|(a, b)| a.to_bits() == b.to_bits()), "{}", isa);
                add_wide(isa, curve, &slots, &wide, &lengths, &mut broad);
                prop_assert!(narrow.iter().zip(&*expected).all(|(a, b)| a.to_bits() == b.to_bits()), "{}", isa);
                prop_assert!(broad.iter().zip(&*expected).all(|(a, b)| a.to_bits() == b.to_bits()), "{}", isa);
                let mut found = Vec::new();
                at_least(isa, &expected[..400], 1.0, 0, &mut found);
                let plain: Vec<u16> = (0..400).filter(|&slot| expected[usize::from(slot)] >= 1.0).collect();
                prop_assert_eq!(found, plain);
            }
        }
    }
}
