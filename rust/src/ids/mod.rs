//! Record ids and cell keys (strings) and the dense numbers the core works with.
//!
//! Numbers are handed out in any order and used again after a removal; they never decide a result.
//! Ids are ordered by their UTF-8 bytes, which is the order of code points.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::error::{Error, Result};

/// The longest id in UTF-8 bytes.
pub const MAX_ID_BYTES: usize = 512;

/// Refuses ids that are empty or longer than [`MAX_ID_BYTES`].
///
/// # Errors
/// [`Error::InvalidArgument`] for an empty id, [`Error::LimitExceeded`] for a long one.
///
/// ```
/// assert!(byheart_core::ids::check_id("note-1").is_ok());
/// assert!(byheart_core::ids::check_id("").is_err());
/// ```
pub fn check_id(id: &str) -> Result<()> {
    if id.is_empty() {
        return Err(Error::invalid("id", "is empty; give 1 to 512 bytes of UTF-8"));
    }
    if id.len() > MAX_ID_BYTES {
        return Err(Error::limit("id length in bytes", MAX_ID_BYTES, id.len()));
    }
    Ok(())
}

/// Checks a whole batch of ids: each one valid, none twice.
///
/// # Errors
/// As [`check_id`], and [`Error::InvalidArgument`] naming an id that occurs twice.
pub fn check_batch<'a>(ids: impl ExactSizeIterator<Item = &'a str>) -> Result<()> {
    let mut seen = hashbrown::HashSet::with_capacity_and_hasher(ids.len(), FxBuildHasher);
    for id in ids {
        check_id(id)?;
        if !seen.insert(id) {
            return Err(Error::invalid("ids", format!("{id:?} occurs twice in one call; give each id once")));
        }
    }
    Ok(())
}

/// Strings to dense numbers and back. Numbers of removed strings are used again.
///
/// ```
/// let mut table = byheart_core::ids::IdTable::default();
/// let number = table.insert("a");
/// assert_eq!((table.get("a"), table.name(number)), (Some(number), "a"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct IdTable {
    numbers: HashTable<u32>,
    names: Vec<Box<str>>,
    free: Vec<u32>,
}

impl IdTable {
    /// How many strings are held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// True if no string is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// One more than the largest number ever handed out: the size of an array indexed by number.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.names.len()
    }

    /// The number of `name`, if it is held.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<u32> {
        self.numbers.find(hash(name), |&n| &*self.names[n as usize] == name).copied()
    }

    /// The number of `name`, a new one if it was not held.
    ///
    /// # Panics
    /// When more than 2^32 - 1 names are held at once; the callers' limits lie far below.
    pub fn insert(&mut self, name: &str) -> u32 {
        if let Some(number) = self.get(name) {
            return number;
        }
        let number = if let Some(number) = self.free.pop() {
            self.names[number as usize] = name.into();
            number
        } else {
            self.names.push(name.into());
            u32::try_from(self.names.len() - 1).expect("fewer than 2^32 names")
        };
        let names = &self.names;
        self.numbers.insert_unique(hash(name), number, |&n| hash(&names[n as usize]));
        number
    }

    /// Forgets `name` and answers the number it had.
    pub fn remove(&mut self, name: &str) -> Option<u32> {
        let names = &self.names;
        let entry = self.numbers.find_entry(hash(name), |&n| &*names[n as usize] == name).ok()?;
        let (number, _) = entry.remove();
        self.names[number as usize] = Box::default(); // the text itself goes too
        self.free.push(number);
        Some(number)
    }

    /// The string behind a number that is in use; empty for one that is not.
    #[must_use]
    pub fn name(&self, number: u32) -> &str {
        &self.names[number as usize]
    }

    /// All held (name, number) pairs, ordered by name.
    #[must_use]
    pub fn sorted(&self) -> Vec<(&str, u32)> {
        let mut all: Vec<_> = self.numbers.iter().map(|&n| (self.name(n), n)).collect();
        all.sort_unstable();
        all
    }
}

fn hash(name: &str) -> u64 {
    FxBuildHasher.hash_one(name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_batch_with_a_repeated_id_is_refused_by_name() {
        let error = check_batch(["a", "b", "a"].into_iter()).unwrap_err();
        assert!(error.to_string().contains("\"a\" occurs twice"), "{error}");
    }

    proptest! {
        #[test]
        fn the_table_agrees_with_a_standard_map(steps in prop::collection::vec((any::<bool>(), "[a-d]{1,2}"), 0..60)) {
            let mut table = IdTable::default();
            let mut held = std::collections::BTreeSet::new();
            for (add, name) in steps {
                if add {
                    let number = table.insert(&name);
                    prop_assert_eq!(table.name(number), name.as_str());
                    held.insert(name);
                } else {
                    prop_assert_eq!(table.remove(&name).is_some(), held.remove(&name));
                }
                prop_assert_eq!(table.len(), held.len());
                let sorted: Vec<&str> = table.sorted().into_iter().map(|(name, _)| name).collect();
                prop_assert_eq!(sorted, held.iter().map(String::as_str).collect::<Vec<_>>());
            }
        }
    }
}
