//! What an index is made with, and the bounds of one closure.

use super::rules::{MAX_RULES, Rule};
use crate::error::{Error, Result};
use crate::text::Mode;

/// The most relations an index knows.
pub const MAX_RELATIONS: usize = 1_024;

/// The most rounds of a closure.
pub const MAX_DEPTH: usize = 8;

/// Relations, rules and the way symbols are compared. Checked when made.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    pub(super) mode: Mode,
    pub(super) relations: Vec<String>,
    pub(super) preferred: Vec<bool>, // by relation
    pub(super) rules: Vec<Rule>,
}

impl Settings {
    /// Settings of these relations and rules; proofs of `preferred` relations come first.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for repeated or empty names, a bad rule, a preferred relation that does not exist.
    pub fn new(mode: Mode, relations: Vec<String>, preferred: &[String], rules: Vec<Rule>) -> Result<Self> {
        check_names("relations", relations.iter().map(String::as_str), MAX_RELATIONS)?;
        check_names("rules", rules.iter().map(|rule| rule.id.as_str()), MAX_RULES)?;
        for rule in &rules {
            rule.check(Some(&relations))?;
        }
        if let Some(name) = preferred.iter().find(|name| !relations.contains(name)) {
            return Err(Error::invalid("preferred", format!("the relation {name:?} is unknown")));
        }
        let preferred = relations.iter().map(|name| preferred.contains(name)).collect();
        Ok(Self { mode, relations, preferred, rules })
    }

    /// How symbols are compared.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The relations that facts may name.
    #[must_use]
    pub fn relations(&self) -> &[String] {
        &self.relations
    }

    /// The rules, in the order in which they are tried.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The number of a relation.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for one that does not exist.
    pub(super) fn relation(&self, name: &str) -> Result<u32> {
        let found = self.relations.iter().position(|known| known == name);
        let why = || format!("{name:?} is unknown; there are {}", self.relations.join(", "));
        found.map(|at| at as u32).ok_or_else(|| Error::invalid("relation", why()))
    }
}

fn check_names<'a>(what: &str, names: impl Iterator<Item = &'a str>, limit: usize) -> Result<()> {
    let mut seen: Vec<&str> = names.collect();
    if seen.len() > limit {
        return Err(Error::limit(format!("number of {what}"), limit, seen.len()));
    }
    seen.sort_unstable();
    if let Some(name) = seen.iter().find(|name| name.is_empty() || name.len() > 64) {
        return Err(Error::invalid(what, format!("{name:?} must have 1 to 64 bytes")));
    }
    match seen.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Error::invalid(what, format!("{:?} occurs twice", pair[0]))),
        None => Ok(()),
    }
}

/// Bounds and weights of one closure; the defaults are those of spec B1.41.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Rounds of rules and hops of the neighbourhood, 1 to [`MAX_DEPTH`].
    pub max_depth: usize,
    /// Derived facts at which the closure stops.
    pub max_derived: usize,
    /// Proofs that are looked at, the surest first.
    pub max_proofs: usize,
    /// Facts from which the neighbourhood grows.
    pub max_seeds: usize,
    /// Proofs that count for the records.
    pub max_focused: usize,
    /// Candidates at most.
    pub max_candidates: usize,
    /// How many facts may be held against a premise whose relation and bound sides they fit.
    pub max_attempts: usize,
    /// The least path score that counts.
    pub min_confidence: f64,
    /// What each step of a proof costs.
    pub distance_penalty: f64,
    /// Factor for a conclusion that a query term names.
    pub goal_bonus: f64,
    /// Factor for a proof that rests on a seed.
    pub seed_bonus: f64,
    /// Do derived facts come before stated ones among the `max_proofs`? Stated ones are always surer and would crowd
    /// them out of a large neighbourhood; `false` is the original's letter.
    pub derived_first: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_depth: 3,
            max_derived: 64,
            max_proofs: 32,
            max_seeds: 8,
            max_focused: 12,
            max_candidates: 32,
            max_attempts: 200_000,
            min_confidence: 0.15,
            distance_penalty: 0.25,
            goal_bonus: 1.15,
            seed_bonus: 1.10,
            derived_first: true,
        }
    }
}

impl Options {
    /// Sets a bound by its name, as the binding hands it over; counts are whole, `derived_first` is 0 or 1.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an unknown name or a value outside its range.
    ///
    /// ```
    /// let mut options = byheart_core::symbolic::Options::default();
    /// options.set("max_depth", 1.0)?;
    /// assert!(options.set("max_depth", 0.5).is_err());
    /// # Ok::<(), byheart_core::Error>(())
    /// ```
    pub fn set(&mut self, name: &str, value: f64) -> Result<()> {
        match name {
            "max_depth" => self.max_depth = whole(name, value, MAX_DEPTH)?,
            "max_derived" => self.max_derived = whole(name, value, 4_096)?,
            "max_proofs" => self.max_proofs = whole(name, value, 4_096)?,
            "max_seeds" => self.max_seeds = whole(name, value, 4_096)?,
            "max_focused" => self.max_focused = whole(name, value, 4_096)?,
            "max_candidates" => self.max_candidates = whole(name, value, crate::rank::MAX_K)?,
            "max_attempts" => self.max_attempts = whole(name, value, 100_000_000)?,
            "min_confidence" => self.min_confidence = finite(name, value)?,
            "distance_penalty" => self.distance_penalty = finite(name, value)?,
            "goal_bonus" => self.goal_bonus = finite(name, value)?,
            "seed_bonus" => self.seed_bonus = finite(name, value)?,
            "derived_first" => self.derived_first = value != 0.0,
            _ => return Err(Error::invalid("options", format!("{name:?} is unknown"))),
        }
        Ok(())
    }
}

#[allow(clippy::cast_sign_loss, clippy::float_cmp)] // whole and within range
fn whole(name: &str, value: f64, limit: usize) -> Result<usize> {
    if value.trunc() != value || !(1.0..=limit as f64).contains(&value) {
        return Err(Error::invalid(name, format!("is {value}; it must be a whole number from 1 to {limit}")));
    }
    Ok(value as usize)
}

fn finite(name: &str, value: f64) -> Result<f64> {
    if !(0.0..=1e6).contains(&value) {
        return Err(Error::invalid(name, format!("is {value}; it must lie between 0 and 1,000,000")));
    }
    Ok(value)
}
