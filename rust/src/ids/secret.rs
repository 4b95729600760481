//! Hashing that nobody outside can foresee.
//!
//! Whoever chooses names could choose many that fall into one place of a table and make every look-up walk past all
//! of them. So each process draws two numbers that all its tables mix into their hashes. Nothing that comes out of a
//! table depends on them.

use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The two numbers of this process.
#[derive(Debug, Clone, Copy)]
pub struct Secret {
    seed: u64,
    factor: u64, // odd
}

impl Default for Secret {
    fn default() -> Self {
        static DRAWN: OnceLock<Secret> = OnceLock::new();
        *DRAWN.get_or_init(|| {
            // The standard library's hasher draws its keys from the operating system.
            let state = RandomState::new();
            Self { seed: state.hash_one("seed"), factor: state.hash_one("factor") | 1 }
        })
    }
}

impl Secret {
    /// The hash of a string of bytes.
    #[inline]
    #[must_use]
    pub fn hash(self, bytes: &[u8]) -> u64 {
        xxh3_64_with_seed(bytes, self.seed)
    }

    /// The hash of a number: both halves of a product with 128 bits, so that every bit depends on every other.
    #[inline(always)]
    #[must_use]
    pub fn mix(self, number: u64) -> u64 {
        let product = u128::from(number ^ self.seed) * u128::from(self.factor);
        (product >> 64) as u64 ^ product as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_secret_gives_other_hashes() {
        let [one, other] = [3, 5].map(|seed| Secret { seed, factor: 0x9E37_79B9_7F4A_7C15 });
        assert_ne!(one.hash(b"name"), other.hash(b"name"));
        assert_ne!(one.mix(7), other.mix(7));
        assert_eq!(one.hash(b"name"), one.hash(b"name"));
    }

    #[test]
    fn numbers_that_differ_in_one_bit_fall_apart_in_the_bits_a_table_uses() {
        let secret = Secret::default();
        for bit in 0..64 {
            let places: std::collections::BTreeSet<u64> = (0..64).map(|n| secret.mix(n ^ 1 << bit) & 0xFFFF).collect();
            assert!(places.len() > 48, "bit {bit}: {} places for 64 numbers", places.len());
        }
    }
}
