//! Projections of numbers onto 4,096 random directions of +1 and -1, which are bits.

use super::Words;

/// Sums that stay in registers while the axes go by.
const LANES: usize = 32;

kernel! {
    /// Adds each value to every sum, or takes it off where the bit of its axis is clear: for axis `i`, in order,
    /// `sums[j] += values[i]` if bit `j` of `axes[i]` is set, else `sums[j] -= values[i]`.
    ///
    /// The shorter of `axes` and `values` decides how many are added; `sums` has one place for each of 4,096 bits.
    ///
    /// ```
    /// use byheart_core::kernel::{Isa, Words, project};
    /// let mut sums = [0.0; 4096];
    /// project(Isa::active()?, &[Words([1; 64]), Words([3; 64])], &[0.5, 2.0], &mut sums);
    /// assert_eq!(sums[..3], [2.5, 1.5, -2.5]);
    /// # Ok::<(), byheart_core::Error>(())
    /// ```
    pub fn project[project_avx2, project_avx512](axes: &[Words], values: &[f32], sums: &mut [f64]) -> () = project_lanes
}

#[inline(always)]
fn project_lanes(axes: &[Words], values: &[f32], sums: &mut [f64]) {
    for (block, sums) in sums.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        let (word, shift) = (block * LANES / 64, block * LANES % 64);
        let mut lanes = *sums;
        for (axis, &value) in axes.iter().zip(values) {
            let (minus, bits) = (!axis.0[word] >> shift, f64::from(value).to_bits());
            for (lane, sum) in lanes.iter_mut().enumerate() {
                *sum += f64::from_bits(bits ^ minus >> lane << 63); // x - y is x + (-y), to the bit
            }
        }
        *sums = lanes;
    }
}
