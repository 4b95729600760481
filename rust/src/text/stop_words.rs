//! The English stop words, and a lookup that costs a few nanoseconds.

/// The 115 stop words, by what they are: articles, conjunctions, prepositions, forms of *be*, of *have* and *do*
/// with the modals, pronouns, demonstratives, question words, adverbs and quantifiers, *get*.
#[rustfmt::skip]
pub const STOP_WORDS: [&str; 115] = [
    "a", "an", "the",
    "and", "or", "but", "nor", "so", "if", "then", "than", "because", "while",
    "in", "on", "at", "to", "for", "of", "with", "by", "from", "about", "above", "after", "before", "below", "between",
    "down", "during", "into", "out", "over", "through", "under", "until", "up",
    "is", "are", "was", "were", "be", "been", "being", "am",
    "have", "has", "had", "do", "does", "did", "will", "would", "shall", "should", "may", "might", "must", "can", "could",
    "i", "me", "my", "we", "our", "you", "your", "he", "him", "his", "she", "her", "it", "its", "they", "them", "their",
    "this", "that", "these", "those",
    "what", "when", "where", "which", "who", "whom", "why", "how",
    "not", "no", "too", "very", "just", "again", "all", "also", "any", "both", "each", "few", "further", "here", "more",
    "most", "now", "only", "other", "own", "same", "some", "such", "there",
    "get", "got",
];

/// Is `word` one of [`STOP_WORDS`]? Capitals count as their small letters.
///
/// ```
/// use byheart_core::text::is_stop_word;
/// assert!(is_stop_word("the") && is_stop_word("The"));
/// assert!(!is_stop_word("us"));
/// ```
#[must_use]
pub fn is_stop_word(word: &str) -> bool {
    if word.is_empty() || word.len() > LONGEST {
        return false;
    }
    let key = pack(word.as_bytes());
    let mut slot = first_slot(key);
    while TABLE[slot] != 0 {
        if TABLE[slot] == key {
            return true;
        }
        slot = (slot + 1) % SLOTS;
    }
    false
}

/// Bytes of the longest stop word: with the mark before them they fill a u64.
const LONGEST: usize = 7;

/// A power of two over twice the number of words, so that a search ends soon.
const SLOTS: usize = 256;

/// The packed words at their hashed slots, each in the next free one if its own was taken; 0 is free.
static TABLE: [u64; SLOTS] = {
    let mut table = [0; SLOTS];
    let mut i = 0;
    while i < STOP_WORDS.len() {
        let key = pack(STOP_WORDS[i].as_bytes());
        let mut slot = first_slot(key);
        while table[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        table[slot] = key;
        i += 1;
    }
    table
};

/// At most seven bytes in small letters behind a one, which keeps words of different length apart.
const fn pack(word: &[u8]) -> u64 {
    let (mut key, mut i) = (1, 0);
    while i < word.len() {
        key = key << 8 | word[i].to_ascii_lowercase() as u64;
        i += 1;
    }
    key
}

/// Fibonacci hashing: the upper byte of a product with 2^64 divided by the golden ratio.
const fn first_slot(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn there_are_115_different_small_words() {
        let unique: std::collections::BTreeSet<_> = STOP_WORDS.iter().collect();
        assert_eq!(unique.len(), 115);
        assert!(STOP_WORDS.iter().all(|word| word.len() <= LONGEST && word.bytes().all(|b| b.is_ascii_lowercase())));
    }

    #[test]
    fn every_stop_word_is_found_in_small_and_capital_letters() {
        for word in STOP_WORDS {
            assert!(is_stop_word(word), "{word}");
            assert!(is_stop_word(&word.to_uppercase()), "{word}");
        }
    }

    #[test]
    fn published_cases() {
        let cases = [("only", true), ("The", true), ("use", false), ("whom", true)];
        for (word, expected) in cases {
            assert_eq!(is_stop_word(word), expected, "{word}");
        }
    }

    #[test]
    fn words_that_other_lists_have_are_none() {
        for word in ["us", "off", "against", "as", "don't", "itself", "", "becauses", "\0the", "the\0", "\0a"] {
            assert!(!is_stop_word(word), "{word:?}");
        }
    }

    proptest! {
        #[test]
        fn the_table_agrees_with_the_list(word in "[a-y]{1,4}|\\PC{0,8}") {
            prop_assert_eq!(is_stop_word(&word), STOP_WORDS.contains(&word.to_ascii_lowercase().as_str()));
        }
    }
}
