//! The Porter stemmer: the rules of 1980 with the two changes Martin Porter later made in his own program
//! (step 2 has `bli -> ble` in place of `abli -> able`, and `logi -> log`).
//!
//! M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980. Not Porter2 ("Snowball English").
//!
//! Every character that is not one of a, e, i, o, u, or a y after a consonant, is a consonant: digits, hyphens,
//! capitals and letters of other scripts too. Lengths and the rules on the last letters count characters.
//! One rule is sharper than in the paper: a suffix of step 1 is one only if a character precedes it
//! (`ies` gives `ie`, `eed` gives `e`). In the later steps the measure asks for more than that.

mod rules;
mod shape;

use rules::{Rule, find, tail};
use shape::Shape;

/// The stem of `word`. The word is taken as it is: lower-casing is the caller's part.
///
/// Words of fewer than three characters come back unchanged. A stem is never longer than its word.
///
/// ```
/// use byheart_core::text::porter_stem;
/// assert_eq!(porter_stem("relational"), "relat");
/// assert_eq!(porter_stem("is"), "is");
/// ```
#[must_use]
pub fn porter_stem(word: &str) -> String {
    let mut stem = word.to_owned();
    stem_in_place(&mut stem);
    stem
}

/// Replaces a word by its stem, without allocating: each rule cuts the end off and may put back less.
///
/// ```
/// let mut word = String::from("hopping");
/// byheart_core::text::stem_in_place(&mut word);
/// assert_eq!(word, "hop");
/// ```
pub fn stem_in_place(word: &mut String) {
    if word.len() < 3 || word.chars().nth(2).is_none() {
        return;
    }
    let shape = Shape::of(word.as_bytes());
    let mut stemmer = Stemmer { word, shape };
    stemmer.strip_plural();
    stemmer.strip_past_or_participle();
    stemmer.soften_final_y();
    stemmer.replace_if(rules::double_suffix, |measure| measure > 0);
    stemmer.replace_if(rules::single_suffix, |measure| measure > 0);
    stemmer.strip_last_suffix();
    stemmer.strip_final_e();
    stemmer.undouble_final_l();
}

/// A word on its way to its stem, and where its vowels are.
struct Stemmer<'a> {
    word: &'a mut String,
    shape: Shape,
}

impl Stemmer<'_> {
    /// Cuts the word at `kept` and appends `ending`, which has no y.
    fn replace_from(&mut self, kept: usize, ending: &str) {
        self.word.truncate(kept);
        self.word.push_str(ending);
        self.shape.replace_from(kept, ending.as_bytes());
    }

    fn last(&self) -> u8 {
        self.word.as_bytes().last().copied().unwrap_or(0)
    }

    /// Where the stem ends if `suffix` is taken off, given that a character precedes it.
    fn before(&self, suffix: &str) -> Option<usize> {
        let stem = self.word.len().checked_sub(suffix.len()).filter(|&stem| stem > 0)?;
        self.word.as_bytes()[stem..].eq(suffix.as_bytes()).then_some(stem)
    }

    /// Step 1a: sses, ies and s lose their plural; ss stays.
    fn strip_plural(&mut self) {
        if self.last() != b's' {
            return;
        }
        if let Some(stem) = self.before("sses") {
            self.replace_from(stem + 2, "");
        } else if let Some(stem) = self.before("ies") {
            self.replace_from(stem + 1, "");
        } else if self.before("ss").is_none() {
            self.replace_from(self.word.len() - 1, "");
        }
    }

    /// Step 1b: eed becomes ee; ed and ing go if a vowel is left, and what is left is mended.
    fn strip_past_or_participle(&mut self) {
        if let Some(stem) = self.before("eed") {
            if self.shape.measure(stem) > 0 {
                self.replace_from(stem + 2, "");
            }
            return;
        }
        if let Some(stem) = self.before("ed").or_else(|| self.before("ing"))
            && self.shape.has_vowel(stem)
        {
            self.replace_from(stem, "");
            self.mend();
        }
    }

    /// After step 1b: give back the e that English drops before ed and ing, or drop the consonant it doubles.
    fn mend(&mut self) {
        let end = self.word.len();
        if matches!(self.word.as_bytes(), [.., b'a', b't'] | [.., b'b', b'l'] | [.., b'i', b'z']) {
            self.replace_from(end, "e");
        } else if self.ends_in_double_consonant() {
            if !matches!(self.last(), b'l' | b's' | b'z') {
                self.word.pop();
            }
        } else if self.shape.measure(end) == 1 && self.is_short(end) {
            self.replace_from(end, "e");
        }
    }

    /// Step 1c: a final y becomes i if there is a vowel before it.
    fn soften_final_y(&mut self) {
        let stem = self.word.len() - 1;
        if self.last() == b'y' && self.shape.has_vowel(stem) {
            self.replace_from(stem, "i");
        }
    }

    /// Steps 2 and 3: the longest suffix of a list is replaced if the measure of what precedes it will do.
    fn replace_if(&mut self, rules: impl Fn(u64) -> &'static [Rule], will_do: impl Fn(u32) -> bool) {
        let tail = tail(self.word.as_bytes());
        let Some(rule) = find(rules(tail), tail) else { return };
        let stem = self.word.len() - rule.length;
        if will_do(self.shape.measure(stem)) {
            self.replace_from(stem, rule.ending);
        }
    }

    /// Step 4: the last suffix goes where the measure is above one; ion only after s or t.
    fn strip_last_suffix(&mut self) {
        if let Some(stem) = self.before("ion") {
            if self.shape.measure(stem) > 1 && matches!(self.word.as_bytes()[stem - 1], b's' | b't') {
                self.replace_from(stem, "");
            }
            return;
        }
        self.replace_if(rules::last_suffix, |measure| measure > 1);
    }

    /// Step 5a: a final e goes where the measure is above one, or one unless a short syllable precedes.
    fn strip_final_e(&mut self) {
        if let Some(stem) = self.before("e") {
            let measure = self.shape.measure(stem);
            if measure > 1 || (measure == 1 && !self.is_short(stem)) {
                self.replace_from(stem, "");
            }
        }
    }

    /// Step 5b: ll becomes l where the measure of the word is above one.
    fn undouble_final_l(&mut self) {
        let stem = self.word.len() - 1;
        if self.word.ends_with("ll") && self.shape.measure(stem) > 1 {
            self.replace_from(stem, "");
        }
    }

    /// Do the last two characters agree, and are they consonants?
    fn ends_in_double_consonant(&self) -> bool {
        let mut backwards = self.word.chars().rev();
        let last = backwards.next();
        last == backwards.next() && !self.shape.is_vowel(self.word.len() - 1)
    }

    /// Does the word up to `end` finish in consonant, vowel, and a consonant other than w, x, y? (Porter's *o)
    fn is_short(&self, end: usize) -> bool {
        let Some(last) = self.word[..end].chars().next_back() else { return false };
        let at = end - last.len_utf8();
        !matches!(last, 'a' | 'e' | 'i' | 'o' | 'u' | 'w' | 'x' | 'y')
            && at >= 2
            && self.shape.is_vowel(at - 1)
            && !self.shape.is_vowel(at - 2)
    }
}

#[cfg(test)]
mod tests;
