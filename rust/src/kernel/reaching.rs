//! Which sums are worth going on with: the largest, and those that reach a floor.

use super::bm25::SLOTS;

/// Sums that are compared side by side.
const LANES: usize = 32;

/// Distinct slots, in any order.
#[derive(Debug)]
pub struct Slots {
    slots: Box<[u16; SLOTS + 1]>, // room for the place after the last
    count: usize,
}

impl Default for Slots {
    fn default() -> Self {
        let slots = vec![0; SLOTS + 1].into_boxed_slice().try_into().expect("as long as it says");
        Self { slots, count: 0 }
    }
}

impl Slots {
    /// The slots.
    #[must_use]
    pub fn as_slice(&self) -> &[u16] {
        &self.slots[..self.count]
    }

    /// Forgets them.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds those of the slots whose sum is at least `floor`.
    pub fn extend_reaching(&mut self, slots: &[u16], sums: &[f32; SLOTS], floor: f32) {
        for &slot in slots {
            self.push_if(slot, sums[usize::from(slot)] >= floor);
        }
    }

    /// Keeps those whose sum is at least `floor`.
    pub fn retain_reaching(&mut self, sums: &[f32; SLOTS], floor: f32) {
        let count = std::mem::take(&mut self.count);
        for at in 0..count {
            let slot = self.slots[at];
            self.push_if(slot, sums[usize::from(slot)] >= floor);
        }
    }

    /// Adds a slot if it belongs, without a branch that could be foreseen wrongly: one that does not belong is
    /// written over by the next.
    #[inline(always)]
    pub fn push_if(&mut self, slot: u16, belongs: bool) {
        self.slots[self.count] = slot;
        self.count += usize::from(belongs);
    }
}

/// Groups whose largest sums are compared by [`peaks`].
pub const PEAKS: usize = 32;

kernel! {
    /// Raises each peak to the largest sum of its group: the sums whose number has the peak's as remainder.
    pub fn peaks [peaks_avx2, peaks_avx512](sums: &[f32], found: &mut [f32; PEAKS]) -> () = peaks_lanes
}

#[inline(always)]
fn peaks_lanes(sums: &[f32], found: &mut [f32; PEAKS]) {
    let (blocks, rest) = sums.as_chunks::<PEAKS>();
    let mut peaks = *found;
    for block in blocks {
        for lane in 0..PEAKS {
            peaks[lane] = if block[lane] > peaks[lane] { block[lane] } else { peaks[lane] };
        }
    }
    for (peak, &sum) in peaks.iter_mut().zip(rest) {
        *peak = peak.max(sum);
    }
    *found = peaks;
}

kernel! {
    /// Adds the slots whose sum is above 0 and at least `floor`.
    pub fn reaching [reaching_avx2, reaching_avx512](sums: &[f32], floor: f32, out: &mut Slots) -> () = reaching_lanes
}

#[inline(always)]
#[allow(clippy::needless_bitwise_bool)] // without a branch, so that a block is one vector comparison
fn reaching_lanes(sums: &[f32], floor: f32, out: &mut Slots) {
    let floor = floor.max(f32::from_bits(1)); // the smallest sum above 0
    for (block, lanes) in sums.chunks(LANES).enumerate() {
        // One look at a whole block: nearly all of them hold nothing.
        if lanes.iter().fold(false, |any, &sum| any | (sum >= floor)) {
            for (lane, &sum) in lanes.iter().enumerate() {
                out.push_if((block * LANES + lane) as u16, sum >= floor);
            }
        }
    }
}

kernel! {
    /// How many of the sums are at least `floor`.
    pub fn count_reaching [count_reaching_avx2, count_reaching_avx512](sums: &[f32], floor: f32) -> usize
        = count_reaching_lanes
}

#[inline(always)]
fn count_reaching_lanes(sums: &[f32], floor: f32) -> usize {
    sums.iter().map(|&sum| u32::from(sum >= floor)).fold(0, u32::wrapping_add) as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kernel::Isa;

    const NONE: f32 = 0.0;

    proptest! {
        #[test]
        fn every_set_finds_the_sums_that_reach_a_floor(
            values in prop::collection::vec(prop_oneof![Just(NONE), 0.0_f32..1.0], 0..300), floor in 0.0_f32..1.0,
        ) {
            let reaches = |value: f32| value >= floor && value > 0.0;
            let expected: Vec<u16> = (0..).zip(&values).filter(|(_, value)| reaches(**value)).map(|(at, _)| at).collect();
            let mut largest = values.clone();
            largest.sort_unstable_by(|a, b| b.total_cmp(a));
            for isa in Isa::available() {
                let mut found = Slots::default();
                reaching(isa, &values, floor, &mut found);
                prop_assert_eq!(found.as_slice(), &expected);
                prop_assert_eq!(count_reaching(isa, &values, floor.max(f32::MIN_POSITIVE)), expected.len());
                let mut groups = [0.0; PEAKS];
                peaks(isa, &values, &mut groups);
                let expected = |lane: usize| values.iter().skip(lane).step_by(PEAKS).copied().fold(0.0, f32::max);
                prop_assert!((0..PEAKS).all(|lane| groups[lane].to_bits() == expected(lane).to_bits()), "{}", isa);
            }
        }
    }
}
