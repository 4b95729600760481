//! The noise patterns of each profile (A2.6.4 to A2.6.6), as data: group, name, language, pattern.
//!
//! `\s` and `\N` are JavaScript's (see `rule::Dialect`); words, boundaries and case are ASCII's.

use super::super::rule::{Rule, rule};

/// What an agent says that found nothing, anywhere in a text.
static DENIALS: [Rule; 8] = [
    rule("denial", "has no information", "en", r"(?i)i don'?t have (?:any )?(?:information|data|memory|record)"),
    rule("denial", "is not sure", "en", r"(?i)i'?m not sure about"),
    rule("denial", "does not recall", "en", r"(?i)i don'?t recall"),
    rule("denial", "does not remember", "en", r"(?i)i don'?t remember"),
    rule("denial", "looks like it does not", "en", r"(?i)it looks like i don'?t"),
    rule("denial", "could not find", "en", r"(?i)i wasn'?t able to find"),
    rule("denial", "no memories found", "en", r"(?i)no (?:relevant )?memories found"),
    rule("denial", "has no access", "en", r"(?i)i don'?t have access to"),
];

/// Questions about the memory itself, anywhere. The longer one goes first, or nobody would hear of it.
static META: [Rule; 5] = [
    rule("meta", "do you remember", "en", r"(?i)\bdo you (?:remember|recall|know about)\b"),
    rule("meta", "can you remember", "en", r"(?i)\bcan you (?:remember|recall)\b"),
    rule("meta", "what did I tell", "en", r"(?i)\bwhat did i (?:tell|say|mention)\b"),
    rule("meta", "did I tell", "en", r"(?i)\bdid i (?:tell|mention|say|share)\b"),
    rule("meta", "have I told", "en", r"(?i)\bhave i (?:told|mentioned|said)\b"),
];

/// What opens a session, at the start of a text, even inside a word.
static BOILERPLATE: [Rule; 3] = [
    rule("boilerplate", "greeting", "en", r"(?i)^(?:hi|hello|hey|good morning|good evening|greetings)"),
    rule("boilerplate", "new session", "en", r"(?i)^(?:fresh|new) session"),
    rule("boilerplate", "heartbeat", "any", r"(?i)^heartbeat"),
];

/// Later questions about the memory, in Chinese.
static CHINESE_META: [Rule; 9] = [
    rule("meta", "if you know, only answer", "zh", r"如果你知道\N+只回复"),
    rule("meta", "if you do not, only answer none", "zh", r"(?i)如果不知道\N+只回复\s*none"),
    rule("meta", "only answer the code name", "zh", r"只回复精确代号"),
    rule("meta", "only answer none", "zh", r"(?i)只回复\s*none"),
    rule("meta", "do you remember", "zh", r"你(?:还)?记得"),
    rule("meta", "remember or not", "zh", r"记不记得"),
    rule("meta", "still remember", "zh", r"还记得\N*吗"),
    rule("meta", "do you know", "zh", r"你(?:知|晓)道\N+吗"),
    rule("meta", "have I said", "zh", r"我(?:之前|上次|以前)(?:说|提|讲)\N*(?:吗|呢|？|\?)"),
];

/// Complaints about the memory.
static FRUSTRATION: [Rule; 5] = [
    rule(
        "frustration",
        "you never remember",
        "en",
        r"(?i)\byou (?:never|don'?t|do not|can'?t|cannot) (?:remember|recall|get|understand)\b",
    ),
    rule(
        "frustration",
        "why do you forget",
        "en",
        r"(?i)\bwhy (?:do|can) you (?:keep )?(?:forget|not remember|never remember)\b",
    ),
    rule(
        "frustration",
        "did you understand",
        "en",
        r"(?i)\bdid you (?:get|understand) what i (?:said|told you|meant)\b",
    ),
    rule("frustration", "what changed", "en", r"(?i)^what (?:just )?changed\??\s*$"),
    rule(
        "frustration",
        "memory is broken",
        "en",
        r"(?i)\bwhy (?:is|are) (?:my|the) memor(?:y|ies) (?:wrong|missing|broken|not working)\b",
    ),
];

/// What extraction leaves behind when there was nothing to extract; no switch lets it through.
static DIAGNOSTIC: [Rule; 3] = [
    rule(
        "diagnostic",
        "query without an answer",
        "en",
        r"(?i)\bquery\s*->\s*(?:none|no explicit solution|unknown|not found)\b",
    ),
    rule(
        "diagnostic",
        "user asked in vain",
        "en",
        r"(?i)\buser asked for\b\N*\b(?:none|no explicit solution|unknown|not found)\b",
    ),
    rule("diagnostic", "no explicit solution", "en", r"(?i)\bno explicit solution\b"),
];

/// The corrected denials: a typographic apostrophe is one too.
static OUR_DENIALS: [Rule; 8] = [
    rule("denial", "has no information", "en", r"(?i)i don(?:'|’)?t have (?:any )?(?:information|data|memory|record)"),
    rule("denial", "is not sure", "en", r"(?i)i(?:'|’)?m not sure about"),
    rule("denial", "does not recall", "en", r"(?i)i don(?:'|’)?t recall"),
    rule("denial", "does not remember", "en", r"(?i)i don(?:'|’)?t remember"),
    rule("denial", "looks like it does not", "en", r"(?i)it looks like i don(?:'|’)?t"),
    rule("denial", "could not find", "en", r"(?i)i wasn(?:'|’)?t able to find"),
    rule("denial", "no memories found", "en", r"(?i)no (?:relevant )?memories found"),
    rule("denial", "has no access", "en", r"(?i)i don(?:'|’)?t have access to"),
];

/// A question at the start, after at most two words of address.
macro_rules! our_meta {
    ($question:literal) => {
        concat!(r"(?i)^(?:(?:hey|hi|hello|so|ok|okay|and|but|well|please)(?:\s|,|!|\.)+){0,2}", $question, r"\b")
    };
}

/// The corrected questions: only where they begin the text; inside a fact they are part of the fact.
static OUR_META: [Rule; 5] = [
    rule("meta", "do you remember", "en", our_meta!("do you (?:remember|recall|know about)")),
    rule("meta", "can you remember", "en", our_meta!("can you (?:remember|recall)")),
    rule("meta", "what did I tell", "en", our_meta!("what did i (?:tell|say|mention)")),
    rule("meta", "did I tell", "en", our_meta!("did i (?:tell|mention|say|share)")),
    rule("meta", "have I told", "en", our_meta!("have i (?:told|mentioned|said)")),
];

/// What greets.
macro_rules! greeting {
    () => {
        "(?:hi|hello|hey|hiya|greetings|good (?:morning|afternoon|evening|day|night))"
    };
}

/// What stands between the words of a greeting, and around them.
macro_rules! sign {
    () => {
        r"(?:\s|[,.!?;:~-])"
    };
}

/// A message that greets and does nothing else: greetings, whom they are for, and at the end one word, such as a name.
const WHOLE_GREETING: &str = concat!(
    "(?i)^",
    greeting!(),
    "(?:",
    sign!(),
    "+(?:",
    greeting!(),
    "|there|again|all|everyone|everybody|folks|guys|team|world|today|how are you(?: doing)?|how(?:'|’)?s it going",
    "|what(?:'|’)?s up|nice to (?:meet|see) you))*(?:",
    sign!(),
    "+[a-z]+)?",
    sign!(),
    "*$"
);

/// The corrected openings: whole words, and no greeting that goes on to say something.
static OUR_BOILERPLATE: [Rule; 3] = [
    rule("boilerplate", "greeting", "en", WHOLE_GREETING),
    rule("boilerplate", "new session", "en", r"(?i)^(?:fresh|new) session\b"),
    rule("boilerplate", "heartbeat", "any", r"(?i)^heartbeat\b"),
];

/// Profile "1.0.11".
pub(super) fn original() -> Vec<Rule> {
    [&DENIALS[..], &META, &BOILERPLATE].concat()
}

/// Profile "1.1.0-beta.11".
pub(super) fn beta() -> Vec<Rule> {
    [&DENIALS[..], &META, &CHINESE_META, &FRUSTRATION, &BOILERPLATE, &DIAGNOSTIC].concat()
}

/// Profile "byheart".
pub(super) fn corrected() -> Vec<Rule> {
    [&OUR_DENIALS[..], &OUR_META, &OUR_BOILERPLATE].concat()
}
