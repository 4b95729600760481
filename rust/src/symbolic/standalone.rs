//! The symbolic index that is held alone: a directory and the facts of its records.

use super::closure::Closure;
use super::extract::Statement;
use super::index::Index;
use super::neighbourhood::{Query, Seen};
use super::settings::{Options, Settings};
use crate::error::Result;
use crate::records::Directory;

/// A record on its way in: it states one fact.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// 1 to 512 bytes; a record with the same id is replaced.
    pub id: String,
    /// Key of the cell it lies in, at most 512 bytes.
    pub cell: String,
    /// What it states.
    pub statement: Statement,
}

/// What a closure may see, by keys and ids. Unknown ones are passed over.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scope<'a> {
    /// Keys of cells; `None` for all.
    pub cells: Option<&'a [String]>,
    /// The only records inside the cells that count as there; `None` for all.
    pub among: Option<&'a [String]>,
    /// Records inside the cells that count as not there.
    pub without: &'a [String],
}

/// Facts of records in cells, and the rules by which more follows from them. Records go by their ids.
///
/// ```
/// use byheart_core::symbolic::{Options, Query, Record, Scope, Settings, Statement, SymbolicIndex};
/// use byheart_core::text::Mode;
///
/// let settings = Settings::new(Mode::Unicode, vec!["uses".into()], &[], vec![])?;
/// let mut index = SymbolicIndex::new(settings);
/// let statement = Statement { subject: "Ada".into(), relation: "uses".into(), object: "Loom".into(), confidence: 1.0 };
/// index.add(&[Record { id: "note".into(), cell: String::new(), statement }])?;
/// let query = Query::new(&["ada"], None, Mode::Unicode)?;
/// let found = index.closure(&query, &Options::default(), &Scope::default(), &mut || false);
/// assert_eq!(found.candidates[0].record, "note");
/// # Ok::<(), byheart_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct SymbolicIndex {
    pub(super) directory: Directory,
    pub(super) inner: Index,
}

impl SymbolicIndex {
    /// An empty index.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { directory: Directory::default(), inner: Index::new(settings) }
    }

    /// What the index was made with.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        self.inner.settings()
    }

    /// How many records are held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.directory.len()
    }

    /// True if no record is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.directory.is_empty()
    }

    /// How many different facts are stated.
    #[must_use]
    pub fn fact_count(&self) -> usize {
        self.inner.fact_count()
    }

    /// True if a record with this id is held.
    #[must_use]
    pub fn contains(&self, id: &str) -> bool {
        self.directory.find(id).is_some()
    }

    /// Adds records; one with the same id is replaced, also in another cell. All of them or none.
    ///
    /// # Errors
    /// [`crate::Error::InvalidArgument`] or [`crate::Error::LimitExceeded`] for a bad or repeated id, a long cell key, an
    /// unknown relation, an empty or long symbol, a confidence outside 0 to 1; the index is unchanged then.
    pub fn add(&mut self, records: &[Record]) -> Result<()> {
        let ids: Vec<&str> = records.iter().map(|record| record.id.as_str()).collect();
        let cells: Vec<&str> = records.iter().map(|record| record.cell.as_str()).collect();
        self.directory.check_new(&ids, &cells)?;
        records.iter().try_for_each(|record| self.inner.check(&record.statement))?;
        let numbers = self.directory.take_in(&ids, &cells, |others| self.inner.remove(others));
        let statements: Vec<Statement> = records.iter().map(|record| record.statement.clone()).collect();
        self.inner.put(&self.directory, &numbers, &statements)
    }

    /// Removes the records with these ids and answers how many there were.
    pub fn remove(&mut self, ids: &[impl AsRef<str>]) -> usize {
        let numbers = self.directory.known(ids);
        self.inner.remove(&numbers);
        self.directory.remove_all(&numbers)
    }

    /// What follows from the facts in scope, as far as the query asks for it.
    ///
    /// `expired` is asked before each round and every 1,024 attempts whether time is up.
    #[must_use]
    pub fn closure(
        &self,
        query: &Query,
        options: &Options,
        scope: &Scope<'_>,
        expired: &mut dyn FnMut() -> bool,
    ) -> Closure {
        let cells = self.directory.cell_numbers(scope.cells);
        let only = scope.among.map(|ids| self.directory.selection(ids));
        let without = (!scope.without.is_empty()).then(|| self.directory.selection(scope.without));
        let seen = Seen { cells: &cells, only: only.as_ref(), without: without.as_ref() };
        self.inner.search(&self.directory, query, options, &seen, expired).named(&self.directory)
    }
}
