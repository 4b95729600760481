//! Sums of products in `f64`, in a fixed order: what a cosine is made of.
//!
//! The product of two `f32` is exact in `f64`, so only the additions round; and numbers that are `f32` give the
//! same bits whichever of the two kernels they go through.

/// Partial sums that run side by side; the same number everywhere, whatever the width of a register.
const LANES: usize = 32;

kernel! {
    /// The sum of `a[i] * b[i]` in `f64`.
    ///
    /// Order: product `i` goes to partial sum `i % 32` over all whole blocks of 32; the partial sums are folded
    /// upper half onto lower half until one is left; the products of the rest are then added one by one.
    /// Multiplications and additions are rounded separately.
    ///
    /// # Panics
    /// If the lengths differ; callers have checked them.
    ///
    /// ```
    /// use byheart_core::kernel::{Isa, dot_wide};
    /// assert_eq!(dot_wide(Isa::active()?, &[1.0, 2.0], &[3.0, 4.0]), 11.0);
    /// # Ok::<(), byheart_core::Error>(())
    /// ```
    pub fn dot_wide[dot_wide_avx2, dot_wide_avx512](a: &[f32], b: &[f32]) -> f64 = dot_lanes
}

kernel! {
    /// [`dot_wide`] of numbers that are `f64` already.
    ///
    /// # Panics
    /// If the lengths differ; callers have checked them.
    ///
    /// ```
    /// use byheart_core::kernel::{Isa, dot_double};
    /// assert_eq!(dot_double(Isa::active()?, &[1.0, 2.0], &[3.0, 4.0]), 11.0);
    /// # Ok::<(), byheart_core::Error>(())
    /// ```
    pub fn dot_double[dot_double_avx2, dot_double_avx512](a: &[f64], b: &[f64]) -> f64 = dot_lanes
}

#[inline(always)]
fn dot_lanes<T: Copy + Into<f64>>(a: &[T], b: &[T]) -> f64 {
    assert_eq!(a.len(), b.len(), "vectors of one length");
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut sums = [0.0_f64; LANES];
    for (x, y) in a.iter().zip(b) {
        for lane in 0..LANES {
            sums[lane] += x[lane].into() * y[lane].into();
        }
    }
    let mut width = LANES;
    while width > 1 {
        width /= 2;
        for lane in 0..width {
            sums[lane] += sums[lane + width];
        }
    }
    let mut total = sums[0];
    for (&x, &y) in a_rest.iter().zip(b_rest) {
        total += x.into() * y.into();
    }
    total
}
