//! Every kernel against a slow, obvious version of itself, on every instruction set of this processor.

use byheart_core::kernel::{
    CodedQuery, CodedRows, Isa, Majority, Words, add_bounds, dot, dot_double, dot_many, generate, hamming_batch,
    hamming_many, largest, project, quantise, raise, squared_error, wide_dot,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

fn fixed(cases: u32) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(20_261_121), failure_persistence: None, ..Config::default() }
}

fn words() -> impl Strategy<Value = Words> {
    prop_oneof![
        8 => any::<u64>().prop_map(random),
        1 => Just(Words::ZERO),
        1 => Just(Words([u64::MAX; 64])),
    ]
}

fn random(seed: u64) -> Words {
    let mut out = [Words::ZERO];
    generate(Isa::Portable, &[seed], &mut out);
    out[0]
}

fn bit(words: &Words, at: usize) -> bool {
    words.0[at / 64] >> (at % 64) & 1 == 1
}

fn distance(a: &Words, b: &Words) -> u16 {
    (0..4096).filter(|&at| bit(a, at) != bit(b, at)).count() as u16
}

/// Floats of any size, but none that are not finite.
fn floats(length: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<f32>> {
    prop::collection::vec(-1e3_f32..1e3, length)
}

/// The order that `dot` promises, one product at a time.
fn dot_by_hand(a: &[f32], b: &[f32]) -> f32 {
    let whole = a.len() / 64 * 64;
    let mut sums = [0.0_f32; 64];
    for i in 0..whole {
        sums[i % 64] += a[i] * b[i];
    }
    for width in [32, 16, 8, 4, 2, 1] {
        for lane in 0..width {
            sums[lane] += sums[lane + width];
        }
    }
    (whole..a.len()).fold(sums[0], |sum, i| sum + a[i] * b[i])
}

/// The order that `wide_dot` promises, one product at a time.
fn wide_dot_by_hand(a: &[f32], b: &[f32]) -> f64 {
    let whole = a.len() / 16 * 16;
    let mut sums = [0.0_f64; 16];
    for i in 0..whole {
        sums[i % 16] += f64::from(a[i]) * f64::from(b[i]);
    }
    for width in [8, 4, 2, 1] {
        for lane in 0..width {
            sums[lane] += sums[lane + width];
        }
    }
    (whole..a.len()).fold(sums[0], |sum, i| sum + f64::from(a[i]) * f64::from(b[i]))
}

#[test]
fn the_instruction_sets_under_test_are_named() {
    let run: Vec<String> = Isa::available().iter().map(ToString::to_string).collect();
    println!("kernels compared on: {}; in use: {}", run.join(", "), Isa::describe());
    assert_eq!(run[0], "portable");
}

#[test]
fn the_generator_is_splitmix64_in_counter_mode() {
    // First outputs of the published generator from state 1234567.
    let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
    for isa in Isa::available() {
        let mut out = [Words::ZERO; 3];
        generate(isa, &[1_234_567, 0, u64::MAX], &mut out);
        assert_eq!(out[0].0[..3], expected, "{isa}");
        assert_eq!(out, [random(1_234_567), random(0), random(u64::MAX)], "{isa}");
    }
}

proptest! {
    #![proptest_config(fixed(64))]

    #[test]
    fn the_largest_is_the_one_that_no_other_exceeds(values in floats(0..70)) {
        let expected = values.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
        for isa in Isa::available() {
            prop_assert_eq!(largest(isa, &values).to_bits(), expected.to_bits());
        }
    }

    #[test]
    fn distances_are_counted_bit_by_bit(query in words(), rows in prop::collection::vec(words(), 0..20)) {
        let expected: Vec<u16> = rows.iter().map(|row| distance(&query, row)).collect();
        for isa in Isa::available() {
            let mut out = vec![9999; rows.len()];
            hamming_many(isa, &query, &rows, &mut out);
            prop_assert_eq!(&out, &expected, "{}", isa);
        }
    }

    #[test]
    fn a_batch_is_many_single_scans(queries in prop::collection::vec(words(), 0..6), rows in prop::collection::vec(words(), 0..9)) {
        for isa in Isa::available() {
            let mut out = vec![9999; rows.len() * queries.len()];
            hamming_batch(isa, &queries, &rows, &mut out);
            let expected: Vec<u16> = rows.iter().flat_map(|row| queries.iter().map(|query| distance(query, row))).collect();
            prop_assert_eq!(&out, &expected, "{}", isa);
        }
    }

    #[test]
    fn a_dot_product_has_the_promised_bits(pair in (0_usize..300).prop_flat_map(|n| (floats(n), floats(n)))) {
        let expected = dot_by_hand(&pair.0, &pair.1);
        for isa in Isa::available() {
            prop_assert_eq!(dot(isa, &pair.0, &pair.1).to_bits(), expected.to_bits(), "{}", isa);
        }
    }

    #[test]
    fn a_wide_dot_product_has_the_promised_bits(pair in (0_usize..300).prop_flat_map(|n| (floats(n), floats(n)))) {
        let expected = wide_dot_by_hand(&pair.0, &pair.1);
        let doubles = |numbers: &[f32]| numbers.iter().map(|&x| f64::from(x)).collect::<Vec<_>>();
        for isa in Isa::available() {
            prop_assert_eq!(wide_dot(isa, &pair.0, &pair.1).to_bits(), expected.to_bits(), "{}", isa);
            let double = dot_double(isa, &doubles(&pair.0), &doubles(&pair.1));
            prop_assert_eq!(double.to_bits(), expected.to_bits(), "{}", isa);
        }
    }

    #[test]
    fn a_projection_adds_or_takes_off_bit_by_bit(axes in prop::collection::vec(words(), 0..9), values in floats(9)) {
        let mut expected = vec![0.5_f64; 4096];
        for (axis, &value) in axes.iter().zip(&values) {
            for (at, sum) in expected.iter_mut().enumerate() {
                if bit(axis, at) { *sum += f64::from(value) } else { *sum -= f64::from(value) }
            }
        }
        for isa in Isa::available() {
            let mut sums = vec![0.5_f64; 4096];
            project(isa, &axes, &values, &mut sums);
            prop_assert!(sums.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits()), "{}", isa);
        }
    }

    #[test]
    fn many_dot_products_are_single_ones(query in floats(1..200), count in 0_usize..5, filler in floats(1000)) {
        let rows = &filler[..query.len() * count];
        for isa in Isa::available() {
            let mut out = vec![f32::NAN; count];
            dot_many(isa, &query, rows, &mut out);
            for (product, row) in out.iter().zip(rows.chunks(query.len())) {
                prop_assert_eq!(product.to_bits(), dot_by_hand(&query, row).to_bits(), "{}", isa);
            }
        }
    }

    #[test]
    fn a_majority_is_counted_bit_by_bit(
        batches in prop::collection::vec((prop::collection::vec(words(), 0..40), prop_oneof![Just(0_usize), 0_usize..20]), 0..4),
        tie in words(),
    ) {
        let mut ones = vec![0_u64; 4096];
        let mut total = 0;
        for (vectors, plane) in &batches {
            for vector in vectors {
                total += 1 << plane;
                (0..4096).filter(|&at| bit(vector, at)).for_each(|at| ones[at] += 1 << plane);
            }
        }
        for isa in Isa::available() {
            let mut majority = Majority::default();
            for (vectors, plane) in &batches {
                majority.add(isa, &vectors.iter().collect::<Vec<_>>(), *plane);
            }
            let decided = majority.decide(isa, &tie);
            for (at, &ones) in ones.iter().enumerate() {
                let expected = 2 * ones > total || (2 * ones == total && bit(&tie, at));
                prop_assert_eq!(bit(&decided, at), expected, "{}: bit {}, {} of {}", isa, at, ones, total);
            }
        }
    }

    #[test]
    fn codes_are_the_nearest_whole_numbers_and_their_error_is_what_they_miss(values in floats(0..200), factor in 0.0_f32..2.0) {
        let expected: Vec<i8> =
            values.iter().map(|value| (value * factor).clamp(-127.0, 127.0).round_ties_even() as i8).collect();
        let mut lanes = [0.0_f64; 16];
        for (i, (&value, &code)) in values.iter().zip(&expected).enumerate() {
            let error = f64::from(value) - f64::from(code) * 0.75;
            lanes[i % 16] += error * error;
        }
        let missed = lanes.iter().fold(0.0, |sum, lane| sum + lane);
        for isa in Isa::available() {
            let mut codes = vec![99; values.len()];
            quantise(isa, &values, factor, &mut codes);
            prop_assert_eq!(&codes, &expected, "{}", isa);
            prop_assert_eq!(squared_error(isa, &values, &codes, 0.75).to_bits(), missed.to_bits(), "{}", isa);
        }
    }

    #[test]
    fn estimates_are_made_of_exact_sums(
        query in prop::collection::vec(any::<i16>(), 1..500),
        filler in prop::collection::vec(any::<i8>(), 2000),
        columns in floats(400),
    ) {
        let rows = filler.len() / query.len();
        let (scales, errors, start) = (&columns[..rows.min(130)], &columns[130..130 + rows.min(130)], &columns[260..]);
        let rows = CodedRows { codes: &filler[..query.len() * scales.len()], scales, errors };
        let coded = CodedQuery { codes: &query, weight: 0.37, length: 1.7 };
        let expected: Vec<u32> = (0..scales.len()).map(|row| {
            let codes = &rows.codes[row * query.len()..][..query.len()];
            let sum: i64 = query.iter().zip(codes).map(|(&q, &c)| i64::from(q) * i64::from(c)).sum();
            let bound = start[row] + scales[row] * 0.37 * i32::try_from(sum).unwrap() as f32;
            (bound + errors[row] * 1.7).to_bits()
        }).collect();
        for isa in Isa::available() {
            let mut bounds = start[..scales.len()].to_vec();
            add_bounds(isa, &coded, &rows, &mut bounds);
            prop_assert_eq!(bounds.iter().map(|b| b.to_bits()).collect::<Vec<_>>(), expected.clone(), "{}", isa);
            let mut raised = vec![0.0; scales.len()];
            raise(isa, scales, errors, 0.3, 0.1, &mut raised);
            let by_hand: Vec<f32> = scales.iter().zip(errors).map(|(s, e)| s + e * 0.3 + 0.1).collect();
            prop_assert_eq!(raised, by_hand, "{}", isa);
        }
    }
}
