//! Search over all fields as if they were one: the counts and lengths of a record's fields are added up, each as often as
//! its field weighs, before they saturate (Robertson, Zaragoza and Taylor, 2004). The lists stay those of the fields.

use std::borrow::Cow;
use std::cell::RefCell;

use super::accumulate::{Scored, Sums, Taker};
use super::bm25::{Saturation, base, idf};
use super::explain::{Explanation, Part, unknown};
use super::index::{Cell, Index};
use super::postings::{Counts, List};
use super::query::Query;
use super::search::{Counters, Found};
use super::segment::{Segment, Term};
use super::settings::check_range;
use super::statistics::entries;
use crate::error::{Error, Result};
use crate::kernel::Isa;
use crate::rank::{TopK, check_k};
use crate::records::{Directory, Selection};

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
    /// A term with this before it counts as the term; nothing if it is empty.
    pub mark: String,
}

/// What a search over joined fields finds, and how it was made.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundJoined {
    /// Hits, best first, and the work.
    pub found: Found<u32>,
    /// The k1 of the search.
    pub k1: f64,
}

/// A term's list over all fields of a segment: lent where one field of weight 1 has it, else added up.
enum Sum<'a> {
    Lent(List<'a>),
    Own(Vec<u16>, Vec<u32>),
}

impl Sum<'_> {
    fn list(&self) -> List<'_> {
        match self {
            Self::Lent(list) => *list,
            Self::Own(slots, counts) => List { slots, counts: Counts::Wide(counts) },
        }
    }
}

impl Joined {
    fn check(&self, fields: usize) -> Result<()> {
        if self.weights.len() != fields || self.weights.iter().any(|&weight| weight > MAX_WEIGHT) {
            let why = format!("are {:?}; give one from 0 to {MAX_WEIGHT} for each of {fields} fields", self.weights);
            return Err(Error::invalid("weights", why));
        }
        let (k1, b) = self.saturation.unwrap_or(OF_LONG);
        check_range("k1", k1, 0.0, 1e6)?;
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

    /// The numbers of a query's terms: of each the term's own, and that of the marked one.
    fn terms(&self, index: &Index, query: &Query) -> Vec<Option<u32>> {
        let marked = |term: &str| index.terms.get(&format!("{}{term}", self.mark)).filter(|_| !self.mark.is_empty());
        query.terms().flat_map(|term| [index.terms.get(term), marked(term)]).collect()
    }

    /// The lists of a query's terms in the segments of cells: by segment, then term.
    fn sums<'a>(&self, cells: &[&'a Cell], terms: &[Option<u32>]) -> Vec<Option<Sum<'a>>> {
        let entries = entries(cells, terms);
        entries.chunks(2).map(|pair| self.sum(pair)).collect()
    }

    fn sum<'a>(&self, pair: &[Option<Term<'a>>]) -> Option<Sum<'a>> {
        let weighed = || self.weights.iter().enumerate().filter(|&(_, &weight)| weight > 0);
        let lists_of = |entry: &Term<'a>| -> Vec<(List<'a>, u32)> {
            weighed().filter_map(|(field, &weight)| Some((entry.list(field)?, weight))).collect()
        };
        let mut lists = pair.iter().flatten().flat_map(lists_of);
        let first = lists.next()?;
        let rest: Vec<_> = lists.collect();
        if rest.is_empty() && first.1 == 1 {
            return Some(Sum::Lent(first.0));
        }
        let mut all = Vec::new();
        for (list, weight) in std::iter::once(first).chain(rest) {
            all.extend(list.iter().map(|(slot, count)| (slot, count.saturating_mul(weight))));
        }
        all.sort_by_key(|&(slot, _)| slot); // runs that are in order
        let (mut slots, mut counts): (Vec<u16>, Vec<u32>) = (Vec::new(), Vec::new());
        for (slot, count) in all {
            match counts.last_mut() {
                Some(last) if slots.last() == Some(&slot) => *last = last.saturating_add(count),
                _ => {
                    slots.push(slot);
                    counts.push(count);
                }
            }
        }
        Some(Sum::Own(slots, counts))
    }

    fn lengths<'a>(&self, segment: &'a Segment) -> Cow<'a, [u32]> {
        let weighed = || self.weights.iter().enumerate().map(|(field, &weight)| (segment.lengths(field), weight));
        let mut fields = weighed().filter(|(lengths, weight)| *weight > 0 && !lengths.is_empty());
        match (fields.next(), fields.next()) {
            (None, _) => Cow::Borrowed(&[]),
            (Some((lengths, 1)), None) => Cow::Borrowed(lengths),
            (first, second) => {
                let mut sums = vec![0_u32; segment.slots()];
                for (lengths, weight) in first.into_iter().chain(second).chain(fields) {
                    for (sum, length) in sums.iter_mut().zip(lengths) {
                        *sum = sum.saturating_add(length.saturating_mul(weight));
                    }
                }
                Cow::Owned(sums)
            }
        }
    }

    /// Records of the cells, their average length, and by term of the query in how many it stands and what that weighs.
    fn counted(&self, cells: &[&Cell], sums: &[Option<Sum<'_>>], terms: usize) -> Counted {
        let records = cells.iter().map(|cell| cell.documents).sum();
        let average = self.average(records, cells);
        let mut frequencies = vec![0_u64; terms];
        for of_segment in sums.chunks(terms.max(1)) {
            for (frequency, sum) in frequencies.iter_mut().zip(of_segment) {
                *frequency += sum.as_ref().map_or(0, |sum| sum.list().slots.len() as u64);
            }
        }
        let inverse: Vec<f64> = frequencies.iter().map(|&df| idf(records, df)).collect();
        let (k1, b) = self.saturation(average);
        Counted { records, average, frequencies, inverse, k1, b }
    }

    fn average(&self, records: u64, cells: &[&Cell]) -> f64 {
        let total = |cell: &&Cell| -> u64 {
            cell.total_lengths.iter().zip(&self.weights).map(|(&total, &weight)| total * u64::from(weight)).sum()
        };
        let total: u64 = cells.iter().map(total).sum();
        if records == 0 { 0.0 } else { total as f64 / records as f64 }
    }

    /// How long a record is.
    pub(super) fn length(&self, segment: &Segment, slot: u16) -> u32 {
        let weighed = self.weights.iter().enumerate().filter(|&(_, &weight)| weight > 0);
        weighed.fold(0, |sum, (field, &weight)| sum.saturating_add(segment.length(field, slot).saturating_mul(weight)))
    }
}

/// What a search over joined fields counts first.
struct Counted {
    records: u64,
    average: f64,
    frequencies: Vec<u64>,
    inverse: Vec<f64>,
    k1: f64,
    b: f64,
}

impl Counted {
    fn saturation(&self) -> Saturation {
        Saturation::new(self.k1, self.b, self.average)
    }
}

thread_local! {
    static SUMS: RefCell<Sums> = RefCell::default();
}

/// Keeps the best of those that may be found, and, if they are wanted, all.
struct Ranked<'a> {
    directory: &'a Directory,
    documents: &'a [u32],
    only: Option<&'a Selection>,
    best: &'a mut TopK,
    all: Option<&'a mut Vec<(u32, f64)>>,
}

impl Taker for Ranked<'_> {
    fn floor(&self) -> f64 {
        if self.all.is_some() { 0.0 } else { self.best.threshold() }
    }

    fn take(&mut self, slot: u16, sum: f64) {
        let number = self.documents[usize::from(slot)];
        if let Some(all) = &mut self.all {
            all.push((number, sum));
        }
        if self.only.is_none_or(|only| only.holds(number)) {
            self.best.offer(sum, number, &|number| self.directory.key(number));
        }
    }
}

/// Groups of records, each of which can be scored as if it were one record.
pub struct Groups<'g> {
    /// The group of each record by its number; beyond its end, and where it is [`NO_GROUP`], it has none.
    pub of: &'g [u32],
    /// How many groups lie in the searched cells.
    pub count: u64,
    /// How long they are together.
    pub total: u64,
    /// How long each is, by its number.
    pub lengths: &'g dyn Fn(u32) -> u64,
    /// How many numbers of groups there are.
    pub capacity: usize,
    /// As [`Joined`], for groups.
    pub k1: f64,
    /// As [`Joined`], for groups.
    pub b: f64,
}

/// Marks a record without a group.
pub const NO_GROUP: u32 = u32::MAX;

impl Index {
    /// As [`Index::search`] over fields that are added up, without boosts. `all` takes every record of the cells that
    /// shares a term with the query, with its score, whether it may be found or not.
    ///
    /// # Errors
    /// For numbers outside their ranges.
    #[allow(clippy::too_many_arguments)] // those of a search
    pub fn search_joined(
        &self,
        directory: &Directory,
        query: &Query,
        joined: &Joined,
        k: usize,
        cells: &[u32],
        only: Option<&Selection>,
        mut all: Option<&mut Vec<(u32, f64)>>,
    ) -> Result<FoundJoined> {
        check_k(k)?;
        joined.check(self.settings.fields.len())?;
        let isa = Isa::active()?;
        let (_, cells) = self.cells(cells);
        let numbers = joined.terms(self, query);
        let (terms, sums) = (numbers.len() / 2, joined.sums(&cells, &numbers));
        let counted = joined.counted(&cells, &sums, terms);
        let saturation = counted.saturation();
        let mut best = TopK::new(k.min(self.len().max(1)));
        let mut postings = 0;
        for (segment, sums) in cells.iter().flat_map(|cell| &cell.segments).zip(sums.chunks(terms.max(1))) {
            let lengths = joined.lengths(segment);
            let mut lists = Vec::with_capacity(terms);
            for (at, sum) in sums.iter().enumerate() {
                if let Some(sum) = sum {
                    let curve = saturation.curve(base(1.0, counted.inverse[at], counted.k1));
                    lists.push(Scored { list: sum.list(), term: at as u32, field: 0, lengths: &lengths, curve });
                }
            }
            postings += lists.iter().map(|scored| scored.list.slots.len() as u64).sum::<u64>();
            let documents = segment.documents();
            let mut taker = Ranked { directory, documents, only, best: &mut best, all: all.as_deref_mut() };
            SUMS.with_borrow_mut(|scratch| scratch.run(isa, &lists, segment.slots(), None, &mut taker));
            best.settle(&|number| directory.key(number));
        }
        let counters = Counters { records: counted.records, postings };
        let hits = best.into_sorted(&|number| directory.key(number)).into_iter().map(|(score, number)| (number, score));
        let idf_sum = counted.inverse.iter().fold(0.0, |sum, idf| sum + idf);
        Ok(FoundJoined { found: Found { hits: hits.collect(), counters, idf_sum }, k1: counted.k1 })
    }

    /// Groups of records scored as if each were one record, in no order, those without a term of the query left out; and
    /// what the query's terms weigh among groups.
    #[must_use]
    pub fn search_groups(
        &self,
        query: &Query,
        joined: &Joined,
        cells: &[u32],
        groups: &Groups<'_>,
    ) -> (Vec<(u32, f64)>, f64) {
        let (_, cells) = self.cells(cells);
        let numbers = joined.terms(self, query);
        let (terms, sums) = (numbers.len() / 2, joined.sums(&cells, &numbers));
        let average = if groups.count == 0 { 0.0 } else { groups.total as f64 / groups.count as f64 };
        let saturation = Saturation::new(groups.k1, groups.b, average);
        let (mut counts, mut scores) = (vec![0_u32; groups.capacity], vec![0.0_f64; groups.capacity]);
        let (mut found, mut idf_sum) = (Vec::new(), 0.0);
        for at in 0..terms {
            let mut touched = Vec::new();
            let segments = cells.iter().flat_map(|cell| &cell.segments);
            for (segment, sums) in segments.zip(sums.chunks(terms)) {
                let Some(sum) = &sums[at] else { continue };
                for (slot, count) in sum.list().iter() {
                    let number = segment.documents()[usize::from(slot)];
                    let group = groups.of.get(number as usize).copied().unwrap_or(NO_GROUP);
                    if group != NO_GROUP {
                        let held = &mut counts[group as usize];
                        if *held == 0 {
                            touched.push(group);
                        }
                        *held = held.saturating_add(count);
                    }
                }
            }
            let weight = idf(groups.count, touched.len() as u64);
            idf_sum += weight;
            let curve = saturation.curve(base(1.0, weight, groups.k1));
            for group in touched {
                let score = &mut scores[group as usize];
                if *score == 0.0 {
                    found.push(group);
                }
                let count = std::mem::take(&mut counts[group as usize]);
                *score += curve.part(f64::from(count), (groups.lengths)(group) as f64);
            }
        }
        (found.into_iter().map(|group| (group, scores[group as usize])).collect(), idf_sum)
    }

    /// How long a record is with its fields added up; 0 for one that is not held.
    #[must_use]
    pub fn joined_length(&self, joined: &Joined, number: u32) -> u32 {
        self.place(number).map_or(0, |place| {
            let segment = &self.cells[place.cell as usize].segments[usize::from(place.segment)];
            joined.length(segment, place.slot)
        })
    }

    /// As [`Index::explain`], for [`Index::search_joined`].
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the searched cells hold no such record, and for numbers outside their ranges.
    pub fn explain_joined(
        &self,
        directory: &Directory,
        query: &Query,
        joined: &Joined,
        number: u32,
        cells: &[u32],
    ) -> Result<Explanation> {
        joined.check(self.settings.fields.len())?;
        let id = directory.id(number);
        let Some(place) = self.place(number).filter(|place| cells.contains(&place.cell)) else {
            return Err(unknown(id));
        };
        let numbers = joined.terms(self, query);
        let (_, cells) = self.cells(cells);
        let counted = joined.counted(&cells, &joined.sums(&cells, &numbers), numbers.len() / 2);
        let (average, saturation) = (counted.average, counted.saturation());
        let segment = &self.cells[place.cell as usize].segments[usize::from(place.segment)];
        let length = joined.length(segment, place.slot);
        let (mut parts, mut sum) = (Vec::new(), 0.0);
        for (at, term) in query.terms().enumerate() {
            let pair = [numbers[2 * at], numbers[2 * at + 1]].map(|number| segment.term(number?));
            let list = joined.sum(&pair);
            let term_frequency = list.map_or(0, |sum| sum.list().count_in(place.slot));
            if term_frequency == 0 {
                continue;
            }
            let inverse = counted.inverse[at];
            let value = saturation.part(base(1.0, inverse, counted.k1), f64::from(term_frequency), f64::from(length));
            sum += value;
            parts.push(Part {
                field: "all".to_owned(),
                term: term.to_owned(),
                weight: 1.0,
                idf: inverse,
                document_frequency: counted.frequencies[at],
                term_frequency,
                length,
                average_length: if average == 0.0 { 1.0 } else { average },
                value,
            });
        }
        let Counted { records, k1, b, .. } = counted;
        Ok(Explanation { id: id.to_owned(), parts, sum, boost: None, score: sum, records, k1, b })
    }
}
