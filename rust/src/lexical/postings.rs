//! One list: which slots of a segment hold a term in a field, and how often.

/// The counts of a list, as they lie in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counts<'a> {
    /// Every count is 1; nothing is stored.
    Ones,
    /// Few counts are other than 1: where in the list they stand, ascending, and what they are (at most 255).
    Sparse(&'a [u16], &'a [u16]),
    /// All counts fit a byte.
    Narrow(&'a [u8]),
    /// At least one did not.
    Wide(&'a [u32]),
}

impl Counts<'_> {
    /// The count at a position of the list.
    #[must_use]
    pub fn get(&self, at: usize) -> u32 {
        match self {
            Self::Ones => 1,
            Self::Sparse(places, counts) => {
                places.binary_search(&(at as u16)).map_or(1, |place| u32::from(counts[place]))
            }
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
    /// One for each slot.
    pub counts: Counts<'a>,
}

impl List<'_> {
    /// The term's frequency in a slot, 0 if it does not occur.
    #[must_use]
    pub fn count_in(&self, slot: u16) -> u32 {
        self.slots.binary_search(&slot).map_or(0, |at| self.counts.get(at))
    }

    /// Calls something with each slot and its count, in order: as [`List::iter`], several times as fast.
    pub fn each(&self, mut call: impl FnMut(u16, u32)) {
        let slots = self.slots.iter().copied();
        match self.counts {
            Counts::Ones => slots.for_each(|slot| call(slot, 1)),
            Counts::Narrow(counts) => slots.zip(counts).for_each(|(slot, &count)| call(slot, u32::from(count))),
            Counts::Wide(counts) => slots.zip(counts).for_each(|(slot, &count)| call(slot, count)),
            Counts::Sparse(places, counts) => {
                let mut others = places.iter().zip(counts).peekable();
                for (at, slot) in slots.enumerate() {
                    let other = others.next_if(|(place, _)| usize::from(**place) == at);
                    call(slot, other.map_or(1, |(_, &count)| u32::from(count)));
                }
            }
        }
    }

    /// Slots with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (u16, u32)> {
        self.slots.iter().enumerate().map(|(at, &slot)| (slot, self.counts.get(at)))
    }
}

/// A list that a segment holds already.
#[derive(Debug, Clone, Copy)]
pub struct Held<'a> {
    /// Number of its term in the index.
    pub term: u32,
    /// Its field.
    pub field: u8,
    /// Records of the segment that hold the term in any field.
    pub documents: u32,
    /// The list itself.
    pub list: List<'a>,
}

/// A list that can still grow: three bytes a posting, six from the first count that does not fit a byte.
#[derive(Debug, Clone, Default)]
pub struct Postings {
    slots: Vec<u16>,
    narrow: Vec<u8>,
    wide: Vec<u32>, // in place of `narrow`, once a count needs it
}

impl Postings {
    /// Nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The list as the search sees it.
    #[must_use]
    pub fn as_list(&self) -> List<'_> {
        let counts = if self.wide.is_empty() { Counts::Narrow(&self.narrow) } else { Counts::Wide(&self.wide) };
        List { slots: &self.slots, counts }
    }

    /// Adds a slot that is not in the list; at the end when slots come in order, as they mostly do.
    pub fn insert(&mut self, slot: u16, count: u32) {
        let at = match self.slots.last() {
            Some(&last) if last > slot => self.slots.partition_point(|&other| other < slot),
            _ => self.slots.len(),
        };
        self.slots.insert(at, slot);
        if count > u32::from(u8::MAX) && self.wide.is_empty() {
            self.wide = std::mem::take(&mut self.narrow).into_iter().map(u32::from).collect();
            self.wide.insert(at, count);
        } else if self.wide.is_empty() {
            self.narrow.insert(at, count as u8);
        } else {
            self.wide.insert(at, count);
        }
    }

    /// Takes a slot out, if it is there.
    pub fn remove(&mut self, slot: u16) {
        if let Ok(at) = self.slots.binary_search(&slot) {
            self.slots.remove(at);
            if self.wide.is_empty() {
                self.narrow.remove(at);
            } else {
                self.wide.remove(at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_list_agrees_with_a_map(steps in prop::collection::vec((any::<bool>(), 0_u16..40, 1_u32..600), 0..120)) {
            let mut list = Postings::default();
            let mut map = std::collections::BTreeMap::new();
            for (add, slot, count) in steps {
                list.remove(slot);
                map.remove(&slot);
                if add {
                    list.insert(slot, count);
                    map.insert(slot, count);
                }
                prop_assert_eq!(list.is_empty(), map.is_empty());
            }
            prop_assert_eq!(list.as_list().iter().collect::<Vec<_>>(), map.into_iter().collect::<Vec<_>>());
        }
    }
}
