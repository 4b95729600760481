//! The index as bytes and back.
//!
//! Canonical: cells are written by key and records by id, so equal content gives equal bytes whatever the
//! history. Of each cell come first its ids, then their rows. What the bounds need is computed again.

use super::index::{CascadeIndex, MAX_RECORDS};
use super::ladder::{Ladder, MAX_DIMENSIONS, MAX_TIERS};
use super::vector::MAX_LENGTH;
use crate::codec::{Cursor, Payload, Reader, Tag, Writer};
use crate::error::Result;
use crate::ids::{MAX_ID_BYTES, check_id};
use crate::kernel::wide_dot;

const KIND: Tag = *b"DENS";
const HEAD: Tag = *b"HEAD";
const RECORDS: Tag = *b"RECS";

impl CascadeIndex {
    /// The index as bytes: a header that names the tiers; the records.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::new(KIND);
        writer.section(HEAD, |p| {
            let tiers: Vec<u32> = self.ladder.tiers().iter().map(|&tier| tier as u32).collect();
            p.u32s(&tiers);
        });
        writer.section(RECORDS, |p| {
            let cells = self.cell_keys.sorted();
            p.u64(cells.len() as u64);
            for (key, number) in cells {
                p.string(key);
                self.write_cell(p, number);
            }
        });
        writer.finish()
    }

    fn write_cell(&self, p: &mut Payload<'_>, number: u32) {
        let cell = &self.cells[number as usize];
        let mut records: Vec<(&str, u32)> = cell.documents.iter().map(|&doc| self.ids.name(doc)).zip(0..).collect();
        records.sort_unstable();
        p.u64(records.len() as u64);
        for (id, _) in &records {
            p.string(id);
        }
        for &(_, slot) in &records {
            cell.row(slot).iter().for_each(|value| p.raw(&value.to_le_bytes()));
        }
    }

    /// Reads what [`CascadeIndex::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`crate::Error::Corrupt`] for damaged bytes, [`crate::Error::UnsupportedFormat`] for newer bytes; as
    /// [`crate::kernel::Isa::active`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::open(bytes, KIND)?;
        let mut head = reader.section(HEAD)?;
        let mut index = Self::new(read_ladder(&mut head)?)?;
        head.finish()?;
        let mut records = reader.section(RECORDS)?;
        let mut previous = None;
        for _ in 0..records.count(1)? {
            let key = records.string()?;
            if key.len() > MAX_ID_BYTES || previous.is_some_and(|previous| previous >= key) {
                return Err(records.corrupt("a cell key is too long or out of order"));
            }
            previous = Some(key);
            index.read_cell(&mut records, key)?;
        }
        records.finish()?;
        reader.finish()?;
        Ok(index)
    }

    fn read_cell(&mut self, records: &mut Cursor<'_>, key: &str) -> Result<()> {
        let row_bytes = 4 * self.ladder.dimensions();
        let count = records.count(2 + row_bytes)?; // the shortest id, and a row
        if count == 0 || count > MAX_RECORDS - self.len() {
            return Err(records.corrupt("a cell holds no record, or more than an index can"));
        }
        let mut ids = Vec::with_capacity(count);
        for _ in 0..count {
            let id = records.string()?;
            if check_id(id).is_err() || ids.last().is_some_and(|&last| last >= id) || self.contains(id) {
                return Err(records.corrupt("an id is invalid, repeated or out of order"));
            }
            ids.push(id);
        }
        for id in ids {
            let row: Vec<f32> = records.raw(row_bytes)?.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
            // The proof of the bounds rests on this. The length of what is not finite is not below anything.
            let short_enough = wide_dot(self.isa, &row, &row).sqrt() <= MAX_LENGTH;
            if !short_enough {
                return Err(records.corrupt("a row is longer than 1, or not finite"));
            }
            self.insert_one(id, key, row.into_iter());
        }
        Ok(())
    }
}

fn read_ladder(head: &mut Cursor<'_>) -> Result<Ladder> {
    let tiers: Vec<usize> = head.u32s()?.into_iter().map(|tier| tier as usize).collect();
    let dimensions = tiers.last().copied().filter(|&last| last <= MAX_DIMENSIONS && tiers.len() <= MAX_TIERS);
    let dimensions = dimensions.ok_or_else(|| head.corrupt("holds no tiers, or too many or too wide ones"))?;
    Ladder::new(dimensions, Some(&tiers)).map_err(|error| head.corrupt(error.to_string()))
}
