//! Ordinary English: how many of a thousand texts hold a term.
//!
//! A memory of few records cannot tell a common word from a rare one: each stands in one or two of them, or in none. The
//! table says what the language says.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

/// So many texts are what the table counts among.
pub const ORDINARY_TEXTS: f64 = 1_000.0;

const TABLE: &str = include_str!("ordinary.txt");

/// How many of [`ORDINARY_TEXTS`] ordinary English texts of twenty words hold a term, 0 for one that the table does not have.
///
/// ```
/// use byheart_core::text::ordinary_texts;
/// assert_eq!((ordinary_texts("give"), ordinary_texts("skoda")), (8.0, 0.0));
/// ```
#[must_use]
pub fn ordinary_texts(term: &str) -> f64 {
    static HELD: OnceLock<FxHashMap<&str, f64>> = OnceLock::new();
    HELD.get_or_init(read).get(term).copied().unwrap_or(0.0)
}

fn read() -> FxHashMap<&'static str, f64> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    let parted = lines.map(|line| line.split_once(": ").expect("a line says how many, then terms"));
    parted
        .flat_map(|(texts, terms)| {
            let texts: f64 = texts.parse().expect("a line begins with a number");
            terms.split(' ').map(move |term| (term, texts))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_term_stands_once_and_is_a_stem_or_a_stop_word() {
        let terms = TABLE.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(' ').count() - 1);
        assert_eq!(read().len(), terms.sum::<usize>());
        for (term, texts) in read() {
            assert!(term.bytes().all(|byte| byte.is_ascii_lowercase()), "{term}");
            assert!((1.0..ORDINARY_TEXTS).contains(&texts), "{term}: {texts}");
        }
    }
}
