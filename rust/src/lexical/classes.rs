//! The lengths of a field, a byte a record: records of one class are about as long as each other.
//!
//! Estimates know a record by its class alone. Where a segment knows no more than 240 lengths, each is a class of its
//! own and nothing is lost; else a class takes in lengths that lie as close together as so few classes allow. The
//! averages of a search play no part in it, so classes serve every search and follow each change of a record.

use crate::kernel::CLASSES;

/// Classes made at first; the others wait for lengths that come later.
const FILLED: usize = 240;

/// The classes of one field in one segment.
#[derive(Debug, Clone)]
pub struct Classes {
    /// By slot.
    pub of: Vec<u8>,
    /// By class: the shortest length in it; 0 for a class that is not used.
    pub shortest: [f32; CLASSES],
    /// At most the shortest length above 0.
    pub briefest: u32,
    /// How many times its shortest length a class holds at most; 1 if all are exact.
    pub spread: f64,
    ranges: Vec<(u32, u32)>, // by class: the shortest and the longest
}

impl Classes {
    /// Sorts the records of a segment; those beyond `lengths` are 0 long.
    #[must_use]
    pub fn new(lengths: &[u32], slots: usize) -> Self {
        let mut distinct = lengths.to_vec();
        distinct.push(0);
        distinct.sort_unstable();
        distinct.dedup();
        // At a width of 1.128 not even all lengths that 32 bits hold make 240 classes.
        let mut width = 1.0;
        let mut ranges = ranges(&distinct, width);
        while ranges.len() > FILLED {
            width = 1.0 + (width - 1.0).max(0.002) * 2.0;
            ranges = self::ranges(&distinct, width);
        }
        let class = |&length: &u32| (ranges.partition_point(|range| range.0 <= length) - 1) as u8;
        let mut of: Vec<u8> = lengths.iter().map(class).collect();
        of.resize(slots.max(lengths.len()), 0);
        let mut classes = Self { of, shortest: [0.0; CLASSES], briefest: u32::MAX, spread: 1.0, ranges: Vec::new() };
        for range in ranges {
            classes.push(range);
        }
        classes
    }

    fn push(&mut self, (shortest, longest): (u32, u32)) {
        self.shortest[self.ranges.len()] = shortest as f32;
        if shortest > 0 {
            self.briefest = self.briefest.min(shortest);
            self.spread = self.spread.max(f64::from(longest) / f64::from(shortest));
        }
        self.ranges.push((shortest, longest));
    }

    /// Puts the record in a slot into the class of its length; false if there is none and no room for it.
    #[must_use]
    pub fn put(&mut self, slot: u16, length: u32) -> bool {
        let takes = |&(shortest, longest): &(u32, u32)| (shortest..=longest).contains(&length);
        let class = self.ranges.iter().position(takes).unwrap_or(self.ranges.len());
        if class == CLASSES {
            return false;
        }
        if class == self.ranges.len() {
            self.push((length, length));
        }
        let at = usize::from(slot);
        if self.of.len() <= at {
            self.of.resize(at + 1, 0);
        }
        self.of[at] = class as u8;
        true
    }
}

/// Cuts distinct lengths, ascending, into as few ranges as can be whose longest is at most `width` times the shortest.
fn ranges(distinct: &[u32], width: f64) -> Vec<(u32, u32)> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &length in distinct {
        match ranges.last_mut() {
            Some((shortest, longest)) if f64::from(length) <= f64::from(*shortest) * width => *longest = length,
            _ => ranges.push((length, length)),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(classes: &Classes, lengths: &[u32]) {
        assert!(classes.ranges.len() <= CLASSES && classes.spread < 1.13);
        for (slot, &length) in lengths.iter().enumerate() {
            let (shortest, longest) = classes.ranges[usize::from(classes.of[slot])];
            assert!((shortest..=longest).contains(&length), "{length} is not in {shortest}..={longest}");
            assert!(length == 0 || f64::from(longest) / f64::from(shortest) <= classes.spread);
            assert!(length == 0 || classes.briefest <= length);
            assert_eq!(classes.shortest[usize::from(classes.of[slot])].to_bits(), (shortest as f32).to_bits());
        }
    }

    proptest! {
        #[test]
        fn every_length_is_in_its_class(
            lengths in prop::collection::vec(prop_oneof![0_u32..300, 0_u32..9_000, any::<u32>()], 0..900),
            later in prop::collection::vec((0_u16..1_000, prop_oneof![0_u32..300, any::<u32>()]), 0..30),
        ) {
            let mut lengths = lengths;
            let mut classes = Classes::new(&lengths, lengths.len() + 10);
            prop_assert_eq!(classes.of.len(), lengths.len() + 10);
            check(&classes, &lengths);
            for (slot, length) in later {
                let known = classes.ranges.iter().any(|&(first, last)| (first..=last).contains(&length));
                let taken = classes.put(slot, length);
                prop_assert!(taken || (!known && classes.ranges.len() == CLASSES));
                if taken {
                    lengths.resize(lengths.len().max(usize::from(slot) + 1), 0);
                    lengths[usize::from(slot)] = length;
                    check(&classes, &lengths);
                }
            }
        }
    }

    #[test]
    fn few_lengths_are_told_apart_and_all_there_are_fit() {
        let few: Vec<u32> = (0..239).map(|n| n * n).collect();
        let classes = Classes::new(&few, few.len());
        assert_eq!((classes.spread.to_bits(), classes.briefest), (1.0_f64.to_bits(), 1));
        let many: Vec<u32> = (0..60_000).chain((60_000..u32::MAX).step_by(100_000)).chain([u32::MAX]).collect();
        check(&Classes::new(&many, many.len()), &many);
    }
}
