//! Phrases: which of some sequences of words a text holds, word for word.
//!
//! Words are what the analyzer cuts before stop words go and stems are made; of a hyphenated one its parts. Ideographic
//! runs are characters and pairs, so that a part of such a run is a sequence of the same words.
//!
//! A word may bear a mark where it stays one with a neighbour (`super::opened`). At the ends of a phrase such a word may be
//! one with what stands beyond the phrase, too: `report_2024.pdf` stands in `share/report_2024.pdf`.

use super::analyzer::{Analyzer, Mode, Scratch, StopWords};

/// Phrases that can be looked for at once.
pub const MAX_PHRASES: usize = 64;

/// Words hold no white space.
const BETWEEN: char = '\n';

/// Phrases to look for.
///
/// ```
/// use byheart_core::text::{Analyzer, Phrases, Scratch};
/// let phrases = Phrases::new(Analyzer::default(), &["blue kettle", "kettles"], "");
/// let mut held = |text| phrases.held(text, &mut Scratch::default(), &mut String::new());
/// assert_eq!(held("A Blue-Kettle, not kettles"), 0b11);
/// assert_eq!(held("the kettle is blue"), 0);
/// ```
#[derive(Debug, Clone)]
pub struct Phrases {
    analyzer: Analyzer,
    sought: Vec<Vec<String>>, // of each the forms in which it may stand
}

impl Phrases {
    /// These phrases, of which the first 64 count. One without a word is in no text. `mark` is that of words that stay one
    /// with a neighbour, and may be empty.
    #[must_use]
    pub fn new(analyzer: Analyzer, phrases: &[impl AsRef<str>], mark: &str) -> Self {
        let analyzer = Analyzer::new(analyzer.mode, false, StopWords::None);
        let mut scratch = Scratch::default();
        let mut sought = Vec::with_capacity(phrases.len());
        for phrase in phrases.iter().take(MAX_PHRASES) {
            let mut words = String::new();
            write(analyzer, phrase.as_ref(), &mut scratch, &mut words);
            sought.push(forms(words, mark));
        }
        Self { analyzer, sought }
    }

    /// Which of them a text holds: bit n stands for phrase n. `words` is room to work in.
    #[must_use]
    pub fn held(&self, text: &str, scratch: &mut Scratch, words: &mut String) -> u64 {
        write(self.analyzer, text, scratch, words);
        let stands = |sought: &String| sought.len() > 1 && words.contains(sought.as_str());
        self.sought.iter().enumerate().map(|(n, forms)| u64::from(forms.iter().any(stands)) << n).sum()
    }
}

/// The forms in which the words of a phrase may stand: as they are, and with more marks at its ends.
fn forms(words: String, mark: &str) -> Vec<String> {
    let mut forms = vec![words];
    let inner = forms[0].trim_matches(BETWEEN);
    let (Some((first, _)), Some((_, last)), false) =
        (inner.split_once(BETWEEN), inner.rsplit_once(BETWEEN), mark.is_empty())
    else {
        return forms;
    };
    let (begins, ends) = (first.ends_with(mark), last.starts_with(mark));
    let inner = inner.to_owned();
    for (before, after) in [(true, false), (false, true), (true, true)] {
        if before <= begins && after <= ends {
            let [before, after] = [before, after].map(|more| if more { mark } else { "" });
            forms.push(format!("{BETWEEN}{before}{inner}{after}{BETWEEN}"));
        }
    }
    forms
}

/// Writes the words of a text, each between two breaks.
fn write(analyzer: Analyzer, text: &str, scratch: &mut Scratch, words: &mut String) {
    words.clear();
    words.push(BETWEEN);
    analyzer.for_each_term(text, scratch, &mut |term| {
        // The parts of a hyphenated term come behind it; in ascii mode one that begins with a digit has none.
        let is_whole = analyzer.mode == Mode::Ascii && term.as_bytes()[0].is_ascii_digit();
        if is_whole || !term.contains('-') {
            words.push_str(term);
            words.push(BETWEEN);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(mode: Mode, phrase: &str, text: &str) -> bool {
        let phrases = Phrases::new(Analyzer::new(mode, true, StopWords::English), &[phrase], "*");
        phrases.held(text, &mut Scratch::default(), &mut String::new()) == 1
    }

    #[test]
    fn words_stand_behind_each_other() {
        let cases = [
            ("the cat", "Where is THE Cat's bowl?", true),
            ("cat", "cats", false),
            ("well known", "a well-known fox", true),
            ("a well", "a well-known fox", true),
            ("blue kettle", "a blue old kettle", false),
            ("京都", "東京都", true),
            ("東都", "東京都", false),
            ("ｂｌｕｅ", "blue", true),
            ("!?", "!?", false),
            ("", "", false),
        ];
        for (phrase, text, expected) in cases {
            assert_eq!(held(Mode::Unicode, phrase, text), expected, "{phrase:?} in {text:?}");
        }
        assert!(held(Mode::Ascii, "2023-05", "on 2023-05") && !held(Mode::Ascii, "2023-05", "2023 05"));
        assert!(held(Mode::Ascii, "re-open", "re open"));
    }

    #[test]
    fn each_phrase_has_its_bit() {
        let many: Vec<String> = (0..70).map(|n| format!("w{n}")).collect();
        let phrases = Phrases::new(Analyzer::default(), &many, "");
        let found = phrases.held("w0 w63 w64", &mut Scratch::default(), &mut String::new());
        assert_eq!(found, 1 | 1 << 63);
    }
}
