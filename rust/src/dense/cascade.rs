//! The seed's way through the tiers: leave at the first whose best score exceeds its threshold (spec A1.4.3-8).

use super::ladder::Ladder;
use crate::error::{Error, Result};

/// Thresholds of the seed's version, for three tiers (spec A1.4.4).
const SEED: [f64; 2] = [0.92, 0.80];

/// What a best score has to do to its threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitRule {
    /// Exceed it, as the seed says (spec D-2).
    Strict,
    /// Reach it, as the original's code does.
    AtLeast,
}

impl ExitRule {
    /// `strict` or `at_least`.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for any other name.
    ///
    /// ```
    /// use byheart_core::dense::ExitRule;
    /// assert!(!ExitRule::from_name("strict")?.leaves(Some(0.92), 0.92));
    /// assert!(ExitRule::from_name("at_least")?.leaves(Some(0.92), 0.92));
    /// # Ok::<(), byheart_core::Error>(())
    /// ```
    pub fn from_name(name: &str) -> Result<Self> {
        match name {
            "strict" => Ok(Self::Strict),
            "at_least" => Ok(Self::AtLeast),
            _ => Err(Error::invalid("exit_rule", format!("{name:?} is neither \"strict\" nor \"at_least\""))),
        }
    }

    /// True if a tier with this best score ends the search; a tier that holds nothing never does.
    #[must_use]
    pub fn leaves(self, best: Option<f64>, threshold: f64) -> bool {
        best.is_some_and(|best| match self {
            Self::Strict => best > threshold,
            Self::AtLeast => best >= threshold,
        })
    }
}

/// When the search ends before the last tier.
#[derive(Debug, Clone, PartialEq)]
pub struct Exit {
    thresholds: Vec<f64>,
    rule: ExitRule,
}

impl Exit {
    /// These thresholds, one for each tier but the last; without any, the seed's for three tiers.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for another number of them, and for one that is not finite.
    pub fn new(ladder: &Ladder, thresholds: Option<&[f64]>, rule: ExitRule) -> Result<Self> {
        let wanted = ladder.last();
        let thresholds = match thresholds {
            Some(thresholds) => thresholds,
            None if wanted == SEED.len() => &SEED,
            None => &[],
        };
        if thresholds.len() != wanted || !thresholds.iter().all(|threshold| threshold.is_finite()) {
            let why =
                format!("is {thresholds:?}; this index needs {wanted} finite numbers, one for each tier but the last");
            return Err(Error::invalid("thresholds", why));
        }
        Ok(Self { thresholds: thresholds.to_vec(), rule })
    }
}

/// A tier that was looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Visit {
    /// Its number, counted from 1.
    pub tier: usize,
    /// How many dimensions it looks at.
    pub dimensions: usize,
    /// The best score in it; 0 if it holds nothing.
    pub best: f64,
    /// True if the search ended here because of that score.
    pub exited: bool,
    /// Records in it.
    pub rows: u64,
}

/// Walks down the tiers and answers which were visited; the last of these is the one that answers.
///
/// `spent` says whether the time is used up; it is asked before every tier but the last, and if so the last comes
/// next. `best_of` gives the best score of a tier (counted from 0) and how many records are in it.
///
/// ```
/// use byheart_core::dense::{Exit, ExitRule, Ladder, descend};
/// let ladder = Ladder::new(768, None)?;
/// let exit = Exit::new(&ladder, None, ExitRule::Strict)?;
/// let visits = descend(&ladder, &exit, || false, |tier| (Some([0.92, 0.81, 0.7][tier]), 9));
/// assert_eq!(visits.iter().map(|visit| visit.tier).collect::<Vec<_>>(), [1, 2]);
/// # Ok::<(), byheart_core::Error>(())
/// ```
pub fn descend(
    ladder: &Ladder,
    exit: &Exit,
    mut spent: impl FnMut() -> bool,
    mut best_of: impl FnMut(usize) -> (Option<f64>, u64),
) -> Vec<Visit> {
    let mut visits = Vec::new();
    let mut visit = |tier: usize, threshold: Option<f64>| {
        let (best, rows) = best_of(tier);
        let exited = threshold.is_some_and(|threshold| exit.rule.leaves(best, threshold));
        visits.push(Visit {
            tier: tier + 1,
            dimensions: ladder.tiers()[tier],
            best: best.unwrap_or(0.0),
            exited,
            rows,
        });
        exited
    };
    for (tier, &threshold) in exit.thresholds.iter().enumerate() {
        if spent() {
            break;
        }
        if visit(tier, Some(threshold)) {
            return visits;
        }
    }
    visit(ladder.last(), None);
    visits
}
