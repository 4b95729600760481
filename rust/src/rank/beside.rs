//! Near-duplicates side by side, and those of many that fit about as well from the newest to the oldest: the order in
//! which `byheart.ranking.near_duplicates` puts rows. Where their texts decide these are asked, once for two rows.

use std::cell::{Cell, RefCell};
use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use super::absolute::{Row, Texts};

/// So many stand beside a row.
const MOST: usize = 2;
/// What names so many is one of many of one form: nothing is brought in for its sake.
pub(super) const MANY: usize = 4;
/// A newer one goes before a row if it has this share of the row's score, or of what the row says itself.
pub(super) const ABOUT_AS_WELL: f64 = 0.9;
/// What says that something changed goes before what it updates if it has this share of its score.
const FAIRLY: f64 = 0.1;
/// And if that one has this share of the best score: further down nobody asks what is the latest.
pub(super) const IN_QUESTION: f64 = 0.5;

/// Rows by their places in the order of their scores, behind them those that were brought in.
pub(super) struct Arranging<'a> {
    rows: &'a [usize],
    /// How many of them were found.
    found: usize,
    /// The place of each row that has one.
    places: Vec<Option<usize>>,
    /// The places of those that each names, in order.
    links: Vec<Vec<usize>>,
    /// When each was said last.
    last: Vec<f64>,
    /// Two, by row: the second are those of what rows say themselves.
    scores: [&'a [f64]; 2],
    /// How each begins that is a short statement.
    forms: Vec<Option<u64>>,
    texts: Option<&'a dyn Texts>,
    /// Whether texts decide, and there are none.
    lacks: Cell<bool>,
    /// What they said of two rows.
    changed: RefCell<FxHashMap<(usize, usize), bool>>,
    answered: RefCell<FxHashMap<(usize, usize), bool>>,
}

fn said(row: &Row) -> f64 {
    row.said.unwrap_or(f64::NEG_INFINITY)
}

impl<'a> Arranging<'a> {
    /// The first `found` of the rows come in the order of their scores. What repeats a row says again what that one says.
    pub(super) fn new(
        rows: &'a [usize],
        found: usize,
        known: &[Row],
        repeats: impl Iterator<Item = (usize, usize)>,
        scores: [&'a [f64]; 2],
        texts: Option<&'a dyn Texts>,
    ) -> Self {
        let named = known.iter().flat_map(|row| &row.near).map(|&named| named + 1).max().unwrap_or(0);
        let mut places = vec![None; known.len().max(named)];
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
        let links_of = |(place, &row): (usize, &usize)| {
            let mut named: Vec<usize> = known[row].near.iter().filter_map(|&near| places[near]).collect();
            named.retain(|&other| other != place);
            named.sort_unstable();
            named.dedup();
            named
        };
        let links = rows.iter().enumerate().map(links_of).collect();
        let forms = rows.iter().map(|&row| known[row].form.map(f64::to_bits)).collect();
        Self {
            rows,
            found,
            places,
            links,
            last,
            scores,
            forms,
            texts,
            lacks: Cell::new(false),
            changed: RefCell::default(),
            answered: RefCell::default(),
        }
    }

    /// The rows in order, without those brought in that others take the place of; nothing where there are no texts to decide.
    /// `shares` are those of the question's words, by row.
    pub(super) fn in_order(&self, shares: &[Option<f64>]) -> Option<Vec<usize>> {
        let mut order = self.side_by_side();
        let ties = |place: usize| self.score(place).to_bits();
        for groups in [self.of_one_form(shares, |place, _| ties(place)), self.of_one_form(shares, |_, form| form)] {
            order = self.newest_first(&order, groups);
        }
        let order = self.newest_first(&order, self.groups());
        (!self.lacks_texts()).then(|| order.into_iter().map(|place| self.rows[place]).collect())
    }

    /// Whether texts decided, and there are none.
    pub(super) fn lacks_texts(&self) -> bool {
        self.lacks.get()
    }

    /// Whether a row goes along with another one before what stands between: it says that this has changed, and fits less.
    pub(super) fn leads(&self, one: usize, row: usize) -> bool {
        let (Some(one), Some(place)) = (self.places[one], self.places[row]) else { return false };
        if self.is_beside(one) {
            self.states_anew(one, place)
        } else {
            !self.fits(one, place) && self.changed(one, place)
        }
    }

    fn is_beside(&self, place: usize) -> bool {
        place >= self.found
    }

    fn are_linked(&self, one: usize, other: usize) -> bool {
        self.links[one].contains(&other) || self.links[other].contains(&one)
    }

    /// Whether one fits the question about as well as another, by their scores.
    fn fits(&self, one: usize, other: usize) -> bool {
        let (one, other) = (self.rows[one], self.rows[other]);
        self.scores.iter().any(|scores| scores[other] > 0.0 && scores[one] >= ABOUT_AS_WELL * scores[other])
    }

    /// Whether a newer row says plainly that what another one says has changed, and fits fairly.
    fn changed(&self, one: usize, other: usize) -> bool {
        let old = self.score(other);
        if !(self.last[one] > self.last[other]
            && old > 0.0
            && self.is_in_question(other)
            && self.are_linked(one, other))
        {
            return false;
        }
        let fairly = self.score(one) >= FAIRLY * old;
        self.asked(&self.changed, one, other, |texts, one, other| texts.has_changed(one, other, fairly))
    }

    /// Whether one that was brought in says that a state is another one now, and is asked for.
    fn states_anew(&self, one: usize, other: usize) -> bool {
        let texts = self.texts;
        self.changed(one, other) && texts.is_some_and(|texts| texts.states_anew(self.rows[one], self.rows[other]))
    }

    /// Whether the newer of two rows answers what the older one does, as far as somebody may ask for one of them.
    fn answers(&self, one: usize, other: usize) -> bool {
        let is_asked_for = self.is_in_question(one) || self.is_in_question(other);
        let (newer, older) = match self.newer(one, other) {
            Ordering::Equal => return true,
            Ordering::Less => (one, other),
            Ordering::Greater => (other, one),
        };
        if !(is_asked_for && self.are_linked(one, other)) {
            return true;
        }
        self.asked(&self.answered, newer, older, |texts, newer, older| texts.answers_too(newer, older))
    }

    /// What texts say of two rows, asked once.
    fn asked(
        &self,
        kept: &RefCell<FxHashMap<(usize, usize), bool>>,
        one: usize,
        other: usize,
        of: impl FnOnce(&dyn Texts, usize, usize) -> bool,
    ) -> bool {
        let Some(texts) = self.texts else {
            self.lacks.set(true);
            return false;
        };
        let say = || of(texts, self.rows[one], self.rows[other]);
        *kept.borrow_mut().entry((one, other)).or_insert_with(say)
    }

    /// Whether one fits about as well as another and answers as much, or has changed what that one says.
    fn as_well(&self, one: usize, other: usize) -> bool {
        if self.is_beside(one) {
            return self.states_anew(one, other);
        }
        (self.fits(one, other) && self.answers(one, other)) || self.changed(one, other)
    }

    /// Whether one goes before another: the newer, which fits as well, or the older, which answers alone.
    fn goes_before(&self, one: usize, other: usize) -> bool {
        match self.newer(one, other) {
            Ordering::Less => self.as_well(one, other),
            Ordering::Equal => false,
            Ordering::Greater => !self.is_beside(one) && self.fits(one, other) && !self.answers(one, other),
        }
    }

    /// Whether one stays where it is, though it is linked with another: a third fits better.
    fn fits_less(&self, one: usize, place: usize, between: usize) -> bool {
        let is_of_one = self.forms[one].is_some() && self.forms[one] == self.forms[place];
        let stays = !self.is_beside(one) && (is_of_one || self.last[one] < self.last[place]);
        stays && !self.fits(one, between) && !self.changed(one, place)
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
        for place in 0..self.found {
            if is_placed[place] {
                continue;
            }
            let names_back = |&other: &usize| self.is_beside(other) || self.links[other].contains(&place);
            let others = self.links[place].iter().copied().filter(|&other| !is_placed[other]);
            let mut others: Vec<usize> = others.filter(names_back).collect();
            if !others.is_empty() {
                let is_between = |other: &usize| !is_placed[*other] && !self.links[place].contains(other);
                if let Some(between) = (place + 1..self.found).find(is_between) {
                    others.retain(|&one| !self.fits_less(one, place, between));
                }
            }
            others.sort_by(|&one, &other| self.newer(one, other)); // those of one time as they came
            others.truncate(MOST);
            let (first, behind): (Vec<usize>, Vec<usize>) =
                others.iter().partition(|&&other| self.goes_before(other, place));
            for placed in first.into_iter().chain([place]).chain(behind) {
                is_placed[placed] = true;
                ordered.push(placed);
            }
        }
        ordered
    }

    /// The rows that were found and are connected, whichever names the other: each group in the order of scores.
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
            group.retain(|&place| !self.is_beside(place));
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
        let mut seats = vec![0; self.rows.len()];
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
    use super::super::absolute::tests::{NOTHING, Say};
    use super::*;

    fn said(at: f64, near: &[usize]) -> Row {
        Row { said: Some(at), near: near.to_vec(), ..Row::default() }
    }

    fn told(known: &[Row], found: usize, scores: &[f64], own: &[f64], texts: Option<&dyn Texts>) -> Option<Vec<usize>> {
        let rows: Vec<usize> = (0..known.len()).collect();
        let shares = vec![Some(0.5); known.len()];
        Arranging::new(&rows, found, known, [].into_iter(), [scores, own], texts).in_order(&shares)
    }

    fn of(known: &[Row], scores: &[f64], own: &[f64]) -> Vec<usize> {
        told(known, known.len(), scores, own, Some(&NOTHING)).unwrap()
    }

    fn texts_decide(known: &[Row], scores: &[f64]) -> bool {
        told(known, known.len(), scores, &vec![0.0; known.len()], None).is_none()
    }

    #[test]
    fn beside_a_row_stand_the_newest_that_name_it_back_those_of_one_time_in_order() {
        let known = [said(3.0, &[1, 3, 4]), said(1.0, &[0]), said(9.0, &[]), said(1.0, &[0]), said(2.0, &[0])];
        assert_eq!(of(&known, &[3.0, 2.9, 2.8, 0.2, 0.2], &[1.0; 5]), [0, 4, 1, 2, 3]);
        let known = [said(1.0, &[1, 2]), said(1.0, &[]), said(1.0, &[0])];
        assert_eq!(of(&known, &[1.0; 3], &[1.0; 3]), [0, 2, 1], "one does not name it");
    }

    #[test]
    fn those_that_are_connected_share_their_seats_the_newest_first() {
        let known = [said(1.0, &[]), said(5.0, &[]), said(2.0, &[0]), said(3.0, &[0]), said(1.5, &[2, 2, 4])];
        let scores = [1.0, 1.0, 0.95, 0.9, 0.05];
        assert_eq!(of(&known, &scores, &scores), [3, 1, 2, 0, 4], "a stranger keeps its seat");
        assert_eq!(of(&known, &scores, &[1.0; 5]), [3, 1, 2, 4, 0], "all say as much themselves");
        assert_eq!(of(&known, &[0.0; 5], &[0.0; 5]), [0, 1, 2, 3, 4], "nothing fits what says nothing");
    }

    #[test]
    fn texts_decide_where_a_newer_one_fits_less_and_its_older_one_well() {
        let known = [said(1.0, &[1]), said(2.0, &[0]), said(9.0, &[])];
        assert!(texts_decide(&known, &[1.0, 0.1, 0.05]));
        assert!(texts_decide(&known, &[1.0, 0.09, 0.05]), "it may say that a state is another one now");
        assert!(!texts_decide(&[said(2.0, &[1]), said(1.0, &[0])], &[1.0, 0.5]), "an older one");
        let low = [said(9.0, &[]), said(1.0, &[2]), said(2.0, &[1])];
        assert!(!texts_decide(&low, &[1.0, 0.49, 0.2]), "none of the best");
        assert!(texts_decide(&low, &[1.0, 0.5, 0.2]));
    }

    #[test]
    fn texts_decide_whether_the_newer_of_two_that_fit_as_well_answers_as_much_if_somebody_asks_for_one() {
        let known = |times: [f64; 2]| [said(9.0, &[]), said(times[0], &[2]), said(times[1], &[1])];
        assert!(texts_decide(&known([1.0, 2.0]), &[1.0, 0.5, 0.49]));
        assert!(texts_decide(&known([2.0, 1.0]), &[1.0, 0.5, 0.49]));
        assert!(!texts_decide(&known([1.0, 1.0]), &[1.0, 0.5, 0.49]), "of one time");
        assert!(!texts_decide(&known([1.0, 2.0]), &[1.0, 0.49, 0.49]), "far down");
    }

    #[test]
    fn what_changes_another_one_goes_before_it_and_what_alone_answers_stays_there() {
        let known = [said(9.0, &[]), said(1.0, &[2]), said(2.0, &[1])];
        let of = |scores: &[f64], say: &Say| told(&known, 3, scores, &[0.0; 3], Some(say)).unwrap();
        let changed = Say { changed: true, ..NOTHING };
        assert_eq!(of(&[1.0, 0.9, 0.3], &NOTHING), [0, 1, 2]);
        assert_eq!(of(&[1.0, 0.9, 0.3], &changed), [0, 2, 1]);
        assert_eq!(of(&[1.0, 0.4, 0.3], &changed), [0, 1, 2], "far down");
        assert_eq!(of(&[1.0, 0.9, 0.85], &NOTHING), [0, 2, 1]);
        assert_eq!(of(&[1.0, 0.9, 0.85], &Say { answers: false, ..NOTHING }), [0, 1, 2]);
        let older_last = [said(9.0, &[]), said(2.0, &[2]), said(1.0, &[1])];
        let alone = told(&older_last, 3, &[1.0, 0.9, 0.85], &[0.0; 3], Some(&Say { answers: false, ..NOTHING }));
        assert_eq!(alone.unwrap(), [0, 2, 1], "the older one answers alone");
    }

    #[test]
    fn what_was_brought_in_stands_behind_what_names_it_unless_it_says_a_state_anew() {
        let known = [said(1.0, &[2]), said(9.0, &[]), said(2.0, &[])];
        let of = |say: &Say| told(&known, 2, &[1.0, 0.9, 1.0], &[0.0; 3], Some(say)).unwrap();
        assert_eq!(of(&NOTHING), [0, 2, 1]);
        assert_eq!(of(&Say { changed: true, ..NOTHING }), [0, 2, 1]);
        assert_eq!(of(&Say { changed: true, anew: true, ..NOTHING }), [2, 0, 1]);
        let many = [said(1.0, &[1, 2, 3]), said(2.0, &[]), said(3.0, &[]), said(4.0, &[])];
        let order = told(&many, 1, &[1.0; 4], &[0.0; 4], Some(&NOTHING)).unwrap();
        assert_eq!(order, [0, 3, 2], "of many the newest");
    }

    #[test]
    fn what_was_said_again_last_stands_first_though_it_was_said_first() {
        let known = [said(1.0, &[1]), said(2.0, &[2]), said(3.0, &[1])];
        let again = |rows: &[usize], row, first| {
            let scores: &[f64] = &[3.0; 3];
            let again = [(row, first)].into_iter();
            let near = Arranging::new(rows, rows.len(), &known, again, [scores, scores], Some(&NOTHING));
            near.in_order(&[None; 3]).unwrap()
        };
        assert_eq!(again(&[0, 1], 2, 0), [0, 1]);
        assert_eq!(again(&[2, 1], 0, 2), [2, 1]);
        assert_eq!(again(&[0, 2], 1, 0), [2, 0], "it names what repeats the other");
    }

    #[test]
    fn of_one_form_the_newest_goes_first_and_one_that_fits_less_is_not_pulled_up() {
        let of_form = |form: f64, row: Row| Row { form: Some(form), ..row };
        let known = [1.0, 3.0, 2.0].map(|at| of_form(7.0, said(at, &[])));
        assert_eq!(of(&known, &[1.0, 0.99, 0.98], &[1.0; 3]), [1, 2, 0], "they begin alike");
        let known = [1.0, 3.0, 2.0].map(|at| of_form(at, said(at, &[])));
        assert_eq!(of(&known, &[1.0, 0.5, 0.5], &[0.0; 3]), [0, 1, 2]);
        assert_eq!(of(&known, &[0.5; 3], &[0.0; 3]), [1, 2, 0], "of one score");
        let known = [of_form(7.0, said(2.0, &[2])), said(9.0, &[]), of_form(7.0, said(1.0, &[0]))];
        assert_eq!(of(&known, &[1.0, 0.9, 0.5], &[1.0, 0.9, 0.5]), [0, 1, 2]);
        assert_eq!(of(&known, &[1.0, 0.55, 0.5], &[1.0, 0.9, 0.5]), [0, 2, 1]);
    }
}
