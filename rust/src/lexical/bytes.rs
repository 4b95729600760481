//! The index as sections of bytes and back: settings, terms, records.
//!
//! Canonical: terms are written in their own order, records in that of the directory, by which they are named, so equal
//! content gives equal bytes whatever the history. Reading rebuilds the lists from the records' own counts.

use super::batch::{Batch, Count};
use super::index::Index;
use super::segment::Segment;
use super::settings::{Field, Settings};
use crate::codec::{Cursor, Payload, Reader, Tag, Writer};
use crate::error::{Error, Result};
use crate::records::{Directory, in_order};
use crate::text::{Analyzer, MAX_TERM_BYTES};

const SETTINGS: Tag = *b"LEXS";
const TERMS: Tag = *b"TERM";
const RECORDS: Tag = *b"LEXR";

/// The least a record takes: its distance from the one before, an empty label, and how many counts it has.
const LEAST_RECORD: usize = 10;

impl Index {
    /// Writes three sections; `positions` are those of [`Directory::positions`].
    pub fn write(&self, writer: &mut Writer, positions: &[u32]) {
        writer.section(SETTINGS, |p| write_settings(p, &self.settings));
        let terms = self.terms.sorted();
        let mut rank_of = vec![0_u32; self.terms.capacity()];
        writer.section(TERMS, |p| {
            p.u64(terms.len() as u64);
            for (rank, (term, number)) in terms.iter().enumerate() {
                p.string(term);
                rank_of[*number as usize] = rank as u32;
            }
        });
        // Each segment is turned round once, from lists by term to counts by record.
        let turned: Vec<Vec<_>> =
            self.cells.iter().map(|cell| cell.segments.iter().map(Segment::counts_by_slot).collect()).collect();
        writer.section(RECORDS, |p| {
            p.u64(self.len() as u64);
            let mut next = 0;
            for (position, number) in in_order(positions, |number| self.holds(number)) {
                let place = self.place(number).expect("it is held");
                let (cell, segment) = (place.cell as usize, usize::from(place.segment));
                let label = self.cells[cell].segments[segment].label(place.slot);
                p.varint(position - next);
                p.string(self.labels.name(label));
                write_counts(p, &turned[cell][segment][usize::from(place.slot)], &rank_of);
                next = position + 1;
            }
        });
    }

    /// Reads what [`Index::write`] wrote; the directory is the one that was read before, so numbers are positions.
    ///
    /// # Errors
    /// [`Error::Corrupt`] for damaged bytes.
    pub fn read(reader: &mut Reader<'_>, directory: &Directory) -> Result<Self> {
        let mut head = reader.section(SETTINGS)?;
        let settings = read_settings(&mut head)?;
        head.finish()?;
        let mut terms = reader.section(TERMS)?;
        let mut batch = Batch::default();
        for _ in 0..terms.count(1)? {
            let term = terms.string()?;
            if term.len() > MAX_TERM_BYTES || !batch.declare(term) {
                return Err(terms.corrupt("a term is too long or occurs twice"));
            }
        }
        terms.finish()?;
        let mut records = reader.section(RECORDS)?;
        let (mut numbers, mut labels, mut next) = (Vec::new(), Vec::new(), 0_u32);
        let (mut counts, mut lengths) = (Vec::new(), vec![0_u32; settings.fields.len()]);
        for _ in 0..records.count(LEAST_RECORD)? {
            let number = next.checked_add(records.varint()?).filter(|&number| directory.cell(number).is_some());
            let number = number.ok_or_else(|| records.corrupt("a record is not in the directory"))?;
            numbers.push(number);
            next = number + 1;
            let label = records.string()?;
            labels.push((!label.is_empty()).then_some(label));
            read_counts(&mut records, batch.term_count(), &mut counts, &mut lengths)?;
            batch.push_counted(&counts, &lengths);
        }
        let mut index = Self::new(settings);
        let put = index.put_labelled(directory, &numbers, &batch, Some(&labels));
        put.map_err(|error| records.corrupt(error.to_string()))?;
        records.finish()?;
        if index.term_uses.contains(&0) {
            return Err(Error::corrupt("TERM", "a term occurs in no record"));
        }
        Ok(index)
    }
}

fn write_settings(p: &mut Payload<'_>, settings: &Settings) {
    p.string(&settings.analyzer.name());
    p.f64(settings.k1);
    p.f64(settings.b);
    p.u64(settings.fields.len() as u64);
    for field in &settings.fields {
        p.string(&field.name);
        p.f64(field.weight);
    }
}

fn read_settings(head: &mut Cursor<'_>) -> Result<Settings> {
    let analyzer = Analyzer::from_name(head.string()?).map_err(|error| head.corrupt(error.to_string()))?;
    let (k1, b) = (head.f64()?, head.f64()?);
    let mut fields = Vec::new();
    for _ in 0..head.count(9)? {
        fields.push(Field { name: head.string()?.to_owned(), weight: head.f64()? });
    }
    Settings::new(fields, k1, b, analyzer).map_err(|error| head.corrupt(error.to_string()))
}

fn write_counts(p: &mut Payload<'_>, counts: &[Count], rank_of: &[u32]) {
    let renumbered = |count: &Count| Count { term: rank_of[count.term as usize], ..*count };
    let mut counts: Vec<Count> = counts.iter().map(renumbered).collect();
    counts.sort_unstable();
    p.u64(counts.len() as u64);
    for count in counts {
        p.varint(count.term);
        p.u8(count.field);
        p.varint(count.count);
    }
}

/// One record's counts, and its lengths by field, in the place of another's.
fn read_counts(records: &mut Cursor<'_>, terms: usize, counts: &mut Vec<Count>, lengths: &mut [u32]) -> Result<()> {
    counts.clear();
    lengths.fill(0);
    for _ in 0..records.count(3)? {
        let (term, field, count) = (records.varint()?, records.u8()?, records.varint()?);
        let ordered = counts.last().is_none_or(|last| (last.term, last.field) < (term, field));
        if !ordered || term as usize >= terms || usize::from(field) >= lengths.len() || count == 0 {
            return Err(records.corrupt("a record's counts make no sense"));
        }
        let length = &mut lengths[usize::from(field)];
        *length = length.checked_add(count).ok_or_else(|| records.corrupt("a field is longer than 32 bits can say"))?;
        counts.push(Count { term, field, count });
    }
    Ok(())
}
