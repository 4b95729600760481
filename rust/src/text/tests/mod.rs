//! What the analyzer promises: the published cases of the ASCII mode, one case for each clause of the Unicode mode,
//! and equality with the definition (`definition.rs`) on any text.

mod ascii;
mod definition;
mod limits;
mod unicode;

use super::{Analyzer, Mode, StopWords};

/// Stop words and stems, in `mode`.
fn full(mode: Mode) -> Analyzer {
    Analyzer::new(mode, true, StopWords::English)
}

/// Neither stop words nor stems, in `mode`.
fn bare(mode: Mode) -> Analyzer {
    Analyzer::new(mode, false, StopWords::None)
}

/// Checks that each text gives its terms, written with single spaces between them.
fn assert_terms(analyzer: Analyzer, cases: &[(&str, &str)]) {
    for &(text, expected) in cases {
        let expected: Vec<&str> = expected.split(' ').filter(|term| !term.is_empty()).collect();
        assert_eq!(analyzer.terms(text), expected, "{} of {text:?}", analyzer.name());
    }
}

#[test]
fn names_and_analyzers_are_one_to_one() {
    let mut names = std::collections::BTreeSet::new();
    for mode in [Mode::Unicode, Mode::Ascii] {
        for stem in [true, false] {
            for stop_words in [StopWords::English, StopWords::None] {
                let analyzer = Analyzer::new(mode, stem, stop_words);
                assert_eq!(Analyzer::from_name(&analyzer.name()), Ok(analyzer));
                names.insert(analyzer.name());
            }
        }
    }
    assert_eq!(names.len(), 8);
    assert!(names.contains("unicode+english+porter") && names.contains("ascii+none+none"));
}

#[test]
fn unknown_names_are_refused_and_say_what_would_do() {
    let wrong = [
        "",
        "unicode",
        "unicode+english",
        "utf8+english+porter",
        "unicode+french+porter",
        "unicode+english+snowball",
        "unicode+english+porter+",
        "Unicode+english+porter",
    ];
    for name in wrong {
        let error = Analyzer::from_name(name).expect_err(name);
        assert!(matches!(error, crate::Error::InvalidArgument { .. }), "{error}");
    }
    assert!(Mode::from_name("utf8").unwrap_err().to_string().contains("\"ascii\""));
    assert!(StopWords::from_name("french").unwrap_err().to_string().contains("\"english\""));
}

#[test]
fn many_texts_give_what_each_gives_alone() {
    let analyzer = Analyzer::default();
    let texts = ["a long first text about résumés", "", "日本語", "short"];
    let alone: Vec<_> = texts.iter().map(|text| analyzer.terms(text)).collect();
    assert_eq!(analyzer.terms_of_each(&texts), alone);
}
