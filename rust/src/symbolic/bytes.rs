//! The index as bytes and back.
//!
//! Canonical: records go by their places in the directory's order, so equal content gives equal bytes whatever the
//! history. Each has its distance from the one before, then what it states.

use super::extract::Statement;
use super::index::Index;
use super::rules::{Atom, Rule};
use super::settings::Settings;
use super::standalone::SymbolicIndex;
use crate::codec::{Cursor, Payload, Reader, Tag, Writer};
use crate::error::{Error, Result};
use crate::records::{Directory, in_order};
use crate::text::Mode;

const KIND: Tag = *b"FACT";
const RULES: Tag = *b"RULE";
const STATEMENTS: Tag = *b"SAID";

/// The least a statement takes: its place, two symbols of one byte with their lengths, a relation, a confidence.
const LEAST_STATEMENT: usize = 1 + 2 + 2 + 4 + 8;

impl Index {
    /// Writes two sections: the settings, and the statements in the order of `positions`, the place of each number in
    /// the order of the directory.
    pub fn write(&self, writer: &mut Writer, positions: &[u32]) {
        writer.section(RULES, |p| write_settings(p, &self.settings));
        writer.section(STATEMENTS, |p| {
            let records = in_order(positions, |number| self.holds(number));
            p.u64(records.len() as u64);
            let mut next = 0;
            for &(position, number) in &records {
                let (fact, confidence) = self.stated_by(number).expect("it states something");
                p.varint(position - next);
                p.string(self.names.name(fact.subject.number));
                p.u32(fact.relation);
                p.string(self.names.name(fact.object.number));
                p.f64(confidence);
                next = position + 1;
            }
        });
    }

    /// Reads what [`Index::write`] wrote; `directory` has been read before, so that its numbers are the places.
    ///
    /// # Errors
    /// [`Error::Corrupt`] for damaged bytes and for a place that holds no record.
    pub fn read(reader: &mut Reader<'_>, directory: &Directory) -> Result<Self> {
        let mut head = reader.section(RULES)?;
        let settings = read_settings(&mut head)?;
        head.finish()?;
        let mut said = reader.section(STATEMENTS)?;
        let count = said.count(LEAST_STATEMENT)?;
        let (mut numbers, mut statements) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut next = 0_u64;
        for _ in 0..count {
            let number = next + u64::from(said.varint()?);
            if number >= directory.len() as u64 {
                return Err(said.corrupt("a statement belongs to no record"));
            }
            numbers.push(number as u32);
            statements.push(read_statement(&mut said, &settings)?);
            next = number + 1;
        }
        said.finish()?;
        let mut index = Self::new(settings);
        index.put(directory, &numbers, &statements).map_err(|error| damaged("SAID", &error))?;
        Ok(index)
    }
}

impl SymbolicIndex {
    /// The index as bytes: its records, the settings, what is stated.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.directory.bytes_with(KIND, |writer, positions| self.inner.write(writer, positions))
    }

    /// Reads what [`SymbolicIndex::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`Error::Corrupt`] for damaged bytes, [`Error::UnsupportedFormat`] for those of another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let (directory, inner) = Directory::read_with(bytes, KIND, Index::read, Index::len)?;
        Ok(Self { directory, inner })
    }
}

fn damaged(section: &str, error: &Error) -> Error {
    Error::corrupt(section, error.to_string())
}

fn read_statement(cursor: &mut Cursor<'_>, settings: &Settings) -> Result<Statement> {
    let (subject, number) = (cursor.string()?.to_owned(), cursor.u32()? as usize);
    let relation =
        settings.relations().get(number).ok_or_else(|| cursor.corrupt("names a relation that is not there"))?;
    let (relation, object, confidence) = (relation.clone(), cursor.string()?.to_owned(), cursor.f64()?);
    Ok(Statement { subject, relation, object, confidence })
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
    let mode = Mode::from_name(cursor.string()?).map_err(|error| damaged("RULE", &error))?;
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
    Settings::new(mode, relations, &preferred, rules).map_err(|error| damaged("RULE", &error))
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
