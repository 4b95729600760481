//! The index as bytes and back.
//!
//! Canonical: cells are written by key and records by id, so equal content gives equal bytes whatever the
//! history. Of each cell come first its records (id, bits of the fields it has), then field by field the
//! parts and the words of its rows.

use super::GENERATOR;
use super::cell::Cell;
use super::hypervector::{BYTES, words_from_bytes, words_to_bytes};
use super::index::{HypervectorIndex, MAX_RECORDS};
use super::settings::{Field, Settings};
use crate::codec::{Cursor, Payload, Reader, Tag, Writer};
use crate::error::Result;
use crate::ids::{MAX_ID_BYTES, check_id};
use crate::kernel::{Words, with_large_pages};

const KIND: Tag = *b"HDCV";
const HEAD: Tag = *b"HEAD";
const RECORDS: Tag = *b"RECS";

/// The least a record takes: an id of one byte with its length, and the bits of its fields.
const LEAST_RECORD: usize = 3;

impl HypervectorIndex {
    /// The index as bytes: a header that names generator, fields, weights, combination and floor; the records.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::new(KIND);
        writer.section(HEAD, |p| write_settings(p, &self.settings));
        writer.section(RECORDS, |p| {
            let cells = self.cell_keys.sorted();
            p.u64(cells.len() as u64);
            for (key, number) in cells {
                p.string(key);
                self.write_cell(p, &self.cells[number as usize]);
            }
        });
        writer.finish()
    }

    fn write_cell(&self, p: &mut Payload<'_>, cell: &Cell) {
        let mut records: Vec<(&str, u32)> = cell.documents.iter().map(|&doc| self.ids.name(doc)).zip(0..).collect();
        records.sort_unstable();
        p.u64(records.len() as u64);
        for &(id, slot) in &records {
            p.string(id);
            let has = |column: usize| u32::from(cell.columns[column].row(slot).is_some()) << column;
            p.varint((0..cell.columns.len()).map(has).sum());
        }
        for column in &cell.columns {
            let rows = || records.iter().filter_map(|&(_, slot)| column.row(slot));
            rows().for_each(|row| p.u32(column.parts[row]));
            rows().for_each(|row| p.raw(&words_to_bytes(&column.rows[row])));
        }
    }

    /// Reads what [`HypervectorIndex::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`crate::Error::Corrupt`] for damaged bytes or another generator, [`crate::Error::UnsupportedFormat`] for
    /// newer bytes; as [`crate::kernel::Isa::active`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::open(bytes, KIND)?;
        let mut head = reader.section(HEAD)?;
        let mut index = Self::new(read_settings(&mut head)?)?;
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
        let count = records.count(LEAST_RECORD)?;
        if count == 0 || count > MAX_RECORDS - self.len() {
            return Err(records.corrupt("a cell holds no record, or more than an index can"));
        }
        let columns = self.settings.columns();
        let mut cell = Cell::default();
        let mut held = Vec::with_capacity(count);
        let mut previous = "";
        for _ in 0..count {
            let (id, fields) = (records.string()?, records.varint()?);
            if check_id(id).is_err() || id <= previous || self.contains(id) {
                return Err(records.corrupt("an id is invalid, repeated or out of order"));
            }
            if u64::from(fields) >= 1 << columns {
                return Err(records.corrupt("a record has a field that the index lacks"));
            }
            previous = id;
            held.push(fields);
            cell.held.push(fields.count_ones() as u8);
            cell.documents.push(self.ids.insert(id));
        }
        for number in 0..columns {
            let has: Vec<bool> = held.iter().map(|fields| fields >> number & 1 == 1).collect();
            cell.read_column(records, &has)?;
        }
        self.adopt(key, cell);
        Ok(())
    }
}

impl Cell {
    fn read_column(&mut self, records: &mut Cursor<'_>, has: &[bool]) -> Result<()> {
        let count = has.iter().filter(|has| **has).count();
        let parts: Vec<u32> =
            read_many(records, count, 4)?.as_chunks().0.iter().map(|b| u32::from_le_bytes(*b)).collect();
        let bytes = read_many(records, count, BYTES)?;
        let mut rows: Vec<Words> = with_large_pages(count);
        rows.extend(bytes.as_chunks().0.iter().map(words_from_bytes));
        if rows.contains(&Words::ZERO) {
            return Err(records.corrupt("holds a vector without a set bit"));
        }
        self.push_column(rows, parts, has);
        Ok(())
    }
}

fn read_many<'b>(records: &mut Cursor<'b>, count: usize, size: usize) -> Result<&'b [u8]> {
    if count > records.remaining() / size {
        return Err(records.corrupt("ends before its last vector"));
    }
    records.raw(count * size)
}

fn write_settings(p: &mut Payload<'_>, settings: &Settings) {
    p.string(GENERATOR);
    p.u64(settings.fields().len() as u64);
    for field in settings.fields() {
        p.string(&field.name);
        p.f64(field.weight);
    }
    p.string(settings.combine().name());
    p.f64(settings.floor());
}

fn read_settings(head: &mut Cursor<'_>) -> Result<Settings> {
    let generator = head.string()?;
    if generator != GENERATOR {
        return Err(head.corrupt(format!("made with generator {generator:?}; this version knows {GENERATOR:?}")));
    }
    let mut fields = Vec::new();
    for _ in 0..head.count(9)? {
        fields.push(Field { name: head.string()?.to_owned(), weight: head.f64()? });
    }
    let (combine, floor) = (head.string()?, head.f64()?);
    let fields = Some(fields).filter(|fields| !fields.is_empty());
    Settings::from_parts(fields, combine, floor).map_err(|error| head.corrupt(error.to_string()))
}
