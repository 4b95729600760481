//! A lexical index that users hold alone: a directory of its own, and the index over it.

use std::sync::Arc;

use super::batch::Batch;
use super::explain::{Explanation, unknown};
use super::index::Index;
use super::query::Query;
use super::search::Found;
use super::settings::Settings;
use crate::codec::Tag;
use crate::error::Result;
use crate::records::Directory;

const KIND: Tag = *b"LEXI";

/// What comes beside the text of a record: one cell key and one label each, or none for all.
#[derive(Debug, Clone, Copy, Default)]
pub struct Attributes<'a> {
    /// Cell keys; without them every record lies in the cell "".
    pub cells: Option<&'a [String]>,
    /// Labels, to which a search may give a boost; `None` for a record without one.
    pub labels: Option<&'a [Option<String>]>,
}

/// What to search for besides the query.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many hits at most, 1 to 100,000.
    pub k: usize,
    /// The cells to search, `None` for all. Unknown and repeated keys are ignored; no cell means no hit.
    pub cells: Option<Vec<String>>,
    /// Factor on the score of records with this label, 0.000001 to 1,000,000.
    pub boosts: Vec<(String, f64)>,
    /// Ids of the only records that can be found, `None` for all. Unknown and repeated ones are ignored. Statistics
    /// stay those of the cells.
    pub among: Option<Vec<String>>,
}

impl Default for Options {
    fn default() -> Self {
        Self { k: 10, cells: None, boosts: Vec::new(), among: None }
    }
}

/// The index. See the module's description.
///
/// ```
/// use byheart_core::lexical::{Attributes, Batch, Field, LexicalIndex, Options, Query, Settings};
/// use byheart_core::text::Analyzer;
///
/// let field = Field { name: "text".into(), weight: 1.0 };
/// let settings = Settings::new(vec![field], 1.2, 0.75, Analyzer::default())?;
/// let mut index = LexicalIndex::new(settings);
/// let mut batch = Batch::default();
/// batch.push(index.settings(), &[(0, "Ada wrote the first program")])?;
/// index.add(&["ada".into()], &batch, Attributes::default())?;
/// let query = Query::from_text(index.settings(), "first programs")?;
/// assert_eq!(index.search(&query, &Options::default())?.hits[0].0, "ada");
/// # Ok::<(), byheart_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct LexicalIndex {
    directory: Directory,
    index: Index,
}

impl LexicalIndex {
    /// An empty index.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { directory: Directory::default(), index: Index::new(settings) }
    }

    /// What the index was made with.
    #[must_use]
    pub fn settings(&self) -> &Arc<Settings> {
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

    /// Adds the analysed documents under these ids; a record with the same id is replaced, also in another cell.
    ///
    /// # Errors
    /// [`crate::Error::InvalidArgument`] for bad or repeated ids and for attributes of another length; the index is unchanged then.
    pub fn add(&mut self, ids: &[String], batch: &Batch, attributes: Attributes<'_>) -> Result<()> {
        let cells: Vec<&str> = match attributes.cells {
            Some(cells) => cells.iter().map(String::as_str).collect(),
            None => vec![""; ids.len()],
        };
        self.directory.check_new(ids, &cells)?;
        Index::check(ids.len(), batch, attributes.labels)?;
        let numbers = self.directory.take_in(ids, &cells, |others| self.index.remove(others));
        self.index.put(&self.directory, &numbers, batch, attributes.labels)
    }

    /// Removes the records with these ids and answers how many there were.
    pub fn remove(&mut self, ids: &[String]) -> usize {
        let numbers = self.directory.known(ids);
        self.index.remove(&numbers);
        self.directory.remove_all(&numbers)
    }

    /// The best `k` records for a query: score descending, then id ascending. Scores are greater than 0.
    ///
    /// # Errors
    /// For k and boosts outside their ranges.
    pub fn search(&self, query: &Query, options: &Options) -> Result<Found> {
        let cells = self.directory.cell_numbers(options.cells.as_deref());
        let only = options.among.as_ref().map(|ids| self.directory.selection(ids));
        let Options { k, boosts, .. } = options;
        let found = self.index.search(&self.directory, query, boosts, *k, &cells, only.as_ref())?;
        let named = |(number, score)| (self.directory.id(number).to_owned(), score);
        let hits = found.hits.into_iter().map(named).collect();
        Ok(Found { hits, counters: found.counters, idf_sum: found.idf_sum })
    }

    /// How a search with these options scores one record; a score of 0 means that it is no hit.
    ///
    /// # Errors
    /// [`crate::Error::InvalidArgument`] if the searched cells hold no such record; boosts as in a search.
    pub fn explain(&self, query: &Query, id: &str, options: &Options) -> Result<Explanation> {
        let number = self.directory.find(id).ok_or_else(|| unknown(id))?;
        let cells = self.directory.cell_numbers(options.cells.as_deref());
        self.index.explain(&self.directory, query, &options.boosts, number, &cells)
    }

    /// The index as bytes: the directory, then the index over it. Equal content gives equal bytes whatever the history.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.directory.bytes_with(KIND, |writer, positions| self.index.write(writer, positions))
    }

    /// Reads what [`LexicalIndex::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`crate::Error::Corrupt`] for damaged bytes, [`crate::Error::UnsupportedFormat`] for those of another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let (directory, index) = Directory::read_with(bytes, KIND, Index::read, Index::len)?;
        Ok(Self { directory, index })
    }
}
