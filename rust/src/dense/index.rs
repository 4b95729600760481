//! Rows of records by number, in cells; what goes in and what comes out.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::cell::{Cell, Row};
use super::ladder::Ladder;
use super::lent::Lent;
use super::rows;
use super::vector::{check, check_finite, is_short_enough, normalised};
use crate::error::{Error, Result};
use crate::kernel::{Isa, prefetch, wide_dot};
use crate::records::{Directory, NOWHERE};

/// Where the row of a record lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub cell: u32,
    pub slot: u32,
}

/// Numbers in a cache line, and how many rows are fetched before they are scored.
const LINE: usize = 16;
const AHEAD: usize = 4;

/// The place of a number that has no row.
const NO_PLACE: Place = Place { cell: NOWHERE, slot: 0 };

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

/// The embeddings of some records of a directory.
///
/// ```
/// use byheart_core::{dense::{Index, Ladder, Options}, records::Directory};
///
/// let mut directory = Directory::default();
/// let numbers = [directory.insert("", "east"), directory.insert("", "north")];
/// let mut index = Index::new(Ladder::new(2, None)?)?;
/// index.put(&directory, &numbers, &[2.0, 0.0, 0.0, 1.0])?;
/// let cells = directory.cell_numbers(None::<&[&str]>);
/// let found = index.search(&directory, &[1.0, 0.0], &cells, None, &Options { k: 1, ..Options::default() })?;
/// assert_eq!(found.hits, [(numbers[0], 1.0)]);
/// # Ok::<(), byheart_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Index {
    pub(super) ladder: Ladder,
    pub(super) isa: Isa,
    pub(super) places: Vec<Place>,           // by number of the record
    pub(super) cells: Vec<Cell>,             // by number of the cell
    pub(super) awaited: FxHashMap<u32, u32>, // checksums of the rows that were written elsewhere, until they come
    len: usize,
}

/// The checksum by which a row that was written elsewhere is known again.
pub(super) fn checksum(row: &[f32]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    let mut bytes = [0; 4 * 64];
    for some in row.chunks(64) {
        let (pieces, _) = bytes.as_chunks_mut::<4>();
        for (piece, value) in pieces.iter_mut().zip(some) {
            *piece = value.to_le_bytes();
        }
        hasher.update(&bytes[..4 * some.len()]);
    }
    hasher.finalize()
}

impl Index {
    /// An empty index.
    ///
    /// # Errors
    /// As [`Isa::active`].
    pub fn new(ladder: Ladder) -> Result<Self> {
        Ok(Self {
            ladder,
            isa: Isa::active()?,
            places: Vec::new(),
            cells: Vec::new(),
            awaited: FxHashMap::default(),
            len: 0,
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

    /// How many records have a row.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if none has.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// True if this record has a row.
    #[must_use]
    pub fn holds(&self, number: u32) -> bool {
        self.place(number).is_some()
    }

    /// Refuses what [`Index::put`] would refuse of this many vectors, before a directory has changed.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for another number of values, and for one that is not finite.
    pub fn check(&self, records: usize, vectors: &[f32]) -> Result<()> {
        let dimensions = self.ladder.dimensions();
        if vectors.len() != records * dimensions {
            let why =
                format!("holds {} values; {records} vectors of {dimensions} dimensions are asked for", vectors.len());
            return Err(Error::invalid("vectors", why));
        }
        check_finite("vectors", vectors)
    }

    /// Takes in the vector of each of these records, one after the other; a row that was there is replaced in every
    /// tier. All of them or none.
    ///
    /// # Errors
    /// As [`Index::check`] and [`Directory::check`].
    pub fn put(&mut self, directory: &Directory, numbers: &[u32], vectors: &[f32]) -> Result<()> {
        self.put_lent(directory, numbers, vectors, &[])
    }

    /// As [`Index::put`]; of vectors that somebody `lends`, one for each or none at all, no second copy is kept where
    /// they are of length 1 already, to the last bit.
    ///
    /// # Errors
    /// As [`Index::put`].
    pub fn put_lent(
        &mut self,
        directory: &Directory,
        numbers: &[u32],
        vectors: &[f32],
        lends: &[Option<Arc<dyn Lent>>],
    ) -> Result<()> {
        directory.check(numbers)?;
        self.check(numbers.len(), vectors)?;
        let mut row = Vec::with_capacity(self.ladder.dimensions());
        for (at, (&number, vector)) in numbers.iter().zip(vectors.chunks_exact(self.ladder.dimensions())).enumerate() {
            self.remove_one(number);
            row.clear();
            row.extend(normalised(self.isa, vector));
            self.insert_one(directory, number, rows::Row::new(&row, lends.get(at).cloned().flatten()));
        }
        Ok(())
    }

    /// How many rows somebody else keeps.
    #[must_use]
    pub fn lent(&self) -> usize {
        self.cells.iter().map(Cell::lent).sum()
    }

    /// Takes in a row that was written elsewhere: the vector of a record, as little-endian bytes, if its row is the one that is
    /// awaited. Any other is passed over.
    pub fn come(&mut self, directory: &Directory, number: u32, vector: &[u8]) {
        let Some(&sum) = self.awaited.get(&number) else { return };
        if let Some(row) = self.awaited_row(vector, sum) {
            self.awaited.remove(&number);
            self.insert_one(directory, number, rows::Row::Own(&row));
        }
    }

    /// The row of a vector, if it has this checksum.
    fn awaited_row(&self, vector: &[u8], sum: u32) -> Option<Vec<f32>> {
        if vector.len() != 4 * self.ladder.dimensions() {
            return None;
        }
        let values: Vec<f32> = vector.as_chunks().0.iter().map(|value| f32::from_le_bytes(*value)).collect();
        // Most vectors are kept as their rows are: of length 1 to the last bit.
        if crc32fast::hash(vector) == sum && is_short_enough(self.isa, &values) {
            return Some(values);
        }
        if !values.iter().all(|value| value.is_finite()) {
            return None; // damage
        }
        let row: Vec<f32> = normalised(self.isa, &values).collect();
        (checksum(&row) == sum).then_some(row)
    }

    /// Whether the row of a record is awaited.
    #[must_use]
    pub fn awaits(&self, number: u32) -> bool {
        self.awaited.contains_key(&number)
    }

    /// Waits no longer, and answers of which records no row came.
    pub fn wait_no_longer(&mut self) -> Vec<u32> {
        self.cells.iter_mut().for_each(Cell::give_back);
        let mut missing: Vec<u32> = std::mem::take(&mut self.awaited).into_keys().collect();
        missing.sort_unstable();
        missing
    }

    /// Removes the rows of these records from every tier and answers how many there were. A directory forgets a
    /// record after its indexes.
    pub fn remove(&mut self, numbers: &[u32]) -> usize {
        numbers.iter().filter(|&&number| self.remove_one(number)).count()
    }

    /// The row of a record: its vector divided by its length.
    #[must_use]
    pub fn row(&self, number: u32) -> Option<&[f32]> {
        self.place(number).map(|place| self.cells[place.cell as usize].row(place.slot))
    }

    /// What a search for this vector gives for one record, taken apart.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a record without a row and a vector that does not fit.
    pub fn explain(&self, directory: &Directory, vector: &[f32], number: u32) -> Result<Explanation> {
        check("vector", vector, self.ladder.dimensions())?;
        let unknown = || Error::invalid("id", format!("{:?} is not in this index", directory.id(number)));
        let place = self.place(number).ok_or_else(unknown)?;
        let cell = &self.cells[place.cell as usize];
        let values: Vec<f32> = normalised(self.isa, vector).collect();
        let query = Row::new(self.isa, &self.ladder, &values);
        let tiers = self.ladder.tiers().iter().enumerate();
        let row = cell.row(place.slot);
        let tiers: Vec<_> =
            tiers.map(|(tier, &n)| (n, cell.score(self.isa, &query, tier, &row[..n], place.slot))).collect();
        let (dot, score) = (wide_dot(self.isa, &values, row), tiers[self.ladder.last()].1);
        Ok(Explanation { tiers, dot, score })
    }

    /// What a search for this vector gives for some records; nothing for one without a row.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a vector that does not fit.
    pub fn scores(&self, vector: &[f32], numbers: &[u32]) -> Result<Vec<Option<f64>>> {
        check("vector", vector, self.ladder.dimensions())?;
        let values: Vec<f32> = normalised(self.isa, vector).collect();
        let (query, last) = (Row::new(self.isa, &self.ladder, &values), self.ladder.last());
        let places: Vec<Option<Place>> = numbers.iter().map(|&number| self.place(number)).collect();
        let there: Vec<Place> = places.iter().copied().flatten().collect();
        let mut scores = self.score_each(&query, last, &there).into_iter();
        Ok(places.into_iter().map(|place| place.and_then(|_| scores.next())).collect())
    }

    /// The scores of some rows in a tier. They lie anywhere in memory: where each is, is looked up for all of them first,
    /// and one is fetched while those before it are scored.
    pub(super) fn score_each(&self, query: &Row<'_>, tier: usize, places: &[Place]) -> Vec<f64> {
        let width = self.ladder.tiers()[tier];
        let cell = |place: &Place| &self.cells[place.cell as usize];
        let rows: Vec<&[f32]> = places.iter().map(|place| &cell(place).row(place.slot)[..width]).collect();
        let fetch = |row: &[f32]| (0..row.len()).step_by(LINE).for_each(|at| prefetch(row, at));
        rows.iter().take(AHEAD).for_each(|row| fetch(row));
        let score = |(at, place): (usize, &Place)| {
            if let Some(next) = rows.get(at + AHEAD) {
                fetch(next);
            }
            cell(place).score(self.isa, query, tier, rows[at], place.slot)
        };
        places.iter().enumerate().map(score).collect()
    }

    /// Where the row of a record lies.
    pub(super) fn place(&self, number: u32) -> Option<Place> {
        self.places.get(number as usize).copied().filter(|place| place.cell != NOWHERE)
    }

    /// Takes in the row of a record of the directory that has none.
    pub(super) fn insert_one(&mut self, directory: &Directory, number: u32, row: rows::Row<'_>) {
        let cell = directory.cell(number).expect("a record lies in a cell");
        self.cells.resize_with(directory.cell_capacity().max(self.cells.len()), Cell::default);
        self.places.resize(directory.capacity().max(self.places.len()), NO_PLACE);
        let slot = self.cells[cell as usize].push(self.isa, &self.ladder, number, row);
        self.places[number as usize] = Place { cell, slot };
        self.len += 1;
    }

    fn remove_one(&mut self, number: u32) -> bool {
        self.awaited.remove(&number);
        let Some(place) = self.place(number) else { return false };
        self.places[number as usize] = NO_PLACE;
        self.len -= 1;
        let cell = &mut self.cells[place.cell as usize];
        if let Some(moved) = cell.swap_remove(place.slot) {
            self.places[moved as usize].slot = place.slot;
        }
        if cell.documents.is_empty() {
            *cell = Cell::default(); // its memory goes with its last record
        }
        true
    }
}
