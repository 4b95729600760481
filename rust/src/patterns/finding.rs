//! Where a pattern that a policy brings stands in a text: all places, from left to right, none of which overlap.
//!
//! Law: every step is counted, and a pattern that needs more steps than a fixed number for each byte is given up with
//! an error. One search is linear by construction (no backtracking), all searches together are not: a pattern such as
//! `.*[^A]|A` looks at the whole rest of the text for each of its finds. So the forward automaton is walked here, byte by
//! byte; the way back from the end of a find never leaves the find's own stretch.
//!
//! `\d`, `\w` and `\b` are ASCII's, as in JavaScript: one automaton then knows every text.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use regex_automata::hybrid::dfa::{Cache, Config, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};
use regex_syntax::ast::{self, Ast};

use super::rule::{MAX_PATTERN_BYTES, MAX_PATTERN_CHARACTERS};
use crate::error::{Error, Result};

/// The steps that a search may take for each byte of a text, beside `FREE_STEPS`.
pub const STEPS_PER_BYTE: usize = 64;

/// The steps that any search may take: for short texts nothing is given up.
pub const FREE_STEPS: usize = 1 << 20;

/// The most memory of the states that an automaton keeps at a time.
const MAX_STATES_BYTES: usize = 2 << 20;

/// How many compiled patterns are kept.
const MAX_KEPT: usize = 256;

/// How deep groups and classes may be nested.
const MAX_DEPTH: u32 = 100;

static KEPT: LazyLock<Mutex<HashMap<String, Arc<Finder>>>> = LazyLock::new(Mutex::default);

/// The finder of a pattern, compiled once.
///
/// # Errors
/// As [`Finder::new`].
pub fn finder(pattern: &str) -> Result<Arc<Finder>> {
    let kept = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = kept().get(pattern) {
        return Ok(Arc::clone(found));
    }
    let made = Arc::new(Finder::new(pattern)?); // outside the lock: others need not wait for it
    let mut all = kept();
    if all.len() >= MAX_KEPT {
        all.clear();
    }
    all.insert(pattern.to_owned(), Arc::clone(&made));
    Ok(made)
}

/// The places of a pattern in a text, in code points.
///
/// # Errors
/// As [`Finder::new`] and [`Finder::find`].
pub fn find_spans(pattern: &str, text: &str) -> Result<Vec<(usize, usize)>> {
    let found = finder(pattern)?.find(text)?.spans;
    if text.is_ascii() {
        return Ok(found);
    }
    let (mut at, mut counted) = (0, 0);
    let mut count_to = |place: usize| {
        counted += text[at..place].chars().count();
        at = place;
        counted
    };
    Ok(found.into_iter().map(|(start, end)| (count_to(start), count_to(end))).collect())
}

/// What a search found, in bytes, and the steps that it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finds {
    /// Start and end of each, in order.
    pub spans: Vec<(usize, usize)>,
    /// How often an automaton moved by a byte.
    pub steps: usize,
}

/// A pattern, compiled to walk forwards to the end of a find, and back to its start.
#[derive(Debug)]
pub struct Finder {
    forward: DFA,
    backward: DFA,
    caches: Mutex<Vec<(Cache, Cache)>>,
}

impl Finder {
    /// Compiles a pattern in the syntax of the `regex` crate.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] if it has more than 10,000 characters; [`Error::InvalidArgument`] if it is no such
    /// pattern, as those with look-around or back-references are none, or compiles to too much.
    pub fn new(pattern: &str) -> Result<Self> {
        let length = pattern.chars().count();
        if length > MAX_PATTERN_CHARACTERS {
            return Err(Error::limit("length of the pattern in characters", MAX_PATTERN_CHARACTERS, length));
        }
        let read = with_ascii_classes(pattern)?;
        let build = |backwards: bool| {
            let kind = if backwards { MatchKind::All } else { MatchKind::LeftmostFirst };
            let config =
                Config::new().match_kind(kind).cache_capacity(MAX_STATES_BYTES).skip_cache_capacity_check(true);
            let limited = thompson::Config::new().reverse(backwards).nfa_size_limit(Some(MAX_PATTERN_BYTES));
            DFA::builder()
                .configure(config)
                .thompson(limited)
                .syntax(syntax::Config::new().nest_limit(2 * MAX_DEPTH))
                .build(&read)
                .map_err(|error| refused(&innermost(&error)))
        };
        Ok(Self { forward: build(false)?, backward: build(true)?, caches: Mutex::default() })
    }

    /// All places of the pattern in a text; those of no length are passed over.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] if the pattern needs more steps for this text than there may be.
    pub fn find(&self, text: &str) -> Result<Finds> {
        let held = self.caches.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let (mut ahead, mut back) = held.unwrap_or_else(|| (self.forward.create_cache(), self.backward.create_cache()));
        let found = self.walk(text, &mut ahead, &mut back);
        self.caches.lock().unwrap_or_else(PoisonError::into_inner).push((ahead, back));
        found
    }

    fn walk(&self, text: &str, ahead: &mut Cache, back: &mut Cache) -> Result<Finds> {
        let most = FREE_STEPS.saturating_add(text.len().saturating_mul(STEPS_PER_BYTE));
        let mut found = Finds { spans: Vec::new(), steps: 0 };
        let mut at = 0;
        while at < text.len() {
            let Some(end) = self.next_end(text.as_bytes(), at, most, &mut found.steps, ahead)? else { break };
            let input = Input::new(text).range(at..end).anchored(Anchored::Yes);
            found.steps += end - at;
            let start =
                self.backward.try_search_rev(back, &input).map_err(|_| given_up())?.map_or(end, |half| half.offset());
            if start < end {
                found.spans.push((start, end));
                at = end;
            } else {
                at = end + text[end..].chars().next().map_or(1, char::len_utf8);
            }
        }
        Ok(found)
    }

    /// The end of the leftmost find that starts at a place or behind it.
    fn next_end(
        &self,
        text: &[u8],
        at: usize,
        most: usize,
        steps: &mut usize,
        cache: &mut Cache,
    ) -> Result<Option<usize>> {
        let dfa = &self.forward;
        let mut state = dfa.start_state_forward(cache, &Input::new(text).range(at..)).map_err(|_| given_up())?;
        let mut end = None;
        for (place, &byte) in text.iter().enumerate().skip(at) {
            *steps += 1;
            if *steps > most {
                return Err(Error::limit("steps of the pattern in this text", most, *steps));
            }
            state = dfa.next_state(cache, state, byte).map_err(|_| given_up())?;
            if state.is_tagged() {
                if state.is_match() {
                    end = Some(place); // an automaton says so one byte late
                } else if state.is_dead() {
                    return Ok(end);
                } else if state.is_quit() {
                    return Err(given_up());
                }
            }
        }
        state = dfa.next_eoi_state(cache, state).map_err(|_| given_up())?;
        Ok(if state.is_match() { Some(text.len()) } else { end })
    }
}

/// The pattern with `\d`, `\w` and `\b` spelled out as ASCII's.
fn with_ascii_classes(pattern: &str) -> Result<String> {
    let mut parser = ast::parse::ParserBuilder::new().nest_limit(MAX_DEPTH).build();
    let tree = parser.parse(pattern).map_err(|error| refused(&error.kind().to_string()))?;
    let mut places = ast::visit(&tree, Spelled { pattern, places: Vec::new() })?;
    places.sort_unstable();
    let mut read = String::with_capacity(pattern.len());
    let mut last = 0;
    for (start, end, meant) in places {
        read.push_str(&pattern[last..start]);
        read.push_str(meant);
        last = end;
    }
    read.push_str(&pattern[last..]);
    Ok(read)
}

/// What is spelled out: start and end in the pattern, and what is put there.
struct Spelled<'a> {
    pattern: &'a str,
    places: Vec<(usize, usize, &'static str)>,
}

impl Spelled<'_> {
    fn class(&mut self, class: &ast::ClassPerl) {
        let meant = match (&class.kind, class.negated) {
            (ast::ClassPerlKind::Digit, false) => "[0-9]",
            (ast::ClassPerlKind::Digit, true) => "[^0-9]",
            (ast::ClassPerlKind::Word, false) => "[0-9A-Za-z_]",
            (ast::ClassPerlKind::Word, true) => "[^0-9A-Za-z_]",
            (ast::ClassPerlKind::Space, _) => return, // of all scripts
        };
        self.places.push((class.span.start.offset, class.span.end.offset, meant));
    }

    fn assertion(&mut self, assertion: &ast::Assertion) -> Result<()> {
        let meant = match assertion.kind {
            ast::AssertionKind::WordBoundary => r"(?-u:\b)",
            ast::AssertionKind::StartLine
            | ast::AssertionKind::EndLine
            | ast::AssertionKind::StartText
            | ast::AssertionKind::EndText => return Ok(()),
            _ => return Err(refused(r"of word boundaries there is \b alone")),
        };
        if !self.pattern.is_ascii() {
            return Err(refused(r"\b knows words of ASCII alone, and the pattern has other letters: leave it out"));
        }
        self.places.push((assertion.span.start.offset, assertion.span.end.offset, meant));
        Ok(())
    }
}

impl ast::Visitor for Spelled<'_> {
    type Output = Vec<(usize, usize, &'static str)>;
    type Err = Error;

    fn finish(self) -> Result<Self::Output> {
        Ok(self.places)
    }

    fn visit_pre(&mut self, node: &Ast) -> Result<()> {
        match node {
            Ast::ClassPerl(class) => self.class(class),
            Ast::Assertion(assertion) => self.assertion(assertion)?,
            _ => {}
        }
        Ok(())
    }

    fn visit_class_set_item_pre(&mut self, item: &ast::ClassSetItem) -> Result<()> {
        if let ast::ClassSetItem::Perl(class) = item {
            self.class(class);
        }
        Ok(())
    }
}

fn refused(why: &str) -> Error {
    Error::invalid("pattern", format!("is none that can be used ({why})"))
}

fn given_up() -> Error {
    Error::invalid("pattern", "its automaton gave up on this text; use a simpler pattern")
}

/// What is at the bottom of an error: those above say no more than where it came from.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut last = error;
    while let Some(next) = last.source() {
        last = next;
    }
    let message = last.to_string();
    let line = message.lines().last().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(pattern: &str, text: &str) -> Vec<(usize, usize)> {
        Finder::new(pattern).unwrap().find(text).unwrap().spans
    }

    fn told(pattern: &str) -> String {
        Finder::new(pattern).unwrap_err().to_string()
    }

    #[test]
    fn finds_stand_from_left_to_right() {
        assert_eq!(found(r"a+", "baac a"), [(1, 3), (5, 6)]);
        assert_eq!(found(r"(?i)emp-\d{3}", "EMP-123, emp-45, Emp-678"), [(0, 7), (17, 24)]);
        assert_eq!(found(r"社員\d+", "社員12と社員3"), [(0, 8), (11, 18)]);
        assert_eq!(found(r"a|ab", "ab"), [(0, 1)], "the first alternative, as everywhere");
        assert_eq!(found(r"^b$|c\z", "b\nb c"), [(4, 5)]);
        assert_eq!(found(r"(?m)^b$", "b\nb"), [(0, 1), (2, 3)]);
        assert_eq!(found(r"x*", "ax界xx"), [(1, 2), (5, 7)], "what has no length hides nothing");
        assert_eq!(found("a", ""), []);
    }

    #[test]
    fn classes_are_those_of_ascii() {
        assert_eq!(found(r"\d+", "１２ 34 ٣"), [(7, 9)]);
        assert_eq!(found(r"[\d-]+", "１-2"), [(3, 5)]);
        assert_eq!(found(r"[^\D5]", "56界"), [(1, 2)]);
        assert_eq!(found(r"\w+", "aé_9"), [(0, 1), (3, 5)]);
        assert_eq!(found(r"\b\d+\b", "号12 a34 56"), [(3, 5), (10, 12)]);
        assert_eq!(found(r"a\sb", "a\u{3000}b"), [(0, 5)]);
        assert_eq!(found(r"\\d", r"\d5"), [(0, 2)], "a backslash of its own");
    }

    #[test]
    fn what_is_none_is_told() {
        assert!(told("(?=a)b").contains("look-around"));
        assert!(told("(?<!a)b").contains("look-around"));
        assert!(told(r"(a)\1").contains("backreferences"));
        assert!(told("(a").contains("unclosed group"));
        assert!(told(r"a\Bb").contains(r"\b alone"));
        assert!(told(r"\b社").contains("leave it out"));
        assert!(told(r"(?:[0-9a-f]{200}){200}").contains("limit"), "{}", told(r"(?:[0-9a-f]{200}){200}"));
        assert!(told(&"x".repeat(10_001)).contains("10001 is over the limit of 10000"));
        assert!(told(&format!("{}{}", "(".repeat(200), ")".repeat(200))).contains("nest"));
        assert!(Finder::new(&"é".repeat(10_000)).is_ok());
    }

    #[test]
    fn steps_are_bounded_by_the_length() {
        let greedy = Finder::new(r".*[^A]|A").unwrap();
        let short = "A".repeat(1_000);
        assert_eq!(greedy.find(&short).unwrap().spans.len(), 1_000);
        let long = "A".repeat(200_000);
        let error = greedy.find(&long).unwrap_err().to_string();
        assert!(error.contains("steps of the pattern in this text"), "{error}");
        for (pattern, text) in [
            (r"(?i)[A-Z0-9._%+-]+@[A-Z0-9.-]+\.[A-Z]{2,}", "a@".repeat(50_000)),
            (r"(a+)+b", "a".repeat(100_000)),
            (r"\+?\d[\d\-\s]{7,}\d", "12 ".repeat(40_000)),
            (r"(x|xx|xxx)*y", "x".repeat(100_000)),
            ("EMP-[0-9]{6}", "EMP-123456 ".repeat(10_000)),
        ] {
            let steps = Finder::new(pattern).unwrap().find(&text).unwrap().steps;
            assert!(steps <= 4 * text.len(), "{pattern}: {steps} steps for {} bytes", text.len());
        }
    }

    #[test]
    fn places_count_code_points() {
        assert_eq!(find_spans(r"\d+", "界界12é3").unwrap(), [(2, 4), (5, 6)]);
        assert_eq!(find_spans("b", "abab").unwrap(), [(1, 2), (3, 4)]);
        assert!(find_spans("(", "").is_err());
    }

    #[test]
    fn compiled_patterns_are_kept_and_not_without_end() {
        let one = finder("kept-[0-9]").unwrap();
        assert!(Arc::ptr_eq(&one, &finder("kept-[0-9]").unwrap()));
        for number in 0..2 * MAX_KEPT {
            finder(&format!("kept-{number}")).unwrap();
        }
        assert!(KEPT.lock().unwrap().len() <= MAX_KEPT);
        assert!(finder("(").is_err());
    }

    proptest! {
        #[test]
        fn any_pattern_is_refused_or_finds_what_the_crate_finds(
            pattern in r"(\(|\)|\||\*|\+|\?|\[|\]|\^|\$|\.|a|b|é|-|\{2\}|\\d|\\w|\\b|\\s|\(\?i\)|\(\?:|\\1|\(\?=){0,9}",
            text in "[ab1é_ \n-]{0,24}",
        ) {
            if let Ok(made) = Finder::new(&pattern) {
                let read = with_ascii_classes(&pattern).unwrap();
                let other = regex::Regex::new(&read).unwrap();
                let expected: Vec<_> = other
                    .find_iter(&text)
                    .map(|each| (each.start(), each.end()))
                    .filter(|(start, end)| start < end)
                    .collect();
                prop_assert_eq!(made.find(&text).unwrap().spans, expected);
            }
        }

        #[test]
        fn no_pattern_panics(pattern in r"\PC{0,40}", text in r"\PC{0,40}") {
            if let Ok(made) = Finder::new(&pattern) {
                prop_assert!(made.find(&text).is_ok());
            }
        }
    }
}
