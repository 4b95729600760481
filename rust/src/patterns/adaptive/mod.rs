//! Adaptive retrieval: queries that need no look into the memory (seed 001, A2.7).

mod envelope;
mod tables;

use std::sync::OnceLock;

use envelope::Envelope;

use super::length::{LengthUnit, is_cjk};
use super::rule::{Dialect, OwnRule, Rule, Scanner, check_number};
use crate::error::{Error, Result};

/// The largest `min_length` that a caller may ask for.
pub const MAX_MIN_LENGTH: usize = 1_000_000;

/// A shorter query is skipped before any skip rule is asked.
const SHORTEST: usize = 5;

/// A shorter query is skipped if no rule fired and it is no question; the second holds if a character is CJK.
const SHORT: usize = 15;
const SHORT_CJK: usize = 6;

const PROFILES: [&str; 3] = ["byheart", "1.0.11", "1.1.0-beta.11"];

/// Whether to retrieve, and what decided it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The query needs no memory.
    pub skip: bool,
    /// "group: rule" of what decided: "force: past", "skip: greeting", "length: below 15", "default: long enough".
    pub reason: String,
}

impl Decision {
    fn new(skip: bool, reason: impl Into<String>) -> Self {
        Self { skip, reason: reason.into() }
    }
}

/// The rules of a profile, and those that a caller added.
///
/// ```
/// use byheart_core::patterns::AdaptiveRetrieval;
/// let rules = AdaptiveRetrieval::shipped("byheart")?;
/// assert_eq!(rules.decide("good morning", None, None)?.reason, "skip: greeting");
/// assert!(!rules.decide("what did we decide?", None, None)?.skip);
/// # Ok::<(), byheart_core::Error>(())
/// ```
#[derive(Debug)]
pub struct AdaptiveRetrieval {
    profile: &'static str,
    scanner: Scanner,
}

impl AdaptiveRetrieval {
    /// The rules of a profile ("byheart", "1.0.11", "1.1.0-beta.11") with added ones behind them: those that force a
    /// look into the memory, and those that skip it.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an unknown profile or a bad pattern, [`Error::LimitExceeded`] for patterns that
    /// are too long or too many.
    pub fn new(profile: &str, force: Vec<OwnRule>, skip: Vec<OwnRule>) -> Result<Self> {
        let number = profile_number(profile)?;
        check_number(force.len() + skip.len())?;
        let mut rules = [tables::corrected, tables::original, tables::beta][number]();
        let own = force.into_iter().map(|rule| ("force", rule)).chain(skip.into_iter().map(|rule| ("skip", rule)));
        for (group, rule) in own {
            rules.push(rule.checked(group)?);
        }
        Ok(Self { profile: PROFILES[number], scanner: Scanner::new(rules, Dialect::Script)? })
    }

    /// The rules of a profile alone, compiled at the first call.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an unknown profile.
    pub fn shipped(profile: &str) -> Result<&'static Self> {
        static SHIPPED: [OnceLock<AdaptiveRetrieval>; 3] = [const { OnceLock::new() }; 3];
        let number = profile_number(profile)?;
        Ok(SHIPPED[number]
            .get_or_init(|| Self::new(profile, Vec::new(), Vec::new()).expect("the shipped patterns compile")))
    }

    /// The name of the profile.
    #[must_use]
    pub fn profile(&self) -> &'static str {
        self.profile
    }

    /// The rules, in the order in which they are tried; a rule of the group "force" goes before all others.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        self.scanner.rules()
    }

    /// Whether a query needs the memory, in the order of A2.7.1.
    ///
    /// `min_length` takes the place of 15 and 6. A length is counted in the profile's own unit if none is given: code
    /// points for "byheart", UTF-16 units for the others. In "byheart" a question, or a number of four digits, is
    /// never skipped for its length.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] for a `min_length` above [`MAX_MIN_LENGTH`].
    pub fn decide(&self, query: &str, min_length: Option<usize>, unit: Option<LengthUnit>) -> Result<Decision> {
        if let Some(asked) = min_length.filter(|&asked| asked > MAX_MIN_LENGTH) {
            return Err(Error::limit("min_length", MAX_MIN_LENGTH, asked));
        }
        let ours = self.profile == PROFILES[0];
        let envelope = if self.profile == PROFILES[1] { Envelope::Original } else { Envelope::Later };
        let query = envelope.stripped(query);
        let fired: Vec<&Rule> = self.scanner.fired(&query).map(|(_, rule)| rule).collect();
        let first = |group| fired.iter().find(|rule| rule.group == group);
        if let Some(rule) = first("force") {
            return Ok(Decision::new(false, rule.reason()));
        }
        let exempt = first("exempt");
        let unit = unit.unwrap_or(if ours { LengthUnit::CodePoint } else { LengthUnit::Utf16 });
        let below = |limit| unit.length_up_to(&query, limit) < limit;
        if exempt.is_none() && below(SHORTEST) {
            return Ok(Decision::new(true, format!("length: below {SHORTEST}")));
        }
        if let Some(rule) = first("skip") {
            return Ok(Decision::new(true, rule.reason()));
        }
        if let Some(rule) = exempt {
            return Ok(Decision::new(false, rule.reason()));
        }
        let limit = min_length.unwrap_or(if query.contains(is_cjk) { SHORT_CJK } else { SHORT });
        if below(limit) && !query.contains(['?', '？']) {
            return Ok(Decision::new(true, format!("length: below {limit}")));
        }
        Ok(Decision::new(false, "default: nothing speaks against it"))
    }
}

fn profile_number(name: &str) -> Result<usize> {
    PROFILES.iter().position(|&profile| profile == name).ok_or_else(|| {
        let why = format!("{name:?} is no profile of adaptive retrieval; use one of {}", PROFILES.join(", "));
        Error::invalid("profile", why)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(profile: &str, query: &str) -> String {
        AdaptiveRetrieval::shipped(profile).unwrap().decide(query, None, None).unwrap().reason
    }

    #[test]
    fn the_corrected_profile_retrieves_what_the_original_missed() {
        for (query, ours, original) in [
            ("find the decision we took on caching", "default: nothing speaks against it", "skip: shell word"),
            ("test the login flow", "default: nothing speaks against it", "skip: shell word"),
            ("端口?", "exempt: question", "length: below 5"),
            ("12345", "exempt: number", "skip: emoji"),
            ("hello, which port does staging use?", "exempt: question", "skip: greeting"),
            ("my preferences", "force: personal", "length: below 15"),
            ("hello, plan the launch for next quarter", "default: nothing speaks against it", "skip: greeting"),
        ] {
            assert_eq!(
                (reason("byheart", query).as_str(), reason("1.0.11", query).as_str()),
                (ours, original),
                "{query}"
            );
        }
    }

    #[test]
    fn the_corrected_profile_skips_what_needs_no_memory() {
        for (query, told) in [
            ("grep -rn foo src and tests", "skip: shell command"),
            ("make clean all", "skip: short shell command"),
            ("docker compose up --build", "skip: shell command"),
            ("cat one two three /etc/hosts", "skip: shell command"),
            ("hey there, quick one", "skip: greeting"),
            ("❤️ 👩\u{200d}💻 ok", "length: below 15"),
            ("❤️ 👩\u{200d}💻", "skip: emoji"),
            ("??", "length: below 5"),
            ("[cron:1] ping-pong", "length: below 15"),
        ] {
            assert_eq!(reason("byheart", query), told, "{query}");
        }
    }

    #[test]
    fn own_rules_and_lengths_count() {
        let own = |name: &str, pattern: &str| OwnRule { name: name.into(), pattern: pattern.into() };
        let force = vec![own("ticket", r"(?i)ticket-\d+")];
        let rules = AdaptiveRetrieval::new("1.0.11", force, vec![own("weather", r"\bweather\b")]).unwrap();
        let reason = |query, length| rules.decide(query, length, None).unwrap().reason;
        assert_eq!(reason("/TICKET-1", None), "force: ticket");
        assert_eq!(reason("and what about the weather?", None), "skip: weather");
        assert_eq!(reason("Postgres port", Some(8)), "default: nothing speaks against it");
        assert_eq!(reason("Postgres port", Some(40)), "length: below 40");
        assert!(rules.decide("a", Some(MAX_MIN_LENGTH + 1), None).is_err());
    }
}
