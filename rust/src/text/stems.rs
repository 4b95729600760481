//! Stems met before. In running text most words come again and again; to look one up costs a fifth of stemming it.

use super::porter::stem_in_place;

/// The longest word that is kept, in bytes.
const LONGEST: usize = 15;
/// Words kept at most. Each has one place, and the later one takes it.
const PLACES: usize = 4096;
/// Bytes of stems; when they are used up all is forgotten.
const ROOM: usize = 1 << 16;
/// Words stemmed before any is kept: a query or a single note is not worth the memory.
const PATIENCE: u32 = 1024;

/// A word and where its stem stands.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    word: [u64; 2],
    start: u32,
    end: u32,
}

/// Words and their stems, as many as fit.
#[derive(Debug, Clone, Default)]
pub(super) struct Stems {
    places: Vec<Place>, // empty at first
    kept: String,       // stems, one after another
    stemmed: u32,
    term: String,
}

impl Stems {
    /// The Porter stem of a word.
    pub(super) fn stem(&mut self, word: &str) -> &str {
        let Some(packed) = pack(word.as_bytes()) else { return self.compute(word) };
        if self.places.is_empty() {
            self.stemmed += 1;
            if self.stemmed <= PATIENCE {
                return self.compute(word);
            }
            self.places.resize(PLACES, Place::default());
        }
        let at = place_of(packed);
        if self.places[at].word != packed {
            self.compute(word);
            if self.kept.len() > ROOM - LONGEST {
                self.kept.clear();
                self.places.fill(Place::default());
            }
            let start = self.kept.len() as u32;
            self.kept.push_str(&self.term);
            self.places[at] = Place { word: packed, start, end: self.kept.len() as u32 };
        }
        let Place { start, end, .. } = self.places[at];
        &self.kept[start as usize..end as usize]
    }

    fn compute(&mut self, word: &str) -> &str {
        self.term.clear();
        self.term.push_str(word);
        stem_in_place(&mut self.term);
        &self.term
    }
}

/// A word of at most [`LONGEST`] bytes with its length, which keeps it apart from all others and from a free place.
/// `None` for a longer one and for an empty one.
#[inline(always)]
fn pack(word: &[u8]) -> Option<[u64; 2]> {
    if word.is_empty() || word.len() > LONGEST {
        return None;
    }
    let length = (word.len() as u64) << 56;
    match (word.first_chunk::<8>(), word.last_chunk::<8>()) {
        // Two looks that overlap: shifted, they agree where they do.
        (Some(head), Some(tail)) => {
            let rest = u64::from_le_bytes(*tail).checked_shr(8 * (16 - word.len() as u32));
            Some([u64::from_le_bytes(*head), rest.unwrap_or(0) | length])
        }
        _ => Some([word.iter().rev().fold(0, |packed, &byte| packed << 8 | u64::from(byte)), length]),
    }
}

/// A word's place: the highest bits of a product that all its letters have a part in.
#[inline(always)]
fn place_of([head, rest]: [u64; 2]) -> usize {
    let product = (head ^ rest.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (product >> (64 - PLACES.trailing_zeros())) as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::porter_stem;

    /// With all patience used up.
    fn keen() -> Stems {
        Stems { stemmed: PATIENCE, ..Stems::default() }
    }

    #[test]
    fn a_word_is_kept_after_some_patience() {
        let mut stems = Stems::default();
        for _ in 0..PATIENCE {
            assert_eq!(stems.stem("hopping"), "hop");
            assert!(stems.places.is_empty());
        }
        assert_eq!(stems.stem("hopping"), "hop");
        assert_eq!(stems.stem("hopping"), "hop");
        assert_eq!((stems.places.len(), stems.kept.as_str()), (PLACES, "hop"));
    }

    #[test]
    fn more_words_than_there_is_room_for_keep_their_stems() {
        let mut stems = keen();
        for n in 0..20_000 {
            let word = format!("w{}ational", n * n % 30_011);
            assert_eq!(stems.stem(&word), porter_stem(&word));
        }
        assert!(stems.kept.len() <= ROOM, "{} bytes", stems.kept.len());
    }

    proptest! {
        #[test]
        fn a_stem_is_the_same_met_before_or_not(words in prop::collection::vec("[a-ceilnsty\u{0}é]{0,17}", 0..40)) {
            let mut stems = keen();
            for word in words.iter().chain(&words) {
                prop_assert_eq!(stems.stem(word), porter_stem(word));
            }
        }

        #[test]
        fn words_of_any_length_are_packed_apart(one in "[ab\u{0}]{0,16}", other in "[ab\u{0}]{0,16}") {
            let (a, b) = (pack(one.as_bytes()), pack(other.as_bytes()));
            prop_assert_eq!(a.is_some() && a == b, one == other && (1..=15).contains(&one.len()));
            prop_assert_ne!(a, Some([0, 0]));
        }
    }
}
