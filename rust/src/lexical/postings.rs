//! One list: which slots of a segment hold a term in a field, and how often.
//!
//! Three bytes a posting: a slot number of 16 bits and a count of 8, widened to 32 for the whole list by the
//! first count that needs it.

/// Slots in ascending order with the term's frequency in each.
#[derive(Debug, Clone)]
pub struct Postings {
    slots: Vec<u16>,
    counts: Counts,
}

#[derive(Debug, Clone)]
enum Counts {
    Narrow(Vec<u8>),
    Wide(Vec<u32>),
}

/// The counts of a list, as they lie in memory.
#[derive(Debug, Clone, Copy)]
pub enum CountsRef<'a> {
    /// All counts fit a byte.
    Narrow(&'a [u8]),
    /// At least one did not.
    Wide(&'a [u32]),
}

impl CountsRef<'_> {
    /// The count at a position of the list.
    #[must_use]
    pub fn get(&self, at: usize) -> u32 {
        match self {
            Self::Narrow(counts) => u32::from(counts[at]),
            Self::Wide(counts) => counts[at],
        }
    }
}

/// A list as the search sees it.
#[derive(Debug, Clone, Copy)]
pub struct List<'a> {
    /// Ascending.
    pub slots: &'a [u16],
    /// As many as slots.
    pub counts: CountsRef<'a>,
}

impl List<'_> {
    /// The term's frequency in a slot, 0 if it does not occur.
    #[must_use]
    pub fn count_in(&self, slot: u16) -> u32 {
        self.slots.binary_search(&slot).map_or(0, |at| self.counts.get(at))
    }
}

impl Postings {
    /// An empty list.
    #[must_use]
    pub fn new() -> Self {
        Self { slots: Vec::new(), counts: Counts::Narrow(Vec::new()) }
    }

    /// Nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The list as the search sees it.
    #[must_use]
    pub fn as_list(&self) -> List<'_> {
        let counts = match &self.counts {
            Counts::Narrow(counts) => CountsRef::Narrow(counts),
            Counts::Wide(counts) => CountsRef::Wide(counts),
        };
        List { slots: &self.slots, counts }
    }

    /// Adds a slot that is not in the list; at the end when slots come in order, as they mostly do.
    pub fn insert(&mut self, slot: u16, count: u32) {
        let at = match self.slots.last() {
            Some(&last) if last > slot => self.slots.partition_point(|&other| other < slot),
            _ => self.slots.len(),
        };
        self.slots.insert(at, slot);
        if count > u32::from(u8::MAX) {
            self.widen();
        }
        match &mut self.counts {
            Counts::Narrow(counts) => counts.insert(at, count as u8),
            Counts::Wide(counts) => counts.insert(at, count),
        }
    }

    /// Takes a slot out, if it is there.
    pub fn remove(&mut self, slot: u16) {
        if let Ok(at) = self.slots.binary_search(&slot) {
            self.slots.remove(at);
            match &mut self.counts {
                Counts::Narrow(counts) => drop(counts.remove(at)),
                Counts::Wide(counts) => drop(counts.remove(at)),
            }
        }
    }

    fn widen(&mut self) {
        if let Counts::Narrow(counts) = &self.counts {
            self.counts = Counts::Wide(counts.iter().map(|&count| u32::from(count)).collect());
        }
    }
}

impl Default for Postings {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_list_agrees_with_a_map(steps in prop::collection::vec((any::<bool>(), 0_u16..40, 1_u32..600), 0..120)) {
            let mut list = Postings::new();
            let mut map = std::collections::BTreeMap::new();
            for (add, slot, count) in steps {
                list.remove(slot);
                map.remove(&slot);
                if add {
                    list.insert(slot, count);
                    map.insert(slot, count);
                }
            }
            let seen: Vec<(u16, u32)> = list.as_list().slots.iter().map(|&s| (s, list.as_list().count_in(s))).collect();
            prop_assert_eq!(seen, map.into_iter().collect::<Vec<_>>());
        }
    }
}
