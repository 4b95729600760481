//! Record ids and cell keys (strings) and the dense numbers the core works with.
//!
//! Numbers are handed out in any order and used again after a removal; they never decide a result.
//! Ids are ordered by their UTF-8 bytes, which is the order of code points.

mod names;
mod secret;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

pub use names::Names;
pub use secret::Secret;

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
    let secret = Secret::default();
    let mut seen: HashTable<&str> = HashTable::with_capacity(ids.len());
    for id in ids {
        check_id(id)?;
        match seen.entry(secret.hash(id.as_bytes()), |&other| other == id, |other| secret.hash(other.as_bytes())) {
            Entry::Vacant(place) => drop(place.insert(id)),
            Entry::Occupied(_) => {
                return Err(Error::invalid("ids", format!("{id:?} occurs twice in one call; give each id once")));
            }
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
    names: Names,
    secret: Secret,
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
        self.names.capacity()
    }

    /// The number of `name`, if it is held.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<u32> {
        let same = |&n: &u32| self.names.bytes(n) == name.as_bytes();
        self.numbers.find(self.secret.hash(name.as_bytes()), same).copied()
    }

    /// The number of `name`, a new one if it was not held. Names have at most 65,535 bytes.
    ///
    /// # Panics
    /// For a longer name, and with 2^32 names at once; the callers' limits lie far below.
    pub fn insert(&mut self, name: &str) -> u32 {
        let Self { numbers, names, secret } = self;
        let hash = secret.hash(name.as_bytes());
        let same = |&n: &u32| names.bytes(n) == name.as_bytes();
        let hash_of = |&n: &u32| secret.hash(names.bytes(n));
        let place = match numbers.entry(hash, same, hash_of) {
            Entry::Occupied(found) => return *found.get(),
            Entry::Vacant(place) => place,
        };
        let number = names.push(name);
        place.insert(number);
        number
    }

    /// Makes room for this many more names at once.
    pub fn reserve(&mut self, more: usize) {
        let Self { numbers, names, secret } = self;
        numbers.reserve(more, |&n| secret.hash(names.bytes(n)));
    }

    /// Forgets `name` and answers the number it had. Its bytes are overwritten.
    pub fn remove(&mut self, name: &str) -> Option<u32> {
        let same = |&n: &u32| self.names.bytes(n) == name.as_bytes();
        let (number, _) = self.numbers.find_entry(self.secret.hash(name.as_bytes()), same).ok()?.remove();
        self.names.remove(number);
        Some(number)
    }

    /// The string behind a number that is in use; empty for one that is not.
    #[must_use]
    pub fn name(&self, number: u32) -> &str {
        self.names.get(number)
    }

    /// The bytes of the same.
    #[must_use]
    pub fn bytes(&self, number: u32) -> &[u8] {
        self.names.bytes(number)
    }

    /// All held (name, number) pairs, ordered by name.
    #[must_use]
    pub fn sorted(&self) -> Vec<(&str, u32)> {
        let mut all: Vec<_> = self.numbers.iter().map(|&n| (self.name(n), n)).collect();
        all.sort_unstable();
        all
    }
}

/// Makes room for more items, an eighth of what is there at a time: doubling would leave half of it empty.
pub fn reserve_eighth<T>(items: &mut Vec<T>, more: usize) {
    if items.capacity() - items.len() < more {
        items.reserve_exact(more.max(items.len() / 8).max(16));
    }
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

    #[test]
    fn a_table_that_loses_most_of_its_names_keeps_the_rest() {
        let mut table = IdTable::default();
        let names: Vec<String> = (0..3_000).map(|n| format!("name-{n}")).collect();
        for name in &names {
            table.insert(name);
        }
        for name in &names[10..] {
            assert!(table.remove(name).is_some());
        }
        assert!(table.names.block_len() < 4_300, "the block was not compacted");
        assert_eq!(table.sorted().len(), 10);
        assert!(names[..10].iter().all(|name| table.get(name).is_some_and(|number| table.name(number) == name)));
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
