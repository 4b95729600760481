//! The rows that a search looks at: those of some cells, and of these the ones that may be found.

use super::cell::Cell;
use super::index::Index;
use super::options::Mode;
use crate::records::{Directory, Selection};

/// So many rows are streamed in the time that one takes which is read by itself: memory that is read in order comes
/// before it is asked for.
pub(super) const STREAMED_FOR_ONE: usize = 7;

/// The rows of a search.
#[derive(Debug)]
pub(super) struct Scope<'i> {
    pub index: &'i Index,
    pub directory: &'i Directory,
    /// Cells whose rows are streamed.
    pub cells: Vec<&'i Cell>,
    /// How many rows these hold.
    pub streamed: usize,
    /// The only records that may be found; without it, all of the cells.
    pub only: Option<Only<'i>>,
    /// How many records may be found.
    pub records: usize,
}

/// The records of a selection that lie inside the cells of a search.
#[derive(Debug)]
pub(super) struct Only<'i> {
    selection: &'i Selection,
    /// Their numbers, each once.
    pub documents: Vec<u32>,
    /// True if reading them one by one takes less than streaming all rows.
    pub few: bool,
}

impl Only<'_> {
    /// May this record of the cells be found?
    pub fn holds(&self, document: u32) -> bool {
        self.selection.holds(document)
    }
}

impl<'i> Scope<'i> {
    /// No rows at all.
    pub fn nothing(index: &'i Index, directory: &'i Directory) -> Self {
        Self { index, directory, cells: Vec::new(), streamed: 0, only: None, records: 0 }
    }

    /// The rows of the cells with these numbers, and `only` those of a selection.
    pub fn new(
        index: &'i Index,
        directory: &'i Directory,
        numbers: &[u32],
        only: Option<&'i Selection>,
        mode: &Mode,
    ) -> Self {
        let cells = numbers.iter().filter_map(|&number| index.cells.get(number as usize));
        let cells: Vec<&Cell> = cells.filter(|cell| !cell.documents.is_empty()).collect();
        let streamed = cells.iter().map(|cell| cell.documents.len()).sum();
        let Some(selection) = only else {
            return Self { index, directory, cells, streamed, only: None, records: streamed };
        };
        let documents = documents_of(index, numbers, &cells, streamed, selection);
        let (records, few) = (documents.len(), documents.len() <= streamed / STREAMED_FOR_ONE);
        let only = Some(Only { selection, documents, few });
        if few && *mode == Mode::Exact {
            return Self { index, directory, cells: Vec::new(), streamed: 0, only, records };
        }
        Self { index, directory, cells, streamed, only, records }
    }
}

/// The records of a selection in these cells; whichever are fewer are asked whether they are among the others.
fn documents_of(index: &Index, numbers: &[u32], cells: &[&Cell], streamed: usize, selection: &Selection) -> Vec<u32> {
    if selection.len() < streamed {
        let inside = |number: &u32| index.place(*number).is_some_and(|at| numbers.binary_search(&at.cell).is_ok());
        return selection.iter().filter(inside).collect();
    }
    cells.iter().flat_map(|cell| cell.documents.iter().copied()).filter(|&number| selection.holds(number)).collect()
}
