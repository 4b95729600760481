//! Bytes of a partition: the directory, the fields and each index, in which a record is its place in the directory's order.
//!
//! Facts are not written: their index is made anew when it is asked for. A record that no index of words holds is archived.

use std::sync::OnceLock;

use roaring::RoaringBitmap;

use super::Partition;
use super::hashes::Hashes;
use crate::codec::{Reader, Tag, Writer};
use crate::error::{Error, Result};
use crate::records::{Directory, Fields};
use crate::{dense, hdc, lexical};

const KIND: Tag = *b"PART";
const HEAD: Tag = *b"HEAD";

/// What there is, in one byte of the head: embeddings; hypervectors that are made later; rows that are kept elsewhere.
const DENSE: u8 = 1;
const DEFERRED: u8 = 2;
const ELSEWHERE: u8 = 4;

impl Partition {
    /// The partition as bytes: equal content gives equal bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.written(false)
    }

    /// What [`Partition::to_bytes`] gives, without the rows of embeddings, which are kept elsewhere: only their checksums
    /// are here. A partition that is read from it awaits them ([`Partition::come`]).
    #[must_use]
    pub fn to_bytes_without_rows(&self) -> Vec<u8> {
        self.written(true)
    }

    fn written(&self, elsewhere: bool) -> Vec<u8> {
        let mut writer = Writer::new(KIND);
        writer.section(HEAD, |p| {
            p.string(self.end.as_deref().unwrap_or(""));
            let dense = u8::from(self.dense.is_some());
            p.u8(dense * DENSE + u8::from(self.deferred) * DEFERRED + dense * u8::from(elsewhere) * ELSEWHERE);
        });
        let order = self.directory.canonical();
        let positions = self.directory.positions(&order);
        self.directory.write(&mut writer, &order);
        self.fields.write(&mut writer, &positions);
        self.hashes.write(&mut writer, &order);
        self.lexical.write(&mut writer, &positions);
        self.hypervectors.write(&mut writer, &positions);
        if let Some(dense) = &self.dense {
            let write = if elsewhere { dense::Index::write_sums } else { dense::Index::write };
            write(dense, &mut writer, &positions);
        }
        writer.finish()
    }

    /// Reads what [`Partition::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`Error::Corrupt`] for damaged bytes, and where the indexes contradict each other; [`Error::UnsupportedFormat`] for those
    /// of another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::open(bytes, KIND)?;
        let mut head = reader.section(HEAD)?;
        let (end, has) = (head.string()?.to_owned(), head.u8()?);
        if has > DENSE + DEFERRED + ELSEWHERE || has & (DENSE + ELSEWHERE) == ELSEWHERE {
            return Err(head.corrupt("it neither has embeddings nor has none"));
        }
        head.finish()?;
        let directory = Directory::read(&mut reader)?;
        let fields = Fields::read(&mut reader, &directory)?;
        let hashes = Hashes::read(&mut reader, directory.len())?;
        let lexical = lexical::Index::read(&mut reader, &directory)?;
        let hypervectors = hdc::Index::read(&mut reader, &directory)?;
        let read = if has & ELSEWHERE > 0 { dense::Index::read_sums } else { dense::Index::read };
        let dense = if has & DENSE > 0 { Some(read(&mut reader, &directory)?) } else { None };
        reader.finish()?;
        let end = Some(end).filter(|end| !end.is_empty());
        let mut partition = Self {
            directory,
            fields,
            lexical,
            hypervectors,
            deferred: has & DEFERRED > 0,
            dense,
            symbolic: None,
            archived: RoaringBitmap::new(),
            blank: RoaringBitmap::new(),
            hashes,
            told: OnceLock::new(),
            end,
        };
        partition.derive()?;
        Ok(partition)
    }

    /// Works out which records are archived and which have no embedding.
    fn derive(&mut self) -> Result<()> {
        self.check_end(self.end.as_deref()).map_err(|error| Error::corrupt("HEAD", error.to_string()))?;
        for number in 0..self.directory.len() as u32 {
            let has_vector = self.dense.as_ref().is_none_or(|dense| dense.holds(number) || dense.awaits(number));
            if self.lexical.holds(number) {
                if !has_vector {
                    self.blank.insert(number);
                }
                continue;
            }
            if self.hypervectors.holds(number) || (has_vector && self.dense.is_some()) {
                return Err(Error::corrupt("records", "an archived record is in an index"));
            }
            self.archived.insert(number);
        }
        if self.fields.len() != self.directory.len() {
            return Err(Error::corrupt("HELD", "a record has no fields"));
        }
        Ok(())
    }
}
