//! Fields of values: who has which, by value; and which values a record has.

use std::collections::BTreeMap;
use std::ops::Bound;

use roaring::RoaringBitmap;

use super::lists::Lists;
use super::{Holders, Value};
use crate::ids::IdTable;

/// The fields, which appear with their first value and go with their last one.
///
#[derive(Debug, Clone, Default)]
pub(super) struct Keywords {
    names: IdTable,
    fields: Vec<Field>, // by number
    entries: Vec<Entry>,
    field_of: Vec<u32>, // by entry, apart from it: most entries of a record are passed over for their field
    free: Vec<u32>,     // entries that are not in use
    lists: Lists,       // by record: the numbers of its entries
}

/// One field.
#[derive(Debug, Clone, Default)]
pub(super) struct Field {
    values: BTreeMap<Value, u32>, // to the number of the entry
    present: RoaringBitmap,
}

/// One value of one field.
#[derive(Debug, Clone)]
struct Entry {
    value: Value,
    holders: Holders,
}

impl Field {
    /// The records that have this field.
    pub(super) fn present(&self) -> &RoaringBitmap {
        &self.present
    }

    /// How many values there are.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }
}

impl Keywords {
    /// The field of this name.
    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.names.get(name).map(|number| &self.fields[number as usize])
    }

    /// All fields by name, in the order of the names.
    pub(super) fn sorted(&self) -> Vec<(&str, &Field)> {
        self.names.sorted().into_iter().map(|(name, number)| (name, &self.fields[number as usize])).collect()
    }

    /// The number of a field, which is made if it is not there; it must get a value before anything is removed.
    pub(super) fn number(&mut self, name: &str) -> u32 {
        let number = self.names.insert(name);
        if self.fields.len() < self.names.capacity() {
            self.fields.resize_with(self.names.capacity(), Field::default);
        }
        number
    }

    /// Who has one of these values.
    pub(super) fn holders<'k>(&'k self, field: &'k Field, values: &'k [Value]) -> impl Iterator<Item = &'k Holders> {
        values.iter().filter_map(|value| field.values.get(value)).map(|&entry| &self.entries[entry as usize].holders)
    }

    /// The values of a field in their order, with who has them.
    pub(super) fn values<'k>(&'k self, field: &'k Field) -> impl Iterator<Item = (&'k Value, &'k Holders)> {
        field.values.iter().map(|(value, &entry)| (value, &self.entries[entry as usize].holders))
    }

    /// Who has a value between these bounds, one of which is there; bounds of two kinds enclose nothing.
    pub(super) fn between<'k>(
        &'k self,
        field: &'k Field,
        low: Bound<&'k Value>,
        high: Bound<&'k Value>,
    ) -> impl Iterator<Item = &'k Holders> {
        let one_of = |bound: Bound<&'k Value>| match bound {
            Bound::Included(value) | Bound::Excluded(value) => Some(value),
            Bound::Unbounded => None,
        };
        let like = one_of(low).or(one_of(high)).expect("a filter's range has a bound");
        let least = match like {
            Value::Flag(_) => Value::Flag(false),
            Value::Number(_) => Value::number(f64::MIN).expect("the least number is finite"),
            Value::Text(_) => Value::from(""),
        };
        let start = if low == Bound::Unbounded { Bound::Included(least) } else { low.cloned() };
        let is_below = move |value: &Value| match high {
            Bound::Included(high) => value.is_like(high) && value <= high,
            Bound::Excluded(high) => value.is_like(high) && value < high,
            Bound::Unbounded => true,
        };
        field
            .values
            .range((start, Bound::Unbounded))
            .take_while(move |(value, _)| value.is_like(like) && is_below(value))
            .map(|(_, &entry)| &self.entries[entry as usize].holders)
    }

    /// The values of a record, with the names of their fields, in the order of the numbers of entries.
    pub(super) fn of(&self, record: u32) -> impl Iterator<Item = (&str, &Value)> {
        let said = |&entry: &u32| (self.names.name(self.field_of[entry as usize]), &self.entries[entry as usize].value);
        self.lists.get(record).iter().map(said)
    }

    /// The least value of a record in each of some fields; `wanted` says by field its place among them.
    pub(super) fn first<'k>(&'k self, wanted: &[Option<usize>], record: u32, found: &mut [Option<&'k Value>]) {
        for &entry in self.lists.get(record) {
            let Some(place) = wanted[self.field_of[entry as usize] as usize] else { continue };
            let value = &self.entries[entry as usize].value;
            if found[place].is_none_or(|least| value < least) {
                found[place] = Some(value);
            }
        }
    }

    /// By field its place among some others, each of which is named once.
    pub(super) fn wanted(&self, fields: &[impl AsRef<str>]) -> Vec<Option<usize>> {
        let mut wanted = vec![None; self.fields.len()];
        for (place, name) in fields.iter().enumerate() {
            if let Some(field) = self.known(name.as_ref()) {
                wanted[field as usize] = Some(place);
            }
        }
        wanted
    }

    /// The values of a record in a field, in their order.
    pub(super) fn listed(&self, field: u32, record: u32) -> Vec<&Value> {
        let entries = self.lists.get(record).iter().filter(|&&entry| self.field_of[entry as usize] == field);
        let mut values: Vec<&Value> = entries.map(|&entry| &self.entries[entry as usize].value).collect();
        values.sort_unstable();
        values
    }

    /// The number of a field that has values.
    pub(super) fn known(&self, name: &str) -> Option<u32> {
        self.names.get(name)
    }

    /// Gives a record that has none its values; a value that comes twice counts once.
    pub(super) fn set(&mut self, record: u32, values: impl Iterator<Item = (u32, Value)>) {
        let mut entries = Vec::new();
        for (field, value) in values {
            self.fields[field as usize].present.insert(record);
            let known = self.fields[field as usize].values.get(&value).copied();
            match known {
                Some(entry) if !self.entries[entry as usize].holders.insert(record) => {}
                Some(entry) => entries.push(entry),
                None => entries.push(self.add(field, value, Holders::One(record))),
            }
        }
        self.lists.set(record, &entries);
    }

    /// Takes in a value that its field does not have yet.
    fn add(&mut self, field: u32, value: Value, holders: Holders) -> u32 {
        let entry = Entry { value: value.clone(), holders };
        let number = if let Some(number) = self.free.pop() {
            self.entries[number as usize] = entry;
            self.field_of[number as usize] = field;
            number
        } else {
            self.entries.push(entry);
            self.field_of.push(field);
            u32::try_from(self.entries.len() - 1).expect("fewer than 2^32 values")
        };
        self.fields[field as usize].values.insert(value, number);
        number
    }

    /// Takes a record's values away.
    pub(super) fn remove(&mut self, record: u32) {
        for number in self.lists.take(record) {
            let (entry, of) = (&mut self.entries[number as usize], self.field_of[number as usize]);
            let field = &mut self.fields[of as usize];
            field.present.remove(record);
            if entry.holders.remove(record) {
                continue;
            }
            field.values.remove(&entry.value);
            if field.values.is_empty() {
                *field = Field::default();
                let name = self.names.name(of).to_owned();
                self.names.remove(&name);
            }
            entry.value = Value::Flag(false); // let go of its text
            self.free.push(number);
        }
    }

    /// Takes in a field as bytes say it, with its values in their order; `pairs` collects (record, entry).
    pub(super) fn restore(&mut self, name: &str, values: Vec<(Value, Holders)>, pairs: &mut Vec<(u32, u32)>) {
        let (field, start) = (self.number(name), pairs.len());
        let first = self.entries.len();
        for (value, holders) in &values {
            let entry = u32::try_from(self.entries.len()).expect("fewer than 2^32 values");
            holders.each(|record| pairs.push((record, entry)));
            self.entries.push(Entry { value: value.clone(), holders: holders.clone() });
            self.field_of.push(field);
        }
        let numbered = values.into_iter().zip(first as u32..).map(|((value, _), entry)| (value, entry));
        let present = super::holders::distinct(pairs[start..].iter().map(|&(record, _)| record));
        self.fields[field as usize] = Field { values: numbered.collect(), present };
    }

    /// Gives so many records their entries, after `restore`.
    pub(super) fn restore_lists(&mut self, records: usize, pairs: &[(u32, u32)]) {
        self.lists = Lists::of_pairs(records, pairs);
    }
}
