//! The ASCII mode: the published cases, and the clauses that they leave out.

use super::{Mode, StopWords, assert_terms, bare, full};
use crate::text::Analyzer;

#[test]
fn published_cases() {
    assert_terms(
        full(Mode::Ascii),
        &[
            ("The quick brown fox", "quick brown fox"),
            ("BM25", "bm25"),
            ("3-day re-index", "3-dai re-index re index"),
            ("--flag -x", "--flag flag -x x"),
            ("dogs' U.S.A. e.g.", "dog u.s.a e.g"),
            ("", ""),
            ("well-known", "well-known well known"),
            ("100's", "100"),
            ("The AchillesIDE uses Ploinky.", "achillesid us ploinki"),
        ],
    );
    let unstemmed = Analyzer::new(Mode::Ascii, false, StopWords::English);
    assert_terms(unstemmed, &[("CPU-only deployment", "cpu-only cpu deployment")]);
}

#[test]
fn white_space_is_that_of_javascript() {
    assert_terms(
        bare(Mode::Ascii),
        &[
            ("a\u{9}b\u{A}c\u{B}d\u{C}e\u{D}f g", "a b c d e f g"),
            (
                "a\u{A0}b\u{1680}c\u{2000}d\u{200A}e\u{2028}f\u{2029}g\u{202F}h\u{205F}i\u{3000}j\u{FEFF}k",
                "a b c d e f g h i j k",
            ),
            ("a\u{85}b a\u{1C}b a\u{200B}b a\0b", "a\u{85}b a\u{1C}b a\u{200B}b a\0b"),
        ],
    );
}

#[test]
fn edges_lose_all_but_ascii_letters_digits_underscore_and_hyphen() {
    assert_terms(
        bare(Mode::Ascii),
        &[
            ("(word). [_x_]: «-y-»", "word _x_ -y- y"),
            ("café ébène naïve Ünder", "caf bène naïve nder"), // letters of other alphabets go too, inside they stay
            ("日本語 -- ...", "--"),
            ("\0word\0", "word"),
        ],
    );
}

#[test]
fn one_possessive_goes_and_only_with_a_straight_apostrophe() {
    assert_terms(
        bare(Mode::Ascii),
        &[("User's, user's's 's don't", "user user's s don't"), ("user\u{2019}s", "user\u{2019}s"), ("x-'s", "x- x")],
    );
}

#[test]
fn stop_words_go_before_stemming_and_among_hyphenated_parts() {
    assert_terms(
        full(Mode::Ascii),
        &[("the thes THE! state-of-the-art of-the", "the state-of-the-art state art of-th")],
    );
    assert_terms(bare(Mode::Ascii), &[("the of-the", "the of-the of the")]);
}

#[test]
fn capitals_that_become_ascii_letters_are_kept() {
    assert_terms(bare(Mode::Ascii), &[("\u{212A}elvin", "kelvin"), ("İx", "i\u{307}x")]);
}

#[test]
fn words_with_foreign_letters_are_stemmed() {
    assert_terms(full(Mode::Ascii), &[("naïvely naïveness", "naïv naïv"), ("rés", "ré")]);
}
