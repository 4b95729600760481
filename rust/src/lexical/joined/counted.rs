//! What a search over joined fields counts first: how rare its terms are, and how much of it is familiar.

use super::search::FoundJoined;
use super::{Joined, Sum};
use crate::lexical::bm25::{Saturation, idf_of};
use crate::lexical::index::Cell;
use crate::lexical::query::Query;
use crate::lexical::search::{Counters, Found};

/// Familiarity is that of records of so many terms.
const USUAL: f64 = 25.0;

/// Terms that are more familiar than nearly all that people ask about say no more.
const MOST_FAMILIAR: f64 = 0.3;

/// What a search over joined fields counts first.
pub(super) struct Counted {
    pub(super) records: u64,
    pub(super) average: f64,
    pub(super) frequencies: Vec<u64>,
    pub(super) inverse: Vec<f64>,
    pub(super) light: Vec<bool>,
    pub(super) ordinary: Vec<f64>, // in how many texts each term stands that count beside the records
    pub(super) k1: f64,
    pub(super) b: f64,
    pub(super) found_in: Option<Findable>, // nothing where all may be found
}

/// What is counted of the records that may be found alone.
pub(super) struct Findable {
    pub(super) records: u64,
    pub(super) frequencies: Vec<u64>,
}

impl Joined {
    /// Records of the cells, their average length, and by term of the query in how many it stands and what that weighs.
    pub(super) fn counted(&self, cells: &[&Cell], sums: &[Option<Sum<'_>>], query: &Query) -> Counted {
        let records = cells.iter().map(|cell| cell.documents).sum();
        let (light, ordinary) = (self.light(query), self.ordinary(query));
        let terms = light.len();
        let average = self.average(records, cells);
        let mut frequencies = vec![0_u64; terms];
        for of_segment in sums.chunks(terms.max(1)) {
            for (frequency, sum) in frequencies.iter_mut().zip(of_segment) {
                *frequency += sum.as_ref().map_or(0, |sum| sum.list().slots.len() as u64);
            }
        }
        let all = records as f64 + self.beside;
        let rarity = |df: u64, held: f64| {
            let own = idf_of(records as f64, df as f64);
            if held > 0.0 { own * (idf_of(all, df as f64 + held) / idf_of(all, df as f64)) } else { own }
        };
        let inverse = frequencies.iter().zip(&ordinary).map(|(&df, &held)| rarity(df, held)).collect();
        let (k1, b) = self.saturation(average);
        Counted { records, average, frequencies, inverse, light, ordinary, k1, b, found_in: None }
    }

    fn average(&self, records: u64, cells: &[&Cell]) -> f64 {
        let total = |cell: &&Cell| -> u64 {
            cell.total_lengths.iter().zip(&self.weights).map(|(&total, &weight)| total * u64::from(weight)).sum()
        };
        let total: u64 = cells.iter().map(total).sum();
        if records == 0 { 0.0 } else { total as f64 / records as f64 }
    }
}

impl Counted {
    /// What a search found, given best first.
    pub(super) fn found(self, best: Vec<(f64, u32)>, postings: u64) -> FoundJoined {
        let finding = self.inverse.iter().zip(&self.light).filter(|&(_, &light)| !light);
        let idf_sum = finding.fold(0.0, |sum, (idf, _)| sum + idf);
        let counters = Counters { records: self.records, postings };
        let hits = best.into_iter().map(|(score, number)| (number, score)).collect();
        let familiarity = self.familiarity();
        FoundJoined { found: Found { hits, counters, idf_sum }, k1: self.k1, familiarity }
    }

    /// The root of the share of records that hold a term, of those that may be found: what others said, and a question that
    /// was just told and is left out, make nothing familiar. A mean over the terms by idf; one that most records hold weighs
    /// 1 at least: it may be what a memory is about. Long records hold many terms by chance: the share is taken down by the
    /// fourth root of their length.
    pub(super) fn familiarity(&self) -> f64 {
        let (records, frequencies) = match &self.found_in {
            None => (self.records, &self.frequencies),
            Some(findable) => (findable.records, &findable.frequencies),
        };
        let (mut shares, mut weights) = (0.0, 0.0);
        for ((&idf, &df), _) in self.inverse.iter().zip(frequencies).zip(&self.light).filter(|&(_, &light)| !light) {
            let weight = if idf > 1.0 { idf } else { 1.0 };
            weights += weight;
            if df > 0 {
                shares += weight * (df as f64 / records as f64);
            }
        }
        if shares == 0.0 {
            return 0.0;
        }
        (shares / weights / (self.average / USUAL).sqrt().sqrt()).sqrt().min(MOST_FAMILIAR)
    }

    pub(super) fn saturation(&self) -> Saturation {
        Saturation::new(self.k1, self.b, self.average)
    }
}
