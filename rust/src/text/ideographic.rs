//! Scripts that are written without spaces between words, and so become characters and character pairs.

/// Inclusive ranges in ascending order.
const RANGES: [(u32, u32); 23] = [
    (0x0E01, 0x0E7F),   // Thai
    (0x1100, 0x11FF),   // Hangul jamo
    (0x3005, 0x3005),   // ideographic iteration mark
    (0x3007, 0x3007),   // ideographic zero
    (0x3021, 0x3029),   // Hangzhou numerals
    (0x3031, 0x3035),   // kana repeat marks
    (0x3038, 0x303B),   // Hangzhou tens, vertical iteration mark
    (0x3041, 0x3096),   // Hiragana
    (0x3099, 0x309A),   // combining kana voice marks
    (0x309D, 0x309F),   // Hiragana iteration marks
    (0x30A1, 0x30FA),   // Katakana
    (0x30FC, 0x30FF),   // Katakana length and iteration marks
    (0x3105, 0x312F),   // Bopomofo
    (0x3131, 0x318E),   // Hangul compatibility jamo
    (0x31A0, 0x31BF),   // Bopomofo extended
    (0x31F0, 0x31FF),   // Katakana phonetic extensions
    (0x3400, 0x4DBF),   // CJK extension A
    (0x4E00, 0x9FFF),   // CJK unified ideographs
    (0xA960, 0xA97C),   // Hangul jamo extended A
    (0xAC00, 0xD7A3),   // Hangul syllables
    (0xD7B0, 0xD7FB),   // Hangul jamo extended B
    (0xF900, 0xFAFF),   // CJK compatibility ideographs
    (0x20000, 0x3FFFD), // the ideographic planes
];

/// Does `character` belong to a script whose runs are cut into single characters and pairs?
/// Chinese, Japanese and Thai have no spaces; Korean is treated alike, since its particles cling to their words.
///
/// ```
/// use byheart_core::text::is_ideographic;
/// assert!(is_ideographic('語') && is_ideographic('ก') && is_ideographic('한'));
/// assert!(!is_ideographic('a') && !is_ideographic('、'));
/// ```
#[must_use]
pub fn is_ideographic(character: char) -> bool {
    let code = u32::from(character);
    if code < RANGES[0].0 {
        return false;
    }
    let above = RANGES.partition_point(|&(first, _)| first <= code);
    code <= RANGES[above - 1].1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_ascend_without_touching() {
        assert!(RANGES.iter().all(|&(first, last)| first <= last));
        assert!(RANGES.windows(2).all(|pair| pair[0].1 + 1 < pair[1].0));
    }

    #[test]
    fn the_search_finds_exactly_the_ranges() {
        let mut found = 0;
        for character in '\0'..=char::MAX {
            let code = u32::from(character);
            let expected = RANGES.iter().any(|&(first, last)| first <= code && code <= last);
            assert_eq!(is_ideographic(character), expected, "U+{code:04X}");
            found += usize::from(expected);
        }
        assert_eq!(found, 171_216, "the ranges themselves changed");
    }

    #[test]
    fn edges_of_the_ranges() {
        for inside in [
            '\u{E01}', '\u{E7F}', '々', '〇', 'ぁ', '゙', 'ァ', 'ー', 'ㄅ', '㐀', '一', '\u{9FFF}', '가', '힣', '豈',
            '𠀀',
        ] {
            assert!(is_ideographic(inside), "{inside:?}");
        }
        for outside in ['\u{E00}', '\u{E80}', '。', '・', '゛', '゠', '\u{A000}', 'Ａ', 'é', 'Ж', '🦀', '\u{3FFFE}']
        {
            assert!(!is_ideographic(outside), "{outside:?}");
        }
    }
}
