//! Rows: the one name by which a caller knows a record.
//!
//! A row is the record's id where that says which record is meant, and else the id, a separator and the key of the cell. So
//! is the row of an id that holds a separator itself: nothing else could be taken for the row of another record. Rows
//! are ordered as records are, by id and then by cell.

use super::Directory;

/// Stands between an id and a cell's key; in a cell's key it may stand too.
pub const SEPARATOR: char = '\x1f';

impl Directory {
    /// The row of a record; empty for a number that is not in use.
    ///
    /// ```
    /// let mut directory = byheart_core::records::Directory::default();
    /// let open = directory.insert("open", "a");
    /// assert_eq!(directory.row(open), "a");
    /// let hidden = directory.insert("hidden", "a");
    /// assert_eq!(directory.row(open), "a\x1fopen");
    /// assert_eq!(directory.at("a\x1fhidden"), Some(hidden));
    /// assert_eq!(directory.at("a"), None);
    /// ```
    #[must_use]
    pub fn row(&self, number: u32) -> String {
        let id = self.id(number);
        let is_plain = (self.is_unique() || self.all(id).take(2).count() < 2) && !id.contains(SEPARATOR);
        match self.cell(number) {
            Some(cell) if !is_plain => format!("{id}{SEPARATOR}{}", self.cell_key(cell)),
            _ => id.to_owned(),
        }
    }

    /// The number of a record by its row.
    #[must_use]
    pub fn at(&self, row: &str) -> Option<u32> {
        if row.contains(SEPARATOR) {
            let places = row.match_indices(SEPARATOR);
            return places.map(|(at, _)| (&row[..at], &row[at + 1..])).find_map(|(id, cell)| self.get(cell, id));
        }
        let mut found = self.all(row);
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }
}
