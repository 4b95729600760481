//! Searches over joined fields: for the best alone, or with the score of every record.

use super::asked::Asked;
use super::{Joined, JoinedLists};
use crate::error::Result;
use crate::kernel::Isa;
use crate::lexical::accumulate::Taker;
use crate::lexical::index::{Cell, Index};
use crate::lexical::lent::Steps;
use crate::lexical::passing::{Passing, gathered};
use crate::lexical::query::Query;
use crate::lexical::scores::Scores;
use crate::lexical::search::{Found, SCRATCH};
use crate::lexical::visit::Visit;
use crate::rank::{TopK, check_k};
use crate::records::{Directory, Selection};

/// What a search over joined fields finds, and how it was made.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundJoined {
    /// Hits, best first, and the work.
    pub found: Found<u32>,
    /// The k1 of the search.
    pub k1: f64,
    /// How much of the query the records speak about, 0 to 0.3: the root of the share of those that hold its
    /// terms.
    pub familiarity: f64,
}

/// Keeps the best of those that may be found.
struct Ranked<'a> {
    directory: &'a Directory,
    documents: &'a [u32],
    passing: Option<Passing<'a>>,
    best: &'a mut TopK,
}

impl Taker for Ranked<'_> {
    fn floor(&self) -> f64 {
        self.best.threshold()
    }

    fn take(&mut self, slot: u16, sum: f64) {
        if self.passing.is_none_or(|passing| passing.holds(slot)) {
            let number = self.documents[usize::from(slot)];
            self.best.offer(sum, number, &|number| self.directory.key(number));
        }
    }
}

impl Index {
    /// As [`Index::search`] over fields that are added up, without boosts. A selection is one of records of these cells that
    /// can be found: they are counted.
    ///
    /// # Errors
    /// For numbers outside their ranges.
    pub fn search_joined(
        &self,
        directory: &Directory,
        query: &Query,
        joined: &Joined,
        k: usize,
        cells: &[u32],
        only: Option<&Selection>,
    ) -> Result<FoundJoined> {
        let (numbers, cells) = self.asked_of(joined, k, cells)?;
        let mut asked = Asked::of(self, query, joined, &cells);
        let few = only.and_then(|only| gathered(self, only, &numbers, &cells));
        if let Some(only) = only {
            asked.among(&cells, only, few.as_ref());
        }
        let (fields, mut visit) =
            (self.settings.fields.len(), Visit::new(directory, Isa::active()?, k, &[], self.len()));
        let steps = || Steps::everywhere(fields + 1, (asked.counted.k1, asked.counted.b), asked.counted.average);
        SCRATCH.with_borrow_mut(|scratch| {
            for (at, segment) in cells.iter().flat_map(|cell| &cell.segments).enumerate() {
                let lengths = segment.joined_lengths(&joined.weights, &joined.mark);
                let (lists, met) = (asked.lists(at, &lengths, fields), asked.met(at, segment));
                if let Some(few) = &few {
                    let slots = few[at].iter().copied().filter(|&slot| met.as_ref().is_none_or(|met| met.holds(slot)));
                    visit.slots(scratch, segment, &lists, &slots.collect::<Vec<_>>());
                } else {
                    let passing = Passing::of(segment.documents(), only, met.as_ref());
                    visit.segment(scratch, segment, &lists, steps, passing);
                }
            }
        });
        let postings = visit.postings;
        Ok(asked.counted.found(visit.finish(), postings))
    }

    /// As [`Index::search_joined`]; and the score of every record of the cells, whether it may be found or not; and the lists
    /// that were read.
    ///
    /// # Errors
    /// As there.
    pub fn search_joined_all(
        &self,
        directory: &Directory,
        query: &Query,
        joined: &Joined,
        k: usize,
        cells: &[u32],
        only: Option<&Selection>,
    ) -> Result<(FoundJoined, Scores, JoinedLists<'_>)> {
        let (numbers, cells) = self.asked_of(joined, k, cells)?;
        let (isa, mut asked) = (Isa::active()?, Asked::of(self, query, joined, &cells));
        if let Some(only) = only {
            asked.among(&cells, only, None);
        }
        let (mut best, mut all) = (TopK::new(k.min(self.len().max(1))), Scores::default());
        let mut postings = 0;
        let segments =
            numbers.iter().zip(&cells).flat_map(|(&of, cell)| cell.segments.iter().map(move |each| (of, each)));
        for (at, (cell, segment)) in segments.enumerate() {
            let lengths = segment.joined_lengths(&joined.weights, &joined.mark);
            let (lists, met) = (asked.lists(at, &lengths, self.settings.fields.len()), asked.met(at, segment));
            postings += lists.iter().map(|scored| scored.list.slots.len() as u64).sum::<u64>();
            let passing = Passing::of(segment.documents(), only, met.as_ref());
            let mut taker = Ranked { directory, documents: segment.documents(), passing, best: &mut best };
            SCRATCH.with_borrow_mut(|scratch| {
                all.next(cell, |sums| scratch.sums(isa, &lists, segment.slots(), sums, &mut taker));
            });
            best.settle(&|number| directory.key(number));
        }
        let lists = JoinedLists { light: asked.counted.light.clone(), sums: asked.sums };
        let best = best.into_sorted(&|number| directory.key(number));
        Ok((asked.counted.found(best, postings), all, lists))
    }

    /// The cells that a search looks at, with their numbers, if what it asks for can be asked.
    fn asked_of(&self, joined: &Joined, k: usize, cells: &[u32]) -> Result<(Vec<u32>, Vec<&Cell>)> {
        check_k(k)?;
        joined.check(self.settings.fields.len())?;
        Ok(self.cells(cells))
    }
}
