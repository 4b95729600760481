//! What records say in their fields, gathered and checked before a store of fields is touched.

use super::Value;
use crate::error::{Error, Result};
use crate::ids::IdTable;

/// The longest name of a field in UTF-8 bytes.
pub const MAX_NAME_BYTES: usize = 4_096;
/// The most values that one record may have in all its fields: more than a memory lets any record have.
pub const MAX_VALUES: usize = 1_000_000;
/// The field that every record has; the directory answers for it.
pub const ID: &str = "id";

/// Records one after the other: for each the names of its fields with their values.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    names: IdTable,
    values: Vec<(u32, Value)>, // the number of the name
    ends: Vec<usize>,          // by record: where its values end
}

impl Batch {
    /// How many records there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Adds a value to the record that is being gathered; a field of several values comes several times.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an empty name and for "id", [`Error::LimitExceeded`] for a long name or too many values.
    pub fn push(&mut self, name: &str, value: Value) -> Result<()> {
        if name.is_empty() || name == ID {
            return Err(Error::invalid(
                "field name",
                format!("is {name:?}; give one that is not empty and not \"id\""),
            ));
        }
        if name.len() > MAX_NAME_BYTES {
            return Err(Error::limit("field name in bytes", MAX_NAME_BYTES, name.len()));
        }
        let count = self.values.len() - self.start(self.len()) + 1;
        if count > MAX_VALUES {
            return Err(Error::limit("values of one record", MAX_VALUES, count));
        }
        self.values.push((self.names.insert(name), value));
        Ok(())
    }

    /// Ends the record that is being gathered.
    pub fn end(&mut self) {
        self.ends.push(self.values.len());
    }

    /// The names of all fields by their numbers.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        (0..self.names.len() as u32).map(|number| self.names.name(number))
    }

    /// The values of a record with the numbers of their names.
    pub(super) fn row(&self, row: usize) -> &[(u32, Value)] {
        &self.values[self.start(row)..self.ends[row]]
    }

    fn start(&self, row: usize) -> usize {
        if row == 0 { 0 } else { self.ends[row - 1] }
    }
}
