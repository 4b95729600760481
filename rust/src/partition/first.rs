//! The first records of an order, behind a place: what a page of a listing holds.

use std::cmp::Ordering;

use roaring::RoaringBitmap;

use super::Partition;
use crate::records::Column;

/// An order in which records are listed: by a column of numbers, or by their ids. Where numbers are equal ids decide, and
/// then cells; records without a number come last.
#[derive(Debug, Clone, Copy)]
pub struct Order<'a> {
    /// The column; none for the order by id.
    pub column: Option<&'a Column>,
    /// Whether the greatest come first.
    pub down: bool,
}

/// A place in an order, be there a record or not.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// The number, where the order is by a column and there is one.
    pub number: Option<f64>,
    /// The id.
    pub id: String,
    /// The key of the cell.
    pub cell: String,
}

impl Order<'_> {
    fn number(&self, record: u32) -> Option<f64> {
        self.column.map(|column| column.get(record)).filter(|number| !number.is_nan())
    }

    fn numbers(&self, one: Option<f64>, other: Option<f64>) -> Ordering {
        match (one, other) {
            (Some(one), Some(other)) => turned(one.partial_cmp(&other).unwrap_or(Ordering::Equal), self.down),
            _ => other.is_some().cmp(&one.is_some()), // whoever has none comes last
        }
    }

    fn ids(&self, order: Ordering) -> Ordering {
        turned(order, self.down && self.column.is_none())
    }
}

impl Partition {
    /// The first `most` of some records in an order, of those behind a place if one is given.
    #[must_use]
    pub fn first(&self, among: &RoaringBitmap, order: Order<'_>, behind: Option<&Place>, most: usize) -> Vec<u32> {
        let directory = &self.directory;
        let cell = |record: u32| directory.cell(record).map_or("", |cell| directory.cell_key(cell));
        let compare = |one: &u32, other: &u32| {
            let ids = || order.ids(directory.id(*one).cmp(directory.id(*other)));
            let numbers = order.numbers(order.number(*one), order.number(*other));
            numbers.then_with(ids).then_with(|| cell(*one).cmp(cell(*other)))
        };
        let is_behind = |record: u32, place: &Place| {
            let ids = || order.ids(directory.id(record).cmp(&place.id));
            let numbers = order.numbers(order.number(record), place.number);
            numbers.then_with(ids).then_with(|| cell(record).cmp(&place.cell)).is_gt()
        };
        let (mut kept, mut last): (Vec<u32>, Option<u32>) = (Vec::new(), None);
        for record in among {
            let is_late = last.is_some_and(|last| compare(&record, &last).is_ge());
            if is_late || behind.is_some_and(|place| !is_behind(record, place)) {
                continue;
            }
            kept.push(record);
            if most > 0 && kept.len() >= most.saturating_mul(2) {
                let (_, &mut at, _) = kept.select_nth_unstable_by(most - 1, compare);
                kept.truncate(most);
                last = Some(at);
            }
        }
        kept.sort_unstable_by(compare);
        kept.truncate(most);
        kept
    }
}

fn turned(order: Ordering, down: bool) -> Ordering {
    if down { order.reverse() } else { order }
}
