//! Which sums are worth going on with: the largest, and those that reach a floor.

use super::bm25::SLOTS;

/// Sums that are compared side by side, to find whether there is one, and then which.
const LANES: usize = 32;
const PART: usize = 8;

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

    /// Adds a slot if it belongs, without a branch that could be foreseen wrongly: one that does not belong is
    /// written over by the next.
    #[inline(always)]
    pub fn push_if(&mut self, slot: u16, belongs: bool) {
        self.slots[self.count] = slot;
        self.count += usize::from(belongs);
    }
}

/// Groups whose largest sums are compared by [`peak`].
pub const PEAKS: usize = 32;

kernel! {
    /// A sum that at least `k` (1 to [`PEAKS`]) of these reach; 0 if it is not known of so many. They are dealt into
    /// groups, and each group is spoken for by its largest: k of those are k sums.
    pub fn peak [peak_avx2, peak_avx512](sums: &[u16], k: usize) -> u16 = peak_lanes
}

#[inline(always)]
fn peak_lanes(sums: &[u16], k: usize) -> u16 {
    let (blocks, rest) = sums.as_chunks::<PEAKS>();
    let mut peaks = [0_u16; PEAKS];
    for block in blocks {
        for lane in 0..PEAKS {
            peaks[lane] = peaks[lane].max(block[lane]);
        }
    }
    for (peak, &sum) in peaks.iter_mut().zip(rest) {
        *peak = (*peak).max(sum);
    }
    // Which of them has its rank among them: comparisons with all, and no branch that could be foreseen wrongly.
    let mut reached = [0_u16; PEAKS];
    for other in peaks {
        for lane in 0..PEAKS {
            reached[lane] = reached[lane].wrapping_add(u16::from(other >= peaks[lane]));
        }
    }
    let mut best = 0;
    for lane in 0..PEAKS {
        let peak = if usize::from(reached[lane]) >= k { peaks[lane] } else { 0 };
        best = best.max(peak);
    }
    best
}

kernel! {
    /// Adds those of the slots whose sum is above 0 and at least `floor`. `slots` says which they are; without it
    /// they are numbered from 0.
    pub fn reaching [reaching_avx2, reaching_avx512](
        sums: &[u16], slots: Option<&[u16]>, floor: u16, out: &mut Slots,
    ) -> () = reaching_lanes
}

#[inline(always)]
fn reaching_lanes(sums: &[u16], slots: Option<&[u16]>, floor: u16, out: &mut Slots) {
    if let Some(slots) = slots {
        those_reaching(sums, |at| slots[at], floor, out);
    } else {
        those_reaching(sums, |at| at as u16, floor, out);
    }
}

#[inline(always)]
#[allow(clippy::needless_bitwise_bool)] // without a branch, so that a block is one vector comparison
fn those_reaching(sums: &[u16], slot: impl Fn(usize) -> u16, floor: u16, out: &mut Slots) {
    let floor = floor.max(1);
    for (block, lanes) in sums.chunks(LANES).enumerate() {
        // One look at a whole block: nearly all of them hold nothing.
        if lanes.iter().fold(false, |any, &sum| any | (sum >= floor)) {
            for (part, lanes) in lanes.chunks(PART).enumerate() {
                if lanes.iter().fold(false, |any, &sum| any | (sum >= floor)) {
                    for (lane, &sum) in lanes.iter().enumerate() {
                        out.push_if(slot(block * LANES + part * PART + lane), sum >= floor);
                    }
                }
            }
        }
    }
}

kernel! {
    /// How many of the sums are at least `floor`.
    pub fn count_reaching [count_reaching_avx2, count_reaching_avx512](sums: &[u16], floor: u16) -> usize
        = count_reaching_lanes
}

#[inline(always)]
fn count_reaching_lanes(sums: &[u16], floor: u16) -> usize {
    // A window's count fits the sums' own 16 bits, which lets it be counted in as many lanes as they have.
    let count = |sums: &[u16]| sums.iter().map(|&sum| u16::from(sum >= floor)).fold(0, u16::wrapping_add);
    sums.chunks(SLOTS / 2).map(|half| usize::from(count(half))).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kernel::Isa;

    proptest! {
        #[test]
        fn every_set_finds_the_sums_that_reach_a_floor(
            values in prop::collection::vec(prop_oneof![Just(0_u16), 0_u16..9, any::<u16>()], 0..300),
            floor in prop_oneof![0_u16..10, any::<u16>()],
        ) {
            let reaches = |value: u16| value >= floor && value > 0;
            let expected: Vec<u16> = (0..).zip(&values).filter(|(_, value)| reaches(**value)).map(|(at, _)| at).collect();
            let named: Vec<u16> = (0..values.len() as u16).map(|at| at * 7 + 3).collect();
            for isa in Isa::available() {
                let mut found = Slots::default();
                reaching(isa, &values, None, floor, &mut found);
                prop_assert_eq!(found.as_slice(), &expected);
                found.clear();
                reaching(isa, &values, Some(&named), floor, &mut found);
                prop_assert!(found.as_slice().iter().eq(expected.iter().map(|&at| &named[usize::from(at)])));
                prop_assert_eq!(count_reaching(isa, &values, floor.max(1)), expected.len());
                let largest = |lane: usize| values.iter().skip(lane).step_by(PEAKS).copied().max().unwrap_or(0);
                let mut groups: [u16; PEAKS] = std::array::from_fn(largest);
                groups.sort_unstable_by(|a, b| b.cmp(a));
                prop_assert!((1..=PEAKS).all(|k| peak(isa, &values, k) == groups[k - 1]), "{}", isa);
            }
        }
    }

    #[test]
    fn all_slots_of_a_segment_can_reach() {
        for isa in Isa::available() {
            assert_eq!(count_reaching(isa, &vec![7; SLOTS], 7), SLOTS);
        }
    }
}
