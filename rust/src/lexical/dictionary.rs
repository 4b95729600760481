//! Terms of a batch, numbered in order of appearance.
//!
//! A table of its own, for one reason: it can be asked for many terms ahead, so that the places in memory where they
//! stand arrive together. With a large vocabulary that wait is most of what indexing costs.

use crate::error::{Error, Result};
use crate::ids::Secret;
use crate::kernel::prefetch;

/// Distinct terms and their numbers.
#[derive(Debug)]
pub struct Dictionary {
    slots: Vec<Slot>, // a power of two; a term stands at its hash's place or the next free one after it
    ends: Vec<u32>,
    text: String,
    secret: Secret,
}

/// One place of the table.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    key: u64,
    next: u32, // the term's number and one; 0 marks a free place
    seen: u32, // the last visit in which the term was met
}

/// What a term is found by. A term of up to seven bytes *is* its key, so that most look-ups touch one place in
/// memory; a longer one is compared with the text when its key, a hash, agrees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key(u64);

impl Key {
    const LONG: u64 = 0xFF << 56;

    /// The key of at most seven bytes: they, and how many they are.
    #[inline(always)]
    fn of_short(bytes: &[u8]) -> Self {
        // Two looks that overlap, where there are more than one byte: the same bits, whichever brings them.
        let length = bytes.len();
        let word = if let (Some(head), Some(tail)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
            u64::from(u32::from_le_bytes(*head)) | u64::from(u32::from_le_bytes(*tail)) << (8 * (length - 4))
        } else if let (Some(head), Some(tail)) = (bytes.first_chunk::<2>(), bytes.last_chunk::<2>()) {
            u64::from(u16::from_le_bytes(*head)) | u64::from(u16::from_le_bytes(*tail)) << (8 * (length - 2))
        } else {
            bytes.first().map_or(0, |&byte| u64::from(byte))
        };
        Self(word | (length as u64) << 56)
    }

    fn is_long(self) -> bool {
        self.0 & Self::LONG == Self::LONG
    }
}

/// A term that will be asked for.
#[derive(Debug, Clone, Copy)]
pub struct Sought {
    key: Key,
    hash: u64,
    span: (u32, u32), // of a long term, in the string that it was put aside in
}

impl Default for Dictionary {
    fn default() -> Self {
        Self { slots: vec![Slot::default(); 64], ends: Vec::new(), text: String::new(), secret: Secret::default() }
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

    /// What a term will be found by. The memory where it stands is asked for, and a long term is put aside.
    #[inline(always)]
    pub fn seek(&self, term: &str, aside: &mut String) -> Sought {
        let bytes = term.as_bytes();
        let (key, span) = if bytes.len() < 8 {
            (Key::of_short(bytes), (0, 0))
        } else {
            let start = aside.len() as u32;
            aside.push_str(term);
            (Key(self.secret.hash(bytes) | Key::LONG), (start, aside.len() as u32))
        };
        let hash = self.secret.mix(key.0);
        prefetch(&self.slots, hash as usize & (self.slots.len() - 1));
        Sought { key, hash, span }
    }

    /// The number of a term, the next one if it is new, and whether this is its first time in this visit (from 1).
    #[inline(always)]
    pub fn meet(&mut self, sought: Sought, aside: &str, visit: u32) -> (u32, bool) {
        let mask = self.slots.len() - 1;
        let mut at = sought.hash as usize & mask;
        let long = || &aside[sought.span.0 as usize..sought.span.1 as usize];
        loop {
            let Slot { key, next, seen } = self.slots[at];
            if next == 0 {
                return (self.append(at, sought.key, long(), visit), true);
            }
            if key == sought.key.0 && (!sought.key.is_long() || self.term(next - 1) == long()) {
                self.slots[at].seen = visit;
                return (next - 1, seen != visit);
            }
            at = (at + 1) & mask;
        }
    }

    #[cold]
    fn append(&mut self, at: usize, key: Key, long: &str, visit: u32) -> u32 {
        if key.is_long() {
            self.text.push_str(long);
        } else {
            let bytes = key.0.to_le_bytes();
            let term = std::str::from_utf8(&bytes[..usize::from(bytes[7])]);
            self.text.push_str(term.expect("the key was made of a string"));
        }
        let number = self.ends.len() as u32;
        self.ends.push(self.text.len() as u32);
        self.slots[at] = Slot { key: key.0, next: number + 1, seen: visit };
        if self.ends.len() * 4 > self.slots.len() * 3 {
            self.grow();
        }
        number
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); mask + 1]);
        for slot in old.into_iter().filter(|slot| slot.next != 0) {
            let mut at = self.secret.mix(slot.key) as usize & mask;
            while self.slots[at].next != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
        }
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

    fn number(dictionary: &mut Dictionary, term: &str, visit: u32) -> (u32, bool) {
        let mut aside = String::from("left over");
        let sought = dictionary.seek(term, &mut aside);
        dictionary.meet(sought, &aside, visit)
    }

    proptest! {
        #[test]
        fn terms_of_every_length_keep_their_numbers(terms in prop::collection::vec("[ab\u{0}é]{0,10}", 0..200)) {
            let mut dictionary = Dictionary::default();
            let mut known: Vec<String> = Vec::new();
            for (turn, term) in terms.iter().enumerate() {
                let visit = 1 + turn as u32 / 20;
                let expected = known.iter().position(|other| other == term).unwrap_or(known.len());
                let first = !terms[turn / 20 * 20..turn].contains(term);
                prop_assert_eq!(number(&mut dictionary, term, visit), (expected as u32, first));
                if expected == known.len() {
                    known.push(term.clone());
                }
            }
            prop_assert_eq!(dictionary.len(), known.len());
            for (number, term) in known.iter().enumerate() {
                prop_assert_eq!(dictionary.term(number as u32), term);
            }
        }

        #[test]
        fn the_key_of_a_short_term_is_its_bytes(bytes in prop::collection::vec(any::<u8>(), 0..8)) {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(&bytes);
            word[7] = bytes.len() as u8;
            prop_assert_eq!(Key::of_short(&bytes), Key(u64::from_le_bytes(word)));
        }
    }
}
