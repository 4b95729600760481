//! The patterns of adaptive retrieval in each profile (A2.7.4, A2.7.5, A2.7.7), as data: group, name, language, pattern.
//!
//! A query is trimmed and without its envelope when these see it. "force" makes it retrieve, "skip" lets it go,
//! "exempt" lifts the tests of its length.

use super::super::rule::{Rule, rule};

macro_rules! shell {
    ($rest:literal) => {
        concat!(r"(?i)^(?:run|build|test|ls|cd|git|npm|pip|docker|curl|cat|grep|find|make|sudo)", $rest)
    };
}

macro_rules! greeting {
    ($rest:literal) => {
        concat!(
            r"(?i)^(?:hi|hello|hey|good\s*(?:morning|afternoon|evening|night)|greetings|yo|sup|howdy|what'?s up)\b",
            $rest
        )
    };
}

const MEMORY_WORDS: Rule = rule("force", "memory words", "en", r"(?i)\b(?:remember|recall|forgot|memory|memories)\b");
const PAST: Rule = rule("force", "past", "en", r"(?i)\b(?:last time|before|previously|earlier|yesterday|ago)\b");
const WHAT_DID_WE: Rule =
    rule("force", "what did we", "en", r"(?i)\b(?:what did (?:i|we)|did i (?:tell|say|mention))\b");
const CHINESE_MEMORY: Rule = rule("force", "memory words", "zh", r"你记得|之前|上次|以前|还记得|提到过|说过");

static FORCE: [Rule; 5] = [
    MEMORY_WORDS,
    PAST,
    rule("force", "personal", "en", r"(?i)\bmy (?:name|email|phone|address|birthday|preference)\b"),
    WHAT_DID_WE,
    CHINESE_MEMORY,
];

/// Later: traditional characters, and German.
static LATER_FORCE: [Rule; 2] = [
    rule("force", "memory words", "zh", r"(?:你|妳)記得|還記得|提到過|說過"),
    rule(
        "force",
        "memory words",
        "de",
        concat!(
            r"(?i)\b(?:erinnerst du dich|wei(?:ß|ss)t du noch|was (?:war|ist) mein|letzte(?:s|n) mal|vorher|gestern",
            r"|neulich|merke? dir|habe ich dir gesagt|habe ich erw(?:ä|Ä)hnt)\b"
        ),
    ),
];

const SLASH: Rule = rule("skip", "slash command", "any", r"^/");

const AFFIRMATION: Rule = rule(
    "skip",
    "affirmation",
    "en",
    concat!(
        r"(?i)^(?:yes|no|yep|nope|ok|okay|sure|fine|thanks|thank you|thx|ty|got it|understood|cool|nice|great|good",
        r"|perfect|awesome|👍|👎|✅|❌)\s*[.!]?$"
    ),
);

const CONTINUATION: Rule =
    rule("skip", "continuation", "en", r"(?i)^(?:go ahead|continue|proceed|do it|start|begin|next)\s*[.!]?$");
const CHINESE_CONTINUATION: Rule = rule("skip", "continuation", "zh", r"^(?:实施|开始|继续|好的|可以|行)\s*[.!]?$");
const TRADITIONAL_CONTINUATION: Rule = rule("skip", "continuation", "zh", r"^(?:實施|開始|繼續)\s*[.!]?$");

/// The property holds for digits, `#` and `*` too.
const EMOJI: Rule = rule("skip", "emoji", "any", r"^(?:(?u:\p{Emoji})|\s)+$");
const SYSTEM: Rule = rule("skip", "system", "any", r"(?i)^\[system");
const PING: Rule = rule("skip", "ping", "en", r"(?i)^(?:ping|pong|test|debug)\s*[.!?]?$");

static ORIGINAL_SKIP: [Rule; 9] = [
    rule("skip", "greeting", "en", greeting!("")),
    SLASH,
    rule("skip", "shell word", "en", shell!(r"\b")),
    AFFIRMATION,
    CONTINUATION,
    CHINESE_CONTINUATION,
    EMOJI,
    rule("skip", "heartbeat", "any", r"(?i)^heartbeat"),
    SYSTEM,
];

static BETA_SKIP: [Rule; 11] = [
    rule("skip", "greeting", "en", greeting!("")),
    SLASH,
    rule("skip", "shell word", "en", shell!(r"\b")),
    AFFIRMATION,
    CONTINUATION,
    CHINESE_CONTINUATION,
    TRADITIONAL_CONTINUATION,
    EMOJI,
    rule("skip", "heartbeat", "any", r"(?i)heartbeat"),
    SYSTEM,
    PING,
];

/// Corrected: plurals are personal too.
static OUR_FORCE: [Rule; 5] = [
    MEMORY_WORDS,
    PAST,
    rule("force", "personal", "en", r"(?i)\bmy (?:names?|emails?|phones?|address(?:es)?|birthdays?|preferences?)\b"),
    WHAT_DID_WE,
    CHINESE_MEMORY,
];

/// A question, which no shell command and no greeting is.
const QUESTION: &str = r"\?|？";

/// Corrected: a greeting with at most three words behind it; a shell word with a command behind it, that is at most two
/// words, or a flag or a path among them; emoji with their joiners and without digits.
static OUR_SKIP: [Rule; 12] = [
    rule("skip", "greeting", "en", greeting!(r"\S*(?:\s+\S+){0,3}$")).unless(QUESTION),
    SLASH,
    rule("skip", "short shell command", "en", shell!(r"(?:\s+\S+){0,2}$")).unless(QUESTION),
    rule(
        "skip",
        "shell command",
        "en",
        shell!(r"\s(?:\N*\s)?(?:--?[a-z]|\.{1,2}(?:\s|$)|(?:~|\.{1,2})?/|[\w.-]+/[\w.-]+/)"),
    )
    .unless(QUESTION),
    AFFIRMATION,
    CONTINUATION,
    CHINESE_CONTINUATION,
    TRADITIONAL_CONTINUATION,
    rule("skip", "emoji", "any", r"^(?:(?u:[\p{Emoji}--[#*0-9]]|[\u{200d}\u{20e3}\u{fe0f}])|\s)+$"),
    rule("skip", "heartbeat", "any", r"(?i)^heartbeat\b"),
    SYSTEM,
    PING,
];

/// Corrected: what is short and still asks for something.
static OUR_EXEMPT: [Rule; 2] = [
    rule("exempt", "question", "any", r"(?u:[\p{L}\p{N}])(?s-u:.)*(?:\?|？)"),
    rule("exempt", "number", "any", r"\d{4}"),
];

/// Profile "1.0.11".
pub(super) fn original() -> Vec<Rule> {
    [&FORCE[..], &ORIGINAL_SKIP].concat()
}

/// Profile "1.1.0-beta.11".
pub(super) fn beta() -> Vec<Rule> {
    [&FORCE[..], &LATER_FORCE, &BETA_SKIP].concat()
}

/// Profile "byheart".
pub(super) fn corrected() -> Vec<Rule> {
    [&OUR_FORCE[..], &LATER_FORCE, &OUR_SKIP, &OUR_EXEMPT].concat()
}
