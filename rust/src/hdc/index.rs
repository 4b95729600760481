//! Cleanup memory: records with hypervectors, in cells; what goes in and what comes out.

use super::cell::Cell;
use super::hypervector::HyperVector;
use super::settings::{Settings, Vectors};
use crate::error::{Error, Result};
use crate::ids::{self, IdTable, MAX_ID_BYTES};
use crate::kernel::Isa;

/// The most records an index holds.
pub const MAX_RECORDS: usize = u32::MAX as usize - 1;

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

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    pub cell: u32,
    pub slot: u32,
}

/// The stored records nearest to a query, exactly: every row of the searched cells is compared.
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
    pub(super) settings: Settings,
    pub(super) isa: Isa,
    pub(super) ids: IdTable,
    pub(super) places: Vec<Place>, // by number of the record
    pub(super) cell_keys: IdTable,
    pub(super) cells: Vec<Cell>, // by number of the cell
}

impl HypervectorIndex {
    /// An empty index.
    ///
    /// # Errors
    /// As [`Isa::active`].
    pub fn new(settings: Settings) -> Result<Self> {
        Ok(Self {
            settings,
            isa: Isa::active()?,
            ids: IdTable::default(),
            places: Vec::new(),
            cell_keys: IdTable::default(),
            cells: Vec::new(),
        })
    }

    /// The same index, scanned with another instruction set. Answers do not depend on it; this is for
    /// comparing them.
    #[must_use]
    pub fn with_isa(self, isa: Isa) -> Self {
        Self { isa, ..self }
    }

    /// What the index was made with.
    #[must_use]
    pub fn settings(&self) -> &Settings {
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

    /// Adds records; one with the same id is replaced, also in another cell. All of them or none.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] or [`Error::LimitExceeded`] for a bad or repeated id, a long cell key, vectors
    /// that do not fit the fields; the index is unchanged then.
    pub fn add(&mut self, records: &[Record]) -> Result<()> {
        ids::check_batch(records.iter().map(|record| record.id.as_str()))?;
        if records.len() > MAX_RECORDS - self.len() {
            return Err(Error::limit("records of an index", MAX_RECORDS, self.len().saturating_add(records.len())));
        }
        let mut vectors = Vec::with_capacity(records.len());
        for record in records {
            if record.cell.len() > MAX_ID_BYTES {
                return Err(Error::limit("cell key length in bytes", MAX_ID_BYTES, record.cell.len()));
            }
            vectors.push(self.settings.by_column(&record.vectors)?);
        }
        for (record, vectors) in records.iter().zip(&vectors) {
            self.remove_one(&record.id);
            self.insert_one(&record.id, &record.cell, vectors);
        }
        Ok(())
    }

    /// Removes the records with these ids and answers how many there were.
    pub fn remove(&mut self, ids: &[impl AsRef<str>]) -> usize {
        ids.iter().filter(|id| self.remove_one(id.as_ref())).count()
    }

    /// Takes over a cell whose records already have their numbers in `ids`.
    pub(super) fn adopt(&mut self, key: &str, cell: Cell) {
        let number = self.cell_number(key);
        self.places.resize(self.ids.capacity(), Place::default());
        for (slot, &document) in (0..).zip(&cell.documents) {
            self.places[document as usize] = Place { cell: number, slot };
        }
        self.cells[number as usize] = cell;
    }

    fn insert_one(&mut self, id: &str, cell_key: &str, vectors: &[Option<&HyperVector>]) {
        let document = self.ids.insert(id);
        let cell = self.cell_number(cell_key);
        let slot = self.cells[cell as usize].push(document, vectors);
        self.places.resize(self.ids.capacity(), Place::default());
        self.places[document as usize] = Place { cell, slot };
    }

    fn cell_number(&mut self, key: &str) -> u32 {
        let number = self.cell_keys.insert(key);
        self.cells.resize_with(self.cell_keys.capacity(), Cell::default);
        number
    }

    fn remove_one(&mut self, id: &str) -> bool {
        let Some(document) = self.ids.remove(id) else { return false };
        let place = self.places[document as usize];
        let cell = &mut self.cells[place.cell as usize];
        if let Some(moved) = cell.swap_remove(place.slot) {
            self.places[moved as usize].slot = place.slot;
        }
        if cell.documents.is_empty() {
            *cell = Cell::default(); // its memory goes with its key
            let key = self.cell_keys.name(place.cell).to_owned();
            self.cell_keys.remove(&key);
        }
        true
    }
}
