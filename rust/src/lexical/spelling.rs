//! How a word of a question is read that no record holds: as the term nearest to it that one does hold.
//!
//! Near is what insertions, deletions and swaps of neighbours make of it (three of the four edits of Damerau, 1964). Another
//! letter in one's place is two edits: it makes another word of one as often as an error, "state" of "stage".

use super::index::{Cell, Index};
use super::joined::{numbers_of, parted};
use super::segment::Segment;

/// A term of so many letters may be one edit away, a longer one two; a shorter one is too easily another word.
const ONE_EDIT: usize = 5;
const TWO_EDITS: usize = 9;
/// What is longer is no word.
const LONGEST: usize = 32;
/// A word that is two edits away, and the place before its first letter.
const WIDTH: usize = LONGEST + 3;

impl Index {
    /// Of each term, the nearest one of the cells' records where they hold neither it nor what the mark makes of it; nothing
    /// where they hold it, where it is short or has other signs than letters, and where none is near.
    ///
    /// The nearest has the fewest edits and the same first letter; of several the one in most records, each counted once for
    /// the term and once for the marked one; then the first in order.
    #[must_use]
    pub fn nearest_terms(&self, terms: &[String], mark: &str, cells: &[u32]) -> Vec<Option<String>> {
        let (_, cells) = self.cells(cells);
        let word = |term: &String| {
            let letters: Vec<char> = parted(term, mark).0.chars().collect();
            let is_word =
                (ONE_EDIT..=LONGEST).contains(&letters.len()) && letters.iter().all(|sign| sign.is_alphabetic());
            let is_marked = !mark.is_empty() && term.starts_with(mark);
            (is_word && !is_marked && !self.is_held(term, mark, &cells)).then(|| Word::of(letters))
        };
        let mut words: Vec<Option<Word<'_>>> = terms.iter().map(word).collect();
        self.look_for(&mut words, mark, &cells);
        words.into_iter().map(|word| word?.nearest()).collect()
    }

    /// Of each term, whether a record of these cells holds it in any of its forms.
    #[must_use]
    pub fn held_terms(&self, terms: &[String], mark: &str, cells: &[u32]) -> Vec<bool> {
        let (_, cells) = self.cells(cells);
        terms.iter().map(|term| self.is_held(term, mark, &cells)).collect()
    }

    /// Does a record of these cells hold a term in any of its forms?
    pub(super) fn is_held(&self, term: &str, mark: &str, cells: &[&Cell]) -> bool {
        let numbers = numbers_of(self, term, mark);
        let mut segments = cells.iter().flat_map(|cell| &cell.segments);
        segments.any(|segment| numbers.iter().flatten().any(|&number| segment.term(number).is_some()))
    }

    /// Shows the cells' terms to the words, all of them in one pass: most begin with another letter.
    fn look_for<'a>(&'a self, words: &mut [Option<Word<'a>>], mark: &str, cells: &[&'a Cell]) {
        let mut begins = [false; 256];
        for word in words.iter().flatten() {
            begins[usize::from(word.begins)] = true;
        }
        if !begins.contains(&true) {
            return;
        }
        let terms = cells.iter().flat_map(|cell| &cell.segments).flat_map(Segment::terms);
        terms.for_each(|(number, documents)| {
            let mut bytes = self.terms.bytes(number);
            if bytes.first() == mark.as_bytes().first() {
                bytes = bytes.strip_prefix(mark.as_bytes()).unwrap_or(bytes); // of most terms the first byte tells
            }
            if bytes.first().is_none_or(|&first| !begins[usize::from(first)]) {
                return;
            }
            for word in words.iter_mut().flatten().filter(|word| word.may_be(bytes)) {
                let name = self.terms.name(number);
                word.meet(name.strip_prefix(mark).unwrap_or(name), documents);
            }
        });
    }
}

/// A word that is looked for, and what is nearest to it so far.
struct Word<'a> {
    letters: Vec<char>,
    begins: u8, // its first byte
    signs: u64,
    most: usize,
    found: Vec<(&'a str, u64)>, // those with the fewest edits, and how many records hold each
}

impl<'a> Word<'a> {
    fn of(letters: Vec<char>) -> Self {
        let mut begins = [0; 4];
        letters[0].encode_utf8(&mut begins);
        let signs = signs(letters.iter().map(|&letter| letter as u32));
        let most = if letters.len() < TWO_EDITS { 1 } else { 2 };
        Self { begins: begins[0], signs, most, letters, found: Vec::new() }
    }

    /// Whether the bytes of a term may be those of one that is near: a look at most of them ends here.
    ///
    /// An edit makes a word one letter longer or shorter at most, and one letter come or go at most.
    fn may_be(&self, bytes: &[u8]) -> bool {
        if bytes[0] != self.begins || bytes.len() + self.most < self.letters.len() {
            return false;
        }
        if bytes.len() > self.letters.len() + self.most || !bytes.is_ascii() {
            return !bytes.is_ascii() && bytes.len() <= 4 * (LONGEST + 2);
        }
        (signs(bytes.iter().map(|&byte| u32::from(byte))) ^ self.signs).count_ones() as usize <= self.most
    }

    /// Takes a term in that so many records hold, if it is as near as those before it.
    fn meet(&mut self, name: &'a str, documents: u32) {
        if !name.starts_with(self.letters[0]) {
            return;
        }
        let other: Vec<char> = name.chars().collect();
        let Some(edits) = edits(&self.letters, &other, self.most) else { return };
        if edits < self.most {
            (self.most, self.found) = (edits, Vec::new());
        }
        match self.found.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += u64::from(documents),
            None => self.found.push((name, u64::from(documents))),
        }
    }

    fn nearest(self) -> Option<String> {
        let nearest = self.found.into_iter().min_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
        nearest.map(|(name, _)| name.to_owned())
    }
}

/// Which letters there are, 64 kinds of them.
fn signs(letters: impl Iterator<Item = u32>) -> u64 {
    letters.fold(0, |signs, letter| signs | 1 << (letter & 63))
}

/// How many edits make one word another, if they are so many at most.
fn edits(one: &[char], other: &[char], most: usize) -> Option<usize> {
    if one.len().abs_diff(other.len()) > most {
        return None;
    }
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[same..], &other[same..]);
    let same = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[..one.len() - same], &other[..other.len() - same]);
    let width = other.len();
    let (mut above, mut row) = ([0; WIDTH], [0; WIDTH]);
    for (at, edits) in row.iter_mut().enumerate().take(width + 1) {
        *edits = at;
    }
    for (at, letter) in one.iter().enumerate() {
        let earlier = above;
        above = row;
        row[0] = at + 1;
        for (place, against) in other.iter().enumerate() {
            let mut least = above[place + 1].min(row[place]) + 1;
            if letter == against {
                least = least.min(above[place]);
            }
            if at > 0 && place > 0 && *letter == other[place - 1] && one[at - 1] == *against {
                least = least.min(earlier[place - 1] + 1);
            }
            row[place + 1] = least;
        }
        if row[..=width].iter().all(|&edits| edits > most) {
            return None;
        }
    }
    Some(row[width]).filter(|&edits| edits <= most)
}
