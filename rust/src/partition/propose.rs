//! One call for all legs of a recall: which records each proposes, and with which score.
//!
//! A filter says which records may be found and changes no score: statistics are those of the cells, and where a stage
//! needs the best score of a leg, it is that of the unfiltered search ([`Whole`]). Facts follow from all records of the
//! cells, then those that may not be found are left out. A record whose life is over, or that is gone for another reason,
//! counts as not there for facts.

use std::ops::Bound;

use roaring::RoaringBitmap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Partition;
use super::legs::{Forms, Leg, Retriever, Whole};
use super::told::{Scored, Told};
use crate::dense::{self, Visit};
use crate::error::{Error, Result};
use crate::lexical::FoundJoined;
use crate::rank::{MAX_K, check_k};
use crate::records::{Filter, Selection, Value};
use crate::symbolic::{Closure, Seen};

/// Who may be found.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scope<'q> {
    /// The directory's numbers of the cells, ascending.
    pub cells: &'q [u32],
    /// Only records that match it.
    pub filter: Option<&'q Filter>,
    /// The time: records that end at it or before are not found.
    pub now: Option<f64>,
    /// Records that match it are not found either, and nothing follows from them, as if they had ended.
    pub gone: Option<&'q Filter>,
}

/// What is asked.
pub struct Question<'q> {
    /// In each form.
    pub forms: &'q Forms,
    /// Among whom.
    pub scope: Scope<'q>,
    /// Milliseconds since some moment.
    pub clock: &'q (dyn Fn() -> f64 + Sync),
    /// Whether the time for facts is up.
    pub expired: &'q mut dyn FnMut() -> bool,
}

/// What one leg answers.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// Whether it was asked.
    pub is_asked: bool,
    /// Rows of [`Proposal::records`] with their scores, best first.
    pub hits: Vec<(u32, f64)>,
    /// What it proposes unfiltered, if that was asked for.
    pub whole: Option<Whole>,
    /// The tiers that a search for embeddings visited.
    pub trace: Vec<Visit>,
    /// What the terms of a search for words weigh ([`crate::lexical::Found`]).
    pub idf_sum: Option<f64>,
    /// The score of a record that says all of them, each as often as it counts, where fields are added up.
    pub most: Option<f64>,
    /// How much of them the records speak about, likewise.
    pub familiarity: Option<f64>,
}

/// What all legs answer.
#[derive(Debug, Default)]
pub struct Proposal {
    /// Of each leg.
    pub answers: Vec<Answer>,
    /// The numbers of all records that are proposed, in the order in which they first are.
    pub records: Vec<u32>,
    /// Whether records were left out because they have ended.
    pub has_ended: bool,
    /// The proofs that the last leg over facts found.
    pub closure: Option<Closure<u32>>,
    /// What was told around the records, if a leg asked for it.
    pub told: Option<Told>,
}

/// Who may be found, worked out: nothing for all.
pub(super) struct Allowed {
    pub(super) records: Option<RoaringBitmap>,
    ended: Option<Selection>,
}

/// Hits of one search, by record number.
#[derive(Default)]
struct Hits<'p> {
    list: Vec<(u32, f64)>,
    trace: Vec<Visit>,
    idf_sum: Option<f64>,
    most: Option<f64>,
    familiarity: Option<f64>,
    closure: Option<Closure<u32>>,
    scored: Option<Scored<'p>>, // where there are conversations that are asked about
}

impl Partition {
    /// What each leg proposes. A leg whose form the question does not have is not asked.
    ///
    /// # Errors
    /// As the searches of the indexes and [`Filter::matches`]; [`Error::InvalidArgument`] for a leg over an index that is not
    /// there, and for a time where no column says when records end.
    pub fn propose(&self, legs: &[Leg], question: &mut Question<'_>) -> Result<Proposal> {
        let allowed = self.allowed(&question.scope)?;
        let mut proposal = Proposal { has_ended: allowed.ended.is_some(), ..Proposal::default() };
        let last_count = legs.iter().rposition(|leg| leg.fewer.is_some()).unwrap_or(0);
        let (mut rows, mut proposed, mut cosines) = (FxHashMap::default(), 0, FxHashMap::default());
        let mut told = None;
        for (at, leg) in legs.iter().enumerate() {
            check_k(leg.k)?;
            if leg.fewer.is_some_and(|fewer| proposed >= fewer) || !has_form(leg, question.forms) {
                proposal.answers.push(Answer::default());
                continue;
            }
            let needs_count = leg.count || at < last_count;
            let (found, whole) = self.ask(leg, question, &allowed, needs_count)?;
            proposed += whole.map_or(0, |whole| whole.count);
            if let Retriever::Words(joined, Some(around)) = &leg.retriever {
                told = Some((joined, around, found.scored, found.most.unwrap_or(0.0)));
            }
            if matches!(leg.retriever, Retriever::Dense(dense::Mode::Exact)) {
                cosines.extend(found.list.iter().copied()); // of whole vectors, as those that are told
            }
            let mut row = |number: u32| -> u32 {
                *rows.entry(number).or_insert_with(|| {
                    proposal.records.push(number);
                    proposal.records.len() as u32 - 1
                })
            };
            let hits = found.list.into_iter().map(|(number, score)| (row(number), score)).collect();
            let Hits { trace, idf_sum, most, familiarity, closure, .. } = found;
            let answer = Answer { is_asked: true, hits, whole, trace, idf_sum, most, familiarity };
            proposal.answers.push(answer);
            proposal.closure = closure.or(proposal.closure);
        }
        if let Some((joined, around, scored, most)) = told {
            let (vector, cells) = (question.forms.vector.as_deref(), question.scope.cells);
            let vector = vector.map(|vector| (vector, &cosines));
            let told = self.told(around, (joined, scored.as_ref(), most), (vector, cells), &proposal.records)?;
            proposal.told = Some(told);
        }
        Ok(proposal)
    }

    /// The hits of a leg; and what it proposes unfiltered, or how much that is, if it is needed.
    ///
    /// Behind the hits for words comes what was told around the first of them, filter aside: an answer often has no word of the
    /// question that it answers.
    fn ask(
        &self,
        leg: &Leg,
        question: &mut Question<'_>,
        allowed: &Allowed,
        needs_count: bool,
    ) -> Result<(Hits<'_>, Option<Whole>)> {
        let cells = question.scope.cells;
        let own = leg.within.as_ref().map(|filter| filter.matches(&self.directory, &self.fields, cells)).transpose()?;
        let own = both(own, leg.blank.then(|| self.fields.members(cells) & &self.blank));
        let filtered = both(own.clone(), allowed.records.clone());
        let is_filtered = allowed.records.is_some();
        let only = filtered.map(|filtered| Selection::from(&(filtered - &self.archived)));
        let mut found = self.search(leg, question, only.as_ref(), allowed.ended.as_ref())?;
        let tells = found.scored.is_some();
        let counted = if leg.whole || own.is_some() || !is_filtered { None } else { self.count(leg, question) };
        let asks_whole = leg.whole || needs_count;
        let mut all = None;
        if is_filtered && (tells || (asks_whole && counted.is_none())) {
            let own = own.as_ref().map(Selection::from);
            all = Some(self.search(leg, question, own.as_ref(), None)?.list);
        }
        let whole = asks_whole.then(|| match counted {
            Some(count) => Whole { count, best: None, least: None },
            None => Whole::of(all.as_ref().unwrap_or(&found.list)),
        });
        if let (Retriever::Words(joined, Some(around)), Some((scores, _))) = (&leg.retriever, &found.scored) {
            let best = all.as_ref().unwrap_or(&found.list).iter().map(|&(number, _)| number).take(around.first);
            let mut known: FxHashSet<u32> = found.list.iter().map(|&(number, _)| number).collect();
            let beside = self.beside(around, joined, &best.map(Some).collect::<Vec<_>>())?;
            for number in beside.into_iter().flat_map(|(before, after)| before.into_iter().chain(after)) {
                let score = self.lexical.score_in(scores, number);
                let may_be =
                    only.as_ref().is_none_or(|only| only.holds(number)) && leg.floor.is_none_or(|floor| score >= floor);
                if may_be && known.insert(number) {
                    found.list.push((number, score));
                }
            }
        }
        Ok((found, whole))
    }

    /// How many hits a leg finds among all records, where that is known without a search.
    fn count(&self, leg: &Leg, question: &Question<'_>) -> Option<usize> {
        let (Retriever::Dense(dense::Mode::Exact), None) = (&leg.retriever, leg.floor) else { return None };
        let (index, vector) = (self.dense.as_ref()?, question.forms.vector.as_deref()?);
        Some(index.reached(vector, question.scope.cells).min(leg.k))
    }

    /// The best of one index among some records, none of them below the leg's floor.
    fn search(
        &self,
        leg: &Leg,
        question: &mut Question<'_>,
        only: Option<&Selection>,
        ended: Option<&Selection>,
    ) -> Result<Hits<'_>> {
        let (forms, cells, directory) = (question.forms, question.scope.cells, &self.directory);
        let mut hits = match &leg.retriever {
            Retriever::Symbolic(_) => self.search_facts(leg, question, only, ended)?,
            Retriever::Lexical => {
                let (query, boosts) = forms.terms.as_ref().expect("a leg without its form is not asked");
                let found = self.lexical.search(directory, query, boosts, leg.k, cells, only)?;
                Hits { list: found.hits, idf_sum: Some(found.idf_sum), ..Hits::default() }
            }
            Retriever::Words(joined, around) => {
                let (query, _) = forms.terms.as_ref().expect("a leg without its form is not asked");
                let asks = |around| self.converses(around, joined);
                let (found, scored) = if around.as_deref().map(asks).transpose()?.unwrap_or(false) {
                    let (found, all, lists) =
                        self.lexical.search_joined_all(directory, query, joined, leg.k, cells, only)?;
                    (found, Some((all, lists)))
                } else {
                    (self.lexical.search_joined(directory, query, joined, leg.k, cells, only)?, None)
                };
                let FoundJoined { found, k1, familiarity } = found;
                let (most, familiarity) = (Some(found.idf_sum * (k1 + 1.0)), Some(familiarity));
                Hits { list: found.hits, idf_sum: Some(found.idf_sum), most, familiarity, scored, ..Hits::default() }
            }
            Retriever::Hypervector => {
                let vectors = forms.hypervectors.as_ref().expect("a leg without its form is not asked");
                if self.deferred {
                    return Err(Error::NotMade { what: "hypervectors" });
                }
                let found = self.hypervectors.search(directory, vectors, leg.k, cells, only)?;
                Hits { list: found.hits, ..Hits::default() }
            }
            Retriever::Dense(mode) => {
                let index = self.dense.as_ref().ok_or_else(|| no_index("embeddings"))?;
                let vector = forms.vector.as_ref().expect("a leg without its form is not asked");
                let options = dense::Options { k: leg.k, mode, clock: question.clock };
                let found = index.search(directory, vector, cells, only, &options)?;
                Hits { list: found.hits, trace: found.trace, ..Hits::default() }
            }
        };
        if let Some(floor) = leg.floor {
            hits.list.retain(|&(_, score)| score >= floor);
        }
        Ok(hits)
    }

    fn search_facts(
        &self,
        leg: &Leg,
        question: &mut Question<'_>,
        only: Option<&Selection>,
        ended: Option<&Selection>,
    ) -> Result<Hits<'_>> {
        let Retriever::Symbolic(options) = &leg.retriever else { unreachable!("the caller has looked") };
        let index = self.symbolic.as_ref().ok_or_else(|| no_index("facts"))?;
        let query = question.forms.symbols.as_ref().expect("a leg without its form is not asked");
        let seen = Seen { cells: question.scope.cells, without: ended, ..Seen::default() };
        let mut options = options.clone();
        options.max_candidates = if only.is_some() { MAX_K } else { leg.k };
        let mut closure = index.search(&self.directory, query, &options, &seen, question.expired);
        closure.candidates.retain(|candidate| only.is_none_or(|only| only.holds(candidate.record)));
        closure.candidates.truncate(leg.k);
        let list = closure.candidates.iter().map(|candidate| (candidate.record, candidate.raw)).collect();
        Ok(Hits { list, closure: Some(closure), ..Hits::default() })
    }

    /// Who may be found by the filter and by the time.
    pub(super) fn allowed(&self, scope: &Scope<'_>) -> Result<Allowed> {
        let matching = |filter: &Filter| filter.matches(&self.directory, &self.fields, scope.cells);
        let kept = scope.filter.map(matching).transpose()?;
        let gone = scope.gone.map(matching).transpose()?.unwrap_or_default();
        let over = match scope.now {
            None => RoaringBitmap::new(),
            Some(now) => {
                let column = || Error::invalid("now", "no column of this partition says when records end");
                let field = self.end.clone().ok_or_else(column)?;
                let high = Bound::Included(Value::number(now)?);
                matching(&Filter::Range { field, low: Bound::Unbounded, high })?
            }
        };
        let ended = (over | gone) - &self.archived;
        if ended.is_empty() {
            return Ok(Allowed { records: kept, ended: None });
        }
        let records = kept.unwrap_or_else(|| self.fields.members(scope.cells)) - &ended;
        Ok(Allowed { records: Some(records), ended: Some(Selection::from(&ended)) })
    }
}

/// Those in both, where nothing stands for all.
fn both(one: Option<RoaringBitmap>, other: Option<RoaringBitmap>) -> Option<RoaringBitmap> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one & other),
        (one, other) => one.or(other),
    }
}

fn has_form(leg: &Leg, forms: &Forms) -> bool {
    match leg.retriever {
        Retriever::Lexical | Retriever::Words(..) => forms.terms.is_some(),
        Retriever::Hypervector => forms.hypervectors.is_some(),
        Retriever::Dense(_) => forms.vector.is_some(),
        Retriever::Symbolic(_) => forms.symbols.is_some(),
    }
}

fn no_index(of: &str) -> Error {
    Error::invalid("legs", format!("one asks an index of {of}, which this partition does not have"))
}
