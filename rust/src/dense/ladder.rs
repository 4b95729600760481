//! The tiers of an index: how many dimensions each looks at.

use std::ops::Range;

use crate::error::{Error, Result};

/// The most dimensions a vector may have.
pub const MAX_DIMENSIONS: usize = 4_096;

/// The most tiers an index may have.
pub const MAX_TIERS: usize = 8;

/// The tiers of the seed, for vectors of 768 dimensions.
const SEED: [usize; 3] = [64, 256, 768];

/// Growing numbers of dimensions; the last is that of the vectors (spec A1.4.1).
///
/// ```
/// use byheart_core::dense::Ladder;
/// assert_eq!(Ladder::new(768, None)?.tiers(), [64, 256, 768]);
/// assert_eq!(Ladder::new(384, None)?.tiers(), [384]);
/// assert_eq!(Ladder::new(384, Some(&[128, 384]))?.tiers(), [128, 384]);
/// assert!(Ladder::new(384, Some(&[64, 256, 768])).is_err());
/// # Ok::<(), byheart_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ladder {
    tiers: Vec<usize>,
}

impl Ladder {
    /// The tiers given; without any, those of the seed for 768 dimensions and a single one otherwise.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] or [`Error::LimitExceeded`] for no or too many dimensions or tiers, tiers that do
    /// not grow, and a last tier that is not as wide as the vectors.
    pub fn new(dimensions: usize, tiers: Option<&[usize]>) -> Result<Self> {
        if dimensions == 0 {
            return Err(Error::invalid("dimensions", "is 0; a vector has at least one"));
        }
        if dimensions > MAX_DIMENSIONS {
            return Err(Error::limit("dimensions", MAX_DIMENSIONS, dimensions));
        }
        let tiers = match tiers {
            Some(tiers) => tiers.to_vec(),
            None if dimensions == SEED[2] => SEED.to_vec(),
            None => vec![dimensions],
        };
        if tiers.len() > MAX_TIERS {
            return Err(Error::limit("number of tiers", MAX_TIERS, tiers.len()));
        }
        if tiers.last() != Some(&dimensions) || tiers[0] == 0 || !tiers.is_sorted_by(|a, b| a < b) {
            let why = format!("is {tiers:?}; tiers grow from at least 1, and the last is {dimensions}, the dimensions");
            return Err(Error::invalid("tiers", why));
        }
        Ok(Self { tiers })
    }

    /// The dimensions of each tier.
    #[must_use]
    pub fn tiers(&self) -> &[usize] {
        &self.tiers
    }

    /// The dimensions of a vector.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.tiers[self.last()]
    }

    /// The number of the last tier, counted from 0.
    #[must_use]
    pub fn last(&self) -> usize {
        self.tiers.len() - 1
    }

    /// The dimensions that each tier adds to the one before.
    pub(super) fn blocks(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = std::iter::once(0).chain(self.tiers.iter().copied());
        starts.zip(&self.tiers).map(|(start, &end)| start..end)
    }

    /// The first block after which a bound is worth looking at. Before a quarter of the dimensions the rest can
    /// still outweigh everything.
    pub(super) fn first_check(&self) -> usize {
        let quarter = self.dimensions().div_ceil(4);
        self.tiers.iter().position(|&tier| tier >= quarter).unwrap_or(self.last())
    }
}
