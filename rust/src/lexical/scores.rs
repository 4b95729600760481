//! The scores of all records of some cells, by where the records lie.

use super::index::{Index, Place};

/// Scores by cell, segment and slot.
#[derive(Debug, Clone, Default)]
pub struct Scores {
    cells: Vec<u32>,         // ascending
    starts: Vec<Vec<usize>>, // by cell: where the scores of each of its segments start
    sums: Vec<f64>,
}

impl Scores {
    /// Takes in the scores of the next segment of a cell; cells come in ascending order.
    pub(super) fn next(&mut self, cell: u32, take: impl FnOnce(&mut Vec<f64>)) {
        if self.cells.last() != Some(&cell) {
            self.cells.push(cell);
            self.starts.push(Vec::new());
        }
        self.starts.last_mut().expect("there is a cell").push(self.sums.len());
        take(&mut self.sums);
    }

    fn at(&self, place: Place) -> Option<f64> {
        let cell = self.cells.binary_search(&place.cell).ok()?;
        let start = self.starts[cell].get(usize::from(place.segment))?;
        self.sums.get(start + usize::from(place.slot)).copied()
    }
}

impl Index {
    /// The score of a record: 0 if it shares no term with the query, or lies in no cell that was searched.
    #[must_use]
    pub fn score_in(&self, scores: &Scores, number: u32) -> f64 {
        self.place(number).and_then(|place| scores.at(place)).unwrap_or(0.0)
    }
}
