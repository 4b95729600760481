//! A key: a record as [`Directory::order`] compares it, so that whatever sorts by names can sort records.

use std::cmp::Ordering;

use super::Directory;

/// A record of a directory, ordered by id, then by cell.
///
/// ```
/// let mut directory = byheart_core::records::Directory::default();
/// let (late, early) = (directory.insert("b", "a"), directory.insert("a", "a"));
/// assert!(directory.key(early) < directory.key(late));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Key<'d> {
    directory: &'d Directory,
    number: u32,
}

impl Directory {
    /// What orders a record among those that are equal otherwise.
    #[must_use]
    pub fn key(&self, number: u32) -> Key<'_> {
        Key { directory: self, number }
    }
}

impl Ord for Key<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.directory.order(self.number, other.number)
    }
}

impl PartialOrd for Key<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Key<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Key<'_> {}
