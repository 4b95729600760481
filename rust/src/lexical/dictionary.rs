//! Terms of a batch in one string, numbered in order of appearance.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::error::{Error, Result};

/// Distinct terms and their numbers.
#[derive(Debug, Default)]
pub struct Dictionary {
    numbers: HashTable<(u32, u32)>, // number, and half of the hash: most comparisons end there
    ends: Vec<u32>,
    text: String,
}

impl Dictionary {
    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The term behind a number.
    pub fn term(&self, number: u32) -> &str {
        let start = if number == 0 { 0 } else { self.ends[number as usize - 1] as usize };
        &self.text[start..self.ends[number as usize] as usize]
    }

    /// The number of a term, the next one if it is new.
    pub fn number(&mut self, term: &str) -> u32 {
        let hash = FxBuildHasher.hash_one(term);
        let half = (hash >> 32) as u32;
        let known = self.numbers.find(hash, |&(number, other)| other == half && self.term(number) == term);
        if let Some(&(number, _)) = known {
            return number;
        }
        let number = self.ends.len() as u32;
        self.text.push_str(term);
        self.ends.push(self.text.len() as u32);
        let (ends, text) = (&self.ends, &self.text);
        self.numbers.insert_unique(hash, (number, half), |&(n, _)| {
            let start = if n == 0 { 0 } else { ends[n as usize - 1] as usize };
            FxBuildHasher.hash_one(&text[start..ends[n as usize] as usize])
        });
        number
    }

    /// Refuses a batch whose distinct terms could outgrow 4 GiB.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`]
    pub fn check_room(&self, bytes: usize) -> Result<()> {
        let needed = self.text.len().saturating_add(bytes);
        if needed > u32::MAX as usize {
            return Err(Error::limit("bytes of distinct terms in one call", u32::MAX as usize, needed));
        }
        Ok(())
    }
}
