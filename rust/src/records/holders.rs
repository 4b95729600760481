//! The records that have a value: often one, sometimes all.

use roaring::RoaringBitmap;

/// A set of at least one record number.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Holders {
    /// One, without any memory of its own.
    One(u32),
    /// More than one.
    Many(Box<RoaringBitmap>),
}

impl Holders {
    /// The set of these numbers, ascending, at least one.
    pub(super) fn of_sorted(numbers: &[u32]) -> Self {
        if let [one] = numbers {
            return Self::One(*one);
        }
        let many = RoaringBitmap::from_sorted_iter(numbers.iter().copied());
        Self::Many(Box::new(many.expect("the caller gives ascending numbers")))
    }

    /// How many there are.
    pub(super) fn len(&self) -> u64 {
        match self {
            Self::One(_) => 1,
            Self::Many(many) => many.len(),
        }
    }

    /// How many of them are in another set.
    pub(super) fn len_in(&self, others: &RoaringBitmap) -> u64 {
        match self {
            Self::One(one) => u64::from(others.contains(*one)),
            Self::Many(many) => many.intersection_len(others),
        }
    }

    /// Calls back with each, ascending.
    pub(super) fn each(&self, mut call: impl FnMut(u32)) {
        match self {
            Self::One(one) => call(*one),
            Self::Many(many) => many.iter().for_each(call),
        }
    }

    /// Takes one in; false if it was there.
    pub(super) fn insert(&mut self, number: u32) -> bool {
        match self {
            Self::One(one) if *one == number => false,
            Self::One(one) => {
                *self = Self::Many(Box::new([*one, number].into_iter().collect()));
                true
            }
            Self::Many(many) => many.insert(number),
        }
    }

    /// Takes one of them out; false if none is left.
    pub(super) fn remove(&mut self, number: u32) -> bool {
        let Self::Many(many) = self else { return false };
        many.remove(number);
        if many.len() == 1 {
            *self = Self::One(many.min().expect("one is left"));
        }
        true
    }

    /// The union of several sets, as far as it lies in `within`.
    pub(super) fn union<'h>(sets: impl Iterator<Item = &'h Self>, within: Option<&RoaringBitmap>) -> RoaringBitmap {
        let (mut single, mut many) = (Vec::new(), Vec::new());
        for set in sets {
            match set {
                Self::One(one) => single.push(*one),
                Self::Many(set) => many.push(&**set),
            }
        }
        single.sort_unstable();
        let mut all: RoaringBitmap = single.into_iter().collect();
        match (&many[..], within) {
            ([one], Some(within)) if all.is_empty() => return *one & within,
            ([one], None) if all.is_empty() => return (*one).clone(),
            ([], _) => {}
            _ => all |= roaring::MultiOps::union(many),
        }
        if let Some(within) = within {
            all &= within;
        }
        all
    }
}

/// The set of numbers in any order, of which some may be the same.
pub(super) fn distinct(numbers: impl ExactSizeIterator<Item = u32> + Clone) -> RoaringBitmap {
    let last = numbers.clone().max().unwrap_or(0) as usize;
    if numbers.len() < last / 64 {
        return numbers.collect();
    }
    let mut bytes = vec![0_u8; last / 8 + 1];
    for number in numbers {
        bytes[number as usize / 8] |= 1 << (number % 8);
    }
    RoaringBitmap::from_lsb0_bytes(0, &bytes)
}
