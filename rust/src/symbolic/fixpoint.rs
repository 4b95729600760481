//! Rounds of rules over all known facts, until nothing is new or better, or a bound is met (spec B1.41.4).
//!
//! Premises take their facts from lists by (relation, subject) and (relation, object). A list holds, in the order of
//! all known facts, exactly those that the plain nested loop would not pass over; so matches come in the same
//! order, and as many facts are tried, as if every known fact were looked at.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::compiled::{CompiledRule, Lists, MAX_VARIABLES, Premise, Program, Side};
use super::names::Term;
use super::neighbourhood::View;
use super::rules::MAX_PREMISES;
use super::settings::Options;

/// How many tries lie between two looks at the deadline.
const TRIES_PER_LOOK: usize = 1_024;

/// A step of a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// A stated fact, by its number in the index.
    Fact(u32),
    /// A rule, by its number.
    Rule(usize),
}

/// Why a fact holds. A stated fact has no rule and no premises.
#[derive(Debug, Clone)]
pub(super) struct Proof {
    pub known: usize, // number of the fact among the known ones
    pub raw: f64,
    pub steps: Vec<Step>,
    pub base: Vec<u32>,
    pub rules: Vec<usize>,
    pub premises: Vec<usize>, // numbers of proofs
}

/// A fact that is known, and its best proof so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    pub subject: Term,
    pub relation: u32,
    pub object: Term,
    pub proof: usize,
    pub stated: bool,
}

type Bindings = [Term; MAX_VARIABLES];
type Stop = ControlFlow<()>;

/// What a closure knows, in the order in which it came to know it.
pub(super) struct Fixpoint<'a> {
    pub known: Vec<Known>,
    pub proofs: Vec<Proof>,
    pub attempts: usize,
    pub rounds: usize,
    pub exhausted: bool,
    numbers: FxHashMap<[u32; 3], usize>,
    options: &'a Options,
    expired: &'a mut dyn FnMut() -> bool,
    derived: usize,
    changed: bool,
}

/// What stands still during a round: the lists, and the proofs that counted when it began.
struct Round<'a> {
    lists: &'a Lists,
    proofs: &'a [usize],
}

impl<'a> Fixpoint<'a> {
    /// Knows the stated facts of a neighbourhood, in its order.
    pub fn new(view: &View<'_>, local: &[u32], options: &'a Options, expired: &'a mut dyn FnMut() -> bool) -> Self {
        let mut new = Self {
            known: Vec::with_capacity(local.len()),
            proofs: Vec::with_capacity(local.len()),
            attempts: 0,
            rounds: 0,
            exhausted: false,
            numbers: FxHashMap::default(),
            options,
            expired,
            derived: 0,
            changed: false,
        };
        for &number in local {
            let fact = view.fact(number);
            let (subject, relation, object) = (fact.subject, fact.relation, fact.object);
            new.numbers.insert([subject.number, relation, object.number], new.known.len());
            let (known, raw) = (new.known.len(), view.confidence(number));
            let (steps, base) = (vec![Step::Fact(number)], vec![number]);
            new.proofs.push(Proof { known, raw, steps, base, rules: Vec::new(), premises: Vec::new() });
            new.known.push(Known { subject, relation, object, proof: known, stated: true });
        }
        new
    }

    /// Runs round after round.
    pub fn saturate(&mut self, program: &Program, lists: &mut Lists) {
        let mut listed = 0;
        for depth in 1..=self.options.max_depth {
            for (number, known) in self.known.iter().enumerate().skip(listed) {
                lists.insert(number as u32, known.subject, known.relation, known.object);
            }
            listed = self.known.len();
            let proofs: Vec<usize> = self.known.iter().map(|known| known.proof).collect();
            self.changed = false;
            self.rounds = depth;
            if (self.expired)() {
                self.exhausted = true;
                return;
            }
            let round = Round { lists, proofs: &proofs };
            for rule in program.rules.iter().filter(|rule| depth <= rule.max_depth) {
                let nothing = ([Term::default(); MAX_VARIABLES], [u32::MAX; MAX_PREMISES]);
                if self.extend(&round, rule, 0, nothing).is_break() {
                    return;
                }
            }
            if !self.changed {
                return;
            }
        }
    }

    /// Finds every fact for the premise of this number, and goes on with the next one.
    fn extend(
        &mut self,
        round: &Round,
        rule: &CompiledRule,
        at: usize,
        so_far: (Bindings, [u32; MAX_PREMISES]),
    ) -> Stop {
        let (bindings, used) = so_far;
        let Some(premise) = rule.premises.get(at) else { return self.conclude(round, rule, &bindings, &used[..at]) };
        let [subject, object] = [premise.subject, premise.object].map(|side| symbol(side, &bindings));
        for &known in round.lists.fitting(premise.lists, subject, object) {
            self.count()?;
            let fact = self.known[known as usize];
            if (premise.mirrored && fact.subject.symbol != fact.object.symbol) || used[..at].contains(&known) {
                continue;
            }
            let (mut used, bindings) = (used, bound(premise, bindings, &fact));
            used[at] = known;
            self.extend(round, rule, at + 1, (bindings, used))?;
        }
        ControlFlow::Continue(())
    }

    fn count(&mut self) -> Stop {
        let late = self.attempts % TRIES_PER_LOOK == TRIES_PER_LOOK - 1 && (self.expired)();
        if late || self.attempts == self.options.max_attempts {
            self.exhausted = true;
            return ControlFlow::Break(());
        }
        self.attempts += 1;
        ControlFlow::Continue(())
    }

    /// Takes in a conclusion if it is new or better.
    fn conclude(&mut self, round: &Round, rule: &CompiledRule, bindings: &Bindings, used: &[u32]) -> Stop {
        let [subject, object] = [rule.subject, rule.object].map(|side| match side {
            Side::Constant(term) => term,
            Side::Variable(number, _) => bindings[number],
        });
        let premises: Vec<usize> = used.iter().map(|&known| round.proofs[known as usize]).collect();
        let raw = derived_confidence(premises.iter().map(|&premise| self.proofs[premise].raw), rule.weight);
        let number = self.numbers.get(&[subject.number, rule.relation, object.number]).copied();
        let worse =
            number.is_some_and(|number| self.known[number].stated || raw <= self.proofs[self.known[number].proof].raw);
        if !worse {
            self.changed = true;
            let proof = self.proofs.len();
            let made = self.proof(number.unwrap_or(self.known.len()), rule.number, raw, premises);
            self.proofs.push(made);
            if let Some(number) = number {
                self.known[number].proof = proof;
            } else {
                self.numbers.insert([subject.number, rule.relation, object.number], self.known.len());
                self.known.push(Known { subject, relation: rule.relation, object, proof, stated: false });
                self.derived += 1;
            }
        }
        if self.derived >= self.options.max_derived { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// The premises' steps, each once, then the rule.
    fn proof(&self, known: usize, rule: usize, raw: f64, premises: Vec<usize>) -> Proof {
        let (mut steps, mut base, mut rules) = (Vec::new(), Vec::new(), Vec::new());
        for &premise in &premises {
            let premise = &self.proofs[premise];
            add_new(&mut steps, &premise.steps);
            add_new(&mut base, &premise.base);
            add_new(&mut rules, &premise.rules);
        }
        steps.push(Step::Rule(rule));
        rules.push(rule);
        Proof { known, raw, steps, base, rules, premises }
    }
}

/// How sure a conclusion is: the premises multiplied in order from 1.0, times the rule's weight.
///
/// ```
/// assert_eq!(byheart_core::symbolic::derived_confidence([1.0, 0.95].into_iter(), 0.95), 0.9025);
/// ```
#[must_use]
pub fn derived_confidence(premises: impl Iterator<Item = f64>, weight: f64) -> f64 {
    let mut raw = 1.0;
    for premise in premises {
        raw *= premise;
    }
    raw * weight
}

fn add_new<T: Copy + PartialEq>(list: &mut Vec<T>, items: &[T]) {
    for &item in items {
        if !list.contains(&item) {
            list.push(item);
        }
    }
}

/// What a side must be, if that is known before its premise is looked at.
fn symbol(side: Side, bindings: &Bindings) -> Option<u32> {
    match side {
        Side::Constant(term) => Some(term.symbol),
        Side::Variable(number, true) => Some(bindings[number].symbol),
        Side::Variable(_, false) => None,
    }
}

/// The bindings after a premise; a name is written as the last fact has it.
fn bound(premise: &Premise, mut bindings: Bindings, fact: &Known) -> Bindings {
    for (side, term) in [(premise.subject, fact.subject), (premise.object, fact.object)] {
        if let Side::Variable(number, _) = side {
            bindings[number] = term;
        }
    }
    bindings
}
