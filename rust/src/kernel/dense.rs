//! Embeddings: dot products of rows kept as `i8`, and what the codes miss.
//!
//! A query is `i16` beside rows of `i8`: one multiply-add does for it what two levels of `i8` would need two
//! for. The sum is a whole number, so every instruction set finds the same one.

use super::narrow::narrow_dots;
#[cfg(target_arch = "x86_64")]
use super::narrow::narrow_dots_avx2;
use super::wide::LANES;

/// Rows estimated between two looks at their scales.
const BLOCK: usize = 64;

/// Added to an `f32` below 2^22 it rounds that to the nearest whole number, ties to even, which are the sum's last bits.
const ROUND: f32 = 12_582_912.0; // 1.5 * 2^23

/// A query as whole numbers: `codes[i] * weight` is about its value; `length` is its own.
#[derive(Debug, Clone, Copy)]
pub struct CodedQuery<'q> {
    /// One for each place.
    pub codes: &'q [i16],
    /// What a code counts.
    pub weight: f32,
    /// Factor of each row's error.
    pub length: f32,
}

/// Rows as whole numbers, one after the other, with a scale and an error for each.
#[derive(Debug, Clone, Copy)]
pub struct CodedRows<'r> {
    /// As many for each row as the query has.
    pub codes: &'r [i8],
    /// What a code counts, by row.
    pub scales: &'r [f32],
    /// What the codes may miss, by row.
    pub errors: &'r [f32],
}

kernel! {
    /// The whole numbers nearest to `values[i] * factor`, ties to even, cut to -127..=127.
    ///
    /// The shorter of `values` and `codes` decides how many are written. Products must be below 2^22.
    ///
    /// ```
    /// use byheart_core::kernel::{Isa, quantise};
    /// let mut codes = [0; 3];
    /// quantise(Isa::active()?, &[0.25, -1.0, 2.0], 100.0, &mut codes);
    /// assert_eq!(codes, [25, -100, 127]);
    /// # Ok::<(), byheart_core::Error>(())
    /// ```
    pub fn quantise[quantise_avx2, quantise_avx512](values: &[f32], factor: f32, codes: &mut [i8]) -> () = quantise_lanes
}

kernel! {
    /// The largest size of these numbers, none of which is NaN; 0 of none.
    ///
    /// ```
    /// use byheart_core::kernel::{Isa, largest};
    /// assert_eq!(largest(Isa::active()?, &[0.25, -2.0, 1.0]), 2.0);
    /// # Ok::<(), byheart_core::Error>(())
    /// ```
    pub fn largest[largest_avx2, largest_avx512](values: &[f32]) -> f32 = largest_lanes
}

kernel! {
    /// The sum of `(values[i] - codes[i] * scale)^2` in `f64`, in the order of `wide_dot` without its fold: lane
    /// after lane.
    ///
    /// ```
    /// use byheart_core::kernel::{Isa, squared_error};
    /// assert_eq!(squared_error(Isa::active()?, &[1.0, 2.0], &[2, 2], 0.5), 1.0);
    /// # Ok::<(), byheart_core::Error>(())
    /// ```
    pub fn squared_error[squared_error_avx2, squared_error_avx512](values: &[f32], codes: &[i8], scale: f32) -> f64
        = squared_error_lanes
}

kernel! {
    /// Adds to `bounds[r]` what row `r` gives: `scales[r] * weight * dot + errors[r] * length`, where `dot` is the
    /// exact sum of the products of the codes. Rounded after every operation, in `f32`.
    ///
    /// The sum of the products' sizes must stay below 2^31. Callers choose the query's scale for that.
    ///
    /// # Panics
    /// If the lengths do not fit each other; callers have checked them.
    ///
    /// ```
    /// use byheart_core::kernel::{CodedQuery, CodedRows, Isa, add_bounds};
    /// let query = CodedQuery { codes: &[3, -2], weight: 0.5, length: 2.0 };
    /// let rows = CodedRows { codes: &[1, 1, 2, 0], scales: &[1.0, 0.5], errors: &[0.25, 0.0] };
    /// let mut bounds = [0.0, 1.0];
    /// add_bounds(Isa::active()?, &query, &rows, &mut bounds);
    /// assert_eq!(bounds, [1.0, 2.5]);
    /// # Ok::<(), byheart_core::Error>(())
    /// ```
    pub fn add_bounds[add_bounds_avx2 = estimate_rows_avx2, add_bounds_avx512](query: &CodedQuery<'_>, rows: &CodedRows<'_>, bounds: &mut [f32]) -> ()
        = estimate_rows
}

kernel! {
    /// Writes `bounds[r] + rests[r] * factor + slack` to `out[r]`, rounded after every operation.
    ///
    /// The shortest slice decides how many are written.
    ///
    /// ```
    /// use byheart_core::kernel::{Isa, raise};
    /// let mut out = [0.0; 2];
    /// raise(Isa::active()?, &[1.0, 2.0], &[0.5, 0.25], 2.0, 1.0, &mut out);
    /// assert_eq!(out, [3.0, 3.5]);
    /// # Ok::<(), byheart_core::Error>(())
    /// ```
    pub fn raise[raise_avx2, raise_avx512](bounds: &[f32], rests: &[f32], factor: f32, slack: f32, out: &mut [f32]) -> ()
        = raise_lanes
}

#[inline(always)]
fn raise_lanes(bounds: &[f32], rests: &[f32], factor: f32, slack: f32, out: &mut [f32]) {
    for ((out, &bound), &rest) in out.iter_mut().zip(bounds).zip(rests) {
        *out = bound + rest * factor + slack;
    }
}

#[inline(always)]
fn largest_lanes(values: &[f32]) -> f32 {
    let larger = |one: f32, other: f32| if other > one { other } else { one }; // what a vector unit calls a maximum
    let mut most = [0.0_f32; LANES];
    let (whole, rest) = values.as_chunks::<LANES>();
    for values in whole {
        for lane in 0..LANES {
            most[lane] = larger(most[lane], values[lane].abs());
        }
    }
    most.into_iter().chain(rest.iter().map(|value| value.abs())).fold(0.0, larger)
}

#[inline(always)]
fn quantise_lanes(values: &[f32], factor: f32, codes: &mut [i8]) {
    for (code, &value) in codes.iter_mut().zip(values) {
        // The sum's last bits are the whole number; a conversion would look at each for what no number is.
        *code = ((value * factor).clamp(-127.0, 127.0) + ROUND).to_bits() as i8;
    }
}

#[inline(always)]
fn squared_error_lanes(values: &[f32], codes: &[i8], scale: f32) -> f64 {
    let mut sums = [0.0_f64; LANES];
    let missed = |value: f32, code: i8| f64::from(value) - f64::from(code) * f64::from(scale);
    let ((whole, rest), (codes, codes_rest)) = (values.as_chunks::<LANES>(), codes.as_chunks::<LANES>());
    for (values, codes) in whole.iter().zip(codes) {
        let errors: [f64; LANES] = std::array::from_fn(|lane| missed(values[lane], codes[lane]));
        for lane in 0..LANES {
            sums[lane] += errors[lane] * errors[lane];
        }
    }
    for ((sum, &value), &code) in sums.iter_mut().zip(rest).zip(codes_rest) {
        let error = missed(value, code);
        *sum += error * error;
    }
    sums.iter().fold(0.0, |total, sum| total + sum)
}

#[inline(always)]
fn estimate_rows(query: &CodedQuery<'_>, rows: &CodedRows<'_>, bounds: &mut [f32]) {
    estimate_by(narrow_dots, query, rows, bounds);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
fn estimate_rows_avx2(query: &CodedQuery<'_>, rows: &CodedRows<'_>, bounds: &mut [f32]) {
    estimate_by(|query, rows, dots| narrow_dots_avx2(query, rows, dots), query, rows, bounds);
}

#[inline(always)]
fn estimate_by(
    dots_of: impl Fn(&[i16], &[i8], &mut [i32]),
    query: &CodedQuery<'_>,
    rows: &CodedRows<'_>,
    bounds: &mut [f32],
) {
    let width = query.codes.len();
    assert!(width > 0 && rows.codes.len() == width * bounds.len(), "one row per bound");
    assert!(rows.scales.len() == bounds.len() && rows.errors.len() == bounds.len(), "a scale and an error per bound");
    let mut dots = [0_i32; BLOCK];
    let columns = rows.scales.chunks(BLOCK).zip(rows.errors.chunks(BLOCK));
    for ((bounds, (scales, errors)), codes) in
        bounds.chunks_mut(BLOCK).zip(columns).zip(rows.codes.chunks(BLOCK * width))
    {
        dots_of(query.codes, codes, &mut dots[..bounds.len()]);
        for (((bound, &dot), &scale), &error) in bounds.iter_mut().zip(&dots).zip(scales).zip(errors) {
            *bound += scale * query.weight * dot as f32;
            *bound += error * query.length;
        }
    }
}
