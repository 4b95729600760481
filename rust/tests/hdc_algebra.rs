//! The laws of the algebra, on the same cases in every run.

use std::collections::HashSet;

use byheart_core::hdc::{HyperVector, encode_ngrams, encode_subwords, encode_tokens};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

fn fixed(cases: u32) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(20_261_121), failure_persistence: None, ..Config::default() }
}

fn random(key: impl AsRef<str>) -> HyperVector {
    HyperVector::random(key.as_ref()).unwrap()
}

fn bundle(vectors: &[HyperVector]) -> HyperVector {
    HyperVector::bundle(&vectors.iter().collect::<Vec<_>>()).unwrap()
}

fn vectors(count: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<HyperVector>> {
    prop::collection::vec("[a-z]{1,3}".prop_map(random), count)
}

/// Distinct words, so that what is said of unrelated vectors holds.
fn words(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<String>> {
    prop::collection::hash_set("[a-z]{3,8}", count).prop_map(|set| {
        let mut words: Vec<String> = set.into_iter().collect();
        words.sort();
        words
    })
}

proptest! {
    #![proptest_config(fixed(64))]

    #[test]
    fn binding_is_its_own_inverse_and_keeps_distances(v in vectors(3)) {
        prop_assert_eq!(&(&(&v[0] ^ &v[1]) ^ &v[1]), &v[0]);
        prop_assert_eq!(&v[0] ^ &v[1], &v[1] ^ &v[0]);
        prop_assert_eq!((&v[0] ^ &v[2]).similarity(&(&v[1] ^ &v[2])).to_bits(), v[0].similarity(&v[1]).to_bits());
    }

    #[test]
    fn a_permutation_has_an_inverse_and_adds_up(v in vectors(2), n in -2000_i64..2000, m in any::<i32>()) {
        prop_assert_eq!(&v[0].permute(n).permute(-n), &v[0]);
        prop_assert_eq!(v[0].permute(n).permute(m.into()), v[0].permute(n + i64::from(m)));
        prop_assert_eq!(&v[0].permute(512), &v[0]);
        prop_assert_eq!(v[0].permute(n).similarity(&v[1].permute(n)).to_bits(), v[0].similarity(&v[1]).to_bits());
    }

    #[test]
    fn a_permutation_moves_each_bit_by_eight_places_a_step(v in vectors(1), n in 0_u16..512) {
        let (from, to) = (v[0].words().0, v[0].permute(n.into()).words().0);
        for at in 0..4096 {
            let target = (at + 8 * usize::from(n)) % 4096;
            prop_assert_eq!(from[at / 64] >> (at % 64) & 1, to[target / 64] >> (target % 64) & 1);
        }
    }

    #[test]
    fn a_bundle_has_no_order(v in vectors(0..40), turn in any::<usize>()) {
        let mut turned = v.clone();
        turned.rotate_left(turn % v.len().max(1));
        turned.reverse();
        prop_assert_eq!(bundle(&turned), bundle(&v));
    }

    #[test]
    fn a_weight_is_a_repetition_but_for_ties(v in vectors(1..6), weights in prop::collection::vec(1_u32..7, 5)) {
        let weights = &weights[..v.len()];
        let total: u32 = weights.iter().sum();
        let weighted = HyperVector::bundle_weighted(&v.iter().collect::<Vec<_>>(), weights).unwrap();
        let repeated: Vec<HyperVector> = v.iter().zip(weights).flat_map(|(v, &w)| vec![v.clone(); w as usize]).collect();
        if total % 2 == 1 {
            prop_assert_eq!(&weighted, &bundle(&repeated));
        }
        prop_assert_eq!(weighted.parts() as usize, v.len());
        let ones = vec![1; v.len()];
        prop_assert_eq!(HyperVector::bundle_weighted(&v.iter().collect::<Vec<_>>(), &ones).unwrap(), bundle(&v));
    }

    #[test]
    fn members_are_nearer_to_their_bundle_than_strangers(words in words(2..33)) {
        let vectors: Vec<HyperVector> = words[1..].iter().map(random).collect();
        let (set, stranger) = (bundle(&vectors), random(&words[0]));
        for member in &vectors {
            prop_assert!(set.similarity(member) > set.similarity(&stranger));
        }
    }

    #[test]
    fn swapped_words_make_another_vector(words in words(2..10), at in any::<usize>()) {
        let mut swapped = words.clone();
        let at = at % (words.len() - 1);
        swapped.swap(at, at + 1);
        prop_assert_ne!(encode_ngrams(&swapped).unwrap(), encode_ngrams(&words).unwrap());
        prop_assert_eq!(encode_tokens(&swapped).unwrap(), encode_tokens(&words).unwrap());
        prop_assert_eq!(encode_subwords(&swapped).unwrap(), encode_subwords(&words).unwrap());
    }

    #[test]
    fn a_phrase_shifted_by_one_place_stays_alike(words in words(4..16)) {
        let similarity = encode_ngrams(&words).unwrap().similarity(&encode_ngrams(&words[1..]).unwrap());
        prop_assert!(similarity >= 0.58, "{} words: {}", words.len(), similarity);
    }
}

#[test]
fn unrelated_vectors_and_bundles_are_near_one_half() {
    let bundles: Vec<HyperVector> = (1..=64)
        .flat_map(|parts| (0..4).map(move |set| (parts, set)))
        .map(|(parts, set)| {
            encode_tokens(&(0..parts).map(|i| format!("{parts}-{set}-{i}")).collect::<Vec<_>>()).unwrap()
        })
        .collect();
    let mut pairs = 0;
    for (at, a) in bundles.iter().enumerate() {
        for b in &bundles[..at] {
            let similarity = a.similarity(b);
            assert!((similarity - 0.5).abs() <= 0.04, "{} and {} parts: {similarity}", a.parts(), b.parts());
            pairs += 1;
        }
    }
    assert_eq!(pairs, 256 * 255 / 2);
}

#[test]
fn five_hundred_and_twelve_permutations_are_all_different() {
    let vector = random("a");
    let all: HashSet<HyperVector> = (0..512).map(|n| vector.permute(n)).collect();
    assert_eq!(all.len(), 512);
    assert_eq!((0..512).fold(vector.clone(), |v, _| v.permute(1)), vector);
}

#[test]
fn parts_follow_the_operations_and_equality_ignores_them() {
    let (one, three) = (random("a"), bundle(&["a", "b", "c"].map(random)));
    assert_eq!([one.parts(), three.parts(), (&one ^ &three).parts(), three.permute(5).parts()], [1, 3, 3, 3]);
    let again = HyperVector::from_bytes(&three.to_bytes()).unwrap();
    assert_eq!((again.parts(), &again), (1, &three));
}

#[test]
fn bad_weights_are_refused() {
    let (a, b) = (random("a"), random("b"));
    let error = |weights: &[u32]| HyperVector::bundle_weighted(&[&a, &b], weights).unwrap_err().to_string();
    assert!(error(&[1]).contains("1 items for 2 vectors"));
    assert!(error(&[1, 0]).contains("at least 1"));
    assert!(error(&[1 << 31, 1]).contains("limit of 2147483648"));
    assert_eq!(HyperVector::bundle_weighted(&[&a, &b], &[(1 << 31) - 1, 1]).unwrap(), a);
}
