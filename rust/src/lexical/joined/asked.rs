//! A query over joined fields: the lists of its terms, and which slots they find.

use super::counted::{Counted, Findable};
use super::{FORMS, Joined, Sum};
use crate::lexical::accumulate::{Scored, TermKey};
use crate::lexical::bm25::base;
use crate::lexical::index::{Cell, Index};
use crate::lexical::passing::{Met, Passing};
use crate::lexical::query::Query;
use crate::lexical::segment::Segment;
use crate::records::Selection;

/// Of a selection so many times smaller than a list, each record is looked for in the list.
const SPARSE: usize = 16;

/// A query over joined fields: the lists of its terms by segment, and what is counted of them.
pub(super) struct Asked<'a> {
    pub(super) numbers: Vec<Option<u32>>, // of each term those of its forms
    pub(super) sums: Vec<Option<Sum<'a>>>,
    pub(super) counted: Counted,
}

impl<'a> Asked<'a> {
    pub(super) fn of(index: &'a Index, query: &Query, joined: &Joined, cells: &[&'a Cell]) -> Self {
        let numbers = joined.terms(index, query);
        let sums = joined.sums(cells, &numbers);
        let counted = joined.counted(cells, &sums, query);
        Self { numbers, sums, counted }
    }

    /// Has what is familiar be that of a selection of active records of these cells. Of a few, each is looked for in the
    /// lists; of many, the lists are gone through.
    pub(super) fn among(&mut self, cells: &[&Cell], only: &Selection, few: Option<&Vec<Vec<u16>>>) {
        let terms = self.numbers.len() / FORMS;
        let mut frequencies = vec![0_u64; terms];
        for (at, segment) in cells.iter().flat_map(|cell| &cell.segments).enumerate() {
            let passing = Passing { documents: segment.documents(), only: Some(only), met: None };
            for (frequency, sum) in frequencies.iter_mut().zip(&self.sums[at * terms..(at + 1) * terms]) {
                let Some(sum) = sum else { continue };
                let slots = sum.list().slots;
                let held = match few {
                    Some(few) if few[at].len() * SPARSE < slots.len() => {
                        few[at].iter().filter(|slot| slots.binary_search(slot).is_ok()).count()
                    }
                    _ => slots.iter().filter(|&&slot| passing.holds(slot)).count(),
                };
                *frequency += held as u64;
            }
        }
        self.counted.found_in = Some(Findable { records: only.len() as u64, frequencies });
    }

    /// What tells the list of a term from others. One of a term that only occurs marked has a number that no term has: as a
    /// term of its own it may have another list.
    fn key(&self, at: usize) -> TermKey {
        let form = |from: usize| self.numbers[from].or(self.numbers[from + 1].map(|marked| !marked));
        (form(FORMS * at), form(FORMS * at + 2))
    }

    /// The lists of the query's terms in a segment, in the order of summation, as those of one field more than there are.
    pub(super) fn lists<'l>(&'l self, segment: usize, lengths: &'l [u32], fields: usize) -> Vec<Scored<'l>> {
        let (terms, saturation) = (self.numbers.len() / FORMS, self.counted.saturation());
        let scored = |at: usize| {
            let sum = self.sums[segment * terms + at].as_ref()?;
            let curve = saturation.curve(base(1.0, self.counted.inverse[at], self.counted.k1));
            let term = self.key(at);
            Some(Scored { list: sum.list(), term, field: fields, lengths, curve })
        };
        (0..terms).filter_map(scored).collect()
    }

    /// The slots of a segment that hold a term which finds; nothing where each of its lists is of one.
    pub(super) fn met(&self, at: usize, segment: &Segment) -> Option<Met> {
        let light = &self.counted.light;
        let sums = || self.sums[at * light.len()..(at + 1) * light.len()].iter().zip(light);
        let finding = || sums().filter(|&(_, &light)| !light).filter_map(|(sum, _)| Some(sum.as_ref()?.list().slots));
        sums().any(|(sum, &light)| light && sum.is_some()).then(|| Met::new(finding(), segment.slots()))
    }
}
