//! A list that is estimated: what its postings add in whole units, and what it costs to add it or to ask it.

use super::postings::{Counts, List};
use crate::kernel::{Share, Tally, Units, impact_units};

/// Lists of so many postings have a table for each small count.
const TABLED: usize = 2048;

/// Adding a posting is one unit of work; one unit adds impacts to `DENSE` slots in a row. Asking a list about a record
/// takes a few units, and so many for each halving of the list.
const DENSE: usize = 24;
const ASK: usize = 8;
const HALVING: usize = 2;

/// One list with what estimates need.
#[derive(Debug, Clone, Copy)]
pub struct Estimated<'a> {
    /// Which slots hold the term, and how often.
    pub list: List<'a>,
    /// What the term adds by slot, and from that to units, if that is at hand.
    pub impacts: Option<(&'a [u8], u16)>,
    /// Classes of length by slot.
    pub classes: &'a [u8],
    /// From counts and classes to units.
    pub units: Units<'a>,
    /// What the list adds to a record at most, in units.
    pub bound: f64,
}

impl Estimated<'_> {
    /// The counts as the kernel takes them; `tables` are those of small counts, none for a short list.
    #[must_use]
    pub fn tally<'t>(&'t self, tables: &'t [Share]) -> Tally<'t> {
        match self.list.counts {
            Counts::Ones => Tally::Ones(&[], &[]),
            Counts::Sparse(places, counts) => Tally::Ones(places, counts),
            Counts::Narrow(counts) if tables.is_empty() => Tally::Mostly(counts),
            Counts::Narrow(counts) => Tally::Narrow(counts, tables),
            Counts::Wide(counts) => Tally::Wide(counts, tables),
        }
    }

    /// Is the list long enough to have tables made for it?
    #[must_use]
    pub fn has_tables(&self) -> bool {
        self.list.slots.len() >= TABLED && matches!(self.list.counts, Counts::Narrow(_) | Counts::Wide(_))
    }

    /// Units of work for one record.
    #[must_use]
    pub fn cost_of_asking(&self) -> usize {
        self.impacts.map_or_else(|| ASK + HALVING * self.list.slots.len().ilog2() as usize, |_| 1)
    }

    /// Units of work for the whole list.
    #[must_use]
    pub fn cost_of_adding(&self) -> usize {
        self.impacts.map_or(self.list.slots.len(), |(impacts, _)| impacts.len() / DENSE)
    }

    /// What it adds to the record in a slot; 0 if the term is not there.
    #[must_use]
    pub fn units_in(&self, slot: u16) -> u16 {
        let at = usize::from(slot);
        if let Some((impacts, multiplier)) = self.impacts {
            return impact_units(multiplier, impacts[at]);
        }
        match self.list.count_in(slot) {
            0 => 0,
            count => self.units.of(count as f32, self.classes[at]),
        }
    }
}
