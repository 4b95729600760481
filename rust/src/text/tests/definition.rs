//! The definition of the terms, step by step and without shortcuts, and its equality with the analyzer.

use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use super::super::{Analyzer, Mode, STOP_WORDS, StopWords, is_ideographic, porter_stem};

const JAVASCRIPT_SPACE: &str = "\t\n\u{B}\u{C}\r \u{A0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}\
    \u{2007}\u{2008}\u{2009}\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}";

fn defined(analyzer: Analyzer, text: &str) -> Vec<String> {
    match analyzer.mode {
        Mode::Ascii => defined_ascii(analyzer, text),
        Mode::Unicode => defined_unicode(analyzer, text),
    }
}

fn defined_ascii(analyzer: Analyzer, text: &str) -> Vec<String> {
    let lowered = text.to_lowercase();
    let mut terms = Vec::new();
    for chunk in lowered.split(|c| JAVASCRIPT_SPACE.contains(c)) {
        let token = chunk.trim_matches(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-'));
        let token = token.strip_suffix("'s").unwrap_or(token);
        if token.is_empty() || stops(analyzer, token) {
            continue;
        }
        terms.push(token);
        if token.contains('-') && !token.starts_with(|c: char| c.is_ascii_digit()) {
            terms.extend(token.split('-').filter(|part| !part.is_empty() && !stops(analyzer, part)));
        }
    }
    terms.into_iter().map(|token| finished(analyzer, token)).collect()
}

fn defined_unicode(analyzer: Analyzer, text: &str) -> Vec<String> {
    let mut folded = text.nfkc().collect::<String>().to_lowercase().replace(['\u{2018}', '\u{2019}', '\u{2BC}'], "'");
    while folded.contains("i\u{307}") {
        folded = folded.replace("i\u{307}", "i");
    }
    let mut terms = Vec::new();
    for chunk in folded.split(char::is_whitespace) {
        let characters: Vec<char> = chunk.chars().collect();
        let mut at = 0;
        for run in characters.chunk_by(|&a, &b| is_ideographic(a) == is_ideographic(b)) {
            let joined = (at > 0, at + run.len() < characters.len());
            at += run.len();
            if is_ideographic(run[0]) {
                for (i, character) in run.iter().enumerate() {
                    terms.push(character.to_string());
                    terms.extend(run.get(i + 1).map(|next| format!("{character}{next}")));
                }
            } else {
                terms.extend(defined_tokens(analyzer, &String::from_iter(run), joined));
            }
        }
    }
    terms
}

fn defined_tokens(analyzer: Analyzer, run: &str, (before, behind): (bool, bool)) -> Vec<String> {
    use GeneralCategoryGroup::{Letter, Mark, Number};
    let stays = |c: char| matches!(c.general_category_group(), Letter | Mark | Number) || c == '-';
    let counts = |token: &str| token.chars().any(|c| matches!(c.general_category_group(), Letter | Number));
    let token = run.trim_start_matches(|c| !(stays(c) || (before && c == '_')));
    let token = token.trim_end_matches(|c| !(stays(c) || (behind && c == '_')));
    let name = format!("__{token}__");
    let is_name = STOP_WORDS.contains(&token) && run.contains(&name);
    let token = if is_name { name.as_str() } else { token };
    let token = token.strip_suffix("'s").unwrap_or(token);
    if !counts(token) || stops(analyzer, token) {
        return Vec::new();
    }
    let parts = token.split('-').filter(|part| token.contains('-') && counts(part) && !stops(analyzer, part));
    std::iter::once(token).chain(parts).map(|token| finished(analyzer, token)).collect()
}

fn stops(analyzer: Analyzer, token: &str) -> bool {
    analyzer.stop_words == StopWords::English && STOP_WORDS.contains(&token)
}

/// Cut to 255 bytes, then stemmed.
fn finished(analyzer: Analyzer, token: &str) -> String {
    let mut term = token.to_owned();
    while term.len() > 255 {
        term.pop();
    }
    let stem = analyzer.stem && (analyzer.mode == Mode::Ascii || term.is_ascii());
    if stem { porter_stem(&term) } else { term }
}

fn analyzers() -> impl Strategy<Value = Analyzer> {
    (any::<bool>(), any::<bool>(), any::<bool>()).prop_map(|(unicode, stem, english)| {
        let mode = if unicode { Mode::Unicode } else { Mode::Ascii };
        Analyzer::new(mode, stem, if english { StopWords::English } else { StopWords::None })
    })
}

/// Bits of text whose borders are where mistakes live, joined in any order.
fn pieces(pieces: &'static [&'static str]) -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(pieces), 0..16).prop_map(|chosen| chosen.concat())
}

const ASCII_PIECES: &[&str] = &[
    "the", "Of", "memories", "3", "x", "-", "--", "_", "'", "'s", "'S", ".", "(", " ", "\n", "\u{B}", "\0", "\u{1C}",
    "\u{7F}",
];

const PIECES: &[&str] = &[
    "the",
    "User",
    "memories",
    "3",
    "-",
    "_",
    "'s",
    ".",
    " ",
    "\0",
    "é",
    "É",
    "e\u{301}",
    "\u{301}",
    "’s",
    "‘",
    "ʼ",
    "ŉ",
    "\u{85}",
    "\u{A0}",
    "\u{A8}",
    "\u{FEFF}",
    "\u{2028}",
    "\u{200B}",
    "日",
    "本語",
    "か",
    "\u{3099}",
    "ｶ",
    "ﾞ",
    "한",
    "\u{1112}",
    "\u{1161}",
    "ไทย",
    "Σ",
    "ΑΣ",
    "İ",
    "ﬁ",
    "Ｔｈｅ",
    "①",
    "½",
    "٣",
    "«",
    "。",
    "🦀",
    "\u{212A}",
    "क\u{94D}",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn ascii_texts_follow_the_definition(analyzer in analyzers(), text in prop_oneof![pieces(ASCII_PIECES), "[\\x00-\\x7F]{0,40}"]) {
        prop_assert_eq!(analyzer.terms(&text), defined(analyzer, &text));
    }

    #[test]
    fn all_texts_follow_the_definition(analyzer in analyzers(), text in prop_oneof![pieces(PIECES), any::<String>()]) {
        prop_assert_eq!(analyzer.terms(&text), defined(analyzer, &text));
    }

    #[test]
    fn terms_beyond_the_limit_follow_the_definition(analyzer in analyzers(), piece in "[a-zé日-]{1,4}", times in 60_usize..300) {
        let text = piece.repeat(times);
        prop_assert_eq!(analyzer.terms(&text), defined(analyzer, &text));
    }
}

#[test]
fn every_assigned_character_alone_and_between_letters_follows_the_definition() {
    let mut checked = 0;
    // Planes 4 to 13 are empty, 15 and 16 for private use.
    for character in ('\0'..='\u{3FFFF}').chain('\u{E0000}'..='\u{E01FF}').chain(['\u{40000}', char::MAX]) {
        for text in [character.to_string(), format!("a{character}b"), format!("{character}-{character}'s")] {
            for mode in [Mode::Unicode, Mode::Ascii] {
                let analyzer = Analyzer::new(mode, true, StopWords::English);
                assert_eq!(analyzer.terms(&text), defined(analyzer, &text), "{text:?}");
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 6 * (0x4_0000 - 0x800 + 0x200 + 2));
}
