//! Noise: what an agent says that knows nothing, questions about the memory, and greetings (seed 001, A2.6).

mod tables;

use std::sync::OnceLock;

use super::length::{LengthUnit, is_cjk, is_script_space};
use super::rule::{Dialect, OwnRule, Rule, Scanner, check_number};
use crate::error::{Error, Result};

/// A shorter text is noise, whatever it says.
const SHORTEST: usize = 5;

/// So many characters of Chinese, Japanese or Korean can say something (decision D-24).
const SHORTEST_CJK: usize = 2;

const PROFILES: [&str; 3] = ["byheart", "1.0.11", "1.1.0-beta.11"];

/// Which groups of rules count; the length and the diagnostic rules always do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switches {
    /// What an agent says that found nothing.
    pub denials: bool,
    /// Questions and complaints about the memory.
    pub meta: bool,
    /// Greetings and openings of a session.
    pub boilerplate: bool,
}

impl Default for Switches {
    fn default() -> Self {
        Self { denials: true, meta: true, boilerplate: true }
    }
}

impl Switches {
    fn allow(self, group: &str) -> bool {
        match group {
            "denial" => self.denials,
            "meta" | "frustration" => self.meta,
            "boilerplate" => self.boilerplate,
            _ => true,
        }
    }
}

/// The noise rules of a profile, and those that a caller added.
///
/// ```
/// use byheart_core::patterns::{NoiseFilter, Switches};
/// let filter = NoiseFilter::shipped("byheart")?;
/// let reason = |text| filter.reason(text, Switches::default(), None);
/// assert_eq!(reason("Do you remember me?").as_deref(), Some("meta: do you remember"));
/// assert_eq!(reason("His name is Bob"), None);
/// # Ok::<(), byheart_core::Error>(())
/// ```
#[derive(Debug)]
pub struct NoiseFilter {
    profile: &'static str,
    scanner: Scanner,
}

impl NoiseFilter {
    /// The rules of a profile ("byheart", "1.0.11", "1.1.0-beta.11") with added ones behind them.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an unknown profile or a bad pattern, [`Error::LimitExceeded`] for patterns that
    /// are too long or too many.
    pub fn new(profile: &str, own: Vec<OwnRule>) -> Result<Self> {
        let number = profile_number(profile)?;
        check_number(own.len())?;
        let mut rules = [tables::corrected, tables::original, tables::beta][number]();
        for rule in own {
            rules.push(rule.checked("own")?);
        }
        Ok(Self { profile: PROFILES[number], scanner: Scanner::new(rules, Dialect::Script)? })
    }

    /// The rules of a profile alone, compiled at the first call.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an unknown profile.
    pub fn shipped(profile: &str) -> Result<&'static Self> {
        static SHIPPED: [OnceLock<NoiseFilter>; 3] = [const { OnceLock::new() }; 3];
        let number = profile_number(profile)?;
        Ok(SHIPPED[number].get_or_init(|| Self::new(profile, Vec::new()).expect("the shipped patterns compile")))
    }

    /// The name of the profile.
    #[must_use]
    pub fn profile(&self) -> &'static str {
        self.profile
    }

    /// The rules, in the order in which they are tried.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        self.scanner.rules()
    }

    /// Why a text is noise: "group: rule" of the first rule that fires; `None` if it is not.
    ///
    /// A length is counted in the profile's own unit if none is given: code points for "byheart", UTF-16 units, as in
    /// the system they describe, for the others.
    #[must_use]
    pub fn reason(&self, text: &str, switches: Switches, unit: Option<LengthUnit>) -> Option<String> {
        let text = text.trim_matches(is_script_space);
        if self.is_too_short(text, unit) {
            return Some(format!("length: below {SHORTEST}"));
        }
        let (_, rule) = self.scanner.fired(text).find(|(_, rule)| switches.allow(rule.group))?;
        Some(rule.reason())
    }

    fn is_too_short(&self, text: &str, unit: Option<LengthUnit>) -> bool {
        let ours = self.profile == PROFILES[0];
        let unit = unit.unwrap_or(if ours { LengthUnit::CodePoint } else { LengthUnit::Utf16 });
        let short = unit.length_up_to(text, SHORTEST) < SHORTEST;
        short && !(ours && text.chars().filter(|&c| is_cjk(c)).count() >= SHORTEST_CJK)
    }
}

fn profile_number(name: &str) -> Result<usize> {
    PROFILES.iter().position(|&profile| profile == name).ok_or_else(|| {
        Error::invalid("profile", format!("{name:?} is no profile of noise; use one of {}", PROFILES.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(profile: &str, text: &str) -> Option<String> {
        NoiseFilter::shipped(profile).unwrap().reason(text, Switches::default(), None)
    }

    #[test]
    fn the_corrected_profile_keeps_facts() {
        let facts = [
            "His name is Bob",
            "Hiking is my hobby",
            "History of the outage: disk filled up",
            "Highlights: the demo went well",
            "Heyerdahl sailed west",
            "Bob asked: did I mention the budget?",
            "hey Jude is my favourite song",
            "Hi, I'm Anna and live in Ghent",
            "Hi Anna, my flight is on Tuesday",
            "hello, flight on Tuesday",
            "hello 你好，我的航班是星期二",
            "good morning to all: server moved",
            "喝茶",
        ];
        for fact in facts {
            assert_eq!(reason("byheart", fact), None, "{fact}");
        }
    }

    #[test]
    fn the_corrected_profile_drops_noise() {
        for (text, told) in [
            ("hi there", "boilerplate: greeting"),
            ("Good morning!", "boilerplate: greeting"),
            ("Hello there, how are you today?", "boilerplate: greeting"),
            ("hi Anna!", "boilerplate: greeting"),
            ("Hello... good evening everyone", "boilerplate: greeting"),
            ("HEARTBEAT", "boilerplate: heartbeat"),
            ("So, did I mention the budget?", "meta: did I tell"),
            ("Sorry, I don’t have any information", "denial: has no information"),
            (" ok \u{feff}", "length: below 5"),
            ("喝", "length: below 5"),
            ("", "length: below 5"),
        ] {
            assert_eq!(reason("byheart", text).as_deref(), Some(told), "{text}");
        }
    }

    #[test]
    fn switches_let_groups_through_and_own_rules_have_none() {
        let own = OwnRule { name: "ticket".into(), pattern: r"^TICKET-\d+$".into() };
        let filter = NoiseFilter::new("1.1.0-beta.11", vec![own]).unwrap();
        let none = Switches { denials: false, meta: false, boilerplate: false };
        assert_eq!(filter.reason("hello, you never remember: I don't recall", none, None), None);
        assert_eq!(filter.reason("query -> none", none, None).unwrap(), "diagnostic: query without an answer");
        assert_eq!(filter.reason("TICKET-12", none, None).unwrap(), "own: ticket");
        assert_eq!(filter.reason("👍👍👍", none, Some(LengthUnit::CodePoint)).unwrap(), "length: below 5");
        assert_eq!(filter.reason("👍👍👍", none, None), None);
        assert!(NoiseFilter::shipped("1.0").is_err());
    }
}
