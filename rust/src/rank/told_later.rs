//! Statements of later sessions that may go before earlier ones that they fit a question nearly as well as: which of them
//! do, their texts decide (`byheart.ranking.told_later`).

use super::absolute::Row;

/// So much of the earlier one's score has the later one, and of its share of the question's words.
const NEARLY_AS_WELL: f64 = 0.8;
/// And so much of the question says the earlier one.
const OF_THE_QUESTION: f64 = 0.5;
/// Both have at most so many code points (`byheart.patterns.replacing.MOST_LATER`).
const MOST: f64 = 90.0;

/// The rows that may, each with one that it may go before: of these, those that stand among the first `k` and before it.
/// Where none goes before one of these, the first `k` stay where they are. What repeats a row says again what that one says.
/// `scores` and `shares` of words are by row.
pub(super) fn told_later(
    rows: &[usize],
    known: &[Row],
    repeats: impl Iterator<Item = (usize, usize)>,
    scores: &[f64],
    shares: &[Option<f64>],
    k: usize,
) -> Vec<(usize, usize)> {
    let share = |row: usize| shares[row].unwrap_or(0.0);
    let tells = |row: usize| {
        let short = known[row].length.is_none_or(|length| length <= MOST);
        share(row) >= NEARLY_AS_WELL * OF_THE_QUESTION && known[row].session.is_some() && short
    };
    let mut last: Vec<(usize, usize, f64)> = rows
        .iter()
        .enumerate()
        .filter(|&(_, &row)| tells(row))
        .map(|(at, &row)| (at, row, said(&known[row])))
        .collect();
    if last.iter().all(|&(_, row, _)| known[row].session == known[last[0].1].session) {
        return Vec::new();
    }
    for (row, first) in repeats {
        if let Some(found) = last.iter_mut().find(|(_, kept, _)| *kept == first) {
            found.2 = found.2.max(said(&known[row]));
        }
    }
    let may = |one: usize, at: f64, other: usize, before: f64| {
        at > before
            && known[one].session != known[other].session
            && !known[other].is_of_session // which is asked for
            && share(other) >= OF_THE_QUESTION
            && share(one) >= NEARLY_AS_WELL * share(other)
            && scores[one] >= NEARLY_AS_WELL * scores[other]
    };
    let mut found = Vec::new();
    for (number, &(_, one, at)) in last.iter().enumerate() {
        let above = last[..number].iter().take_while(|&&(place, ..)| place < k);
        found.extend(
            above.filter(|&&(_, other, before)| may(one, at, other, before)).map(|&(_, other, _)| (one, other)),
        );
    }
    found
}

fn said(row: &Row) -> f64 {
    row.said.unwrap_or(f64::NEG_INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(sessions: [Option<usize>; 2], times: [f64; 2], scores: [f64; 2], shares: [f64; 2]) -> bool {
        let row = |at: usize| Row { session: sessions[at], said: Some(times[at]), ..Row::default() };
        let known = [row(0), row(1)];
        let found = told_later(&[0, 1], &known, [].into_iter(), &scores, &shares.map(Some), 1);
        assert!(found.is_empty() || found == [(1, 0)]);
        !found.is_empty()
    }

    #[test]
    fn one_of_a_later_session_may_that_says_and_scores_nearly_as_much() {
        let two = [Some(0), Some(1)];
        assert!(of(two, [1.0, 2.0], [1.0, 0.8], [0.5, 0.4]));
        assert!(!of(two, [2.0, 1.0], [1.0, 0.8], [0.5, 0.4]), "earlier");
        assert!(!of(two, [2.0, 1.0], [1.0, 0.8], [0.5, 0.5]), "the first is the later one, and stands first");
        assert!(!of([Some(0), Some(0)], [1.0, 2.0], [1.0, 0.8], [0.5, 0.4]), "one session");
        assert!(!of([Some(0), None], [1.0, 2.0], [1.0, 0.8], [0.5, 0.4]), "no session");
        assert!(!of(two, [1.0, 2.0], [1.0, 0.79], [0.5, 0.4]), "scores less");
        assert!(!of(two, [1.0, 2.0], [1.0, 0.8], [0.6, 0.4]), "says less");
        assert!(!of(two, [1.0, 2.0], [1.0, 0.8], [0.49, 0.49]), "both say little of the question");
    }

    #[test]
    fn what_was_said_again_later_counts_as_said_then() {
        let row = |session, said| Row { session: Some(session), said: Some(said), ..Row::default() };
        let known = [row(0, 1.0), row(1, 1.0), row(1, 2.0)];
        let may = |repeats: &[(usize, usize)]| {
            told_later(&[0, 1], &known, repeats.iter().copied(), &[1.0; 3], &[Some(1.0); 3], 9)
        };
        assert!(may(&[]).is_empty());
        assert_eq!(may(&[(2, 1)]), [(1, 0)]);
    }

    #[test]
    fn what_the_session_says_that_is_asked_for_stays_first() {
        let row = |session: u8, is_of_session| Row {
            session: Some(session.into()),
            said: Some(session.into()),
            is_of_session,
            ..Row::default()
        };
        let may = |asked: [bool; 2]| {
            let known = [row(0, asked[0]), row(1, asked[1])];
            told_later(&[0, 1], &known, [].into_iter(), &[1.0; 2], &[Some(1.0); 2], 9)
        };
        assert_eq!(may([false, false]), [(1, 0)]);
        assert_eq!(may([false, true]), [(1, 0)]);
        assert_eq!(may([true, false]), []);
    }

    #[test]
    fn of_long_ones_and_of_those_behind_the_first_none_may() {
        let row = |said: u8, length| Row {
            session: Some(said.into()),
            said: Some(said.into()),
            length: Some(length),
            ..Row::default()
        };
        let may = |lengths: [f64; 3], k| {
            let known = [row(0, lengths[0]), row(1, lengths[1]), row(2, lengths[2])];
            told_later(&[0, 1, 2], &known, [].into_iter(), &[1.0; 3], &[Some(1.0); 3], k)
        };
        assert_eq!(may([90.0; 3], 3), [(1, 0), (2, 0), (2, 1)]);
        assert_eq!(may([90.0; 3], 1), [(1, 0), (2, 0)]);
        assert_eq!(may([91.0, 90.0, 90.0], 2), [(2, 1)]);
        assert_eq!(may([91.0, 90.0, 90.0], 1), []);
        assert_eq!(may([90.0, 90.0, 91.0], 2), [(1, 0)]);
    }
}
