//! The keys of a store's records: tenant, scope, class and id, and the place of each.
//!
//! A hundred thousand keys take some four megabytes; as objects of Python they would take thirty.

use super::Directory;
use crate::error::{Error, Result};

/// Tenant, scope, class and id.
pub type StoreKey<'k> = [&'k str; 4];

/// Keys, each in a place of its own, which is used again once its key is gone.
///
/// ```
/// let mut keys = byheart_core::records::StoreKeys::default();
/// let place = keys.insert(["ada", "notes", "public", "tea"])?;
/// assert_eq!(keys.place(["ada", "notes", "public", "tea"]), Some(place));
/// assert_eq!(keys.key(place)[3], "tea");
/// # Ok::<(), byheart_core::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct StoreKeys {
    directory: Directory, // a cell's key says tenant, scope and class
    said: String,         // the key of a cell, while one is put together
}

impl StoreKeys {
    /// How many keys there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.directory.len()
    }

    /// True if there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.directory.is_empty()
    }

    /// One more than the last place.
    #[must_use]
    pub fn places(&self) -> u32 {
        self.directory.capacity() as u32
    }

    /// The place of a key.
    #[must_use]
    pub fn place(&self, key: StoreKey<'_>) -> Option<u32> {
        let mut cell = String::new();
        if say(&mut cell, key) { self.directory.get(&cell, key[3]) } else { None }
    }

    /// The place of a key, a new one if it has none.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] for names that no record can have.
    pub fn insert(&mut self, key: StoreKey<'_>) -> Result<u32> {
        if !say(&mut self.said, key) {
            let longest = key[..3].iter().map(|part| part.len()).sum::<usize>().max(key[3].len());
            return Err(Error::limit("key length in bytes", MOST, longest));
        }
        Ok(self.directory.insert(&self.said, key[3]))
    }

    /// Forgets the key in a place.
    pub fn remove(&mut self, place: u32) {
        self.directory.remove(place);
    }

    /// The key in a place that is in use.
    #[must_use]
    pub fn key(&self, place: u32) -> StoreKey<'_> {
        let [tenant, scope, class] = self.cell(place).map_or([""; 3], |cell| self.names(cell));
        [tenant, scope, class, self.directory.id(place)]
    }

    /// The number of the cell of the key in a place; nothing if no key stands there.
    #[must_use]
    pub fn cell(&self, place: u32) -> Option<u32> {
        self.directory.cell(place)
    }

    /// Tenant, scope and class of a cell, by its number.
    #[must_use]
    pub fn names(&self, cell: u32) -> [&str; 3] {
        parts(self.directory.cell_key(cell))
    }

    /// One more than the largest number of a cell.
    #[must_use]
    pub fn cells(&self) -> u32 {
        self.directory.cell_capacity() as u32
    }
}

/// The longest name: how long tenant and scope are stands as one character, and these end where surrogates begin.
const MOST: usize = 0xD7FF;

/// Puts together what a key's cell is known by: how long tenant and scope are tells them apart whatever they hold. False for
/// names that no record can have.
fn say(cell: &mut String, [tenant, scope, class, id]: StoreKey<'_>) -> bool {
    cell.clear();
    if tenant.len() + scope.len() + class.len() > MOST || id.len() > MOST {
        return false;
    }
    for part in [tenant, scope] {
        cell.push(char::from_u32(part.len() as u32).expect("no surrogate"));
    }
    for part in [tenant, scope, class] {
        cell.push_str(part);
    }
    true
}

/// What [`say`] has put together, taken apart; of nothing, nothing.
fn parts(cell: &str) -> [&str; 3] {
    let mut names = cell.chars();
    let lengths = [names.next(), names.next()].map(|said| said.map_or(0, |said| said as usize));
    let (tenant, rest) = names.as_str().split_at(lengths[0]);
    let (scope, class) = rest.split_at(lengths[1]);
    [tenant, scope, class]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_no_record_can_have_are_refused() {
        let (mut keys, long) = (StoreKeys::default(), "x".repeat(MOST + 1));
        for key in [["", "", "", &long], [&long, "", "", "a"]] {
            assert!(keys.insert(key).is_err());
            assert_eq!((keys.place(key), keys.len()), (None, 0));
        }
    }
}
