//! Which number a store has given each key: that of the row it lies in.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::store_keys::{StoreKey, StoreKeys};
use super::{Directory, SEPARATOR};
use crate::error::Result;

/// Keys and their numbers.
///
/// ```
/// let mut numbering = byheart_core::records::Numbering::default();
/// numbering.put(["ada", "notes", "public", "tea"], 7)?;
/// assert_eq!(numbering.get(["ada", "notes", "public", "tea"]), Some(7));
/// assert_eq!(numbering.at(7).map(|place| numbering.key(place)[3]), Some("tea"));
/// # Ok::<(), byheart_core::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Numbering {
    keys: StoreKeys,
    numbers: Vec<i64>,         // by place
    order: OnceLock<Vec<u32>>, // places by number, since somebody asked
}

impl Numbering {
    /// How many keys there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// True if there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The keys, by place.
    #[must_use]
    pub fn keys(&self) -> &StoreKeys {
        &self.keys
    }

    /// The number of a key.
    #[must_use]
    pub fn get(&self, key: StoreKey<'_>) -> Option<i64> {
        self.keys.place(key).map(|place| self.number(place))
    }

    /// Gives a key its number, in place of the one it had, which comes back.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] for names that no record can have.
    pub fn put(&mut self, key: StoreKey<'_>, number: i64) -> Result<Option<i64>> {
        let known = self.keys.len();
        let place = self.keys.insert(key)? as usize;
        let before = if self.keys.len() > known { None } else { Some(self.numbers[place]) };
        self.numbers.resize(self.keys.places() as usize, 0);
        self.numbers[place] = number;
        self.order.take();
        Ok(before)
    }

    /// Forgets a key; its number comes back.
    pub fn take(&mut self, key: StoreKey<'_>) -> Option<i64> {
        let place = self.keys.place(key)?;
        self.keys.remove(place);
        self.order.take();
        Some(self.numbers[place as usize])
    }

    /// One more than the last place.
    #[must_use]
    pub fn places(&self) -> u32 {
        self.keys.places()
    }

    /// True if a key stands in this place.
    #[must_use]
    pub fn stands(&self, place: u32) -> bool {
        self.cell(place).is_some()
    }

    /// The key in a place that is in use.
    #[must_use]
    pub fn key(&self, place: u32) -> StoreKey<'_> {
        self.keys.key(place)
    }

    /// The number of the key in a place.
    #[must_use]
    pub fn number(&self, place: u32) -> i64 {
        self.numbers[place as usize]
    }

    /// Where the key with a number stands; of several, any.
    #[must_use]
    pub fn at(&self, number: i64) -> Option<u32> {
        let order = self.order();
        let at = order.partition_point(|&place| self.numbers[place as usize] < number);
        order.get(at).copied().filter(|&place| self.numbers[place as usize] == number)
    }

    fn order(&self) -> &[u32] {
        self.order.get_or_init(|| {
            let mut places: Vec<u32> = (0..self.places()).filter(|&place| self.stands(place)).collect();
            places.sort_by_key(|&place| self.numbers[place as usize]);
            places
        })
    }

    /// Whose each cell is, and by what key its tenant's own directory knows it; by the numbers that [`Numbering::cell`] gives.
    #[must_use]
    pub fn cells(&self) -> Vec<(&str, String)> {
        let said = |cell: u32| {
            let [tenant, scope, class] = self.keys.names(cell);
            (tenant, format!("{scope}{SEPARATOR}{class}"))
        };
        (0..self.keys.cells()).map(said).collect()
    }

    /// The number of the cell of the key in a place.
    #[must_use]
    pub fn cell(&self, place: u32) -> Option<u32> {
        self.keys.cell(place)
    }

    /// The places of the keys that are in none of these directories, by tenant; a tenant that is `apart` has none to be in.
    /// Nothing if a directory is empty, or holds what is no key here.
    #[must_use]
    pub fn missing(&self, directories: &[(&str, &Directory)], apart: &str) -> Option<Vec<u32>> {
        let cells = self.cells();
        let tenants: FxHashMap<&str, usize> = directories.iter().map(|(tenant, _)| *tenant).zip(0..).collect();
        let at: Vec<Option<usize>> = cells.iter().map(|(tenant, _)| tenants.get(tenant).copied()).collect();
        let (mut missing, mut held) = (Vec::new(), vec![0; directories.len()]);
        for place in 0..self.places() {
            let Some(cell) = self.cell(place).map(|cell| cell as usize) else { continue };
            let (tenant, key) = &cells[cell];
            let known = at[cell].filter(|&at| directories[at].1.get(key, self.key(place)[3]).is_some());
            match known {
                Some(at) => held[at] += 1,
                None if *tenant == apart => {}
                None => missing.push(place),
            }
        }
        let is_whole = |(&held, (_, directory)): (&usize, &(&str, &Directory))| held > 0 && directory.len() == held;
        held.iter().zip(directories).all(is_whole).then_some(missing)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn names(key: &[String; 4]) -> StoreKey<'_> {
        key.each_ref().map(String::as_str)
    }

    #[test]
    fn what_is_missing_is_told_and_what_is_too_much() {
        let (mut numbering, mut directory) = (Numbering::default(), Directory::default());
        for (number, key) in (1..).zip([["t", "s", "c", "a"], ["t", "s", "c", "b"], ["own", "s", "c", "d"]]) {
            numbering.put(key, number).unwrap();
        }
        let cell = format!("s{SEPARATOR}c");
        let missing = |directory: &Directory, apart| {
            let places = numbering.missing(&[("t", directory)], apart)?;
            Some(places.into_iter().map(|place| numbering.key(place)[3].to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(missing(&directory, ""), None); // nobody keeps an empty one
        directory.insert(&cell, "a");
        assert_eq!(missing(&directory, ""), Some(vec!["b".to_owned(), "d".to_owned()]));
        assert_eq!(missing(&directory, "own"), Some(vec!["b".to_owned()]));
        directory.insert(&cell, "e");
        assert_eq!(missing(&directory, ""), None);
    }

    proptest! {
        #[test]
        fn the_numbering_agrees_with_a_standard_map(
            steps in prop::collection::vec((0_u8..3, [".{0,2}", "[a:1]{0,2}", "[a1]{0,2}", "[a-c]{1,2}"], -9_i64..9), 0..80)
        ) {
            let (mut numbering, mut held) = (Numbering::default(), BTreeMap::new());
            for (step, key, number) in steps {
                if step == 0 {
                    prop_assert_eq!(numbering.take(names(&key)), held.remove(&key));
                } else {
                    prop_assert_eq!(numbering.put(names(&key), number).unwrap(), held.insert(key.clone(), number));
                }
                prop_assert_eq!(numbering.get(names(&key)), held.get(&key).copied());
                prop_assert_eq!(numbering.len(), held.len());
                let there = (0..numbering.places()).filter(|&place| numbering.stands(place));
                let said: BTreeMap<_, _> = there
                    .map(|place| (numbering.key(place).map(str::to_owned), numbering.number(place)))
                    .collect();
                prop_assert_eq!(&said, &held);
                for number in -9..9 {
                    let found = numbering.at(number).map(|place| numbering.key(place).map(str::to_owned));
                    prop_assert_eq!(found.is_some(), held.values().any(|&other| other == number));
                    prop_assert!(found.is_none_or(|key| held[&key] == number));
                }
            }
        }
    }
}
