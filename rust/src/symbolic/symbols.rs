//! Names of things: how they are written, and what they are compared by (seed 003, spec B1.39.4).

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::error::{Error, Result};
use crate::text::{Mode, is_stop_word};

/// The longest symbol in UTF-8 bytes, as it is given.
pub const MAX_SYMBOL_BYTES: usize = 512;

/// A symbol as its author wrote it: no quotes at the ends, single spaces.
///
/// ```
/// assert_eq!(byheart_core::symbolic::canonical("  \"Secure   Execution\" "), "Secure Execution");
/// ```
#[must_use]
pub fn canonical(text: &str) -> String {
    joined(text.trim().trim_matches(['"', '\'', '`']).split_whitespace())
}

/// What a symbol is compared by: lower case, all but words and hyphens made a space.
///
/// In [`Mode::Unicode`] a word is made of letters, marks, numbers and `_`, after NFKC; in [`Mode::Ascii`] of
/// `[A-Za-z0-9_]`.
///
/// ```
/// use byheart_core::{symbolic::symbol_key, text::Mode};
/// assert_eq!(symbol_key("\"Secure   Execution!\"", Mode::Unicode), "secure execution");
/// assert_eq!(symbol_key("Café", Mode::Ascii), "caf");
/// ```
#[must_use]
pub fn symbol_key(text: &str, mode: Mode) -> String {
    let mut plain = canonical(text);
    if mode == Mode::Unicode && !plain.is_ascii() {
        plain = plain.nfkc().collect();
    }
    let spaced: String =
        plain.to_lowercase().chars().map(|c| if c == '-' || is_word(c, mode) { c } else { ' ' }).collect();
    joined(spaced.split(' '))
}

/// The words of a symbol's key, stop words left out, unstemmed, duplicates kept.
///
/// ```
/// use byheart_core::{symbolic::symbol_tokens, text::Mode};
/// assert_eq!(symbol_tokens("the foo_bar", Mode::Unicode), ["foo", "bar"]);
/// ```
#[must_use]
pub fn symbol_tokens(text: &str, mode: Mode) -> Vec<String> {
    tokens_of_key(&symbol_key(text, mode)).map(str::to_owned).collect()
}

/// The tokens of what already is a key.
pub(super) fn tokens_of_key(key: &str) -> impl Iterator<Item = &str> {
    key.split([' ', '_', '-']).filter(|word| !word.is_empty() && !is_stop_word(word))
}

/// Refuses a symbol that is too long, or that has nothing to be compared by.
///
/// # Errors
/// [`Error::LimitExceeded`], [`Error::InvalidArgument`].
pub fn check_symbol(what: &str, text: &str, mode: Mode) -> Result<()> {
    if text.len() > MAX_SYMBOL_BYTES {
        return Err(Error::limit(format!("{what} length in bytes"), MAX_SYMBOL_BYTES, text.len()));
    }
    if symbol_key(text, mode).is_empty() {
        return Err(Error::invalid(what, format!("{text:?} has no letter or number to be compared by")));
    }
    Ok(())
}

fn is_word(character: char, mode: Mode) -> bool {
    if character.is_ascii() || mode == Mode::Ascii {
        return character == '_' || character.is_ascii_alphanumeric();
    }
    let group = character.general_category_group();
    matches!(group, GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark | GeneralCategoryGroup::Number)
}

fn joined<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let mut out = String::new();
    for word in words.filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}
