//! Terms of a batch in one string, numbered in order of appearance.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::error::{Error, Result};

/// Distinct terms and their numbers.
#[derive(Debug, Default)]
pub struct Dictionary {
    numbers: HashTable<(Key, u32)>,
    ends: Vec<u32>,
    text: String,
}

/// What a term is found by. A term of up to seven bytes *is* its key, so that most look-ups touch one place in
/// memory; a longer one is compared with the text when its key, a hash, agrees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Key(u64);

impl Key {
    const LONG: u64 = 0xFF << 56;

    #[inline(always)]
    fn of(term: &str) -> Self {
        let bytes = term.as_bytes();
        if bytes.len() < 8 {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            word[7] = bytes.len() as u8;
            Self(u64::from_le_bytes(word))
        } else {
            Self(FxBuildHasher.hash_one(term) | Self::LONG)
        }
    }

    fn is_long(self) -> bool {
        self.0 & Self::LONG == Self::LONG
    }

    /// Spread over all bits: the table takes its places from the lower ones and its tags from the highest.
    #[inline(always)]
    fn hash(self) -> u64 {
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ (mixed >> 29)
    }
}

impl Dictionary {
    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The term behind a number.
    pub fn term(&self, number: u32) -> &str {
        let start = if number == 0 { 0 } else { self.ends[number as usize - 1] as usize };
        &self.text[start..self.ends[number as usize] as usize]
    }

    /// The number of a term, the next one if it is new.
    pub fn number(&mut self, term: &str) -> u32 {
        let key = Key::of(term);
        let same = |&(other, number): &(Key, u32)| other == key && (!key.is_long() || self.term(number) == term);
        if let Some(&(_, number)) = self.numbers.find(key.hash(), same) {
            return number;
        }
        let number = self.ends.len() as u32;
        self.text.push_str(term);
        self.ends.push(self.text.len() as u32);
        self.numbers.insert_unique(key.hash(), (key, number), |(other, _)| other.hash());
        number
    }

    /// Refuses a batch whose distinct terms could outgrow 4 GiB.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`]
    pub fn check_room(&self, bytes: usize) -> Result<()> {
        let needed = self.text.len().saturating_add(bytes);
        if needed > u32::MAX as usize {
            return Err(Error::limit("bytes of distinct terms in one call", u32::MAX as usize, needed));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn terms_of_every_length_keep_their_numbers(terms in prop::collection::vec("[ab\u{0}é]{0,10}", 0..60)) {
            let mut dictionary = Dictionary::default();
            let mut known: Vec<String> = Vec::new();
            for term in terms {
                let expected = known.iter().position(|other| *other == term).unwrap_or(known.len());
                prop_assert_eq!(dictionary.number(&term) as usize, expected);
                if expected == known.len() {
                    known.push(term);
                }
            }
            prop_assert_eq!(dictionary.len(), known.len());
            for (number, term) in known.iter().enumerate() {
                prop_assert_eq!(dictionary.term(number as u32), term);
            }
        }
    }
}
