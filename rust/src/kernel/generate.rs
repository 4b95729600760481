//! Random words from a seed: `SplitMix64` in counter mode, so that any word can be computed alone.
//!
//! Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014). The constants are
//! part of every file that holds a hypervector.

use super::Words;

/// 2^64 divided by the golden ratio: the step from one state to the next.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

kernel! {
    /// Fills `out[i]` from `seeds[i]`: its word `w` is the finaliser of `seed + (w + 1) * 0x9E3779B97F4A7C15`.
    ///
    /// The shorter of the two slices decides how many are written.
    ///
    /// ```
    /// use byheart_core::kernel::{Isa, Words, generate};
    /// let mut out = [Words::ZERO];
    /// generate(Isa::active()?, &[0], &mut out);
    /// assert_eq!(out[0].0[0], 0xE220_A839_7B1D_CDAF); // the first output of SplitMix64 from state 0
    /// # Ok::<(), byheart_core::Error>(())
    /// ```
    pub fn generate[generate_avx2, generate_avx512](seeds: &[u64], out: &mut [Words]) -> () = generate_lanes
}

#[inline(always)]
fn generate_lanes(seeds: &[u64], out: &mut [Words]) {
    for (&seed, words) in seeds.iter().zip(out) {
        for (word, place) in words.0.iter_mut().zip(1_u64..) {
            *word = finalise(seed.wrapping_add(place.wrapping_mul(STEP)));
        }
    }
}

#[inline(always)]
fn finalise(mut x: u64) -> u64 {
    x ^= x >> 30;
    x = x.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x ^= x >> 27;
    x = x.wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}
