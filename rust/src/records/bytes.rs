//! Bytes of the fields: two sections, in which a record is its place in the directory's order.
//!
//! Every record a value names costs at least a byte, so bytes can ask for no more memory than some times their weight.

use roaring::RoaringBitmap;

use super::value::Number;
use super::{Directory, Fields, Holders, MAX_NAME_BYTES, MAX_VALUES, Value};
use crate::codec::{Cursor, Payload, Reader, Tag, Writer};
use crate::error::Result;

const COLUMNS: Tag = *b"COLS";
const KEYWORDS: Tag = *b"KEYS";
const CELLS: Tag = *b"HELD";

impl Fields {
    /// Writes the sections; `positions` are those of [`Directory::positions`].
    pub fn write(&self, writer: &mut Writer, positions: &[u32]) {
        writer.section(CELLS, |p| {
            let held = self.members.iter().flatten();
            write_places(p, held.collect(), positions);
        });
        writer.section(COLUMNS, |p| {
            p.u64(self.columns.len() as u64);
            for column in &self.columns {
                p.string(column.name());
                p.u8(u8::from(column.is_sorted()));
                let records = write_places(p, column.present().iter().collect(), positions);
                for record in records {
                    p.f64(column.get(record));
                }
            }
        });
        writer.section(KEYWORDS, |p| {
            let fields = self.keywords.sorted();
            p.u64(fields.len() as u64);
            for (name, field) in fields {
                p.string(name);
                p.u64(field.len() as u64);
                for (value, holders) in self.keywords.values(field) {
                    write_value(p, value);
                    let mut records = Vec::new();
                    holders.each(|record| records.push(record));
                    write_places(p, records, positions);
                }
            }
        });
    }

    /// Reads what [`Fields::write`] wrote, for a directory that was read before.
    ///
    /// # Errors
    /// [`crate::Error::Corrupt`] for damaged bytes.
    pub fn read(reader: &mut Reader<'_>, directory: &Directory) -> Result<Self> {
        let (mut fields, records) = (Self::default(), directory.capacity());
        fields.read_members(reader.section(CELLS)?, directory)?;
        fields.read_columns(reader.section(COLUMNS)?, records)?;
        fields.read_keywords(reader.section(KEYWORDS)?, records)?;
        Ok(fields)
    }

    fn read_members(&mut self, mut cursor: Cursor<'_>, directory: &Directory) -> Result<()> {
        self.members.resize_with(directory.cell_capacity(), RoaringBitmap::new);
        let mut places = Vec::new();
        read_places(&mut cursor, directory.capacity(), &mut places)?;
        if places.iter().any(|&number| directory.cell(number).is_none()) {
            return Err(cursor.corrupt("it holds a record that is not there"));
        }
        for run in places.chunk_by(|&one, &other| directory.cell(one) == directory.cell(other)) {
            let cell = directory.cell(run[0]).expect("it was looked at above");
            let ascending = self.members[cell as usize].append(run.iter().copied());
            ascending.map_err(|_| cursor.corrupt("its records are not in order"))?;
        }
        cursor.finish()
    }

    fn read_columns(&mut self, mut cursor: Cursor<'_>, records: usize) -> Result<()> {
        let (mut places, mut values) = (Vec::new(), Vec::new());
        for _ in 0..cursor.count(10)? {
            let (name, order) = (cursor.string()?, cursor.u8()?);
            if order > 1 {
                return Err(cursor.corrupt("a column is neither sorted nor not"));
            }
            self.declare(name, order == 1).map_err(|error| cursor.corrupt(error.to_string()))?;
            read_places(&mut cursor, records, &mut places)?;
            values.clear();
            for _ in &places {
                values.push(cursor.f64()? + 0.0); // there is one zero
            }
            self.columns.last_mut().expect("it was declared").restore(&places, &values);
        }
        cursor.finish()
    }

    fn read_keywords(&mut self, mut cursor: Cursor<'_>, records: usize) -> Result<()> {
        let (mut pairs, mut places, mut before) = (Vec::new(), Vec::new(), String::new());
        for _ in 0..cursor.count(12)? {
            let name = cursor.string()?;
            let is_column = self.column(name).is_some() || name == super::ID;
            if name <= before.as_str() || name.len() > MAX_NAME_BYTES || is_column {
                return Err(cursor.corrupt("its fields are not in order, or a name is none"));
            }
            name.clone_into(&mut before);
            let count = cursor.count(10)?;
            if count == 0 {
                return Err(cursor.corrupt("a field has no value"));
            }
            let mut values: Vec<(Value, Holders)> = Vec::new();
            for _ in 0..count {
                let value = read_value(&mut cursor)?;
                read_places(&mut cursor, records, &mut places)?;
                if values.last().is_some_and(|(last, _)| *last >= value) || places.is_empty() {
                    return Err(cursor.corrupt("values are not in order, or nobody has one"));
                }
                values.push((value, Holders::of_sorted(&places)));
            }
            self.keywords.restore(name, values, &mut pairs);
        }
        let mut counts = vec![0_usize; records];
        for &(record, _) in &pairs {
            counts[record as usize] += 1;
        }
        if counts.into_iter().any(|count| count > MAX_VALUES) {
            return Err(cursor.corrupt("a record has too many values"));
        }
        self.keywords.restore_lists(records, &pairs);
        cursor.finish()
    }
}

/// Writes records as their places, ascending, each as its distance from the one before, and gives them back in that order.
fn write_places(p: &mut Payload<'_>, mut records: Vec<u32>, positions: &[u32]) -> Vec<u32> {
    records.sort_unstable_by_key(|&record| positions[record as usize]);
    p.u64(records.len() as u64);
    let mut next = 0;
    for &record in &records {
        let position = positions[record as usize];
        p.varint(position - next);
        next = position + 1;
    }
    records
}

/// Reads the places of records into a list that is used again and again.
fn read_places(cursor: &mut Cursor<'_>, records: usize, places: &mut Vec<u32>) -> Result<()> {
    places.clear();
    let mut next = 0_u64;
    for _ in 0..cursor.count(1)? {
        let place = next + u64::from(cursor.varint()?);
        if place >= records as u64 {
            return Err(cursor.corrupt("it names a record that is not there"));
        }
        places.push(place as u32);
        next = place + 1;
    }
    Ok(())
}

fn write_value(p: &mut Payload<'_>, value: &Value) {
    match value {
        Value::Flag(flag) => p.u8(u8::from(*flag)),
        Value::Number(number) => {
            p.u8(2);
            p.f64(number.get());
            p.f64(number.rest());
        }
        Value::Text(text) => {
            p.u8(3);
            p.string(text);
        }
    }
}

fn read_value(cursor: &mut Cursor<'_>) -> Result<Value> {
    match cursor.u8()? {
        flag @ (0 | 1) => Ok(Value::Flag(flag == 1)),
        2 => Ok(Value::Number(Number::of_parts(cursor.f64()?, cursor.f64()?))),
        3 => Ok(Value::from(cursor.string()?)),
        _ => Err(cursor.corrupt("a value is of no known kind")),
    }
}
