//! The analyzer: its choices, its name, and its verbs.

use super::fold::fold;
use super::segment::Segmenter;
use super::stems::Stems;
use crate::error::{Error, Result};

/// The longest term in UTF-8 bytes. Longer ones are cut at the last whole character, then stemmed.
pub const MAX_TERM_BYTES: usize = 255;

/// How a text is cut into tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// Every script: NFKC, lower case, edges stripped by Unicode category, ideographic runs as characters and pairs.
    #[default]
    Unicode,
    /// English in ASCII: lower case, edges stripped of all but `A-Z a-z 0-9 _ -`. Words of other scripts disappear.
    Ascii,
}

/// Which words are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum StopWords {
    /// None are.
    None,
    /// The 115 of [`STOP_WORDS`](super::STOP_WORDS).
    #[default]
    English,
}

impl Mode {
    /// `unicode` or `ascii`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unicode => "unicode",
            Self::Ascii => "ascii",
        }
    }

    /// The mode of that name.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for any other name.
    pub fn from_name(name: &str) -> Result<Self> {
        [Self::Unicode, Self::Ascii]
            .into_iter()
            .find(|mode| mode.name() == name)
            .ok_or_else(|| Error::invalid("mode", format!("{name:?} is unknown; give \"unicode\" or \"ascii\"")))
    }
}

impl StopWords {
    /// `english` or `none`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::English => "english",
        }
    }

    /// The list of that name.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for any other name.
    pub fn from_name(name: &str) -> Result<Self> {
        [Self::English, Self::None]
            .into_iter()
            .find(|list| list.name() == name)
            .ok_or_else(|| Error::invalid("stop_words", format!("{name:?} is unknown; give \"english\" or none")))
    }
}

/// Turns texts into terms. Small and copied freely; two analyzers are the same if their names are.
///
/// ```
/// use byheart_core::text::Analyzer;
/// let analyzer = Analyzer::default();
/// assert_eq!(analyzer.name(), "unicode+english+porter");
/// assert_eq!(analyzer.terms("The cats’ CPU-only memories"), ["cat", "cpu-onli", "cpu", "memori"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Analyzer {
    /// How texts are cut.
    pub mode: Mode,
    /// Are terms stemmed? In unicode mode only those that are pure ASCII.
    pub stem: bool,
    /// Which words are left out.
    pub stop_words: StopWords,
}

impl Default for Analyzer {
    fn default() -> Self {
        Self::new(Mode::Unicode, true, StopWords::English)
    }
}

impl Analyzer {
    /// An analyzer of these choices.
    ///
    /// ```
    /// use byheart_core::text::{Analyzer, Mode, StopWords};
    /// let analyzer = Analyzer::new(Mode::Ascii, false, StopWords::None);
    /// assert_eq!(analyzer.terms("The café opens"), ["the", "caf", "opens"]);
    /// ```
    #[must_use]
    pub fn new(mode: Mode, stem: bool, stop_words: StopWords) -> Self {
        Self { mode, stem, stop_words }
    }

    /// Mode, stop words and stemmer, joined by `+`: what index headers carry.
    #[must_use]
    pub fn name(&self) -> String {
        let stemmer = if self.stem { "porter" } else { "none" };
        format!("{}+{}+{stemmer}", self.mode.name(), self.stop_words.name())
    }

    /// The analyzer of that name.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if [`Analyzer::name`] never gives `name`.
    ///
    /// ```
    /// use byheart_core::text::Analyzer;
    /// let analyzer = Analyzer::from_name("ascii+none+porter").unwrap();
    /// assert_eq!(analyzer.name(), "ascii+none+porter");
    /// assert!(Analyzer::from_name("ascii").is_err());
    /// ```
    pub fn from_name(name: &str) -> Result<Self> {
        let [mode, stop_words, stemmer] = *name.split('+').collect::<Vec<_>>() else {
            return Err(Error::invalid("analyzer", format!("{name:?} is not of the form mode+stop words+stemmer")));
        };
        let stem = match stemmer {
            "porter" => true,
            "none" => false,
            _ => return Err(Error::invalid("stemmer", format!("{stemmer:?} is unknown; give \"porter\" or \"none\""))),
        };
        Ok(Self::new(Mode::from_name(mode)?, stem, StopWords::from_name(stop_words)?))
    }

    /// The terms of `text` in order, duplicates kept.
    #[must_use]
    pub fn terms(&self, text: &str) -> Vec<String> {
        self.terms_with(text, &mut Scratch::default())
    }

    /// The terms of each text, in order.
    ///
    /// ```
    /// let terms = byheart_core::text::Analyzer::default().terms_of_each(&["Tea cups", ""]);
    /// assert_eq!(terms, [vec!["tea", "cup"], vec![]]);
    /// ```
    #[must_use]
    pub fn terms_of_each<T: AsRef<str>>(&self, texts: &[T]) -> Vec<Vec<String>> {
        let mut scratch = Scratch::default();
        texts.iter().map(|text| self.terms_with(text.as_ref(), &mut scratch)).collect()
    }

    /// Hands each term of `text` to `emit`, in order. Allocates nothing once `scratch` has grown to the longest
    /// text, except for texts with a capital sigma.
    ///
    /// ```
    /// use byheart_core::text::{Analyzer, Scratch};
    /// let mut lengths = Vec::new();
    /// Analyzer::default().for_each_term("two apples", &mut Scratch::default(), &mut |term| lengths.push(term.len()));
    /// assert_eq!(lengths, [3, 4]); // two, appl
    /// ```
    pub fn for_each_term(&self, text: &str, scratch: &mut Scratch, emit: &mut impl FnMut(&str)) {
        let Scratch { normal, folded, stems } = scratch;
        fold(text, self.mode, normal, folded);
        Segmenter { analyzer: *self, stems, emit }.run(folded);
    }

    fn terms_with(self, text: &str, scratch: &mut Scratch) -> Vec<String> {
        let mut terms = Vec::new();
        self.for_each_term(text, scratch, &mut |term| terms.push(term.to_owned()));
        terms
    }
}

/// Buffers that [`Analyzer::for_each_term`] uses again from text to text. Its content means nothing between calls.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    /// The text in normal form.
    normal: String,
    /// The text in normal form and lower case.
    folded: String,
    /// Stems of words that were met.
    stems: Stems,
}
