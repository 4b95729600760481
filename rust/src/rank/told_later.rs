//! Whether a statement of a later session may go before an earlier one that it fits a question nearly as well as: there
//! texts decide, and the stages run (`byheart.ranking.told_later`).

use super::absolute::Row;

/// So much of the earlier one's score has the later one, and of its share of the question's words.
const NEARLY_AS_WELL: f64 = 0.8;
/// And so much of the question says the earlier one.
const OF_THE_QUESTION: f64 = 0.5;

/// Whether one of the rows may; what repeats a row says again what that one says. `scores` and `shares` of words are by row.
pub(super) fn may_be_told_later(
    rows: &[usize],
    known: &[Row],
    repeats: impl Iterator<Item = (usize, usize)>,
    scores: &[f64],
    shares: &[Option<f64>],
) -> bool {
    let share = |row: usize| shares[row].unwrap_or(0.0);
    let says_enough = |row: usize| share(row) >= NEARLY_AS_WELL * OF_THE_QUESTION && known[row].session.is_some();
    let mut last: Vec<(usize, f64)> =
        rows.iter().filter(|&&row| says_enough(row)).map(|&row| (row, said(&known[row]))).collect();
    if last.iter().all(|&(row, _)| known[row].session == known[last[0].0].session) {
        return false;
    }
    for (row, first) in repeats {
        if let Some(found) = last.iter_mut().find(|(kept, _)| *kept == first) {
            found.1 = found.1.max(said(&known[row]));
        }
    }
    let may = |(one, at): (usize, f64), (other, before): (usize, f64)| {
        at > before
            && known[one].session != known[other].session
            && share(other) >= OF_THE_QUESTION
            && share(one) >= NEARLY_AS_WELL * share(other)
            && scores[one] >= NEARLY_AS_WELL * scores[other]
    };
    last.iter().any(|&one| last.iter().any(|&other| may(one, other)))
}

fn said(row: &Row) -> f64 {
    row.said.unwrap_or(f64::NEG_INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(sessions: [Option<usize>; 2], times: [f64; 2], scores: [f64; 2], shares: [f64; 2]) -> bool {
        let row = |at: usize| Row { session: sessions[at], said: Some(times[at]), ..Row::default() };
        may_be_told_later(&[0, 1], &[row(0), row(1)], [].into_iter(), &scores, &shares.map(Some))
    }

    #[test]
    fn one_of_a_later_session_may_that_says_and_scores_nearly_as_much() {
        let two = [Some(0), Some(1)];
        assert!(of(two, [1.0, 2.0], [1.0, 0.8], [0.5, 0.4]));
        assert!(!of(two, [2.0, 1.0], [1.0, 0.8], [0.5, 0.4]), "earlier");
        assert!(of(two, [2.0, 1.0], [1.0, 0.8], [0.5, 0.5]), "the first is the later one");
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
            may_be_told_later(&[0, 1], &known, repeats.iter().copied(), &[1.0; 3], &[Some(1.0); 3])
        };
        assert!(!may(&[]));
        assert!(may(&[(2, 1)]));
    }
}
