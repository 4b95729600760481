//! Cleanup memory of a directory's records: which rows of which cell are whose.

use super::cell::Cell;
use super::hypervector::HyperVector;
use super::settings::{Settings, Vectors};
use crate::error::{Error, Result};
use crate::kernel::Isa;
use crate::records::{Directory, NOWHERE};

/// Where a record lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// Number of the cell; [`NOWHERE`] for a record that is not held.
    pub cell: u32,
    /// Slot in it.
    pub slot: u32,
}

impl Default for Place {
    fn default() -> Self {
        Self { cell: NOWHERE, slot: 0 }
    }
}

/// Records of a directory with their hypervectors; the nearest ones to a query, exactly.
///
/// ```
/// use byheart_core::hdc::{HyperVector, Index, Settings, Vectors};
/// use byheart_core::records::Directory;
///
/// let (mut directory, mut index) = (Directory::default(), Index::new(Settings::whole())?);
/// let numbers = [directory.insert("mine", "ada"), directory.insert("mine", "grace")];
/// let vectors = [Vectors::One(HyperVector::random("ada")?), Vectors::One(HyperVector::random("grace")?)];
/// index.put(&directory, &numbers, &[&vectors[0], &vectors[1]])?;
/// let cells = directory.cell_numbers(None::<&[&str]>);
/// assert_eq!(index.search(&directory, &vectors[0], 1, &cells, None)?.hits, [(numbers[0], 1.0)]);
/// let only = [numbers[1]].into_iter().collect();
/// assert_eq!(index.search(&directory, &vectors[0], 1, &cells, Some(&only))?.hits[0].0, numbers[1]);
/// # Ok::<(), byheart_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Index {
    pub(super) settings: Settings,
    pub(super) isa: Isa,
    pub(super) places: Vec<Place>, // by number of the record
    pub(super) cells: Vec<Cell>,   // by number of the cell in the directory
    len: usize,
}

impl Index {
    /// An empty index.
    ///
    /// # Errors
    /// As [`Isa::active`].
    pub fn new(settings: Settings) -> Result<Self> {
        Ok(Self { settings, isa: Isa::active()?, places: Vec::new(), cells: Vec::new(), len: 0 })
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
        self.len
    }

    /// True if no record is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// True if this record is held.
    #[must_use]
    pub fn holds(&self, number: u32) -> bool {
        self.place(number).is_some()
    }

    pub(super) fn place(&self, number: u32) -> Option<Place> {
        self.places.get(number as usize).copied().filter(|place| place.cell != NOWHERE)
    }

    /// What is held of a record, as bytes: for each field whether it has it, of how many parts, and the 512 bytes. None
    /// for a record that is not held.
    #[must_use]
    pub fn held(&self, number: u32) -> Option<Vec<u8>> {
        let place = self.place(number)?;
        let mut bytes = Vec::new();
        for column in &self.cells[place.cell as usize].columns {
            let row = column.row(place.slot);
            bytes.push(u8::from(row.is_some()));
            if let Some(row) = row {
                bytes.extend_from_slice(&column.parts[row].to_le_bytes());
                bytes.extend(column.rows[row].0.iter().flat_map(|word| word.to_le_bytes()));
            }
        }
        Some(bytes)
    }

    /// Takes the vectors of these records, in place of what they had. All of them or none.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for numbers that [`Directory::check`] refuses, and for vectors that are not one for each
    /// number or do not fit the fields.
    pub fn put(&mut self, directory: &Directory, numbers: &[u32], vectors: &[&Vectors]) -> Result<()> {
        directory.check(numbers)?;
        if vectors.len() != numbers.len() {
            let why = format!("has {} items for {} ids; give one for each id", vectors.len(), numbers.len());
            return Err(Error::invalid("vectors", why));
        }
        let columns = self.columns(vectors)?;
        for (&number, columns) in numbers.iter().zip(columns) {
            self.remove_one(number);
            let cell = directory.cell(number).expect("checked above");
            self.insert_one(number, cell, &columns);
        }
        Ok(())
    }

    /// Forgets these records and answers how many were held. The directory must forget them afterwards, not before.
    pub fn remove(&mut self, numbers: &[u32]) -> usize {
        numbers.iter().filter(|&&number| self.remove_one(number)).count()
    }

    /// The vectors of records or queries for each column.
    pub(super) fn columns<'v>(&self, vectors: &[&'v Vectors]) -> Result<Vec<Vec<Option<&'v HyperVector>>>> {
        vectors.iter().map(|vectors| self.settings.by_column(vectors)).collect()
    }

    /// Takes over a cell whose records the directory has.
    pub(super) fn adopt(&mut self, number: u32, cell: Cell) {
        for (slot, &record) in (0..).zip(&cell.documents) {
            self.set_place(record, Place { cell: number, slot });
        }
        self.len += cell.documents.len();
        *self.cell(number) = cell;
    }

    fn insert_one(&mut self, number: u32, cell: u32, vectors: &[Option<&HyperVector>]) {
        let slot = self.cell(cell).push(number, vectors);
        self.set_place(number, Place { cell, slot });
        self.len += 1;
    }

    fn set_place(&mut self, number: u32, place: Place) {
        if self.places.len() <= number as usize {
            self.places.resize(number as usize + 1, Place::default());
        }
        self.places[number as usize] = place;
    }

    fn cell(&mut self, number: u32) -> &mut Cell {
        if self.cells.len() <= number as usize {
            self.cells.resize_with(number as usize + 1, Cell::default);
        }
        &mut self.cells[number as usize]
    }

    fn remove_one(&mut self, number: u32) -> bool {
        let Some(place) = self.place(number) else { return false };
        self.places[number as usize] = Place::default();
        let cell = &mut self.cells[place.cell as usize];
        if let Some(moved) = cell.swap_remove(place.slot) {
            self.places[moved as usize].slot = place.slot;
        }
        if cell.documents.is_empty() {
            *cell = Cell::default(); // its memory goes with its last record
        }
        self.len -= 1;
        true
    }
}
