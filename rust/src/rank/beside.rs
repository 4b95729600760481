//! Near-duplicates side by side, and those of many that fit about as well from the newest to the oldest: the order in
//! which `byheart.ranking.near_duplicates` puts rows, as long as nothing has to be brought in.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use super::absolute::Row;

/// So many stand beside a row.
const MOST: usize = 2;
/// What names so many is one of many of one form: nothing is brought in for its sake.
const MANY: usize = 4;
/// A newer one goes before a row if it has this share of the row's score, or of what the row says itself.
const ABOUT_AS_WELL: f64 = 0.9;

/// What says that something changed goes before what it updates if that one has this share of the best score.
const IN_QUESTION: f64 = 0.5;

/// Rows by their places in the order of their scores.
struct Arranging<'a> {
    rows: &'a [usize],
    /// The places of those that each names, in order.
    links: Vec<Vec<usize>>,
    /// When each was said last.
    last: Vec<f64>,
    /// Two, by row.
    scores: [&'a [f64]; 2],
    /// How each begins that is a short statement.
    forms: Vec<Option<u64>>,
}

/// The rows, which come in the order of their scores, with near-duplicates in theirs, and whether that holds only if the newer
/// of two that fit a question as well answers it as well; nothing where one is no row and would have to be brought in, or where
/// their texts decide. What repeats a row says again what that one says; of `scores`, by row, the second are those of what rows
/// say themselves; `shares` are those of the question's words.
pub(super) fn near_duplicates_in_order(
    rows: &[usize],
    known: &[Row],
    repeats: impl Iterator<Item = (usize, usize)>,
    scores: [&[f64]; 2],
    shares: &[Option<f64>],
) -> Option<(Vec<usize>, bool)> {
    let mut places = vec![None; known.len()];
    let mut last = Vec::with_capacity(rows.len());
    for (place, &row) in rows.iter().enumerate() {
        places[row] = Some(place);
        last.push(said(&known[row]));
    }
    for (row, first) in repeats {
        places[row] = places[first];
        if let Some(place) = places[first] {
            last[place] = last[place].max(said(&known[row]));
        }
    }
    let in_question = rows.first().map_or(0.0, |&row| IN_QUESTION * scores[0][row]);
    let mut links = Vec::with_capacity(rows.len());
    for (place, &row) in rows.iter().enumerate() {
        let near = &known[row].near;
        if near.len() < MANY && scores[0][row] >= in_question && near.iter().any(Option::is_none) {
            return None;
        }
        let mut named: Vec<usize> = near.iter().filter_map(|&near| places[near?]).collect();
        named.retain(|&other| other != place);
        named.sort_unstable();
        named.dedup();
        links.push(named);
    }
    let forms = rows.iter().map(|&row| known[row].form.map(f64::to_bits)).collect();
    let arranging = Arranging { rows, links, last, scores, forms };
    if arranging.may_have_changed() {
        return None;
    }
    let mut order = arranging.side_by_side();
    let ties = |place: usize| scores[0][rows[place]].to_bits();
    for groups in [arranging.of_one_form(shares, |place, _| ties(place)), arranging.of_one_form(shares, |_, form| form)]
    {
        order = arranging.newest_first(&order, groups);
    }
    let order = arranging.newest_first(&order, arranging.groups());
    Some((order.into_iter().map(|place| rows[place]).collect(), arranging.may_answer_less()))
}

fn said(row: &Row) -> f64 {
    row.said.unwrap_or(f64::NEG_INFINITY)
}

impl Arranging<'_> {
    /// Whether one fits the question about as well as another.
    fn as_well(&self, one: usize, other: usize) -> bool {
        let (one, other) = (self.rows[one], self.rows[other]);
        self.scores.iter().any(|scores| scores[other] > 0.0 && scores[one] >= ABOUT_AS_WELL * scores[other])
    }

    /// Whether a row may say that what another one says has changed, which goes before that though it fits less well, or hardly.
    fn may_have_changed(&self) -> bool {
        let may = |one: usize, other: usize| {
            let is_asked_for = self.score(other) > 0.0 && self.is_in_question(other);
            is_asked_for && self.last[one] > self.last[other] && !self.as_well(one, other)
        };
        self.linked().any(|(place, one)| may(place, one) || may(one, place))
    }

    /// Whether the newer of two that fit about as well may say that something has changed, and not give what is asked for.
    fn may_answer_less(&self) -> bool {
        let is_asked_for = |place: usize, one: usize| self.is_in_question(place) || self.is_in_question(one);
        let is_newer = |place: usize, one: usize| self.newer(place, one).is_ne();
        let fits = |place: usize, one: usize| self.as_well(place, one) || self.as_well(one, place);
        self.linked().any(|(place, one)| is_newer(place, one) && is_asked_for(place, one) && fits(place, one))
    }

    /// The places of two that are linked.
    fn linked(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.links.iter().enumerate().flat_map(|(place, named)| named.iter().map(move |&one| (place, one)))
    }

    fn score(&self, place: usize) -> f64 {
        self.scores[0][self.rows[place]]
    }

    /// Whether somebody may ask for a row: further down nobody asks what is the latest.
    fn is_in_question(&self, place: usize) -> bool {
        self.score(place) >= IN_QUESTION * self.score(0)
    }

    /// The order of two by when they were said last, the newer first.
    fn newer(&self, one: usize, other: usize) -> Ordering {
        self.last[other].partial_cmp(&self.last[one]).unwrap_or(Ordering::Equal)
    }

    /// The places with the newest near-duplicates of each row beside it: those that name each other, and before it those
    /// that are newer and fit about as well. An older one, and one of the same form, that fits less well than what stands
    /// between stays where it is.
    fn side_by_side(&self) -> Vec<usize> {
        let mut is_placed = vec![false; self.rows.len()];
        let mut ordered = Vec::with_capacity(self.rows.len());
        for place in 0..self.rows.len() {
            if is_placed[place] {
                continue;
            }
            let others = self.links[place].iter().copied();
            let mut others: Vec<usize> =
                others.filter(|&other| !is_placed[other] && self.links[other].contains(&place)).collect();
            let between =
                (place + 1..self.rows.len()).find(|other| !is_placed[*other] && !self.links[place].contains(other));
            let is_of_one = |one: usize| self.forms[one].is_some() && self.forms[one] == self.forms[place];
            let may_stay = |one: usize| is_of_one(one) || self.last[one] < self.last[place];
            others.retain(|&one| !between.is_some_and(|other| may_stay(one) && !self.as_well(one, other)));
            others.sort_by(|&one, &other| self.newer(one, other)); // those of one time as they came
            others.truncate(MOST);
            let is_first = |&other: &usize| self.last[other] > self.last[place] && self.as_well(other, place);
            let (first, behind): (Vec<usize>, Vec<usize>) = others.iter().partition(|other| is_first(other));
            for placed in first.into_iter().chain([place]).chain(behind) {
                is_placed[placed] = true;
                ordered.push(placed);
            }
        }
        ordered
    }

    /// The rows that are connected, whichever names the other: each group in the order of scores.
    fn groups(&self) -> Vec<Vec<usize>> {
        let mut sides = self.links.clone();
        for (place, named) in self.links.iter().enumerate() {
            for &other in named {
                sides[other].push(place);
            }
        }
        let mut is_known = vec![false; sides.len()];
        let mut groups = Vec::new();
        for start in 0..sides.len() {
            if is_known[start] || sides[start].is_empty() {
                continue;
            }
            is_known[start] = true;
            let (mut group, mut at) = (vec![start], 0);
            while at < group.len() {
                for &other in &sides[group[at]] {
                    if !is_known[other] {
                        is_known[other] = true;
                        group.push(other);
                    }
                }
                at += 1;
            }
            group.sort_unstable();
            groups.push(group);
        }
        groups
    }

    /// The statements that hold as much of the question, and have something else in common: groups of two and more, each in
    /// the order of scores. `common` gives what that is, of a place and of how it begins.
    fn of_one_form(&self, shares: &[Option<f64>], common: impl Fn(usize, u64) -> u64) -> Vec<Vec<usize>> {
        let mut groups: FxHashMap<(u64, u64), Vec<usize>> = FxHashMap::default();
        for (place, &form) in self.forms.iter().enumerate() {
            if let Some((form, share)) = form.zip(shares[self.rows[place]]) {
                groups.entry((common(place, form), share.to_bits())).or_default().push(place);
            }
        }
        groups.into_values().filter(|group| group.len() > 1).collect()
    }

    /// The places with those of a group that fit about as well in the seats that they share, the newest first: the best of
    /// a group and those that fit about as well as it, then likewise the best of those left.
    fn newest_first(&self, ordered: &[usize], groups: Vec<Vec<usize>>) -> Vec<usize> {
        let mut seats = vec![0; ordered.len()];
        for (seat, &place) in ordered.iter().enumerate() {
            seats[place] = seat;
        }
        let mut order = ordered.to_vec();
        for mut left in groups {
            while let Some(&best) = left.first() {
                let (alike, others): (Vec<usize>, Vec<usize>) =
                    left.into_iter().partition(|&place| place == best || self.as_well(place, best));
                let mut shared: Vec<usize> = alike.iter().map(|&place| seats[place]).collect();
                shared.sort_unstable();
                let mut newest: Vec<usize> = shared.iter().map(|&seat| ordered[seat]).collect();
                newest.sort_by(|&one, &other| self.newer(one, other));
                for (seat, place) in shared.into_iter().zip(newest) {
                    order[seat] = place;
                }
                left = others;
            }
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(at: f64, near: &[usize]) -> Row {
        Row { said: Some(at), near: near.iter().map(|&row| Some(row)).collect(), ..Row::default() }
    }

    fn of(known: &[Row], scores: &[f64], own: &[f64]) -> Option<Vec<usize>> {
        let rows: Vec<usize> = (0..known.len()).collect();
        let shares = vec![Some(0.5); known.len()];
        near_duplicates_in_order(&rows, known, [].into_iter(), [scores, own], &shares).map(|(order, _)| order)
    }

    #[test]
    fn beside_a_row_stand_the_newest_that_name_it_back_those_of_one_time_in_order() {
        let known = [said(3.0, &[1, 3, 4]), said(1.0, &[0]), said(9.0, &[]), said(1.0, &[0]), said(2.0, &[0])];
        assert_eq!(of(&known, &[3.0, 2.9, 2.8, 0.2, 0.2], &[1.0; 5]).unwrap(), [0, 4, 1, 2, 3]);
        let known = [said(1.0, &[1, 2]), said(1.0, &[]), said(1.0, &[0])];
        assert_eq!(of(&known, &[1.0; 3], &[1.0; 3]).unwrap(), [0, 2, 1], "one does not name it");
    }

    #[test]
    fn those_that_are_connected_share_their_seats_the_newest_first() {
        let known = [said(1.0, &[]), said(5.0, &[]), said(2.0, &[0]), said(3.0, &[0]), said(1.5, &[2, 2, 4])];
        let scores = [1.0, 1.0, 0.95, 0.9, 0.05];
        assert_eq!(of(&known, &scores, &scores).unwrap(), [3, 1, 2, 0, 4], "a stranger keeps its seat");
        assert_eq!(of(&known, &scores, &[1.0; 5]).unwrap(), [3, 1, 2, 4, 0], "all say as much themselves");
        assert_eq!(of(&known, &[0.0; 5], &[0.0; 5]).unwrap(), [0, 1, 2, 3, 4], "nothing fits what says nothing");
    }

    #[test]
    fn texts_decide_where_a_newer_one_fits_less_and_its_older_one_well() {
        let known = [said(1.0, &[1]), said(2.0, &[0]), said(9.0, &[])];
        assert!(of(&known, &[1.0, 0.1, 0.05], &[0.0; 3]).is_none());
        assert!(of(&known, &[1.0, 0.09, 0.05], &[0.0; 3]).is_none(), "it may say that a state is another one now");
        assert_eq!(of(&[said(2.0, &[1]), said(1.0, &[0])], &[1.0, 0.5], &[0.0; 2]).unwrap(), [0, 1], "an older one");
        let low = [said(9.0, &[]), said(1.0, &[2]), said(2.0, &[1])];
        assert_eq!(of(&low, &[1.0, 0.49, 0.2], &[0.0; 3]).unwrap(), [0, 1, 2], "none of the best");
        assert!(of(&low, &[1.0, 0.5, 0.2], &[0.0; 3]).is_none());
    }

    #[test]
    fn what_was_said_again_last_stands_first_though_it_was_said_first() {
        let known = [said(1.0, &[1]), said(2.0, &[2]), said(3.0, &[1])];
        let again = |rows: &[usize], row, first| {
            let scores: &[f64] = &[3.0; 3];
            let again = [(row, first)].into_iter();
            near_duplicates_in_order(rows, &known, again, [scores, scores], &[None; 3]).unwrap().0
        };
        assert_eq!(again(&[0, 1], 2, 0), [0, 1]);
        assert_eq!(again(&[2, 1], 0, 2), [2, 1]);
        assert_eq!(again(&[0, 2], 1, 0), [2, 0], "it names what repeats the other");
    }

    #[test]
    fn of_one_form_the_newest_goes_first_and_one_that_fits_less_is_not_pulled_up() {
        let of_form = |form: f64, row: Row| Row { form: Some(form), ..row };
        let known = [1.0, 3.0, 2.0].map(|at| of_form(7.0, said(at, &[])));
        assert_eq!(of(&known, &[1.0, 0.99, 0.98], &[1.0; 3]).unwrap(), [1, 2, 0], "they begin alike");
        let known = [1.0, 3.0, 2.0].map(|at| of_form(at, said(at, &[])));
        assert_eq!(of(&known, &[1.0, 0.5, 0.5], &[0.0; 3]).unwrap(), [0, 1, 2]);
        assert_eq!(of(&known, &[0.5; 3], &[0.0; 3]).unwrap(), [1, 2, 0], "of one score");
        let known = [of_form(7.0, said(2.0, &[2])), said(9.0, &[]), of_form(7.0, said(1.0, &[0]))];
        assert_eq!(of(&known, &[1.0, 0.9, 0.5], &[1.0, 0.9, 0.5]).unwrap(), [0, 1, 2]);
        assert_eq!(of(&known, &[1.0, 0.55, 0.5], &[1.0, 0.9, 0.5]).unwrap(), [0, 2, 1]);
    }

    #[test]
    fn one_that_is_no_row_has_to_be_brought_in_unless_it_is_one_of_many_or_far_down() {
        let named = |many: usize| Row { near: vec![None; many], ..Row::default() };
        assert!(of(&[named(1)], &[1.0], &[1.0]).is_none());
        assert!(of(&[named(MANY - 1)], &[1.0], &[1.0]).is_none());
        assert_eq!(of(&[named(MANY)], &[1.0], &[1.0]).unwrap(), [0]);
        assert!(of(&[named(0), named(1)], &[1.0, 0.5], &[1.0; 2]).is_none());
        assert_eq!(of(&[named(0), named(1)], &[1.0, 0.49], &[1.0; 2]).unwrap(), [0, 1]);
    }

    #[test]
    fn the_newer_of_two_that_fit_as_well_may_answer_less_if_somebody_asks_for_one() {
        let may = |times: [f64; 2], scores: &[f64]| {
            let known = [said(9.0, &[]), said(times[0], &[2]), said(times[1], &[])];
            near_duplicates_in_order(&[0, 1, 2], &known, [].into_iter(), [scores, &[0.0; 3]], &[None; 3]).unwrap().1
        };
        assert!(may([1.0, 2.0], &[1.0, 0.5, 0.49]) && may([2.0, 1.0], &[1.0, 0.5, 0.49]));
        assert!(!may([1.0, 1.0], &[1.0, 0.5, 0.49]), "of one time");
        assert!(!may([1.0, 2.0], &[1.0, 0.49, 0.49]), "far down");
    }
}
