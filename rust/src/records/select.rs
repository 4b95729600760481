//! The records that match a filter, found through bitmaps.

use std::cell::OnceCell;
use std::ops::Bound;

use roaring::RoaringBitmap;

use super::{Directory, Fields, Filter, Holders, ID, Value};

/// One search over the records of some cells.
pub(super) struct Search<'s> {
    directory: &'s Directory,
    fields: &'s Fields,
    cells: &'s [u32],
    all: OnceCell<RoaringBitmap>,
}

impl<'s> Search<'s> {
    pub(super) fn new(directory: &'s Directory, fields: &'s Fields, cells: &'s [u32]) -> Self {
        Self { directory, fields, cells, all: OnceCell::new() }
    }

    /// Those of `within` (nothing: of all) that match.
    pub(super) fn matches(&self, filter: &Filter, within: Option<&RoaringBitmap>) -> RoaringBitmap {
        match filter {
            Filter::And(parts) => self.matches_all(parts, within),
            Filter::Or(parts) => {
                let found: Vec<RoaringBitmap> = parts.iter().map(|part| self.matches(part, within)).collect();
                roaring::MultiOps::union(found)
            }
            Filter::Not(part) => self.without(self.matches(part, within), within),
            Filter::In { field, values } if field == ID => self.clipped(self.named(values), within),
            Filter::In { field, values } => {
                if let Some(column) = self.fields.column(field) {
                    return column.among(values, self.all(within));
                }
                let Some(keyword) = self.fields.keyword(field) else { return RoaringBitmap::new() };
                self.union(self.fields.keywords.holders(keyword, values), within)
            }
            Filter::Range { field, low, high } => self.between(field, low.as_ref(), high.as_ref(), within),
            Filter::Exists { field, exists } => {
                let found = self.having(field, within);
                if *exists { found } else { self.without(found, within) }
            }
        }
    }

    /// The cheapest part first; the others look at what is left.
    fn matches_all(&self, parts: &[Filter], within: Option<&RoaringBitmap>) -> RoaringBitmap {
        let mut order: Vec<&Filter> = parts.iter().collect();
        order.sort_by_cached_key(|part| self.cost(part));
        let mut left: Option<RoaringBitmap> = None;
        for part in order {
            let found = self.matches(part, left.as_ref().or(within));
            if found.is_empty() {
                return found;
            }
            left = Some(found);
        }
        left.unwrap_or_else(|| self.all(within).clone())
    }

    fn between(
        &self,
        field: &str,
        low: Bound<&Value>,
        high: Bound<&Value>,
        within: Option<&RoaringBitmap>,
    ) -> RoaringBitmap {
        if field == ID {
            let text = |bound: Bound<&'_ Value>| match bound {
                Bound::Included(Value::Text(text)) => Some(Bound::Included(text.clone())),
                Bound::Excluded(Value::Text(text)) => Some(Bound::Excluded(text.clone())),
                Bound::Unbounded => Some(Bound::Unbounded),
                _ => None,
            };
            let (Some(low), Some(high)) = (text(low), text(high)) else { return RoaringBitmap::new() };
            let bounds = (low.as_ref().map(|text| &**text), high.as_ref().map(|text| &**text));
            let is_inside = |&number: &u32| std::ops::RangeBounds::<str>::contains(&bounds, self.directory.id(number));
            return self.all(within).iter().filter(is_inside).collect();
        }
        if let Some(column) = self.fields.column(field) {
            let (Some(low), Some(high)) = (number(low), number(high)) else { return RoaringBitmap::new() };
            // Few records of a sorted column are found without a look at all that lie in the cells.
            if within.is_none()
                && let Some(found) = column.walked(low, high, column.present().len() / 8)
            {
                return self.clipped(found, None);
            }
            return column.range(low, high, self.all(within));
        }
        let Some(keyword) = self.fields.keyword(field) else { return RoaringBitmap::new() };
        self.union(self.fields.keywords.between(keyword, low, high), within)
    }

    /// The records with these ids, in whichever cell.
    fn named(&self, values: &[Value]) -> RoaringBitmap {
        let numbers = values.iter().flat_map(|value| {
            let id = if let Value::Text(id) = value { &**id } else { "" }; // no record has the id ""
            self.directory.all(id)
        });
        numbers.collect()
    }

    /// Those that have a field.
    fn having(&self, field: &str, within: Option<&RoaringBitmap>) -> RoaringBitmap {
        if field == ID {
            return self.all(within).clone();
        }
        let column = self.fields.column(field).map(super::Column::present);
        let present = column.or_else(|| self.fields.keyword(field).map(super::keywords::Field::present));
        match (present, within) {
            (None, _) => RoaringBitmap::new(),
            (Some(present), Some(within)) => present & within,
            (Some(present), None) => self.clipped(present.clone(), None),
        }
    }

    fn union<'h>(&self, sets: impl Iterator<Item = &'h Holders>, within: Option<&RoaringBitmap>) -> RoaringBitmap {
        let found = Holders::union(sets, within);
        if within.is_some() { found } else { self.clipped(found, None) }
    }

    /// Those of `within` that are not among the others.
    fn without(&self, others: RoaringBitmap, within: Option<&RoaringBitmap>) -> RoaringBitmap {
        self.all(within) - others
    }

    /// Those that lie in the cells and in `within`: a few are looked up one by one, before all records of many cells are.
    fn clipped(&self, mut found: RoaringBitmap, within: Option<&RoaringBitmap>) -> RoaringBitmap {
        if let Some(within) = within.or_else(|| self.all.get()) {
            found &= within;
            return found;
        }
        if let [cell] = self.cells {
            match self.fields.members.get(*cell as usize) {
                Some(members) => found &= members,
                None => found.clear(),
            }
            return found;
        }
        if found.len() > 4 * self.cells.len() as u64 + 64 {
            found &= self.all(None);
            return found;
        }
        let is_inside =
            |&number: &u32| self.directory.cell(number).is_some_and(|cell| self.cells.binary_search(&cell).is_ok());
        found.iter().filter(is_inside).collect()
    }

    /// The records looked at: `within`, or all of the cells.
    fn all<'a>(&'a self, within: Option<&'a RoaringBitmap>) -> &'a RoaringBitmap {
        within.unwrap_or_else(|| match self.cells {
            [cell] if (*cell as usize) < self.fields.members.len() => &self.fields.members[*cell as usize],
            cells => self.all.get_or_init(|| self.fields.members(cells)),
        })
    }

    /// At most how many records a part lets through, as far as that is known before it is asked.
    fn cost(&self, filter: &Filter) -> u64 {
        const LOOKED_AT: u64 = u64::MAX / 4; // each record has to be looked at
        match filter {
            Filter::And(parts) => parts.iter().map(|part| self.cost(part)).min().unwrap_or(LOOKED_AT),
            Filter::Or(parts) => parts.iter().fold(0, |sum, part| sum.saturating_add(self.cost(part))),
            Filter::In { field, values } if field == ID => values.len() as u64,
            Filter::In { field, values } if self.fields.column(field).is_none() => {
                let Some(keyword) = self.fields.keyword(field) else { return 0 };
                self.fields.keywords.holders(keyword, values).map(Holders::len).sum()
            }
            Filter::Range { field, .. } | Filter::Exists { field, exists: true }
                if field != ID && self.fields.column(field).is_none() =>
            {
                self.fields.keyword(field).map_or(0, |keyword| keyword.present().len())
            }
            Filter::Exists { field, exists: true } => {
                self.fields.column(field).map_or(LOOKED_AT, |column| column.present().len())
            }
            Filter::Not(_) | Filter::In { .. } | Filter::Range { .. } | Filter::Exists { .. } => LOOKED_AT,
        }
    }
}

/// A bound of a column; nothing for one of another kind.
fn number(bound: Bound<&Value>) -> Option<Bound<f64>> {
    match bound {
        Bound::Included(Value::Number(number)) => Some(Bound::Included(number.get())),
        Bound::Excluded(Value::Number(number)) => Some(Bound::Excluded(number.get())),
        Bound::Unbounded => Some(Bound::Unbounded),
        _ => None,
    }
}
