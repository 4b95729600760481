//! Folding: what is done to a text before it is cut. One form per mode, both into buffers that are used again.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use super::analyzer::Mode;

/// Puts `text` in lower case into `folded`; in unicode mode after NFKC, and with straight apostrophes.
///
/// Exactly: `folded` = lower case of `text`, or of NFKC(`text`) with U+2018, U+2019 and U+02BC then replaced by `'`, and
/// without U+0307 behind an i: lower case makes one of the Turkish capital. `normal` is room to work in.
pub(super) fn fold(text: &str, mode: Mode, normal: &mut String, folded: &mut String) {
    folded.clear();
    if text.is_ascii() {
        // ASCII is in every normal form, and its lower case depends on no neighbour.
        folded.push_str(text);
        folded.make_ascii_lowercase();
        return;
    }
    match mode {
        Mode::Ascii => lower(text, |_, character| Some(character), folded),
        Mode::Unicode => {
            normal.clear();
            normalise(text, normal);
            lower(normal, plain, folded);
        }
    }
}

/// A character of lower case as terms have it, behind what was said before it; none for the dot of an i.
fn plain(before: &str, character: char) -> Option<char> {
    match character {
        '\u{2018}' | '\u{2019}' | '\u{2BC}' => Some('\''),
        '\u{307}' if before.ends_with(['i', 'I']) => None,
        _ => Some(character),
    }
}

/// Appends NFKC(`text`) to `out`, stretch by stretch.
///
/// A text may be cut before any ASCII character without changing its normal form, because no ASCII character is
/// reordered or composes with one before it. So runs of ASCII are copied, all but their last character, which
/// may compose with what follows.
fn normalise(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(first_other) = rest.bytes().position(|byte| !byte.is_ascii()) {
        let (plain, tail) = rest.split_at(first_other.saturating_sub(1));
        out.push_str(plain);
        let first = usize::from(first_other > 0);
        let length = tail.bytes().skip(first).position(|byte| byte.is_ascii()).map_or(tail.len(), |at| at + first);
        let (stretch, after) = tail.split_at(length);
        if is_nfkc_quick(stretch.chars()) == IsNormalized::Yes {
            out.push_str(stretch);
        } else {
            out.extend(stretch.nfkc());
        }
        rest = after;
    }
    out.push_str(rest);
}

/// Appends the lower case of `text` to `out`, its non-ASCII characters passed through `map` with what stands before each.
///
/// Only the capital sigma has a lower case that depends on its neighbours; a text that has one is lowered whole
/// first. (Lower case stays as it is when lowered again.)
fn lower(text: &str, map: impl Fn(&str, char) -> Option<char>, out: &mut String) {
    let lowered;
    let mut rest = text;
    if text.contains('Σ') {
        lowered = text.to_lowercase();
        rest = &lowered;
    }
    while let Some(first_other) = rest.bytes().position(|byte| !byte.is_ascii()) {
        let (plain, tail) = rest.split_at(first_other);
        out.push_str(plain);
        let mut characters = tail.chars();
        for character in characters.next().into_iter().flat_map(char::to_lowercase) {
            out.extend(map(out, character));
        }
        rest = characters.as_str();
    }
    out.push_str(rest);
    out.make_ascii_lowercase(); // the plain stretches; everything else is in lower case already
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn folded(text: &str, mode: Mode) -> String {
        let (mut normal, mut out) = ("left over".to_owned(), "left over".to_owned());
        fold(text, mode, &mut normal, &mut out);
        out
    }

    /// The definition, without shortcuts.
    fn defined(text: &str, mode: Mode) -> String {
        match mode {
            Mode::Ascii => text.to_lowercase(),
            Mode::Unicode => {
                let lower = text.nfkc().collect::<String>().to_lowercase();
                let mut folded = lower.replace(['\u{2018}', '\u{2019}', '\u{2BC}'], "'");
                while folded.contains("i\u{307}") {
                    folded = folded.replace("i\u{307}", "i");
                }
                folded
            }
        }
    }

    #[test]
    fn normal_forms_are_those_of_the_whole_text() {
        let cases = [
            ("e\u{301}", "é"),
            ("xe\u{301}x", "xéx"),
            ("a\u{A8}b", "a \u{308}b"), // white space comes out of a character that is none
            ("ﬁne Ｆｕｌｌ ①", "fine full 1"),
            ("\u{301}a", "\u{301}a"),
            ("a\u{323}\u{307}", "\u{1EA1}\u{307}"),
            ("a\u{307}\u{323}", "\u{1EA1}\u{307}"), // reordered, then composed
            ("ŉ", "'n"),
            ("<\u{338}", "\u{226E}"),
        ];
        for (text, expected) in cases {
            assert_eq!(folded(text, Mode::Unicode), expected, "{text:?}");
        }
    }

    #[test]
    fn ascii_mode_lowers_and_does_no_more() {
        assert_eq!(folded("É\u{2019}Ｆ e\u{301} \u{212A}", Mode::Ascii), "é\u{2019}ｆ e\u{301} k");
    }

    #[test]
    fn sigma_depends_on_its_place_and_dotted_i_loses_its_dot() {
        for (mode, dotted) in [(Mode::Ascii, "i\u{307}i"), (Mode::Unicode, "ii")] {
            assert_eq!(folded("ΟΔΟΣ ΣΟΦΟΣ. Σ", mode), "οδος σοφος. σ");
            assert_eq!(folded("İI", mode), dotted);
        }
        assert_eq!(folded("Σİ i\u{307}\u{307}x \u{307}\u{130}", Mode::Unicode), "σi ix \u{307}i");
    }

    #[test]
    fn lower_case_stays_as_it_is_when_lowered_again() {
        let mut capitals = 0;
        for character in '\0'..=char::MAX {
            let once: String = character.to_lowercase().collect();
            assert_eq!(once.chars().flat_map(char::to_lowercase).collect::<String>(), once, "{character:?}");
            capitals += usize::from(!once.starts_with(character));
        }
        assert!(capitals > 1000, "only {capitals} characters have a lower case");
    }

    /// Characters that compose, reorder, decompose, change their length, or look at their neighbours.
    fn awkward_text() -> impl Strategy<Value = String> {
        let awkward = "aAeEoOnsS'.- ΣσİıßẞéÉ\u{301}\u{307}\u{323}\u{338}\u{345}\u{3099}かﬁ①Ｆ\u{A8}\u{AF}\u{B4}ŉʼ’‘가\u{1100}\u{1161}\u{11A8}日\u{2126}\u{212A}\u{FDFA}\u{FEFF}\u{85}𝐀";
        let characters: Vec<char> = awkward.chars().collect();
        proptest::collection::vec(proptest::sample::select(characters), 0..24).prop_map(String::from_iter)
    }

    proptest! {
        #[test]
        fn folding_follows_its_definition(text in prop_oneof![awkward_text(), any::<String>()]) {
            for mode in [Mode::Ascii, Mode::Unicode] {
                prop_assert_eq!(folded(&text, mode), defined(&text, mode));
            }
        }
    }
}
