//! Tokens to a hypervector: as a set, as a sequence, or by their letters.
//!
//! Long texts are bundled in blocks of tokens, so memory does not grow with their length.

use std::sync::{Mutex, OnceLock};

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::hypervector::{HyperVector, check_parts, decided, rotated, seed, xor};
use crate::error::Result;
use crate::kernel::{Isa, Majority, Words, generate};

/// Tokens whose vectors are held at once.
const BLOCK: usize = 64;

/// After so many tokens the positions start again.
const POSITIONS: usize = 16;

/// The bundle of the tokens' vectors, repetitions counted. Parts: the number of tokens.
///
/// # Errors
/// [`crate::Error::LimitExceeded`] for more than 2^31 tokens, and as [`Isa::active`].
///
/// ```
/// use byheart_core::hdc::{HyperVector, encode_tokens};
/// assert_eq!(encode_tokens(&["ada"])?, HyperVector::random("ada")?);
/// assert_eq!(encode_tokens(&["a", "b", "c"])?, encode_tokens(&["c", "b", "a"])?);
/// # Ok::<(), byheart_core::Error>(())
/// ```
pub fn encode_tokens(tokens: &[impl AsRef<str>]) -> Result<HyperVector> {
    let parts = check_parts(tokens.len())?;
    let isa = Isa::active()?;
    let (mut majority, mut vectors) = (Majority::default(), Vec::new());
    for block in tokens.chunks(BLOCK) {
        token_vectors(isa, block, &mut vectors);
        add(&mut majority, isa, &vectors);
    }
    Ok(HyperVector::new(&decided(&majority, isa), parts))
}

/// The bundle of every token bound to its position, and of every adjacent pair: the first token bound to
/// the second one permuted by one. Positions repeat after 16. Parts: 2 n - 1 for n tokens, 0 for none.
///
/// Swapped words make another vector, yet a phrase that moved keeps its pairs.
///
/// # Errors
/// [`crate::Error::LimitExceeded`] for more than 2^31 parts, and as [`Isa::active`].
///
/// ```
/// use byheart_core::hdc::encode_ngrams;
/// let (ab, ba) = (encode_ngrams(&["a", "b"])?, encode_ngrams(&["b", "a"])?);
/// assert_eq!(ab.parts(), 3);
/// assert!(ab.similarity(&ba) < 0.6);
/// # Ok::<(), byheart_core::Error>(())
/// ```
pub fn encode_ngrams(tokens: &[impl AsRef<str>]) -> Result<HyperVector> {
    let parts = check_parts((2 * tokens.len()).saturating_sub(1))?;
    let isa = Isa::active()?;
    let positions = positions(isa);
    let (mut majority, mut vectors, mut bound) = (Majority::default(), Vec::new(), Vec::new());
    for start in (0..tokens.len()).step_by(BLOCK) {
        let end = (start + BLOCK).min(tokens.len());
        // One token more than the block, where there is one: the second half of the block's last pair.
        token_vectors(isa, &tokens[start..(end + 1).min(tokens.len())], &mut vectors);
        bound.clear();
        // A block is a multiple of the positions long, so its first token is at position 0.
        bound.extend(vectors[..end - start].iter().zip(positions.iter().cycle()).map(|(v, position)| xor(position, v)));
        bound.extend(vectors.windows(2).map(|pair| xor(&pair[0], &rotated(&pair[1], 1))));
        add(&mut majority, isa, &bound);
    }
    Ok(HyperVector::new(&decided(&majority, isa), parts))
}

/// The bundle of the tokens' subword vectors, repetitions counted. Parts: the number of tokens.
///
/// A token's subword vector bundles its own vector with those of all runs of three, then of four characters
/// of `<token>`. Tokens that share letters are alike, which exact tokens are not.
///
/// # Errors
/// [`crate::Error::LimitExceeded`] for more than 2^31 tokens, and as [`Isa::active`].
///
/// ```
/// use byheart_core::hdc::encode_subwords;
/// let (a, b) = (encode_subwords(&["remember"])?, encode_subwords(&["remembered"])?);
/// assert!(a.similarity(&b) > 0.7);
/// # Ok::<(), byheart_core::Error>(())
/// ```
pub fn encode_subwords(tokens: &[impl AsRef<str>]) -> Result<HyperVector> {
    let parts = check_parts(tokens.len())?;
    let isa = Isa::active()?;
    let (mut majority, mut vectors) = (Majority::default(), Vec::with_capacity(BLOCK));
    let mut kept = KEPT.try_lock().ok(); // whoever comes meanwhile makes all anew
    for block in tokens.chunks(BLOCK) {
        vectors.clear();
        vectors.extend(block.iter().map(|token| match &mut kept {
            Some(kept) if token.as_ref().len() <= LONGEST_KEPT => kept_vector(kept, isa, token.as_ref()),
            _ => subword_vector(isa, token.as_ref()),
        }));
        add(&mut majority, isa, &vectors);
    }
    Ok(HyperVector::new(&decided(&majority, isa), parts))
}

/// Subword vectors by token, the same on every instruction set: texts have most tokens in common.
static KEPT: Mutex<FxHashMap<Box<str>, Box<Words>>> = Mutex::new(FxHashMap::with_hasher(FxBuildHasher));

/// So many are kept, half a megabyte; then all go, and those that are met again are soon there again.
const MOST_KEPT: usize = 1_024;

/// Longer tokens are hardly met again.
const LONGEST_KEPT: usize = 24;

fn kept_vector(kept: &mut FxHashMap<Box<str>, Box<Words>>, isa: Isa, token: &str) -> Words {
    if let Some(vector) = kept.get(token) {
        return **vector;
    }
    let vector = subword_vector(isa, token);
    if kept.len() >= MOST_KEPT {
        kept.clear();
    }
    kept.insert(token.into(), Box::new(vector));
    vector
}

fn subword_vector(isa: Isa, token: &str) -> Words {
    let mut seeds = vec![seed(token)];
    let framed: Vec<char> = format!("<{token}>").chars().collect();
    let mut key = String::new();
    for length in [3, 4] {
        for gram in framed.windows(length) {
            key.clear();
            key.push_str("__gram_");
            key.extend(gram);
            seeds.push(seed(&key));
        }
    }
    let (mut majority, mut vectors) = (Majority::default(), Vec::new());
    for block in seeds.chunks(BLOCK) {
        generate_all(isa, block, &mut vectors);
        add(&mut majority, isa, &vectors);
    }
    decided(&majority, isa)
}

/// The vectors of the positions' keys, made once. They are the same on every instruction set.
fn positions(isa: Isa) -> &'static [Words] {
    static MADE: OnceLock<Vec<Words>> = OnceLock::new();
    MADE.get_or_init(|| {
        let keys: Vec<String> = (0..POSITIONS).map(|i| format!("__pos_{i}")).collect();
        let mut vectors = Vec::new();
        token_vectors(isa, &keys, &mut vectors);
        vectors
    })
}

fn token_vectors(isa: Isa, tokens: &[impl AsRef<str>], out: &mut Vec<Words>) {
    let seeds: Vec<u64> = tokens.iter().map(|token| seed(token.as_ref())).collect();
    generate_all(isa, &seeds, out);
}

fn generate_all(isa: Isa, seeds: &[u64], out: &mut Vec<Words>) {
    out.resize(seeds.len(), Words::ZERO);
    generate(isa, seeds, out);
}

fn add(majority: &mut Majority, isa: Isa, vectors: &[Words]) {
    let vectors: Vec<&Words> = vectors.iter().collect();
    majority.add(isa, &vectors, 0);
}
