//! The dense index that is held alone: a directory and the rows of its records.

use super::found::Found;
use super::index::{Explanation, Index};
use super::ladder::Ladder;
use super::options::Options;
use crate::error::{Error, Result};
use crate::kernel::Isa;
use crate::records::{Directory, Selection};

/// The stored rows nearest to a query by cosine, exactly or by a cascade of tiers. Records go by their ids.
///
/// ```
/// use byheart_core::dense::{DenseIndex, Ladder, Options};
///
/// let mut index = DenseIndex::new(Ladder::new(2, None)?)?;
/// index.add(&["east", "north"], &["", ""], &[2.0, 0.0, 0.0, 1.0])?;
/// let found = index.search(&[1.0, 0.0], None, None, &Options { k: 1, ..Options::default() })?;
/// assert_eq!(found.hits, [("east".to_owned(), 1.0)]);
/// # Ok::<(), byheart_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct DenseIndex {
    pub(super) directory: Directory,
    pub(super) inner: Index,
}

impl DenseIndex {
    /// An empty index.
    ///
    /// # Errors
    /// As [`Isa::active`].
    pub fn new(ladder: Ladder) -> Result<Self> {
        Ok(Self { directory: Directory::default(), inner: Index::new(ladder)? })
    }

    /// The same index, scanned with another instruction set. Answers do not depend on it; this is for
    /// comparing them.
    #[must_use]
    pub fn with_isa(self, isa: Isa) -> Self {
        Self { inner: self.inner.with_isa(isa), ..self }
    }

    /// The tiers it was made with.
    #[must_use]
    pub fn ladder(&self) -> &Ladder {
        self.inner.ladder()
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

    /// True if a record with this id is held.
    #[must_use]
    pub fn contains(&self, id: &str) -> bool {
        self.directory.find(id).is_some()
    }

    /// Adds records: the vector of each one after the other, and the key of its cell. One with the same id is
    /// replaced in every tier, also in another cell. All of them or none.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] or [`Error::LimitExceeded`] for a bad or repeated id, a long cell key, another
    /// number of cells or of values, values that are not finite; the index is unchanged then.
    pub fn add(&mut self, ids: &[impl AsRef<str>], cells: &[impl AsRef<str>], vectors: &[f32]) -> Result<()> {
        self.directory.check_new(ids, cells)?;
        self.inner.check(ids.len(), vectors)?;
        let numbers = self.directory.take_in(ids, cells, |others| self.inner.remove(others));
        self.inner.put(&self.directory, &numbers, vectors)
    }

    /// Removes the records with these ids from every tier and answers how many there were.
    pub fn remove(&mut self, ids: &[impl AsRef<str>]) -> usize {
        let numbers = self.directory.known(ids);
        self.inner.remove(&numbers);
        self.directory.remove_all(&numbers)
    }

    /// The row of a record: its vector divided by its length.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an unknown id.
    pub fn vector(&self, id: &str) -> Result<&[f32]> {
        self.inner.row(self.number(id)?).ok_or_else(|| unknown(id))
    }

    /// What a search for this vector gives for one record, taken apart.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an unknown id and a vector that does not fit.
    pub fn explain(&self, vector: &[f32], id: &str) -> Result<Explanation> {
        self.inner.explain(&self.directory, vector, self.number(id)?)
    }

    /// The best records for a query: score descending, then id ascending. A zero query finds nothing.
    ///
    /// `cells` are the keys to search, `None` for all. Unknown and repeated keys are ignored; no cell means no hit.
    /// `among` are the ids of the only records that may be found, `None` for all; so with these. Neither changes a
    /// score. What `among` does to the order of an answer that is not exact says [`super::Mode`].
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] or [`Error::LimitExceeded`] for k outside 1 to 100,000 and for a query that has
    /// other dimensions or is not finite.
    pub fn search(
        &self,
        query: &[f32],
        cells: Option<&[&str]>,
        among: Option<&[String]>,
        options: &Options<'_>,
    ) -> Result<Found> {
        let (cells, only) = (self.directory.cell_numbers(cells), self.selected(among));
        let found = self.inner.search(&self.directory, query, &cells, only.as_ref(), options)?;
        Ok(found.named(&self.directory))
    }

    /// [`DenseIndex::search`] for each query (their values one after the other), exact ones in one pass over the rows
    /// for up to 32 of them. The answers are the same for every number of threads; the threads end with the call.
    ///
    /// # Errors
    /// As for one search, and for `threads` outside 1 to 256.
    pub fn search_many(
        &self,
        queries: &[f32],
        cells: Option<&[&str]>,
        among: Option<&[String]>,
        options: &Options<'_>,
        threads: usize,
    ) -> Result<Vec<Found>> {
        let (cells, only) = (self.directory.cell_numbers(cells), self.selected(among));
        let found = self.inner.search_many(&self.directory, queries, &cells, only.as_ref(), options, threads)?;
        Ok(found.into_iter().map(|found| found.named(&self.directory)).collect())
    }

    fn selected(&self, among: Option<&[String]>) -> Option<Selection> {
        among.map(|ids| self.directory.selection(ids))
    }

    fn number(&self, id: &str) -> Result<u32> {
        self.directory.find(id).ok_or_else(|| unknown(id))
    }
}

fn unknown(id: &str) -> Error {
    Error::invalid("id", format!("{id:?} is not in this index"))
}
