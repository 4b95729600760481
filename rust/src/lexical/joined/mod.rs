//! Search over all fields as if they were one: the counts and lengths of a record's fields are added up, each as often as
//! its field weighs, before they saturate (Robertson, Zaragoza and Taylor, 2004). The lists stay those of the fields.

mod asked;
mod counted;
mod explain;
mod search;

use super::index::{Cell, Index};
use super::postings::{Counts, List};
use super::query::Query;
use super::segment::{Segment, Term};
use super::settings::check_range;
use super::statistics::entries;
use super::weighed::{merged, weighed};
use crate::error::{Error, Result};
use crate::text::{ORDINARY_TEXTS, ordinary_texts};

pub use search::FoundJoined;

/// A weight that is higher would let counts outgrow 32 bits.
pub const MAX_WEIGHT: u32 = 16;

/// Records of so many terms on average are short, those of so many long.
const SHORT: f64 = 12.0;
const LONG: f64 = 36.0;

/// k1 and b of short and of long records: of a turn, length and repetition say little.
const OF_SHORT: (f64, f64) = (0.6, 0.3);
const OF_LONG: (f64, f64) = (1.2, 0.75);

/// How fields are added up, and how their sum saturates.
#[derive(Debug, Clone, PartialEq)]
pub struct Joined {
    /// By field: how often a term in it counts, 0 to 16.
    pub weights: Vec<u32>,
    /// k1, at least 0, and b, 0 to 1; None: as the records' lengths ask for.
    pub saturation: Option<(f64, f64)>,
    /// A term with this before it counts as the term; nothing if it is empty. A term of the query that begins with it is light:
    /// it adds to the score of a record that another term finds, and finds none itself, nor does what a query weighs or knows
    /// depend on it; what has it without the mark counts, too. One that has it inside is a term and its stem, which counts as the
    /// term, too.
    pub mark: String,
    /// How rare a term is, which ordinary English texts hold ([`crate::text::ordinary_texts`]), is taken down as much as so many
    /// of them beside the records would take it down, at least 0.
    pub beside: f64,
}

/// A term's list over all fields of a segment: lent where one field of weight 1 has it, else added up.
pub(super) enum Sum<'a> {
    Lent(List<'a>),
    Own(Vec<u16>, Vec<u32>),
}

impl Sum<'_> {
    pub(super) fn list(&self) -> List<'_> {
        match self {
            Self::Lent(list) => *list,
            Self::Own(slots, counts) => List { slots, counts: Counts::Wide(counts) },
        }
    }
}

/// The lists that a search over joined fields read, for another one with the same terms and cells.
pub struct JoinedLists<'a> {
    pub(super) light: Vec<bool>,           // by term
    pub(super) sums: Vec<Option<Sum<'a>>>, // by segment, then term
}

/// A term has so many forms: itself and its stem, each by itself and marked.
pub(super) const FORMS: usize = 4;

/// A term of a query and, behind a mark inside it, its stem.
pub(in crate::lexical) fn parted<'t>(term: &'t str, mark: &str) -> (&'t str, Option<&'t str>) {
    match term.split_once(mark).filter(|(own, _)| !own.is_empty() && !mark.is_empty()) {
        Some((own, stem)) => (own, Some(stem)),
        None => (term, None),
    }
}

/// A term of a query without the mark of a light one.
fn strip<'t>(term: &'t str, mark: &str) -> &'t str {
    if mark.is_empty() { term } else { term.strip_prefix(mark).unwrap_or(term) }
}

/// The numbers of the forms of a term of a query; a light one has its form without the mark, too.
pub(in crate::lexical) fn numbers_of(index: &Index, term: &str, mark: &str) -> [Option<u32>; FORMS] {
    if let Some(plain) = term.strip_prefix(mark).filter(|_| !mark.is_empty()) {
        return [index.terms.get(term), index.terms.get(plain), None, None];
    }
    let (own, stem) = parted(term, mark);
    let marked = |term: &str| index.terms.get(&format!("{mark}{term}")).filter(|_| !mark.is_empty());
    [index.terms.get(own), marked(own), stem.and_then(|stem| index.terms.get(stem)), stem.and_then(marked)]
}

impl Joined {
    pub(super) fn check(&self, fields: usize) -> Result<()> {
        if self.weights.len() != fields || self.weights.iter().any(|&weight| weight > MAX_WEIGHT) {
            let why = format!("are {:?}; give one from 0 to {MAX_WEIGHT} for each of {fields} fields", self.weights);
            return Err(Error::invalid("weights", why));
        }
        let (k1, b) = self.saturation.unwrap_or(OF_LONG);
        check_range("k1", k1, 0.0, 1e6)?;
        check_range("beside", self.beside, 0.0, 1e9)?;
        check_range("b", b, 0.0, 1.0)
    }

    /// k1 and b for records of so many terms on average: between those of short and of long ones, in step with the length.
    fn saturation(&self, average: f64) -> (f64, f64) {
        self.saturation.unwrap_or_else(|| {
            let share = ((average - SHORT) / (LONG - SHORT)).clamp(0.0, 1.0);
            let between = |short: f64, long: f64| short + (long - short) * share;
            (between(OF_SHORT.0, OF_LONG.0), between(OF_SHORT.1, OF_LONG.1))
        })
    }

    /// Which of a query's terms are light.
    pub(super) fn light(&self, query: &Query) -> Vec<bool> {
        query.terms().map(|term| !self.mark.is_empty() && term.starts_with(&self.mark)).collect()
    }

    /// In how many of the ordinary texts that count beside the records each term of a query stands.
    pub(super) fn ordinary(&self, query: &Query) -> Vec<f64> {
        let share = self.beside / ORDINARY_TEXTS;
        let own = |term| parted(strip(term, &self.mark), &self.mark).0;
        query.terms().map(|term| if share > 0.0 { share * ordinary_texts(own(term)) } else { 0.0 }).collect()
    }

    /// The numbers of a query's terms: of each its forms.
    pub(super) fn terms(&self, index: &Index, query: &Query) -> Vec<Option<u32>> {
        query.terms().flat_map(|term| numbers_of(index, term, &self.mark)).collect()
    }

    /// The lists of a query's terms in the segments of cells: by segment, then term.
    pub(super) fn sums<'a>(&self, cells: &[&'a Cell], terms: &[Option<u32>]) -> Vec<Option<Sum<'a>>> {
        let entries = entries(cells, terms);
        entries.chunks(FORMS).map(|forms| self.sum(forms)).collect()
    }

    fn sum<'a>(&self, forms: &[Option<Term<'a>>]) -> Option<Sum<'a>> {
        let fields = || self.weights.iter().enumerate().filter(|&(_, &weight)| weight > 0);
        let lists_of = |entry: &Term<'a>| -> Vec<(List<'a>, u32)> {
            fields().filter_map(|(field, &weight)| Some((entry.list(field)?, weight))).collect()
        };
        let mut lists = forms.iter().flatten().flat_map(lists_of);
        let first = lists.next()?;
        let rest: Vec<_> = lists.collect();
        if rest.is_empty() && first.1 == 1 {
            return Some(Sum::Lent(first.0));
        }
        let (slots, counts) = rest.into_iter().fold(weighed(first), |all, list| merged(&all, &weighed(list)));
        Some(Sum::Own(slots, counts))
    }

    /// How long a record is.
    pub(super) fn length(&self, segment: &Segment, slot: u16) -> u32 {
        let weighed = self.weights.iter().enumerate().filter(|&(_, &weight)| weight > 0);
        weighed.fold(0, |sum, (field, &weight)| sum.saturating_add(segment.length(field, slot).saturating_mul(weight)))
    }
}
