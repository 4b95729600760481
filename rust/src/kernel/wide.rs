//! Sums of products in `f64`, in a fixed order: what a cosine and the score of an embedding are made of.
//!
//! The product of two `f32` is exact in `f64`, so only the additions round; and numbers that are `f32` give the
//! same bits whichever of the two kernels they go through.

/// Partial sums that run side by side; the same number everywhere, whatever the width of a register.
pub(super) const LANES: usize = 16;

kernel! {
    /// The sum of `a[i] * b[i]` in `f64`.
    ///
    /// Order: product `i` goes to partial sum `i % 16` over all whole blocks of 16; the partial sums are folded
    /// upper half onto lower half until one is left; the products of the rest are then added one by one.
    /// Multiplications and additions are rounded separately.
    ///
    /// # Panics
    /// If the lengths differ; callers have checked them.
    ///
    /// ```
    /// use byheart_core::kernel::{Isa, wide_dot};
    /// assert_eq!(wide_dot(Isa::active()?, &[1.0, 2.0], &[3.0, 4.0]), 11.0);
    /// # Ok::<(), byheart_core::Error>(())
    /// ```
    pub fn wide_dot[wide_dot_avx2, wide_dot_avx512](a: &[f32], b: &[f32]) -> f64 = dot_lanes
}

kernel! {
    /// [`wide_dot`] of numbers that are `f64` already.
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
        let products: [f64; LANES] = std::array::from_fn(|lane| x[lane].into() * y[lane].into());
        for lane in 0..LANES {
            sums[lane] += products[lane];
        }
    }
    let mut total = folded(&mut sums);
    for (&x, &y) in a_rest.iter().zip(b_rest) {
        total += x.into() * y.into();
    }
    total
}

/// Apart, since inside the loop's function the compiler would cut its registers to what the last step needs.
#[inline(never)]
pub(super) fn folded(sums: &mut [f64; LANES]) -> f64 {
    let mut width = LANES;
    while width > 1 {
        width /= 2;
        for lane in 0..width {
            sums[lane] += sums[lane + width];
        }
    }
    sums[0]
}
