//! One hypervector and its algebra.

use std::hash::{Hash, Hasher};
use std::ops::BitXor;

use xxhash_rust::xxh3::xxh3_64;

use crate::error::{Error, Result};
use crate::kernel::{Isa, Majority, Words, generate};

/// Bits of a hypervector.
pub const BITS: usize = 4096;

/// Bytes of a hypervector.
pub const BYTES: usize = BITS / 8;

/// The name of the generator behind [`HyperVector::random`], written into every index.
pub const GENERATOR: &str = "xxh3-splitmix64";

/// The most that the weights of one bundle may add up to.
pub const MAX_PARTS: usize = 1 << 31;

/// 4,096 bits, and how many parts were bundled into them.
///
/// The number of parts is what a similarity can reach depends on; it is no part of equality or hash.
///
/// ```
/// use byheart_core::hdc::HyperVector;
/// let (a, b) = (HyperVector::random("a")?, HyperVector::random("b")?);
/// assert!((a.similarity(&b) - 0.5).abs() < 0.04); // unrelated
/// assert_eq!(&(&a ^ &b) ^ &b, a); // binding is its own inverse
/// let set = HyperVector::bundle(&[&a, &b, &HyperVector::random("c")?])?;
/// assert!(set.similarity(&a) > 0.7);
/// # Ok::<(), byheart_core::Error>(())
/// ```
#[derive(Debug, Clone, Eq)]
pub struct HyperVector {
    words: Box<Words>,
    parts: u32,
}

impl HyperVector {
    /// The hypervector of a key: `xxh3_64` of its UTF-8 with seed 0, expanded by `SplitMix64`. 1 part.
    ///
    /// # Errors
    /// As [`Isa::active`]; so for everything here that answers a `Result` and names no other error.
    ///
    /// ```
    /// use byheart_core::hdc::HyperVector;
    /// assert_eq!(HyperVector::random("ada")?, HyperVector::random("ada")?);
    /// # Ok::<(), byheart_core::Error>(())
    /// ```
    pub fn random(key: &str) -> Result<Self> {
        let mut words = [Words::ZERO];
        generate(Isa::active()?, &[seed(key)], &mut words);
        Ok(Self::new(&words[0], 1))
    }

    /// The vector without a set bit: what a bundle of nothing is. 0 parts.
    #[must_use]
    pub fn zero() -> Self {
        Self::new(&Words::ZERO, 0)
    }

    /// From [`BYTES`] bytes: the words in order, little-endian. 1 part.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for another number of bytes.
    ///
    /// ```
    /// use byheart_core::hdc::HyperVector;
    /// let a = HyperVector::random("a")?;
    /// assert_eq!(HyperVector::from_bytes(&a.to_bytes())?, a);
    /// # Ok::<(), byheart_core::Error>(())
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let Ok(bytes) = <&[u8; BYTES]>::try_from(bytes) else {
            return Err(Error::invalid(
                "bytes",
                format!("has length {}; a hypervector has {BYTES} bytes", bytes.len()),
            ));
        };
        Ok(Self::new(&words_from_bytes(bytes), 1))
    }

    /// The words in order, little-endian.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; BYTES] {
        words_to_bytes(&self.words)
    }

    /// The 64 words; bit `i` is bit `i % 64` of word `i / 64`.
    #[must_use]
    pub fn words(&self) -> &Words {
        &self.words
    }

    /// How many vectors were bundled: 1 for a random vector, 0 for the bundle of nothing.
    #[must_use]
    pub fn parts(&self) -> u32 {
        self.parts
    }

    /// True if no bit is set.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        *self.words == Words::ZERO
    }

    /// All bits rotated left by `8 * n`: bit `i` goes to place `i + 8 n` modulo 4,096. Keeps the parts.
    ///
    /// ```
    /// use byheart_core::hdc::HyperVector;
    /// let a = HyperVector::random("a")?;
    /// assert_ne!(a.permute(1), a);
    /// assert_eq!(a.permute(1).permute(-1), a);
    /// # Ok::<(), byheart_core::Error>(())
    /// ```
    #[must_use]
    pub fn permute(&self, n: i64) -> Self {
        let bytes = n.rem_euclid(512) as usize; // as many steps as there are bytes come back to the start
        Self::new(&rotated(&self.words, bytes), self.parts)
    }

    /// The part of the bits that agree, 0 to 1: 1 - Hamming distance / 4,096. Unrelated vectors are near 0.5.
    ///
    /// ```
    /// use byheart_core::hdc::HyperVector;
    /// let a = HyperVector::random("a")?;
    /// assert_eq!(a.similarity(&a), 1.0);
    /// # Ok::<(), byheart_core::Error>(())
    /// ```
    #[must_use]
    pub fn similarity(&self, other: &Self) -> f64 {
        let distance: u32 = self.words.0.iter().zip(&other.words.0).map(|(a, b)| (a ^ b).count_ones()).sum();
        similarity_at(distance as u16)
    }

    /// The majority of each bit. A tie takes the bit of the XOR of all vectors, permuted by one; so the order
    /// of the vectors never matters. Parts: the number of vectors. Nothing gives the zero vector.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] for more than 2^31 vectors.
    ///
    /// ```
    /// use byheart_core::hdc::HyperVector;
    /// assert!(HyperVector::bundle(&[])?.is_zero());
    /// # Ok::<(), byheart_core::Error>(())
    /// ```
    pub fn bundle(vectors: &[&Self]) -> Result<Self> {
        let parts = check_parts(vectors.len())?;
        let isa = Isa::active()?;
        let mut majority = Majority::default();
        majority.add(isa, &words_of(vectors.iter().copied()), 0);
        Ok(Self::new(&decided(&majority, isa), parts))
    }

    /// As [`HyperVector::bundle`], each vector counted as often as its weight says.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a weight of 0 or another number of weights than of vectors,
    /// [`Error::LimitExceeded`] if the weights add up to more than 2^31.
    ///
    /// ```
    /// use byheart_core::hdc::HyperVector;
    /// let (a, b) = (HyperVector::random("a")?, HyperVector::random("b")?);
    /// assert_eq!(HyperVector::bundle_weighted(&[&a, &b], &[2, 1])?, a);
    /// # Ok::<(), byheart_core::Error>(())
    /// ```
    pub fn bundle_weighted(vectors: &[&Self], weights: &[u32]) -> Result<Self> {
        if weights.len() != vectors.len() {
            let why = format!("has {} items for {} vectors; give one for each", weights.len(), vectors.len());
            return Err(Error::invalid("weights", why));
        }
        if weights.contains(&0) {
            return Err(Error::invalid("weights", "holds a 0; a weight is at least 1"));
        }
        let total: u64 = weights.iter().map(|&weight| u64::from(weight)).sum();
        check_parts(total as usize)?;
        let isa = Isa::active()?;
        let mut majority = Majority::default();
        for plane in 0..u32::BITS as usize {
            let chosen = vectors.iter().zip(weights).filter(|(_, weight)| **weight >> plane & 1 == 1);
            majority.add(isa, &words_of(chosen.map(|(vector, _)| *vector)), plane);
        }
        let mut all = Words::ZERO;
        for vector in vectors {
            all = xor(&all, &vector.words);
        }
        Ok(Self::new(&majority.decide(isa, &rotated(&all, 1)), vectors.len() as u32))
    }

    pub(super) fn new(words: &Words, parts: u32) -> Self {
        Self { words: Box::new(*words), parts }
    }
}

impl PartialEq for HyperVector {
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words
    }
}

impl Hash for HyperVector {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.words.hash(state);
    }
}

/// Binding. Parts: the larger number of both.
impl BitXor for &HyperVector {
    type Output = HyperVector;

    fn bitxor(self, other: Self) -> HyperVector {
        HyperVector::new(&xor(&self.words, &other.words), self.parts.max(other.parts))
    }
}

/// The state from which a key's words are generated.
pub(super) fn seed(key: &str) -> u64 {
    xxh3_64(key.as_bytes())
}

/// The majority of vectors that were all added once, ties decided by their own XOR.
pub(super) fn decided(majority: &Majority, isa: Isa) -> Words {
    majority.decide(isa, &rotated(&majority.parity(), 1))
}

pub(super) fn xor(a: &Words, b: &Words) -> Words {
    Words(std::array::from_fn(|i| a.0[i] ^ b.0[i]))
}

/// Rotated left by `bytes` bytes, fewer than 512.
pub(super) fn rotated(words: &Words, bytes: usize) -> Words {
    let (whole, bits) = (bytes / 8, 8 * (bytes % 8) as u32);
    let from = |back: usize, i: usize| words.0[(i + 64 - whole - back) % 64];
    if bits == 0 {
        return Words(std::array::from_fn(|i| from(0, i)));
    }
    Words(std::array::from_fn(|i| from(0, i) << bits | from(1, i) >> (64 - bits)))
}

/// The similarity of two vectors at this distance.
pub(super) fn similarity_at(distance: u16) -> f64 {
    1.0 - f64::from(distance) / BITS as f64
}

pub(super) fn check_parts(parts: usize) -> Result<u32> {
    if parts > MAX_PARTS {
        return Err(Error::limit("parts of a bundle", MAX_PARTS, parts));
    }
    Ok(parts as u32)
}

pub(super) fn words_from_bytes(bytes: &[u8; BYTES]) -> Words {
    let (words, _) = bytes.as_chunks::<8>();
    Words(std::array::from_fn(|i| u64::from_le_bytes(words[i])))
}

pub(super) fn words_to_bytes(words: &Words) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    for (place, word) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(&words.0) {
        *place = word.to_le_bytes();
    }
    bytes
}

fn words_of<'a>(vectors: impl Iterator<Item = &'a HyperVector>) -> Vec<&'a Words> {
    vectors.map(HyperVector::words).collect()
}
