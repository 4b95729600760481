//! How a record is scored over joined fields, taken apart.

use super::counted::Counted;
use super::{FORMS, Joined, parted};
use crate::error::Result;
use crate::lexical::bm25::base;
use crate::lexical::explain::{Explanation, Part, unknown};
use crate::lexical::index::Index;
use crate::lexical::query::Query;
use crate::records::Directory;

impl Index {
    /// How long a record is with its fields added up; 0 for one that is not held.
    #[must_use]
    pub fn joined_length(&self, joined: &Joined, number: u32) -> u32 {
        self.place(number).map_or(0, |place| {
            let segment = &self.cells[place.cell as usize].segments[usize::from(place.segment)];
            joined.length(segment, place.slot)
        })
    }

    /// As [`Index::explain`], for [`Index::search_joined`].
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the searched cells hold no such record, and for numbers outside their ranges.
    pub fn explain_joined(
        &self,
        directory: &Directory,
        query: &Query,
        joined: &Joined,
        number: u32,
        cells: &[u32],
    ) -> Result<Explanation> {
        joined.check(self.settings.fields.len())?;
        let id = directory.id(number);
        let Some(place) = self.place(number).filter(|place| cells.contains(&place.cell)) else {
            return Err(unknown(id));
        };
        let numbers = joined.terms(self, query);
        let (_, cells) = self.cells(cells);
        let counted = joined.counted(&cells, &joined.sums(&cells, &numbers), query);
        let (average, saturation) = (counted.average, counted.saturation());
        let segment = &self.cells[place.cell as usize].segments[usize::from(place.segment)];
        let length = joined.length(segment, place.slot);
        let (mut parts, mut sum) = (Vec::new(), 0.0);
        for (at, term) in query.terms().enumerate() {
            let forms: [_; FORMS] = std::array::from_fn(|form| segment.term(numbers[FORMS * at + form]?));
            let list = joined.sum(&forms);
            let term_frequency = list.map_or(0, |sum| sum.list().count_in(place.slot));
            if term_frequency == 0 {
                continue;
            }
            let inverse = counted.inverse[at];
            let value = saturation.part(base(1.0, inverse, counted.k1), f64::from(term_frequency), f64::from(length));
            sum += value;
            parts.push(Part {
                field: "all".to_owned(),
                term: parted(term.strip_prefix(&joined.mark).unwrap_or(term), &joined.mark).0.to_owned(),
                weight: 1.0,
                idf: inverse,
                document_frequency: counted.frequencies[at],
                ordinary_frequency: counted.ordinary[at],
                term_frequency,
                length,
                average_length: if average == 0.0 { 1.0 } else { average },
                value,
            });
        }
        let Counted { records, k1, b, .. } = counted;
        Ok(Explanation {
            id: id.to_owned(),
            parts,
            sum,
            boost: None,
            score: sum,
            records,
            beside: joined.beside,
            k1,
            b,
        })
    }
}
