//! Which records of a segment can be among the best: estimates, rare terms first.
//!
//! Lists are added from the shortest to the longest. Once what is left cannot lift a record from nothing to the
//! floor, only records that are well under way go on, and a long list is asked about them instead of being added.
//! `margin` proves that no record is lost.

use super::margin::Margin;
use super::postings::{Counts, List};
use crate::kernel::{
    Isa, PEAKS, SLOTS, Slots, Tally, count_reaching, estimate, estimate_all, peaks, reaching, saturated,
};

/// Up to this share of a segment's slots the touched ones are put down, so that only they are walked.
const TRACKED: usize = 8;

/// Adding a posting is one unit of work; looking at a touched slot is this many, and one unit looks at `SCANNED`
/// slots in a row or adds to `DENSE` of them. Asking a list about a record takes a few units, and so many for each halving of the list.
const LOOK: usize = 2;
const SCANNED: usize = 8;
const DENSE: usize = 6;
const ASK: usize = 8;
const HALVING: usize = 2;

/// One list with what estimates need.
#[derive(Debug, Clone, Copy)]
pub struct Estimated<'a> {
    /// Which slots hold the term, and how often.
    pub list: List<'a>,
    /// The same by slot, if that is at hand: 0 where the term is not.
    pub counts: Option<&'a [u8]>,
    /// What one occurrence is worth, by slot.
    pub worth: &'a [f32],
    /// In units of the largest base of the query.
    pub base: f32,
    /// What the list adds to a record at most.
    pub bound: f64,
}

impl Estimated<'_> {
    fn tally(&self) -> Tally<'_> {
        match self.list.counts {
            Counts::Ones => Tally::Ones(&[], &[]),
            Counts::Sparse(places, counts) => Tally::Ones(places, counts),
            // Frequent terms stand in many records more than once.
            Counts::Narrow(counts) if counts.len() * 8 < self.worth.len() => Tally::Mostly(counts),
            Counts::Narrow(counts) => Tally::Narrow(counts),
            Counts::Wide(counts) => Tally::Wide(counts),
        }
    }

    fn cost_of_asking(&self) -> usize {
        self.counts.map_or_else(|| ASK + HALVING * self.list.slots.len().ilog2() as usize, |_| LOOK)
    }

    fn cost_of_adding(&self) -> usize {
        self.counts.map_or(self.list.slots.len(), |counts| counts.len() / DENSE)
    }

    fn count_in(&self, slot: u16) -> f32 {
        self.counts.map_or_else(|| self.list.count_in(slot) as f32, |counts| f32::from(counts[usize::from(slot)]))
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
    sums: Box<[f32; SLOTS]>,
    touched: Slots,
    chosen: Slots,
    rest: Vec<f64>, // what the lists from here on add at most
}

impl Default for Chooser {
    fn default() -> Self {
        let sums = vec![0.0; SLOTS].into_boxed_slice().try_into().expect("as long as it says");
        Self { sums, touched: Slots::default(), chosen: Slots::default(), rest: Vec::new() }
    }
}

/// Which slots may hold a record worth going on with.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Stage {
    Touched,
    All,
    Chosen,
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
            if stage == Stage::Chosen && self.chosen.as_slice().len() * own.cost_of_asking() < own.cost_of_adding() {
                self.ask(own);
            } else {
                added += own.list.slots.len();
                if tracked && added > slots / TRACKED {
                    tracked = false;
                    stage = if stage == Stage::Touched { Stage::All } else { stage };
                }
                self.add(isa, own, tracked);
            }
            if self.cost_of_looking(stage, slots) < left || at + 1 == lists.len() {
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
                    Stage::Touched | Stage::Chosen => true,
                };
                if at + 1 == lists.len() || (needed > 0.0 && pays()) {
                    self.narrow(isa, stage, slots, needed);
                    stage = Stage::Chosen;
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

    fn cost_of_looking(&self, stage: Stage, slots: usize) -> usize {
        match stage {
            Stage::Touched => self.touched.as_slice().len() * LOOK,
            Stage::All => slots / SCANNED,
            Stage::Chosen => self.chosen.as_slice().len() * LOOK,
        }
    }

    fn add(&mut self, isa: Isa, own: &Estimated<'_>, tracked: bool) {
        match own.counts {
            Some(counts) if !tracked => estimate_all(isa, own.base, counts, own.worth, &mut self.sums),
            _ => {
                let touched = tracked.then_some(&mut self.touched);
                estimate(isa, own.base, own.list.slots, own.tally(), own.worth, &mut self.sums, touched);
            }
        }
    }

    /// Adds a list to the chosen slots only.
    fn ask(&mut self, own: &Estimated<'_>) {
        for &slot in self.chosen.as_slice() {
            let part = own.base * saturated(own.count_in(slot), own.worth[usize::from(slot)]);
            self.sums[usize::from(slot)] += part; // 0 for most: no branch that could be foreseen wrongly
        }
    }

    /// A score that at least `k` records have for sure; 0 if it is not known of so many.
    ///
    /// The sums are dealt into groups, and each group is spoken for by its largest: k of those are k records.
    fn best_so_far(&self, isa: Isa, stage: Stage, slots: usize, k: usize, margin: Margin) -> f64 {
        if k > PEAKS {
            return 0.0;
        }
        let mut found = [0.0_f32; PEAKS];
        match stage {
            Stage::All => peaks(isa, &self.sums[..slots], &mut found),
            Stage::Touched | Stage::Chosen => {
                let slots = if stage == Stage::Touched { self.touched.as_slice() } else { self.chosen.as_slice() };
                for (at, &slot) in slots.iter().enumerate() {
                    let peak = &mut found[at % PEAKS];
                    *peak = peak.max(self.sums[usize::from(slot)]);
                }
            }
        }
        let (_, kth, _) = found.select_nth_unstable_by(k - 1, |a, b| b.total_cmp(a));
        margin.surely(*kth)
    }

    /// Keeps the slots that have what is needed.
    fn narrow(&mut self, isa: Isa, stage: Stage, slots: usize, needed: f32) {
        let Self { sums, touched, chosen, .. } = self;
        match stage {
            Stage::Touched => chosen.extend_reaching(touched.as_slice(), sums, needed),
            Stage::All => reaching(isa, &sums[..slots], needed, chosen),
            Stage::Chosen => chosen.retain_reaching(sums, needed),
        }
    }

    fn clear(&mut self, tracked: bool, slots: usize) {
        if tracked {
            for &slot in self.touched.as_slice() {
                self.sums[usize::from(slot)] = 0.0;
            }
        } else {
            self.sums[..slots].fill(0.0);
        }
        self.touched.clear();
    }
}
