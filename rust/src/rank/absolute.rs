//! Absolute fusion and the stages of conversations, in one pass: what those of `byheart.profiles.auto` make of one
//! proposal, each change of the score in a column of its own.
//!
//! It equals the stages to the last bit; where a row is out of the ordinary there is no answer, and the stages run.

use std::cmp::Ordering;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Hash;
use super::beside::{ABOUT_AS_WELL, Arranging, IN_QUESTION, MANY};
use super::summaries::summaries_behind;
use super::told_later::told_later;

/// The settings of the stages, and the cut.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// The score of a record that says all words of the question, if there are any.
    pub most: Option<f64>,
    /// What the meaning counts, and what it counts of a record that is part of a conversation.
    pub dense: (f64, f64),
    /// Cosines that are not higher count as 0.
    pub floor: f64,
    /// What the turns before one count, and those after it.
    pub beside: (f64, f64),
    /// What the whole conversation counts.
    pub whole: f64,
    /// By which part a turn of a speaker who was named counts more.
    pub speaker: f64,
    /// By which part a turn counts less of which all asks.
    pub asking: f64,
    /// What is added in the session that is asked for, if one is.
    pub session: Option<f64>,
    /// What is left of the score of a turn that was marked as noise.
    pub noise: f64,
    /// The most rows.
    pub k: usize,
    /// Whether the answer is too weak: then all rows go, in the order of their scores.
    pub is_weak: bool,
}

/// What is known of each row.
#[derive(Debug, Clone, Default)]
#[allow(clippy::struct_excessive_bools)] // facts about a row
pub struct Row {
    /// Its score for words, if these found it.
    pub words: Option<f64>,
    /// Its cosine with the question, if both have a vector.
    pub cosine: Option<f64>,
    /// What was told before it, as a share of the question's words.
    pub before: Option<f64>,
    /// What was told after it, likewise.
    pub after: Option<f64>,
    /// Its whole conversation, likewise; none for a record that is in none.
    pub whole: Option<f64>,
    /// Whether the question names who said it.
    pub is_named: bool,
    /// Which share of it asks, if it ends in a question.
    pub asking: Option<f64>,
    /// Whether it is of the session that is asked for.
    pub is_of_session: bool,
    /// Whether it was marked as noise.
    pub is_noise: bool,
    /// Whether it is a summary.
    pub is_summary: bool,
    /// Its session, as a number.
    pub session: Option<usize>,
    /// What it says.
    pub hash: Option<Hash>,
    /// When it was said last.
    pub said: Option<f64>,
    /// How many code points its text has.
    pub length: Option<f64>,
    /// How it begins, as a number, if it is a short statement.
    pub form: Option<f64>,
    /// What it says nearly the same as, by number: a row, or what is named behind the rows.
    pub near: Vec<usize>,
}

/// What the texts of two rows say of each other, and what is known of records that rows name and no search found. Rows, and
/// what they name, are given by number.
pub trait Texts {
    /// Of what rows name those that may be found and name one of `naming`, in order, and when each was said last; nothing where
    /// that is out of the ordinary.
    fn brought_in(&self, wanted: &[usize], naming: &[usize]) -> Option<Vec<(usize, f64)>>;
    /// Whether the newer one takes the place of the older one; `fairly`: it fits a question at least fairly.
    fn has_changed(&self, newer: usize, older: usize, fairly: bool) -> bool;
    /// Whether the newer one, which has changed something, says that a state is another one now, or is asked for by name.
    fn states_anew(&self, newer: usize, older: usize) -> bool;
    /// Whether the newer one answers the question as the older one does.
    fn answers_too(&self, newer: usize, older: usize) -> bool;
}

/// Why a row is not among those that are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Nothing of the question is in it.
    Nothing,
    /// Another row, this one, has the same content.
    Repeats(usize),
    /// It was brought in, and others that say nearly the same, and are newer, stand there.
    Late,
    /// The answer is too weak.
    Weak,
    /// There are enough before it.
    BeyondK,
}

/// A column, by row as these came.
pub type Column = Vec<Option<f64>>;

/// The rows that are left, and the columns of all.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Absolute {
    /// Rows, best first.
    pub rows: Vec<usize>,
    /// Those with anything of the question in the order of their scores, repetitions too.
    pub by_score: Vec<usize>,
    /// Of every row that came.
    pub scores: Vec<f64>,
    /// What changed the score, in order: the name of the column, whether it multiplies, and the column.
    pub changes: Vec<(&'static str, bool, Column)>,
    /// Rows that were dropped, in the order in which the stages drop them.
    pub dropped: Vec<(usize, Reason)>,
    /// Rows of which each may go before the other one, if their texts say so: then the stages have to run.
    pub later: Vec<(usize, usize)>,
}

/// The rows after the stages; nothing where a row needs more than a pass looks at, or texts decide and there are none. What is
/// brought in is put behind what is `known`, with all else that rows name; `order` compares the names of two rows.
#[must_use]
pub fn absolute(
    known: &mut Vec<Row>,
    settings: &Settings,
    texts: Option<&dyn Texts>,
    order: impl Fn(usize, usize) -> Ordering,
) -> Option<Absolute> {
    let mut pass = Absolute { rows: (0..known.len()).collect(), scores: vec![0.0; known.len()], ..Absolute::default() };
    pass.fuse(known, settings);
    let mut own = pass.scores.clone();
    let (before, after) = settings.beside;
    pass.add_share(known, "before", before, |row| row.before);
    pass.add_share(known, "after", after, |row| row.after);
    pass.add_share(known, "whole", settings.whole, |row| row.whole);
    if settings.speaker > 0.0 && known.iter().any(|row| row.is_named) {
        pass.change("speaker", true, |row| known[row].is_named.then_some(1.0 + settings.speaker));
    }
    if settings.asking > 0.0 && known.iter().any(|row| row.asking.is_some()) {
        pass.change("asking", true, |row| known[row].asking.map(|share| 1.0 - settings.asking * share));
    }
    if let Some(bonus) = settings.session {
        pass.change("this_session", false, |row| known[row].is_of_session.then_some(bonus));
        pass.sort_stably();
    }
    if known.iter().any(|row| row.is_noise) {
        pass.change("marked_noise", true, |row| known[row].is_noise.then_some(settings.noise));
        pass.sort_stably();
    }
    if !pass.scores.iter().all(|score| score.is_finite()) {
        return None;
    }
    let (kept, nothing) = pass.rows.iter().partition(|&&row| pass.scores[row] > 0.0);
    pass.rows = kept;
    pass.drop_rows(nothing, |_| Reason::Nothing);
    let scores = &pass.scores;
    pass.rows.sort_by(|&one, &other| scores[other].total_cmp(&scores[one]).then_with(|| order(one, other)));
    pass.by_score.clone_from(&pass.rows);
    pass.drop_repetitions(known)?;
    if settings.is_weak {
        let rows = std::mem::take(&mut pass.rows);
        pass.drop_rows(rows, |_| Reason::Weak);
        return Some(pass);
    }
    let has_summary = known.iter().any(|row| row.is_summary);
    if has_summary || pass.rows.iter().any(|&row| !known[row].near.is_empty() || known[row].form.is_some()) {
        let beside = pass.bring_in(known, &mut own, texts)?;
        let rows = [&pass.rows[..], &beside].concat();
        let scores = pass.scores.clone();
        let near = Arranging::new(&rows, pass.rows.len(), known, pass.repeats(), [&scores, &own], texts);
        let ordered = near.in_order(&pass.changes[0].2)?;
        let first = if has_summary { ordered.len() } else { settings.k };
        pass.later = told_later(&ordered, known, pass.repeats(), &pass.scores, &pass.changes[0].2, first);
        pass.rows = summaries_behind(ordered, known, &own, |one, row| near.leads(one, row));
        if near.lacks_texts() {
            return None;
        }
        let late = beside.into_iter().filter(|row| !pass.rows.contains(row)).collect();
        pass.drop_rows(late, |_| Reason::Late);
    } else {
        pass.later = told_later(&pass.rows, known, pass.repeats(), &pass.scores, &pass.changes[0].2, settings.k);
    }
    pass.cut(settings.k);
    Some(pass)
}

fn said_last(row: &Row) -> f64 {
    row.said.unwrap_or(f64::NEG_INFINITY)
}

/// BM25 as a share of what it could be, 0 to 1.
#[must_use]
pub fn share_of_words(raw: Option<f64>, most: Option<f64>) -> f64 {
    let share = |(raw, most): (f64, f64)| if raw / most < 1.0 { raw / most } else { 1.0 };
    raw.zip(most.filter(|&most| most != 0.0)).map_or(0.0, share)
}

/// How far a cosine lies above a floor, as a share of what lies above it.
#[must_use]
pub fn above(cosine: Option<f64>, floor: f64) -> f64 {
    cosine.filter(|&cosine| cosine > floor).map_or(0.0, |cosine| (cosine - floor) / (1.0 - floor))
}

impl Absolute {
    fn fuse(&mut self, known: &[Row], settings: &Settings) {
        self.change("word_share", false, |row| Some(share_of_words(known[row].words, settings.most)));
        if known.iter().any(|row| row.cosine.is_some()) {
            let (alone, told) = settings.dense;
            self.change("meaning", false, |row| {
                let weight = if known[row].whole.is_none() { alone } else { told };
                Some(weight * above(known[row].cosine, settings.floor))
            });
        }
    }

    /// Adds a share of what rows say, unless that is nothing of any.
    fn add_share(&mut self, known: &[Row], name: &'static str, share: f64, said: impl Fn(&Row) -> Option<f64>) {
        if share > 0.0 && known.iter().any(|row| said(row).is_some()) {
            self.change(name, false, |row| said(&known[row]).map(|value| share * value));
        }
    }

    fn change(&mut self, name: &'static str, multiplies: bool, operand: impl Fn(usize) -> Option<f64>) {
        let column: Column = (0..self.scores.len()).map(operand).collect();
        for (score, by) in self.scores.iter_mut().zip(&column) {
            if let Some(by) = by {
                *score = if multiplies { *score * by } else { *score + by };
            }
        }
        self.changes.push((name, multiplies, column));
    }

    /// Brings in what rows name that no search found, or that has nothing of the question and is said by no row, each scored as
    /// the first row that names it; returns those. Those of rows with less than half of the best score stay away, and those of
    /// rows of which there are many of one form.
    fn bring_in(&mut self, known: &mut Vec<Row>, own: &mut Vec<f64>, texts: Option<&dyn Texts>) -> Option<Vec<usize>> {
        let came = known.len();
        let least = self.rows.first().map_or(0.0, |&best| IN_QUESTION * self.scores[best]);
        let asked_for = self.rows.iter().copied().take_while(|&row| self.scores[row] >= least);
        let naming_few: Vec<usize> = asked_for.filter(|&row| (1..MANY).contains(&known[row].near.len())).collect();
        if naming_few.is_empty() {
            return Some(Vec::new()); // as of most questions
        }
        let said: FxHashSet<_> = self.rows.iter().map(|&row| known[row].hash).collect();
        let nothing =
            self.dropped.iter().filter(|&&(row, why)| why == Reason::Nothing && !said.contains(&known[row].hash));
        let empty: FxHashSet<usize> = nothing.map(|&(row, _)| row).collect();
        let mut wanted = Vec::new();
        for row in naming_few {
            for &named in known[row].near.iter().filter(|&&named| named >= came || empty.contains(&named)) {
                if !wanted.iter().any(|&(other, _)| other == named) {
                    wanted.push((named, self.scores[row]));
                }
            }
        }
        if wanted.is_empty() {
            return Some(Vec::new());
        }
        let naming: Vec<usize> = self.rows.iter().copied().filter(|&row| !known[row].near.is_empty()).collect();
        let names: Vec<usize> = wanted.iter().map(|&(named, _)| named).collect();
        let found = texts?.brought_in(&names, &naming)?;
        if found.is_empty() {
            return Some(Vec::new());
        }
        let most = known.iter().flat_map(|row| &row.near).max().map_or(came, |&most| came.max(most + 1));
        known.resize_with(most, Row::default);
        own.resize(most, 0.0);
        self.scores.resize(most, 0.0);
        self.changes.iter_mut().for_each(|(.., column)| column.resize(most, None));
        self.dropped.retain(|&(row, _)| !found.iter().any(|&(back, _)| back == row));
        let mut column = vec![None; most];
        for &(row, said) in &found {
            known[row] = Row { said: Some(said), ..Row::default() };
            own[row] = 0.0;
            self.changes.iter_mut().for_each(|(.., column)| column[row] = None);
            let score = wanted.iter().find(|&&(named, _)| named == row).map_or(0.0, |&(_, score)| score);
            self.scores[row] = score;
            column[row] = Some(score);
        }
        self.changes.push(("near_duplicate", false, column));
        Some(found.into_iter().map(|(row, _)| row).collect())
    }

    /// Keeps the first `k` rows.
    pub fn cut(&mut self, k: usize) {
        let beyond = self.rows.split_off(k.min(self.rows.len()));
        let is_beyond = |&(_, reason): &(usize, Reason)| reason == Reason::BeyondK;
        let place = self.dropped.iter().position(is_beyond).unwrap_or(self.dropped.len());
        self.dropped.splice(place..place, beyond.into_iter().map(|row| (row, Reason::BeyondK)));
    }

    /// Puts the rows in the order of their scores; rows of one score keep theirs.
    fn sort_stably(&mut self) {
        let scores = &self.scores;
        self.rows.sort_by(|&one, &other| scores[other].partial_cmp(&scores[one]).unwrap_or(Ordering::Equal));
    }

    /// Keeps one row of each content, and nothing where one has none: the first, or what was said later than that, found as
    /// well by its words, and fits about as well.
    fn drop_repetitions(&mut self, known: &[Row]) -> Option<()> {
        let mut firsts = FxHashMap::default();
        let mut last = FxHashMap::default();
        for &row in &self.rows {
            let hash = known[row].hash?;
            let first = *firsts.entry(hash).or_insert(row);
            let best = last.entry(hash).or_insert(row);
            let is_as_good = known[row].words.is_some()
                && known[row].words == known[first].words
                && self.scores[row] >= ABOUT_AS_WELL * self.scores[first];
            if is_as_good && said_last(&known[row]) > said_last(&known[*best]) {
                *best = row;
            }
        }
        if last.len() == self.rows.len() {
            return Some(());
        }
        let kept_for = |row: usize| known[row].hash.map_or(row, |hash| last[&hash]);
        let (kept, repeated): (Vec<_>, Vec<_>) = self.rows.iter().partition(|&&row| kept_for(row) == row);
        self.rows = kept;
        self.drop_rows(repeated, |row| Reason::Repeats(kept_for(row)));
        Some(())
    }

    /// Whether rows behind those that came could change neither which are left nor their order, if nothing raises a row:
    /// those behind have at most `least` for words.
    #[must_use]
    pub fn is_certain(&self, known: &[Row], settings: &Settings, least: f64) -> bool {
        let Some(&worst) = self.rows.last().filter(|_| self.rows.len() == settings.k) else { return false };
        let share = share_of_words(Some(least), settings.most);
        let may_be_newer = |&row: &usize| {
            known[row].form.is_some() && share_of_words(known[row].words, settings.most) <= share // one of its form behind
        };
        if self.rows.iter().any(may_be_newer) {
            return false;
        }
        match self.scores[worst].total_cmp(&share) {
            Ordering::Greater => true,
            Ordering::Equal | Ordering::Less => false, // one of the same content behind may have been said later
        }
    }

    /// The rows that were dropped since they repeat another one, and that one.
    fn repeats(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.dropped.iter().filter_map(|&(row, reason)| match reason {
            Reason::Repeats(first) => Some((row, first)),
            Reason::Nothing | Reason::Late | Reason::Weak | Reason::BeyondK => None,
        })
    }

    fn drop_rows(&mut self, rows: Vec<usize>, reason: impl Fn(usize) -> Reason) {
        self.dropped.extend(rows.into_iter().map(|row| (row, reason(row))));
    }
}

#[cfg(test)]
pub(in crate::rank) mod tests;
