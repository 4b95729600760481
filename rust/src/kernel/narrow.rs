//! Sums of products of a query's `i16` and the `i8` of rows: whole numbers, so that every order of adding gives the same.
//!
//! Every vector unit multiplies and adds pairs of `i16`. From a plain loop the compiler makes this with half of AVX2's
//! width, and folds the lanes of every row by themselves. So for AVX2 it is written out, four rows at a time: a part of the
//! query is loaded once for all four, and their lanes are folded together. That takes less than half of the time.

/// Writes the sum of the products with each row (row after row, each as long as the query) to `out`.
#[inline(always)]
pub(super) fn narrow_dots(query: &[i16], rows: &[i8], out: &mut [i32]) {
    for (dot, row) in out.iter_mut().zip(rows.chunks_exact(query.len())) {
        *dot = narrow_dot(query, row);
    }
}

#[inline(always)]
fn narrow_dot(query: &[i16], row: &[i8]) -> i32 {
    query.iter().zip(row).fold(0_i32, |sum, (&q, &c)| sum.wrapping_add(i32::from(q) * i32::from(c)))
}

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::narrow_dots_avx2;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_extract_epi32, _mm_setr_epi8, _mm_shuffle_epi32,
        _mm256_add_epi32, _mm256_castsi256_si128, _mm256_cvtepi8_epi16, _mm256_extracti128_si256, _mm256_hadd_epi32,
        _mm256_madd_epi16, _mm256_setr_epi16, _mm256_setzero_si256,
    };

    use super::narrow_dot;

    /// As [`super::narrow_dots`].
    #[target_feature(enable = "avx2")]
    #[inline]
    pub fn narrow_dots_avx2(query: &[i16], rows: &[i8], out: &mut [i32]) {
        let width = query.len();
        let (fours, rest) = out.as_chunks_mut::<4>();
        let (rows_of_fours, rows_of_rest) = rows.split_at(fours.len() * 4 * width);
        for (dots, rows) in fours.iter_mut().zip(rows_of_fours.chunks_exact(4 * width)) {
            *dots = four_avx2(query, rows);
        }
        for (dot, row) in rest.iter_mut().zip(rows_of_rest.chunks_exact(width)) {
            *dot = one_avx2(query, row);
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn four_avx2(query: &[i16], rows: &[i8]) -> [i32; 4] {
        let width = query.len();
        let (first, second) = rows.split_at(2 * width);
        let ((a, b), (c, d)) = (first.split_at(width), second.split_at(width));
        let (parts, rest) = query.as_chunks();
        let ((a, a_rest), (b, b_rest), (c, c_rest), (d, d_rest)) =
            (a.as_chunks(), b.as_chunks(), c.as_chunks(), d.as_chunks());
        let none = _mm256_setzero_si256();
        let (mut of_a, mut of_b, mut of_c, mut of_d) = (none, none, none, none);
        for ((((part, a), b), c), d) in parts.iter().zip(a).zip(b).zip(c).zip(d) {
            let part = part_avx2(part);
            of_a = _mm256_add_epi32(of_a, _mm256_madd_epi16(widened_avx2(a), part));
            of_b = _mm256_add_epi32(of_b, _mm256_madd_epi16(widened_avx2(b), part));
            of_c = _mm256_add_epi32(of_c, _mm256_madd_epi16(widened_avx2(c), part));
            of_d = _mm256_add_epi32(of_d, _mm256_madd_epi16(widened_avx2(d), part));
        }
        let sums = _mm256_hadd_epi32(_mm256_hadd_epi32(of_a, of_b), _mm256_hadd_epi32(of_c, of_d));
        let sums = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
        let mut dots = [
            _mm_extract_epi32::<0>(sums),
            _mm_extract_epi32::<1>(sums),
            _mm_extract_epi32::<2>(sums),
            _mm_extract_epi32::<3>(sums),
        ];
        if !rest.is_empty() {
            for (dot, row) in dots.iter_mut().zip([a_rest, b_rest, c_rest, d_rest]) {
                *dot = dot.wrapping_add(narrow_dot(rest, row));
            }
        }
        dots
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn one_avx2(query: &[i16], row: &[i8]) -> i32 {
        let ((parts, rest), (row, row_rest)) = (query.as_chunks(), row.as_chunks());
        let mut sums = _mm256_setzero_si256();
        for (part, row) in parts.iter().zip(row) {
            sums = _mm256_add_epi32(sums, _mm256_madd_epi16(widened_avx2(row), part_avx2(part)));
        }
        let sums = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
        let sums = _mm_add_epi32(sums, _mm_shuffle_epi32::<0xEE>(sums));
        let sums = _mm_add_epi32(sums, _mm_shuffle_epi32::<0x55>(sums));
        _mm_cvtsi128_si32(sums).wrapping_add(narrow_dot(rest, row_rest))
    }

    /// A part of a query: one load, though it does not look so.
    #[target_feature(enable = "avx2")]
    #[inline]
    #[rustfmt::skip]
    fn part_avx2(q: &[i16; 16]) -> __m256i {
        _mm256_setr_epi16(
            q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7], q[8], q[9], q[10], q[11], q[12], q[13], q[14], q[15],
        )
    }

    /// A part of a row as `i16`: one load that widens.
    #[target_feature(enable = "avx2")]
    #[inline]
    #[rustfmt::skip]
    fn widened_avx2(r: &[i8; 16]) -> __m256i {
        _mm256_cvtepi8_epi16(_mm_setr_epi8(
            r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8], r[9], r[10], r[11], r[12], r[13], r[14], r[15],
        ))
    }
}
