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

impl Partition {
    /// The partition as bytes: equal content gives equal bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::new(KIND);
        writer.section(HEAD, |p| {
            p.string(self.end.as_deref().unwrap_or(""));
            p.u8(u8::from(self.dense.is_some()));
        });
        let order = self.directory.canonical();
        let positions = self.directory.positions(&order);
        self.directory.write(&mut writer, &order);
        self.fields.write(&mut writer, &positions);
        self.hashes.write(&mut writer, &order);
        self.lexical.write(&mut writer, &positions);
        self.hypervectors.write(&mut writer, &positions);
        if let Some(dense) = &self.dense {
            dense.write(&mut writer, &positions);
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
        let (end, has_dense) = (head.string()?.to_owned(), head.u8()?);
        if has_dense > 1 {
            return Err(head.corrupt("it neither has embeddings nor has none"));
        }
        head.finish()?;
        let directory = Directory::read(&mut reader)?;
        let fields = Fields::read(&mut reader, &directory)?;
        let hashes = Hashes::read(&mut reader, directory.len())?;
        let lexical = lexical::Index::read(&mut reader, &directory)?;
        let hypervectors = hdc::Index::read(&mut reader, &directory)?;
        let dense = if has_dense == 1 { Some(dense::Index::read(&mut reader, &directory)?) } else { None };
        reader.finish()?;
        let end = Some(end).filter(|end| !end.is_empty());
        let mut partition = Self {
            directory,
            fields,
            lexical,
            hypervectors,
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
            let has_vector = self.dense.as_ref().is_none_or(|dense| dense.holds(number));
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
