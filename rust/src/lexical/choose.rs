//! Which records of a segment can be among the best: estimates, rare terms first.
//!
//! Lists are added from the shortest to the longest. Once what is left cannot lift a record from nothing to the
//! floor, only records that are well under way go on, and a long list is asked about them instead of being added.
//! `margin` proves that no record is lost.

use super::margin::Margin;
use super::postings::{Counts, List};
use crate::kernel::{
    CLASSES, Isa, PEAKS, Postings, SLOTS, Share, Slots, TABLES, Tally, Units, count_reaching, estimate, estimate_all,
    impact_units, peak, reaching, shares,
};

/// Up to this share of a segment's slots the touched ones are put down, so that only they are walked.
const TRACKED: usize = 8;

/// Lists of so many postings have a table for each small count.
const TABLED: usize = 2048;

/// Adding a posting is one unit of work, and so is looking at a touched slot; one unit looks at `SCANNED` slots in a
/// row or adds impacts to `DENSE` of them. Asking a list about a record takes a few units, and so many for each
/// halving of the list.
const SCANNED: usize = 32;
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
    fn tally<'t>(&'t self, tables: &'t [Share]) -> Tally<'t> {
        match self.list.counts {
            Counts::Ones => Tally::Ones(&[], &[]),
            Counts::Sparse(places, counts) => Tally::Ones(places, counts),
            Counts::Narrow(counts) if tables.is_empty() => Tally::Mostly(counts),
            Counts::Narrow(counts) => Tally::Narrow(counts, tables),
            Counts::Wide(counts) => Tally::Wide(counts, tables),
        }
    }

    fn has_tables(&self) -> bool {
        self.list.slots.len() >= TABLED && matches!(self.list.counts, Counts::Narrow(_) | Counts::Wide(_))
    }

    fn cost_of_asking(&self) -> usize {
        self.impacts.map_or_else(|| ASK + HALVING * self.list.slots.len().ilog2() as usize, |_| 1)
    }

    fn cost_of_adding(&self) -> usize {
        self.impacts.map_or(self.list.slots.len(), |(impacts, _)| impacts.len() / DENSE)
    }

    fn units_in(&self, slot: u16) -> u16 {
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

/// What decides whether a record is one of the best.
#[derive(Debug, Clone, Copy)]
pub struct Aim {
    /// The error of estimates.
    pub margin: Margin,
    /// How many records are wanted, if the sums alone decide which (no boosts).
    pub k: Option<usize>,
    /// Scores below this are of no use.
    pub floor: f64,
}

/// Estimates by slot, all zero between searches, and the slots chosen.
#[derive(Debug)]
pub struct Chooser {
    sums: Box<[u16; SLOTS]>,
    touched: Slots,
    chosen: Slots,
    spare: Slots,
    values: Vec<u16>, // the sums of the touched or chosen, in their order
    tables: Box<[Share; TABLES]>,
    rest: Vec<f64>, // what the lists from here on add at most
}

impl Default for Chooser {
    fn default() -> Self {
        let sums = vec![0; SLOTS].into_boxed_slice().try_into().expect("as long as it says");
        let (touched, chosen, spare) = (Slots::default(), Slots::default(), Slots::default());
        let tables = Box::new([[0; CLASSES]; TABLES]);
        Self { sums, touched, chosen, spare, values: Vec::new(), tables, rest: Vec::new() }
    }
}

/// Which slots may hold a record worth going on with.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Stage {
    Touched,
    All,
    Chosen,
    /// The chosen, whose sums stand in `values` alone from now on.
    Asked,
}

impl Chooser {
    /// The slots that can reach the aim, each once, in any order. Lists are ordered by length; `slots` bounds
    /// every slot.
    pub fn choose(&mut self, isa: Isa, lists: &[Estimated<'_>], slots: usize, aim: Aim) -> &[u16] {
        self.chosen.clear();
        self.bound(lists);
        let (mut stage, mut tracked, mut floor) = (Stage::Touched, true, aim.floor);
        let mut left: usize = lists.iter().map(Estimated::cost_of_adding).sum();
        let mut added = 0;
        for (at, own) in lists.iter().enumerate() {
            left -= own.cost_of_adding();
            let is_cheaper = || self.chosen.as_slice().len() * own.cost_of_asking() < own.cost_of_adding();
            if stage == Stage::Asked || (stage == Stage::Chosen && is_cheaper()) {
                if stage == Stage::Chosen {
                    self.collect(Stage::Chosen);
                    stage = Stage::Asked;
                }
                self.ask(own);
            } else {
                added += own.list.slots.len();
                if tracked && (added > slots / TRACKED || own.impacts.is_some()) {
                    tracked = false;
                    stage = if stage == Stage::Touched { Stage::All } else { stage };
                }
                self.add(isa, own, tracked);
            }
            let is_last = at + 1 == lists.len();
            if is_last || (self.can_leave_out(at, aim) && self.cost_of_looking(stage, slots) < left) {
                self.collect(stage);
                if let Some(k) = aim.k.filter(|_| aim.floor <= 0.0) {
                    floor = floor.max(self.best_so_far(isa, stage, slots, k, aim.margin));
                }
                let needed = aim.margin.needed(floor, self.rest[at + 1]);
                let pays = || match stage {
                    Stage::All => {
                        let next = &lists[at + 1];
                        let few = count_reaching(isa, &self.sums[..slots], needed);
                        few * next.cost_of_asking() < next.cost_of_adding()
                    }
                    Stage::Touched | Stage::Chosen | Stage::Asked => true,
                };
                if is_last || (needed > 0 && pays()) {
                    self.narrow(isa, stage, slots, needed);
                    stage = if stage == Stage::Asked { stage } else { Stage::Chosen };
                }
            }
        }
        self.clear(tracked, slots);
        self.chosen.as_slice()
    }

    fn bound(&mut self, lists: &[Estimated<'_>]) {
        self.rest.clear();
        self.rest.resize(lists.len() + 1, 0.0);
        for (at, own) in lists.iter().enumerate().rev() {
            self.rest[at] = self.rest[at + 1] + own.bound;
        }
    }

    /// After the list at this place: no score is known that is above what the lists so far add at most. If those to
    /// come can add as much to nothing, every record may still be among the best.
    fn can_leave_out(&self, at: usize, aim: Aim) -> bool {
        let (all, rest) = (self.rest[0], self.rest[at + 1]);
        all - rest > rest || aim.margin.needed(aim.floor, rest) > 0
    }

    fn cost_of_looking(&self, stage: Stage, slots: usize) -> usize {
        match stage {
            Stage::Touched => self.touched.as_slice().len(),
            Stage::All => slots / SCANNED,
            Stage::Chosen | Stage::Asked => self.chosen.as_slice().len(),
        }
    }

    fn add(&mut self, isa: Isa, own: &Estimated<'_>, tracked: bool) {
        if let Some((impacts, multiplier)) = own.impacts {
            return estimate_all(isa, multiplier, impacts, &mut self.sums);
        }
        let tables = if own.has_tables() { TABLES } else { 0 };
        for tf in 1..tables.max(2) {
            shares(isa, own.units.factor, tf as f32, own.units.worth, &mut self.tables[tf]);
        }
        let postings =
            Postings { slots: own.list.slots, tally: own.tally(&self.tables[..tables]), classes: own.classes };
        let touched = tracked.then_some(&mut self.touched);
        estimate(isa, own.units, &self.tables[1], postings, &mut self.sums, touched);
    }

    /// Adds a list to the chosen slots only.
    fn ask(&mut self, own: &Estimated<'_>) {
        for (value, &slot) in self.values.iter_mut().zip(self.chosen.as_slice()) {
            *value = value.wrapping_add(own.units_in(slot)); // 0 for most
        }
    }

    /// Puts the sums of the touched or chosen next to each other.
    fn collect(&mut self, stage: Stage) {
        let slots = match stage {
            Stage::Touched => self.touched.as_slice(),
            Stage::Chosen => self.chosen.as_slice(),
            Stage::All | Stage::Asked => return,
        };
        self.values.clear();
        self.values.extend(slots.iter().map(|&slot| self.sums[usize::from(slot)]));
    }

    /// A score that at least `k` records have for sure; 0 if it is not known of so many.
    fn best_so_far(&self, isa: Isa, stage: Stage, slots: usize, k: usize, margin: Margin) -> f64 {
        if k > PEAKS {
            return 0.0;
        }
        margin.surely(peak(isa, if stage == Stage::All { &self.sums[..slots] } else { &self.values }, k))
    }

    /// Keeps the slots that have what is needed.
    fn narrow(&mut self, isa: Isa, stage: Stage, slots: usize, needed: u16) {
        let Self { sums, touched, chosen, spare, values, .. } = self;
        match stage {
            Stage::Touched => reaching(isa, values, Some(touched.as_slice()), needed, chosen),
            Stage::All => reaching(isa, &sums[..slots], None, needed, chosen),
            Stage::Chosen | Stage::Asked => {
                spare.clear();
                reaching(isa, values, Some(chosen.as_slice()), needed, spare);
                values.retain(|&value| value >= needed.max(1));
                std::mem::swap(chosen, spare);
            }
        }
    }

    fn clear(&mut self, tracked: bool, slots: usize) {
        if tracked {
            for &slot in self.touched.as_slice() {
                self.sums[usize::from(slot)] = 0;
            }
        } else {
            self.sums[..slots].fill(0);
        }
        self.touched.clear();
    }
}
