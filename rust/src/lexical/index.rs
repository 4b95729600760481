//! The index of a directory's records: where each lies, and what is counted for each cell.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::batch::Batch;
use super::segment::Segment;
use super::settings::{Settings, check_range};
use crate::error::{Error, Result};
use crate::ids::{self, IdTable};
use crate::records::{Directory, NOWHERE};

/// Where a record lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Number of the cell; [`NOWHERE`] for a record that is not held.
    pub cell: u32,
    /// Number of the segment in it: 65,536 of them hold all records that 32 bits can number.
    pub segment: u16,
    /// Slot in the segment.
    pub slot: u16,
}

impl Default for Place {
    fn default() -> Self {
        Self { cell: NOWHERE, segment: 0, slot: 0 }
    }
}

/// The records of one cell.
#[derive(Debug, Clone, Default)]
pub struct Cell {
    /// How many there are.
    pub documents: u64,
    /// Terms in all of them, by field.
    pub total_lengths: Vec<u64>,
    /// Where they lie.
    pub segments: Vec<Segment>,
}

/// Records of a directory by the terms that they hold. See the module's description.
///
/// ```
/// use byheart_core::lexical::{Batch, Field, Index, Query, Settings};
/// use byheart_core::records::Directory;
/// use byheart_core::text::Analyzer;
///
/// let field = Field { name: "text".into(), weight: 1.0 };
/// let mut index = Index::new(Settings::new(vec![field], 1.2, 0.75, Analyzer::default())?);
/// let mut directory = Directory::default();
/// let numbers = [directory.insert("mine", "ada"), directory.insert("mine", "grace")];
/// let mut batch = Batch::default();
/// batch.push(index.settings(), &[(0, "Ada wrote the first program")])?;
/// batch.push(index.settings(), &[(0, "Grace wrote the first compiler")])?;
/// index.put(&directory, &numbers, &batch, None)?;
/// let (query, cells) = (Query::from_text(index.settings(), "first")?, directory.cell_numbers(None::<&[&str]>));
/// let found = index.search(&directory, &query, &[], 10, &cells, None)?;
/// assert_eq!(found.hits.iter().map(|hit| hit.0).collect::<Vec<_>>(), numbers);
/// let only = [numbers[1]].into_iter().collect();
/// assert_eq!(index.search(&directory, &query, &[], 10, &cells, Some(&only))?.hits, found.hits[1..]);
/// # Ok::<(), byheart_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Index {
    pub(super) settings: Arc<Settings>,
    pub(super) places: Vec<Place>, // by number of the record
    pub(super) cells: Vec<Cell>,   // by number of the cell in the directory
    pub(super) terms: IdTable,
    pub(super) term_uses: Vec<u32>, // by term number: segments that hold it
    pub(super) labels: IdTable,     // number 0 is "no label"
    len: usize,
}

impl Index {
    /// An empty index.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let mut labels = IdTable::default();
        labels.insert("");
        Self {
            settings: Arc::new(settings),
            places: Vec::new(),
            cells: Vec::new(),
            terms: IdTable::default(),
            term_uses: Vec::new(),
            labels,
            len: 0,
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

    /// Takes the analysed documents of these records, in place of what they had. `labels` gives one for each record,
    /// to which a search may give a boost; `None` for a record without one. All of them or none.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for numbers that [`Directory::check`] refuses, and where there is not one document and
    /// one label for each; [`Error::LimitExceeded`] for a long label.
    pub fn put(
        &mut self,
        directory: &Directory,
        numbers: &[u32],
        batch: &Batch,
        labels: Option<&[Option<String>]>,
    ) -> Result<()> {
        self.put_labelled(directory, numbers, batch, labels)
    }

    /// As [`Index::put`], whoever owns the labels.
    pub(super) fn put_labelled<L: AsRef<str>>(
        &mut self,
        directory: &Directory,
        numbers: &[u32],
        batch: &Batch,
        labels: Option<&[Option<L>]>,
    ) -> Result<()> {
        directory.check(numbers)?;
        Self::check(numbers.len(), batch, labels)?;
        self.remove(numbers);
        if self.places.len() < directory.capacity() {
            let more = directory.capacity() - self.places.len();
            ids::reserve_eighth(&mut self.places, more);
            self.places.resize(directory.capacity(), Place::default());
        }
        if self.cells.len() < directory.cell_capacity() {
            self.cells.resize_with(directory.cell_capacity(), Cell::default);
        }
        let number_of: Vec<u32> = (0..batch.term_count()).map(|n| self.terms.insert(batch.term(n as u32))).collect();
        self.term_uses.resize(self.terms.capacity(), 0);
        let mut groups: FxHashMap<(u32, u16), Vec<(u32, u16)>> = FxHashMap::default();
        for (row, &number) in numbers.iter().enumerate() {
            let label = labels.and_then(|labels| labels[row].as_ref()).map_or("", AsRef::as_ref);
            let label = if label.is_empty() { 0 } else { self.labels.insert(label) };
            let cell = directory.cell(number).expect("checked above");
            let place = self.take_place(number, cell, label, batch.lengths(row));
            groups.entry((place.cell, place.segment)).or_default().push((row as u32, place.slot));
            if !self.cells[place.cell as usize].segments[usize::from(place.segment)].has_room() {
                let full = groups.remove(&(place.cell, place.segment)).expect("the row was put there");
                self.add_postings(place, batch, &full, &number_of);
            }
        }
        for ((cell, segment), rows) in groups {
            self.add_postings(Place { cell, segment, slot: 0 }, batch, &rows, &number_of);
        }
        self.len += numbers.len();
        Ok(())
    }

    /// Forgets these records and answers how many were held. The directory must forget them afterwards, not before.
    pub fn remove(&mut self, numbers: &[u32]) -> usize {
        let mut groups: FxHashMap<(u32, u16), Vec<u16>> = FxHashMap::default();
        let mut removed = 0;
        for &number in numbers {
            if let Some(place) = self.place(number) {
                self.places[number as usize] = Place::default();
                groups.entry((place.cell, place.segment)).or_default().push(place.slot);
                removed += 1;
            }
        }
        for ((cell, segment), slots) in groups {
            self.free_places(cell, usize::from(segment), &slots);
        }
        self.len -= removed;
        removed
    }

    /// Refuses what [`Index::put`] cannot take for so many records.
    ///
    /// # Errors
    /// As [`Index::put`].
    pub fn check<L: AsRef<str>>(records: usize, batch: &Batch, labels: Option<&[Option<L>]>) -> Result<()> {
        check_length("documents", batch.len(), records)?;
        check_length("labels", labels.map_or(records, <[_]>::len), records)?;
        match labels
            .unwrap_or_default()
            .iter()
            .flatten()
            .map(AsRef::as_ref)
            .find(|label| label.len() > ids::MAX_ID_BYTES)
        {
            Some(label) => Err(Error::limit("label length in bytes", ids::MAX_ID_BYTES, label.len())),
            None => Ok(()),
        }
    }

    /// One factor for each label number; empty when there is nothing to boost.
    pub(super) fn boosts_by_label(&self, boosts: &[(String, f64)]) -> Result<Vec<f64>> {
        if boosts.is_empty() {
            return Ok(Vec::new());
        }
        let mut factors = vec![1.0; self.labels.capacity()];
        for (label, factor) in boosts {
            check_range(&format!("boost of label {label:?}"), *factor, 1e-6, 1e6)?;
            if let Some(number) = self.labels.get(label).filter(|_| !label.is_empty()) {
                factors[number as usize] = *factor;
            }
        }
        Ok(factors)
    }

    fn take_place(&mut self, number: u32, cell_number: u32, label: u32, lengths: &[u32]) -> Place {
        let cell = &mut self.cells[cell_number as usize];
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
        let slot = cell.segments[segment].take_slot(number, label, lengths);
        let place = Place { cell: cell_number, segment: segment as u16, slot };
        self.places[number as usize] = place;
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
            *cell = Cell::default(); // its memory goes with its last record
        }
    }
}

/// Refuses a column that has not one item for each record.
fn check_length(what: &str, got: usize, expected: usize) -> Result<()> {
    if got == expected {
        return Ok(());
    }
    Err(Error::invalid(what, format!("has {got} items for {expected} ids; give one for each id")))
}
