//! Pruning: term-at-a-time `MaxScore` (Turtle and Flood, 1995) with accumulators trimmed as Strohman and Croft do it (2007),
//! over impacts in whole units.
//!
//! Lists are added from the shortest to the longest, as estimates. What the lists to come can add at most is known. Once
//! that cannot lift a record from nothing to the floor, only records that are well under way go on, and a long list is
//! asked about them instead of being added. The floor is a score that k records are sure of by then. Unlike in those
//! papers estimates may err either way, by margins that are proved: `margin` says why no record is lost. The survivors
//! are scored again, exactly.

use super::estimated::Estimated;
use super::margin::Margin;
use super::passing::Passing;
use crate::kernel::{
    CLASSES, Isa, PEAKS, Postings, SLOTS, Share, Slots, TABLES, count_reaching, estimate, estimate_all, peak, reaching,
    shares,
};

/// Up to this share of a segment's slots the touched ones are put down, so that only they are walked.
const TRACKED: usize = 8;

/// One unit of work adds a posting, looks at a touched slot, or looks at `SCANNED` slots in a row.
const SCANNED: usize = 32;

/// How often a lower floor is tried where only a selection of records may be found, and how much lower each time.
const TRIES: usize = 6;
const LOWER: u16 = 8;

/// What decides whether a record is one of the best.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// The error of estimates.
    pub margin: Margin,
    /// How many records are wanted, if the sums alone decide which (no boosts).
    pub k: Option<usize>,
    /// Scores below this are of no use.
    pub floor: f64,
    /// The rows that may be found; `None` for all.
    pub passing: Option<Passing<'a>>,
}

/// Accumulators: estimates by slot, all zero between searches, and the slots that survive.
#[derive(Debug)]
pub struct Pruner {
    sums: Box<[u16; SLOTS]>,
    touched: Slots,
    survivors: Slots,
    spare: Slots,
    values: Vec<u16>, // the sums of the touched or surviving, in their order
    tables: Box<[Share; TABLES]>,
    rest: Vec<f64>, // what the lists from here on add at most
}

impl Default for Pruner {
    fn default() -> Self {
        let sums = vec![0; SLOTS].into_boxed_slice().try_into().expect("as long as it says");
        let (touched, survivors, spare) = (Slots::default(), Slots::default(), Slots::default());
        let tables = Box::new([[0; CLASSES]; TABLES]);
        Self { sums, touched, survivors, spare, values: Vec::new(), tables, rest: Vec::new() }
    }
}

/// Which slots may hold a record worth going on with.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Stage {
    Touched,
    All,
    Survivors,
    /// The survivors, whose sums stand in `values` alone from now on.
    Asked,
}

impl Pruner {
    /// The slots that can reach the target, each once, in any order. Lists are ordered by length; `slots` bounds
    /// every slot.
    pub fn prune(&mut self, isa: Isa, lists: &[Estimated<'_>], slots: usize, target: Target<'_>) -> &[u16] {
        self.survivors.clear();
        self.bound(lists);
        let (mut stage, mut tracked, mut floor) = (Stage::Touched, true, target.floor);
        let mut left: usize = lists.iter().map(Estimated::cost_of_adding).sum();
        let mut added = 0;
        for (at, own) in lists.iter().enumerate() {
            left -= own.cost_of_adding();
            let is_cheaper = || self.survivors.as_slice().len() * own.cost_of_asking() < own.cost_of_adding();
            if stage == Stage::Asked || (stage == Stage::Survivors && is_cheaper()) {
                if stage == Stage::Survivors {
                    self.collect(Stage::Survivors, None);
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
            if is_last || (self.can_leave_out(at, target) && self.cost_of_looking(stage, slots) < left) {
                self.collect(stage, target.passing);
                if let Some(k) = target.k.filter(|_| target.floor <= 0.0) {
                    floor = floor.max(self.sure(isa, stage, slots, k, target));
                }
                let needed = target.margin.needed(floor, self.rest[at + 1]);
                let pays = || match stage {
                    Stage::All => {
                        let next = &lists[at + 1];
                        let few = count_reaching(isa, &self.sums[..slots], needed);
                        few * next.cost_of_asking() < next.cost_of_adding()
                    }
                    Stage::Touched | Stage::Survivors | Stage::Asked => true,
                };
                if is_last || (needed > 0 && pays()) {
                    self.narrow(isa, stage, slots, needed, target.passing);
                    stage = if stage == Stage::Asked { stage } else { Stage::Survivors };
                }
            }
        }
        self.clear(tracked, slots);
        self.survivors.as_slice()
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
    fn can_leave_out(&self, at: usize, target: Target<'_>) -> bool {
        let (all, rest) = (self.rest[0], self.rest[at + 1]);
        all - rest > rest || target.margin.needed(target.floor, rest) > 0
    }

    fn cost_of_looking(&self, stage: Stage, slots: usize) -> usize {
        match stage {
            Stage::Touched => self.touched.as_slice().len(),
            Stage::All => slots / SCANNED,
            Stage::Survivors | Stage::Asked => self.survivors.as_slice().len(),
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

    /// Adds a list to the survivors only.
    fn ask(&mut self, own: &Estimated<'_>) {
        for (value, &slot) in self.values.iter_mut().zip(self.survivors.as_slice()) {
            *value = value.wrapping_add(own.units_in(slot)); // 0 for most
        }
    }

    /// Puts the sums of the touched or surviving next to each other; 0 for those that may not be found.
    fn collect(&mut self, stage: Stage, passing: Option<Passing<'_>>) {
        let slots = match stage {
            Stage::Touched => self.touched.as_slice(),
            Stage::Survivors => self.survivors.as_slice(),
            Stage::All | Stage::Asked => return,
        };
        self.values.clear();
        self.values.extend(slots.iter().map(|&slot| self.sums[usize::from(slot)]));
        if let Some(passing) = passing.filter(|_| stage == Stage::Touched) {
            for (value, _) in self.values.iter_mut().zip(slots).filter(|(_, slot)| !passing.holds(**slot)) {
                *value = 0;
            }
        }
    }

    /// A score that at least `k` records which may be found have for sure; 0 if it is not known of so many.
    fn sure(&mut self, isa: Isa, stage: Stage, slots: usize, k: usize, target: Target<'_>) -> f64 {
        if k > PEAKS {
            return 0.0;
        }
        let units = match (stage, target.passing) {
            (Stage::All, Some(passing)) => self.reached_by_passing(isa, slots, k, passing),
            (Stage::All, None) => peak(isa, &self.sums[..slots], k),
            _ => peak(isa, &self.values, k),
        };
        target.margin.surely(units)
    }

    /// A sum that `k` of the rows which may be found reach: that of the best `k` of all rows, or the next lower one tried.
    fn reached_by_passing(&mut self, isa: Isa, slots: usize, k: usize, passing: Passing<'_>) -> u16 {
        let sums = &self.sums[..slots];
        let mut units = peak(isa, sums, k);
        for _ in 0..TRIES {
            if units == 0 {
                break;
            }
            self.spare.clear();
            reaching(isa, sums, None, units, &mut self.spare);
            let reached = self.spare.as_slice().iter().filter(|&&slot| passing.holds(slot));
            if reached.take(k).count() == k {
                return units;
            }
            units -= units.div_ceil(LOWER);
        }
        0
    }

    /// Keeps the slots that have what is needed and may be found.
    fn narrow(&mut self, isa: Isa, stage: Stage, slots: usize, needed: u16, passing: Option<Passing<'_>>) {
        let Self { sums, touched, survivors, spare, values, .. } = self;
        match stage {
            Stage::Touched => reaching(isa, values, Some(touched.as_slice()), needed, survivors),
            Stage::All => {
                reaching(isa, &sums[..slots], None, needed, survivors);
                if let Some(passing) = passing {
                    spare.clear();
                    survivors.as_slice().iter().for_each(|&slot| spare.push_if(slot, passing.holds(slot)));
                    std::mem::swap(survivors, spare);
                }
            }
            Stage::Survivors | Stage::Asked => {
                spare.clear();
                reaching(isa, values, Some(survivors.as_slice()), needed, spare);
                values.retain(|&value| value >= needed.max(1));
                std::mem::swap(survivors, spare);
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
