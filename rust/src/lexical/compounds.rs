//! Compound words that hold a word of a question which no record holds: "Zahnarzttermin" for "Termin".

use rustc_hash::FxHashMap;

use super::index::{Cell, Index};
use super::joined::parted;
use super::segment::Segment;

/// A word of fewer letters begins or ends too many others.
const SHORTEST: usize = 4;
/// The rest of a compound word has so many letters.
const REST: usize = 3;
/// What is longer is no word, in bytes.
const LONGEST: usize = 96;

impl Index {
    /// Of each term, compound words of the cells' records where they hold it in none of its forms: terms that begin or end
    /// with it, or with its stem where none does so with itself, of letters alone and three letters longer at least.
    ///
    /// The first are those in most records, each counted once for the term and once for the marked one; then the first in
    /// order; so many at most. None for a term that is held, short, or no word.
    #[must_use]
    pub fn compounds(&self, terms: &[String], mark: &str, most: usize, cells: &[u32]) -> Vec<Vec<String>> {
        let (_, cells) = self.cells(cells);
        let of = |term: &String| {
            let is_marked = !mark.is_empty() && term.starts_with(mark);
            if is_marked || self.is_held(term, mark, &cells) {
                return Vec::new();
            }
            let (own, stem) = parted(term, mark);
            let found = self.compounds_of(own, mark, most, &cells);
            if found.is_empty() {
                stem.map_or_else(Vec::new, |stem| self.compounds_of(stem, mark, most, &cells))
            } else {
                found
            }
        };
        terms.iter().map(of).collect()
    }

    fn compounds_of(&self, word: &str, mark: &str, most: usize, cells: &[&Cell]) -> Vec<String> {
        let letters = word.chars().count();
        if letters < SHORTEST || !word.chars().all(char::is_alphabetic) {
            return Vec::new();
        }
        let mut found: FxHashMap<&str, u64> = FxHashMap::default();
        for (number, documents) in cells.iter().flat_map(|cell| &cell.segments).flat_map(Segment::terms) {
            let name = self.terms.name(number);
            let name = name.strip_prefix(mark).unwrap_or(name);
            let holds = name.len() > word.len() && (name.starts_with(word) || name.ends_with(word));
            if !holds || name.len() > LONGEST || !name.chars().all(char::is_alphabetic) {
                continue;
            }
            if name.chars().count() < letters + REST {
                continue;
            }
            *found.entry(name).or_default() += u64::from(documents);
        }
        let mut found: Vec<(&str, u64)> = found.into_iter().collect();
        found.sort_unstable_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
        found.into_iter().take(most).map(|(name, _)| name.to_owned()).collect()
    }
}
