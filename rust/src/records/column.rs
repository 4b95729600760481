//! One number for each record, for ranges and as a feature for ranking.

use std::ops::{Bound, RangeBounds};

use roaring::RoaringBitmap;

use super::Value;
use super::order::{Order, Place};
use crate::ids::reserve_eighth;

/// A field of numbers. It takes eight bytes a record once one has a value, and about five more for those that have one where
/// it is kept sorted.
#[derive(Debug, Clone)]
pub struct Column {
    name: Box<str>,
    values: Vec<f64>, // by record, NaN for none
    present: RoaringBitmap,
    sorted: Option<Order>, // of those that are present
}

impl Column {
    pub(super) fn new(name: &str, is_sorted: bool) -> Self {
        let sorted = is_sorted.then(Order::default);
        Self { name: name.into(), values: Vec::new(), present: RoaringBitmap::new(), sorted }
    }

    /// The name of the field.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of a record, NaN for none.
    #[inline]
    #[must_use]
    pub fn get(&self, record: u32) -> f64 {
        self.values.get(record as usize).copied().unwrap_or(f64::NAN)
    }

    /// The records that have a number.
    #[must_use]
    pub fn present(&self) -> &RoaringBitmap {
        &self.present
    }

    pub(super) fn is_sorted(&self) -> bool {
        self.sorted.is_some()
    }

    pub(super) fn set(&mut self, record: u32, value: f64) {
        self.remove(record);
        let at = record as usize;
        if self.values.len() <= at {
            let more = at + 1 - self.values.len();
            reserve_eighth(&mut self.values, more);
            self.values.resize(at + 1, f64::NAN);
        }
        self.values[at] = value;
        self.present.insert(record);
        if let Some(sorted) = &mut self.sorted {
            sorted.insert(record, place(&self.values));
        }
    }

    /// Takes in the numbers of these records, ascending, all at once; there are none yet.
    pub(super) fn restore(&mut self, records: &[u32], values: &[f64]) {
        let Some(&last) = records.last() else { return };
        self.values = vec![f64::NAN; last as usize + 1];
        for (&record, &value) in records.iter().zip(values) {
            self.values[record as usize] = value;
        }
        self.present =
            RoaringBitmap::from_sorted_iter(records.iter().copied()).expect("the caller gives them ascending");
        if let Some(sorted) = &mut self.sorted {
            *sorted = Order::of(records.to_vec(), place(&self.values));
        }
    }

    pub(super) fn remove(&mut self, record: u32) {
        if !self.present.remove(record) {
            return;
        }
        if let Some(sorted) = &mut self.sorted {
            sorted.remove(record, place(&self.values));
        }
        self.values[record as usize] = f64::NAN;
        if self.present.is_empty() {
            self.values = Vec::new();
        }
    }

    /// Those of `within` whose number lies between these bounds.
    pub(super) fn range(&self, low: Bound<f64>, high: Bound<f64>, within: &RoaringBitmap) -> RoaringBitmap {
        if let Some(found) = self.walked(low, high, within.len() / 8) {
            return found & within;
        }
        self.those(within, |value| (low, high).contains(&value))
    }

    /// Those of `within` whose number is one of these.
    pub(super) fn among(&self, values: &[Value], within: &RoaringBitmap) -> RoaringBitmap {
        let number = |value: &Value| if let Value::Number(number) = value { Some(number.get()) } else { None };
        let mut wanted: Vec<f64> = values.iter().filter_map(number).collect();
        wanted.sort_unstable_by(f64::total_cmp);
        match wanted[..] {
            [] => RoaringBitmap::new(),
            #[allow(clippy::float_cmp)] // equality is what was asked for
            [one] => self.those(within, |value| value == one),
            _ => self.those(within, |value| wanted.binary_search_by(|each| each.total_cmp(&value)).is_ok()),
        }
    }

    /// All records between these bounds, walked in their order; nothing where that is no less work than a look at `most`.
    pub(super) fn walked(&self, low: Bound<f64>, high: Bound<f64>, most: u64) -> Option<RoaringBitmap> {
        let sorted = self.sorted.as_ref()?;
        let start = match low {
            Bound::Included(low) => Bound::Included((key(low), 0)),
            Bound::Excluded(low) => Bound::Excluded((key(low), u32::MAX)),
            Bound::Unbounded => Bound::Unbounded,
        };
        let is_below = |value: f64| (Bound::Unbounded, high).contains(&value);
        let mut found = Vec::new();
        for record in sorted.from(start, place(&self.values)) {
            if !is_below(self.values[record as usize]) {
                break;
            }
            if found.len() as u64 >= most.max(16) {
                return None;
            }
            found.push(record);
        }
        Some(found.into_iter().collect())
    }

    /// At most so many of the records with a number; nothing where the column is not kept in order.
    pub(crate) fn bearing(&self, value: f64, most: usize) -> Option<Vec<u32>> {
        let from = self.sorted.as_ref()?.from(Bound::Included((key(value), 0)), place(&self.values));
        Some(from.take_while(|&record| key(self.values[record as usize]) == key(value)).take(most).collect())
    }

    /// Those of `within` whose number passes a test that NaN does not pass: one after the other where they are few, else
    /// all of the column.
    fn those(&self, within: &RoaringBitmap, test: impl Fn(f64) -> bool) -> RoaringBitmap {
        let left = within & &self.present;
        if left.len() < self.values.len() as u64 / 8 {
            let found = left.iter().filter(|&record| test(self.values[record as usize]));
            return RoaringBitmap::from_sorted_iter(found).expect("a filter keeps the order");
        }
        let byte = |eight: &[f64]| eight.iter().rev().fold(0_u8, |byte, &value| byte << 1 | u8::from(test(value)));
        let bytes: Vec<u8> = self.values.chunks(8).map(byte).collect();
        RoaringBitmap::from_lsb0_bytes(0, &bytes) & left
    }
}

/// Where a record stands in a column that is kept sorted.
fn place(values: &[f64]) -> impl Fn(u32) -> Place {
    |record| (key(values[record as usize]), record)
}

/// A whole number that orders as the float does; there is no negative zero here.
fn key(value: f64) -> i64 {
    let bits = value.to_bits().cast_signed();
    bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn keys_order_as_floats_do(one in -1e300..1e300, other in -1e300..1e300) {
            prop_assert_eq!(key(one).cmp(&key(other)), f64::total_cmp(&one, &other));
        }

        #[test]
        fn a_sorted_column_and_a_plain_one_agree_with_a_look_at_each(
            values in prop::collection::vec(prop::option::of(-3_i8..4), 0..200),
            removed in prop::collection::vec(0_u32..200, 0..20),
            low in (0_u8..3, -3_i8..4), high in (0_u8..3, -3_i8..4), every in 1_u32..40,
        ) {
            let bound = |(kind, value): (u8, i8)| match kind {
                0 => Bound::Unbounded,
                1 => Bound::Included(f64::from(value)),
                _ => Bound::Excluded(f64::from(value)),
            };
            let (low, high) = (bound(low), bound(high));
            let within: RoaringBitmap = (0..200).filter(|record| record % every == 0).collect();
            for is_sorted in [false, true] {
                let mut column = Column::new("at", is_sorted);
                let mut held = std::collections::BTreeMap::new();
                for (record, value) in (0_u32..).zip(&values) {
                    if let Some(value) = value {
                        column.set(record, f64::from(*value));
                        held.insert(record, f64::from(*value));
                    }
                }
                for &record in &removed {
                    column.remove(record);
                    held.remove(&record);
                }
                let looked: Vec<u32> = held
                    .iter()
                    .filter(|&(&record, value)| record % every == 0 && (low, high).contains(value))
                    .map(|(&record, _)| record)
                    .collect();
                prop_assert_eq!(column.range(low, high, &within).iter().collect::<Vec<_>>(), looked);
                let wanted = [Value::whole(1), Value::whole(-2), Value::from("1")];
                let ones: Vec<u32> = held.iter().filter(|&(_, &value)| (value - 1.0).abs() < 0.5).map(|(&record, _)| record).collect();
                let some = ones.len().min(every as usize);
                prop_assert_eq!(column.bearing(1.0, every as usize), is_sorted.then(|| ones[..some].to_vec()));
                let looked: Vec<u32> = held
                    .iter()
                    .filter(|&(&record, &value)| record % every == 0 && [1.0, -2.0].contains(&value))
                    .map(|(&record, _)| record)
                    .collect();
                prop_assert_eq!(column.among(&wanted, &within).iter().collect::<Vec<_>>(), looked);
                prop_assert_eq!(column.present().iter().collect::<Vec<_>>(), held.into_keys().collect::<Vec<_>>());
            }
        }
    }
}
