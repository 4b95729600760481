//! Where a closure begins: the query, the cells it may see, the seeds and what lies around them (spec B1.41.1-3).

use std::cmp::Ordering;

use rustc_hash::FxHashSet;

use super::index::{Cell, Fact, Index, Occurrence};
use super::symbols::symbol_key;
use crate::error::{Error, Result};
use crate::records::{Directory, Selection};
use crate::text::Mode;

/// The most distinct terms of a query.
pub const MAX_QUERY_TERMS: usize = 4_096;

/// The longest text of a query in bytes.
pub const MAX_QUERY_BYTES: usize = 1_000_000;

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    pub(super) terms: Vec<String>,
    pub(super) text: String,
}

impl Query {
    /// Terms in lower case, each once, empty ones left out; and the text as a symbol key, or the terms joined.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] for more than [`MAX_QUERY_TERMS`] terms or [`MAX_QUERY_BYTES`] of text.
    pub fn new(terms: &[impl AsRef<str>], text: Option<&str>, mode: Mode) -> Result<Self> {
        let (mut unique, mut seen) = (Vec::new(), FxHashSet::default());
        for term in terms {
            let term = term.as_ref().to_lowercase();
            if !term.is_empty() && seen.insert(term.clone()) {
                unique.push(term);
            }
        }
        if unique.len() > MAX_QUERY_TERMS {
            return Err(Error::limit("distinct query terms", MAX_QUERY_TERMS, unique.len()));
        }
        let joined = unique.join(" ");
        let text = text.filter(|text| !text.is_empty()).unwrap_or(&joined);
        if text.len() > MAX_QUERY_BYTES {
            return Err(Error::limit("query length in bytes", MAX_QUERY_BYTES, text.len()));
        }
        Ok(Self { text: symbol_key(text, mode), terms: unique })
    }
}

/// What a closure may see: a fact counts if a record states it that may be seen, and as sure as the surest of these.
#[derive(Debug, Clone, Copy, Default)]
pub struct Seen<'a> {
    /// The directory's numbers of the cells.
    pub cells: &'a [u32],
    /// The only records that count as there; without it, all of the cells.
    pub only: Option<&'a Selection>,
    /// Records that count as not there.
    pub without: Option<&'a Selection>,
}

/// The index as one closure sees it.
pub(super) struct View<'a> {
    pub index: &'a Index,
    pub directory: &'a Directory,
    seen: Seen<'a>,
    inside: Vec<bool>, // by cell
}

/// How a fact touches a query.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Touch {
    pub subject: u32,
    pub object: u32,
    pub exact_subject: bool,
    pub exact_object: bool,
}

impl Touch {
    /// Two for each token, four for each side that stands in the text.
    pub fn score(self) -> u32 {
        2 * (self.subject + self.object) + 4 * (u32::from(self.exact_subject) + u32::from(self.exact_object))
    }

    pub fn both_by_token(self) -> bool {
        self.subject > 0 && self.object > 0
    }
}

/// The query in the numbers of the index.
pub(super) struct Asked {
    pub tokens: FxHashSet<u32>,
    pub symbols: FxHashSet<u32>,
}

impl<'a> View<'a> {
    pub fn new(index: &'a Index, directory: &'a Directory, seen: &Seen<'a>) -> Self {
        let mut inside = vec![false; index.cells.len()];
        for &cell in seen.cells {
            if let Some(cell) = inside.get_mut(cell as usize) {
                *cell = true;
            }
        }
        Self { index, directory, seen: *seen, inside }
    }

    pub fn fact(&self, number: u32) -> &'a Fact {
        &self.index.facts[number as usize]
    }

    /// Who states a fact, as far as it is to be seen.
    pub fn stated(&self, fact: u32) -> impl Iterator<Item = &'a Occurrence> {
        let Seen { only, without, .. } = self.seen;
        let seen = move |stated: &&Occurrence| {
            self.inside[stated.cell as usize]
                && only.is_none_or(|only| only.holds(stated.record))
                && without.is_none_or(|without| !without.holds(stated.record))
        };
        self.fact(fact).stated.iter().filter(seen)
    }

    /// How sure a fact is: as its surest statement.
    pub fn confidence(&self, fact: u32) -> f64 {
        self.stated(fact).map(|stated| stated.confidence).fold(0.0, f64::max)
    }

    /// By key; the parts decide where a `|` in a symbol makes two keys one.
    pub fn by_key(&self, a: u32, b: u32) -> Ordering {
        let (a, b) = (self.fact(a), self.fact(b));
        a.key.cmp(&b.key).then_with(|| {
            let parts = |fact: &Fact| (self.index.names.name(fact.subject.number), fact.relation_name(self.index));
            parts(a).cmp(&parts(b))
        })
    }

    /// The query's tokens and the symbols that stand in its text, as far as the index knows them.
    pub fn asked(&self, query: &Query) -> Asked {
        let names = &self.index.names;
        let tokens = query.terms.iter().filter_map(|term| names.find_token(term)).collect();
        let mut symbols = FxHashSet::default();
        names.for_each_within(&query.text, |symbol| {
            symbols.insert(symbol);
        });
        Asked { tokens, symbols }
    }

    pub fn touch(&self, fact: &Fact, asked: &Asked) -> Touch {
        let count = |symbol: u32| {
            self.index.names.tokens(symbol).iter().filter(|token| asked.tokens.contains(token)).count() as u32
        };
        Touch {
            subject: count(fact.subject.symbol),
            object: count(fact.object.symbol),
            exact_subject: asked.symbols.contains(&fact.subject.symbol),
            exact_object: asked.symbols.contains(&fact.object.symbol),
        }
    }

    /// The facts that touch the query most, and how much: score down, then key up.
    pub fn seeds(&self, asked: &Asked, limit: usize) -> Vec<(u32, u32)> {
        let mut found = Vec::new();
        self.collect(asked.tokens.iter(), |cell| &cell.by_token, &mut found);
        self.collect(asked.symbols.iter(), |cell| &cell.by_symbol, &mut found);
        found.sort_unstable();
        found.dedup();
        let mut scored: Vec<(u32, u32)> = found
            .into_iter()
            .filter(|&fact| self.is_seen(fact))
            .map(|fact| (seed_score(self.touch(self.fact(fact), asked), self.is_relevance(fact)), fact))
            .collect();
        let order = |a: &(u32, u32), b: &(u32, u32)| b.0.cmp(&a.0).then_with(|| self.by_key(a.1, b.1));
        if scored.len() > limit {
            scored.select_nth_unstable_by(limit, order);
            scored.truncate(limit);
        }
        scored.sort_unstable_by(order);
        scored
    }

    /// The seeds, then hop by hop, by key, the facts that share a symbol with what was reached before.
    pub fn neighbourhood(&self, seeds: &[u32], hops: usize) -> Vec<u32> {
        let mut local = seeds.to_vec();
        let mut held: FxHashSet<u32> = seeds.iter().copied().collect();
        let mut seen = FxHashSet::default();
        let mut frontier = self.new_symbols(seeds, &mut seen);
        for _ in 0..hops {
            let mut near = Vec::new();
            self.collect(frontier.iter(), |cell| &cell.by_symbol, &mut near);
            near.retain(|&fact| held.insert(fact) && self.is_seen(fact));
            near.sort_unstable_by(|&a, &b| self.by_key(a, b));
            frontier = self.new_symbols(&near, &mut seen);
            local.append(&mut near);
        }
        local
    }

    fn new_symbols(&self, facts: &[u32], seen: &mut FxHashSet<u32>) -> Vec<u32> {
        let sides = facts.iter().flat_map(|&fact| [self.fact(fact).subject.symbol, self.fact(fact).object.symbol]);
        sides.filter(|&symbol| seen.insert(symbol)).collect()
    }

    fn collect<'k>(
        &self,
        handles: impl Iterator<Item = &'k u32> + Clone,
        lists: impl Fn(&Cell) -> &rustc_hash::FxHashMap<u32, Vec<u32>>,
        out: &mut Vec<u32>,
    ) {
        for cell in self.seen.cells.iter().filter_map(|&cell| self.index.cells.get(cell as usize)) {
            let lists = lists(cell);
            out.extend(handles.clone().filter_map(|handle| lists.get(handle)).flatten());
        }
    }

    fn is_seen(&self, fact: u32) -> bool {
        (self.seen.only.is_none() && self.seen.without.is_none()) || self.stated(fact).next().is_some()
    }

    fn is_relevance(&self, fact: u32) -> bool {
        self.fact(fact).relation_name(self.index) == "relevant_for"
    }
}

impl Fact {
    pub(super) fn relation_name<'a>(&self, index: &'a Index) -> &'a str {
        &index.settings.relations[self.relation as usize]
    }
}

/// How much of a query a fact touches by itself; `is_relevance`: its relation is `relevant_for` (spec B1.41.2).
fn seed_score(touch: Touch, is_relevance: bool) -> u32 {
    let relevance = if is_relevance && touch.object > 0 { 2 } else { 0 };
    let both = if touch.both_by_token() || (touch.exact_subject && touch.exact_object) { 2 } else { 0 };
    touch.score() + relevance + both
}
