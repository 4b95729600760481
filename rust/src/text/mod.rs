//! Text becomes terms: fold, cut, drop stop words, stem.
//!
//! Law: the terms of a text are a pure function of the text and of the analyzer's name, which index headers carry.
//! The ASCII shortcuts inside may only be faster, never different. Of languages other than English there are words, character
//! pairs, and stems beside the terms (`inflection`); of English how common a term is (`ordinary`). Not here: sentences.

mod analyzer;
mod fold;
mod ideographic;
mod inflection;
mod listed;
mod opened;
mod ordinary;
mod parts;
mod phrases;
mod porter;
mod segment;
mod stems;
mod stop_words;

pub use analyzer::{Analyzer, MAX_TERM_BYTES, Mode, Scratch, StopWords};
pub use ideographic::is_ideographic;
pub use inflection::Inflected;
pub use opened::opened;
pub use ordinary::{ORDINARY_TEXTS, ordinary_texts};
pub use parts::{for_each_name_in_capitals, for_each_word, push_beside, push_parts};
pub use phrases::{MAX_PHRASES, Phrases};
pub use porter::{porter_stem, stem_in_place};
pub use stop_words::{STOP_WORDS, is_stop_word};

#[cfg(test)]
mod tests;
