//! The row of a record: the index's own, or lent by whoever keeps the vector anyway, so that it is in memory once.

use std::fmt::Debug;
use std::sync::Arc;

/// Numbers that somebody else keeps, and that never change.
pub trait Lent: Debug + Send + Sync {
    /// The numbers.
    fn values(&self) -> &[f32];
}

/// A row, divided by its length.
#[derive(Debug, Clone)]
pub(super) enum Row {
    Own(Box<[f32]>),
    Lent(Arc<dyn Lent>),
}

impl Row {
    /// The row of these values; lent, if what is offered is the same to the last bit.
    pub fn new(values: Box<[f32]>, offered: Option<Arc<dyn Lent>>) -> Self {
        let same = |lent: &[f32]| {
            lent.len() == values.len() && lent.iter().zip(&values).all(|(one, other)| one.to_bits() == other.to_bits())
        };
        match offered.filter(|lent| same(lent.values())) {
            Some(lent) => Self::Lent(lent),
            None => Self::Own(values),
        }
    }

    /// Its numbers.
    pub fn values(&self) -> &[f32] {
        match self {
            Self::Own(values) => values,
            Self::Lent(lent) => lent.values(),
        }
    }

    /// True if somebody else keeps it.
    pub fn is_lent(&self) -> bool {
        matches!(self, Self::Lent(_))
    }
}
