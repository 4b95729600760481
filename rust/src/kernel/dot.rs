//! Sums of products in a fixed order, so that every instruction set gives the same bits.

/// Partial sums that run side by side; the same number everywhere, whatever the width of a register.
const LANES: usize = 64;

kernel! {
    /// The sum of `a[i] * b[i]` in `f32`.
    ///
    /// Order: product `i` goes to partial sum `i % 64` over all whole blocks of 64; the partial sums are folded
    /// upper half onto lower half until one is left; the products of the rest are then added one by one.
    /// Multiplications and additions are rounded separately.
    ///
    /// # Panics
    /// If the lengths differ; callers have checked them.
    ///
    /// ```
    /// use byheart_core::kernel::{Isa, dot};
    /// assert_eq!(dot(Isa::active()?, &[1.0, 2.0], &[3.0, 4.0]), 11.0);
    /// # Ok::<(), byheart_core::Error>(())
    /// ```
    pub fn dot[dot_avx2, dot_avx512](a: &[f32], b: &[f32]) -> f32 = dot_lanes
}

kernel! {
    /// [`dot`] of `query` with each row of `rows` (row after row, each as long as `query`), written to `out`.
    ///
    /// # Panics
    /// If `query` is empty or `rows` is not `out.len()` times as long as it; callers have checked them.
    ///
    /// ```
    /// use byheart_core::kernel::{Isa, dot_many};
    /// let mut out = [0.0; 2];
    /// dot_many(Isa::active()?, &[1.0, 2.0], &[3.0, 4.0, 0.0, 1.0], &mut out);
    /// assert_eq!(out, [11.0, 2.0]);
    /// # Ok::<(), byheart_core::Error>(())
    /// ```
    pub fn dot_many[dot_many_avx2, dot_many_avx512](query: &[f32], rows: &[f32], out: &mut [f32]) -> () = dot_many_lanes
}

#[inline(always)]
fn dot_many_lanes(query: &[f32], rows: &[f32], out: &mut [f32]) {
    assert_eq!(rows.len(), query.len() * out.len(), "one row per result");
    for (product, row) in out.iter_mut().zip(rows.chunks_exact(query.len())) {
        *product = dot_lanes(query, row);
    }
}

#[inline(always)]
fn dot_lanes(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len(), "vectors of one length");
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut sums = [0.0_f32; LANES];
    for (x, y) in a.iter().zip(b) {
        for lane in 0..LANES {
            sums[lane] += x[lane] * y[lane]; // never mul_add: it rounds once, and only some processors have it
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
    for (x, y) in a_rest.iter().zip(b_rest) {
        total += x * y;
    }
    total
}
