//! Rules: what follows from what (spec B1.40). Positive Horn clauses, checked before they are used.

use crate::error::{Error, Result};
use crate::text::Mode;

use super::symbols::check_symbol;

/// The most rules an index works with.
pub const MAX_RULES: usize = 256;

/// The most premises a rule has.
pub const MAX_PREMISES: usize = 3;

/// Subject, relation and object of a premise or conclusion. A subject or object that starts with `?` is a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Atom {
    /// A symbol or a variable.
    pub subject: String,
    /// A relation, never a variable.
    pub relation: String,
    /// A symbol or a variable.
    pub object: String,
}

/// If all premises hold, the conclusion holds, as surely as they do together times the weight.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// What explanations call it; 1 to 64 bytes.
    pub id: String,
    /// One to three.
    pub premises: Vec<Atom>,
    /// Its variables occur in the premises.
    pub conclusion: Atom,
    /// Above 0, at most 1.
    pub weight: f64,
    /// The last round of a closure in which the rule is used; without it, every round.
    pub max_depth: Option<usize>,
}

/// Is this subject or object a variable?
#[must_use]
pub fn is_variable(term: &str) -> bool {
    term.starts_with('?')
}

impl Atom {
    /// The subject, then the object.
    pub(super) fn terms(&self) -> [&str; 2] {
        [&self.subject, &self.object]
    }
}

impl Rule {
    /// Refuses a rule that is not a positive Horn clause with bounded, sensible parts; `relations` are those that
    /// exist, or `None` if any may.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] naming the rule and the fault, [`Error::LimitExceeded`] for long symbols.
    ///
    /// ```
    /// use byheart_core::symbolic::{Atom, Rule};
    /// let atom = |s: &str, o: &str| Atom { subject: s.into(), relation: "uses".into(), object: o.into() };
    /// let rule = Rule { id: "r".into(), premises: vec![atom("?x", "?y")], conclusion: atom("?x", "?z"), weight: 0.9, max_depth: None };
    /// assert!(rule.check(None).unwrap_err().to_string().contains("?z"));
    /// ```
    pub fn check(&self, relations: Option<&[String]>) -> Result<()> {
        let fault = |why: String| Err(Error::invalid(format!("rule {:?}", self.id), why));
        if self.id.is_empty() || self.id.len() > 64 {
            return fault("the id must have 1 to 64 bytes".into());
        }
        if self.premises.is_empty() || self.premises.len() > MAX_PREMISES {
            return fault(format!("has {} premises; one to three are allowed", self.premises.len()));
        }
        if !(self.weight > 0.0 && self.weight <= 1.0) {
            return fault(format!("the weight is {}; it must lie above 0 and not above 1", self.weight));
        }
        if self.max_depth == Some(0) {
            return fault("max_depth is 0; give at least 1, or leave it out".into());
        }
        for atom in self.premises.iter().chain([&self.conclusion]) {
            self.check_atom(atom, relations)?;
        }
        let bound = |name: &str| self.premises.iter().any(|premise| premise.terms().contains(&name));
        let loose = self.conclusion.terms().into_iter().find(|term| is_variable(term) && !bound(term));
        loose.map_or(Ok(()), |name| fault(format!("the variable {name} of the conclusion occurs in no premise")))
    }

    fn check_atom(&self, atom: &Atom, relations: Option<&[String]>) -> Result<()> {
        let what = |part: &str| format!("rule {:?}: {part}", self.id);
        if is_variable(&atom.relation) || atom.relation.is_empty() {
            return Err(Error::invalid(
                what("relation"),
                format!("{:?} must be the name of a relation", atom.relation),
            ));
        }
        if let Some(relations) = relations
            && !relations.contains(&atom.relation)
        {
            let why = format!("{:?} is unknown; there are {}", atom.relation, relations.join(", "));
            return Err(Error::invalid(what("relation"), why));
        }
        for term in atom.terms() {
            if term == "?" {
                return Err(Error::invalid(what("variable"), "\"?\" has no name; write ?x"));
            }
            check_symbol(&what("term"), term, Mode::Unicode)?;
        }
        Ok(())
    }
}
