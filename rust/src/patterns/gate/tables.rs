//! The patterns of the ingestion gate in its two profiles (A1.6, decision D-12), as data.
//!
//! A row: name, weights in T, `D_nl`, P, A and `D_tech` (0: not part of it), pattern. Words, digits, white space and
//! boundaries are ASCII's. In P a row counts once a match, elsewhere once a text.

/// A pattern and what it weighs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub name: &'static str,
    /// In the order T, `D_nl`, P, A, `D_tech`.
    pub weights: [f64; 5],
    pub pattern: &'static str,
    /// A match that fits this whole is none; empty: all count.
    pub except: &'static str,
}

const fn row(name: &'static str, weights: [f64; 5], pattern: &'static str) -> Row {
    Row { name, weights, pattern, except: "" }
}

/// How likely a text is about technical things.
const fn t(weight: f64) -> [f64; 5] {
    [weight, 0.0, 0.0, 0.0, 0.0]
}

/// Density of facts in natural language.
const fn d(weight: f64) -> [f64; 5] {
    [0.0, weight, 0.0, 0.0, 0.0]
}

/// Technical specificity.
const fn p(weight: f64) -> [f64; 5] {
    [0.0, 0.0, weight, 0.0, 0.0]
}

/// Actions and decisions.
const fn a(weight: f64) -> [f64; 5] {
    [0.0, 0.0, 0.0, weight, 0.0]
}

/// Density of technical structure.
const fn k(weight: f64) -> [f64; 5] {
    [0.0, 0.0, 0.0, 0.0, weight]
}

const PATH: [f64; 5] = [0.4, 0.0, 0.4, 0.0, 0.0];
const ENDPOINT: [f64; 5] = [0.3, 0.0, 0.3, 0.0, 0.0];
const DEFINITION: [f64; 5] = [0.4, 0.0, 0.0, 0.0, 0.4];

/// What both profiles share.
const COMMON: [Row; 18] = [
    row("code fence", t(0.5), r"(?s)```.+?```"),
    row("shell command", t(0.4), r"(?m)^\s*\$|\b(?:git|npm|pnpm|yarn|go|docker|make|kubectl)\b"),
    row("stack trace", t(0.5), r"(?i)\b(?:panic:|goroutine \d+|stack trace|traceback|exception:|at [^\s:]+:\d+)\b"),
    row("hash", t(0.3), r"\b(?:[0-9a-f]{7,40}|0x[0-9A-Fa-f]+)\b"),
    row("date", d(0.3), r"\b(?:\d{4}-\d{2}-\d{2}|\d{1,2}/\d{1,2}/\d{2,4})\b"),
    row("quantity", d(0.2), r"\b\d+(?:\.\d+)?\b"),
    row(
        "human name",
        d(0.3),
        r"(?i)\b(?:(?:mr|mrs|ms|dr|prof)\.?|my (?:manager|teammate|friend|colleague))\s+[a-z]{2,}\b",
    ),
    row("preference", d(0.4), r"(?i)\b(?:i (?:prefer|like|love|enjoy)|my favorite)\b"),
    row("fact assertion", d(0.3), r"(?i)\b(?:i work at|my [a-z]+ is|i live in|i am|i have)\b"),
    row("git reference", p(0.4), r"\b(?:[0-9a-f]{7,40}|HEAD|main|master|origin/[\w./-]+)\b"),
    row(
        "decision",
        a(0.5),
        r"(?i)\b(?:switched to|use [^\n]+ instead|migrated to|replaced with|decided to|standardize on)\b",
    ),
    row("resolution", a(0.4), r"(?i)\b(?:fixed|resolved|patched|corrected|unblocked)\b"),
    row("milestone", a(0.3), r"(?i)\b(?:deployed|merged|released|shipped|rolled out)\b"),
    row("configuration", a(0.4), r"(?i)\b(?:set \w+ to|configured|configuration changed|env(?:ironment)? var)\b"),
    row("data structure", k(0.3), r"(?i)\b(?:struct|interface|type|enum|map\[)\b"),
    row("dependency", k(0.3), r"(?i)\b(?:import|require|go\.mod|package\.json|dependency|depends on)\b"),
    row("test case", k(0.2), r"(?i)\b(?:func test\w+|(?:it|describe|test)\()\b"),
    row("doc comment", k(0.2), r"(?m)^\s*//|/\*\*|///"),
];

/// Rows as the original has them: any two segments are a path, any word before a parenthesis a function, any longer
/// word that begins with an e an error code.
const ORIGINAL: [Row; 5] = [
    row("file path", PATH, r"(?:\./|\.\./|/)?[\w.-]+(?:/[\w.-]+)+"),
    row("function definition", DEFINITION, r"\b(?:func|def|class)\b|\b[A-Za-z_]\w*\s*\("),
    row("URL or endpoint", ENDPOINT, r"https?://[^\s]+|/[A-Za-z0-9._~/-]+"),
    row("function reference", p(0.3), r"\b[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?\s*\("),
    row("error code", p(0.5), r"(?i)\b(?:err_\w+|e\w{2,}|http\s+[45]\d{2}|[45]\d{2})\b"),
];

/// The same, strictly: a path has two slashes or an extension and is no date, an endpoint begins a word, no space stands
/// before the parenthesis of a function, a class has a name and a body, error codes are capitals.
const STRICT: [Row; 5] = [
    Row {
        name: "file path",
        weights: PATH,
        pattern: r"(?:\.{1,2}/|/)[\w.-]+(?:/[\w.-]+)+|[\w.-]+(?:/[\w.-]+){2,}|[\w.-]+/[\w-]+(?:\.\w+)+\b",
        except: r"^(?:\d{1,2}/\d{1,2}/\d{2,4}|\d{4}/\d{1,2}/\d{1,2})[.-]*$",
    },
    row(
        "function definition",
        DEFINITION,
        r"\b(?:func|def|class)\s+\w+(?:\s*[(:{<]|\s+(?:extends|implements)\b)|\b[A-Za-z_]\w*\(",
    ),
    row("URL or endpoint", ENDPOINT, r#"https?://[^\s]+|(?:^|[\s"'`(=,])/[A-Za-z0-9._~/-]+"#),
    row("function reference", p(0.3), r"\b[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?\("),
    row("error code", p(0.5), r"\b(?:ERR_[A-Z0-9_]+|E[A-Z0-9_]{2,}|HTTP\s+[45]\d{2}|[45]\d{2})\b"),
];

/// Rows that stand for shared ones of their name, strictly: "go", "make" and "yarn" are commands with what they do, "$50"
/// is a price, "at 7:40" a time of day, and what is a number or a word alone no hash.
const STRICTER: [Row; 3] = [
    row(
        "shell command",
        t(0.4),
        concat!(
            r"(?m)^\s*\$\s+[A-Za-z./]|\b(?:git|npm|pnpm|docker|kubectl",
            r"|go (?:build|fmt|generate|get|install|mod|run|test|tool|vet)",
            r"|make (?:-\w+|all|build|check|clean|install|lint|test)",
            r"|yarn (?:add|build|dev|install|remove|run|start|test|upgrade))\b",
        ),
    ),
    Row {
        name: "stack trace",
        weights: t(0.5),
        pattern: r"(?i)\b(?:panic:|goroutine \d+|stack trace|traceback|exception:|at [^\s:]+:\d+)\b",
        except: r"(?i)^at \d{1,2}:\d{1,2}$",
    },
    Row {
        name: "hash",
        weights: t(0.3),
        pattern: r"\b(?:[0-9a-f]{7,40}|0x[0-9A-Fa-f]+)\b",
        except: r"^(?:\d+|[a-f]+)$",
    },
];

/// Profile "1.3.5".
pub(super) fn original() -> Vec<Row> {
    [&ORIGINAL[..], &COMMON].concat()
}

/// Profile "strict".
pub(super) fn strict() -> Vec<Row> {
    let shared = COMMON.iter().map(|row| *STRICTER.iter().find(|own| own.name == row.name).unwrap_or(row));
    STRICT.iter().copied().chain(shared).collect()
}
