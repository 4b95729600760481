//! The index as bytes and back.
//!
//! Canonical: terms, cells and records are written in the order of their names, so equal content gives
//! equal bytes whatever the history. Reading rebuilds the lists from the records' own counts.

use super::batch::{Batch, Count};
use super::segment::Segment;
use super::{Attributes, Field, LexicalIndex, Settings};
use crate::codec::{Cursor, Payload, Reader, Tag, Writer};
use crate::error::Result;
use crate::text::{Analyzer, MAX_TERM_BYTES};

const KIND: Tag = *b"LEXI";
const HEAD: Tag = *b"HEAD";
const TERMS: Tag = *b"TERM";
const RECORDS: Tag = *b"RECS";

impl LexicalIndex {
    /// The index as bytes: a header, the terms, the records.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::new(KIND);
        writer.section(HEAD, |p| self.write_head(p));
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
            for (id, document) in self.ids.sorted() {
                let place = self.places[document as usize];
                let (cell, segment) = (place.cell as usize, usize::from(place.segment));
                let label = self.cells[cell].segments[segment].label(place.slot);
                p.string(id);
                p.string(self.cell_keys.name(place.cell));
                p.string(self.labels.name(label));
                write_counts(p, &turned[cell][segment][usize::from(place.slot)], &rank_of);
            }
        });
        writer.finish()
    }

    fn write_head(&self, p: &mut Payload<'_>) {
        p.string(&self.settings.analyzer.name());
        p.f64(self.settings.k1);
        p.f64(self.settings.b);
        p.u64(self.settings.fields.len() as u64);
        for field in &self.settings.fields {
            p.string(&field.name);
            p.f64(field.weight);
        }
    }

    /// Reads what [`LexicalIndex::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`crate::Error::Corrupt`] for damaged bytes, [`crate::Error::UnsupportedFormat`] for newer ones.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::open(bytes, KIND)?;
        let mut head = reader.section(HEAD)?;
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
        let (mut ids, mut cells, mut labels) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..records.count(11)? {
            ids.push(records.string()?.to_owned());
            cells.push(records.string()?.to_owned());
            labels.push(Some(records.string()?.to_owned()));
            let (counts, lengths) = read_counts(&mut records, &settings, batch.term_count())?;
            batch.push_counted(&counts, &lengths);
        }
        let mut index = Self::new(settings);
        let attributes = Attributes { cells: Some(&cells), labels: Some(&labels) };
        index.add(&ids, &batch, attributes).map_err(|error| records.corrupt(error.to_string()))?;
        records.finish()?;
        reader.finish()?;
        if index.term_uses.contains(&0) {
            return Err(crate::Error::corrupt("TERM", "a term occurs in no record"));
        }
        Ok(index)
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

/// One record's counts, and its lengths by field.
fn read_counts(records: &mut Cursor<'_>, settings: &Settings, terms: usize) -> Result<(Vec<Count>, Vec<u32>)> {
    let (mut counts, mut lengths) = (Vec::<Count>::new(), vec![0_u32; settings.fields.len()]);
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
    Ok((counts, lengths))
}
