//! The names that facts use, each held once: terms as written, symbols they are compared by, and tokens of these.

use std::collections::BTreeMap;
use std::ops::Bound::{Included, Unbounded};

use super::symbols::{symbol_key, tokens_of_key};
use crate::ids::IdTable;
use crate::text::Mode;

/// A name as written and what it is compared by: two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Term {
    pub number: u32,
    pub symbol: u32,
}

#[derive(Debug, Clone, Default)]
struct Symbol {
    tokens: Box<[u32]>,
    uses: u32,
}

/// Tables with counts of their uses; what nobody uses any more is forgotten.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    terms: IdTable,
    term_info: Vec<(u32, u32)>, // symbol, uses
    symbols: IdTable,
    symbol_info: Vec<Symbol>,
    sorted: BTreeMap<Box<str>, u32>, // symbols by key, for finding those that stand in a text
    tokens: IdTable,
    token_uses: Vec<u32>,
}

impl Names {
    /// Takes one more use of a name in canonical form.
    pub fn acquire(&mut self, name: &str, mode: Mode) -> Term {
        let number = self.terms.insert(name);
        self.term_info.resize(self.terms.capacity(), (0, 0));
        if self.term_info[number as usize].1 == 0 {
            self.term_info[number as usize].0 = self.acquire_symbol(&symbol_key(name, mode));
        }
        let (symbol, uses) = &mut self.term_info[number as usize];
        *uses += 1;
        Term { number, symbol: *symbol }
    }

    fn acquire_symbol(&mut self, key: &str) -> u32 {
        let number = self.symbols.insert(key);
        self.symbol_info.resize_with(self.symbols.capacity(), Symbol::default);
        if self.symbol_info[number as usize].uses == 0 {
            let tokens: Box<[u32]> = tokens_of_key(key).map(|token| self.tokens.insert(token)).collect();
            self.token_uses.resize(self.tokens.capacity(), 0);
            for &token in &tokens {
                self.token_uses[token as usize] += 1;
            }
            self.symbol_info[number as usize].tokens = tokens;
            self.sorted.insert(key.into(), number);
        }
        self.symbol_info[number as usize].uses += 1;
        number
    }

    /// Gives one use of a term back.
    pub fn release(&mut self, term: Term) {
        let uses = &mut self.term_info[term.number as usize].1;
        *uses -= 1;
        if *uses > 0 {
            return;
        }
        forget(&mut self.terms, term.number);
        let symbol = &mut self.symbol_info[term.symbol as usize];
        symbol.uses -= 1;
        if symbol.uses > 0 {
            return;
        }
        for token in std::mem::take(&mut symbol.tokens) {
            self.token_uses[token as usize] -= 1;
            if self.token_uses[token as usize] == 0 {
                forget(&mut self.tokens, token);
            }
        }
        self.sorted.remove(self.symbols.name(term.symbol));
        forget(&mut self.symbols, term.symbol);
    }

    /// The name of a term as written.
    pub fn name(&self, term: u32) -> &str {
        self.terms.name(term)
    }

    /// The tokens of a symbol, duplicates kept.
    pub fn tokens(&self, symbol: u32) -> &[u32] {
        &self.symbol_info[symbol as usize].tokens
    }

    /// The number of a term, if some fact uses it.
    pub fn find_term(&self, name: &str) -> Option<u32> {
        self.terms.get(name)
    }

    /// The number of a symbol, if some fact uses it.
    pub fn find_symbol(&self, key: &str) -> Option<u32> {
        self.symbols.get(key)
    }

    /// The number of a token, if some symbol has it.
    pub fn find_token(&self, token: &str) -> Option<u32> {
        self.tokens.get(token)
    }

    /// Every symbol whose key stands somewhere in `text`, found once for each place.
    ///
    /// From each character on: the greatest key that is not above what follows either stands there, or shares only
    /// a beginning with it; then every other key that stands there is within that beginning.
    pub fn for_each_within(&self, text: &str, mut found: impl FnMut(u32)) {
        for (start, _) in text.char_indices() {
            let mut rest = &text[start..];
            while !rest.is_empty() {
                let Some((key, &number)) = self.sorted.range::<str, _>((Unbounded, Included(rest))).next_back() else {
                    break;
                };
                let shared = shared_bytes(key, rest);
                let mut end = shared;
                if shared == key.len() {
                    found(number);
                    end = shared.saturating_sub(1);
                }
                while !rest.is_char_boundary(end) {
                    end -= 1;
                }
                rest = &rest[..end];
            }
        }
    }
}

fn shared_bytes(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}

fn forget(table: &mut IdTable, number: u32) {
    let name = table.name(number).to_owned();
    table.remove(&name);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn symbols_within_a_text_are_its_substrings(keys in prop::collection::vec("[abé]{1,4}", 0..12), text in "[abé ]{0,12}") {
            let mut names = Names::default();
            let mut expected = Vec::new();
            for key in &keys {
                let term = names.acquire(key, Mode::Unicode);
                if text.contains(key.as_str()) {
                    expected.push(term.symbol);
                }
            }
            let mut got = Vec::new();
            names.for_each_within(&text, |symbol| got.push(symbol));
            for list in [&mut expected, &mut got] {
                list.sort_unstable();
                list.dedup();
            }
            prop_assert_eq!(got, expected);
        }

        #[test]
        fn names_are_forgotten_with_their_last_use(keys in prop::collection::vec("[ab] [ab]", 1..12)) {
            let mut names = Names::default();
            let terms: Vec<Term> = keys.iter().map(|key| names.acquire(key, Mode::Unicode)).collect();
            for term in terms {
                names.release(term);
            }
            prop_assert!(names.terms.is_empty() && names.symbols.is_empty() && names.tokens.is_empty());
            prop_assert!(names.sorted.is_empty());
        }
    }
}
