//! Lengths as the seeds count them, and what counts as white space and as a CJK character.

use crate::error::{Error, Result};

/// What a length counts (decision D-7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LengthUnit {
    /// Unicode code points.
    CodePoint,
    /// UTF-16 code units, as JavaScript counts: two beyond the basic plane.
    Utf16,
}

impl LengthUnit {
    /// The unit of a name: "codepoint" or "utf16".
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for another name.
    pub fn from_name(name: &str) -> Result<Self> {
        match name {
            "codepoint" => Ok(Self::CodePoint),
            "utf16" => Ok(Self::Utf16),
            _ => Err(Error::invalid("length_unit", format!("{name:?} is unknown; use \"codepoint\" or \"utf16\""))),
        }
    }

    /// The length of a text, counted no further than `enough`.
    pub(super) fn length_up_to(self, text: &str, enough: usize) -> usize {
        match self {
            Self::CodePoint => text.chars().take(enough).count(),
            Self::Utf16 => text.encode_utf16().take(enough).count(),
        }
    }
}

/// What the gate's token estimator counts (A1.3.5, decision D-6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenUnit {
    /// UTF-8 bytes: the seed's rule.
    Byte,
    /// Unicode code points.
    CodePoint,
}

impl TokenUnit {
    /// The unit of a name: "byte" or "codepoint".
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for another name.
    pub fn from_name(name: &str) -> Result<Self> {
        match name {
            "byte" => Ok(Self::Byte),
            "codepoint" => Ok(Self::CodePoint),
            _ => Err(Error::invalid("token_unit", format!("{name:?} is unknown; use \"byte\" or \"codepoint\""))),
        }
    }

    /// The gate's estimate of the tokens in a text: a quarter of its length, rounded down, at least 1.
    pub(super) fn tokens(self, text: &str) -> usize {
        let length = match self {
            Self::Byte => text.len(),
            Self::CodePoint => text.chars().count(),
        };
        (length / 4).max(1)
    }
}

/// White space as seed 001's system knows it: JavaScript's, which has the byte order mark and lacks U+0085.
pub(super) fn is_script_space(c: char) -> bool {
    matches!(c,
        '\t'..='\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}'
        | '\u{205f}' | '\u{3000}' | '\u{feff}')
}

/// A character of Chinese, Japanese or Korean, in the ranges of A2.7.3.
pub(super) fn is_cjk(c: char) -> bool {
    matches!(c, '\u{4e00}'..='\u{9fff}' | '\u{3040}'..='\u{30ff}' | '\u{ac00}'..='\u{d7af}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_count_what_they_say() {
        assert_eq!(LengthUnit::CodePoint.length_up_to("a😀é", 9), 3);
        assert_eq!(LengthUnit::Utf16.length_up_to("a😀é", 9), 4);
        assert_eq!(LengthUnit::Utf16.length_up_to("abcdef", 5), 5);
        assert_eq!((TokenUnit::Byte.tokens("界界界界"), TokenUnit::CodePoint.tokens("界界界界")), (3, 1));
        assert_eq!((TokenUnit::Byte.tokens(""), TokenUnit::Byte.tokens("abcdefg")), (1, 1));
        assert!(LengthUnit::from_name("bytes").is_err() && TokenUnit::from_name("utf16").is_err());
    }
}
