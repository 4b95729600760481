//! Majority of bits: 4,096 counters kept as bit planes.
//!
//! Plane `p` holds bit `p` of every counter, so one word operation works on 64 counters. Sixteen vectors at a
//! time go through a tree of carry-save adders, which adds their ones, twos, fours and eights to four planes
//! and leaves one carry of weight sixteen.

use super::{Isa, Words};

/// Vectors that enter the adder tree together.
const GROUP: usize = 16;

/// For each of 4,096 bits, how often it was set in the vectors added so far.
///
/// ```
/// use byheart_core::kernel::{Isa, Majority, Words};
/// let isa = Isa::active()?;
/// let mut majority = Majority::default();
/// majority.add(isa, &[&Words([0b011; 64]), &Words([0b110; 64]), &Words([0b010; 64])], 0);
/// assert_eq!(majority.decide(isa, &Words::ZERO), Words([0b010; 64]));
/// # Ok::<(), byheart_core::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Majority {
    planes: Vec<Words>,
    total: u64,
}

impl Majority {
    /// Counts each vector `2^plane` times. The sum of all counts must stay below 2^63.
    pub fn add(&mut self, isa: Isa, vectors: &[&Words], plane: usize) {
        if vectors.is_empty() {
            return;
        }
        self.total += (vectors.len() as u64) << plane;
        let needed = (u64::BITS - self.total.leading_zeros()) as usize;
        let needed = needed.max(plane + 5); // the adder tree writes five planes, full or not
        if self.planes.len() < needed {
            self.planes.resize(needed, Words::ZERO);
        }
        add_groups(isa, &mut self.planes[plane..], vectors);
    }

    /// The XOR of all vectors that were added at plane 0.
    #[must_use]
    pub fn parity(&self) -> Words {
        self.planes.first().copied().unwrap_or(Words::ZERO)
    }

    /// One bit per counter: set in more than half of the counts, or in exactly half where `tie` has it set.
    #[must_use]
    pub fn decide(&self, isa: Isa, tie: &Words) -> Words {
        let (mut more, mut equal) = (Words::ZERO, Words([u64::MAX; 64]));
        compare(isa, &self.planes, self.total / 2, &mut more, &mut equal);
        if self.total.is_multiple_of(2) {
            for ((more, equal), tie) in more.0.iter_mut().zip(&equal.0).zip(&tie.0) {
                *more |= equal & tie;
            }
        }
        more
    }
}

kernel! {
    /// Adds each vector once to the counters whose lowest plane is `planes[0]`; at least five planes.
    pub fn add_groups[add_groups_avx2, add_groups_avx512](planes: &mut [Words], vectors: &[&Words]) -> () = add_groups_lanes
}

kernel! {
    /// Which counters are above `half` and which are equal to it; `more` comes in clear and `equal` set.
    pub fn compare[compare_avx2, compare_avx512](planes: &[Words], half: u64, more: &mut Words, equal: &mut Words) -> ()
        = compare_lanes
}

#[inline(always)]
fn add_groups_lanes(planes: &mut [Words], vectors: &[&Words]) {
    let (low, high) = planes.split_at_mut(4);
    let Ok([ones, twos, fours, eights]): Result<&mut [Words; 4], _> = low.try_into() else { return };
    for group in vectors.chunks(GROUP) {
        let mut rows = [&Words::ZERO; GROUP]; // a short group is filled up with zeros, which count nothing
        rows[..group.len()].copy_from_slice(group);
        let mut carry = Words::ZERO;
        for w in 0..64 {
            let row = |i: usize| rows[i].0[w];
            let (one, twos_a) = add(ones.0[w], row(0), row(1));
            let (one, twos_b) = add(one, row(2), row(3));
            let (two, fours_a) = add(twos.0[w], twos_a, twos_b);
            let (one, twos_a) = add(one, row(4), row(5));
            let (one, twos_b) = add(one, row(6), row(7));
            let (two, fours_b) = add(two, twos_a, twos_b);
            let (four, eights_a) = add(fours.0[w], fours_a, fours_b);
            let (one, twos_a) = add(one, row(8), row(9));
            let (one, twos_b) = add(one, row(10), row(11));
            let (two, fours_a) = add(two, twos_a, twos_b);
            let (one, twos_a) = add(one, row(12), row(13));
            let (one, twos_b) = add(one, row(14), row(15));
            let (two, fours_b) = add(two, twos_a, twos_b);
            let (four, eights_b) = add(four, fours_a, fours_b);
            let (eight, sixteen) = add(eights.0[w], eights_a, eights_b);
            (ones.0[w], twos.0[w], fours.0[w], eights.0[w], carry.0[w]) = (one, two, four, eight, sixteen);
        }
        for plane in &mut *high {
            for (bit, carry) in plane.0.iter_mut().zip(&mut carry.0) {
                (*bit, *carry) = (*bit ^ *carry, *bit & *carry);
            }
        }
    }
}

/// Full adder on 64 columns: sum and carry.
#[inline(always)]
fn add(a: u64, b: u64, c: u64) -> (u64, u64) {
    let ab = a ^ b;
    (ab ^ c, (a & b) | (ab & c))
}

#[inline(always)]
fn compare_lanes(planes: &[Words], half: u64, more: &mut Words, equal: &mut Words) {
    for (place, plane) in planes.iter().enumerate().rev() {
        let bit = if half >> place & 1 == 1 { u64::MAX } else { 0 };
        for w in 0..64 {
            more.0[w] |= equal.0[w] & plane.0[w] & !bit;
            equal.0[w] &= !(plane.0[w] ^ bit);
        }
    }
}
