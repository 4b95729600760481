//! What a closure answers: proofs that matter to the query, and the records that they rest on (spec B1.41.5-8).

use std::cmp::Ordering;

use rustc_hash::{FxHashMap, FxHashSet};

use super::compiled::{Constant, Lists, Program};
use super::fixpoint::{Fixpoint, Known, Step};
use super::index::Index;
use super::names::Term;
use super::neighbourhood::{Asked, Query, Seen, Touch, View};
use super::settings::Options;
use crate::rank::TopK;
use crate::records::{Directory, Key};

/// Of the records that state a fact, so many are named.
pub const MAX_NAMED: usize = 8;

/// A fact that holds, and why. A record is an id, or its number in a directory.
#[derive(Debug, Clone, PartialEq)]
pub struct ProofNode<Record = String> {
    /// Subject, relation and object, as written.
    pub fact: [String; 3],
    /// How sure it is: the premises multiplied in order from 1.0, times the rule's weight.
    pub raw: f64,
    /// The rule and its weight; none for a stated fact.
    pub rule: Option<(String, f64)>,
    /// Numbers of the premises' nodes.
    pub premises: Vec<usize>,
    /// Rules used, in order, the last one last.
    pub rules: Vec<String>,
    /// Stated facts that it rests on: their keys.
    pub base: Vec<String>,
    /// Steps, rules included.
    pub length: usize,
    /// Is a query term among the tokens of the conclusion?
    pub touches_goal: bool,
    /// Does it rest on a seed?
    pub rests_on_seed: bool,
    /// What the proof is worth.
    pub score: f64,
    /// Who states the fact inside the cells: the first [`MAX_NAMED`] records by id; none for a derived fact.
    pub stated_by: Vec<Record>,
    /// How many state it.
    pub statements: usize,
}

impl<Record> ProofNode<Record> {
    /// How the fact is named and ordered.
    #[must_use]
    pub fn key(&self) -> String {
        self.fact.join("|")
    }
}

/// A record that states a part of a proof.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate<Record = String> {
    /// Which one.
    pub record: Record,
    /// The score of its best proof.
    pub raw: f64,
    /// Divided by the best of all, or by 1 if that is less.
    pub normalised: f64,
    /// Number of the best proof's node.
    pub proof: usize,
}

/// What came out of a closure.
#[derive(Debug, Clone, PartialEq)]
pub struct Closure<Record = String> {
    /// Keys and scores of the facts from which it grew, the best first.
    pub seeds: Vec<(String, u32)>,
    /// Every proof that is named below, and their premises.
    pub nodes: Vec<ProofNode<Record>>,
    /// Derived facts by key: numbers of nodes.
    pub derived: Vec<usize>,
    /// The proofs that matter, the most telling first: numbers of nodes.
    pub proofs: Vec<usize>,
    /// Score descending, then id, then cell.
    pub candidates: Vec<Candidate<Record>>,
    /// Facts in the neighbourhood.
    pub facts: usize,
    /// Facts held against premises.
    pub attempts: usize,
    /// Rounds of rules.
    pub rounds: usize,
    /// True if the attempts or the time ran out; what was found so far stands.
    pub exhausted: bool,
}

impl<Record> Default for Closure<Record> {
    fn default() -> Self {
        let (nodes, candidates) = (Vec::new(), Vec::new());
        let (seeds, derived, proofs) = (Vec::new(), Vec::new(), Vec::new());
        Self { seeds, nodes, derived, proofs, candidates, facts: 0, attempts: 0, rounds: 0, exhausted: false }
    }
}

impl Closure<u32> {
    /// The same with ids.
    #[must_use]
    pub fn named(self, directory: &Directory) -> Closure {
        self.named_by(|number| directory.id(number).to_owned())
    }

    /// The same, in which records are called as is said here.
    #[must_use]
    pub fn named_by(self, id: impl Fn(u32) -> String + Copy) -> Closure {
        let node = |node: ProofNode<u32>| ProofNode {
            stated_by: node.stated_by.into_iter().map(id).collect(),
            fact: node.fact,
            raw: node.raw,
            rule: node.rule,
            premises: node.premises,
            rules: node.rules,
            base: node.base,
            length: node.length,
            touches_goal: node.touches_goal,
            rests_on_seed: node.rests_on_seed,
            score: node.score,
            statements: node.statements,
        };
        let candidate = |one: Candidate<u32>| Candidate {
            record: id(one.record),
            raw: one.raw,
            normalised: one.normalised,
            proof: one.proof,
        };
        Closure {
            nodes: self.nodes.into_iter().map(node).collect(),
            candidates: self.candidates.into_iter().map(candidate).collect(),
            seeds: self.seeds,
            derived: self.derived,
            proofs: self.proofs,
            facts: self.facts,
            attempts: self.attempts,
            rounds: self.rounds,
            exhausted: self.exhausted,
        }
    }
}

impl Index {
    /// What follows from the facts that may be seen, as far as the query asks for it.
    ///
    /// Records that may not be seen count as not there: they state nothing, so nothing follows from them. Where a
    /// fact is stated by several, those that may be seen decide how sure it is. `expired` is asked before each round
    /// and every 1,024 attempts whether time is up.
    #[must_use]
    pub fn search(
        &self,
        directory: &Directory,
        query: &Query,
        options: &Options,
        seen: &Seen<'_>,
        expired: &mut dyn FnMut() -> bool,
    ) -> Closure<u32> {
        let view = View::new(self, directory, seen);
        let asked = view.asked(query);
        let scored = if query.terms.is_empty() { Vec::new() } else { view.seeds(&asked, options.max_seeds) };
        if scored.is_empty() {
            return Closure::default();
        }
        let seeds: Vec<u32> = scored.iter().map(|&(_, fact)| fact).collect();
        let local = view.neighbourhood(&seeds, options.max_depth);
        let mut lists = Lists::default();
        let program = Program::new(self, &mut lists);
        let mut fixpoint = Fixpoint::new(&view, &local, options, expired);
        fixpoint.saturate(&program, &mut lists);
        let judge = Judge { view, asked, query, options, seeds: seeds.iter().copied().collect(), program, fixpoint };
        judge.answer(&scored, local.len())
    }
}

/// Everything that is known when the rounds are over.
struct Judge<'a> {
    view: View<'a>,
    asked: Asked,
    query: &'a Query,
    options: &'a Options,
    seeds: FxHashSet<u32>,
    program: Program,
    fixpoint: Fixpoint<'a>,
}

impl Judge<'_> {
    fn answer(&self, seeds: &[(u32, u32)], facts: usize) -> Closure<u32> {
        let known = &self.fixpoint.known;
        let mut derived: Vec<usize> = (0..known.len()).filter(|&at| !known[at].stated).collect();
        derived.sort_by_cached_key(|&at| {
            let names = self.names(&known[at]);
            (names.join("|"), names)
        });
        let focused = self.focused();
        let mut nodes = Nodes::default();
        let candidates = self.candidates(&focused, &mut nodes);
        Closure {
            seeds: seeds.iter().map(|&(score, seed)| (self.view.fact(seed).key.to_string(), score)).collect(),
            derived: derived.into_iter().map(|at| self.node(known[at].proof, &mut nodes)).collect(),
            proofs: focused.into_iter().map(|at| self.node(known[at].proof, &mut nodes)).collect(),
            candidates,
            nodes: nodes.held,
            facts,
            attempts: self.fixpoint.attempts,
            rounds: self.fixpoint.rounds,
            exhausted: self.fixpoint.exhausted,
        }
    }

    /// The surest known facts, then those of them that matter: focus down, raw down, key up; derived ones if any.
    fn focused(&self) -> Vec<usize> {
        let known = &self.fixpoint.known;
        let first = |at: usize| self.options.derived_first && !known[at].stated;
        let order = |a: &usize, b: &usize| {
            first(*b).cmp(&first(*a)).then_with(|| self.raw(*b).total_cmp(&self.raw(*a))).then(a.cmp(b))
        };
        let mut best: Vec<usize> = (0..known.len()).collect();
        if best.len() > self.options.max_proofs {
            best.select_nth_unstable_by(self.options.max_proofs, order);
            best.truncate(self.options.max_proofs);
        }
        best.sort_unstable_by(order);
        let mut scored: Vec<(u32, usize)> = best.iter().map(|&at| (self.focus(at), at)).collect();
        scored.retain(|&(score, _)| score > 0);
        if scored.iter().any(|&(_, at)| !known[at].stated) {
            scored.retain(|&(_, at)| !known[at].stated);
        }
        scored.sort_by(|a, b| {
            b.0.cmp(&a.0).then_with(|| self.raw(b.1).total_cmp(&self.raw(a.1))).then_with(|| self.by_key(a.1, b.1))
        });
        let chosen = if scored.is_empty() { best } else { scored.into_iter().map(|(_, at)| at).collect() };
        chosen.into_iter().take(self.options.max_focused).collect()
    }

    /// How much a known fact has to do with the query (spec B1.41.6).
    fn focus(&self, at: usize) -> u32 {
        let known = &self.fixpoint.known[at];
        let touch = self.touch(known);
        let preferred = self.view.index.settings.preferred[known.relation as usize];
        let both = if touch.both_by_token() { 3 } else { 0 };
        let derived = if known.stated { 0 } else { 3 };
        touch.score() + both + if preferred { 2 } else { 0 } + derived + u32::from(self.rests_on_seed(known.proof))
    }

    /// The records whose facts the proofs rest on, each with its best path score (spec B1.41.8).
    fn candidates(&self, focused: &[usize], nodes: &mut Nodes) -> Vec<Candidate<u32>> {
        let mut best: FxHashMap<u32, (f64, usize)> = FxHashMap::default();
        for &at in focused {
            let number = self.fixpoint.known[at].proof;
            let score = self.path_score(number);
            if score < self.options.min_confidence {
                continue;
            }
            for stated in self.fixpoint.proofs[number].base.iter().flat_map(|&fact| self.view.stated(fact)) {
                let held = best.entry(stated.record).or_insert((score, number));
                if score > held.0 {
                    *held = (score, number);
                }
            }
        }
        let name = |record: u32| self.view.directory.key(record);
        let mut top = TopK::new(self.options.max_candidates);
        for (&record, &(score, _)) in &best {
            top.offer(score, record, &name);
        }
        let ranked = top.into_sorted(&name);
        let divisor = ranked.first().map_or(1.0, |&(score, _)| score.max(1.0));
        let candidate = |&(raw, record): &(f64, u32)| {
            let proof = self.node(best[&record].1, nodes);
            Candidate { record, raw, normalised: raw / divisor, proof }
        };
        ranked.iter().map(candidate).collect()
    }

    fn path_score(&self, number: usize) -> f64 {
        let proof = &self.fixpoint.proofs[number];
        let touches_goal = self.touches_goal(&self.fixpoint.known[proof.known]);
        path_score(proof.raw, proof.steps.len(), touches_goal, self.rests_on_seed(number), self.options)
    }

    fn touches_goal(&self, known: &Known) -> bool {
        let touch = self.touch(known);
        touch.subject + touch.object > 0
    }

    fn rests_on_seed(&self, proof: usize) -> bool {
        self.fixpoint.proofs[proof].base.iter().any(|fact| self.seeds.contains(fact))
    }

    fn touch(&self, known: &Known) -> Touch {
        let [(subject, exact_subject), (object, exact_object)] =
            [known.subject, known.object].map(|term| self.touch_of(term));
        Touch { subject, object, exact_subject, exact_object }
    }

    /// How many tokens of a name are asked for, and whether it stands in the text.
    fn touch_of(&self, term: Term) -> (u32, bool) {
        if let Some(constant) = self.constant_of_symbol(term.symbol) {
            let asked = constant.tokens.iter().filter(|token| self.query.terms.contains(token)).count() as u32;
            return (asked, !constant.key.is_empty() && self.query.text.contains(&constant.key));
        }
        let tokens = self.view.index.names.tokens(term.symbol);
        let asked = tokens.iter().filter(|token| self.asked.tokens.contains(token)).count() as u32;
        (asked, self.asked.symbols.contains(&term.symbol))
    }

    fn constant_of_symbol(&self, symbol: u32) -> Option<&Constant> {
        self.program.constants.iter().find(|constant| constant.term.symbol == symbol)
    }

    fn raw(&self, at: usize) -> f64 {
        self.fixpoint.proofs[self.fixpoint.known[at].proof].raw
    }

    fn name(&self, term: Term) -> &str {
        self.program.constant_of_term(term.number).map_or_else(|| self.view.index.names.name(term.number), |c| &c.name)
    }

    fn names(&self, known: &Known) -> [&str; 3] {
        let relation = &self.view.index.settings.relations[known.relation as usize];
        [self.name(known.subject), relation, self.name(known.object)]
    }

    fn by_key(&self, a: usize, b: usize) -> Ordering {
        let [a, b] = [a, b].map(|at| self.names(&self.fixpoint.known[at]));
        a.join("|").cmp(&b.join("|")).then_with(|| a.cmp(&b))
    }

    /// The number of a proof's node; it and those below it are made when they are first asked for.
    fn node(&self, proof: usize, nodes: &mut Nodes) -> usize {
        if let Some(&number) = nodes.numbers.get(&proof) {
            return number;
        }
        let inner = &self.fixpoint.proofs[proof];
        let premises = inner.premises.iter().map(|&premise| self.node(premise, nodes)).collect();
        let node = self.made(proof, premises);
        nodes.numbers.insert(proof, nodes.held.len());
        nodes.held.push(node);
        nodes.held.len() - 1
    }

    fn made(&self, proof: usize, premises: Vec<usize>) -> ProofNode<u32> {
        let inner = &self.fixpoint.proofs[proof];
        let known = &self.fixpoint.known[inner.known];
        let rules = &self.view.index.settings.rules;
        let (stated_by, statements) = match inner.steps[..] {
            [Step::Fact(fact)] => self.stated_by(fact),
            _ => (Vec::new(), 0),
        };
        ProofNode {
            fact: self.names(known).map(str::to_owned),
            raw: inner.raw,
            rule: inner.rules.last().map(|&rule| (rules[rule].id.clone(), rules[rule].weight)),
            premises,
            rules: inner.rules.iter().map(|&rule| rules[rule].id.clone()).collect(),
            base: inner.base.iter().map(|&fact| self.view.fact(fact).key.to_string()).collect(),
            length: inner.steps.len(),
            touches_goal: self.touches_goal(known),
            rests_on_seed: self.rests_on_seed(proof),
            score: self.path_score(proof),
            stated_by,
            statements,
        }
    }

    /// The first few of those who state a fact, by id, and how many there are.
    fn stated_by(&self, fact: u32) -> (Vec<u32>, usize) {
        let mut records: Vec<u32> = self.view.stated(fact).map(|stated| stated.record).collect();
        let count = records.len();
        let key = |record: &u32| -> Key<'_> { self.view.directory.key(*record) };
        let order = |one: &u32, other: &u32| key(one).cmp(&key(other));
        if count > MAX_NAMED {
            records.select_nth_unstable_by(MAX_NAMED, order);
            records.truncate(MAX_NAMED);
        }
        records.sort_unstable_by(order);
        (records, count)
    }
}

/// What a proof of so many steps is worth: sure, short, on the subject, and resting on a seed (spec B1.41.7).
///
/// ```
/// use byheart_core::symbolic::{Options, path_score};
/// assert!((path_score(0.9, 1, true, true, &Options::default()) - 0.9108).abs() < 1e-12);
/// ```
#[must_use]
pub fn path_score(raw: f64, steps: usize, touches_goal: bool, from_seed: bool, options: &Options) -> f64 {
    let mut score = raw / (1.0 + steps.max(1) as f64 * options.distance_penalty);
    if touches_goal {
        score *= options.goal_bonus;
    }
    if from_seed {
        score *= options.seed_bonus;
    }
    score
}

/// Nodes made so far, by the number of their proof.
#[derive(Default)]
struct Nodes {
    held: Vec<ProofNode<u32>>,
    numbers: FxHashMap<usize, usize>,
}
