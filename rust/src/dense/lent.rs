//! What lends a row: whoever keeps the vector anyway, so that it is in memory once.

use std::fmt::Debug;

/// Numbers that somebody else keeps, and that never change.
pub trait Lent: Debug + Send + Sync {
    /// The numbers.
    fn values(&self) -> &[f32];
}
