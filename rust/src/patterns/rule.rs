//! A rule is a named pattern; a scanner asks all rules of a table in one pass over the text.

use std::borrow::Cow;

use regex::bytes::{RegexBuilder, RegexSet, RegexSetBuilder};

use crate::error::{Error, Result};

/// The longest pattern that a caller may add.
pub const MAX_PATTERN_CHARACTERS: usize = 10_000;

/// The most patterns that a caller may add to one table.
pub const MAX_OWN_PATTERNS: usize = 256;

/// The most memory that one added pattern may compile to.
pub const MAX_PATTERN_BYTES: usize = 1 << 20;

/// The most memory of a whole table, and of the states that its automaton keeps at a time.
const MAX_TABLE_BYTES: usize = 32 << 20;
const MAX_STATES_BYTES: usize = 4 << 20;

/// White space of JavaScript, what is none, and what its dot matches: everything but the ends of lines.
const SCRIPT_SPACE: &str =
    r"(?u:[\t-\r \u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}])";
const SCRIPT_OTHER: &str =
    r"(?u:[^\t-\r \u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}])";
const SCRIPT_DOT: &str = r"(?u:[^\n\r\u{2028}\u{2029}])";

/// A named pattern of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// What the rule is part of, such as "denial"; decisions name it.
    pub group: &'static str,
    /// What the rule is called inside its group.
    pub name: Cow<'static, str>,
    /// The language of its words ("en", "zh", "de"), "any" if it has none, "own" if the caller added it.
    pub language: &'static str,
    /// What a text must match.
    pub pattern: Cow<'static, str>,
    /// What it must not match beside that; empty: nothing.
    pub unless: &'static str,
}

/// A row of a shipped table.
pub(super) const fn rule(
    group: &'static str,
    name: &'static str,
    language: &'static str,
    pattern: &'static str,
) -> Rule {
    Rule { group, name: Cow::Borrowed(name), language, pattern: Cow::Borrowed(pattern), unless: "" }
}

impl Rule {
    /// The same row, which a second pattern overrules.
    pub(super) const fn unless(mut self, pattern: &'static str) -> Self {
        self.unless = pattern;
        self
    }

    /// What a decision says: the group and the rule.
    pub(super) fn reason(&self) -> String {
        format!("{}: {}", self.group, self.name)
    }
}

/// A pattern that a caller adds, in the syntax of the `regex` crate with Unicode classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnRule {
    /// What decisions call it.
    pub name: String,
    /// The pattern.
    pub pattern: String,
}

impl OwnRule {
    /// The rule in a table, if its name and pattern are good.
    pub(super) fn checked(self, group: &'static str) -> Result<Rule> {
        check_own(&self.name, &self.pattern)?;
        Ok(Rule { group, name: self.name.into(), language: "own", pattern: self.pattern.into(), unless: "" })
    }
}

/// Refuses more added patterns than a table may have.
pub(super) fn check_number(own: usize) -> Result<()> {
    if own > MAX_OWN_PATTERNS {
        return Err(Error::limit("number of own patterns", MAX_OWN_PATTERNS, own));
    }
    Ok(())
}

/// Refuses an added pattern that is too long, too large, or none.
pub(super) fn check_own(name: &str, pattern: &str) -> Result<()> {
    if name.is_empty() || name.chars().nth(64).is_some() {
        return Err(Error::invalid("name of an own pattern", format!("{name:?} does not have 1 to 64 characters")));
    }
    let length = pattern.chars().count();
    if length > MAX_PATTERN_CHARACTERS {
        return Err(Error::limit(format!("length of pattern {name:?} in characters"), MAX_PATTERN_CHARACTERS, length));
    }
    match RegexBuilder::new(pattern).size_limit(MAX_PATTERN_BYTES).build() {
        Ok(_) => Ok(()),
        Err(regex::Error::CompiledTooBig(limit)) => {
            let why = format!("compiles to more than {limit} bytes; repeat less, or use smaller classes");
            Err(Error::invalid(format!("pattern {name:?}"), why))
        }
        Err(error) => Err(Error::invalid(format!("pattern {name:?}"), last_line(&error.to_string()))),
    }
}

/// The line of a syntax error that says what is wrong; those before it repeat the pattern.
fn last_line(message: &str) -> String {
    let line = message.lines().last().unwrap_or_default();
    format!("is no regular expression ({})", line.strip_prefix("error: ").unwrap_or(line))
}

/// How `\s` and the like are read in a shipped table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// As in JavaScript: `\s` and `\S` know the white space of all scripts, `\N` is all but the ends of lines; the rest
    /// is ASCII. None of the three may stand in a class.
    Script,
    /// Words, digits, white space and case are ASCII's.
    Ascii,
}

impl Dialect {
    /// The pattern as the engine takes it.
    pub(super) fn expand(self, rule: &Rule, pattern: &str) -> String {
        match self {
            _ if rule.language == "own" => pattern.to_owned(),
            Self::Script => {
                let spaced = pattern.replace(r"\s", SCRIPT_SPACE).replace(r"\S", SCRIPT_OTHER);
                format!("(?-u){}", spaced.replace(r"\N", SCRIPT_DOT))
            }
            Self::Ascii => format!("(?-u){pattern}"),
        }
    }
}

/// All rules of a table, compiled into one automaton.
#[derive(Debug)]
pub(super) struct Scanner {
    rules: Vec<Rule>,
    set: RegexSet,
    /// For each rule the place of its second pattern in the set.
    unless: Vec<Option<usize>>,
}

impl Scanner {
    /// Compiles a table.
    pub fn new(rules: Vec<Rule>, dialect: Dialect) -> Result<Self> {
        let mut patterns: Vec<String> = rules.iter().map(|rule| dialect.expand(rule, &rule.pattern)).collect();
        let mut unless = Vec::with_capacity(rules.len());
        for rule in &rules {
            let overruled = !rule.unless.is_empty();
            unless.push(overruled.then_some(patterns.len()));
            if overruled {
                patterns.push(dialect.expand(rule, rule.unless));
            }
        }
        let set = RegexSetBuilder::new(patterns)
            .size_limit(MAX_TABLE_BYTES)
            .dfa_size_limit(MAX_STATES_BYTES)
            .build()
            .map_err(|error| Error::invalid("own patterns", format!("are too large together ({error})")))?;
        Ok(Self { rules, set, unless })
    }

    /// The rules, in the order in which they are tried.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The rules that a text matches, in their order, with their places in the table.
    pub fn fired(&self, text: &str) -> impl Iterator<Item = (usize, &Rule)> {
        let matches = self.set.matches(text.as_bytes());
        self.rules.iter().enumerate().filter(move |&(place, _)| {
            matches.matched(place) && !self.unless[place].is_some_and(|other| matches.matched(other))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(name: &str, pattern: &str) -> Result<Rule> {
        OwnRule { name: name.into(), pattern: pattern.into() }.checked("own")
    }

    #[test]
    fn bad_patterns_are_refused_by_name() {
        let told = |result: Result<Rule>| result.unwrap_err().to_string();
        assert_eq!(told(own("a", "(b")), "pattern \"a\": is no regular expression (unclosed group)");
        assert!(told(own("a", r"(?:\w{100}){100}")).contains("compiles to more than 1048576 bytes"));
        assert!(told(own("a", &"x".repeat(10_001))).contains("10001 is over the limit of 10000"));
        assert!(told(own("", "b")).contains("1 to 64 characters"));
        assert!(told(own("a", "(?=b)")).contains("look-around"));
        assert!(own("a", &"é".repeat(10_000)).is_ok());
        assert!(check_number(257).is_err() && check_number(256).is_ok());
    }

    #[test]
    fn white_space_is_the_dialects() {
        let table = vec![rule("g", "space", "any", r"^a\sb$"), rule("g", "dot", "any", r"^a\Nb$")];
        let scanner = Scanner::new(table.clone(), Dialect::Script).unwrap();
        let names = |text| scanner.fired(text).map(|(_, rule)| rule.name.to_string()).collect::<Vec<_>>();
        assert_eq!(names("a\u{3000}b"), ["space", "dot"]);
        assert_eq!(names("a\u{85}b"), ["dot"]);
        assert_eq!(names("a\u{2028}b"), ["space"]);
        let ascii = Scanner::new(table[..1].to_vec(), Dialect::Ascii).unwrap();
        assert_eq!((ascii.fired("a\u{3000}b").count(), ascii.fired("a\tb").count()), (0, 1));
    }

    #[test]
    fn a_second_pattern_overrules() {
        let scanner = Scanner::new(vec![rule("g", "a", "any", "a").unless("b")], Dialect::Ascii).unwrap();
        assert_eq!((scanner.fired("xa").count(), scanner.fired("ba").count()), (1, 0));
    }
}
