//! A partition: one directory of records, their fields, and the indexes over them.
//!
//! A record goes into all of them and out of all of them in one call, and a recall asks all of them in one call. An archived
//! record is known, and found by nothing: it is in the directory and in the fields, and in no index.

mod bytes;
mod change;
mod first;
mod hashes;
mod holding;
mod legs;
mod propose;
#[cfg(test)]
mod tests;
mod told;

use std::sync::OnceLock;

use roaring::RoaringBitmap;

pub use change::Additions;
pub use first::{Order, Place};
pub use legs::{Forms, Leg, Retriever, Whole};
pub use propose::{Answer, Proposal, Question, Scope};
pub use told::{Around, Beside, Telling, Told};

use crate::error::{Error, Result};
use crate::records::{Column, Directory, Fields, Filter, Value};
use crate::{dense, hdc, lexical, symbolic};
use hashes::Hashes;
use told::Conversations;

/// The indexes of one tenant.
#[derive(Debug, Clone)]
pub struct Partition {
    directory: Directory,
    fields: Fields,
    lexical: lexical::Index,
    hypervectors: hdc::Index,
    deferred: bool, // whether hypervectors are made when they are first asked for
    dense: Option<dense::Index>,
    symbolic: Option<symbolic::Index>,
    archived: RoaringBitmap,
    blank: RoaringBitmap, // in the lexical index, and not in the dense one that there is
    hashes: Hashes,
    told: OnceLock<Box<Conversations>>, // once they were asked for
    end: Option<String>,                // the column that says when a record's life ends
}

/// How many records a cell holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Size {
    /// The key of the cell.
    pub cell: String,
    /// Records that can be found.
    pub active: usize,
    /// Records that are known and found by nothing.
    pub archived: usize,
}

impl Partition {
    /// A partition of these empty indexes and fields. `end` names the column of times at which records end.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an index that holds records, and for an `end` that is no sorted column.
    pub fn new(
        fields: Fields,
        lexical: lexical::Index,
        hypervectors: hdc::Index,
        dense: Option<dense::Index>,
        end: Option<String>,
    ) -> Result<Self> {
        let is_empty = lexical.is_empty() && hypervectors.is_empty() && fields.is_empty();
        if !is_empty || dense.as_ref().is_some_and(|dense| !dense.is_empty()) {
            return Err(Error::invalid("partition", "begins with an index that holds records; give empty ones"));
        }
        let mut partition = Self {
            directory: Directory::default(),
            fields,
            lexical,
            hypervectors,
            deferred: false,
            dense,
            symbolic: None,
            archived: RoaringBitmap::new(),
            blank: RoaringBitmap::new(),
            hashes: Hashes::default(),
            told: OnceLock::new(),
            end: None,
        };
        partition.check_end(end.as_deref())?;
        partition.end = end;
        Ok(partition)
    }

    /// Whether another partition has the same settings: those of its indexes, its columns, and when records end.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        let ladder = |each: &Self| each.dense.as_ref().map(|dense| dense.ladder().clone());
        self.lexical.settings() == other.lexical.settings()
            && self.hypervectors.settings() == other.hypervectors.settings()
            && ladder(self) == ladder(other)
            && self.fields.columns().eq(other.fields.columns())
            && self.end == other.end
    }

    fn check_end(&self, end: Option<&str>) -> Result<()> {
        let is_sorted = |end: &str| self.fields.columns().any(|column| column == (end, true));
        match end.filter(|end| !is_sorted(end)) {
            Some(end) => Err(Error::invalid("end", format!("{end:?} is no column that is kept in order"))),
            None => Ok(()),
        }
    }

    /// Which records there are.
    #[must_use]
    pub fn directory(&self) -> &Directory {
        &self.directory
    }

    /// What filters ask of them.
    #[must_use]
    pub fn fields(&self) -> &Fields {
        &self.fields
    }

    /// The index of words.
    #[must_use]
    pub fn lexical(&self) -> &lexical::Index {
        &self.lexical
    }

    /// The index of hypervectors.
    #[must_use]
    pub fn hypervectors(&self) -> &hdc::Index {
        &self.hypervectors
    }

    /// True if hypervectors are made when they are first asked for, and were not yet.
    #[must_use]
    pub fn is_deferred(&self) -> bool {
        self.deferred
    }

    /// The index of embeddings, if there is one.
    #[must_use]
    pub fn dense(&self) -> Option<&dense::Index> {
        self.dense.as_ref()
    }

    /// The index of facts, once it has been made.
    #[must_use]
    pub fn symbolic(&self) -> Option<&symbolic::Index> {
        self.symbolic.as_ref()
    }

    /// How many records are known, archived ones too.
    #[must_use]
    pub fn len(&self) -> usize {
        self.directory.len()
    }

    /// True if none is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.directory.is_empty()
    }

    /// True if this record is known and found by nothing.
    #[must_use]
    pub fn is_archived(&self, number: u32) -> bool {
        self.archived.contains(number)
    }

    /// How many records each of these cells holds, by the cells' keys; an unknown cell is left out.
    #[must_use]
    pub fn sizes(&self, cells: &[u32]) -> Vec<Size> {
        let size = |&cell: &u32| {
            let archived = self.fields.count_in(cell, &self.archived) as usize;
            let (cell, all) = (self.directory.cell_key(cell).to_owned(), self.directory.cell_size(cell));
            Size { cell, active: all - archived, archived }
        };
        let mut sizes: Vec<Size> = cells.iter().map(size).collect();
        sizes.sort_unstable_by(|one, other| one.cell.cmp(&other.cell));
        sizes
    }

    /// How many records of these cells can be found and have no embedding, though there is an index of them.
    #[must_use]
    pub fn without_vector(&self, cells: &[u32]) -> u64 {
        if self.blank.is_empty() { 0 } else { self.fields.members(cells).intersection_len(&self.blank) }
    }

    /// The records of cells that match a filter, archived ones too.
    ///
    /// # Errors
    /// As [`Filter::matches`].
    pub fn matching(&self, filter: &Filter, cells: &[u32]) -> Result<RoaringBitmap> {
        filter.matches(&self.directory, &self.fields, cells)
    }

    /// Records in the order of the directory.
    #[must_use]
    pub fn in_order(&self, mut numbers: Vec<u32>) -> Vec<u32> {
        numbers.sort_unstable_by(|&one, &other| self.directory.order(one, other));
        numbers
    }

    /// Whether a record of these cells has an end.
    #[must_use]
    pub fn any_ends(&self, cells: &[u32]) -> bool {
        let column = self.end.as_deref().and_then(|end| self.fields.column(end));
        column.is_some_and(|ends| {
            !ends.present().is_empty() && self.fields.members(cells).intersection_len(ends.present()) > 0
        })
    }

    /// The greatest number in a column among the records of these cells that can be found; `None` if there is none.
    ///
    /// # Errors
    /// As [`Partition::column`].
    pub fn greatest(&self, column: &str, cells: &[u32]) -> Result<Option<f64>> {
        let column = self.column(column)?;
        let among = (self.fields.members(cells) & column.present()) - &self.archived;
        Ok(among.into_iter().map(|number| column.get(number)).max_by(f64::total_cmp))
    }

    /// The numbers that the records of these cells which can be found have in a column, smallest first: no order in which
    /// records came shows in them.
    ///
    /// # Errors
    /// As [`Partition::column`].
    pub fn numbers(&self, column: &str, cells: &[u32]) -> Result<Vec<f64>> {
        let column = self.column(column)?;
        let among = (self.fields.members(cells) & column.present()) - &self.archived;
        let mut numbers: Vec<f64> = among.into_iter().map(|number| column.get(number)).collect();
        numbers.sort_unstable_by(f64::total_cmp);
        Ok(numbers)
    }

    /// How many of some records can be found and have no embedding, though there is an index of them.
    #[must_use]
    pub fn blank(&self, records: &RoaringBitmap) -> u64 {
        records.intersection_len(&self.blank)
    }

    /// A column of numbers.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a name that is no column.
    pub fn column(&self, name: &str) -> Result<&Column> {
        self.fields.column(name).ok_or_else(|| {
            let names = self.fields.columns().map(|(name, _)| name).collect::<Vec<_>>().join(", ");
            Error::invalid("columns", format!("there is no column {name:?}; there are {names}"))
        })
    }

    /// The records that have a number in a column which is kept in order, archived ones too, in the order of the directory;
    /// nothing if there are more than `limit`: the work is bounded by that, whatever there is.
    ///
    /// # Errors
    /// As [`Partition::column`], for a column that is not kept in order too.
    pub fn bearing(&self, column: &str, number: f64, limit: usize) -> Result<Option<Vec<u32>>> {
        let unsorted = || Error::invalid("columns", format!("{column:?} is not kept in order"));
        let found = self.column(column)?.bearing(number, limit + 1).ok_or_else(unsorted)?;
        Ok((found.len() <= limit).then(|| self.in_order(found)))
    }

    /// The hashes of the records of cells that name others in a field by their ids, and of those of these cells that are named;
    /// nothing if more than `limit` name any, or one has no hash.
    #[must_use]
    pub fn linked(&self, field: &str, limit: usize, cells: &[u32]) -> Option<Vec<[u8; 16]>> {
        let inside = self.fields.members(cells);
        let naming = self.fields.saying(field, &inside);
        if naming.len() > limit as u64 {
            return None;
        }
        let mut linked: Vec<u32> = naming.into_iter().collect();
        for value in self.fields.listed(field, &linked).concat() {
            if let Value::Text(id) = value {
                linked.extend(self.directory.all(id).filter(|&number| inside.contains(number)));
            }
        }
        let mut hashes = linked.into_iter().map(|number| self.hash(number)).collect::<Option<Vec<_>>>()?;
        hashes.sort_unstable();
        hashes.dedup();
        Some(hashes)
    }

    /// The hash of what a record says, if it was given one.
    #[must_use]
    pub fn hash(&self, number: u32) -> Option<[u8; 16]> {
        self.hashes.get(number)
    }
}
