//! What the ingestion gate reads off a text: five sums of patterns that are there (seed 000; A1.6.5 to A1.6.8).

mod tables;

use std::borrow::Cow;
use std::sync::OnceLock;

use regex::bytes::Regex;

use self::tables::Row;
use super::length::TokenUnit;
use super::rule::{Dialect, Rule, Scanner, check_number, check_own};
use crate::error::{Error, Result};

/// The norm of T that stands in for one that is not positive (A1.6.5).
const TECHNICALITY_NORM: f64 = 1.5;

/// As many tokens as P takes its sum of matches as it is; for longer texts it is divided (A1.6.7).
const TOKENS: f64 = 100.0;

const PROFILES: [&str; 2] = ["strict", "1.3.5"];

/// The names of the five signals, in the order of a row's weights.
const SIGNALS: [&str; 5] = ["T", "D_nl", "P", "A", "D_tech"];
const SPECIFICITY: usize = 2;

/// A pattern that a caller adds to one signal.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnSignal {
    /// `"T"`, `"D_nl"`, `"P"`, `"A"` or `"D_tech"`.
    pub signal: String,
    /// What the result calls it.
    pub name: String,
    /// The pattern, in the syntax of the `regex` crate with Unicode classes.
    pub pattern: String,
    /// What it adds: once a match in P, once a text elsewhere; above 0, at most 1.
    pub weight: f64,
}

/// What a text shows. Each sum lies in [0, 1].
#[derive(Debug, Clone, PartialEq)]
pub struct Signals {
    /// T: how likely the text is about technical things.
    pub technicality: f64,
    /// `D_nl`: facts in natural language.
    pub natural_density: f64,
    /// P: technical specificity, by length.
    pub specificity: f64,
    /// A: actions and decisions.
    pub actionability: f64,
    /// `D_tech`: technical structure.
    pub technical_density: f64,
    /// What the gate's estimator makes of the trimmed text; 0 for an empty one.
    pub tokens: usize,
    /// The patterns that are there, in the order of the table: how often those of P match, 1 for the others.
    pub counts: Vec<(String, usize)>,
}

/// The patterns of a profile, and those that a caller added.
///
/// ```
/// use byheart_core::patterns::{GatePatterns, TokenUnit};
/// let signals = GatePatterns::shipped("strict")?.signals("I prefer tea, and/or coffee", 1.5, TokenUnit::Byte)?;
/// assert_eq!((signals.natural_density, signals.technicality), (0.4, 0.0));
/// assert_eq!(signals.counts, [("preference".to_owned(), 1)]);
/// # Ok::<(), byheart_core::Error>(())
/// ```
#[derive(Debug)]
pub struct GatePatterns {
    profile: &'static str,
    weights: Vec<[f64; 5]>,
    scanner: Scanner,
    counters: Vec<Option<Counter>>,
}

/// Counts the matches of one pattern.
#[derive(Debug)]
struct Counter {
    pattern: Regex,
    except: Option<Regex>,
}

impl Counter {
    fn of(rule: &Rule, except: &str) -> Self {
        let compiled = |pattern: &str| Regex::new(&Dialect::Ascii.expand(rule, pattern)).expect("was compiled before");
        Self { pattern: compiled(&rule.pattern), except: (!except.is_empty()).then(|| compiled(except)) }
    }

    fn count(&self, text: &str) -> usize {
        let matches = self.pattern.find_iter(text.as_bytes());
        matches.filter(|found| !self.except.as_ref().is_some_and(|except| except.is_match(found.as_bytes()))).count()
    }
}

impl GatePatterns {
    /// The patterns of a profile ("strict" or "1.3.5") with added ones behind them.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an unknown profile or signal, a bad pattern or weight, [`Error::LimitExceeded`]
    /// for patterns that are too long or too many.
    pub fn new(profile: &str, own: Vec<OwnSignal>) -> Result<Self> {
        let number = profile_number(profile)?;
        check_number(own.len())?;
        let mut built = Self {
            profile: PROFILES[number],
            weights: Vec::new(),
            scanner: Scanner::new(Vec::new(), Dialect::Ascii)?,
            counters: Vec::new(),
        };
        let mut rules = Vec::new();
        for Row { name, weights, pattern, except } in [tables::strict, tables::original][number]() {
            let rule = Rule {
                group: "signal",
                name: Cow::Borrowed(name),
                language: "en",
                pattern: Cow::Borrowed(pattern),
                unless: "",
            };
            rules.push(built.weighed(rule, weights, except));
        }
        for own in own {
            let weights = own_weights(&own)?;
            check_own(&own.name, &own.pattern)?;
            let rule = Rule {
                group: "signal",
                name: own.name.into(),
                language: "own",
                pattern: own.pattern.into(),
                unless: "",
            };
            rules.push(built.weighed(rule, weights, ""));
        }
        built.scanner = Scanner::new(rules, Dialect::Ascii)?;
        Ok(built)
    }

    /// Notes what a rule weighs and, if its matches are counted, how.
    fn weighed(&mut self, rule: Rule, weights: [f64; 5], except: &str) -> Rule {
        let counted = weights[SPECIFICITY] > 0.0 || !except.is_empty();
        self.counters.push(counted.then(|| Counter::of(&rule, except)));
        self.weights.push(weights);
        rule
    }

    /// The patterns of a profile alone, compiled at the first call.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an unknown profile.
    pub fn shipped(profile: &str) -> Result<&'static Self> {
        static SHIPPED: [OnceLock<GatePatterns>; 2] = [const { OnceLock::new() }; 2];
        let number = profile_number(profile)?;
        Ok(SHIPPED[number].get_or_init(|| Self::new(profile, Vec::new()).expect("the shipped patterns compile")))
    }

    /// The name of the profile.
    #[must_use]
    pub fn profile(&self) -> &'static str {
        self.profile
    }

    /// The patterns and what they weigh in T, `D_nl`, P, A and `D_tech`, in the order in which they are added up.
    pub fn rules(&self) -> impl Iterator<Item = (&Rule, [f64; 5])> {
        self.scanner.rules().iter().zip(self.weights.iter().copied())
    }

    /// What a text shows. `norm` divides the sum of T; one that is not positive counts as 1.5.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a norm that is not finite.
    pub fn signals(&self, text: &str, norm: f64, unit: TokenUnit) -> Result<Signals> {
        if !norm.is_finite() {
            return Err(Error::invalid("norm", format!("is {norm}; give a finite number")));
        }
        let norm = if norm > 0.0 { norm } else { TECHNICALITY_NORM };
        let text = text.trim();
        let tokens = if text.is_empty() { 0 } else { unit.tokens(text) };
        let (mut sums, mut counts) = ([0.0; 5], Vec::new());
        for (place, rule) in self.scanner.fired(text) {
            let count = self.counters[place].as_ref().map_or(1, |counter| counter.count(text));
            if count == 0 {
                continue;
            }
            let count = if self.weights[place][SPECIFICITY] > 0.0 { count } else { 1 };
            counts.push((rule.name.to_string(), count));
            for (signal, weight) in self.weights[place].iter().enumerate() {
                sums[signal] += weight * if signal == SPECIFICITY { count as f64 } else { 1.0 };
            }
        }
        let [t, d_nl, p, a, d_tech] = sums;
        Ok(Signals {
            technicality: (t / norm).min(1.0),
            natural_density: d_nl.min(1.0),
            specificity: (p / (tokens as f64 / TOKENS).max(1.0)).min(1.0),
            actionability: a.min(1.0),
            technical_density: d_tech.min(1.0),
            tokens,
            counts,
        })
    }
}

/// An added pattern's weights: one signal has one.
fn own_weights(own: &OwnSignal) -> Result<[f64; 5]> {
    let Some(place) = SIGNALS.iter().position(|&name| name == own.signal) else {
        let why = format!("{:?} is no signal of the gate; use one of {}", own.signal, SIGNALS.join(", "));
        return Err(Error::invalid(format!("signal of pattern {:?}", own.name), why));
    };
    if !(own.weight > 0.0 && own.weight <= 1.0) {
        let why = format!("is {}; it must lie above 0 and not above 1", own.weight);
        return Err(Error::invalid(format!("weight of pattern {:?}", own.name), why));
    }
    let mut weights = [0.0; 5];
    weights[place] = own.weight;
    Ok(weights)
}

fn profile_number(name: &str) -> Result<usize> {
    PROFILES.iter().position(|&profile| profile == name).ok_or_else(|| {
        Error::invalid("profile", format!("{name:?} is no profile of the gate; use one of {}", PROFILES.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signals(profile: &str, text: &str) -> Signals {
        GatePatterns::shipped(profile).unwrap().signals(text, 1.5, TokenUnit::Byte).unwrap()
    }

    fn names(profile: &str, text: &str) -> Vec<(String, usize)> {
        signals(profile, text).counts
    }

    fn counted(pairs: &[(&str, usize)]) -> Vec<(String, usize)> {
        pairs.iter().map(|&(name, count)| (name.to_owned(), count)).collect()
    }

    #[test]
    fn the_original_overfires_and_the_strict_profile_does_not() {
        assert_eq!(names("1.3.5", "and/or"), counted(&[("file path", 1), ("URL or endpoint", 1)]));
        assert_eq!(names("strict", "and/or"), []);
        let both = [("date", 1), ("quantity", 1)];
        assert_eq!(names("strict", "on 10/12/2024."), counted(&both));
        assert_eq!(
            names("1.3.5", "on 10/12/2024."),
            counted(&[("file path", 1), ("URL or endpoint", 1), both[0], both[1]])
        );
        assert_eq!(names("1.3.5", "every egg (two)").len(), 3);
        assert_eq!(names("strict", "every egg (two)"), []);
        assert_eq!(
            names("strict", "ENOENT in f(x), ERR_IO"),
            counted(&[("function definition", 1), ("function reference", 1), ("error code", 2)])
        );
    }

    #[test]
    fn strict_paths_and_endpoints() {
        let path = |count| counted(&[("file path", count)]);
        assert_eq!(names("strict", "src/lib.rs a/b/c and docs/README"), path(2));
        assert_eq!(names("strict", "GET /users"), counted(&[("URL or endpoint", 1)]));
        let both = [("file path", 2), ("URL or endpoint", 2)];
        assert_eq!(names("strict", "/etc/hosts /etc/fstab"), counted(&both));
    }

    #[test]
    fn strict_takes_no_word_of_every_day_for_a_command() {
        let plain = "I go to my yoga class at 7:40 to make tea; order 1234567 was defaced.\n$50 for yarn";
        assert_eq!(names("strict", plain), counted(&[("quantity", 1), ("git reference", 2)]));
        assert!(signals("strict", plain).technicality.abs() < f64::EPSILON);
        assert!(signals("1.3.5", plain).technicality > 0.9);
        let code = "class A {\nmake test at x.py:7 in 1a2b3c4d\n$ ls";
        let found = ["function definition", "shell command", "stack trace", "hash", "quantity", "git reference"];
        assert_eq!(names("strict", code), found.map(|name| (name.to_owned(), 1)));
    }

    #[test]
    fn sums_are_those_of_the_specification() {
        let dinner = signals("1.3.5", "go make dinner");
        assert_eq!((dinner.technicality, dinner.specificity), (0.4 / 1.5, 0.0));
        let early = signals("1.3.5", "every evening we eat early");
        assert_eq!((early.specificity, early.tokens), (1.0, 6));
        let friend = signals("1.3.5", " my friend is here\n");
        assert_eq!((friend.natural_density, friend.tokens), (0.6, 4));
        assert_eq!(signals("strict", " \n").tokens, 0);
        assert_eq!(names("1.3.5", "panic: nil").len(), 0);
    }

    #[test]
    fn own_signals_are_checked_and_added() {
        let own = |signal: &str, weight| OwnSignal {
            signal: signal.into(),
            name: "ticket".into(),
            pattern: r"(?i)ticket-\d+".into(),
            weight,
        };
        let patterns = GatePatterns::new("strict", vec![own("P", 0.25)]).unwrap();
        let found = patterns.signals("Ticket-a TICKET-١ ticket-b", 0.0, TokenUnit::Byte).unwrap();
        assert_eq!((found.specificity, found.counts), (0.25, counted(&[("ticket", 1)])));
        assert!(GatePatterns::new("strict", vec![own("Q", 0.5)]).is_err());
        assert!(GatePatterns::new("strict", vec![own("P", 1.5)]).is_err());
        assert!(GatePatterns::new("strict", vec![own("P", f64::NAN)]).is_err());
        assert!(patterns.signals("a", f64::NAN, TokenUnit::Byte).is_err());
        assert!(GatePatterns::shipped("1.4").is_err());
    }
}
