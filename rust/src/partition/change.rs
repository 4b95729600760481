//! Records on their way in and out.

use std::sync::Arc;

use roaring::RoaringBitmap;

use super::Partition;
use crate::dense::Lent;
use crate::error::{Error, Result};
use crate::hdc::Vectors;
use crate::records;
use crate::symbolic::{self, Statement};
use crate::{ids, lexical};

/// Records on their way in: for each its id and the key of its cell, what its fields say, its document and its label; and for
/// some of them (`..._rows`: their places in this list, ascending) hypervectors, an embedding, a fact.
#[derive(Debug, Default)]
pub struct Additions {
    /// Ids with the keys of their cells, each pair once.
    pub keys: Vec<(String, String)>,
    /// What filters ask.
    pub fields: records::Batch,
    /// What words ask.
    pub documents: lexical::Batch,
    /// One for each, to which a recall may give a boost.
    pub labels: Vec<Option<String>>,
    /// Hashes of what they say, one for each, or none at all.
    pub hashes: Vec<Option<[u8; 16]>>,
    /// Which have hypervectors.
    pub vector_rows: Vec<usize>,
    /// These.
    pub vectors: Vec<Vectors>,
    /// Which have an embedding.
    pub embedding_rows: Vec<usize>,
    /// These, one after the other.
    pub embeddings: Vec<f32>,
    /// Who keeps them and lends them: one for each, or none at all.
    pub lends: Vec<Option<Arc<dyn Lent>>>,
    /// Which state a fact.
    pub fact_rows: Vec<usize>,
    /// These.
    pub facts: Vec<Statement>,
}

impl Partition {
    /// Takes in records in place of those with the same ids in the same cells. All of them or none.
    ///
    /// # Errors
    /// As the indexes say for what they cannot take, and [`Error::InvalidArgument`] for embeddings or facts where there is no
    /// index of them.
    pub fn put(&mut self, additions: &Additions) -> Result<()> {
        self.check(additions)?;
        let numbers = self.numbered(&additions.keys, |partition, numbers| {
            let those = |rows: &[usize]| rows.iter().map(|&row| numbers[row]).collect::<Vec<u32>>();
            let vectors: Vec<&Vectors> = additions.vectors.iter().collect();
            partition.hypervectors.put(&partition.directory, &those(&additions.vector_rows), &vectors)
        })?;
        if let Some(told) = self.told.get_mut() {
            told.remove(&numbers);
        }
        let among = |rows: &[usize]| rows.iter().map(|&row| numbers[row]).collect::<Vec<u32>>();
        let rest = |rows: &[usize]| left_out(&numbers, rows);
        self.hypervectors.remove(&rest(&additions.vector_rows));
        self.lexical.put(&self.directory, &numbers, &additions.documents, Some(&additions.labels))?;
        if let Some(dense) = &mut self.dense {
            let without = rest(&additions.embedding_rows);
            dense.remove(&without);
            let with = among(&additions.embedding_rows);
            dense.put_lent(&self.directory, &with, &additions.embeddings, &additions.lends)?;
            self.blank -= with.into_iter().collect::<RoaringBitmap>();
            self.blank.extend(without);
        }
        if let Some(symbolic) = &mut self.symbolic {
            symbolic.remove(&rest(&additions.fact_rows));
            symbolic.put(&self.directory, &among(&additions.fact_rows), &additions.facts)?;
        }
        self.fields.put(&self.directory, &numbers, &additions.fields)?;
        for (row, &number) in numbers.iter().enumerate() {
            self.archived.remove(number);
            self.hashes.set(number, additions.hashes.get(row).copied().flatten());
        }
        if let Some(mut told) = self.told.take() {
            told.put(self, &numbers);
            self.told = told.into();
        }
        Ok(())
    }

    /// Takes records out of every index and keeps what their fields say; unknown ones become known.
    ///
    /// # Errors
    /// As [`records::Fields::check`], and for bad ids.
    pub fn archive(&mut self, keys: &[(String, String)], fields: &records::Batch) -> Result<()> {
        check_keys(keys)?;
        self.fields.check(keys.len(), fields)?;
        let numbers = self.numbered(keys, |_, _| Ok(()))?;
        self.leave(&numbers);
        self.fields.put(&self.directory, &numbers, fields)?;
        self.archived.extend(numbers);
        Ok(())
    }

    /// Forgets records and answers how many were known.
    pub fn remove(&mut self, numbers: &[u32]) -> usize {
        self.leave(numbers);
        self.fields.remove(&self.directory, numbers);
        self.archived -= numbers.iter().copied().collect::<RoaringBitmap>();
        self.directory.remove_all(numbers)
    }

    /// Has hypervectors made later, or says that they have been made: of all records that can be found, by
    /// [`Partition::encode`] or as they came. Until then a search for them is refused.
    pub fn defer(&mut self, is_deferred: bool) {
        self.deferred = is_deferred;
    }

    /// Takes in hypervectors of records that are known and not archived.
    ///
    /// # Errors
    /// As [`crate::hdc::Index::put`], and [`Error::InvalidArgument`] for a record that is archived.
    pub fn encode(&mut self, numbers: &[u32], vectors: &[Vectors]) -> Result<()> {
        if let Some(number) = numbers.iter().find(|&&number| !self.lexical.holds(number)) {
            let why = format!("{:?} is not known, or archived", self.directory.id(*number));
            return Err(Error::invalid("hypervectors", why));
        }
        self.hypervectors.put(&self.directory, numbers, &vectors.iter().collect::<Vec<_>>())
    }

    /// Takes in the vector of a record whose row was written elsewhere, as little-endian bytes, if it is the one that is awaited.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] where there is no index of embeddings.
    pub fn come(&mut self, number: u32, row: &[u8]) -> Result<()> {
        let none = || Error::invalid("embeddings", "were given to a partition without an index of them");
        self.dense.as_mut().ok_or_else(none)?.come(&self.directory, number, row);
        Ok(())
    }

    /// Waits for rows no longer, and answers of which records none came: these have no embedding.
    pub fn wait_no_longer(&mut self) -> Vec<u32> {
        let missing = self.dense.as_mut().map(crate::dense::Index::wait_no_longer).unwrap_or_default();
        self.blank.extend(missing.iter().copied());
        missing
    }

    /// Begins an index of facts, empty: [`Partition::learn`] and [`Partition::put`] fill it.
    pub fn begin_facts(&mut self, settings: symbolic::Settings) {
        self.symbolic = Some(symbolic::Index::new(settings));
    }

    /// Takes in facts of records that are known and not archived.
    ///
    /// # Errors
    /// As the index of facts says, and [`Error::InvalidArgument`] where there is none.
    pub fn learn(&mut self, numbers: &[u32], facts: &[Statement]) -> Result<()> {
        if let Some(number) = numbers.iter().find(|&&number| !self.lexical.holds(number)) {
            let why = format!("{:?} is not known, or archived", self.directory.id(*number));
            return Err(Error::invalid("facts", why));
        }
        let none = || Error::invalid("facts", "this partition has no index of facts; begin one first");
        self.symbolic.as_mut().ok_or_else(none)?.put(&self.directory, numbers, facts)
    }

    /// Takes records out of every index.
    fn leave(&mut self, numbers: &[u32]) {
        if let Some(told) = self.told.get_mut() {
            told.remove(numbers);
        }
        self.lexical.remove(numbers);
        self.hypervectors.remove(numbers);
        if let Some(dense) = &mut self.dense {
            dense.remove(numbers);
        }
        if let Some(symbolic) = &mut self.symbolic {
            symbolic.remove(numbers);
        }
        for &number in numbers {
            self.blank.remove(number);
            self.hashes.set(number, None);
        }
    }

    /// The numbers of records, new ones for those that were unknown; these are forgotten again if a first step with the
    /// numbers is refused.
    fn numbered(
        &mut self,
        keys: &[(String, String)],
        first: impl FnOnce(&mut Self, &[u32]) -> Result<()>,
    ) -> Result<Vec<u32>> {
        let mut new = Vec::new();
        let mut numbers = Vec::with_capacity(keys.len());
        self.directory.reserve(keys.len());
        for (id, cell) in keys {
            let (before, number) = (self.directory.len(), self.directory.insert(cell, id));
            if self.directory.len() > before {
                new.push(number);
            }
            numbers.push(number);
        }
        let done = first(self, &numbers);
        if done.is_err() {
            for number in new {
                self.directory.remove(number);
            }
        }
        done.map(|()| numbers)
    }

    fn check(&self, additions: &Additions) -> Result<()> {
        let records = additions.keys.len();
        check_keys(&additions.keys)?;
        self.fields.check(records, &additions.fields)?;
        lexical::Index::check(records, &additions.documents, Some(&additions.labels))?;
        if !additions.hashes.is_empty() && additions.hashes.len() != records {
            let why = format!("has {} items for {records} records; give one for each", additions.hashes.len());
            return Err(Error::invalid("hashes", why));
        }
        for (what, rows, given, is_there) in [
            ("hypervectors", &additions.vector_rows, additions.vectors.len(), true),
            ("embeddings", &additions.embedding_rows, additions.embedding_rows.len(), self.dense.is_some()),
            ("facts", &additions.fact_rows, additions.facts.len(), self.symbolic.is_some()),
        ] {
            if rows.len() != given
                || rows.last().is_some_and(|&last| last >= records)
                || !rows.is_sorted_by(|a, b| a < b)
            {
                return Err(Error::invalid(what, "are not one for each of some of the records, in their order"));
            }
            if !rows.is_empty() && !is_there {
                return Err(Error::invalid(what, "were given to a partition without an index of them"));
            }
        }
        if let Some(dense) = &self.dense {
            dense.check(additions.embedding_rows.len(), &additions.embeddings)?;
        }
        let symbolic = self.symbolic.as_ref().map_or(&[][..], |_| &additions.facts);
        symbolic.iter().try_for_each(|fact| self.symbolic.as_ref().expect("it is there").check(fact))
    }
}

/// The numbers that are not in these rows.
fn left_out(numbers: &[u32], rows: &[usize]) -> Vec<u32> {
    let mut rows = rows.iter().peekable();
    let mut out = Vec::with_capacity(numbers.len() - rows.len());
    for (row, &number) in numbers.iter().enumerate() {
        if rows.next_if(|&&next| next == row).is_none() {
            out.push(number);
        }
    }
    out
}

/// Refuses keys that are bad, long, or there twice.
fn check_keys(keys: &[(String, String)]) -> Result<()> {
    for (id, cell) in keys {
        ids::check_id(id)?;
        if cell.len() > ids::MAX_ID_BYTES {
            return Err(Error::limit("cell key length in bytes", ids::MAX_ID_BYTES, cell.len()));
        }
    }
    let mut sorted: Vec<_> = keys.iter().collect();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Error::invalid("ids", format!("{:?} occurs twice in one cell; give each record once", pair[0].0)));
    }
    Ok(())
}
