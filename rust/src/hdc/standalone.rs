//! A hypervector index that users hold alone: a directory of its own, and the index over it.

use super::index::Index;
use super::search::Found;
use super::settings::{Settings, Vectors};
use crate::codec::Tag;
use crate::error::Result;
use crate::kernel::Isa;
use crate::records::Directory;

const KIND: Tag = *b"HDCV";

/// A record on its way in.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// 1 to 512 bytes; a record with the same id is replaced.
    pub id: String,
    /// Key of the cell it lies in, at most 512 bytes.
    pub cell: String,
    /// One vector, or one for each of some fields.
    pub vectors: Vectors,
}

/// The stored records nearest to a query, exactly. Records go by their ids.
///
/// ```
/// use byheart_core::hdc::{HyperVector, HypervectorIndex, Record, Settings, Vectors};
///
/// let mut index = HypervectorIndex::new(Settings::whole())?;
/// for id in ["ada", "grace"] {
///     let vectors = Vectors::One(HyperVector::random(id)?);
///     index.add(&[Record { id: id.into(), cell: String::new(), vectors }])?;
/// }
/// let found = index.search(&Vectors::One(HyperVector::random("ada")?), 1, None)?;
/// assert_eq!(found.hits, [("ada".to_owned(), 1.0)]);
/// # Ok::<(), byheart_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct HypervectorIndex {
    directory: Directory,
    index: Index,
}

impl HypervectorIndex {
    /// An empty index.
    ///
    /// # Errors
    /// As [`Isa::active`].
    pub fn new(settings: Settings) -> Result<Self> {
        Ok(Self { directory: Directory::default(), index: Index::new(settings)? })
    }

    /// The same index, scanned with another instruction set. Answers do not depend on it; this is for
    /// comparing them.
    #[must_use]
    pub fn with_isa(self, isa: Isa) -> Self {
        Self { index: self.index.with_isa(isa), ..self }
    }

    /// What the index was made with.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        self.index.settings()
    }

    /// How many records are held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// True if no record is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// True if a record with this id is held.
    #[must_use]
    pub fn contains(&self, id: &str) -> bool {
        self.directory.find(id).is_some()
    }

    /// Adds records; one with the same id is replaced, also in another cell. All of them or none.
    ///
    /// # Errors
    /// [`crate::Error::InvalidArgument`] or [`crate::Error::LimitExceeded`] for a bad or repeated id, a long cell key,
    /// vectors that do not fit the fields; the index is unchanged then.
    pub fn add(&mut self, records: &[Record]) -> Result<()> {
        let ids: Vec<&str> = records.iter().map(|record| record.id.as_str()).collect();
        let cells: Vec<&str> = records.iter().map(|record| record.cell.as_str()).collect();
        let vectors: Vec<&Vectors> = records.iter().map(|record| &record.vectors).collect();
        self.directory.check_new(&ids, &cells)?;
        self.index.columns(&vectors)?;
        let numbers = self.directory.take_in(&ids, &cells, |others| self.index.remove(others));
        self.index.put(&self.directory, &numbers, &vectors)
    }

    /// Removes the records with these ids and answers how many there were.
    pub fn remove(&mut self, ids: &[impl AsRef<str>]) -> usize {
        let numbers = self.directory.known(ids);
        self.index.remove(&numbers);
        self.directory.remove_all(&numbers)
    }

    /// The best `k` records for a query: score descending, then id ascending.
    ///
    /// `cells` are the keys to search, `None` for all. Unknown and repeated keys are ignored; no cell means
    /// no hit.
    ///
    /// # Errors
    /// [`crate::Error::InvalidArgument`] or [`crate::Error::LimitExceeded`] for k outside 1 to 100,000 and for vectors
    /// that do not fit the fields.
    pub fn search(&self, query: &Vectors, k: usize, cells: Option<&[&str]>) -> Result<Found> {
        self.search_among(query, k, cells, None)
    }

    /// The same, where only the records with the ids `among` can be found; `None` for all. Unknown and repeated ids are
    /// ignored. The answer is the whole one, filtered.
    ///
    /// # Errors
    /// As [`HypervectorIndex::search`].
    pub fn search_among(
        &self,
        query: &Vectors,
        k: usize,
        cells: Option<&[&str]>,
        among: Option<&[String]>,
    ) -> Result<Found> {
        let cells = self.directory.cell_numbers(cells);
        let only = among.map(|ids| self.directory.selection(ids));
        Ok(self.named(self.index.search(&self.directory, query, k, &cells, only.as_ref())?))
    }

    /// [`HypervectorIndex::search`] for each query, in one pass over the rows for every 32 of them. The answers
    /// are the same for every number of threads; the threads end with the call.
    ///
    /// # Errors
    /// As for one search, and for `threads` outside 1 to 256.
    pub fn search_many(
        &self,
        queries: &[Vectors],
        k: usize,
        cells: Option<&[&str]>,
        threads: usize,
    ) -> Result<Vec<Found>> {
        let cells = self.directory.cell_numbers(cells);
        let queries: Vec<&Vectors> = queries.iter().collect();
        let found = self.index.search_many(&self.directory, &queries, k, &cells, None, threads)?;
        Ok(found.into_iter().map(|found| self.named(found)).collect())
    }

    fn named(&self, found: Found<u32>) -> Found {
        let named = |(number, score)| (self.directory.id(number).to_owned(), score);
        Found { hits: found.hits.into_iter().map(named).collect(), counters: found.counters }
    }

    /// The index as bytes: the directory, then the index over it. Equal content gives equal bytes whatever the history.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.directory.bytes_with(KIND, |writer, positions| self.index.write(writer, positions))
    }

    /// Reads what [`HypervectorIndex::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`crate::Error::Corrupt`] for damaged bytes or another generator, [`crate::Error::UnsupportedFormat`] for those
    /// of another version; as [`Isa::active`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let (directory, index) = Directory::read_with(bytes, KIND, Index::read, Index::len)?;
        Ok(Self { directory, index })
    }
}
