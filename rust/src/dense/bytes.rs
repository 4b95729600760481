//! The index as bytes and back.
//!
//! Canonical: records go by their places in the directory's order, so equal content gives equal bytes whatever the
//! history. First come the places, each as its distance from the one before, then the rows. What the bounds need is
//! computed again. Where the rows are kept elsewhere, their checksums stand in their place, and the rows are awaited.

use super::cell::Cell;
use super::index::{Index, checksum};
use super::ladder::{Ladder, MAX_DIMENSIONS, MAX_TIERS};
use super::rows::Row;
use super::standalone::DenseIndex;
use super::vector::is_short_enough;
use crate::codec::{Cursor, Payload, Reader, Tag, Writer};
use crate::error::Result;
use crate::records::{Directory, in_order};

const KIND: Tag = *b"DENS";
const TIERS: Tag = *b"TIER";
const ROWS: Tag = *b"ROWS";
const SUMS: Tag = *b"SUMS";

impl Index {
    /// Writes two sections: the tiers, and the rows in the order of `positions`, the place of each number in the order
    /// of the directory.
    pub fn write(&self, writer: &mut Writer, positions: &[u32]) {
        self.write_ladder(writer);
        writer.section(ROWS, |p| {
            let records = in_order(positions, |number| self.holds(number));
            write_places(p, &records);
            for &(_, number) in &records {
                let row = self.row(number).expect("a record of a cell has a row");
                for value in row {
                    p.raw(&value.to_le_bytes());
                }
            }
        });
    }

    /// Writes what [`Index::write`] does, with the checksum of each row in its place.
    pub fn write_sums(&self, writer: &mut Writer, positions: &[u32]) {
        self.write_ladder(writer);
        writer.section(SUMS, |p| {
            let records = in_order(positions, |number| self.holds(number) || self.awaits(number));
            write_places(p, &records);
            for &(_, number) in &records {
                p.u32(self.row(number).map_or_else(|| self.awaited[&number], checksum));
            }
        });
    }

    /// Reads what [`Index::write_sums`] wrote: an index without a row, which awaits them.
    ///
    /// # Errors
    /// As [`Index::read`].
    pub fn read_sums(reader: &mut Reader<'_>, directory: &Directory) -> Result<Self> {
        let mut index = Self::read_empty(reader)?;
        let mut sums = reader.section(SUMS)?;
        let numbers = read_places(&mut sums, directory, 4)?;
        let mut sizes = vec![0; directory.cell_capacity()];
        index.awaited.reserve(numbers.len());
        for number in numbers {
            index.awaited.insert(number, sums.u32()?);
            sizes[directory.cell(number).expect("each place holds a record") as usize] += 1;
        }
        sums.finish()?;
        index.cells = sizes.into_iter().map(|rows| Cell::with_room(&index.ladder, rows)).collect();
        Ok(index)
    }

    fn write_ladder(&self, writer: &mut Writer) {
        writer.section(TIERS, |p| {
            let tiers: Vec<u32> = self.ladder.tiers().iter().map(|&tier| tier as u32).collect();
            p.u32s(&tiers);
        });
    }

    fn read_empty(reader: &mut Reader<'_>) -> Result<Self> {
        let mut tiers = reader.section(TIERS)?;
        let index = Self::new(read_ladder(&mut tiers)?)?;
        tiers.finish()?;
        Ok(index)
    }

    /// Reads what [`Index::write`] wrote; `directory` has been read before, so that its numbers are the places.
    ///
    /// # Errors
    /// [`crate::Error::Corrupt`] for damaged bytes and for a place that holds no record; as
    /// [`crate::kernel::Isa::active`].
    pub fn read(reader: &mut Reader<'_>, directory: &Directory) -> Result<Self> {
        let mut index = Self::read_empty(reader)?;
        let mut rows = reader.section(ROWS)?;
        let row_bytes = 4 * index.ladder.dimensions();
        for number in read_places(&mut rows, directory, row_bytes)? {
            let row: Box<[f32]> = rows.raw(row_bytes)?.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
            if !is_short_enough(index.isa, &row) {
                return Err(rows.corrupt("a row is longer than 1, or not finite"));
            }
            index.insert_one(directory, number, Row::Own(&row));
        }
        rows.finish()?;
        Ok(index)
    }
}

impl DenseIndex {
    /// The index as bytes: its records, the tiers, the rows.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.directory.bytes_with(KIND, |writer, positions| self.inner.write(writer, positions))
    }

    /// Reads what [`DenseIndex::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`crate::Error::Corrupt`] for damaged bytes, [`crate::Error::UnsupportedFormat`] for those of another version;
    /// as [`crate::kernel::Isa::active`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let (directory, inner) = Directory::read_with(bytes, KIND, Index::read, Index::len)?;
        Ok(Self { directory, inner })
    }
}

fn write_places(p: &mut Payload<'_>, records: &[(u32, u32)]) {
    p.u64(records.len() as u64);
    let mut next = 0;
    for &(position, _) in records {
        p.varint(position - next);
        next = position + 1;
    }
}

/// The numbers of the records of which something follows, so many bytes for each.
fn read_places(rows: &mut Cursor<'_>, directory: &Directory, bytes: usize) -> Result<Vec<u32>> {
    let count = rows.count(1 + bytes)?;
    let mut numbers = Vec::with_capacity(count);
    let mut next = 0_u64;
    for _ in 0..count {
        let number = next + u64::from(rows.varint()?);
        if number >= directory.len() as u64 {
            return Err(rows.corrupt("a row belongs to no record"));
        }
        numbers.push(number as u32);
        next = number + 1;
    }
    Ok(numbers)
}

fn read_ladder(head: &mut Cursor<'_>) -> Result<Ladder> {
    let tiers: Vec<usize> = head.u32s()?.into_iter().map(|tier| tier as usize).collect();
    let dimensions = tiers.last().copied().filter(|&last| last <= MAX_DIMENSIONS && tiers.len() <= MAX_TIERS);
    let dimensions = dimensions.ok_or_else(|| head.corrupt("holds no tiers, or too many or too wide ones"))?;
    Ladder::new(dimensions, Some(&tiers)).map_err(|error| head.corrupt(error.to_string()))
}
