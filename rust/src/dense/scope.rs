//! Which rows a search looks at: those of some cells, or of these only the ones that were named.

use super::cell::Cell;
use super::index::CascadeIndex;

/// The rows of a search.
#[derive(Debug)]
pub(super) struct Scope<'i> {
    pub index: &'i CascadeIndex,
    /// Cells whose rows are all looked at; none if only some rows are.
    pub cells: Vec<&'i Cell>,
    /// Numbers of the only records to look at, each once.
    pub among: Option<Vec<u32>>,
    pub records: usize,
}

impl<'i> Scope<'i> {
    /// No rows at all.
    pub fn nothing(index: &'i CascadeIndex) -> Self {
        Self { index, cells: Vec::new(), among: None, records: 0 }
    }
}

impl CascadeIndex {
    /// The rows of the cells with these keys (`None`: of all), and `among` them those of these ids only. What is
    /// unknown or given twice is ignored. The work follows the number of ids, if there are any.
    pub(super) fn scope(&self, keys: Option<&[&str]>, among: Option<&[String]>) -> Scope<'_> {
        let numbers = keys.map(|keys| {
            let mut numbers: Vec<u32> = keys.iter().filter_map(|key| self.cell_keys.get(key)).collect();
            numbers.sort_unstable();
            numbers.dedup();
            numbers
        });
        if let Some(ids) = among {
            let inside = |cell: u32| numbers.as_ref().is_none_or(|numbers| numbers.binary_search(&cell).is_ok());
            let known = ids.iter().filter_map(|id| self.ids.get(id));
            let mut documents: Vec<u32> =
                known.filter(|&document| inside(self.places[document as usize].cell)).collect();
            documents.sort_unstable(); // also nearly the order of the rows in memory
            documents.dedup();
            let records = documents.len();
            return Scope { index: self, cells: Vec::new(), among: Some(documents), records };
        }
        let numbers = numbers.unwrap_or_else(|| (0..self.cells.len() as u32).collect());
        let cells = numbers.into_iter().map(|number| &self.cells[number as usize]);
        let cells: Vec<_> = cells.filter(|cell| !cell.documents.is_empty()).collect();
        let records = cells.iter().map(|cell| cell.documents.len()).sum();
        Scope { index: self, cells, among: None, records }
    }
}
