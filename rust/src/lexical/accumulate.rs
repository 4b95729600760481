//! The running sums of one segment: lists are added one after another, then the sums are handed over.

use super::postings::{Counts, List};
use crate::kernel::{Curve, Isa, SLOTS, add_narrow, add_ones, add_wide, at_least};

/// Slots looked at with one threshold, before it may have risen.
const WINDOW: usize = 1024;

/// Lists this much shorter than the segment (in all) are walked once more instead of all its slots.
const SPARSE: usize = 8;

/// Adding a posting is one unit of work (a nanosecond); asking a list about a slot takes a few, and so many for each
/// halving of it: 15 to 25 in all, measured on lists of 8,000 to 60,000 slots.
const ASK: usize = 4;
const HALVING: usize = 1;

/// Groups of slots, each spoken for by its largest sum.
const GROUPS: usize = 32;

/// A term by its number; with that of its stem, where this counts as the term, too.
pub type TermKey = (Option<u32>, Option<u32>);

/// One list with the numbers that turn counts into contributions.
#[derive(Debug, Clone, Copy)]
pub struct Scored<'a> {
    /// Which slots hold the term, and how often.
    pub list: List<'a>,
    /// What tells the term from others.
    pub term: TermKey,
    /// The field they stand in.
    pub field: usize,
    /// Lengths of the field by slot.
    pub lengths: &'a [u32],
    /// From count and length to contribution.
    pub curve: Curve,
}

/// Sums by slot, all zero between searches.
#[derive(Debug)]
pub struct Sums {
    by_slot: Box<[f64; SLOTS]>,
    worth: Vec<u16>,
    counts: Vec<u8>,
}

impl Default for Sums {
    fn default() -> Self {
        let by_slot = vec![0.0; SLOTS].into_boxed_slice().try_into().expect("as long as it says");
        Self { by_slot, worth: Vec::new(), counts: Vec::new() }
    }
}

/// Who gets the sums.
pub trait Taker {
    /// Sums below this need not be handed over. It may rise meanwhile; it only spares work.
    fn floor(&self) -> f64;
    /// One sum that is positive; each slot comes once.
    fn take(&mut self, slot: u16, sum: f64);
}

impl Sums {
    /// Adds all lists in order, hands the sums over and leaves all of them zero. `slots` bounds every slot. `k` says
    /// how many of the largest are wanted, if nothing but the sums decides that: no boost and no selection.
    pub fn run(&mut self, isa: Isa, lists: &[Scored<'_>], slots: usize, k: Option<usize>, taker: &mut impl Taker) {
        for scored in lists {
            self.add(isa, scored);
        }
        if is_sparse(lists, slots) {
            let floor = k.map_or(0.0, |k| self.best_at_least(lists, k));
            self.walk_lists(lists, floor, taker);
        } else {
            self.walk_slots(isa, slots, taker);
        }
    }

    /// As [`Sums::run`]; and the sums of all slots are put behind `all`.
    pub fn run_all(
        &mut self,
        isa: Isa,
        lists: &[Scored<'_>],
        slots: usize,
        all: &mut Vec<f64>,
        taker: &mut impl Taker,
    ) {
        for scored in lists {
            self.add(isa, scored);
        }
        all.extend_from_slice(&self.by_slot[..slots]);
        if is_sparse(lists, slots) {
            self.walk_lists(lists, 0.0, taker);
        } else {
            self.walk_slots(isa, slots, taker);
        }
    }

    /// As [`Sums::run`] for the sums of a few slots, each given once. A long list is asked about them instead of being
    /// added. `all` bounds every slot of the lists.
    pub fn run_at(&mut self, isa: Isa, lists: &[Scored<'_>], all: usize, slots: &[u16], taker: &mut impl Taker) {
        let is_asked = |scored: &Scored<'_>| slots.len() * cost_of_asking(&scored.list) < scored.list.slots.len();
        for scored in lists {
            if is_asked(scored) {
                self.ask(scored, slots);
            } else {
                self.add(isa, scored);
            }
        }
        for &slot in slots {
            let sum = std::mem::take(&mut self.by_slot[usize::from(slot)]);
            if sum > 0.0 && sum >= taker.floor() {
                taker.take(slot, sum);
            }
        }
        let added = || lists.iter().filter(|scored| !is_asked(scored)).map(|scored| scored.list.slots);
        if added().map(<[u16]>::len).sum::<usize>() * SPARSE < all {
            added().flatten().for_each(|&slot| self.by_slot[usize::from(slot)] = 0.0);
        } else {
            self.by_slot[..all].fill(0.0);
        }
    }

    fn add(&mut self, isa: Isa, scored: &Scored<'_>) {
        let Scored { list, lengths, curve, .. } = scored;
        match list.counts {
            Counts::Sparse(places, others) => {
                // Written out, since then one loop without branches adds them all. They fit a byte.
                self.counts.clear();
                self.counts.resize(list.slots.len(), 1);
                for (&place, &count) in places.iter().zip(others) {
                    self.counts[usize::from(place)] = count as u8;
                }
                add_narrow(isa, *curve, list.slots, &self.counts, lengths, &mut self.by_slot);
            }
            Counts::Ones => add_ones(isa, *curve, list.slots, lengths, &mut self.by_slot),
            Counts::Narrow(counts) => add_narrow(isa, *curve, list.slots, counts, lengths, &mut self.by_slot),
            Counts::Wide(counts) => add_wide(isa, *curve, list.slots, counts, lengths, &mut self.by_slot),
        }
    }

    fn ask(&mut self, Scored { list, lengths, curve, .. }: &Scored<'_>, slots: &[u16]) {
        for &slot in slots {
            let count = list.count_in(slot);
            if count > 0 {
                let length = f64::from(lengths[usize::from(slot)]);
                self.by_slot[usize::from(slot)] += curve.part(f64::from(count), length);
            }
        }
    }

    /// A sum that at least `k` slots reach; 0 if it is not known of so many. Slots are dealt into groups, and each
    /// group is spoken for by its largest sum: k of those are k slots.
    fn best_at_least(&self, lists: &[Scored<'_>], k: usize) -> f64 {
        let mut found = [0.0_f64; GROUPS];
        if k > GROUPS {
            return 0.0;
        }
        for &slot in lists.iter().flat_map(|scored| scored.list.slots) {
            let (sum, peak) = (self.by_slot[usize::from(slot)], &mut found[usize::from(slot) % GROUPS]);
            *peak = if sum > *peak { sum } else { *peak };
        }
        *found.select_nth_unstable_by(k - 1, |a, b| b.total_cmp(a)).1
    }

    /// A slot that stands in several lists is zero when it is met again.
    fn walk_lists(&mut self, lists: &[Scored<'_>], least: f64, taker: &mut impl Taker) {
        let mut floor = taker.floor().max(least);
        for &slot in lists.iter().flat_map(|scored| scored.list.slots) {
            let sum = std::mem::take(&mut self.by_slot[usize::from(slot)]);
            if sum > 0.0 && sum >= floor {
                taker.take(slot, sum);
                floor = taker.floor().max(least);
            }
        }
    }

    fn walk_slots(&mut self, isa: Isa, slots: usize, taker: &mut impl Taker) {
        for (window, sums) in self.by_slot[..slots].chunks_mut(WINDOW).enumerate() {
            let floor = taker.floor().max(f64::from_bits(1)); // the smallest sum there is
            at_least(isa, sums, floor, (window * WINDOW) as u16, &mut self.worth);
            for slot in self.worth.drain(..) {
                taker.take(slot, sums[usize::from(slot) - window * WINDOW]);
            }
            sums.fill(0.0);
        }
    }
}

fn is_sparse(lists: &[Scored<'_>], slots: usize) -> bool {
    let postings: usize = lists.iter().map(|scored| scored.list.slots.len()).sum();
    postings * SPARSE < slots
}

/// In postings that could be added in that time.
fn cost_of_asking(list: &List<'_>) -> usize {
    ASK + HALVING * list.slots.len().ilog2() as usize
}
