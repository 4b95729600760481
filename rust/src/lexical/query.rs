//! A query as terms, in order, repetitions kept.

use super::settings::{MAX_QUERY_BYTES, MAX_QUERY_TERMS, Settings};
use crate::error::{Error, Result};
use crate::text::Scratch;

/// The terms of a query, one after another in one string.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    text: String,
    ends: Vec<u32>,
}

impl Query {
    /// Analyses a text as the index analyses its documents.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] for a text over 1 MB or more than 4,096 distinct terms.
    pub fn from_text(settings: &Settings, text: &str) -> Result<Self> {
        if text.len() > MAX_QUERY_BYTES {
            return Err(Error::limit("query length in bytes", MAX_QUERY_BYTES, text.len()));
        }
        let mut query = Self { text: String::with_capacity(text.len()), ends: Vec::with_capacity(8) };
        settings.analyzer.for_each_term(text, &mut Scratch::default(), &mut |term| query.push(term));
        query.check()
    }

    /// Takes terms that were analysed before.
    ///
    /// # Errors
    /// As [`Query::from_text`].
    pub fn from_terms<'a>(terms: impl IntoIterator<Item = &'a str>) -> Result<Self> {
        let mut query = Self::default();
        for term in terms {
            if query.text.len() + term.len() > MAX_QUERY_BYTES {
                return Err(Error::limit("query length in bytes", MAX_QUERY_BYTES, query.text.len() + term.len()));
            }
            query.push(term);
        }
        query.check()
    }

    /// The terms in order.
    pub fn terms(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.text[start as usize..end as usize])
    }

    fn push(&mut self, term: &str) {
        self.text.push_str(term);
        self.ends.push(self.text.len() as u32);
    }

    fn check(self) -> Result<Self> {
        if self.ends.len() > MAX_QUERY_TERMS {
            let distinct = self.terms().collect::<hashbrown::HashSet<_, rustc_hash::FxBuildHasher>>().len();
            if distinct > MAX_QUERY_TERMS {
                return Err(Error::limit("number of distinct query terms", MAX_QUERY_TERMS, distinct));
            }
        }
        Ok(self)
    }
}
