//! The index as sections of bytes and back: settings, then the cells.
//!
//! Canonical: records are written in the order of the directory, by which they are named, so equal content gives equal
//! bytes whatever the history. Of each cell come first its records (their distance from the one before, bits of the
//! fields they have), then field by field the parts and the words of its rows.

use super::cell::Cell;
use super::hypervector::{BYTES, GENERATOR, words_from_bytes, words_to_bytes};
use super::index::Index;
use super::settings::{Field, Settings};
use crate::codec::{Cursor, Payload, Reader, Tag, Writer};
use crate::error::Result;
use crate::kernel::{Words, with_large_pages};
use crate::records::{Directory, in_order};

const SETTINGS: Tag = *b"HDCS";
const RECORDS: Tag = *b"HDCR";

/// The least a record takes: its distance from the one before, and the bits of its fields.
const LEAST_RECORD: usize = 2;

impl Index {
    /// Writes two sections; `positions` are those of [`Directory::positions`].
    pub fn write(&self, writer: &mut Writer, positions: &[u32]) {
        writer.section(SETTINGS, |p| write_settings(p, &self.settings));
        writer.section(RECORDS, |p| {
            let place = |number: u32| self.place(number).expect("it is held");
            let records = in_order(positions, |number| self.holds(number));
            let by_cell = || records.chunk_by(|one, other| place(one.1).cell == place(other.1).cell);
            p.u64(by_cell().count() as u64);
            let mut next = 0;
            for records in by_cell() {
                let cell = &self.cells[place(records[0].1).cell as usize];
                let slots: Vec<u32> = records.iter().map(|&(_, number)| place(number).slot).collect();
                p.u64(records.len() as u64);
                for (&(position, _), &slot) in records.iter().zip(&slots) {
                    let has = |column: usize| u32::from(cell.columns[column].row(slot).is_some()) << column;
                    p.varint(position - next);
                    p.varint((0..cell.columns.len()).map(has).sum());
                    next = position + 1;
                }
                write_columns(p, cell, &slots);
            }
        });
    }

    /// Reads what [`Index::write`] wrote; the directory is the one that was read before, so numbers are positions.
    ///
    /// # Errors
    /// [`crate::Error::Corrupt`] for damaged bytes or another generator; as [`crate::kernel::Isa::active`].
    pub fn read(reader: &mut Reader<'_>, directory: &Directory) -> Result<Self> {
        let mut head = reader.section(SETTINGS)?;
        let mut index = Self::new(read_settings(&mut head)?)?;
        head.finish()?;
        let mut records = reader.section(RECORDS)?;
        let (mut next, mut before) = (0, None);
        for _ in 0..records.count(8)? {
            let number = index.read_cell(&mut records, directory, &mut next)?;
            if before == Some(number) {
                return Err(records.corrupt("a cell comes twice"));
            }
            before = Some(number);
        }
        records.finish()?;
        Ok(index)
    }

    /// Reads the next cell and answers its number; `next` is one more than the last record.
    fn read_cell(&mut self, records: &mut Cursor<'_>, directory: &Directory, next: &mut u32) -> Result<u32> {
        let count = records.count(LEAST_RECORD)?;
        let columns = self.settings.columns();
        let mut cell = Cell::default();
        let (mut held, mut number) = (Vec::with_capacity(count), None);
        for _ in 0..count {
            let (gap, fields) = (records.varint()?, records.varint()?);
            let record = next.checked_add(gap).and_then(|record| Some((record, directory.cell(record)?)));
            let (record, of) = record.ok_or_else(|| records.corrupt("a record is not in the directory"))?;
            if number.is_some_and(|number| number != of) {
                return Err(records.corrupt("a record lies in another cell"));
            }
            if u64::from(fields) >= 1 << columns {
                return Err(records.corrupt("a record has a field that the index lacks"));
            }
            number = Some(of);
            *next = record + 1;
            held.push(fields);
            cell.held.push(fields.count_ones() as u8);
            cell.documents.push(record);
        }
        let number = number.ok_or_else(|| records.corrupt("a cell holds no record"))?;
        for column in 0..columns {
            let has: Vec<bool> = held.iter().map(|fields| fields >> column & 1 == 1).collect();
            cell.read_column(records, &has)?;
        }
        self.adopt(number, cell);
        Ok(number)
    }
}

fn write_columns(p: &mut Payload<'_>, cell: &Cell, slots: &[u32]) {
    for column in &cell.columns {
        let rows = || slots.iter().filter_map(|&slot| column.row(slot));
        rows().for_each(|row| p.u32(column.parts[row]));
        rows().for_each(|row| p.raw(&words_to_bytes(&column.rows[row])));
    }
}

impl Cell {
    fn read_column(&mut self, records: &mut Cursor<'_>, has: &[bool]) -> Result<()> {
        let count = has.iter().filter(|has| **has).count();
        let parts: Vec<u32> =
            read_many(records, count, 4)?.as_chunks().0.iter().map(|b| u32::from_le_bytes(*b)).collect();
        let bytes = read_many(records, count, BYTES)?;
        // With room for what comes next: the first record to come would else have all rows moved.
        let mut rows: Vec<Words> = with_large_pages(count + count / 8);
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
