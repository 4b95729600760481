//! Records with embeddings, in cells; what goes in and what comes out.

use super::cell::{Cell, Row};
use super::ladder::Ladder;
use super::vector::{check, check_finite, normalised};
use crate::error::{Error, Result};
use crate::ids::{self, IdTable, MAX_ID_BYTES};
use crate::kernel::{Isa, wide_dot};

/// The most records an index holds.
pub const MAX_RECORDS: usize = u32::MAX as usize - 1;

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    pub cell: u32,
    pub slot: u32,
}

/// A score taken apart: what each tier says, the last one's dot product, and that cut to [-1, 1].
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// (dimensions, cosine of the prefixes) of each tier.
    pub tiers: Vec<(usize, f64)>,
    /// The dot product of the two rows.
    pub dot: f64,
    /// What a search gives for this record.
    pub score: f64,
}

/// The stored rows nearest to a query by cosine, exactly or by a cascade of tiers.
///
/// ```
/// use byheart_core::dense::{CascadeIndex, Ladder, Options};
///
/// let mut index = CascadeIndex::new(Ladder::new(2, None)?)?;
/// index.add(&["east", "north"], &["", ""], &[2.0, 0.0, 0.0, 1.0])?;
/// let found = index.search(&[1.0, 0.0], None, &Options { k: 1, ..Options::default() })?;
/// assert_eq!(found.hits, [("east".to_owned(), 1.0)]);
/// # Ok::<(), byheart_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct CascadeIndex {
    pub(super) ladder: Ladder,
    pub(super) isa: Isa,
    pub(super) ids: IdTable,
    pub(super) places: Vec<Place>, // by number of the record
    pub(super) cell_keys: IdTable,
    pub(super) cells: Vec<Cell>, // by number of the cell
}

impl CascadeIndex {
    /// An empty index.
    ///
    /// # Errors
    /// As [`Isa::active`].
    pub fn new(ladder: Ladder) -> Result<Self> {
        Ok(Self {
            ladder,
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

    /// The tiers it was made with.
    #[must_use]
    pub fn ladder(&self) -> &Ladder {
        &self.ladder
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

    /// Adds records: the vector of each one after the other, and the key of its cell. One with the same id is
    /// replaced in every tier, also in another cell. All of them or none.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] or [`Error::LimitExceeded`] for a bad or repeated id, a long cell key, another
    /// number of cells or of values, values that are not finite; the index is unchanged then.
    pub fn add(&mut self, ids: &[impl AsRef<str>], cells: &[impl AsRef<str>], vectors: &[f32]) -> Result<()> {
        ids::check_batch(ids.iter().map(AsRef::as_ref))?;
        if ids.len() > MAX_RECORDS - self.len() {
            return Err(Error::limit("records of an index", MAX_RECORDS, self.len().saturating_add(ids.len())));
        }
        if cells.len() != ids.len() {
            let why = format!("has {} items for {} ids; give one for each id", cells.len(), ids.len());
            return Err(Error::invalid("cells", why));
        }
        if let Some(cell) = cells.iter().map(AsRef::as_ref).find(|cell| cell.len() > MAX_ID_BYTES) {
            return Err(Error::limit("cell key length in bytes", MAX_ID_BYTES, cell.len()));
        }
        let dimensions = self.ladder.dimensions();
        if vectors.len() != ids.len() * dimensions {
            let why = format!(
                "holds {} values; {} vectors of {dimensions} dimensions are asked for",
                vectors.len(),
                ids.len()
            );
            return Err(Error::invalid("vectors", why));
        }
        check_finite("vectors", vectors)?;
        for ((id, cell), vector) in ids.iter().zip(cells).zip(vectors.chunks_exact(dimensions)) {
            self.remove_one(id.as_ref());
            self.insert_one(id.as_ref(), cell.as_ref(), normalised(self.isa, vector));
        }
        Ok(())
    }

    /// Removes the records with these ids from every tier and answers how many there were.
    pub fn remove(&mut self, ids: &[impl AsRef<str>]) -> usize {
        ids.iter().filter(|id| self.remove_one(id.as_ref())).count()
    }

    /// The row of a record: its vector divided by its length.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an unknown id.
    pub fn vector(&self, id: &str) -> Result<&[f32]> {
        let (cell, slot) = self.find(id)?;
        Ok(cell.row(slot))
    }

    /// What a search for this vector gives for one record, taken apart.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an unknown id and a vector that does not fit.
    pub fn explain(&self, vector: &[f32], id: &str) -> Result<Explanation> {
        check("vector", vector, self.ladder.dimensions())?;
        let (cell, slot) = self.find(id)?;
        let values: Vec<f32> = normalised(self.isa, vector).collect();
        let query = Row::new(self.isa, &self.ladder, &values);
        let tiers = self.ladder.tiers().iter().enumerate();
        let tiers: Vec<_> = tiers.map(|(tier, &n)| (n, cell.score(self.isa, &query, tier, n, slot))).collect();
        let (dot, score) = (wide_dot(self.isa, &values, cell.row(slot)), tiers[self.ladder.last()].1);
        Ok(Explanation { tiers, dot, score })
    }

    fn find(&self, id: &str) -> Result<(&Cell, u32)> {
        let document = self.ids.get(id).ok_or_else(|| Error::invalid("id", format!("{id:?} is not in this index")))?;
        let place = self.places[document as usize];
        Ok((&self.cells[place.cell as usize], place.slot))
    }

    pub(super) fn insert_one(&mut self, id: &str, cell_key: &str, row: impl Iterator<Item = f32>) {
        let document = self.ids.insert(id);
        let number = self.cell_keys.insert(cell_key);
        self.cells.resize_with(self.cell_keys.capacity(), || Cell::new(&self.ladder));
        let slot = self.cells[number as usize].push(self.isa, &self.ladder, document, row);
        self.places.resize(self.ids.capacity(), Place::default());
        self.places[document as usize] = Place { cell: number, slot };
    }

    fn remove_one(&mut self, id: &str) -> bool {
        let Some(document) = self.ids.remove(id) else { return false };
        let place = self.places[document as usize];
        let cell = &mut self.cells[place.cell as usize];
        if let Some(moved) = cell.swap_remove(place.slot) {
            self.places[moved as usize].slot = place.slot;
        }
        if cell.documents.is_empty() {
            *cell = Cell::new(&self.ladder); // its memory goes with its key
            let key = self.cell_keys.name(place.cell).to_owned();
            self.cell_keys.remove(&key);
        }
        true
    }
}
