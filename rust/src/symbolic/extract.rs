//! Facts that sentences state (spec B1.39.3): sixteen patterns of words, in linear time.

use super::symbols::canonical;

/// No fact is taken from a text of more characters.
pub const MAX_SENTENCE: usize = 2_000;

/// How sure an extracted fact is.
pub const EXTRACTED_CONFIDENCE: f64 = 0.9;

/// A fact as somebody states it.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// What it is about.
    pub subject: String,
    /// One of the relations that the index was made with.
    pub relation: String,
    /// What the subject is related to.
    pub object: String,
    /// From 0 to 1.
    pub confidence: f64,
}

/// In the order in which they are tried. A word in brackets may be missing; "a/an" stands for either.
const PATTERNS: [(&str, &[&str]); 16] = [
    ("uses", &["uses"]),
    ("provides", &["provides"]),
    ("has_capability", &["has", "[the]", "capability", "[of]"]),
    ("depends_on", &["depends", "on"]),
    ("part_of", &["is", "part", "of"]),
    ("instance_of", &["is", "a/an", "instance", "of"]),
    ("relevant_for", &["is", "relevant", "for"]),
    ("relevant_for", &["helps", "with"]),
    ("relevant_for", &["is", "useful", "for"]),
    ("supports", &["supports"]),
    ("supports", &["enables"]),
    ("mentions", &["mentions"]),
    ("about", &["is", "about"]),
    ("causes", &["causes"]),
    ("causes", &["triggered"]),
    ("causes", &["leads", "to"]),
];

/// The fact that a sentence states, if one of the patterns finds one.
///
/// Patterns are tried in order; within one, the first place counts at which its words stand between two parts that
/// each lie on one line. An empty part, or a thing said of itself, leads to the next pattern. Texts of more than
/// [`MAX_SENTENCE`] characters state nothing.
///
/// ```
/// let fact = byheart_core::symbolic::extract_fact("Ploinky depends on KernelX.").unwrap();
/// assert_eq!((fact.subject.as_str(), fact.relation.as_str(), fact.object.as_str()), ("Ploinky", "depends_on", "KernelX"));
/// ```
#[must_use]
pub fn extract_fact(text: &str) -> Option<Statement> {
    if text.chars().nth(MAX_SENTENCE).is_some() {
        return None;
    }
    let sentence = Sentence::new(text.trim().trim_end_matches(['.', '?', '!']));
    PATTERNS.iter().find_map(|(relation, pattern)| {
        let (start, end) = sentence.first_place(pattern)?;
        let (subject, object) = (cleaned(&sentence.words[..start]), cleaned(&sentence.words[end..]));
        let stated = !subject.is_empty() && !object.is_empty() && subject != object;
        stated.then(|| Statement {
            subject,
            relation: (*relation).to_owned(),
            object,
            confidence: EXTRACTED_CONFIDENCE,
        })
    })
}

/// The words of a text, and before which of them a new line begins.
struct Sentence<'a> {
    words: Vec<&'a str>,
    starts_line: Vec<bool>,
}

impl<'a> Sentence<'a> {
    fn new(text: &'a str) -> Self {
        let (mut words, mut starts_line) = (Vec::new(), Vec::new());
        let mut rest = text;
        while let Some(start) = rest.find(|c: char| !c.is_whitespace()) {
            let (gap, tail) = rest.split_at(start);
            let end = tail.find(char::is_whitespace).unwrap_or(tail.len());
            words.push(&tail[..end]);
            starts_line.push(gap.contains(['\n', '\r', '\u{2028}', '\u{2029}']));
            rest = &tail[end..];
        }
        Self { words, starts_line }
    }

    /// Where the pattern begins and ends: the first place with a part of one line on either side.
    fn first_place(&self, pattern: &[&str]) -> Option<(usize, usize)> {
        let last_break = self.starts_line.iter().rposition(|&breaks| breaks).unwrap_or(0);
        // A break inside the left part ends the search: it lies inside every later left part too.
        let first_break = self.starts_line.iter().skip(1).position(|&breaks| breaks).map_or(usize::MAX, |at| at + 1);
        (1..self.words.len().min(first_break.saturating_add(1))).find_map(|start| {
            let end = self.matched(start, pattern)?;
            (last_break <= end).then_some((start, end))
        })
    }

    /// Where the pattern ends that begins at a word, if a word is left after it.
    fn matched(&self, at: usize, pattern: &[&str]) -> Option<usize> {
        let Some((&wanted, rest)) = pattern.split_first() else { return (at < self.words.len()).then_some(at) };
        let optional = wanted.starts_with('[');
        let mut choices = wanted.trim_matches(['[', ']']).split('/');
        let same = self.words.get(at).is_some_and(|word| choices.any(|choice| word.eq_ignore_ascii_case(choice)));
        let end = if same { self.matched(at + 1, rest) } else { None };
        if end.is_none() && optional { self.matched(at, rest) } else { end }
    }
}

/// A part of a sentence as a symbol: without quotes, full stops at its end, and a leading "that".
fn cleaned(words: &[&str]) -> String {
    let symbol = canonical(&words.join(" "));
    let symbol = symbol.trim_end_matches(['.', '?', '!']);
    let without = ["that ", "the fact that "].iter().find_map(|opening| {
        let head = symbol.get(..opening.len())?;
        head.eq_ignore_ascii_case(opening).then(|| &symbol[opening.len()..])
    });
    without.unwrap_or(symbol).trim_matches(' ').to_owned()
}
