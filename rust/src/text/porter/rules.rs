//! The suffix lists of steps 2, 3 and 4, and how a word's end is compared with them.

/// A suffix and what stands in its place.
pub(super) struct Rule {
    /// The suffix in the lower bytes, its last letter lowest.
    suffix: u64,
    /// Ones over the suffix.
    mask: u64,
    /// The suffix's length in bytes.
    pub(super) length: usize,
    /// What is put in its place.
    pub(super) ending: &'static str,
}

/// The last eight bytes of a word, its last letter lowest; zeros before a shorter word.
pub(super) fn tail(word: &[u8]) -> u64 {
    match word.last_chunk::<8>() {
        Some(&bytes) => u64::from_be_bytes(bytes),
        None => word.iter().fold(0, |tail, &byte| tail << 8 | u64::from(byte)),
    }
}

/// The first rule whose suffix ends the word.
pub(super) fn find(rules: &'static [Rule], tail: u64) -> Option<&'static Rule> {
    rules.iter().find(|rule| tail & rule.mask == rule.suffix)
}

/// Step 2, by the last letter but one.
pub(super) fn double_suffix(tail: u64) -> &'static [Rule] {
    const A: &[Rule] = &[rule("ational", "ate"), rule("tional", "tion")];
    const C: &[Rule] = &[rule("enci", "ence"), rule("anci", "ance")];
    const E: &[Rule] = &[rule("izer", "ize")];
    const G: &[Rule] = &[rule("logi", "log")];
    const L: &[Rule] =
        &[rule("bli", "ble"), rule("alli", "al"), rule("entli", "ent"), rule("eli", "e"), rule("ousli", "ous")];
    const O: &[Rule] = &[rule("ization", "ize"), rule("ation", "ate"), rule("ator", "ate")];
    const S: &[Rule] = &[rule("alism", "al"), rule("iveness", "ive"), rule("fulness", "ful"), rule("ousness", "ous")];
    const T: &[Rule] = &[rule("aliti", "al"), rule("iviti", "ive"), rule("biliti", "ble")];
    match letter(tail, 1) {
        b'a' => A,
        b'c' => C,
        b'e' => E,
        b'g' => G,
        b'l' => L,
        b'o' => O,
        b's' => S,
        b't' => T,
        _ => &[],
    }
}

/// Step 3, by the last letter.
pub(super) fn single_suffix(tail: u64) -> &'static [Rule] {
    const E: &[Rule] = &[rule("icate", "ic"), rule("ative", ""), rule("alize", "al")];
    const I: &[Rule] = &[rule("iciti", "ic")];
    const L: &[Rule] = &[rule("ical", "ic"), rule("ful", "")];
    const S: &[Rule] = &[rule("ness", "")];
    match letter(tail, 0) {
        b'e' => E,
        b'i' => I,
        b'l' => L,
        b's' => S,
        _ => &[],
    }
}

/// Step 4 without ion, by the last letter but one. Of two that end alike, the longer comes first.
pub(super) fn last_suffix(tail: u64) -> &'static [Rule] {
    const A: &[Rule] = &[rule("al", "")];
    const C: &[Rule] = &[rule("ance", ""), rule("ence", "")];
    const E: &[Rule] = &[rule("er", "")];
    const I: &[Rule] = &[rule("ic", "")];
    const L: &[Rule] = &[rule("able", ""), rule("ible", "")];
    const N: &[Rule] = &[rule("ant", ""), rule("ement", ""), rule("ment", ""), rule("ent", "")];
    const O: &[Rule] = &[rule("ou", "")];
    const S: &[Rule] = &[rule("ism", "")];
    const T: &[Rule] = &[rule("ate", ""), rule("iti", "")];
    const U: &[Rule] = &[rule("ous", "")];
    const V: &[Rule] = &[rule("ive", "")];
    const Z: &[Rule] = &[rule("ize", "")];
    match letter(tail, 1) {
        b'a' => A,
        b'c' => C,
        b'e' => E,
        b'i' => I,
        b'l' => L,
        b'n' => N,
        b'o' => O,
        b's' => S,
        b't' => T,
        b'u' => U,
        b'v' => V,
        b'z' => Z,
        _ => &[],
    }
}

/// The letter `back` places before the last one.
fn letter(tail: u64, back: usize) -> u8 {
    (tail >> (8 * back) & 0xFF) as u8
}

const fn rule(suffix: &'static str, ending: &'static str) -> Rule {
    let letters = suffix.as_bytes();
    let (mut packed, mut mask, mut i) = (0, 0, 0);
    while i < letters.len() {
        packed = packed << 8 | letters[i] as u64;
        mask = mask << 8 | 0xFF;
        i += 1;
    }
    Rule { suffix: packed, mask, length: letters.len(), ending }
}
