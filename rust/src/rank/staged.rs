//! The stages of hybrid recall up to its hard minimum, in one pass: what those of `byheart.ranking.scoring` make of two
//! searches, each change of the score in a column of its own.
//!
//! It equals the stages to the last bit, with their usual settings alone; for others the stages run.

use super::cosines;
use crate::error::Result;
use crate::math::{exp, ln};

const SCALE: f64 = 5.0;
const WORDS_FLOOR: f64 = 0.5;
const AGREEMENT: f64 = 0.15;
const SCORE_SHARE: f64 = 0.7;
const COSINE_SHARE: f64 = 0.3;
const LEAST_IMPORTANCE: f64 = 0.7;
const IMPORTANCE_SHARE: f64 = 0.3;
const UNKNOWN_IMPORTANCE: f64 = 0.7;
const UNUSABLE_LENGTH: f64 = 0.3;
const LEAST_AGE: f64 = 0.5;

/// The settings of the stages; 0 turns recency, length and decay off.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// The least fused score.
    pub minimum: f64,
    /// How many rows are compared with the question's vector; none for no such stage.
    pub window: Option<usize>,
    /// After how many days 1/e of the bonus for youth is left, and the bonus.
    pub recency: (f64, f64),
    /// Up to which length nothing is taken.
    pub anchor: f64,
    /// After how many days 1/e of what age can take is left.
    pub decay: f64,
    /// The least score in the end.
    pub hard: f64,
}

/// What is known of each row.
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// Its cosine, if vectors found it.
    pub dense: Option<f64>,
    /// Its score for words, if these found it.
    pub lexical: Option<f64>,
    /// Its age in days.
    pub age: f64,
    /// Its importance, if it says one.
    pub importance: Option<f64>,
    /// The length of its text.
    pub length: Option<f64>,
}

/// Why a row was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Its fused score is too low.
    BelowMinimum,
    /// Too many rows score better to look at it closer.
    BeyondWindow,
    /// Its score in the end is too low.
    BelowHardMinimum,
}

/// A column, by row as these came.
pub type Column = Vec<Option<f64>>;

/// A change of the score: the name of its column, whether it multiplies, whether the score is clamped after.
pub type Change = (&'static str, bool, bool);

/// The rows that are left, and the columns of all.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Staged {
    /// Rows, in order.
    pub rows: Vec<usize>,
    /// Of every row that came.
    pub scores: Vec<f64>,
    /// Columns by name, in the order in which the stages make them; each of every row that came.
    pub columns: Vec<(&'static str, Column)>,
    /// What changed the score, in order.
    pub changes: Vec<Change>,
    /// Rows that were dropped, why, and their score then.
    pub dropped: Vec<(usize, Reason, f64)>,
}

/// The rows after the stages; nothing where a row needs more than a pass looks at.
///
/// `vector` gives the unit vector of a row, `question` is the one of the question.
///
/// # Errors
/// As [`cosines`].
pub fn staged(
    known: &[Row],
    settings: &Settings,
    question: &[f64],
    vector: impl Fn(usize) -> Option<Vec<f64>>,
) -> Result<Option<Staged>> {
    let finite = |score: Option<f64>| score.is_none_or(f64::is_finite);
    if !known.iter().all(|row| finite(row.dense) && finite(row.lexical) && row.age.is_finite()) {
        return Ok(None);
    }
    let mut pass = Staged { rows: (0..known.len()).collect(), scores: vec![0.0; known.len()], ..Staged::default() };
    pass.fuse(known);
    pass.drop_below(settings.minimum, Reason::BelowMinimum);
    if let Some(window) = settings.window {
        let beyond: Vec<usize> = pass.rows.split_off(window.min(pass.rows.len()));
        pass.dropped.extend(beyond.into_iter().map(|row| (row, Reason::BeyondWindow, pass.scores[row])));
        let vectors: Option<Vec<_>> = pass.rows.iter().map(|&row| vector(row)).collect();
        let Some(vectors) = vectors else { return Ok(None) };
        if !pass.rows.is_empty() {
            pass.compare(&cosines(question, &vectors)?);
        }
    }
    if settings.recency.0 > 0.0 && settings.recency.1 > 0.0 {
        let boost = |row: usize| exp(-(positive(known[row].age) / settings.recency.0)) * settings.recency.1;
        pass.change("recency", false, true, |row| Some(boost(row)).filter(|boost| boost.is_finite()));
        pass.sort();
    }
    pass.change("importance_factor", true, true, |row| Some(importance_factor(known[row].importance)));
    pass.sort();
    if settings.anchor > 0.0 {
        pass.change("length_factor", true, true, |row| Some(length_factor(known[row].length, settings.anchor)));
        pass.sort();
    }
    if settings.decay > 0.0 {
        let factor = |row: usize| LEAST_AGE + 0.5 * exp(-(positive(known[row].age) / settings.decay));
        pass.change("time_decay", true, true, |row| Some(factor(row)));
        pass.sort();
    }
    pass.drop_below(settings.hard, Reason::BelowHardMinimum);
    Ok(Some(pass))
}

impl Staged {
    fn fuse(&mut self, known: &[Row]) {
        let dense: Column = known.iter().map(|row| row.dense.map(clamped)).collect();
        let lexical: Column = known.iter().map(|row| row.lexical.map(logistic)).collect();
        self.columns.push(("dense_normalised", dense.clone()));
        self.columns.push(("lexical_normalised", lexical.clone()));
        let alone = |row: usize| lexical[row].filter(|_| dense[row].is_none());
        let both = |row: usize| dense[row].filter(|_| lexical[row].is_some());
        self.change_if_any("vector", |row| dense[row]);
        self.change_if_any("words", |row| {
            alone(row).map(|words| if words > WORDS_FLOOR { words } else { WORDS_FLOOR })
        });
        self.change_if_any("agreement", |row| both(row).map(|vector| AGREEMENT * vector));
        self.sort();
    }

    /// Blends the scores of all rows that are left with their cosines.
    fn compare(&mut self, cosines: &[Option<f64>]) {
        let mut operands = vec![(1.0, 0.0); self.scores.len()];
        for (&row, cosine) in self.rows.iter().zip(cosines) {
            let summand = COSINE_SHARE * cosine.unwrap_or(0.0);
            if (SCORE_SHARE * self.scores[row] + summand).is_finite() {
                operands[row] = (SCORE_SHARE, summand);
            }
        }
        self.change("rerank_factor", true, false, |row| Some(operands[row].0));
        self.change("rerank", false, true, |row| Some(operands[row].1));
        self.sort();
    }

    fn change_if_any(&mut self, name: &'static str, operand: impl Fn(usize) -> Option<f64>) {
        if self.rows.iter().any(|&row| operand(row).is_some()) {
            self.change(name, false, true, operand);
        }
    }

    /// Changes the score of the rows that are left, as far as they have an operand.
    fn change(&mut self, name: &'static str, multiplies: bool, clamps: bool, operand: impl Fn(usize) -> Option<f64>) {
        let mut column = vec![None; self.scores.len()];
        for &row in &self.rows {
            column[row] = operand(row);
            if let Some(by) = column[row] {
                let score = &mut self.scores[row];
                *score = if multiplies { *score * by } else { *score + by };
                if clamps {
                    *score = clamped(*score);
                }
            }
        }
        self.columns.push((name, column));
        self.changes.push((name, multiplies, clamps));
    }

    /// Puts the rows in the order of their scores; rows of one score keep theirs.
    fn sort(&mut self) {
        let scores = &self.scores;
        self.rows.sort_by(|&one, &other| scores[other].partial_cmp(&scores[one]).expect("scores are numbers"));
    }

    fn drop_below(&mut self, least: f64, reason: Reason) {
        let (kept, gone) = self.rows.iter().partition(|&&row| self.scores[row] >= least);
        self.rows = kept;
        let gone: Vec<usize> = gone;
        self.dropped.extend(gone.into_iter().map(|row| (row, reason, self.scores[row])));
    }
}

fn clamped(score: f64) -> f64 {
    if score > 0.0 { if score < 1.0 { score } else { 1.0 } } else { 0.0 }
}

fn positive(age: f64) -> f64 {
    if age < 0.0 { 0.0 } else { age }
}

fn logistic(raw: f64) -> f64 {
    if raw > 0.0 { 1.0 / (1.0 + exp(-raw / SCALE)) } else { 0.5 }
}

fn importance_factor(importance: Option<f64>) -> f64 {
    let factor = LEAST_IMPORTANCE + IMPORTANCE_SHARE * importance.unwrap_or(UNKNOWN_IMPORTANCE);
    if factor.is_finite() { factor } else { LEAST_IMPORTANCE }
}

fn length_factor(length: Option<f64>, anchor: f64) -> f64 {
    match length {
        None => 1.0,
        Some(length) if (0.0..=anchor).contains(&length) => 1.0,
        Some(length) if !length.is_finite() => UNUSABLE_LENGTH,
        Some(length) => {
            let times = if length / anchor > 1.0 { length / anchor } else { 1.0 };
            1.0 / (1.0 + 0.5 * (ln(times) / ln(2.0)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: Settings =
        Settings { minimum: 0.3, window: Some(2), recency: (14.0, 0.1), anchor: 500.0, decay: 60.0, hard: 0.35 };

    fn row(dense: Option<f64>, lexical: Option<f64>) -> Row {
        Row { dense, lexical, ..Row::default() }
    }

    #[test]
    fn every_stage_says_what_it_drops() {
        let known = [row(Some(0.9), Some(3.0)), row(Some(0.1), None), row(None, Some(1.0)), row(Some(0.31), None)];
        let vectors = |at: usize| Some(if at == 0 { vec![1.0, 0.0] } else { vec![0.0, 1.0] });
        let found = staged(&known, &SETTINGS, &[1.0, 0.0], vectors).unwrap().unwrap();
        assert_eq!(found.rows, [0, 2]);
        let reasons: Vec<_> = found.dropped.iter().map(|&(row, reason, _)| (row, reason)).collect();
        assert_eq!(reasons, [(1, Reason::BelowMinimum), (3, Reason::BeyondWindow)]);
    }

    #[test]
    fn without_a_vector_the_stages_run() {
        let known = [row(Some(0.9), None)];
        assert!(staged(&known, &SETTINGS, &[1.0], |_| None).unwrap().is_none());
    }
}
