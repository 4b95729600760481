//! An index as bytes: its settings, then its records by id. Equal content gives equal bytes, whatever came before.

use super::extract::Statement;
use super::index::{Record, SymbolicIndex};
use super::rules::{Atom, Rule};
use super::settings::Settings;
use crate::codec::{Cursor, Payload, Reader, Tag, Writer};
use crate::error::{Error, Result};
use crate::text::Mode;

const KIND: Tag = *b"FACT";
const HEAD: Tag = *b"HEAD";
const RECORDS: Tag = *b"RECS";

impl SymbolicIndex {
    /// The index as bytes: settings, records.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::new(KIND);
        writer.section(HEAD, |p| write_settings(p, &self.settings));
        writer.section(RECORDS, |p| {
            p.u64(self.len() as u64);
            for (id, fact, stated) in self.records() {
                p.string(id);
                p.string(self.cell_keys.name(stated.cell));
                p.string(self.names.name(fact.subject.number));
                p.u32(fact.relation);
                p.string(self.names.name(fact.object.number));
                p.f64(stated.confidence);
            }
        });
        writer.finish()
    }

    /// Reads what [`SymbolicIndex::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`Error::Corrupt`] for damaged bytes, [`Error::UnsupportedFormat`] for newer ones.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::open(bytes, KIND)?;
        let mut head = reader.section(HEAD)?;
        let settings = read_settings(&mut head)?;
        head.finish()?;
        let mut cursor = reader.section(RECORDS)?;
        let count = cursor.count(16)?;
        let mut records = Vec::with_capacity(count.min(bytes.len() / 16));
        for _ in 0..count {
            records.push(read_record(&mut cursor, &settings)?);
        }
        cursor.finish()?;
        reader.finish()?;
        let mut index = Self::new(settings);
        index.add(&records).map_err(|error| damaged("RECS", &error))?;
        Ok(index)
    }
}

fn damaged(section: &str, error: &Error) -> Error {
    Error::corrupt(section, error.to_string())
}

fn read_record(cursor: &mut Cursor<'_>, settings: &Settings) -> Result<Record> {
    let (id, cell, subject) = (cursor.string()?.to_owned(), cursor.string()?.to_owned(), cursor.string()?.to_owned());
    let number = cursor.u32()? as usize;
    let relation =
        settings.relations().get(number).ok_or_else(|| cursor.corrupt("names a relation that is not there"))?;
    let (relation, object, confidence) = (relation.clone(), cursor.string()?.to_owned(), cursor.f64()?);
    Ok(Record { id, cell, statement: Statement { subject, relation, object, confidence } })
}

fn write_settings(p: &mut Payload<'_>, settings: &Settings) {
    p.string(settings.mode.name());
    p.u64(settings.relations.len() as u64);
    for (name, &preferred) in settings.relations.iter().zip(&settings.preferred) {
        p.string(name);
        p.u8(u8::from(preferred));
    }
    p.u64(settings.rules.len() as u64);
    for rule in &settings.rules {
        p.string(&rule.id);
        p.u8(rule.premises.len() as u8);
        for atom in rule.premises.iter().chain([&rule.conclusion]) {
            for text in [&atom.subject, &atom.relation, &atom.object] {
                p.string(text);
            }
        }
        p.f64(rule.weight);
        p.u64(rule.max_depth.unwrap_or(0) as u64);
    }
}

fn read_settings(cursor: &mut Cursor<'_>) -> Result<Settings> {
    let mode = Mode::from_name(cursor.string()?).map_err(|error| damaged("HEAD", &error))?;
    let (mut relations, mut preferred) = (Vec::new(), Vec::new());
    for _ in 0..cursor.count(2)? {
        let name = cursor.string()?.to_owned();
        if cursor.u8()? == 1 {
            preferred.push(name.clone());
        }
        relations.push(name);
    }
    let mut rules = Vec::new();
    for _ in 0..cursor.count(20)? {
        rules.push(read_rule(cursor)?);
    }
    Settings::new(mode, relations, &preferred, rules).map_err(|error| damaged("HEAD", &error))
}

fn read_rule(cursor: &mut Cursor<'_>) -> Result<Rule> {
    let id = cursor.string()?.to_owned();
    let mut premises = Vec::new();
    for _ in 0..cursor.u8()? {
        premises.push(read_atom(cursor)?);
    }
    let conclusion = read_atom(cursor)?;
    let (weight, depth) = (cursor.f64()?, cursor.u64()?);
    let max_depth = if depth == 0 { None } else { Some(usize::try_from(depth).unwrap_or(usize::MAX)) };
    Ok(Rule { id, premises, conclusion, weight, max_depth })
}

fn read_atom(cursor: &mut Cursor<'_>) -> Result<Atom> {
    let [subject, relation, object] = [cursor.string()?, cursor.string()?, cursor.string()?].map(str::to_owned);
    Ok(Atom { subject, relation, object })
}
