//! Where a word's vowels are, as bits, so that Porter's measure of any stem is one population count.

/// How many of the last bytes have their own bit. All steps together cut far fewer.
const WINDOW: usize = 62;

/// The vowels of a word. A byte above 127, a part of a longer character, is a consonant: consonants in a row
/// are one to the measure, so it does not matter how many bytes a character has.
pub(super) struct Shape {
    /// Bit i + 1: is byte `base + i` a vowel? Bit 0: the byte before the window.
    vowels: u64,
    /// Where the window begins.
    base: usize,
    /// Changes from vowel to consonant before the window.
    measure_before: u32,
}

impl Shape {
    /// One pass over the word. A y is a vowel where it follows a consonant.
    pub(super) fn of(word: &[u8]) -> Self {
        let base = word.len().saturating_sub(WINDOW);
        let (head, window) = word.split_at(base);
        // Before the word: neither vowel nor consonant, so that a leading y is a consonant.
        let (mut vowel, mut y_is_vowel, mut measure_before) = (false, false, 0);
        for &byte in head {
            let now = is_vowel(byte, y_is_vowel);
            measure_before += u32::from(vowel && !now);
            (vowel, y_is_vowel) = (now, !now);
        }
        let mut vowels = u64::from(vowel);
        for (i, &byte) in window.iter().enumerate() {
            let now = is_vowel(byte, y_is_vowel);
            vowels |= u64::from(now) << (i + 1);
            y_is_vowel = !now;
        }
        Self { vowels, base, measure_before }
    }

    /// Porter's m of the word's first `end` bytes: how often consonants follow vowels.
    pub(super) fn measure(&self, end: usize) -> u32 {
        let changes = (self.vowels << 1) & !self.vowels & self.up_to(end);
        self.measure_before + changes.count_ones()
    }

    /// Is there a vowel among the first `end` bytes? (Porter's *v*)
    pub(super) fn has_vowel(&self, end: usize) -> bool {
        self.measure_before > 0 || self.vowels & self.up_to(end) != 0
    }

    /// Is the byte at `position`, one of the last 60 or so, a vowel?
    pub(super) fn is_vowel(&self, position: usize) -> bool {
        self.vowels >> (position + 1 - self.base) & 1 == 1
    }

    /// The word was cut at `kept` and got `ending`, which has no y.
    pub(super) fn replace_from(&mut self, kept: usize, ending: &[u8]) {
        self.vowels &= self.up_to(kept);
        for (i, &byte) in ending.iter().enumerate() {
            self.vowels |= u64::from(is_vowel(byte, false)) << (kept + i + 1 - self.base);
        }
    }

    /// The bits of all bytes before `end`.
    fn up_to(&self, end: usize) -> u64 {
        (2 << (end - self.base)) - 1
    }
}

fn is_vowel(byte: u8, y_is_vowel: bool) -> bool {
    match byte {
        b'a' | b'e' | b'i' | b'o' | b'u' => true,
        b'y' => y_is_vowel,
        _ => false,
    }
}
