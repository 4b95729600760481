//! Search over all fields as if they were one: the counts and lengths of a record's fields are added up, each as often as
//! its field weighs, before they saturate (Robertson, Zaragoza and Taylor, 2004). The lists stay those of the fields.

use super::accumulate::{Scored, Taker};
use super::bm25::{Saturation, base, idf};
use super::explain::{Explanation, Part, unknown};
use super::index::{Cell, Index};
use super::lent::Steps;
use super::passing::{Met, Passing, gathered};
use super::postings::{Counts, List};
use super::query::Query;
use super::scores::Scores;
use super::search::{Counters, Found, SCRATCH};
use super::segment::{Segment, Term};
use super::settings::check_range;
use super::statistics::entries;
use super::visit::Visit;
use super::weighed::{merged, weighed};
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

/// Familiarity is that of records of so many terms.
const USUAL: f64 = 25.0;

/// Of a selection so many times smaller than a list, each record is looked for in the list.
const SPARSE: usize = 16;

/// Terms that are more familiar than nearly all that people ask about say no more.
const MOST_FAMILIAR: f64 = 0.3;

/// How fields are added up, and how their sum saturates.
#[derive(Debug, Clone, PartialEq)]
pub struct Joined {
    /// By field: how often a term in it counts, 0 to 16.
    pub weights: Vec<u32>,
    /// k1, at least 0, and b, 0 to 1; None: as the records' lengths ask for.
    pub saturation: Option<(f64, f64)>,
    /// A term with this before it counts as the term; nothing if it is empty. A term of the query that bears it is light: it
    /// adds to the score of a record that another term finds, and finds none itself, nor does what a query weighs or knows
    /// depend on it.
    pub mark: String,
}

/// What a search over joined fields finds, and how it was made.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundJoined {
    /// Hits, best first, and the work.
    pub found: Found<u32>,
    /// The k1 of the search.
    pub k1: f64,
    /// How much of the query the records speak about, 0 to 0.3: see [`Counted::familiarity`].
    pub familiarity: f64,
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

impl Joined {
    pub(super) fn check(&self, fields: usize) -> Result<()> {
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

    /// Which of a query's terms are light.
    pub(super) fn light(&self, query: &Query) -> Vec<bool> {
        query.terms().map(|term| !self.mark.is_empty() && term.starts_with(&self.mark)).collect()
    }

    /// The numbers of a query's terms: of each the term's own, and that of the marked one.
    pub(super) fn terms(&self, index: &Index, query: &Query) -> Vec<Option<u32>> {
        let marked = |term: &str| index.terms.get(&format!("{}{term}", self.mark)).filter(|_| !self.mark.is_empty());
        query.terms().flat_map(|term| [index.terms.get(term), marked(term)]).collect()
    }

    /// The lists of a query's terms in the segments of cells: by segment, then term.
    pub(super) fn sums<'a>(&self, cells: &[&'a Cell], terms: &[Option<u32>]) -> Vec<Option<Sum<'a>>> {
        let entries = entries(cells, terms);
        entries.chunks(2).map(|pair| self.sum(pair)).collect()
    }

    fn sum<'a>(&self, pair: &[Option<Term<'a>>]) -> Option<Sum<'a>> {
        let fields = || self.weights.iter().enumerate().filter(|&(_, &weight)| weight > 0);
        let lists_of = |entry: &Term<'a>| -> Vec<(List<'a>, u32)> {
            fields().filter_map(|(field, &weight)| Some((entry.list(field)?, weight))).collect()
        };
        let mut lists = pair.iter().flatten().flat_map(lists_of);
        let first = lists.next()?;
        let rest: Vec<_> = lists.collect();
        if rest.is_empty() && first.1 == 1 {
            return Some(Sum::Lent(first.0));
        }
        let (slots, counts) = rest.into_iter().fold(weighed(first), |all, list| merged(&all, &weighed(list)));
        Some(Sum::Own(slots, counts))
    }

    /// Records of the cells, their average length, and by term of the query in how many it stands and what that weighs.
    fn counted(&self, cells: &[&Cell], sums: &[Option<Sum<'_>>], light: Vec<bool>) -> Counted {
        let terms = light.len();
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
        Counted { records, average, frequencies, inverse, light, k1, b, found_in: None }
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
    light: Vec<bool>,
    k1: f64,
    b: f64,
    found_in: Option<Findable>, // nothing where all may be found
}

/// What is counted of the records that may be found alone.
struct Findable {
    records: u64,
    frequencies: Vec<u64>,
}

impl Counted {
    /// What a search found, given best first.
    fn found(self, best: Vec<(f64, u32)>, postings: u64) -> FoundJoined {
        let finding = self.inverse.iter().zip(&self.light).filter(|&(_, &light)| !light);
        let idf_sum = finding.fold(0.0, |sum, (idf, _)| sum + idf);
        let counters = Counters { records: self.records, postings };
        let hits = best.into_iter().map(|(score, number)| (number, score)).collect();
        let familiarity = self.familiarity();
        FoundJoined { found: Found { hits, counters, idf_sum }, k1: self.k1, familiarity }
    }

    /// The root of the share of records that hold a term, of those that may be found: what others said, and a question that
    /// was just told and is left out, make nothing familiar. A mean over the terms by idf; one that most records hold weighs
    /// 1 at least: it may be what a memory is about. Long records hold many terms by chance: the share is taken down by the
    /// fourth root of their length.
    fn familiarity(&self) -> f64 {
        let (records, frequencies) = match &self.found_in {
            None => (self.records, &self.frequencies),
            Some(findable) => (findable.records, &findable.frequencies),
        };
        let (mut shares, mut weights) = (0.0, 0.0);
        for ((&idf, &df), _) in self.inverse.iter().zip(frequencies).zip(&self.light).filter(|&(_, &light)| !light) {
            let weight = if idf > 1.0 { idf } else { 1.0 };
            weights += weight;
            if df > 0 {
                shares += weight * (df as f64 / records as f64);
            }
        }
        if shares == 0.0 {
            return 0.0;
        }
        (shares / weights / (self.average / USUAL).sqrt().sqrt()).sqrt().min(MOST_FAMILIAR)
    }

    fn saturation(&self) -> Saturation {
        Saturation::new(self.k1, self.b, self.average)
    }
}

/// A query over joined fields: the lists of its terms by segment, and what is counted of them.
struct Asked<'a> {
    numbers: Vec<Option<u32>>, // of each term its own, and that of the marked one
    sums: Vec<Option<Sum<'a>>>,
    counted: Counted,
}

impl<'a> Asked<'a> {
    fn of(index: &'a Index, query: &Query, joined: &Joined, cells: &[&'a Cell]) -> Self {
        let numbers = joined.terms(index, query);
        let sums = joined.sums(cells, &numbers);
        let counted = joined.counted(cells, &sums, joined.light(query));
        Self { numbers, sums, counted }
    }

    /// Has what is familiar be that of a selection of active records of these cells. Of a few, each is looked for in the
    /// lists; of many, the lists are gone through.
    fn among(&mut self, cells: &[&Cell], only: &Selection, few: Option<&Vec<Vec<u16>>>) {
        let terms = self.numbers.len() / 2;
        let mut frequencies = vec![0_u64; terms];
        for (at, segment) in cells.iter().flat_map(|cell| &cell.segments).enumerate() {
            let passing = Passing { documents: segment.documents(), only: Some(only), met: None };
            for (frequency, sum) in frequencies.iter_mut().zip(&self.sums[at * terms..(at + 1) * terms]) {
                let Some(sum) = sum else { continue };
                let slots = sum.list().slots;
                let held = match few {
                    Some(few) if few[at].len() * SPARSE < slots.len() => {
                        few[at].iter().filter(|slot| slots.binary_search(slot).is_ok()).count()
                    }
                    _ => slots.iter().filter(|&&slot| passing.holds(slot)).count(),
                };
                *frequency += held as u64;
            }
        }
        self.counted.found_in = Some(Findable { records: only.len() as u64, frequencies });
    }

    /// The lists of the query's terms in a segment, in the order of summation, as those of one field more than there are. One
    /// of a term that only occurs marked has a number that no term has: as a term of its own it may have another list.
    fn lists<'l>(&'l self, segment: usize, lengths: &'l [u32], fields: usize) -> Vec<Scored<'l>> {
        let (terms, saturation) = (self.numbers.len() / 2, self.counted.saturation());
        let scored = |at: usize| {
            let sum = self.sums[segment * terms + at].as_ref()?;
            let (own, marked) = (self.numbers[2 * at], self.numbers[2 * at + 1]);
            let curve = saturation.curve(base(1.0, self.counted.inverse[at], self.counted.k1));
            let term = own.or(marked.map(|marked| !marked)).expect("a term with a list has a number");
            Some(Scored { list: sum.list(), term, field: fields, lengths, curve })
        };
        (0..terms).filter_map(scored).collect()
    }

    /// The slots of a segment that hold a term which finds; nothing where each of its lists is of one.
    fn met(&self, at: usize, segment: &Segment) -> Option<Met> {
        let light = &self.counted.light;
        let sums = || self.sums[at * light.len()..(at + 1) * light.len()].iter().zip(light);
        let finding = || sums().filter(|&(_, &light)| !light).filter_map(|(sum, _)| Some(sum.as_ref()?.list().slots));
        sums().any(|(sum, &light)| light && sum.is_some()).then(|| Met::new(finding(), segment.slots()))
    }
}

/// Keeps the best of those that may be found.
struct Ranked<'a> {
    directory: &'a Directory,
    documents: &'a [u32],
    passing: Option<Passing<'a>>,
    best: &'a mut TopK,
}

impl Taker for Ranked<'_> {
    fn floor(&self) -> f64 {
        self.best.threshold()
    }

    fn take(&mut self, slot: u16, sum: f64) {
        if self.passing.is_none_or(|passing| passing.holds(slot)) {
            let number = self.documents[usize::from(slot)];
            self.best.offer(sum, number, &|number| self.directory.key(number));
        }
    }
}

impl Index {
    /// As [`Index::search`] over fields that are added up, without boosts. A selection is one of records of these cells that
    /// can be found: they are counted.
    ///
    /// # Errors
    /// For numbers outside their ranges.
    pub fn search_joined(
        &self,
        directory: &Directory,
        query: &Query,
        joined: &Joined,
        k: usize,
        cells: &[u32],
        only: Option<&Selection>,
    ) -> Result<FoundJoined> {
        let (numbers, cells) = self.asked_of(joined, k, cells)?;
        let mut asked = Asked::of(self, query, joined, &cells);
        let few = only.and_then(|only| gathered(self, only, &numbers, &cells));
        if let Some(only) = only {
            asked.among(&cells, only, few.as_ref());
        }
        let (fields, mut visit) =
            (self.settings.fields.len(), Visit::new(directory, Isa::active()?, k, &[], self.len()));
        let steps = || Steps::everywhere(fields + 1, (asked.counted.k1, asked.counted.b), asked.counted.average);
        SCRATCH.with_borrow_mut(|scratch| {
            for (at, segment) in cells.iter().flat_map(|cell| &cell.segments).enumerate() {
                let lengths = segment.joined_lengths(&joined.weights, &joined.mark);
                let (lists, met) = (asked.lists(at, &lengths, fields), asked.met(at, segment));
                if let Some(few) = &few {
                    let slots = few[at].iter().copied().filter(|&slot| met.as_ref().is_none_or(|met| met.holds(slot)));
                    visit.slots(scratch, segment, &lists, &slots.collect::<Vec<_>>());
                } else {
                    let passing = Passing::of(segment.documents(), only, met.as_ref());
                    visit.segment(scratch, segment, &lists, steps, passing);
                }
            }
        });
        let postings = visit.postings;
        Ok(asked.counted.found(visit.finish(), postings))
    }

    /// As [`Index::search_joined`]; and the score of every record of the cells, whether it may be found or not; and the lists
    /// that were read.
    ///
    /// # Errors
    /// As there.
    pub fn search_joined_all(
        &self,
        directory: &Directory,
        query: &Query,
        joined: &Joined,
        k: usize,
        cells: &[u32],
        only: Option<&Selection>,
    ) -> Result<(FoundJoined, Scores, JoinedLists<'_>)> {
        let (numbers, cells) = self.asked_of(joined, k, cells)?;
        let (isa, mut asked) = (Isa::active()?, Asked::of(self, query, joined, &cells));
        if let Some(only) = only {
            asked.among(&cells, only, None);
        }
        let (mut best, mut all) = (TopK::new(k.min(self.len().max(1))), Scores::default());
        let mut postings = 0;
        let segments =
            numbers.iter().zip(&cells).flat_map(|(&of, cell)| cell.segments.iter().map(move |each| (of, each)));
        for (at, (cell, segment)) in segments.enumerate() {
            let lengths = segment.joined_lengths(&joined.weights, &joined.mark);
            let (lists, met) = (asked.lists(at, &lengths, self.settings.fields.len()), asked.met(at, segment));
            postings += lists.iter().map(|scored| scored.list.slots.len() as u64).sum::<u64>();
            let passing = Passing::of(segment.documents(), only, met.as_ref());
            let mut taker = Ranked { directory, documents: segment.documents(), passing, best: &mut best };
            SCRATCH.with_borrow_mut(|scratch| {
                all.next(cell, |sums| scratch.sums(isa, &lists, segment.slots(), sums, &mut taker));
            });
            best.settle(&|number| directory.key(number));
        }
        let lists = JoinedLists { light: asked.counted.light.clone(), sums: asked.sums };
        let best = best.into_sorted(&|number| directory.key(number));
        Ok((asked.counted.found(best, postings), all, lists))
    }

    /// The cells that a search looks at, with their numbers, if what it asks for can be asked.
    fn asked_of(&self, joined: &Joined, k: usize, cells: &[u32]) -> Result<(Vec<u32>, Vec<&Cell>)> {
        check_k(k)?;
        joined.check(self.settings.fields.len())?;
        Ok(self.cells(cells))
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
        let counted = joined.counted(&cells, &joined.sums(&cells, &numbers), joined.light(query));
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
                term: term.strip_prefix(&joined.mark).unwrap_or(term).to_owned(),
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
