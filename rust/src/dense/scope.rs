//! Which rows a search looks at: those of some cells, or of these only the ones that were named.

use super::cell::Cell;
use super::index::CascadeIndex;
use super::scan::FEW;

/// The rows of a search.
#[derive(Debug)]
pub(super) struct Scope<'i> {
    pub index: &'i CascadeIndex,
    /// Cells whose rows are streamed.
    pub cells: Vec<&'i Cell>,
    /// How many rows these hold.
    pub streamed: usize,
    /// The only records there are for the search; without it, all of the cells.
    pub among: Option<Among>,
    /// How many records there are for it.
    pub records: usize,
}

/// Records that were named, inside the cells of a search.
#[derive(Debug)]
pub(super) struct Among {
    /// Their numbers, each once.
    pub documents: Vec<u32>,
    /// Where their rows stand among the streamed ones; empty if they are so few that nothing is streamed.
    pub rows: Vec<usize>,
}

impl<'i> Scope<'i> {
    /// No rows at all.
    pub fn nothing(index: &'i CascadeIndex) -> Self {
        Self { index, cells: Vec::new(), streamed: 0, among: None, records: 0 }
    }

    /// The numbers of the records to look at one by one, if they are few.
    pub fn few(&self) -> Option<&[u32]> {
        self.among.as_ref().filter(|among| among.rows.is_empty()).map(|among| &*among.documents)
    }

    /// Prepares the bounds of the streamed rows: those of rows that were not named stay below every other.
    pub fn reset(&self, bounds: &mut [f32]) {
        match &self.among {
            None => bounds.fill(0.0),
            Some(among) => {
                bounds.fill(f32::NEG_INFINITY);
                among.rows.iter().for_each(|&row| bounds[row] = 0.0);
            }
        }
    }
}

impl CascadeIndex {
    /// The rows of the cells with these keys (`None`: of all), and `among` them those of these ids only. What is
    /// unknown or given twice is ignored.
    pub(super) fn scope(&self, keys: Option<&[&str]>, among: Option<&[String]>) -> Scope<'_> {
        let mut numbers: Vec<u32> = match keys {
            Some(keys) => keys.iter().filter_map(|key| self.cell_keys.get(key)).collect(),
            None => (0..self.cells.len() as u32).collect(),
        };
        numbers.sort_unstable();
        numbers.dedup();
        numbers.retain(|&number| !self.cells[number as usize].documents.is_empty());
        let cells: Vec<_> = numbers.iter().map(|&number| &self.cells[number as usize]).collect();
        let streamed = cells.iter().map(|cell| cell.documents.len()).sum();
        let Some(ids) = among else { return Scope { index: self, cells, streamed, among: None, records: streamed } };
        let documents = self.documents_among(&numbers, ids);
        let records = documents.len();
        if records <= streamed / FEW {
            let among = Some(Among { documents, rows: Vec::new() });
            return Scope { index: self, cells: Vec::new(), streamed: 0, among, records };
        }
        let starts: Vec<usize> = cells.iter().scan(0, |next, cell| Some(start(next, cell.documents.len()))).collect();
        let row = |&document: &u32| {
            let place = self.places[document as usize];
            starts[numbers.binary_search(&place.cell).expect("it lies in one of them")] + place.slot as usize
        };
        let rows = documents.iter().map(row).collect();
        Scope { index: self, cells, streamed, among: Some(Among { documents, rows }), records }
    }

    /// The numbers of the records with these ids in the cells with these numbers, each once.
    fn documents_among(&self, numbers: &[u32], ids: &[String]) -> Vec<u32> {
        let inside = |&document: &u32| numbers.binary_search(&self.places[document as usize].cell).is_ok();
        let mut documents: Vec<u32> = ids.iter().filter_map(|id| self.ids.get(id)).filter(inside).collect();
        documents.sort_unstable(); // also nearly the order of the rows in memory
        documents.dedup();
        documents
    }
}

/// Where a cell starts, and the next one after it.
fn start(next: &mut usize, rows: usize) -> usize {
    let start = *next;
    *next += rows;
    start
}
