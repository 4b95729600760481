//! Conversations: which records were told together, in which order, and what they say around each other.
//!
//! They are made of fields when they are first asked for, and follow every change from then on. A conversation lies in one
//! cell: what was told elsewhere is no part of it.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;

use roaring::RoaringBitmap;
use rustc_hash::FxHashMap;

use super::Partition;
use crate::dense;
use crate::error::Result;
use crate::lexical::{Explanation, Groups, Joined, JoinedLists, NO_GROUP, Query, Scores};
use crate::records::{Column, Directory, Value};

/// What makes a conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct Telling {
    /// Fields that all its records have in common; a record without the first one is in none.
    pub by: Vec<String>,
    /// The column by which they are ordered; then by id.
    pub order: String,
    /// A record that says this in a field is in none.
    pub without: Option<(String, Value)>,
    /// The flag of a record that asks something.
    pub asks: String,
    /// The number that says which share of a record asks, if it ends in a question.
    pub asking: String,
}

/// What is asked about conversations.
#[derive(Debug, Clone, PartialEq)]
pub struct Around {
    /// What makes one.
    pub telling: Telling,
    /// How many records before one, and after it, count.
    pub reach: usize,
    /// Of so many of the best, what was told around them is proposed too.
    pub first: usize,
    /// What one step further away counts, as a share.
    pub decay: f64,
    /// How often a record right before one counts if it asks something: what comes next is its answer...
    pub asked: f64,
    /// ...and how much more often if all of it asks...
    pub asking: f64,
    /// ...if the answer has no more terms than this; a longer one says more itself, and the more so the longer it is.
    pub short: f64,
    /// For whole conversations.
    pub k1: f64,
    /// For whole conversations.
    pub b: f64,
    /// What the cosine of a neighbour counts beside the share of its words...
    pub dense: f64,
    /// ...as far as it lies above this, of what lies above it.
    pub floor: f64,
}

impl Around {
    /// How often what was told right before an answer of so many terms counts: whether it asks, and which share of it.
    fn of_answer(&self, length: f64, (asks, share): (bool, f64)) -> f64 {
        let part = if length > self.short { self.short / length } else { 1.0 };
        let more = if asks { self.asked - 1.0 } else { 0.0 };
        1.0 + (more + self.asking * share) * part
    }
}

/// By record what was told before it, after it, and in the whole conversation, as shares of what the question's words weigh;
/// not a number for a record that is in none.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Told {
    /// Those before, each step further away times the decay, added up.
    pub before: Vec<f64>,
    /// The same of those after.
    pub after: Vec<f64>,
    /// The conversation as one text.
    pub whole: Vec<f64>,
    /// The cosine of the record itself, if the question has a vector and the record one.
    pub cosine: Vec<f64>,
}

/// The records around one: those before it and those after, the nearest first.
pub type Beside = (Vec<u32>, Vec<u32>);

/// The scores of all records of the cells for the words of a question, and the lists that were read for them.
pub(super) type Scored<'p> = (Scores, JoinedLists<'p>);

/// The vector of a question, and the cosines that are known already, by number.
type Asked<'q> = (&'q [f32], &'q FxHashMap<u32, f64>);

type Key = (u32, Vec<Option<Value>>);

#[derive(Debug, Clone, Default)]
struct Conversation {
    key: Key,
    records: Vec<u32>, // in order
}

/// The conversations of a partition.
#[derive(Debug, Clone)]
pub(super) struct Conversations {
    telling: Telling,
    joined: Joined,
    of: Vec<u32>,      // by record
    lengths: Vec<u32>, // by record
    places: Vec<u32>,  // by record: where it stands in its conversation
    asking: RoaringBitmap,
    shares: FxHashMap<u32, f64>, // by record that ends in a question: how much of it asks
    all: Vec<Conversation>,
    totals: Vec<u64>, // by conversation: how long it is
    free: Vec<u32>,
    numbers: BTreeMap<Key, u32>,
    cells: FxHashMap<u32, (u64, u64)>, // conversations, and how long they are together
}

impl Conversations {
    fn of(partition: &Partition, telling: &Telling, joined: &Joined) -> Self {
        let mut made = Self {
            telling: telling.clone(),
            joined: joined.clone(),
            of: Vec::new(),
            lengths: Vec::new(),
            places: Vec::new(),
            asking: RoaringBitmap::new(),
            shares: FxHashMap::default(),
            all: Vec::new(),
            totals: Vec::new(),
            free: Vec::new(),
            numbers: BTreeMap::new(),
            cells: FxHashMap::default(),
        };
        let everyone: Vec<u32> = (0..partition.directory.capacity() as u32).collect();
        made.put(partition, &everyone);
        made
    }

    /// Takes in records that the indexes hold; others are passed over.
    pub(super) fn put(&mut self, partition: &Partition, numbers: &[u32]) {
        let Some(times) = partition.fields.column(&self.telling.order) else { return };
        let fields = &partition.fields;
        let said = fields.first(&self.telling.by, numbers);
        let without = self.telling.without.as_ref().map(|(field, value)| {
            let said = fields.first(&[field], numbers).pop();
            (said.expect("one field gives one column"), value.clone())
        });
        let asks = fields.first(&[&self.telling.asks, &self.telling.asking], numbers);
        let mut touched = Vec::new();
        for (row, &number) in numbers.iter().enumerate() {
            let skipped = without.as_ref().is_some_and(|(said, value)| said[row] == Some(value));
            let has_first = said.first().is_some_and(|said| said[row].is_some());
            if skipped || !has_first || !partition.lexical.holds(number) {
                continue;
            }
            let Some(cell) = partition.directory.cell(number) else { continue };
            let key = (cell, said.iter().map(|said| said[row].cloned()).collect());
            let length = partition.lexical.joined_length(&self.joined, number);
            touched.push((self.enter(key, number, length), number));
            if asks[0][row] == Some(&Value::Flag(true)) {
                self.asking.insert(number);
            }
            if let Some(Value::Number(share)) = asks[1][row] {
                self.shares.insert(number, share.get());
            }
        }
        let order = |one: u32, other: u32| earlier(times, &partition.directory, one, other);
        touched.sort_unstable();
        for run in touched.chunk_by(|one, other| one.0 == other.0) {
            let records = &mut self.all[run[0].0 as usize].records;
            let mut first = 0;
            if let [(_, number)] = run {
                first = records.partition_point(|&other| order(other, *number) == Ordering::Less);
                records.insert(first, *number);
            } else {
                records.extend(run.iter().map(|&(_, number)| number));
                records.sort_by(|&one, &other| order(one, other));
            }
            number_from(&mut self.places, records, first);
        }
    }

    /// Counts a record in its conversation, which is made if it is not there.
    fn enter(&mut self, key: Key, number: u32, length: u32) -> u32 {
        let at = number as usize;
        if self.of.len() <= at {
            self.of.resize(at + 1, NO_GROUP);
            self.lengths.resize(at + 1, 0);
            self.places.resize(at + 1, 0);
        }
        let cell = self.cells.entry(key.0).or_default();
        cell.1 += u64::from(length);
        let conversation = if let Some(&known) = self.numbers.get(&key) {
            known
        } else {
            cell.0 += 1;
            let new = self.free.pop().unwrap_or_else(|| {
                self.all.push(Conversation::default());
                self.totals.push(0);
                self.all.len() as u32 - 1
            });
            self.all[new as usize].key = key.clone();
            self.numbers.insert(key, new);
            new
        };
        self.of[at] = conversation;
        self.lengths[at] = length;
        self.totals[conversation as usize] += u64::from(length);
        conversation
    }

    /// Takes records out; others are passed over.
    pub(super) fn remove(&mut self, numbers: &[u32]) {
        let mut left = Vec::new();
        for &number in numbers {
            let Some(of) = self.of.get_mut(number as usize).filter(|of| **of != NO_GROUP) else { continue };
            let (at, length) = (std::mem::replace(of, NO_GROUP), u64::from(self.lengths[number as usize]));
            self.asking.remove(number);
            self.shares.remove(&number);
            self.totals[at as usize] -= length;
            let cell = &self.all[at as usize].key.0;
            self.cells.get_mut(cell).expect("a conversation's cell is counted").1 -= length;
            left.push((at, self.places[number as usize]));
        }
        left.sort_unstable();
        for run in left.chunk_by(|one, other| one.0 == other.0) {
            let (at, first) = (run[0].0, run[0].1 as usize);
            let records = &mut self.all[at as usize].records;
            let kept = records.split_off(first).into_iter().filter(|&number| self.of[number as usize] == at);
            records.extend(kept);
            number_from(&mut self.places, records, first);
            if records.is_empty() {
                let gone = std::mem::take(&mut self.all[at as usize]);
                self.cells.get_mut(&gone.key.0).expect("a conversation's cell is counted").0 -= 1;
                self.numbers.remove(&gone.key);
                self.free.push(at);
            }
        }
    }

    /// Whether a record asks something, and which share of it does if it ends in a question.
    fn asks(&self, number: u32) -> (bool, f64) {
        (self.asking.contains(number), self.shares.get(&number).copied().unwrap_or(0.0))
    }

    fn conversation(&self, number: u32) -> Option<u32> {
        self.of.get(number as usize).copied().filter(|&of| of != NO_GROUP)
    }
}

/// Writes down where the records of a conversation stand, from one place on.
fn number_from(places: &mut [u32], records: &[u32], first: usize) {
    for (place, &number) in (first as u32..).zip(&records[first..]) {
        places[number as usize] = place;
    }
}

fn earlier(times: &Column, directory: &Directory, one: u32, other: u32) -> Ordering {
    let time = |number: u32| Some(times.get(number)).filter(|time| !time.is_nan()).unwrap_or(f64::NEG_INFINITY);
    time(one).total_cmp(&time(other)).then_with(|| directory.order_of_telling(one, other))
}

impl Partition {
    /// What is said around some records. `found` says how the fields were added up, what the search of words gave all records
    /// of the cells, and the score of a record that says all words as often as it counts. With the question's vector come the
    /// cosines that are known already.
    pub(super) fn told(
        &self,
        around: &Around,
        found: (&Joined, Option<&Scored<'_>>, f64),
        (vector, cells): (Option<Asked<'_>>, &[u32]),
        numbers: &[u32],
    ) -> Result<Told> {
        let (joined, scored, most) = found;
        let held = self.conversations(around, joined)?;
        let cosine = match (vector, &self.dense) {
            (Some(vector), Some(dense)) => {
                let cosines = cosines(dense, vector, numbers)?;
                numbers.iter().map(|number| cosines.get(number).copied().unwrap_or(f64::NAN)).collect()
            }
            _ => Vec::new(),
        };
        let is_told = numbers.iter().any(|&number| held.conversation(number).is_some());
        let Some((scored, lists)) = scored.filter(|_| is_told) else {
            return Ok(Told { cosine, ..Told::default() }); // as most often: there is nothing to tell
        };
        let beside: Vec<Option<Beside>> = numbers.iter().map(|&number| held.beside(number, around.reach)).collect();
        let meanings = self.meanings(around, vector, &beside)?;
        let whole = held.whole(self, around, lists, cells);
        let said = |at: &u32| {
            let share = share(self.lexical.score_in(scored, *at), most);
            meanings.get(at).map_or(share, |cosine| share + around.dense * above(*cosine, around.floor))
        };
        let earlier = |number: u32, records: &Vec<u32>| {
            let asked = records.first().map_or((false, 0.0), |right_before| held.asks(*right_before));
            let factor = around.of_answer(f64::from(held.lengths[number as usize]), asked);
            let said = |(step, at)| if step == 0 { said(at) * factor } else { said(at) };
            faded(records.iter().enumerate().map(said), around.decay)
        };
        let mut told = Told { cosine, ..Told::default() };
        for (&number, beside) in numbers.iter().zip(&beside) {
            let of = held.conversation(number).map(|of| whole.get(of as usize).copied().unwrap_or(0.0));
            told.before.push(beside.as_ref().map_or(f64::NAN, |(before, _)| earlier(number, before)));
            told.after.push(beside.as_ref().map_or(f64::NAN, |(_, after)| faded(after.iter().map(said), around.decay)));
            told.whole.push(of.unwrap_or(f64::NAN));
        }
        Ok(told)
    }

    /// Whether there is any conversation.
    ///
    /// # Errors
    /// As [`Partition::column`].
    pub(super) fn converses(&self, around: &Around, joined: &Joined) -> Result<bool> {
        Ok(!self.conversations(around, joined)?.numbers.is_empty())
    }

    /// What was told right before each record, and right after it, the nearest first; nothing of one in no conversation.
    ///
    /// # Errors
    /// As [`Partition::column`].
    pub fn beside(&self, around: &Around, joined: &Joined, numbers: &[Option<u32>]) -> Result<Vec<Beside>> {
        let held = self.conversations(around, joined)?;
        let of = |number: &Option<u32>| number.and_then(|number| held.beside(number, around.reach));
        Ok(numbers.iter().map(|number| of(number).unwrap_or_default()).collect())
    }

    /// How well the words of a record's whole conversation fit, taken apart; and what the words weigh among conversations.
    /// `None` for a record that is in none.
    ///
    /// # Errors
    /// As [`Partition::column`], and for numbers outside their ranges.
    pub fn explain_whole(
        &self,
        around: &Around,
        joined: &Joined,
        query: &Query,
        number: u32,
        cells: &[u32],
    ) -> Result<Option<(Explanation, f64)>> {
        let held = self.conversations(around, joined)?;
        let Some(of) = held.conversation(number) else { return Ok(None) };
        let (id, groups) = (self.directory.id(number), held.groups(around, cells));
        self.lexical.explain_group(query, joined, cells, &groups, (of, id)).map(Some)
    }

    /// The conversations: those that are kept, or others made for this question alone.
    fn conversations(&self, around: &Around, joined: &Joined) -> Result<Cow<'_, Conversations>> {
        self.column(&around.telling.order)?;
        let kept = self.told.get_or_init(|| Box::new(Conversations::of(self, &around.telling, joined)));
        if kept.telling == around.telling && kept.joined.weights == joined.weights {
            return Ok(Cow::Borrowed(kept));
        }
        Ok(Cow::Owned(Conversations::of(self, &around.telling, joined)))
    }

    /// The cosines of the records around others, where these count.
    fn meanings(
        &self,
        around: &Around,
        vector: Option<Asked<'_>>,
        beside: &[Option<Beside>],
    ) -> Result<FxHashMap<u32, f64>> {
        let (Some(vector), Some(dense)) = (vector.filter(|_| around.dense > 0.0), &self.dense) else {
            return Ok(FxHashMap::default());
        };
        let mut numbers: Vec<u32> =
            beside.iter().flatten().flat_map(|(one, other)| one.iter().chain(other)).copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        cosines(dense, vector, &numbers)
    }
}

/// The cosines of those of some records that have a vector; those that are known are not worked out again.
fn cosines(dense: &dense::Index, (vector, known): Asked<'_>, numbers: &[u32]) -> Result<FxHashMap<u32, f64>> {
    let new: Vec<u32> = numbers.iter().copied().filter(|number| !known.contains_key(number)).collect();
    let scores = dense.scores(vector, &new)?;
    let mut cosines: FxHashMap<u32, f64> =
        new.into_iter().zip(scores).filter_map(|(number, score)| Some((number, score?))).collect();
    cosines.extend(numbers.iter().filter_map(|number| Some((*number, *known.get(number)?))));
    Ok(cosines)
}

fn above(cosine: f64, floor: f64) -> f64 {
    if cosine > floor { (cosine - floor) / (1.0 - floor) } else { 0.0 }
}

fn share(score: f64, most: f64) -> f64 {
    if most > 0.0 { score / most } else { 0.0 }
}

impl Conversations {
    /// The records around one that is in a conversation.
    fn beside(&self, number: u32, reach: usize) -> Option<Beside> {
        let records = &self.all[self.conversation(number)? as usize].records;
        let place = self.places[number as usize] as usize;
        let before = records[..place].iter().rev().take(reach).copied().collect();
        Some((before, records[place + 1..].iter().take(reach).copied().collect()))
    }

    /// The conversations of some cells, to be scored.
    fn groups(&self, around: &Around, cells: &[u32]) -> Groups<'_> {
        let inside = cells.iter().filter_map(|cell| self.cells.get(cell));
        let (count, total) = inside.fold((0, 0), |sums, held| (sums.0 + held.0, sums.1 + held.1));
        Groups { of: &self.of, count, total, lengths: &self.totals, k1: around.k1, b: around.b }
    }

    /// What whole conversations say, as shares, by their numbers; nothing where there is none.
    fn whole(&self, partition: &Partition, around: &Around, lists: &JoinedLists<'_>, cells: &[u32]) -> Vec<f64> {
        let groups = self.groups(around, cells);
        if groups.count == 0 {
            return Vec::new();
        }
        let (mut scores, idf_sum) = partition.lexical.search_groups(lists, cells, &groups);
        let most = idf_sum * (around.k1 + 1.0);
        for score in &mut scores {
            *score = share(*score, most);
        }
        scores
    }
}

/// Numbers added up, each times the decay once more than the one before it.
fn faded(numbers: impl Iterator<Item = f64>, decay: f64) -> f64 {
    let mut factor = 1.0;
    numbers.fold(0.0, |sum, number| {
        let sum = sum + factor * number;
        factor *= decay;
        sum
    })
}
