//! What a text looks like, told by patterns: noise, a query that needs no memory, signals of the ingestion gate.
//!
//! Law: every pattern runs in linear time (the `regex` crate has no backtracking), so a decision costs what the text is
//! long, whatever somebody wrote into it. Patterns are data, in one table a profile; a caller may add some. Every
//! decision says which rule made it.
//!
//! Not a classifier: it knows words and their places, no meaning.

mod adaptive;
mod finding;
mod gate;
mod length;
mod noise;
mod rule;

pub use adaptive::{AdaptiveRetrieval, Decision, MAX_MIN_LENGTH};
pub use finding::{FREE_STEPS, Finder, Finds, STEPS_PER_BYTE, find_spans, finder};
pub use gate::{GatePatterns, OwnSignal, Signals};
pub use length::{LengthUnit, TokenUnit};
pub use noise::{NoiseFilter, Switches};
pub use rule::{MAX_OWN_PATTERNS, MAX_PATTERN_BYTES, MAX_PATTERN_CHARACTERS, OwnRule, Rule};
