//! Lexical recall: an incremental inverted index with weighted fields, scored by BM25.
//!
//! Every number that depends on a collection (records, document frequency, average length) is counted for each
//! cell and added up over the cells of a search, so a search knows nothing of other cells. After any order
//! of additions, replacements and removals the scores are, bit for bit, those of a fresh index.
//!
//! Exhaustive over the records that share a term with the query. It knows no phrases and no prefixes.

mod accumulate;
mod among;
mod batch;
mod bm25;
mod bytes;
mod choose;
mod classes;
mod dictionary;
mod explain;
mod lent;
mod margin;
mod merge;
mod open;
mod packed;
mod postings;
mod query;
mod rows;
mod search;
mod segment;
mod settings;
#[cfg(test)]
mod tests;
mod turned;
mod visit;

use std::sync::Arc;

pub use batch::Batch;
pub use bm25::{Saturation, base, idf};
pub use explain::{Explanation, Part};
pub use query::Query;
pub use search::{Counters, Found, Options};
pub use settings::{Field, MAX_FIELDS, MAX_QUERY_BYTES, MAX_QUERY_TERMS, MAX_TEXT_BYTES, Settings};

use rustc_hash::FxHashMap;

use crate::error::{Error, Result};
use crate::ids::{self, IdTable};
use segment::Segment;

/// Where a record lies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    cell: u32,
    segment: u16, // 65,536 segments hold all records that 32 bits can number
    slot: u16,
}

/// The records of one cell.
#[derive(Debug, Clone, Default)]
struct Cell {
    documents: u64,
    total_lengths: Vec<u64>, // by field
    segments: Vec<Segment>,
}

/// What comes beside the text of a record: one cell key and one label each, or none for all.
#[derive(Debug, Clone, Copy, Default)]
pub struct Attributes<'a> {
    /// Cell keys; without them every record lies in the cell "".
    pub cells: Option<&'a [String]>,
    /// Labels, to which a search may give a boost; `None` for a record without one.
    pub labels: Option<&'a [Option<String>]>,
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
    settings: Arc<Settings>,
    ids: IdTable,
    places: Vec<Place>, // by document number
    cell_keys: IdTable,
    cells: Vec<Cell>, // by cell number
    terms: IdTable,
    term_uses: Vec<u32>, // by term number: segments that hold it
    labels: IdTable,     // number 0 is "no label"
}

impl LexicalIndex {
    /// An empty index.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let mut labels = IdTable::default();
        labels.insert("");
        Self {
            settings: Arc::new(settings),
            ids: IdTable::default(),
            places: Vec::new(),
            cell_keys: IdTable::default(),
            cells: Vec::new(),
            terms: IdTable::default(),
            term_uses: Vec::new(),
            labels,
        }
    }

    /// What the index was made with.
    #[must_use]
    pub fn settings(&self) -> &Arc<Settings> {
        &self.settings
    }

    /// How many records are held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// True if no record is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// True if a record with this id is held.
    #[must_use]
    pub fn contains(&self, id: &str) -> bool {
        self.ids.get(id).is_some()
    }

    /// Adds the analysed documents under these ids; a record with the same id is replaced.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for bad or repeated ids and for attributes of another length; the index is unchanged then.
    pub fn add(&mut self, ids: &[String], batch: &Batch, attributes: Attributes<'_>) -> Result<()> {
        ids::check_batch(ids.iter().map(String::as_str))?;
        check_length("documents", batch.len(), ids.len())?;
        check_length("cells", attributes.cells.map_or(ids.len(), <[_]>::len), ids.len())?;
        check_length("labels", attributes.labels.map_or(ids.len(), <[_]>::len), ids.len())?;
        for key in attributes.cells.unwrap_or_default() {
            check_name("cell key", key)?;
        }
        for label in attributes.labels.unwrap_or_default().iter().flatten() {
            check_name("label", label)?;
        }
        self.remove(ids);
        self.ids.reserve(ids.len());
        let number_of: Vec<u32> = (0..batch.term_count()).map(|n| self.terms.insert(batch.term(n as u32))).collect();
        self.term_uses.resize(self.terms.capacity(), 0);
        let mut groups: FxHashMap<(u32, u16), Vec<(u32, u16)>> = FxHashMap::default();
        let mut number = 0;
        for (row, id) in ids.iter().enumerate() {
            let cell = attributes.cells.map_or("", |cells| &cells[row]);
            let label = attributes.labels.and_then(|labels| labels[row].as_deref()).unwrap_or("");
            // Records of one cell mostly come together.
            if row == 0 || self.cell_keys.name(number) != cell {
                number = self.cell(cell);
            }
            let label = if label.is_empty() { 0 } else { self.labels.insert(label) };
            let place = self.take_place(id, number, label, batch.lengths(row));
            groups.entry((place.cell, place.segment)).or_default().push((row as u32, place.slot));
            if !self.cells[place.cell as usize].segments[usize::from(place.segment)].has_room() {
                let full = groups.remove(&(place.cell, place.segment)).expect("the row was put there");
                self.add_postings(place, batch, &full, &number_of);
            }
        }
        for ((cell, segment), rows) in groups {
            self.add_postings(Place { cell, segment, slot: 0 }, batch, &rows, &number_of);
        }
        Ok(())
    }

    /// Removes the records with these ids and answers how many there were.
    pub fn remove(&mut self, ids: &[String]) -> usize {
        let mut groups: FxHashMap<(u32, u16), Vec<u16>> = FxHashMap::default();
        let mut removed = 0;
        for document in ids.iter().filter_map(|id| self.ids.remove(id)) {
            let place = self.places[document as usize];
            groups.entry((place.cell, place.segment)).or_default().push(place.slot);
            removed += 1;
        }
        for ((cell, segment), slots) in groups {
            self.free_places(cell, usize::from(segment), &slots);
        }
        removed
    }

    /// The number of a cell, which is made if it is not there.
    fn cell(&mut self, key: &str) -> u32 {
        let number = self.cell_keys.insert(key);
        if self.cells.len() < self.cell_keys.capacity() {
            self.cells.resize_with(self.cell_keys.capacity(), Cell::default);
        }
        number
    }

    fn take_place(&mut self, id: &str, number: u32, label: u32, lengths: &[u32]) -> Place {
        let document = self.ids.insert(id);
        let cell = &mut self.cells[number as usize];
        cell.documents += 1;
        cell.total_lengths.resize(lengths.len(), 0);
        for (total, &length) in cell.total_lengths.iter_mut().zip(lengths) {
            *total += u64::from(length);
        }
        // The newest segment first: only it has room, unless records were removed from others.
        let segment = cell.segments.iter().rposition(Segment::has_room).unwrap_or_else(|| {
            cell.segments.push(Segment::new(lengths.len()));
            cell.segments.len() - 1
        });
        let slot = cell.segments[segment].take_slot(document, label, lengths);
        let place = Place { cell: number, segment: segment as u16, slot };
        if self.places.len() < self.ids.capacity() {
            let more = self.ids.capacity() - self.places.len();
            ids::reserve_eighth(&mut self.places, more);
            self.places.resize(self.ids.capacity(), Place::default());
        }
        self.places[document as usize] = place;
        place
    }

    fn add_postings(&mut self, place: Place, batch: &Batch, rows: &[(u32, u16)], number_of: &[u32]) {
        let uses = &mut self.term_uses;
        let segment = &mut self.cells[place.cell as usize].segments[usize::from(place.segment)];
        segment.add(batch, rows, number_of, |term| uses[term as usize] += 1);
    }

    fn free_places(&mut self, number: u32, segment_number: usize, slots: &[u16]) {
        let cell = &mut self.cells[number as usize];
        let segment = &mut cell.segments[segment_number];
        for (field, total) in cell.total_lengths.iter_mut().enumerate() {
            *total -= slots.iter().map(|&slot| u64::from(segment.length(field, slot))).sum::<u64>();
        }
        let (terms, uses) = (&mut self.terms, &mut self.term_uses);
        segment.remove(slots, |term| {
            uses[term as usize] -= 1;
            if uses[term as usize] == 0 {
                let name = terms.name(term).to_owned();
                terms.remove(&name);
            }
        });
        if segment.is_empty() {
            *segment = Segment::new(cell.total_lengths.len());
        }
        cell.documents -= slots.len() as u64;
        if cell.documents == 0 {
            *cell = Cell::default();
            let key = self.cell_keys.name(number).to_owned();
            self.cell_keys.remove(&key);
        }
    }
}

fn check_length(what: &str, got: usize, expected: usize) -> Result<()> {
    if got == expected {
        return Ok(());
    }
    Err(Error::invalid(what, format!("has {got} items for {expected} ids; give one for each id")))
}

fn check_name(what: &str, name: &str) -> Result<()> {
    if name.len() > ids::MAX_ID_BYTES {
        return Err(Error::limit(format!("{what} length in bytes"), ids::MAX_ID_BYTES, name.len()));
    }
    Ok(())
}
