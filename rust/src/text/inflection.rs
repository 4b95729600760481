//! The stems of words in languages other than English (those of Snowball), beside the terms that the analyzer makes of them.

use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::FxHashSet;

use super::analyzer::{Analyzer, Mode, Scratch, StopWords};
use super::porter::stem_in_place;
use crate::error::{Error, Result};

/// What is longer is no word, in bytes.
const LONGEST: usize = 64;

/// A word whose stem is another than its term.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Inflected {
    /// As it stands in the text, in lower case.
    pub word: String,
    /// What the analyzer makes of it.
    pub term: String,
    /// The stem in its language.
    pub stem: String,
}

impl Analyzer {
    /// The words of a text whose stem in their language is another than their term, in order, each once. Writing that has
    /// one language here (Cyrillic, Greek, Arabic) tells it word by word; `language` is that of words of Latin letters, if it
    /// is known. There are none for an analyzer that makes no stems, or knows ASCII alone.
    ///
    /// ```
    /// use byheart_core::text::Analyzer;
    /// let told = Analyzer::default().inflected("Wo sind meine Kinder?", Some("de")).unwrap();
    /// let last = told.last().unwrap();
    /// assert_eq!((last.term.as_str(), last.stem.as_str()), ("kinder", "kind"));
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a language that has no stemmer.
    pub fn inflected(&self, text: &str, language: Option<&str>) -> Result<Vec<Inflected>> {
        let latin = language.map(stemmer_of).transpose()?;
        let mut found = Vec::new();
        if !self.stem || self.mode == Mode::Ascii {
            return Ok(found);
        }
        let mut known: FxHashSet<Box<str>> = FxHashSet::default();
        Self::new(self.mode, false, StopWords::None).for_each_term(text, &mut Scratch::default(), &mut |word| {
            if word.len() > LONGEST || !word.chars().all(char::is_alphabetic) || known.contains(word) {
                return;
            }
            known.insert(word.into());
            let of_writing = stemmer_of_writing(word);
            let Some(stemmer) = of_writing.as_ref().or(latin.as_ref()) else { return };
            let stem = stemmer.stem(&word.replace('\u{451}', "\u{435}")).into_owned(); // ё is as often written е
            let mut term = word.to_owned();
            if term.is_ascii() {
                stem_in_place(&mut term);
            }
            if stem != term && !stem.is_empty() {
                found.push(Inflected { word: word.to_owned(), term, stem });
            }
        });
        Ok(found)
    }
}

/// The stemmer of a language by its code (ISO 639-1).
fn stemmer_of(language: &str) -> Result<Stemmer> {
    let algorithm = match language {
        "da" => Algorithm::Danish,
        "de" => Algorithm::German,
        "es" => Algorithm::Spanish,
        "fr" => Algorithm::French,
        "it" => Algorithm::Italian,
        "nl" => Algorithm::Dutch,
        "pt" => Algorithm::Portuguese,
        "sv" => Algorithm::Swedish,
        _ => {
            return Err(Error::invalid(
                "language",
                format!("{language:?} has no stemmer; give one of da, de, es, fr, it, nl, pt, sv"),
            ));
        }
    };
    Ok(Stemmer::create(algorithm))
}

/// The stemmer of a word in writing that has one language here.
fn stemmer_of_writing(word: &str) -> Option<Stemmer> {
    let algorithm = match word.chars().next()? {
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Algorithm::Greek,
        '\u{400}'..='\u{4ff}' => Algorithm::Russian,
        '\u{620}'..='\u{64a}' => Algorithm::Arabic,
        _ => return None,
    };
    Some(Stemmer::create(algorithm))
}
