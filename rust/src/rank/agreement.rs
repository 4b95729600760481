//! Agreement over one search, in one pass: what the stages of `byheart.ranking.agreement` make of its rows.
//!
//! Most recalls ask one search. Then each stage does little: a list of scores is divided, weighted and cut. What is
//! here equals the stages to the last bit; where a row is out of the ordinary there is no answer, and the stages run.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

/// What tells two records of one content.
pub type Hash = [u8; 16];

/// The settings of the stages, and the cut.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// What the normalised score is multiplied by.
    pub weight: f64,
    /// Raw scores are cosines, which are clamped; if not, they are divided by this, or by 1 if that is more.
    pub best: Option<f64>,
    /// The least score, if there is one.
    pub floor: Option<f64>,
    /// The least share of the best score; 0 for none.
    pub gap: f64,
    /// The most rows.
    pub k: usize,
}

/// Why a row is not among those that are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Its score is below the floor.
    BelowFloor,
    /// An earlier row, this one, has the same content.
    Repeats(usize),
    /// Its score lies too far behind the best.
    Gap,
    /// There are enough before it.
    BeyondK,
}

/// The rows that are left, and why others are not.
#[derive(Debug, Clone, PartialEq)]
pub struct Agreement {
    /// Rows, best first.
    pub rows: Vec<usize>,
    /// Of every row that came: its score on the common scale.
    pub scaled: Vec<f64>,
    /// Of every row that came: that, weighted.
    pub scores: Vec<f64>,
    /// Rows that were dropped, in the order in which the stages drop them.
    pub dropped: Vec<(usize, Reason)>,
    /// The least score that the gap leaves, if it left something out.
    pub limit: f64,
    /// Whether rows behind those that came could not change which are left.
    pub is_certain: bool,
}

/// The rows of a search, best first, after the stages; nothing where a row needs more than a pass looks at.
///
/// `raw` are their scores, `hashes` what they say (None for one that is not there any more), `order` compares the
/// names of two rows.
#[must_use]
pub fn agreement(
    raw: &[f64],
    hashes: &[Option<Hash>],
    order: impl Fn(usize, usize) -> Ordering,
    rules: &Rules,
) -> Option<Agreement> {
    let scaled: Vec<f64> = match rules.best {
        Some(best) => {
            let divisor = if best > 1.0 { best } else { 1.0 };
            raw.iter().map(|score| score / divisor).collect()
        }
        None if raw.last().is_some_and(|&least| least > 0.0) => {
            raw.iter().map(|&score| if score < 1.0 { score } else { 1.0 }).collect()
        }
        None => return None,
    };
    let scores: Vec<f64> = scaled.iter().map(|score| 0.0 + rules.weight * score).collect();
    let (&first, &last) = (scores.first()?, scores.last()?);
    let is_sorted = (1..scores.len())
        .all(|at| scores[at - 1] > scores[at] || (scores[at - 1] >= scores[at] && order(at - 1, at).is_lt()));
    if !first.is_finite() || !is_sorted {
        return None;
    }
    let (mut rows, mut dropped): (Vec<usize>, _) = ((0..raw.len()).collect(), Vec::new());
    if let Some(floor) = rules.floor.filter(|&floor| last < floor) {
        let kept = scores.partition_point(|&score| score >= floor);
        dropped.extend((kept..raw.len()).map(|row| (row, Reason::BelowFloor)));
        rows.truncate(kept);
    }
    let mut cuts = rows.len() < raw.len();
    let mut firsts = FxHashMap::default();
    let mut repeated = Vec::new();
    for &row in &rows {
        let earlier = *firsts.entry(hashes.get(row).copied().flatten()?).or_insert(row);
        if earlier != row {
            repeated.push((row, Reason::Repeats(earlier)));
        }
    }
    rows.retain(|&row| repeated.binary_search_by_key(&row, |&(row, _)| row).is_err());
    dropped.append(&mut repeated);
    let limit = rows.first().map_or(first, |&row| scores[row]) * rules.gap;
    if rules.gap > 0.0 && rows.last().is_some_and(|&row| scores[row] < limit) {
        let kept = rows.partition_point(|&row| scores[row] >= limit);
        dropped.extend(rows.drain(kept..).map(|row| (row, Reason::Gap)));
        cuts = true;
    }
    let is_certain =
        cuts || (rules.k > 0 && rows.len() >= rules.k && scores[rows[rules.k - 1]] > scores[rows[rows.len() - 1]]);
    if rows.len() > rules.k {
        dropped.extend(rows.drain(rules.k..).map(|row| (row, Reason::BeyondK)));
    }
    Some(Agreement { rows, scaled, scores, dropped, limit, is_certain })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(raw: &[f64], contents: &[u8], rules: Rules) -> Option<Agreement> {
        let hashes: Vec<_> = contents.iter().map(|&content| Some([content; 16])).collect();
        agreement(raw, &hashes, |one, other| one.cmp(&other), &rules)
    }

    const RULES: Rules = Rules { weight: 1.0, best: Some(4.0), floor: Some(0.1), gap: 0.5, k: 2 };

    #[test]
    fn every_stage_says_what_it_drops() {
        let found = of(&[4.0, 4.0, 3.0, 2.0, 1.0, 0.2], &[1, 1, 2, 3, 4, 5], RULES).unwrap();
        assert_eq!(found.rows, [0, 2]);
        let reasons = [(5, Reason::BelowFloor), (1, Reason::Repeats(0)), (4, Reason::Gap), (3, Reason::BeyondK)];
        assert_eq!(found.dropped, reasons);
        assert!(found.is_certain);
    }

    #[test]
    fn what_is_out_of_the_ordinary_is_left_to_the_stages() {
        let clamped = Rules { best: None, ..RULES };
        assert!(of(&[0.5, 0.0], &[1, 2], clamped).is_none(), "a cosine not above 0");
        assert!(of(&[1.0, 2.0], &[1, 2], RULES).is_none(), "not in order");
        assert!(of(&[], &[], RULES).is_none(), "no rows");
        assert!(agreement(&[1.0], &[None], |_, _| Ordering::Less, &RULES).is_none(), "no content");
    }
}
