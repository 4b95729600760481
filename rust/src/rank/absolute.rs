//! Absolute fusion and the stages of conversations, in one pass: what those of `byheart.profiles.auto` make of one
//! proposal, each change of the score in a column of its own.
//!
//! It equals the stages to the last bit; where a row is out of the ordinary there is no answer, and the stages run.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use super::Hash;
use super::beside::near_duplicates_in_order;
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
    /// The rows that it says nearly the same as; none in the place of a record that is no row.
    pub near: Vec<Option<usize>>,
}

/// Why a row is not among those that are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Nothing of the question is in it.
    Nothing,
    /// An earlier row, this one, has the same content.
    Repeats(usize),
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
    /// Of every row that came.
    pub scores: Vec<f64>,
    /// What changed the score, in order: the name of the column, whether it multiplies, and the column.
    pub changes: Vec<(&'static str, bool, Column)>,
    /// Rows that were dropped, in the order in which the stages drop them.
    pub dropped: Vec<(usize, Reason)>,
    /// Rows of which each may go before the other one, if their texts say so: then the stages have to run.
    pub later: Vec<(usize, usize)>,
    /// Whether the newer of two near-duplicates that fit as well may answer less: then texts decide.
    pub may_answer_less: bool,
}

/// The rows after the stages; nothing where a row needs more than a pass looks at. `order` compares the names of two rows.
#[must_use]
pub fn absolute(known: &[Row], settings: &Settings, order: impl Fn(usize, usize) -> Ordering) -> Option<Absolute> {
    let mut pass = Absolute { rows: (0..known.len()).collect(), scores: vec![0.0; known.len()], ..Absolute::default() };
    pass.fuse(known, settings);
    let own = pass.scores.clone();
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
    pass.drop_repetitions(known)?;
    if pass.rows.iter().any(|&row| !known[row].near.is_empty() || known[row].form.is_some()) {
        let scores = [&pass.scores[..], &own];
        (pass.rows, pass.may_answer_less) =
            near_duplicates_in_order(&pass.rows, known, pass.repeats(), scores, &pass.changes[0].2)?;
    }
    let first = if known.iter().any(|row| row.is_summary) { pass.rows.len() } else { settings.k };
    pass.later = told_later(&pass.rows, known, pass.repeats(), &pass.scores, &pass.changes[0].2, first);
    pass.rows = summaries_behind(pass.rows, known, &own);
    let beyond = pass.rows.split_off(settings.k.min(pass.rows.len()));
    pass.drop_rows(beyond, |_| Reason::BeyondK);
    Some(pass)
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

    /// Puts the rows in the order of their scores; rows of one score keep theirs.
    fn sort_stably(&mut self) {
        let scores = &self.scores;
        self.rows.sort_by(|&one, &other| scores[other].partial_cmp(&scores[one]).unwrap_or(Ordering::Equal));
    }

    /// Keeps the first row of each content; nothing where one has none.
    fn drop_repetitions(&mut self, known: &[Row]) -> Option<()> {
        let mut firsts = FxHashMap::default();
        let (mut kept, mut repeated) = (Vec::new(), Vec::new());
        for &row in &self.rows {
            match *firsts.entry(known[row].hash?).or_insert(row) {
                first if first == row => kept.push(row),
                first => repeated.push((row, Reason::Repeats(first))),
            }
        }
        self.rows = kept;
        self.dropped.append(&mut repeated);
        Some(())
    }

    /// Whether rows behind those that came could change neither which are left nor their order, if nothing raises a row:
    /// those behind have at most `least` for words, and of that score they come later by name.
    #[must_use]
    pub fn is_certain(&self, known: &[Row], settings: &Settings, least: f64) -> bool {
        let Some(&worst) = self.rows.last().filter(|_| self.rows.len() == settings.k) else { return false };
        let share = share_of_words(Some(least), settings.most);
        let below = share_of_words(Some(least.next_down()), settings.most);
        let may_be_newer = |&row: &usize| {
            known[row].form.is_some() && share_of_words(known[row].words, settings.most) <= share // one of its form behind
        };
        if self.rows.iter().any(may_be_newer) {
            return false;
        }
        match self.scores[worst].total_cmp(&share) {
            Ordering::Greater => true,
            Ordering::Equal => known[worst].words == Some(least) && below < share,
            Ordering::Less => false,
        }
    }

    /// The rows that were dropped since they repeat another one, and that one.
    fn repeats(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.dropped.iter().filter_map(|&(row, reason)| match reason {
            Reason::Repeats(first) => Some((row, first)),
            Reason::Nothing | Reason::BeyondK => None,
        })
    }

    fn drop_rows(&mut self, rows: Vec<usize>, reason: impl Fn(usize) -> Reason) {
        self.dropped.extend(rows.into_iter().map(|row| (row, reason(row))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: Settings = Settings {
        most: Some(4.0),
        dense: (0.5, 0.1),
        floor: 0.2,
        beside: (0.25, 0.1),
        whole: 0.4,
        speaker: 0.2,
        asking: 0.5,
        session: Some(0.1),
        noise: 0.5,
        k: 2,
    };

    fn row(words: f64, hash: u8) -> Row {
        Row { words: Some(words), hash: Some([hash; 16]), ..Row::default() }
    }

    fn of(known: &[Row], settings: &Settings) -> Option<Absolute> {
        absolute(known, settings, |one, other| one.cmp(&other))
    }

    #[test]
    fn every_stage_says_what_it_drops() {
        let known =
            [row(1.0, 1), row(4.0, 2), row(0.0, 3), row(3.0, 2), row(2.0, 4), Row { words: None, ..row(0.0, 5) }];
        let found = of(&known, &SETTINGS).unwrap();
        assert_eq!(found.rows, [1, 4]);
        let dropped = [(2, Reason::Nothing), (5, Reason::Nothing), (3, Reason::Repeats(1)), (0, Reason::BeyondK)];
        assert_eq!(found.dropped, dropped);
    }

    #[test]
    fn what_was_told_counts_and_a_name_and_a_session_and_noise() {
        let told = Row { before: Some(0.5), after: Some(1.0), whole: Some(1.0), cosine: Some(0.6), ..row(2.0, 1) };
        let all = Row { is_named: true, asking: Some(0.5), is_of_session: true, is_noise: true, ..told };
        let found = of(&[all], &SETTINGS).unwrap();
        let names: Vec<_> = found.changes.iter().map(|change| change.0).collect();
        let told = ["word_share", "meaning", "before", "after", "whole", "speaker"];
        assert_eq!(names, [&told[..], &["asking", "this_session", "marked_noise"]].concat());
        let sum: f64 = 0.5 + 0.1 * (0.4 / 0.8) + 0.125 + 0.1 + 0.4;
        assert!((found.scores[0] - (sum * 1.2 * 0.75 + 0.1) * 0.5).abs() < 1e-12);
    }

    #[test]
    fn near_duplicates_stand_together_the_newer_first_if_it_fits_about_as_well() {
        let near = |said: f64, near: Vec<Option<usize>>, of: Row| Row { said: Some(said), near, ..of };
        let mut known = [
            near(1.0, vec![Some(2)], row(3.0, 1)),
            near(9.5, vec![], row(2.9, 2)),
            near(2.0, vec![Some(0)], row(2.8, 3)),
            near(9.0, vec![Some(1)], row(0.1, 4)),
        ];
        let settings = Settings { k: 9, ..SETTINGS };
        assert_eq!(of(&known, &settings).unwrap().rows, [2, 0, 1, 3]);
        known[3].said = Some(10.0);
        assert!(of(&known, &settings).is_none(), "newer, and hardly fits: texts decide");
        known[3].said = Some(9.0);
        known[2].words = Some(2.0);
        assert!(of(&known, &settings).is_none(), "it fits fairly: texts decide");
        known[0].before = Some(8.0);
        known[2].words = Some(2.8);
        assert_eq!(of(&known, &settings).unwrap().rows, [2, 0, 1, 3], "it says as much itself");
        known[3].near = vec![None];
        assert!(of(&known, &settings).is_some(), "nobody asks for it");
        known[0].near = vec![None];
        assert!(of(&known, &settings).is_none(), "one has to be brought in");
    }

    #[test]
    fn what_was_said_again_last_stands_first_though_it_was_said_first() {
        let said = |at: f64, near: Vec<Option<usize>>, of: Row| Row { said: Some(at), near, ..of };
        let known = [
            said(1.0, vec![Some(1)], row(3.0, 1)),
            said(2.0, vec![Some(0), Some(2)], row(2.9, 2)),
            said(3.0, vec![Some(1)], row(2.8, 1)),
        ];
        let found = of(&known, &Settings { k: 9, ..SETTINGS }).unwrap();
        assert_eq!((found.rows, found.dropped), (vec![0, 1], vec![(2, Reason::Repeats(0))]));
        let known = [Row { said: Some(1.0), ..known[2].clone() }, known[1].clone(), known[0].clone()];
        assert_eq!(of(&known, &Settings { k: 9, ..SETTINGS }).unwrap().rows, [1, 2]);
    }

    #[test]
    fn the_rows_are_certain_as_soon_as_none_behind_can_come_among_them() {
        let is_certain = |known: &[Row], least| {
            let settings = Settings { session: None, ..SETTINGS };
            of(known, &settings).unwrap().is_certain(known, &settings, least)
        };
        let known = [row(3.0, 1), row(2.0, 2), row(1.0, 3)];
        assert!(is_certain(&known, 1.0));
        assert!(is_certain(&known, 2.0), "one of the same score has a later name");
        assert!(!is_certain(&known[..1], 1.0), "more are wanted");
        let asks = Row { asking: Some(1.0), ..row(2.2, 2) };
        assert!(!is_certain(&[row(3.0, 1), asks], 2.2), "it was lowered");
        assert!(!is_certain(&[row(9.0, 1), row(8.0, 2)], 8.0), "all shares are whole");
        assert!(!is_certain(&[row(9.0, 1), row(8.0, 2)], 4.0), "as above");
        assert!(is_certain(&[row(9.0, 1), row(8.0, 2)], 3.0));
        let states = |words| Row { form: Some(7.0), ..row(words, 2) };
        assert!(!is_certain(&[row(3.0, 1), states(2.0)], 2.0), "a newer one of its form may be behind");
        assert!(is_certain(&[row(3.0, 1), states(2.0)], 1.9));
    }

    #[test]
    fn what_is_out_of_the_ordinary_is_left_to_the_stages() {
        assert!(of(&[Row { hash: None, ..row(1.0, 1) }], &SETTINGS).is_none(), "no content");
        assert!(of(&[row(f64::INFINITY, 1)], &Settings { noise: f64::NAN, ..SETTINGS }).is_some(), "no noise");
        let known = [Row { is_noise: true, ..row(1.0, 1) }];
        assert!(of(&known, &Settings { noise: f64::INFINITY, ..SETTINGS }).is_none(), "no number");
    }
}
