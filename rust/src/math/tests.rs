//! The pinned functions against the platform's, against a table of bits, and at the borders of their domains.

// Equal means equal here: these functions promise bits.
#![allow(clippy::float_cmp)]

use proptest::prelude::*;

use super::{asin, exp, ln};

/// Argument and result as bits. The results are those of Java's `StrictMath`, which is specified to be fdlibm.
/// Every branch of the function is met; a change of any constant or of the order of operations moves one.
const LN_BITS: &[(u64, u64)] = &[
    (0x0000_0000_0000_0001, 0xC087_4385_446D_71C3), // 5e-324
    (0x0000_1268_8B70_E62B, 0xC086_4E69_394D_9508), // 1e-310
    (0x0010_0000_0000_0000, 0xC086_232B_DD7A_BCD2), // 2.2250738585072014e-308
    (0x3DDB_7CDF_D9D7_BDBB, 0xC037_069E_2AA2_AA5B), // 1e-10
    (0x3FB9_9999_9999_999A, 0xC002_6BB1_BBB5_5515), // 0.1
    (0x3FE0_0000_0000_0000, 0xBFE6_2E42_FEFA_39EF), // 0.5
    (0x3FE6_2E42_FEFA_39EF, 0xBFD7_74F2_9BDD_6B9F), // 0.6931471805599453
    (0x3FE6_A09E_667F_3BCC, 0xBFD6_2E42_FEFA_39F1), // 0.7071067811865475
    (0x3FE6_A09E_667F_3BCD, 0xBFD6_2E42_FEFA_39EE), // 0.7071067811865476
    (0x3FEF_FFFF_CA50_1ACB, 0xBE7A_D7F2_B104_9B9F), // 0.9999999
    (0x3FEF_FFFF_FFFE_A028, 0xBDA5_FD80_0000_78E5), // 0.99999999999
    (0x3FF0_0000_1AD7_F29B, 0x3E7A_D7F2_847B_6492), // 1.0000001
    (0x3FF1_9999_9999_999A, 0x3FB8_663F_793C_46CC), // 1.1
    (0x3FF6_3D70_A3D7_0A3D, 0x3FD5_1350_061B_5FCB), // 1.39
    (0x3FF6_A09E_667F_3BCD, 0x3FD6_2E42_FEFA_39F0), // 1.4142135623730951
    (0x3FF8_0000_0000_0000, 0x3FD9_F323_ECBF_984C), // 1.5
    (0x3FFF_FFFF_FFF9_20C8, 0x3FE6_2E42_FEF3_5AB7), // 1.9999999999
    (0x4000_0000_0000_0000, 0x3FE6_2E42_FEFA_39EF), // 2.0
    (0x4000_0000_0D6B_F94D, 0x3FE6_2E43_19D2_2C7E), // 2.0000001
    (0x4006_3D70_A3D7_0A3D, 0x3FF0_5BF5_8103_F4EA), // 2.78
    (0x4008_0000_0000_0000, 0x3FF1_93EA_7AAD_030A), // 3.0
    (0x401E_0000_0000_0000, 0x4000_1E85_798E_B9A3), // 7.5
    (0x4024_0000_0000_0000, 0x4002_6BB1_BBB5_5516), // 10.0
    (0x408F_4400_0000_0000, 0x401B_A20D_A39B_D28C), // 1000.5
    (0x4090_0000_0000_0000, 0x401B_B9D3_BEB8_C86B), // 1024.0
    (0x4130_0001_0000_0000, 0x402B_B9D3_DEB8_C76B), // 1048577.0
    (0x54B2_49AD_2594_C37D, 0x406C_C845_B54B_54F2), // 1e+100
    (0x7FEF_FFFF_FFFF_FFFF, 0x4086_2E42_FEFA_39EF), // 1.7976931348623157e+308
    (0x3FF0_0000_E3C4_DC8C, 0x3EAC_789A_C6D9_5101), // 1.0000008485056098, where the short series and the long polynomial differ
    // Both sides of each border between two branches.
    (0x3FEF_FFFD_FFFF_FFFF, 0xBEB0_0000_8008_0556),
    (0x3FEF_FFFE_0000_0000, 0xBEB0_0000_8000_0555),
    (0x3FF0_0000_FFFF_FFFF, 0x3EAF_FFFE_FFE0_0AAD),
    (0x3FF0_0001_0000_0000, 0x3EAF_FFFF_0000_0AAB),
    (0x3FF6_1479_FFFF_FFFF, 0x3FD4_9D01_8EE4_76F7),
    (0x3FF6_147A_0000_0000, 0x3FD4_9D01_8EE4_76FA),
    (0x3FF6_A09B_FFFF_FFFF, 0x3FD6_2E3C_34EA_818C),
    (0x3FF6_A09C_0000_0000, 0x3FD6_2E3C_34EA_818E),
    (0x3FF6_B851_FFFF_FFFF, 0x3FD6_7129_BE9D_3C0B),
    (0x3FF6_B852_0000_0000, 0x3FD6_7129_BE9D_3C0E),
    (0x4006_1479_FFFF_FFFF, 0x3FF0_3E61_E336_3AB5),
    (0x4006_147A_0000_0000, 0x3FF0_3E61_E336_3AB6),
];

/// As [`LN_BITS`], for the exponential.
const EXP_BITS: &[(u64, u64)] = &[
    (0xC087_4910_D52D_3051, 0x0000_0000_0000_0001), // -745.1332191019411
    (0xC087_2400_0000_0000, 0x0000_0000_0000_0033), // -740.5
    (0xC086_2800_0000_0000, 0x0008_BFE5_5DE0_2338), // -709.0
    (0xC086_2266_6666_6666, 0x0011_9E98_B83D_E7A3), // -708.3
    (0xC059_1000_0000_0000, 0x36E4_ACD3_1E16_7EBB), // -100.25
    (0xC000_0000_0000_0000, 0x3FC1_52AA_A3BF_81CC), // -2.0
    (0xBFF0_0000_0000_0000, 0x3FD7_8B56_362C_EF38), // -1.0
    (0xBFE0_0000_0000_0000, 0x3FE3_68B2_FC6F_960A), // -0.5
    (0xBFD5_C28F_5C28_F5C3, 0x3FE6_C6D2_8E50_EBB6), // -0.34
    (0xBEE4_F8B5_88E3_68F1, 0x3FEF_FFEB_0751_5653), // -1e-05
    (0xBE11_2E0B_E826_D695, 0x3FEF_FFFF_FF76_8FA1), // -1e-09
    (0x01A5_6E1F_C2F8_F359, 0x3FF0_0000_0000_0000), // 1e-300
    (0x3FB9_9999_9999_999A, 0x3FF1_AEC7_B35A_00D4), // 0.1
    (0x3FD6_2D0E_5604_1893, 0x3FF6_A031_46CF_6EAD), // 0.3465
    (0x3FD6_6666_6666_6666, 0x3FF6_B480_2C80_5DEC), // 0.35
    (0x3FE6_2E42_FEFA_39EF, 0x4000_0000_0000_0000), // 0.6931471805599453
    (0x3FF0_0000_0000_0000, 0x4005_BF0A_8B14_576A), // 1.0
    (0x3FF0_A29C_779A_6B51, 0x4006_A07F_9972_8EF9), // 1.0397
    (0x3FF0_A3D7_0A3D_70A4, 0x4006_A23C_87AF_69E8), // 1.04
    (0x4004_0000_0000_0000, 0x4028_5D6F_D931_E0BB), // 2.5
    (0x4024_0000_0000_0000, 0x40D5_829D_CF95_0560), // 10.0
    (0x4056_3000_0000_0000, 0x47F0_70C6_8E47_9C40), // 88.75
    (0x4086_2800_0000_0000, 0x7FDD_422D_2BE5_DC9B), // 709.0
    (0x4086_2E42_FEFA_39EF, 0x7FEF_FFFF_FFFF_FF2A), // 709.782712893384
    // Both sides of each border between two branches.
    (0x3FD6_2E42_FFFF_FFFF, 0x3FF6_A09E_66DB_C8D9),
    (0x3FD6_2E43_0000_0000, 0x3FF6_A09E_66DB_C8DA),
    (0x3FF0_A2B1_FFFF_FFFF, 0x4006_A09E_0D12_6A08),
    (0x3FF0_A2B2_0000_0000, 0x4006_A09E_0D12_6A0A),
];

/// As [`LN_BITS`], for the arc sine.
const ASIN_BITS: &[(u64, u64)] = &[
    (0xBFEF_AE14_7AE1_47AE, 0xBFF6_DE3C_6F33_D51D), // -0.99
    (0xBFE3_3333_3333_3333, 0xBFE4_978F_A326_9EE1), // -0.6
    (0xBFD0_0000_0000_0000, 0xBFD0_2BE9_CE0B_87CD), // -0.25
    (0xBE11_2E0B_E826_D695, 0xBE11_2E0B_E826_D695), // -1e-09
    (0x01A5_6E1F_C2F8_F359, 0x01A5_6E1F_C2F8_F359), // 1e-300
    (0x3E45_798E_E230_8C3A, 0x3E45_798E_E230_8C3A), // 1e-08
    (0x3FB9_9999_9999_999A, 0x3FB9_A492_7603_7884), // 0.1
    (0x3FD0_0000_0000_0000, 0x3FD0_2BE9_CE0B_87CD), // 0.25
    (0x3FDF_FFFF_94A0_3595, 0x3FE0_C151_FA2F_5E31), // 0.4999999
    (0x3FE0_0000_0000_0000, 0x3FE0_C152_382D_7366), // 0.5
    (0x3FE2_79A7_4590_331C, 0x3FE3_B202_8082_E8D4), // 0.5773502691896257
    (0x3FE6_A09E_667F_3BCD, 0x3FE9_21FB_5444_2D19), // 0.7071067811865476
    (0x3FE8_0000_0000_0000, 0x3FEB_2353_15C6_80DC), // 0.75
    (0x3FEC_CCCC_CCCC_CCCD, 0x3FF1_EA93_705F_A172), // 0.9
    (0x3FEF_0A3D_70A3_D70A, 0x3FF5_3425_3898_1EC8), // 0.97
    (0x3FEF_3333_3333_3333, 0x3FF5_8C2B_5CE0_C3E5), // 0.975
    (0x3FEF_3404_EA4A_8C15, 0x3FF5_8E03_B9C9_B3F6), // 0.9751
    (0x3FEF_F7CE_D916_872B, 0x3FF8_6AC9_AD18_F803), // 0.999
    (0x3FEF_FFFF_FFFF_FFFF, 0x3FF9_21FB_5044_2D18), // 0.9999999999999999
    // Both sides of each border between two branches.
    (0x3FEF_3332_FFFF_FFFF, 0x3FF5_8C2A_E9AB_49E8),
    (0x3FEF_3333_0000_0000, 0x3FF5_8C2A_E9AB_49EA),
];

fn assert_table(function: impl Fn(f64) -> f64, table: &[(u64, u64)]) {
    for &(argument, expected) in table {
        let x = f64::from_bits(argument);
        let got = function(x).to_bits();
        assert_eq!(got, expected, "at {x:e}: {got:#018x} instead of {expected:#018x}");
    }
}

#[test]
fn logarithms_have_the_pinned_bits() {
    assert_table(ln, LN_BITS);
}

#[test]
fn exponentials_have_the_pinned_bits() {
    assert_table(exp, EXP_BITS);
}

#[test]
fn arc_sines_have_the_pinned_bits() {
    assert_table(asin, ASIN_BITS);
}

/// The results at 100,000 arguments folded into one number: h = 31 h + bits, from 0.
/// `argument` makes the i-th argument from a number below 2^64, the i-th of `SplitMix64` with seed 7.
fn digest(function: impl Fn(f64) -> f64, argument: impl Fn(u64, u64) -> f64) -> u64 {
    let mut state = 7_u64;
    (0..100_000).fold(0, |digest: u64, i| {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        digest.wrapping_mul(31).wrapping_add(function(argument(i, z)).to_bits())
    })
}

/// The upper 53 bits of `z` as a double in [0, 1), exactly.
#[allow(clippy::cast_precision_loss)]
fn unit(z: u64) -> f64 {
    (z >> 11) as f64 / 9_007_199_254_740_992.0
}

#[test]
fn a_hundred_thousand_results_have_the_pinned_digest() {
    let wide_or_near = |i: u64, wide: f64, near: f64| if i.is_multiple_of(2) { wide } else { near };
    let logarithms = digest(ln, |i, z| wide_or_near(i, f64::from_bits(z >> 2), 0.5 + unit(z) * 1.5));
    let exponentials = digest(exp, |i, z| wide_or_near(i, unit(z) * 1400.0 - 700.0, unit(z) * 4.0 - 2.0));
    let arc_sines = digest(asin, |_, z| unit(z) * 2.0 - 1.0);
    assert_eq!(
        (logarithms, exponentials, arc_sines),
        (0xabe3_4c12_6b18_4905, 0x9776_e463_3edf_6176, 0x8397_418a_bf12_9142),
        "{logarithms:#x} {exponentials:#x} {arc_sines:#x}"
    );
}

#[test]
fn the_borders_of_the_logarithm() {
    assert_eq!(ln(0.0), f64::NEG_INFINITY);
    assert_eq!(ln(-0.0), f64::NEG_INFINITY);
    assert_eq!(ln(f64::INFINITY), f64::INFINITY);
    assert_eq!(ln(1.0).to_bits(), 0);
    for outside in [-f64::MIN_POSITIVE, -1.0, f64::NEG_INFINITY, f64::NAN] {
        assert_eq!(ln(outside).to_bits(), f64::NAN.to_bits(), "{outside}");
    }
}

#[test]
fn the_borders_of_the_exponential() {
    assert_eq!(exp(f64::NEG_INFINITY).to_bits(), 0);
    assert_eq!(exp(-745.2).to_bits(), 0);
    assert_eq!(exp(709.79), f64::INFINITY);
    assert_eq!(exp(f64::INFINITY), f64::INFINITY);
    assert_eq!(exp(f64::NAN).to_bits(), f64::NAN.to_bits());
    for zero in [0.0, -0.0, 5e-324, -5e-324] {
        assert_eq!(exp(zero).to_bits(), 1.0_f64.to_bits());
    }
}

#[test]
fn the_borders_of_the_arc_sine() {
    assert_eq!(asin(1.0), std::f64::consts::FRAC_PI_2);
    assert_eq!(asin(-1.0), -std::f64::consts::FRAC_PI_2);
    assert_eq!(asin(-0.0).to_bits(), (-0.0_f64).to_bits());
    assert_eq!(asin(5e-324).to_bits(), 1);
    for outside in [1.0 + f64::EPSILON, -1.0 - f64::EPSILON, f64::INFINITY, f64::NAN] {
        assert_eq!(asin(outside).to_bits(), f64::NAN.to_bits(), "{outside}");
    }
}

/// How many doubles apart two finite numbers of one sign are.
fn units_apart(a: f64, b: f64) -> u64 {
    a.to_bits().abs_diff(b.to_bits())
}

// Tolerance: both sides are one of the two doubles around the true value, so they are at most one unit apart.
proptest! {
    #[test]
    fn logarithms_are_within_one_unit_of_the_platform(x in prop_oneof![1e-3_f64..1e3, 0.5_f64..2.0]) {
        prop_assert!(units_apart(ln(x), x.ln()) <= 1, "{} {}", ln(x), x.ln());
    }

    #[test]
    fn logarithms_of_any_size_are_within_one_unit_of_the_platform(bits in 1..f64::INFINITY.to_bits()) {
        let x = f64::from_bits(bits);
        prop_assert!(units_apart(ln(x), x.ln()) <= 1, "{} {}", ln(x), x.ln());
    }

    #[test]
    fn exponentials_are_within_one_unit_of_the_platform(x in prop_oneof![-745.0_f64..709.7, -2.0_f64..2.0]) {
        prop_assert!(units_apart(exp(x), x.exp()) <= 1, "{} {}", exp(x), x.exp());
    }

    #[test]
    fn arc_sines_are_within_one_unit_of_the_platform(x in prop_oneof![-1.0_f64..1.0, 0.97_f64..1.0, -1e-3_f64..1e-3]) {
        prop_assert!(units_apart(asin(x), x.asin()) <= 1, "{} {}", asin(x), x.asin());
    }
}
