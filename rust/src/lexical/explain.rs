//! The score of one record, taken apart.

use super::bm25::{Saturation, base};
use super::index::Index;
use super::query::Query;
use super::statistics::{Statistics, entries};
use crate::error::{Error, Result};
use crate::records::Directory;

/// One query term found in one field.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Name of the field.
    pub field: String,
    /// The term as it is in the index.
    pub term: String,
    /// Weight of the field.
    pub weight: f64,
    /// Inverse document frequency of the term in the searched cells.
    pub idf: f64,
    /// Records in the searched cells that hold the term in any field.
    pub document_frequency: u64,
    /// In how many of the texts that count beside the records the term stands.
    pub ordinary_frequency: f64,
    /// Occurrences of the term in the field of this record.
    pub term_frequency: u32,
    /// Terms in the field of this record.
    pub length: u32,
    /// Terms in the field on average over the searched cells; 1 where no record has any.
    pub average_length: f64,
    /// What it adds to the sum.
    pub value: f64,
}

/// Parts in order, their sum in that order, the factor on it, the score.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// Id of the record.
    pub id: String,
    /// Fields outer, query terms inner.
    pub parts: Vec<Part>,
    /// 0.0, then the parts added one by one.
    pub sum: f64,
    /// The boost of the record's label, if one was asked for.
    pub boost: Option<(String, f64)>,
    /// What a search gives: the sum, times the boost.
    pub score: f64,
    /// Records in the searched cells.
    pub records: u64,
    /// Ordinary texts that count beside them.
    pub beside: f64,
    /// The index's k1.
    pub k1: f64,
    /// The index's b.
    pub b: f64,
}

impl Index {
    /// How a search for these boosts in these cells scores one record; a score of 0 means that it is no hit.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the searched cells hold no such record; boosts as in a search.
    pub fn explain(
        &self,
        directory: &Directory,
        query: &Query,
        boosts: &[(String, f64)],
        number: u32,
        cells: &[u32],
    ) -> Result<Explanation> {
        let boosts = self.boosts_by_label(boosts)?;
        let id = directory.id(number);
        let Some(place) = self.place(number).filter(|place| cells.contains(&place.cell)) else {
            return Err(unknown(id));
        };
        let terms: Vec<Option<u32>> = query.terms().map(|term| self.terms.get(term)).collect();
        let (_, cells) = self.cells(cells);
        let statistics = Statistics::of(self.settings.fields.len(), &cells, &entries(&cells, &terms), terms.len());
        let segment = &self.cells[place.cell as usize].segments[usize::from(place.segment)];
        let (mut parts, mut sum) = (Vec::new(), 0.0);
        for (number, field) in self.settings.fields.iter().enumerate() {
            let average_length = if statistics.averages[number] == 0.0 { 1.0 } else { statistics.averages[number] };
            let saturation = Saturation::new(self.settings.k1, self.settings.b, average_length);
            for (at, term) in query.terms().enumerate() {
                let entry = terms[at].and_then(|term| segment.term(term));
                let list = entry.and_then(|entry| entry.list(number));
                let term_frequency = list.map_or(0, |list| list.count_in(place.slot));
                if term_frequency == 0 {
                    continue;
                }
                let length = segment.length(number, place.slot);
                let base = base(field.weight, statistics.inverse[at], self.settings.k1);
                let value = saturation.part(base, f64::from(term_frequency), f64::from(length));
                sum += value;
                parts.push(Part {
                    field: field.name.clone(),
                    term: term.to_owned(),
                    weight: field.weight,
                    idf: statistics.inverse[at],
                    document_frequency: statistics.frequencies[at],
                    ordinary_frequency: 0.0,
                    term_frequency,
                    length,
                    average_length,
                    value,
                });
            }
        }
        let label = segment.label(place.slot);
        let boost = boosts.get(label as usize).filter(|&&factor| factor.to_bits() != 1.0_f64.to_bits());
        let boost = boost.map(|&factor| (self.labels.name(label).to_owned(), factor));
        let score = boost.as_ref().map_or(sum, |(_, factor)| sum * factor);
        let (k1, b) = (self.settings.k1, self.settings.b);
        Ok(Explanation { id: id.to_owned(), parts, sum, boost, score, records: statistics.records, beside: 0.0, k1, b })
    }
}

/// The answer to a question about a record that is not there.
pub(super) fn unknown(id: &str) -> Error {
    Error::invalid("id", format!("no record {id:?} in the searched cells"))
}
