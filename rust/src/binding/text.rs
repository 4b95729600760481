//! Text analysis for Python.

use std::collections::HashMap;

use pyo3::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::convert;
use crate::error::Error;
use crate::text::{self, Analyzer as CoreAnalyzer, Mode, StopWords};

/// Text to terms: normalise, split, drop stop words, stem.
///
/// `mode="unicode"` (default) handles every script and splits CJK and Thai runs into characters and bigrams;
/// `mode="ascii"` looks at ASCII letters alone, as published cases have it. `stop_words` is "english" or None.
///
/// >>> Analyzer().terms("The re-indexed dogs")
/// ['re-index', 're', 'index', 'dog']
#[pyclass(frozen, eq, hash, module = "byheart._core")]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Analyzer {
    pub(super) inner: CoreAnalyzer,
}

#[pymethods]
impl Analyzer {
    #[new]
    #[pyo3(signature = (stem = true, stop_words = Some("english"), mode = "unicode"),
           text_signature = "(stem=True, stop_words='english', mode='unicode')")]
    fn new(stem: bool, stop_words: Option<&str>, mode: &str) -> PyResult<Self> {
        let mode = Mode::from_name(mode)?;
        let stop_words = stop_words.map_or(Ok(StopWords::None), StopWords::from_name)?;
        Ok(Self { inner: CoreAnalyzer::new(mode, stem, stop_words) })
    }

    /// The terms of a text, in order, repetitions kept. Raises LimitExceeded above 10 MB.
    fn terms(&self, py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let text = convert::text(text, "text")?;
        if text.len() > crate::lexical::MAX_TEXT_BYTES {
            return Err(Error::limit("text length in bytes", crate::lexical::MAX_TEXT_BYTES, text.len()).into());
        }
        let text = text.to_owned();
        Ok(py.detach(|| self.inner.terms(&text)))
    }

    /// Which of some phrases each text holds, word for word: bit n of a text's number stands for phrase n, of 64 at most.
    ///
    /// Words are those before stop words go and stems are made, of hyphenated ones the parts. A word that bears `mark` on
    /// the inner side, at an end of a phrase, may bear one on the outer side too.
    ///
    /// >>> Analyzer().held(["a Blue-Kettle", "kettles"], ["blue kettle", "kettles"])
    /// [1, 2]
    #[pyo3(signature = (texts, phrases, mark = ""))]
    fn held(
        &self,
        py: Python<'_>,
        texts: &Bound<'_, PyAny>,
        phrases: &Bound<'_, PyAny>,
        mark: &str,
    ) -> PyResult<Vec<u64>> {
        let (texts, phrases) = (convert::texts(texts, "texts")?, convert::texts(phrases, "phrases")?);
        if phrases.len() > text::MAX_PHRASES {
            return Err(Error::limit("number of phrases", text::MAX_PHRASES, phrases.len()).into());
        }
        Ok(py.detach(|| {
            let phrases = text::Phrases::new(self.inner, &phrases, mark);
            let (mut scratch, mut words) = (text::Scratch::default(), String::new());
            texts.iter().map(|each| phrases.held(each, &mut scratch, &mut words)).collect()
        }))
    }

    /// The words of a text whose stem in their language is another than their term: word, term and stem of each, once.
    ///
    /// `language` is the code of that of words of Latin letters (da, de, es, fr, it, nl, pt, sv), None if it is not known;
    /// Cyrillic, Greek and Arabic letters tell Russian, Greek and Arabic.
    ///
    /// >>> Analyzer().inflected("Wo sind meine Kinder?", "de")[-1]
    /// ('kinder', 'kinder', 'kind')
    #[pyo3(signature = (text, language = None))]
    fn inflected(
        &self,
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        language: Option<&str>,
    ) -> PyResult<Vec<(String, String, String)>> {
        let text = convert::text(text, "text")?;
        let found = py.detach(|| self.inner.inflected(text, language))?;
        Ok(found.into_iter().map(|each| (each.word, each.term, each.stem)).collect())
    }

    /// The name that index headers carry, such as "unicode+english+porter".
    #[getter]
    fn name(&self) -> String {
        self.inner.name()
    }

    fn __repr__(&self) -> String {
        format!("Analyzer({:?})", self.inner.name())
    }
}

/// The parts of identifiers, what words say beside themselves and the function words of texts of ASCII, as terms with a mark.
///
/// `beside` maps words to such others, as forms to their bases and things to their kinds; `light` are the function words; other stop words are terms where they are written as names.
///
/// >>> Marking(Analyzer(), "*", {"went": ["go"]}, ["before"]).marked("We went before getName")
/// '*name *go *before'
#[pyclass(frozen, module = "byheart._core")]
#[derive(Debug)]
pub struct Marking {
    analyzer: CoreAnalyzer,
    mark: String,
    beside: FxHashMap<Box<str>, Box<[Box<str>]>>,
    light: FxHashSet<Box<str>>,
}

#[pymethods]
impl Marking {
    #[new]
    fn new(
        analyzer: &Bound<'_, Analyzer>,
        mark: &Bound<'_, PyAny>,
        beside: HashMap<String, Vec<String>>,
        light: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let boxed = |names: Vec<String>| names.into_iter().map(Into::into).collect();
        let beside = beside.into_iter().map(|(word, names)| (word.into(), boxed(names))).collect();
        let light = convert::texts(light, "light")?.into_iter().map(Into::into).collect();
        let mark = convert::text(mark, "mark")?.to_owned();
        Ok(Self { analyzer: analyzer.get().inner, mark, beside, light })
    }

    /// The terms, each behind the mark, as one text, which is empty where there are none; None for a text that is not of ASCII
    /// alone, or has parts of more than 10 MB.
    fn marked(&self, py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let text = convert::text(text, "text")?;
        if !text.is_ascii() {
            return Ok(None);
        }
        let text = text.to_owned();
        Ok(py.detach(|| {
            let mut parts = String::new();
            text::push_parts(&text, &mut parts);
            text::push_beside(&text, &self.beside, &mut parts);
            if parts.len() > crate::lexical::MAX_TEXT_BYTES {
                return None;
            }
            let mut marked = String::new();
            let mut add = |term: &str| {
                if !marked.is_empty() {
                    marked.push(' ');
                }
                marked.push_str(&self.mark);
                marked.push_str(term);
            };
            self.analyzer.for_each_term(&parts, &mut text::Scratch::default(), &mut add);
            text::for_each_word(&text, |word| {
                if self.light.contains(word) {
                    add(word);
                }
            });
            if !self.light.is_empty() {
                text::for_each_name_in_capitals(&text, |name| {
                    if !self.light.contains(name) {
                        add(name);
                    }
                });
            }
            Some(marked)
        }))
    }

    fn __repr__(&self) -> String {
        format!("Marking({:?}, {:?})", self.analyzer.name(), self.mark)
    }
}

/// The parts of the identifiers in a text of ASCII, in order; None for one that is not of ASCII alone.
///
/// >>> identifier_parts("Call getUserName or os.path, don't")
/// ['get', 'User', 'Name', 'os', 'path']
#[pyfunction]
pub fn identifier_parts(text: &Bound<'_, PyAny>) -> PyResult<Option<Vec<String>>> {
    let text = convert::text(text, "text")?;
    if !text.is_ascii() {
        return Ok(None);
    }
    let mut parts = String::new();
    text::push_parts(text, &mut parts);
    Ok(Some(parts.split_ascii_whitespace().map(str::to_owned).collect()))
}

/// The pieces of a text in turns: one of ASCII, with blanks in the place of marks that join words of which the index knows the
/// parts, and one of other writing as it is.
///
/// `mark` stands at words that stay one with a neighbour. The first and the last piece are of ASCII, and may be empty.
///
/// >>> opened("kettle/bath, get__name/kettle at 12:30", "*")
/// ['kettle bath, get__name* kettle at 12:30']
#[pyfunction]
pub fn opened(text: &Bound<'_, PyAny>, mark: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    Ok(text::opened(convert::text(text, "text")?, convert::text(mark, "mark")?))
}

/// The stem of a lower-case word by Porter's algorithm (1980, with Porter's own two later changes).
///
/// >>> porter_stem("relational")
/// 'relat'
#[pyfunction]
pub fn porter_stem(word: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(text::porter_stem(convert::text(word, "word")?))
}

/// The words that the analyzer drops: 115 English function words.
#[pyfunction]
pub fn stop_words() -> Vec<&'static str> {
    text::STOP_WORDS.to_vec()
}
