//! Many records at once: the numbers behind ids, and the checks before numbers are handed to an index.

use super::Directory;
use crate::error::{Error, Result};

impl Directory {
    /// The numbers of all records with these ids, in whichever cells: ascending, each once. Unknown ids are passed over.
    ///
    /// ```
    /// let mut directory = byheart_core::records::Directory::default();
    /// let (open, hidden) = (directory.insert("open", "a"), directory.insert("hidden", "a"));
    /// assert_eq!(directory.numbers(&["a", "unknown", "a"]), [open, hidden]);
    /// ```
    #[must_use]
    pub fn numbers(&self, ids: &[impl AsRef<str>]) -> Vec<u32> {
        let mut numbers: Vec<u32> = ids.iter().flat_map(|id| self.all(id.as_ref())).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// Refuses numbers that stand for no record, and any that is there twice: what an index asks before it takes them.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] naming the number.
    pub fn check(&self, numbers: &[u32]) -> Result<()> {
        if let Some(unknown) = numbers.iter().find(|&&number| self.cell(number).is_none()) {
            return Err(Error::invalid("numbers", format!("{unknown} stands for no record; insert it first")));
        }
        let repeated = |sorted: &[u32]| sorted.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
        let twice = if numbers.is_sorted() {
            repeated(numbers)
        } else {
            let mut sorted = numbers.to_vec();
            sorted.sort_unstable();
            repeated(&sorted)
        };
        twice.map_or(Ok(()), |number| {
            Err(Error::invalid("numbers", format!("{number} occurs twice in one call; give each number once")))
        })
    }
}

/// The records that an index holds, in canonical order, as (position, number): `positions` are those of
/// [`Directory::positions`].
#[must_use]
pub fn in_order(positions: &[u32], holds: impl Fn(u32) -> bool) -> Vec<(u32, u32)> {
    let held = (0_u32..).zip(positions).filter(|&(number, _)| holds(number));
    let mut pairs: Vec<(u32, u32)> = held.map(|(number, &position)| (position, number)).collect();
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_no_index_may_take_are_named() {
        let mut directory = Directory::default();
        let numbers: Vec<u32> = ["a", "b", "c"].iter().map(|id| directory.insert("", id)).collect();
        assert_eq!(directory.check(&numbers), Ok(()));
        assert_eq!(directory.check(&[2, 0, 1]), Ok(()));
        let why = |numbers: &[u32]| directory.check(numbers).unwrap_err().to_string();
        assert!(why(&[0, 1, 1]).contains("1 occurs twice"));
        assert!(why(&[2, 0, 2]).contains("2 occurs twice"));
        assert!(why(&[0, 7]).contains("7 stands for no record"));
        directory.remove(1);
        assert!(directory.check(&numbers).is_err());
        let positions = directory.positions(&[2, 0]);
        assert_eq!(
            in_order(&positions, |number| positions[number as usize] != crate::records::NOWHERE),
            [(0, 2), (1, 0)]
        );
    }
}
