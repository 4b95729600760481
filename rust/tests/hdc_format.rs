//! The bits of hypervectors are part of every file: they are pinned here, computed by an independent program.

use byheart_core::hdc::{HyperVector, encode_embedding, encode_ngrams, encode_subwords, encode_tokens};
use xxhash_rust::xxh3::xxh3_64;

/// First word, last word and `xxh3_64` of all 512 bytes.
fn pin(vector: &HyperVector) -> [u64; 3] {
    [vector.words().0[0], vector.words().0[63], xxh3_64(&vector.to_bytes())]
}

fn random(key: &str) -> HyperVector {
    HyperVector::random(key).unwrap()
}

#[test]
fn random_vectors() {
    let empty = random("");
    assert_eq!(empty.words().0[..3], [0x59b0_ed71_0b28_abee, 0x97fc_ceb2_3526_f9ec, 0xd58c_06b1_3484_28fd]);
    assert_eq!(pin(&empty), [0x59b0_ed71_0b28_abee, 0xa08f_266d_4192_c19a, 0xc938_d3f4_64d5_63d7]);
    assert_eq!(pin(&random("a")), [0xdbac_1e87_5f4d_0340, 0x4c7d_85f5_9cb9_2a21, 0x2a41_f698_91d2_7648]);
    assert_eq!(pin(&random("byheart")), [0x0c60_4360_ba33_fb42, 0x8b56_0fa1_cc58_4707, 0x760d_bdce_cbfd_ec39]);
}

#[test]
fn bytes_are_the_words_in_order_little_endian() {
    let bytes = random("").to_bytes();
    assert_eq!(bytes[..8], [0xee, 0xab, 0x28, 0x0b, 0x71, 0xed, 0xb0, 0x59]);
    assert_eq!(bytes[504..], 0xa08f_266d_4192_c19a_u64.to_le_bytes());
    assert_eq!(HyperVector::from_bytes(&bytes).unwrap(), random(""));
    for length in [0, 511, 513] {
        assert!(HyperVector::from_bytes(&vec![0; length]).unwrap_err().to_string().contains("512 bytes"));
    }
}

#[test]
fn algebra() {
    assert_eq!(pin(&random("a").permute(-13)), [0x4104_1d3d_a59e_8d7f, 0xa925_e84e_fadb_ac1e, 0xd4a9_8873_06dc_3489]);
    let tie = HyperVector::bundle(&[&random("a"), &random("b")]).unwrap();
    assert_eq!(pin(&tie), [0xdfa4_3e87_5e29_a3c0, 0xcc3c_85f2_9e39_1aa7, 0x4a4a_913c_2e73_9f5f]);
    let parts = ["the", "quick", "brown", "fox"].map(random);
    let weighted = HyperVector::bundle_weighted(&parts.each_ref(), &[3, 1, 1, 5]).unwrap();
    assert_eq!(pin(&weighted), [0xaf9f_a685_5682_1c74, 0xf180_3206_f0ec_f687, 0x8168_d0b8_b29d_2a9b]);
}

#[test]
fn encodings() {
    let words = ["the", "quick", "brown", "fox"];
    let tokens = encode_tokens(&words).unwrap();
    assert_eq!(pin(&tokens), [0xfbbd_a3c5_46bf_3dfd, 0xf8a2_3307_f061_bed7, 0x593a_1082_55b8_1668]);
    let ngrams = encode_ngrams(&words).unwrap();
    assert_eq!(pin(&ngrams), [0xf69d_245b_e015_2fbc, 0x2ec4_a04d_a3f4_3a32, 0x229b_ebda_73e7_5c51]);
    let subwords = encode_subwords(&words).unwrap();
    assert_eq!(pin(&subwords), [0x2034_f3c7_e4bb_588d, 0xfa92_1047_d960_b887, 0x1c3e_b139_5156_cfa8]);
    assert_eq!([tokens.parts(), ngrams.parts(), subwords.parts()], [4, 7, 4]);
}

#[test]
fn encodings_of_short_and_long_lists() {
    let accents = encode_subwords(&["é", "café", "x"]).unwrap();
    assert_eq!(pin(&accents), [0x3c7a_753c_373e_3007, 0x43b1_4d68_ce13_dd48, 0x08ad_4f3e_7c02_60d2]);
    let many: Vec<String> = (0..130).map(|i| format!("t{i}")).collect();
    let ngrams = encode_ngrams(&many).unwrap();
    assert_eq!(pin(&ngrams), [0x19c6_179b_48aa_f2e2, 0x5357_a3d1_3c23_46ed, 0xe7e0_ce30_b3ce_0720]);
    let none: [&str; 0] = [];
    for empty in [encode_tokens(&none), encode_ngrams(&none), encode_subwords(&none), HyperVector::bundle(&[])] {
        let empty = empty.unwrap();
        assert!(empty.is_zero() && empty.parts() == 0);
    }
    assert_eq!(encode_subwords(&[""]).unwrap(), random(""), "a token too short for any run of letters is itself");
}

#[test]
fn embeddings() {
    let few = encode_embedding(&[0.5, -0.25, 0.125, -1.0]).unwrap();
    assert_eq!(pin(&few), [0x1253_2c43_5e8c_20f4, 0x54aa_ff04_8b97_99b6, 0xfc03_3e7b_aa87_ef1b]);
    let components: Vec<f32> = (0..300_i16).map(|i| f32::from((37 * i) % 101 - 50) / 64.0).collect();
    let many = encode_embedding(&components).unwrap();
    assert_eq!(pin(&many), [0x61b4_2fff_204c_0128, 0x64fe_23c5_87cf_90af, 0xc36c_4692_e596_c7b2]);
    assert_eq!([few.parts(), many.parts()], [1, 1]);
    let zero = encode_embedding(&[0.0, -0.0]).unwrap();
    assert!(zero.is_zero() && zero.parts() == 0);
    assert!(encode_embedding(&[]).is_err() && encode_embedding(&vec![0.0; 4097]).is_err());
    assert!(encode_embedding(&[0.0, f32::NAN]).unwrap_err().to_string().contains("dimension 1"));
}
