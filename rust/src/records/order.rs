//! Records in the order of what a column says of them: their numbers alone, in runs of bounded length.
//!
//! A tree of values and records takes some thirty bytes a record, most of it what the column holds already.

use std::ops::Bound;

/// What a record is put in order by: a number that orders as its value does, and the record.
pub(super) type Place = (i64, u32);

/// The longest run. What moves at a change is at most two kilobytes.
const RUN: usize = 512;

/// Records in order. Every call is given `of`, which says where a record stands; for those that are held it says the same
/// in every call.
#[derive(Debug, Clone, Default)]
pub(super) struct Order {
    runs: Vec<Vec<u32>>, // none is empty
}

impl Order {
    /// Orders these records.
    pub fn of(mut records: Vec<u32>, of: impl Fn(u32) -> Place) -> Self {
        records.sort_unstable_by_key(|&record| of(record));
        Self { runs: records.chunks(RUN).map(<[u32]>::to_vec).collect() }
    }

    /// Puts a record that is not held where it belongs.
    pub fn insert(&mut self, record: u32, of: impl Fn(u32) -> Place) {
        let (mut run, mut at) = self.first(Bound::Included(of(record)), &of);
        if run == self.runs.len() {
            if self.runs.last().is_none_or(|last| last.len() == RUN) {
                self.runs.push(Vec::new());
            }
            run = self.runs.len() - 1;
            at = self.runs[run].len();
        }
        if self.runs[run].len() == RUN {
            let rest = self.runs[run].split_off(RUN / 2);
            self.runs[run].shrink_to_fit();
            self.runs.insert(run + 1, rest);
            if at > RUN / 2 {
                (run, at) = (run + 1, at - RUN / 2);
            }
        }
        self.runs[run].insert(at, record);
    }

    /// Takes out a record that is held.
    pub fn remove(&mut self, record: u32, of: impl Fn(u32) -> Place) {
        let (run, at) = self.first(Bound::Included(of(record)), &of);
        self.runs[run].remove(at);
        if self.runs[run].is_empty() {
            self.runs.remove(run);
        }
    }

    /// The records from a place on.
    pub fn from(&self, start: Bound<Place>, of: impl Fn(u32) -> Place) -> impl Iterator<Item = u32> {
        let (run, at) = self.first(start, &of);
        let (first, rest) =
            self.runs[run..].split_first().map_or((&[][..], &[][..]), |(first, rest)| (&first[at..], rest));
        first.iter().chain(rest.iter().flatten()).copied()
    }

    /// In which run the first record from a place on stands, and where there; one run more than there are if there is none.
    fn first(&self, start: Bound<Place>, of: impl Fn(u32) -> Place) -> (usize, usize) {
        let is_before = |record: u32| match start {
            Bound::Included(start) => of(record) < start,
            Bound::Excluded(start) => of(record) <= start,
            Bound::Unbounded => false,
        };
        let run = self.runs.partition_point(|run| run.last().is_some_and(|&last| is_before(last)));
        (run, self.runs.get(run).map_or(0, |run| run.partition_point(|&record| is_before(record))))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn records_stand_as_in_a_set_of_places(
            values in prop::collection::vec(-40_i64..40, 1..3_000), ascending in any::<bool>(),
            removed in prop::collection::vec(any::<prop::sample::Index>(), 0..1_500), start in -41_i64..41, record in any::<u32>(),
            kind in 0_u8..3,
        ) {
            let mut values = values;
            if ascending {
                values.sort_unstable();
            }
            let of = |record: u32| (values[record as usize], record);
            let (mut order, mut held) = (Order::default(), std::collections::BTreeSet::new());
            for record in 0..values.len() as u32 {
                order.insert(record, of);
                held.insert(of(record));
            }
            for index in removed {
                let record = index.index(values.len()) as u32;
                if held.remove(&of(record)) {
                    order.remove(record, of);
                }
            }
            let start = match kind {
                0 => Bound::Included((start, record)),
                1 => Bound::Excluded((start, record)),
                _ => Bound::Unbounded,
            };
            let expected: Vec<u32> = held.range((start, Bound::Unbounded)).map(|&(_, record)| record).collect();
            prop_assert_eq!(order.from(start, of).collect::<Vec<_>>(), expected.clone());
            prop_assert!(order.runs.iter().all(|run| (1..=RUN).contains(&run.len())));
            let again = Order::of(held.iter().map(|&(_, record)| record).collect(), of);
            prop_assert_eq!(again.from(start, of).collect::<Vec<_>>(), expected);
        }

        #[test]
        fn what_comes_in_order_leaves_no_room(records in 1_u32..3_000) {
            let mut order = Order::default();
            for record in 0..records {
                order.insert(record, |record| (i64::from(record), record));
            }
            prop_assert_eq!(order.runs.len(), (records as usize).div_ceil(RUN));
        }
    }
}
