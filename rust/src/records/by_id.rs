//! Records by id alone: what an index does that is held without a memory, where an id stands for one record.

use super::{Directory, Selection};
use crate::codec::{Reader, Tag, Writer};
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

    /// Takes in records that [`Directory::check_new`] has let pass and gives their numbers. Those that bear one of these
    /// ids in another cell make room: the index is told to forget them first.
    pub fn take_in<R>(
        &mut self,
        ids: &[impl AsRef<str>],
        cells: &[impl AsRef<str>],
        forget: impl FnOnce(&[u32]) -> R,
    ) -> Vec<u32> {
        let pairs = || ids.iter().zip(cells).map(|(id, cell)| (id.as_ref(), cell.as_ref()));
        let mut others = Vec::new();
        for (id, cell) in pairs() {
            let is_other = |number: &u32| self.cell(*number).is_some_and(|at| self.cell_key(at) != cell);
            others.extend(self.all(id).filter(is_other));
        }
        forget(&others);
        self.remove_all(&others);
        self.reserve(ids.len());
        pairs().map(|(id, cell)| self.insert(cell, id)).collect()
    }

    /// Forgets records, which every index has forgotten before, and answers how many there were.
    pub fn remove_all(&mut self, numbers: &[u32]) -> usize {
        numbers.iter().filter(|&&number| self.remove(number)).count()
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

    /// The bytes of an index that is held alone: the directory, then the index over it, which `write` writes by the place of
    /// each record there. Equal content gives equal bytes whatever the history.
    #[must_use]
    pub fn bytes_with(&self, kind: Tag, write: impl FnOnce(&mut Writer, &[u32])) -> Vec<u8> {
        let (mut writer, canonical) = (Writer::new(kind), self.canonical());
        self.write(&mut writer, &canonical);
        write(&mut writer, &self.positions(&canonical));
        writer.finish()
    }

    /// Reads what [`Directory::bytes_with`] wrote. `held` says how many records the index holds: all that there are.
    ///
    /// # Errors
    /// [`Error::Corrupt`] for damaged bytes, where an id stands for several records, and where the index holds fewer;
    /// [`Error::UnsupportedFormat`] for bytes of another version.
    pub fn read_with<I>(
        bytes: &[u8],
        kind: Tag,
        read: impl FnOnce(&mut Reader<'_>, &Self) -> Result<I>,
        held: impl FnOnce(&I) -> usize,
    ) -> Result<(Self, I)> {
        let mut reader = Reader::open(bytes, kind)?;
        let directory = Self::read(&mut reader)?;
        let index = read(&mut reader, &directory)?;
        reader.finish()?;
        if directory.is_unique() && directory.len() == held(&index) {
            return Ok((directory, index));
        }
        Err(Error::corrupt("records", "an id stands for two records, or a record is not in the index"))
    }
}
