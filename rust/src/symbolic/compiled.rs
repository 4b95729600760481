//! Rules in the numbers of one closure, and the lists by which their premises find facts.

use rustc_hash::FxHashMap;

use super::index::Index;
use super::names::Term;
use super::rules::{MAX_PREMISES, is_variable};
use super::symbols::{canonical, symbol_key, tokens_of_key};

/// The most variables a rule has.
pub(super) const MAX_VARIABLES: usize = 2 * MAX_PREMISES;

/// A side of a premise or conclusion.
#[derive(Debug, Clone, Copy)]
pub(super) enum Side {
    Constant(Term),
    /// The variable of this number; in a premise also: does an earlier premise bind it?
    Variable(usize, bool),
}

#[derive(Debug, Clone)]
pub(super) struct Premise {
    pub subject: Side,
    pub object: Side,
    /// One variable on both sides: the two must be the same.
    pub mirrored: bool,
    /// Number of the lists that hold what can fit.
    pub lists: usize,
}

#[derive(Debug, Clone)]
pub(super) struct CompiledRule {
    pub number: usize,
    pub premises: Vec<Premise>,
    pub subject: Side,
    pub relation: u32,
    pub object: Side,
    pub weight: f64,
    pub max_depth: usize,
}

/// A name in a rule that is no variable. Names that no fact uses get numbers from the top.
#[derive(Debug, Clone)]
pub(super) struct Constant {
    pub term: Term,
    pub name: String,
    pub key: String,
    pub tokens: Vec<String>,
}

/// Which facts a premise asks for: a relation, and the sides that are known by then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Access {
    relation: u32,
    subject: bool,
    object: bool,
}

/// Facts by what premises know of them, in the order in which they came to be known.
#[derive(Debug, Default)]
pub(super) struct Lists {
    accesses: Vec<Access>,
    held: Vec<FxHashMap<(u32, u32), Vec<u32>>>, // by access: subject and object, 0 where it does not matter
}

impl Lists {
    fn number_of(&mut self, access: Access) -> usize {
        self.accesses.iter().position(|&known| known == access).unwrap_or_else(|| {
            self.accesses.push(access);
            self.held.push(FxHashMap::default());
            self.accesses.len() - 1
        })
    }

    /// Puts a known fact at the end of every list that it belongs to.
    pub fn insert(&mut self, known: u32, subject: Term, relation: u32, object: Term) {
        for (access, held) in self.accesses.iter().zip(&mut self.held) {
            if access.relation == relation {
                held.entry(key(*access, subject.symbol, object.symbol)).or_default().push(known);
            }
        }
    }

    /// What fits a premise whose sides are these symbols, as far as they are known.
    pub fn fitting(&self, lists: usize, subject: Option<u32>, object: Option<u32>) -> &[u32] {
        let key = (subject.unwrap_or(0), object.unwrap_or(0));
        self.held[lists].get(&key).map_or(&[], Vec::as_slice)
    }
}

fn key(access: Access, subject: u32, object: u32) -> (u32, u32) {
    (if access.subject { subject } else { 0 }, if access.object { object } else { 0 })
}

/// The rules of an index, ready for one closure.
pub(super) struct Program {
    pub rules: Vec<CompiledRule>,
    pub constants: Vec<Constant>,
}

impl Program {
    pub fn new(index: &Index, lists: &mut Lists) -> Self {
        let mut program = Self { rules: Vec::new(), constants: Vec::new() };
        for (number, rule) in index.settings.rules.iter().enumerate() {
            let mut variables: Vec<&str> = Vec::new();
            let mut premises = Vec::new();
            for atom in &rule.premises {
                let bound = variables.len();
                let [subject, object] = atom.terms().map(|term| program.side(index, term, &mut variables, bound));
                let mirrored = is_variable(&atom.subject) && atom.subject == atom.object;
                let relation = relation(index, &atom.relation);
                let access = Access { relation, subject: is_known(subject), object: is_known(object) };
                premises.push(Premise { subject, object, mirrored, lists: lists.number_of(access) });
            }
            let bound = variables.len();
            let [subject, object] =
                rule.conclusion.terms().map(|term| program.side(index, term, &mut variables, bound));
            program.rules.push(CompiledRule {
                number,
                premises,
                subject,
                relation: relation(index, &rule.conclusion.relation),
                object,
                weight: rule.weight,
                max_depth: rule.max_depth.unwrap_or(usize::MAX),
            });
        }
        program
    }

    /// The constant behind a term, if it is none of the index's own.
    pub fn constant_of_term(&self, number: u32) -> Option<&Constant> {
        self.constants.iter().find(|constant| constant.term.number == number)
    }

    fn side<'r>(&mut self, index: &Index, term: &'r str, variables: &mut Vec<&'r str>, bound: usize) -> Side {
        if !is_variable(term) {
            return Side::Constant(self.constant(index, term));
        }
        let number = variables.iter().position(|&known| known == term).unwrap_or_else(|| {
            variables.push(term);
            variables.len() - 1
        });
        Side::Variable(number, number < bound)
    }

    fn constant(&mut self, index: &Index, term: &str) -> Term {
        let name = canonical(term);
        if let Some(known) = self.constants.iter().find(|constant| constant.name == name) {
            return known.term;
        }
        let key = symbol_key(term, index.settings.mode);
        let fresh = u32::MAX - self.constants.len() as u32;
        let same_key = self.constants.iter().find(|constant| constant.key == key).map(|known| known.term.symbol);
        let symbol = index.names.find_symbol(&key).or(same_key).unwrap_or(fresh);
        let term = Term { number: index.names.find_term(&name).unwrap_or(fresh), symbol };
        let tokens = tokens_of_key(&key).map(str::to_owned).collect();
        self.constants.push(Constant { term, name, key, tokens });
        term
    }
}

fn is_known(side: Side) -> bool {
    matches!(side, Side::Constant(_) | Side::Variable(_, true))
}

/// Rules were checked against the relations when the settings were made.
fn relation(index: &Index, name: &str) -> u32 {
    index.settings.relation(name).expect("a rule of the settings names known relations only")
}
