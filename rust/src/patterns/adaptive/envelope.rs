//! What a host wraps around a prompt, taken off before a query is judged (A2.7.2).

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::super::length::is_script_space;
use super::super::rule::{Dialect, rule};

/// What one version of the original takes off, and in which order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Envelope {
    /// The cron mark, then a header; of what follows the header, only the first paragraph behind a blank line.
    Original,
    /// Every block from a header to its blank line, then the cron mark, then a time stamp.
    Later,
}

static CRON: LazyLock<Regex> = LazyLock::new(|| compiled(r"(?i)^\[cron:[^\]]+\]\s*"));
static HEADER: LazyLock<Regex> = LazyLock::new(|| compiled(r"(?i)^conversation info \(untrusted metadata\):\s*"));
static BLANK_LINE: LazyLock<Regex> = LazyLock::new(|| compiled(r"\n\s*\n"));
static HEADER_BLOCK: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"(?ism)^(?:conversation info|sender) \(untrusted metadata\):.*?\n\s*\n"));
static STAMP: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"(?i)^\[[a-z]{3}\s\d{4}-\d{2}-\d{2}\s\d{2}:\d{2}\s[^\]]+\]\s*"));

fn compiled(pattern: &'static str) -> Regex {
    Regex::new(&Dialect::Script.expand(&rule("envelope", "", "any", pattern), pattern)).expect("a shipped pattern")
}

impl Envelope {
    /// The query inside.
    pub fn stripped(self, query: &str) -> String {
        let query = trim(query);
        match self {
            Self::Original => {
                let query = trim(without(&CRON, query));
                let Some(header) = HEADER.find(query.as_bytes()) else { return query.to_owned() };
                let body = &query[header.end()..];
                let mut paragraphs = paragraphs(body);
                let first = paragraphs.next().unwrap_or_default();
                trim(paragraphs.next().unwrap_or(first)).to_owned()
            }
            Self::Later => {
                let unwrapped = HEADER_BLOCK.replace_all(query.as_bytes(), &b""[..]);
                let unwrapped = String::from_utf8_lossy(&unwrapped);
                trim(without(&STAMP, trim(without(&CRON, trim(&unwrapped))))).to_owned()
            }
        }
    }
}

fn trim(text: &str) -> &str {
    text.trim_matches(is_script_space)
}

/// The text behind what the pattern finds at its start.
fn without<'a>(pattern: &Regex, text: &'a str) -> &'a str {
    pattern.find(text.as_bytes()).map_or(text, |found| &text[found.end()..])
}

/// The parts of a text between its blank lines.
fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let whole = rest?;
        let Some(gap) = BLANK_LINE.find(whole.as_bytes()) else { return rest.take() };
        rest = Some(&whole[gap.end()..]);
        Some(&whole[..gap.start()])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_original_keeps_the_first_paragraph_behind_a_header() {
        let stripped = |query| Envelope::Original.stripped(query);
        assert_eq!(stripped(" [CRON:a b] run it "), "run it");
        assert_eq!(stripped("Conversation info (untrusted metadata):\n{}\n\none\n \ntwo"), "one");
        assert_eq!(stripped("conversation INFO (untrusted metadata): all of it"), "all of it");
        assert_eq!(stripped("[cron:1]\nConversation info (untrusted metadata):\nx\n\ny"), "y");
        assert_eq!(stripped("Sender (untrusted metadata):\nfoo\n\nok"), "Sender (untrusted metadata):\nfoo\n\nok");
    }

    #[test]
    fn the_later_one_keeps_everything_behind_headers() {
        let stripped = |query| Envelope::Later.stripped(query);
        assert_eq!(stripped("Sender (untrusted metadata):\nfoo\n\none\n\ntwo"), "one\n\ntwo");
        assert_eq!(
            stripped("Sender (untrusted metadata): no blank line"),
            "Sender (untrusted metadata): no blank line"
        );
        assert_eq!(stripped("[cron:1 x] [Mon 2026-03-02 04:21 GMT+8] hi"), "hi");
        let two = "Conversation info (untrusted metadata):\na\n\nSender (untrusted metadata):\nb\n\nc";
        assert_eq!(stripped(two), "c");
        assert_eq!(stripped("[mon 2026-03-02 04:21] hi"), "[mon 2026-03-02 04:21] hi");
    }
}
