//! A handful of texts scored among themselves: BM25 without an index, for what a search has found already.
//!
//! Every sum runs in a fixed order, texts as they were given and terms as they come up first, so that the obvious loops
//! of `byheart.reference.handful` give the same bits.

use std::cmp::Ordering;

use rustc_hash::{FxHashMap, FxHashSet};

use super::bm25::idf;
use crate::text::{Analyzer, Scratch};

const K1: f64 = 0.6; // of short turns, as in `byheart.retrieval.words`
const B: f64 = 0.3;
const MOST: f64 = K1 + 1.0;
/// So many of the best texts are looked at, and so many of their words are looked for in others.
const FIRST: usize = 10;
const WORDS: usize = 10;

/// The terms of some texts, and how rare these are among them.
///
/// ```
/// use byheart_core::{lexical::Handful, text::Analyzer};
/// let texts = Handful::new(Analyzer::default(), &["tea time", "tea", "sea"]);
/// let shares = texts.shares(&["tea".to_owned()]);
/// assert!(shares[1] > shares[0] && shares[2] == 0.0);
/// ```
#[derive(Debug)]
pub struct Handful {
    numbers: FxHashMap<String, u32>,
    /// Of each text its terms with their counts, as they come up first.
    counts: Vec<Vec<(u32, u32)>>,
    /// Of each text how many terms it has.
    lengths: Vec<u32>,
    /// Of each text how many code points it has.
    sizes: Vec<usize>,
    /// How many texts hold a term.
    holding: Vec<u32>,
    average: f64,
}

impl Handful {
    /// Counts the terms of texts.
    #[must_use]
    pub fn new<T: AsRef<str>>(analyzer: Analyzer, texts: &[T]) -> Self {
        let mut found = Self {
            numbers: FxHashMap::default(),
            counts: Vec::with_capacity(texts.len()),
            lengths: Vec::with_capacity(texts.len()),
            sizes: texts.iter().map(|text| text.as_ref().chars().count()).collect(),
            holding: Vec::new(),
            average: 1.0,
        };
        let mut scratch = Scratch::default();
        let mut places = FxHashMap::default(); // of the terms of one text among its counts
        for text in texts {
            let mut own: Vec<(u32, u32)> = Vec::new();
            let mut length = 0;
            places.clear();
            analyzer.for_each_term(text.as_ref(), &mut scratch, &mut |term| {
                length += 1;
                let number = found.number(term);
                if let Some(&at) = places.get(&number) {
                    own[at as usize].1 += 1;
                } else {
                    places.insert(number, own.len() as u32);
                    own.push((number, 1));
                    found.holding[number as usize] += 1;
                }
            });
            found.counts.push(own);
            found.lengths.push(length);
        }
        let all: u64 = found.lengths.iter().map(|&length| u64::from(length)).sum();
        if all > 0 {
            found.average = all as f64 / texts.len() as f64;
        }
        found
    }

    fn number(&mut self, term: &str) -> u32 {
        if let Some(&known) = self.numbers.get(term) {
            return known;
        }
        let number = self.holding.len() as u32;
        self.numbers.insert(term.to_owned(), number);
        self.holding.push(0);
        number
    }

    /// How many texts there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Are there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// How many terms each text has.
    #[must_use]
    pub fn lengths(&self) -> &[u32] {
        &self.lengths
    }

    /// The idf of a term that so many texts hold.
    fn weight(&self, holding: u32) -> f64 {
        idf(self.counts.len() as u64, holding.into())
    }

    /// BM25 of each text for terms that count so much.
    fn scores(&self, wanted: &[(u32, f64)]) -> Vec<f64> {
        let mut found = vec![0.0; self.counts.len()];
        for &(term, share) in wanted {
            let weight = share * self.weight(self.holding[term as usize]) * MOST;
            for (at, counts) in self.counts.iter().enumerate() {
                if let Some(&(_, often)) = counts.iter().find(|&&(other, _)| other == term) {
                    let often = f64::from(often);
                    let length = 1.0 - B + B * f64::from(self.lengths[at]) / self.average;
                    found[at] += weight * often / (often + K1 * length);
                }
            }
        }
        found
    }

    /// Of each text the BM25 of a query's terms, as a share of what these weigh here.
    #[must_use]
    pub fn shares(&self, query: &[String]) -> Vec<f64> {
        let mut wanted: Vec<(&str, f64)> = Vec::new();
        for term in query {
            match wanted.iter_mut().find(|(known, _)| known == term) {
                Some((_, often)) => *often += 1.0,
                None => wanted.push((term, 1.0)),
            }
        }
        let (mut most, mut known) = (0.0, Vec::new());
        for (term, often) in wanted {
            let number = self.numbers.get(term).copied();
            most += often * self.weight(number.map_or(0, |number| self.holding[number as usize])) * MOST;
            known.extend(number.map(|number| (number, often)));
        }
        let scores = self.scores(&known);
        scores.into_iter().map(|score| if most == 0.0 { 0.0 } else { score / most }).collect()
    }

    /// Of each text the BM25 of words of the best texts that others have too, and that are not the query's.
    ///
    /// `worth` is by text, and says which are the best; a word weighs by it, by how rare it is, and less in long texts.
    #[must_use]
    pub fn kin(&self, worth: &[f64], query: &[String]) -> Vec<f64> {
        let asked: FxHashSet<u32> = query.iter().filter_map(|term| self.numbers.get(term)).copied().collect();
        let mut first: Vec<usize> = (0..self.counts.len()).collect();
        first.sort_by(|&one, &other| falling(worth[one], worth[other]));
        let mut places = FxHashMap::default();
        let mut found: Vec<(u32, f64)> = Vec::new();
        for &at in first.iter().take(FIRST) {
            for &(term, _) in &self.counts[at] {
                let holding = self.holding[term as usize];
                if holding > 1 && !asked.contains(&term) {
                    let said = worth[at] * self.weight(holding) / f64::from(self.lengths[at]).sqrt();
                    let place = *places.entry(term).or_insert(found.len());
                    match found.get_mut(place) {
                        Some((_, weight)) => *weight += said,
                        None => found.push((term, said)),
                    }
                }
            }
        }
        found.sort_by(|one, other| falling(one.1, other.1));
        found.truncate(WORDS);
        self.scores(&found)
    }

    /// Of each text how much rarer its terms are for its length than is usual among them: -1 to 1.
    #[must_use]
    pub fn rich(&self) -> Vec<f64> {
        let weights: Vec<f64> = self.holding.iter().map(|&holding| self.weight(holding)).collect();
        let rare: Vec<f64> = self
            .counts
            .iter()
            .zip(&self.sizes)
            .map(|(counts, &size)| {
                let sum = counts.iter().fold(0.0, |sum, &(term, _)| sum + weights[term as usize]);
                sum / size.max(1) as f64
            })
            .collect();
        let usual = median(&rare);
        rare.iter().map(|each| if usual == 0.0 { 0.0 } else { (each / usual).min(2.0) - 1.0 }).collect()
    }
}

/// The order in which the higher number comes first; sorts are stable: of equal ones the first stays so.
fn falling(one: f64, other: f64) -> Ordering {
    other.partial_cmp(&one).unwrap_or(Ordering::Equal)
}

/// The middle one of some values in order, or the mean of the two in the middle; 0 of none.
fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(|one, other| falling(*other, *one));
    let half = sorted.len() / 2;
    match sorted.len() {
        0 => 0.0,
        odd if odd % 2 == 1 => sorted[half],
        _ => sorted[half - 1].midpoint(sorted[half]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str]) -> Handful {
        Handful::new(Analyzer::default(), texts)
    }

    #[test]
    fn no_texts_and_texts_without_terms_score_nothing() {
        assert!(of(&[]).is_empty() && of(&[]).rich().is_empty() && of(&[]).kin(&[], &[]).is_empty());
        let empty = of(&["", "the"]);
        assert_eq!(empty.shares(&["tea".to_owned()]), [0.0, 0.0]);
        assert_eq!((empty.rich(), empty.lengths()), (vec![0.0, 0.0], &[0, 0][..]));
    }

    #[test]
    fn words_of_the_best_speak_for_others_and_those_of_the_query_do_not() {
        let texts = of(&["kettle copper", "copper pot", "shell"]);
        let kin = texts.kin(&[1.0, 0.5, 0.5], &[]);
        assert!(kin[0].to_bits() == kin[1].to_bits() && kin[1] > 0.0 && kin[2] <= 0.0);
        assert_eq!(texts.kin(&[1.0, 0.5, 0.5], &["copper".to_owned()]), [0.0, 0.0, 0.0]);
    }

    #[test]
    fn the_median_of_an_even_number_is_between_the_two_in_the_middle() {
        assert_eq!((median(&[4.0, 1.0, 2.0]), median(&[4.0, 1.0, 2.0, 3.0]), median(&[])), (2.0, 2.5, 0.0));
    }
}
