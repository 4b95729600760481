//! A set of records by number: what a filter comes to, asked once for every row that a search looks at.

use roaring::RoaringBitmap;

/// Records that may be found.
///
/// ```
/// let selection: byheart_core::records::Selection = [3, 70].into_iter().collect();
/// assert!(selection.holds(70) && !selection.holds(4));
/// assert_eq!((selection.len(), selection.iter().collect::<Vec<_>>()), (2, vec![3, 70]));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    words: Vec<u64>, // a bit for each number
    len: usize,
}

impl Selection {
    /// May this record be found?
    #[inline]
    #[must_use]
    pub fn holds(&self, number: u32) -> bool {
        self.words.get(number as usize / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// How many may be.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if none may be.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Their numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0_u32..).zip(&self.words).flat_map(|(at, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(at * 64 + bit)
            })
        })
    }
}

impl FromIterator<u32> for Selection {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        let mut selection = Self::default();
        for number in numbers {
            let at = number as usize / 64;
            if selection.words.len() <= at {
                selection.words.resize(at + 1, 0);
            }
            let bit = 1 << (number % 64);
            selection.len += usize::from(selection.words[at] & bit == 0);
            selection.words[at] |= bit;
        }
        selection
    }
}

impl From<&RoaringBitmap> for Selection {
    fn from(numbers: &RoaringBitmap) -> Self {
        let words = numbers.max().map_or(0, |last| last as usize / 64 + 1);
        let mut selection = Self { words: vec![0; words], len: numbers.len() as usize };
        let mut numbers = numbers.iter();
        while let Some(run) = numbers.next_range() {
            selection.fill(*run.start(), *run.end());
        }
        selection
    }
}

impl Selection {
    /// Sets the bits of a run.
    #[inline]
    fn fill(&mut self, first: u32, last: u32) {
        let (start, end) = (first as usize / 64, last as usize / 64);
        let (low, high) = (!0_u64 << (first % 64), !0_u64 >> (63 - last % 64));
        if start == end {
            self.words[start] |= low & high;
            return;
        }
        self.words[start] |= low;
        self.words[start + 1..end].fill(!0);
        self.words[end] |= high;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_bitmap_and_its_numbers_give_the_same_selection(
            runs in prop::collection::vec((0_u32..200_000, 0_u32..300), 0..20)
        ) {
            let bitmap: RoaringBitmap = runs.iter().flat_map(|&(start, length)| start..start + length).collect();
            let selection = Selection::from(&bitmap);
            prop_assert_eq!(&selection, &bitmap.iter().collect::<Selection>());
            prop_assert!(selection.iter().eq(bitmap.iter()));
        }
    }
}
