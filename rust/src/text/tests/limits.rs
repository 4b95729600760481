//! Terms that are cut, and inputs of hostile size.

use super::{Mode, bare, full};
use crate::text::{MAX_TERM_BYTES, porter_stem};

#[test]
fn terms_are_cut_at_255_bytes_and_never_inside_a_character() {
    let cases = [
        ("a".repeat(255), 255),
        ("a".repeat(256), 255),
        ("é".repeat(127) + "a", 255),
        ("é".repeat(128), 254),
        ("x𐍈".repeat(60), 255),
        ("xy𐍈".repeat(60), 254),
        ("xyz𐍈".repeat(60), 255),
        ("𐍈".repeat(64), 252),
    ];
    for (token, expected) in cases {
        let terms = bare(Mode::Unicode).terms(&token);
        assert_eq!(terms.len(), 1);
        assert_eq!(terms[0].len(), expected, "{token}");
        assert!(token.starts_with(&terms[0]));
    }
    let inside = format!("a{}a", "é".repeat(200));
    assert_eq!(bare(Mode::Ascii).terms(&inside), [format!("a{}", "é".repeat(127))]);
}

#[test]
fn the_cut_comes_before_the_stem() {
    // The last three of 255 bytes are "ing"; what follows is gone before the stemmer sees it.
    let token = "b".repeat(249) + "akeing" + "zzz";
    for mode in [Mode::Unicode, Mode::Ascii] {
        assert_eq!(full(mode).terms(&token), ["b".repeat(249) + "ake"]);
    }
    // A term cut to its ASCII beginning is pure ASCII, and so is stemmed.
    let mixed = "b".repeat(251) + "ated" + "é";
    assert_eq!(full(Mode::Unicode).terms(&mixed), ["b".repeat(251) + "ate"]);
}

/// Ten megabytes without white space, of every kind that some step might go over again and again.
/// Anything quadratic here would take hours.
#[test]
fn ten_megabyte_tokens_take_linear_time() {
    let size = 10_000_000;
    let patterns = [
        "a",
        "-",
        "_",
        "'",
        "'s",
        "a-",
        "y",
        ".",
        "\0",
        "é",
        "\u{301}",
        "\u{323}\u{301}",
        "Σ",
        "Σ.",
        "日",
        "日a",
        "\u{2019}",
        "🦀",
        "İ",
    ];
    for pattern in patterns {
        let text = format!("x{}x", pattern.repeat(size / pattern.len()));
        for mode in [Mode::Unicode, Mode::Ascii] {
            let (mut terms, mut longest) = (0, 0);
            full(mode).for_each_term(&text, &mut crate::text::Scratch::default(), &mut |term| {
                terms += 1;
                longest = longest.max(term.len());
            });
            assert!(
                terms >= 1 && longest <= MAX_TERM_BYTES,
                "{pattern:?}: {terms} terms, the longest of {longest} bytes"
            );
        }
    }
    assert_eq!(porter_stem(&"y".repeat(size)).len(), size);
}
