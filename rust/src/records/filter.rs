//! A filter: which records may be found. It changes no score.
//!
//! A field that no record has, and a value of another kind than asked for, match nothing. `Not` is the complement among the
//! records of the cells, so it matches records without the field; `Range` does not. Of a field with several values one has
//! to match. A range compares numbers with numbers, and texts with texts by their code points.

use std::ops::Bound;

use roaring::RoaringBitmap;

use super::select::Search;
use super::{Directory, Fields, ID, Value};
use crate::error::{Error, Result};

/// The most filters inside each other, the innermost one counted.
pub const MAX_DEPTH: usize = 32;
/// The most values in a filter, and the most parts. Ids do not count: whoever names records may name all there are.
pub const MAX_TERMS: usize = 10_000;

/// A condition on the fields of a record. The field "id" is one that every record has.
#[derive(Debug, Clone, PartialEq)]
pub enum Filter {
    /// All of these; none given: every record.
    And(Vec<Filter>),
    /// One of these; none given: no record.
    Or(Vec<Filter>),
    /// Not this one.
    Not(Box<Filter>),
    /// The field has one of these values.
    In {
        /// Its name.
        field: String,
        /// The values.
        values: Vec<Value>,
    },
    /// The field has a value between these bounds, at least one of which is given.
    Range {
        /// Its name.
        field: String,
        /// The lower bound.
        low: Bound<Value>,
        /// The upper bound.
        high: Bound<Value>,
    },
    /// The record has the field, or has it not.
    Exists {
        /// Its name.
        field: String,
        /// Whether it has.
        exists: bool,
    },
}

impl Filter {
    /// Those records of the cells (their numbers, ascending) that match.
    ///
    /// Records that do not match cost nothing where fields of values decide: the narrowest part of a conjunction is answered
    /// first, and the others look at what is left.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] over [`MAX_DEPTH`] or [`MAX_TERMS`], [`Error::InvalidArgument`] for a range without bounds.
    pub fn matches(&self, directory: &Directory, fields: &Fields, cells: &[u32]) -> Result<RoaringBitmap> {
        self.check()?;
        Ok(Search::new(directory, fields, cells).matches(self, None))
    }

    /// Checks the limits.
    ///
    /// # Errors
    /// As [`Filter::matches`].
    pub fn check(&self) -> Result<()> {
        let (mut parts, mut values) = (0, 0);
        let mut waiting = vec![(self, 1)];
        while let Some((filter, depth)) = waiting.pop() {
            parts += 1;
            if depth > MAX_DEPTH {
                return Err(Error::limit("depth of a filter", MAX_DEPTH, depth));
            }
            match filter {
                Self::And(inner) | Self::Or(inner) => waiting.extend(inner.iter().map(|filter| (filter, depth + 1))),
                Self::Not(inner) => waiting.push((inner, depth + 1)),
                Self::In { field, values: given } => values += if field == ID { 0 } else { given.len() },
                Self::Range { field, low: Bound::Unbounded, high: Bound::Unbounded } => {
                    return Err(Error::invalid("filter", format!("the range of {field:?} has no bound; give one")));
                }
                Self::Range { .. } | Self::Exists { .. } => {}
            }
            for (what, got) in [("parts of a filter", parts + waiting.len()), ("values in a filter", values)] {
                if got > MAX_TERMS {
                    return Err(Error::limit(what, MAX_TERMS, got));
                }
            }
        }
        Ok(())
    }
}
