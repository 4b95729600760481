//! The statistics of a query: what BM25 wants to know of the searched cells, counted anew for each search.

use super::bm25::idf;
use super::index::{Cell, Index};
use super::segment::Term;

/// The numbers of a query in a set of cells.
pub struct Statistics {
    /// Records in the cells.
    pub records: u64,
    /// Terms in a record on average, by field.
    pub averages: Vec<f64>,
    /// Records that hold the term in any field, by term of the query.
    pub frequencies: Vec<u64>,
    /// Inverse document frequency, by term of the query.
    pub inverse: Vec<f64>,
}

impl Statistics {
    /// Counts; `entries` are those of `terms` terms, as [`entries`] finds them.
    pub fn of(fields: usize, cells: &[&Cell], entries: &[Option<Term<'_>>], terms: usize) -> Self {
        let records = cells.iter().map(|cell| cell.documents).sum();
        let total = |field: usize| cells.iter().map(|cell| cell.total_lengths.get(field).unwrap_or(&0)).sum::<u64>();
        let average = |field| if records == 0 { 0.0 } else { total(field) as f64 / records as f64 };
        let averages: Vec<f64> = (0..fields).map(average).collect();
        let mut frequencies = vec![0; terms];
        for of_segment in entries.chunks(terms.max(1)) {
            for (frequency, entry) in frequencies.iter_mut().zip(of_segment) {
                *frequency += entry.map_or(0, |entry| u64::from(entry.documents()));
            }
        }
        let inverse = frequencies.iter().map(|&df| idf(records, df)).collect();
        Self { records, averages, frequencies, inverse }
    }

    /// What the query's terms could weigh at most: their idf added up in order, unknown terms and repetitions too.
    pub fn idf_sum(&self) -> f64 {
        self.inverse.iter().fold(0.0, |sum, idf| sum + idf)
    }
}

impl Index {
    /// The cells with these numbers that hold records of this index, with their numbers.
    pub(super) fn cells(&self, numbers: &[u32]) -> (Vec<u32>, Vec<&Cell>) {
        let known = |&number: &u32| Some((number, self.cells.get(number as usize).filter(|cell| cell.documents > 0)?));
        numbers.iter().filter_map(known).unzip()
    }
}

/// The entries of the terms in the segments of the cells: by segment, then term.
pub fn entries<'a>(cells: &[&'a Cell], terms: &[Option<u32>]) -> Vec<Option<Term<'a>>> {
    let segments = || cells.iter().flat_map(|cell| &cell.segments);
    let mut entries = Vec::with_capacity(terms.len() * segments().count());
    for segment in segments() {
        entries.extend(terms.iter().map(|term| segment.term((*term)?)));
    }
    entries
}
