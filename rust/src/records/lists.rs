//! A short list of numbers for each record, one after another in one block: eight bytes beside each list.

use crate::ids::reserve_eighth;

const LENGTH_BITS: u32 = 24;

/// Lists by record number; a record without one has an empty list.
#[derive(Debug, Clone, Default)]
pub(super) struct Lists {
    block: Vec<u32>,
    spans: Vec<u64>, // by record: where its list starts in the block, and in the lower 24 bits its length
    unused: usize,   // numbers of the block that no list uses
}

impl Lists {
    /// The list of a record.
    pub(super) fn get(&self, record: u32) -> &[u32] {
        &self.block[range(self.spans.get(record as usize).copied().unwrap_or(0))]
    }

    /// Gives a record its list; it had none. A list has at most [`super::MAX_VALUES`] items.
    pub(super) fn set(&mut self, record: u32, list: &[u32]) {
        if list.is_empty() {
            return;
        }
        let at = record as usize;
        if self.spans.len() <= at {
            let more = at + 1 - self.spans.len();
            reserve_eighth(&mut self.spans, more);
            self.spans.resize(at + 1, 0);
        }
        self.spans[at] = (self.block.len() as u64) << LENGTH_BITS | list.len() as u64;
        reserve_eighth(&mut self.block, list.len());
        self.block.extend_from_slice(list);
    }

    /// The lists of so many records from pairs of record and item, in the order of the pairs.
    pub(super) fn of_pairs(records: usize, pairs: &[(u32, u32)]) -> Self {
        let mut spans = vec![0_u64; records];
        for &(record, _) in pairs {
            spans[record as usize] += 1;
        }
        let mut start = 0;
        for span in &mut spans {
            let length = *span;
            *span = if length == 0 { 0 } else { start << LENGTH_BITS }; // the length is counted up again below
            start += length;
        }
        let mut block = vec![0; pairs.len()];
        for &(record, item) in pairs {
            let span = &mut spans[record as usize];
            block[range(*span).end] = item;
            *span += 1;
        }
        Self { block, spans, unused: 0 }
    }

    /// Takes the list of a record away.
    pub(super) fn take(&mut self, record: u32) -> Vec<u32> {
        let list = self.get(record).to_vec();
        if !list.is_empty() {
            self.spans[record as usize] = 0;
            self.unused += list.len();
            if self.unused > 4_096 && self.unused > self.block.len() / 2 {
                self.compact();
            }
        }
        list
    }

    fn compact(&mut self) {
        let mut block = Vec::with_capacity(self.block.len() - self.unused);
        for span in self.spans.iter_mut().filter(|span| **span != 0) {
            let list = &self.block[range(*span)];
            *span = (block.len() as u64) << LENGTH_BITS | list.len() as u64;
            block.extend_from_slice(list);
        }
        (self.block, self.unused) = (block, 0);
    }
}

fn range(span: u64) -> std::ops::Range<usize> {
    let start = (span >> LENGTH_BITS) as usize;
    start..start + (span & ((1 << LENGTH_BITS) - 1)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_in_any_order_become_lists() {
        let lists = Lists::of_pairs(4, &[(2, 9), (0, 8), (2, 7), (3, 1)]);
        assert_eq!([0, 1, 2, 3].map(|record| lists.get(record).to_vec()), [vec![8], vec![], vec![9, 7], vec![1]]);
    }

    #[test]
    fn lists_outlive_the_removal_of_others() {
        let mut lists = Lists::default();
        for record in 0..3_000 {
            lists.set(record, &[record, record + 1, 7]);
        }
        for record in 10..3_000 {
            assert_eq!(lists.take(record), [record, record + 1, 7]);
            assert!(lists.take(record).is_empty());
        }
        assert!(lists.block.len() < 4_300, "the block was not compacted");
        assert!((0..10).all(|record| lists.get(record) == [record, record + 1, 7]));
        assert!(lists.get(1 << 30).is_empty());
    }
}
