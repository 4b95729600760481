//! Summaries behind what says as much of a question itself, in the order of `byheart.ranking.near_duplicates`.

use super::absolute::Row;

/// What says so much of what a summary says of the question goes before it.
const ABOUT_AS_WELL: f64 = 0.9;

/// The rows, each that is no summary before the first summary that says no more of the question; of `own`, by row, is what
/// rows say themselves. What `leads` one and stood before it goes along.
pub(super) fn summaries_behind(
    rows: Vec<usize>,
    known: &[Row],
    own: &[f64],
    leads: impl Fn(usize, usize) -> bool,
) -> Vec<usize> {
    if !rows.iter().any(|&row| known[row].is_summary) {
        return rows; // as nearly always
    }
    let mut order = Vec::with_capacity(rows.len());
    for row in rows {
        let gives_way = |&other: &usize| {
            known[other].is_summary
                && !known[row].is_summary
                && own[row] > 0.0
                && own[row] >= ABOUT_AS_WELL * own[other]
        };
        let place = order.iter().position(gives_way).unwrap_or(order.len());
        let passed = order.split_off(place);
        let goes_along = |&other: &usize| !known[other].is_summary && leads(other, row);
        let (along, behind): (Vec<usize>, Vec<usize>) = passed.into_iter().partition(goes_along);
        order.extend(along.into_iter().chain([row]).chain(behind));
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_as_much_itself_goes_before_a_summary() {
        let known = [true, false, true, false, false].map(|is_summary| Row { is_summary, ..Row::default() });
        let of = |own: [f64; 5]| summaries_behind(vec![0, 1, 2, 3, 4], &known, &own, |_, _| false);
        assert_eq!(of([1.0, 0.9, 1.0, 0.8, 1.0]), [1, 4, 0, 2, 3]);
        assert_eq!(of([1.0, 0.5, 0.5, 0.45, 0.0]), [0, 1, 3, 2, 4]);
        assert_eq!(of([0.0; 5]), [0, 1, 2, 3, 4], "what says nothing goes before none");
        let along = summaries_behind(vec![0, 1, 2, 3], &known, &[1.0, 0.1, 1.0, 1.0], |one, row| (one, row) == (1, 3));
        assert_eq!(along, [1, 3, 0, 2], "what leads it goes along");
    }
}
