//! A search among given records only: in each segment the few slots that may be found, and their exact sums.

use super::{Cell, LexicalIndex, Place};

/// Where the records of a search among given ones lie.
#[derive(Debug)]
pub struct Among {
    places: Vec<Place>, // ascending: by cell, then segment, then slot
}

impl Among {
    /// The places of the records with these ids, each once; unknown ids have none.
    pub fn of(index: &LexicalIndex, ids: &[String]) -> Self {
        let known = ids.iter().filter_map(|id| index.ids.get(id));
        let mut places: Vec<Place> = known.map(|document| index.places[document as usize]).collect();
        places.sort_unstable();
        places.dedup();
        Self { places }
    }

    /// Those of one segment, ascending.
    fn slots(&self, cell: u32, segment: usize) -> impl Iterator<Item = u16> {
        let of = |place: &Place| (place.cell, usize::from(place.segment));
        let start = self.places.partition_point(|place| of(place) < (cell, segment));
        self.places[start..].iter().take_while(move |place| of(place) == (cell, segment)).map(|place| place.slot)
    }

    /// Those of the segments of these cells, one segment after another.
    pub fn by_segment(&self, numbers: &[u32], cells: &[&Cell]) -> Vec<Vec<u16>> {
        let of_cell = |(&number, cell): (&u32, &&Cell)| (0..cell.segments.len()).map(move |at| (number, at));
        let segments = numbers.iter().zip(cells).flat_map(of_cell);
        segments.map(|(number, at)| self.slots(number, at).collect()).collect()
    }
}
