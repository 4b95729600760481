//! A hash for each record: those that say the same have the same one.

use crate::codec::{Reader, Tag, Writer};
use crate::error::Result;
use crate::ids::reserve_eighth;

const SECTION: Tag = *b"HASH";
const NONE: [u8; 16] = [0; 16];

/// Hashes by record number, sixteen bytes each; nothing where none was ever given.
#[derive(Debug, Clone, Default)]
pub(super) struct Hashes(Vec<[u8; 16]>);

impl Hashes {
    pub(super) fn get(&self, number: u32) -> Option<[u8; 16]> {
        self.0.get(number as usize).copied().filter(|hash| *hash != NONE)
    }

    pub(super) fn set(&mut self, number: u32, hash: Option<[u8; 16]>) {
        let at = number as usize;
        match hash {
            Some(hash) => {
                if self.0.len() <= at {
                    let more = at + 1 - self.0.len();
                    reserve_eighth(&mut self.0, more);
                    self.0.resize(at + 1, NONE);
                }
                self.0[at] = hash;
            }
            None => {
                if let Some(held) = self.0.get_mut(at) {
                    *held = NONE;
                }
            }
        }
    }

    /// Writes a section: the hashes in the order of the directory, or none at all.
    pub(super) fn write(&self, writer: &mut Writer, order: &[u32]) {
        let has_any = self.0.iter().any(|hash| *hash != NONE);
        writer.section(SECTION, |p| {
            let order: &[u32] = if has_any { order } else { &[] };
            p.u64(order.len() as u64);
            for &number in order {
                p.raw(&self.get(number).unwrap_or(NONE));
            }
        });
    }

    /// Reads what `write` wrote, for so many records.
    pub(super) fn read(reader: &mut Reader<'_>, records: usize) -> Result<Self> {
        let mut cursor = reader.section(SECTION)?;
        let count = cursor.count(16)?;
        if count != 0 && count != records {
            return Err(cursor.corrupt("it has hashes for another number of records"));
        }
        let hashes = cursor.raw(count * 16)?.as_chunks().0.to_vec();
        cursor.finish()?;
        Ok(Self(hashes))
    }
}
