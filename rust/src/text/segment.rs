//! Cutting: a folded text becomes chunks between white space, chunks become runs, runs become tokens, tokens terms.
//!
//! ```text
//! for each chunk between white space:
//!     in unicode mode, cut it into ideographic runs (-> characters and pairs) and others
//!     any other run, or the chunk: strip its edges, take off one 's, drop it if nothing or a stop word is left
//!     emit it, then the parts between its hyphens
//! ```
//!
//! One table look-up per byte finds the end of a chunk and what kinds of characters it has; a chunk of letters
//! alone, the most common kind, is a token without a second look.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use super::analyzer::{Analyzer, MAX_TERM_BYTES, Mode, StopWords};
use super::ideographic::is_ideographic;
use super::stems::Stems;
use super::stop_words::is_stop_word;

const SPACE: u8 = 1;
const LETTER_OR_DIGIT: u8 = 2;
const HYPHEN: u8 = 4;
const UNDERSCORE: u8 = 8;
/// ASCII characters that are stripped from edges.
const STRIPPED: u8 = 16;
/// A byte of a character outside ASCII.
const FOREIGN: u8 = 32;

/// The kind of each byte. NUL is an ordinary character, stripped from edges like other controls.
static KINDS: [u8; 256] = {
    let mut kinds = [STRIPPED; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => LETTER_OR_DIGIT,
            9..=13 | b' ' => SPACE,
            b'-' => HYPHEN,
            b'_' => UNDERSCORE,
            0x80.. => FOREIGN,
            _ => STRIPPED,
        };
        byte += 1;
    }
    kinds
};

/// Where terms go, and how they are made.
pub(super) struct Segmenter<'a, F: FnMut(&str)> {
    /// What is wanted.
    pub(super) analyzer: Analyzer,
    /// Stems words, and knows some from before.
    pub(super) stems: &'a mut Stems,
    /// Receives the terms in order.
    pub(super) emit: &'a mut F,
}

impl<F: FnMut(&str)> Segmenter<'_, F> {
    /// Emits the terms of a folded text.
    pub(super) fn run(&mut self, folded: &str) {
        let bytes = folded.as_bytes();
        let mut position = 0;
        while position < bytes.len() {
            let start = position;
            let mut kinds = 0;
            while let Some(&byte) = bytes.get(position) {
                let kind = KINDS[usize::from(byte)];
                if kind == SPACE {
                    break;
                }
                kinds |= kind;
                position += 1;
            }
            let chunk = &folded[start..position];
            if kinds & FOREIGN != 0 {
                self.foreign_chunk(chunk);
            } else if kinds != 0 {
                self.token(chunk, kinds, [false; 2]);
            }
            position += 1; // over the white space
        }
    }

    /// A chunk between ASCII white space that has characters outside ASCII, white space perhaps among them.
    fn foreign_chunk(&mut self, chunk: &str) {
        match self.analyzer.mode {
            Mode::Ascii => chunk.split(is_script_space).for_each(|part| self.token(part, kinds_of(part), [false; 2])),
            Mode::Unicode => chunk.split(char::is_whitespace).for_each(|part| self.runs(part)),
        }
    }

    /// Cuts a part without white space where ideographic and other characters meet.
    fn runs(&mut self, part: &str) {
        let mut rest = part;
        while let Some(first) = rest.chars().next() {
            let ideographic = is_ideographic(first);
            let length = rest.find(|c| is_ideographic(c) != ideographic).unwrap_or(rest.len());
            let (run, after) = rest.split_at(length);
            if ideographic {
                self.characters_and_pairs(run);
            } else {
                let joined = [rest.len() < part.len(), !after.is_empty()];
                self.token(run, kinds_of(run), joined);
            }
            rest = after;
        }
    }

    /// Each character of the run, and after it the pair that it begins.
    fn characters_and_pairs(&mut self, run: &str) {
        let ends = || run.char_indices().map(|(start, c)| start + c.len_utf8());
        let mut start = 0;
        for (end, pair_end) in ends().zip(ends().skip(1)) {
            (self.emit)(&run[start..end]);
            (self.emit)(&run[start..pair_end]);
            start = end;
        }
        (self.emit)(&run[start..]);
    }

    /// Strips a run to its token; emits that and its hyphenated parts. `kinds` are the kinds of its bytes; `joined` says
    /// whether ideographic writing stands right before it, and right behind.
    fn token(&mut self, run: &str, kinds: u8, joined: [bool; 2]) {
        let mut token = run;
        if kinds & (STRIPPED | FOREIGN | UNDERSCORE) != 0 {
            token = self.without_edges(run, joined);
            token = token.strip_suffix("'s").unwrap_or(token);
        }
        // With letters and digits alone there is nothing to ask but the stop list.
        if (kinds != LETTER_OR_DIGIT && !self.counts(token)) || self.is_stop_word(token) {
            return;
        }
        self.term(token);
        if kinds & HYPHEN != 0 && !(self.analyzer.mode == Mode::Ascii && token.as_bytes()[0].is_ascii_digit()) {
            for part in token.split('-') {
                if self.counts(part) && !self.is_stop_word(part) {
                    self.term(part);
                }
            }
        }
    }

    /// A run without what is stripped from its edges. An underscore stays that joins it to ideographic writing, and those
    /// around a stop word, which is a name then: `__all__`.
    fn without_edges<'b>(&self, run: &'b str, joined: [bool; 2]) -> &'b str {
        let stays = |side: usize, c: char| self.stays_at_edge(c) || (c == '_' && joined[side]);
        let start = run.find(|c| stays(0, c)).unwrap_or(run.len());
        let token = run[start..].trim_end_matches(|c| !stays(1, c));
        let (before, after) = (&run[..start], &run[start + token.len()..]);
        if before.ends_with("__") && after.starts_with("__") && is_stop_word(token) {
            return &run[start - 2..start + token.len() + 2];
        }
        token
    }

    /// Is `token` something: not empty and, in unicode mode, with a letter or a number?
    fn counts(&self, token: &str) -> bool {
        match self.analyzer.mode {
            Mode::Ascii => !token.is_empty(),
            Mode::Unicode => token.chars().any(is_letter_or_number),
        }
    }

    fn is_stop_word(&self, token: &str) -> bool {
        self.analyzer.stop_words == StopWords::English && is_stop_word(token)
    }

    fn stays_at_edge(&self, character: char) -> bool {
        match (u8::try_from(character), self.analyzer.mode) {
            (Ok(b'_'), mode) => mode == Mode::Ascii,
            (Ok(byte @ 0..0x80), _) => KINDS[usize::from(byte)] & (LETTER_OR_DIGIT | HYPHEN) != 0,
            (_, Mode::Ascii) => false,
            (_, Mode::Unicode) => matches!(
                character.general_category_group(),
                GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark | GeneralCategoryGroup::Number
            ),
        }
    }

    /// Cuts a token to the longest term, stems it and hands it over. Unicode mode stems ASCII terms only.
    fn term(&mut self, token: &str) {
        let cut = cut_to(token, MAX_TERM_BYTES);
        if !self.analyzer.stem || (self.analyzer.mode == Mode::Unicode && !cut.is_ascii()) {
            return (self.emit)(cut);
        }
        (self.emit)(self.stems.stem(cut));
    }
}

/// The kinds of all bytes of `run` together.
fn kinds_of(run: &str) -> u8 {
    run.bytes().fold(0, |kinds, byte| kinds | KINDS[usize::from(byte)])
}

fn is_letter_or_number(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric();
    }
    matches!(character.general_category_group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number)
}

/// White space as JavaScript's `\s` has it: with U+FEFF, without U+0085.
fn is_script_space(character: char) -> bool {
    character == '\u{FEFF}' || (character.is_whitespace() && character != '\u{85}')
}

/// The longest beginning of `text` with at most `limit` bytes that does not end inside a character.
fn cut_to(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    let end = (0..=limit).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    &text[..end]
}
