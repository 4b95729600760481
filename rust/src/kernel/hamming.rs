//! Hamming distances of 4,096-bit rows.
//!
//! The plain loop is the fast one: compiled for AVX2 or AVX-512 it becomes vector population counts, and
//! beyond the second-level cache it waits for memory. Carry-save adders were tried and gained nothing there.

use super::Words;

kernel! {
    /// The distance (0 to 4,096) of `query` from each of `rows`, written to the same place of `out`.
    ///
    /// The shorter of `rows` and `out` decides how many are written.
    ///
    /// ```
    /// use byheart_core::kernel::{Isa, Words, hamming_many};
    /// let mut out = [0; 2];
    /// hamming_many(Isa::active()?, &Words::ZERO, &[Words::ZERO, Words([1; 64])], &mut out);
    /// assert_eq!(out, [0, 64]);
    /// # Ok::<(), byheart_core::Error>(())
    /// ```
    pub fn hamming_many[hamming_many_avx2, hamming_many_avx512](query: &Words, rows: &[Words], out: &mut [u16]) -> ()
        = hamming_many_lanes
}

kernel! {
    /// The distances of all `queries` from each of `rows`: that of query `q` from row `r` goes to
    /// `out[r * queries.len() + q]`. A row is read once for all queries.
    ///
    /// ```
    /// use byheart_core::kernel::{Isa, Words, hamming_batch};
    /// let (queries, rows, mut out) = ([Words::ZERO, Words([1; 64])], [Words([3; 64])], [0; 2]);
    /// hamming_batch(Isa::active()?, &queries, &rows, &mut out);
    /// assert_eq!(out, [128, 64]);
    /// # Ok::<(), byheart_core::Error>(())
    /// ```
    pub fn hamming_batch[hamming_batch_avx2, hamming_batch_avx512](queries: &[Words], rows: &[Words], out: &mut [u16]) -> ()
        = hamming_batch_lanes
}

kernel! {
    /// The smallest of some distances; the largest number there is for none.
    ///
    /// ```
    /// use byheart_core::kernel::{Isa, smallest};
    /// assert_eq!(smallest(Isa::active()?, &[7, 3, 9]), 3);
    /// assert_eq!(smallest(Isa::active()?, &[]), u16::MAX);
    /// # Ok::<(), byheart_core::Error>(())
    /// ```
    pub fn smallest[smallest_avx2, smallest_avx512](distances: &[u16]) -> u16 = smallest_lanes
}

#[inline(always)]
fn smallest_lanes(distances: &[u16]) -> u16 {
    distances.iter().fold(u16::MAX, |smallest, &distance| smallest.min(distance))
}

#[inline(always)]
fn hamming_many_lanes(query: &Words, rows: &[Words], out: &mut [u16]) {
    for (distance, row) in out.iter_mut().zip(rows) {
        *distance = distance_lanes(query, row);
    }
}

#[inline(always)]
fn hamming_batch_lanes(queries: &[Words], rows: &[Words], out: &mut [u16]) {
    if queries.is_empty() {
        return;
    }
    for (distances, row) in out.chunks_exact_mut(queries.len()).zip(rows) {
        hamming_many_lanes(row, queries, distances);
    }
}

#[inline(always)]
fn distance_lanes(a: &Words, b: &Words) -> u16 {
    let mut sum = 0_u64;
    for (x, y) in a.0.iter().zip(&b.0) {
        sum = sum.wrapping_add(u64::from((x ^ y).count_ones()));
    }
    sum as u16
}
