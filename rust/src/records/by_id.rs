//! Records by id alone: what an index does that is held without a memory, where an id stands for one record.

use super::{Directory, Selection};
use crate::error::{Error, Result};
use crate::ids::{self, MAX_ID_BYTES};

/// The most records an index holds.
pub const MAX_RECORDS: usize = u32::MAX as usize - 1;

impl Directory {
    /// The number of the record with this id, if there is one; of the ids of several records, any.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<u32> {
        self.all(id).next()
    }

    /// Refuses ids and cell keys that cannot be taken in together.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] or [`Error::LimitExceeded`] for a bad or repeated id, a long cell key, another number
    /// of cells, and too many records.
    pub fn check_new(&self, ids: &[impl AsRef<str>], cells: &[impl AsRef<str>]) -> Result<()> {
        ids::check_batch(ids.iter().map(AsRef::as_ref))?;
        if ids.len() > MAX_RECORDS - self.len() {
            return Err(Error::limit("records of an index", MAX_RECORDS, self.len().saturating_add(ids.len())));
        }
        if cells.len() != ids.len() {
            let why = format!("has {} items for {} ids; give one for each id", cells.len(), ids.len());
            return Err(Error::invalid("cells", why));
        }
        match cells.iter().map(AsRef::as_ref).find(|cell| cell.len() > MAX_ID_BYTES) {
            Some(cell) => Err(Error::limit("cell key length in bytes", MAX_ID_BYTES, cell.len())),
            None => Ok(()),
        }
    }

    /// The numbers of the records that bear one of these ids in another cell than it has here: they make room.
    #[must_use]
    pub fn elsewhere(&self, ids: &[impl AsRef<str>], cells: &[impl AsRef<str>]) -> Vec<u32> {
        let pairs = ids.iter().zip(cells);
        let others = pairs.flat_map(|(id, cell)| {
            let is_other = |number: &u32| self.cell(*number).is_some_and(|at| self.cell_key(at) != cell.as_ref());
            self.all(id.as_ref()).filter(is_other)
        });
        others.collect()
    }

    /// The numbers of the records with these ids; unknown ones are passed over.
    #[must_use]
    pub fn known(&self, ids: &[impl AsRef<str>]) -> Vec<u32> {
        ids.iter().flat_map(|id| self.all(id.as_ref())).collect()
    }

    /// The records with these ids as a selection.
    #[must_use]
    pub fn selection(&self, ids: &[impl AsRef<str>]) -> Selection {
        ids.iter().flat_map(|id| self.all(id.as_ref())).collect()
    }

    /// Refuses a directory that was read for an index held alone, if an id stands for several records of it or the
    /// index holds fewer.
    ///
    /// # Errors
    /// [`Error::Corrupt`].
    pub fn check_alone(&self, held: usize) -> Result<()> {
        if self.is_unique() && self.len() == held {
            return Ok(());
        }
        Err(Error::corrupt("records", "an id stands for two records, or a record is not in the index"))
    }
}
