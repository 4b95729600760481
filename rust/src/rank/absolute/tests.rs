//! Small tables, stage by stage.

use super::*;

/// Texts that say the same of any two rows; all that is named may be found, and was said last at its number.
#[allow(clippy::struct_excessive_bools)] // answers
pub(in crate::rank) struct Say {
    pub changed: bool,
    pub anew: bool,
    pub answers: bool,
    pub found: bool,
}

pub(in crate::rank) const NOTHING: Say = Say { changed: false, anew: false, answers: true, found: true };

impl Texts for Say {
    #[allow(clippy::cast_precision_loss)] // small numbers
    fn brought_in(&self, wanted: &[usize], _naming: &[usize]) -> Option<Vec<(usize, f64)>> {
        let said = |&row: &usize| (row, row as f64);
        Some(wanted.iter().filter(|_| self.found).map(said).collect())
    }

    fn has_changed(&self, _newer: usize, _older: usize, _fairly: bool) -> bool {
        self.changed
    }

    fn states_anew(&self, _newer: usize, _older: usize) -> bool {
        self.anew
    }

    fn answers_too(&self, _newer: usize, _older: usize) -> bool {
        self.answers
    }
}

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
    is_weak: false,
};

fn row(words: f64, hash: u8) -> Row {
    Row { words: Some(words), hash: Some([hash; 16]), ..Row::default() }
}

fn of(known: &[Row], settings: &Settings) -> Option<Absolute> {
    absolute(&mut known.to_vec(), settings, Some(&NOTHING), |one, other| one.cmp(&other))
}

fn texts_decide(known: &[Row], settings: &Settings) -> bool {
    absolute(&mut known.to_vec(), settings, None, |one, other| one.cmp(&other)).is_none()
}

#[test]
fn every_stage_says_what_it_drops() {
    let known = [row(1.0, 1), row(4.0, 2), row(0.0, 3), row(3.0, 2), row(2.0, 4), Row { words: None, ..row(0.0, 5) }];
    let found = of(&known, &SETTINGS).unwrap();
    assert_eq!(found.rows, [1, 4]);
    let dropped = [(2, Reason::Nothing), (5, Reason::Nothing), (3, Reason::Repeats(1)), (0, Reason::BeyondK)];
    assert_eq!(found.dropped, dropped);
}

#[test]
fn of_what_says_the_same_the_last_said_stays_if_words_find_it_as_well_and_it_fits_about_as_well() {
    let said = |at: Option<f64>, of: Row| Row { said: at, ..of };
    let stays = |known: &[Row]| of(known, &Settings { k: 9, ..SETTINGS }).unwrap().rows;
    let known = [said(Some(1.0), row(3.0, 1)), said(None, row(3.0, 1)), said(Some(2.0), row(3.0, 1)), row(1.0, 2)];
    assert_eq!(stays(&known), [2, 3]);
    let dropped = [(0, Reason::Repeats(2)), (1, Reason::Repeats(2))];
    assert_eq!(of(&known, &Settings { k: 9, ..SETTINGS }).unwrap().dropped, dropped);
    assert_eq!(stays(&[known[2].clone(), known[0].clone(), known[2].clone()]), [0], "of one time the first");
    assert_eq!(stays(&[known[0].clone(), Row { words: Some(2.9), ..known[2].clone() }]), [0], "its title says less");
    let told = |before: f64, of: &Row| Row { before: Some(before), ..of.clone() };
    assert_eq!(stays(&[told(0.3, &known[0]), known[2].clone()]), [1], "told elsewhere, and about as well");
    assert_eq!(stays(&[told(0.4, &known[0]), known[2].clone()]), [0], "told where more is said of it");
    let alone = |at: f64| Row { words: None, before: Some(1.0), ..said(Some(at), row(0.0, 1)) };
    assert_eq!(stays(&[alone(1.0), alone(2.0)]), [0], "found by what was told around it alone");
}

#[test]
fn of_an_answer_that_is_too_weak_all_rows_go_in_the_order_of_their_scores() {
    let known = [Row { near: vec![1], ..row(1.0, 1) }, row(4.0, 2), row(0.0, 3), row(3.0, 2)];
    let found =
        absolute(&mut known.to_vec(), &Settings { is_weak: true, ..SETTINGS }, None, |one, other| one.cmp(&other));
    let dropped = [(2, Reason::Nothing), (3, Reason::Repeats(1)), (1, Reason::Weak), (0, Reason::Weak)];
    let found = found.unwrap();
    assert_eq!((found.dropped, found.rows, found.by_score), (dropped.to_vec(), vec![], vec![1, 3, 0]));
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
    let near = |said: f64, near: Vec<usize>, of: Row| Row { said: Some(said), near, ..of };
    let mut known = [
        near(1.0, vec![2], row(3.0, 1)),
        near(9.5, vec![], row(2.9, 2)),
        near(2.0, vec![0], row(2.8, 3)),
        near(9.0, vec![1], row(0.1, 4)),
    ];
    let settings = Settings { k: 9, ..SETTINGS };
    assert_eq!(of(&known, &settings).unwrap().rows, [2, 0, 1, 3]);
    assert!(texts_decide(&known, &settings));
    known[2].words = Some(2.0);
    assert_eq!(of(&known, &settings).unwrap().rows, [0, 2, 1, 3], "it fits less, and stands behind");
    known[0].before = Some(8.0);
    known[2].words = Some(2.8);
    assert_eq!(of(&known, &settings).unwrap().rows, [2, 0, 1, 3], "it says as much itself");
}

#[test]
fn what_rows_name_is_brought_in_beside_them_unless_it_is_one_of_many_or_far_down() {
    let near = |near: Vec<usize>, of: Row| Row { said: Some(0.0), near, ..of };
    let mut known = vec![near(vec![9], row(4.0, 1)), near(vec![7, 9], row(3.0, 2)), near(vec![6], row(1.9, 3))];
    let settings = Settings { k: 4, ..SETTINGS };
    assert!(texts_decide(&known, &settings));
    let found = absolute(&mut known, &settings, Some(&NOTHING), |one, other| one.cmp(&other)).unwrap();
    assert_eq!(found.rows, [0, 9, 1, 7]);
    assert_eq!((found.scores[9], found.scores[7], known[9].said), (1.0, 0.75, Some(9.0)));
    let (name, multiplies, column) = found.changes.last().unwrap();
    assert_eq!((*name, *multiplies, column[9], column[0]), ("near_duplicate", false, Some(1.0), None));
    assert!(found.changes.iter().all(|(.., column)| column.len() == found.scores.len()));
    assert_eq!(found.dropped, [(2, Reason::BeyondK)]);

    let many = near((3..3 + MANY).collect(), row(4.0, 1));
    assert!(!texts_decide(&[many], &settings), "of one form");
    let few = near((3..2 + MANY).collect(), row(4.0, 1));
    let found = of(&[few], &settings).unwrap();
    assert_eq!(found.rows, [0, 5, 4]);
    assert_eq!(found.dropped, [(3, Reason::Late)], "newer ones stand there");
    let nothing = Say { found: false, ..NOTHING };
    let order = |one: usize, other: usize| one.cmp(&other);
    let gone = absolute(&mut vec![near(vec![5], row(4.0, 1))], &settings, Some(&nothing), order).unwrap();
    assert_eq!(gone.rows, [0]);
    assert!(gone.changes.iter().all(|change| change.0 != "near_duplicate"));
}

#[test]
fn rows_in_another_order_are_cut_once_more() {
    let known = [row(4.0, 1), row(3.0, 2), row(2.0, 3), row(1.0, 4)];
    let mut found = of(&known, &Settings { k: 3, ..SETTINGS }).unwrap();
    found.rows = vec![2, 0, 1];
    found.cut(1);
    assert_eq!(found.rows, [2]);
    let beyond = [0, 1, 3].map(|row| (row, Reason::BeyondK));
    assert_eq!(found.dropped, beyond, "in order, before those that were cut first");
}

#[test]
fn what_was_said_again_last_stands_first_though_it_was_said_first() {
    let said = |at: f64, near: Vec<usize>, of: Row| Row { said: Some(at), near, ..of };
    let known = [said(1.0, vec![1], row(3.0, 1)), said(2.0, vec![0, 2], row(2.9, 2)), said(3.0, vec![1], row(2.8, 1))];
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
    assert!(is_certain(&known, 1.9));
    assert!(!is_certain(&known, 2.0), "one of the same content may have been said later");
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
