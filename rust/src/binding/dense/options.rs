//! The keywords of a search in tiers, checked.

use pyo3::prelude::*;

use crate::binding::convert;
use crate::dense::{Exit, ExitRule, Ladder, Mode, Options};
use crate::error::{Error, Result};
use crate::rank::MAX_K;

/// The keywords as they came.
pub struct Given<'a, 'py> {
    pub k: Option<&'a Bound<'py, PyAny>>,
    pub cells: Option<&'a Bound<'py, PyAny>>,
    pub among: Option<&'a Bound<'py, PyAny>>,
    pub mode: &'a str,
    pub thresholds: Option<Vec<f64>>,
    pub exit_rule: &'a str,
    pub rescore: &'a str,
    pub time_budget_ms: Option<f64>,
    pub shortlist: Option<&'a Bound<'py, PyAny>>,
}

/// What they ask for.
pub struct Asked {
    pub cells: Option<Vec<String>>,
    pub among: Option<Vec<String>>,
    k: usize,
    pub mode: Mode,
}

impl Given<'_, '_> {
    /// Checks every keyword, those of other modes too: a wrong one is an error whatever the mode.
    ///
    /// # Errors
    /// `TypeError`, `InvalidArgument` or `LimitExceeded` naming the keyword.
    pub fn read(self, ladder: &Ladder) -> PyResult<Asked> {
        let (k, cells) = (convert::count_or(self.k, "k", 10, MAX_K)?, convert::cells(self.cells)?);
        let among = convert::texts_or_none(self.among, "among")?;
        let shortlist =
            self.shortlist.map(|value| convert::count(value, "shortlist", u32::MAX as usize)).transpose()?;
        let rescore = rescores(self.rescore)?;
        let budget = checked_budget(self.time_budget_ms)?;
        let rule = ExitRule::from_name(self.exit_rule)?;
        let wants_exit = self.mode == "early_exit" || self.thresholds.is_some();
        let exit = wants_exit.then(|| Exit::new(ladder, self.thresholds.as_deref(), rule)).transpose()?;
        let mode = match (self.mode, exit) {
            ("exact", _) => Mode::Exact,
            ("early_exit", Some(exit)) => Mode::EarlyExit { exit, rescore, budget },
            ("approx", _) => Mode::Approximate { shortlist },
            (other, _) => {
                let why = format!("{other:?} is none of \"exact\", \"early_exit\" and \"approx\"");
                return Err(Error::invalid("mode", why).into());
            }
        };
        Ok(Asked { cells, among, k, mode })
    }
}

impl Asked {
    /// For the core, with a clock.
    pub fn options<'o>(&'o self, clock: &'o (dyn Fn() -> f64 + Sync)) -> Options<'o> {
        Options { k: self.k, mode: &self.mode, clock }
    }
}

fn rescores(name: &str) -> Result<bool> {
    match name {
        "full" => Ok(true),
        "tier" => Ok(false),
        _ => Err(Error::invalid("rescore", format!("{name:?} is neither \"full\" nor \"tier\""))),
    }
}

fn checked_budget(budget: Option<f64>) -> Result<Option<f64>> {
    match budget {
        Some(budget) if budget.is_nan() || budget < 0.0 => {
            Err(Error::invalid("time_budget_ms", format!("is {budget}; give milliseconds from 0, or None")))
        }
        other => Ok(other),
    }
}
