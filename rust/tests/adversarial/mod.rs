//! Searches over corpora made to hit every boundary of the layout, against an exhaustive evaluation: 20,000 queries.

mod model;

use model::{Pair, Question, Record, Words};

const TIES: usize = 3_000;
const GIANT: usize = 3_000;
const COUNTS: usize = 3_000;
const LISTS: usize = 3_400;
const CELLS: usize = 3_000;
const SEGMENTS: usize = 1_600;
const ROUNDING: usize = 600;
const STEP: usize = 400;
const KEPT: usize = 1_000;
const CLASSED: usize = 1_000;
const _: () = assert!(TIES + GIANT + COUNTS + LISTS + CELLS + SEGMENTS + ROUNDING + STEP + KEPT + CLASSED == 20_000);

/// `SplitMix64`, from a seed that stands in the test.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((x ^ x >> 31) % bound as u64) as usize
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// A question of 1 to 5 words below `words`, some of them twice; often a boost, seldom a large k.
    fn question(&mut self, words: usize, largest: usize) -> Question {
        let mut asked: Vec<u32> = (0..=self.below(5)).map(|_| self.below(words) as u32).collect();
        if self.below(4) == 0 {
            asked.push(asked[0]);
        }
        let k = if self.below(20) == 0 { largest.max(1) } else { self.pick(&[1, 2, 3, 10, 31, 32, 33, 100]) };
        let boosts = match self.below(3) {
            0 => vec![(1, 1.3), (2, 0.7)],
            1 => vec![(2, 1e-3)],
            _ => Vec::new(),
        };
        Question { words: asked, k, cells: None, boosts }
    }

    /// Distinct words below `words`, each with a count out of `counts`.
    fn words(&mut self, words: usize, most: usize, counts: &[u32]) -> Words {
        let mut chosen: Vec<u32> = (0..self.below(most + 1)).map(|_| self.below(words) as u32).collect();
        chosen.sort_unstable();
        chosen.dedup();
        chosen.into_iter().map(|word| (word, self.pick(counts))).collect()
    }
}

/// Ids whose order has nothing to do with the order of insertion. The step is prime to every number used here.
fn id(number: usize) -> String {
    format!("r{:06}", number * 7_919 % 1_000_003)
}

fn record(number: usize, label: usize, fields: Vec<Words>) -> Record {
    Record { id: id(number), cell: 0, label, fields }
}

#[test]
fn equal_scores_en_masse() {
    let (mut pair, mut random) = (Pair::new(&[1.0, 0.5]), Random(1));
    let kinds: Vec<Vec<Words>> = (0..6).map(|_| vec![random.words(8, 3, &[1]), random.words(8, 3, &[1, 2])]).collect();
    pair.add((0..2_500).map(|n| record(n, random.below(4), kinds[random.below(6)].clone())).collect());
    for turn in 0..TIES {
        if turn % 1_000 == 500 {
            pair.remove(|record| record.id.ends_with(['1', '5']));
            pair.add((2_500 + turn..2_800 + turn).map(|n| record(n, 0, kinds[n % 6].clone())).collect());
        }
        let largest = pair.len();
        pair.ask(&random.question(9, largest));
    }
    assert_eq!(pair.asked(), TIES);
}

#[test]
fn one_record_of_ten_thousand_tokens_among_short_ones() {
    let (mut pair, mut random) = (Pair::new(&[1.5, 1.0]), Random(2));
    let short = |random: &mut Random| vec![random.words(40, 1, &[1]), random.words(40, 4, &[1, 1, 1, 3])];
    pair.add((0..900).map(|n| record(n, random.below(3), short(&mut random))).collect());
    let long: Words = (0..40).map(|word| (word, 250)).collect();
    assert_eq!(long.iter().map(|word| word.1).sum::<u32>(), 10_000);
    pair.add(vec![record(900, 1, vec![Words::new(), long.clone()])]);
    for turn in 0..GIANT {
        if turn == GIANT / 2 {
            // It leaves with its share of the average length, and comes back in the other field.
            pair.remove(|record| record.id == id(900));
            pair.add(vec![record(900, 2, vec![long.clone(), Words::new()])]);
        }
        pair.ask(&random.question(42, 901));
    }
    assert_eq!(pair.asked(), GIANT);
}

#[test]
fn counts_around_what_a_byte_and_two_hold() {
    const EDGES: [u32; 9] = [1, 2, 127, 128, 254, 255, 256, 257, 600];
    let (mut pair, mut random) = (Pair::new(&[1.0, 2.0]), Random(3));
    let fresh = |n: usize, random: &mut Random| {
        let fields = vec![random.words(12, 2, &EDGES), random.words(12, 1, &EDGES)];
        record(n, random.below(3), fields)
    };
    pair.add((0..300).map(|n| fresh(n, &mut random)).collect());
    pair.add(vec![record(300, 0, vec![vec![(0, 65_535), (1, 65_536)], vec![(2, 70_000)]])]);
    for turn in 0..COUNTS {
        if turn % 150 == 149 {
            // Lists lose and regain the counts that do not fit a byte.
            let digit = char::from(b'0' + random.below(10) as u8);
            pair.remove(|record| record.id.ends_with(digit));
            pair.add((0..30).map(|n| fresh(1_000 + turn * 30 + n, &mut random)).collect());
        }
        if turn % 500 == 250 {
            pair.reread();
        }
        let largest = pair.len();
        pair.ask(&random.question(13, largest));
    }
    assert_eq!(pair.asked(), COUNTS);
}

#[test]
fn lists_around_lanes_and_windows() {
    // Word n is held by EDGES[n] records; slots of a list start at a multiple of a lane or window, or beside it.
    const EDGES: [usize; 20] =
        [0, 1, 2, 31, 32, 33, 63, 64, 65, 95, 96, 97, 511, 512, 513, 1_023, 1_024, 1_025, 2_048, 2_049];
    const STARTS: [usize; 8] = [0, 1, 31, 32, 1_023, 1_024, 1_025, 2_047];
    const RECORDS: usize = 4_097;
    let (mut pair, mut random) = (Pair::new(&[1.0]), Random(4));
    let mut fields: Vec<Words> = vec![Words::new(); RECORDS];
    for (word, &held) in EDGES.iter().enumerate() {
        let (start, step) = (random.pick(&STARTS), 1 + random.below(2));
        let step = if start + held * step >= RECORDS { 1 } else { step };
        for slot in (start..).step_by(step).take(held) {
            fields[slot % RECORDS].push((word as u32, random.pick(&[1, 1, 1, 2, 300])));
        }
    }
    pair.add(fields.into_iter().enumerate().map(|(n, words)| record(n, n % 3, vec![words])).collect());
    for turn in 0..LISTS {
        if turn == LISTS / 2 {
            pair.remove(|record| record.id.ends_with('7'));
        }
        pair.ask(&random.question(EDGES.len(), RECORDS));
    }
    assert_eq!(pair.asked(), LISTS);
}

#[test]
fn many_cells_of_one_record() {
    const RECORDS: usize = 1_500;
    let (mut pair, mut random) = (Pair::new(&[1.0, 0.0, 0.3]), Random(5));
    let fresh = |n: usize, random: &mut Random| {
        let fields = vec![random.words(9, 3, &[1, 2]), random.words(9, 2, &[1]), random.words(9, 2, &[1])];
        Record { cell: n, ..record(n, random.below(3), fields) }
    };
    pair.add((0..RECORDS).map(|n| fresh(n, &mut random)).collect());
    for turn in 0..CELLS {
        if turn % 400 == 399 {
            // Cells vanish with their record, and their numbers go to new ones.
            let digit = char::from(b'0' + random.below(10) as u8);
            pair.remove(|record| record.id.ends_with(digit));
            pair.add((0..60).map(|n| fresh(RECORDS + turn * 60 + n, &mut random)).collect());
        }
        let cells = match random.below(3) {
            0 => None,
            1 => Some((0..random.below(4)).map(|_| random.below(RECORDS)).collect()),
            _ => Some((0..200).map(|_| random.below(RECORDS + 10)).collect()),
        };
        pair.ask(&Question { cells, ..random.question(10, RECORDS) });
    }
    assert_eq!(pair.asked(), CELLS);
}

/// Many records whose scores are the same but for the last bits: six words each, all equally frequent, with the same
/// counts in another order; only the exact sums and the ids say which are the best. Every record is 16 words long, so
/// the average is one for which no allowance is made. (That the margin is wide enough and needed is shown where it is
/// computed: without one these answers still come out right.)
#[test]
fn scores_that_are_the_same_but_for_the_last_bits() {
    const WORDS: usize = 12;
    let (mut pair, mut random) = (Pair::new(&[1.0]), Random(7));
    let counts = [[1, 1, 2, 2, 3, 4], [1, 2, 2, 2, 3, 3], [1, 1, 1, 2, 3, 5], [2, 2, 2, 2, 2, 2], [1, 1, 1, 1, 4, 5]];
    let fresh = |n: usize, random: &mut Random| {
        let mut counts = counts[random.below(counts.len())];
        for last in (1..6).rev() {
            counts.swap(last, random.below(last + 1));
        }
        let mut words: Words = (0..6).map(|at| (((n + at * (1 + n / WORDS % 5)) % WORDS) as u32, counts[at])).collect();
        words.sort_unstable();
        words.dedup_by(|a, b| a.0 == b.0);
        let held: u32 = words.iter().map(|word| word.1).sum();
        words.extend((held < 16).then_some((99, 16 - held)));
        record(n, 0, vec![words])
    };
    pair.add((0..1_200).map(|n| fresh(n, &mut random)).collect());
    for turn in 0..ROUNDING {
        let mut question = random.question(WORDS, 64);
        question.words = (0..(6 + turn as u32 % 7)).map(|at| (at * 5 + turn as u32) % WORDS as u32).collect();
        question.boosts.clear();
        pair.ask(&question);
    }
    assert_eq!(pair.asked(), ROUNDING);
}

/// An average length a hair above one for which rows are kept, so that they are made for the next: estimates are
/// then too high by up to 0.4 %, by more for long records than for short ones.
#[test]
fn close_scores_beside_a_step_of_the_average() {
    const RECORDS: usize = 1_024;
    let (mut pair, mut random) = (Pair::new(&[1.0]), Random(9));
    let mut apart = 0;
    let records = (0..RECORDS).map(|n| {
        apart = if n % 2 == 0 { random.below(44) as u32 } else { apart };
        let length = if n % 2 == 0 { 64 + apart } else { 64 - apart } + u32::from(n == 0);
        let mut words: Words = (0..5).map(|at| ((n as u32 + at * 3) % 8, 1 + random.below(4) as u32)).collect();
        let held: u32 = words.iter().map(|word| word.1).sum();
        words.sort_unstable();
        words.push((99, length - held)); // 64 and 1/1,024 on average
        record(n, 0, vec![words])
    });
    pair.add(records.collect());
    for turn in 0..STEP as u32 {
        let words = (0..=turn % 3).map(|at| (turn / 3 + at * (1 + turn % 2)) % 8).collect();
        pair.ask(&Question { words, k: random.below(32) + 1, cells: None, boosts: Vec::new() });
    }
    assert_eq!(pair.asked(), STEP);
}

/// What searches keep from one to the next must follow every change: cells of very different lengths, asked about
/// alone and together, whose averages move with each addition; words in nearly all records, with counts up to what a
/// byte holds and beyond.
#[test]
fn rows_that_are_kept_while_records_come_and_go() {
    const WORDS: usize = 14;
    let (mut pair, mut random) = (Pair::new(&[1.0, 0.6]), Random(8));
    let fresh = |n: usize, random: &mut Random| {
        let cell = n % 3;
        let frequent = |word: u32, of: usize, random: &mut Random| {
            let edge =
                if random.below(40) == 0 { [254, 255, 256][random.below(3)] } else { 1 + random.below(4) as u32 };
            (random.below(of) > 0).then_some((word, if word == 0 { edge.min(255) } else { edge }))
        };
        let mut first: Words = [(0, 9), (1, 3), (2, 2)].iter().filter_map(|&(w, of)| frequent(w, of, random)).collect();
        first.extend(random.words(WORDS - 3, 2, &[1, 1, 2]).iter().map(|&(word, count)| (word + 3, count)));
        first.extend([(90, 1 + random.below(1 << (3 * cell + 1)) as u32)]);
        let second = random.words(WORDS, 2, &[1, 3]);
        Record { cell, ..record(n, random.below(3), vec![first, second]) }
    };
    let mut next = 3_600;
    pair.add((0..next).map(|n| fresh(n, &mut random)).collect());
    for turn in 0..KEPT {
        match turn % 100 {
            40 => {
                pair.add((next..next + 9).map(|n| fresh(n, &mut random)).collect());
                next += 9;
            }
            70 => {
                let digits = [char::from(b'0' + random.below(10) as u8), char::from(b'0' + random.below(10) as u8)];
                pair.remove(|record| record.id.ends_with(&String::from_iter(digits)));
            }
            _ => {}
        }
        let cells = match turn / 7 % 4 {
            0 => None,
            1 => Some(vec![random.below(3)]),
            cell => Some(vec![cell - 2, 2]),
        };
        pair.ask(&Question { cells, ..random.question(WORDS, 300) });
    }
    assert_eq!(pair.asked(), KEPT);
}

/// More lengths than there are classes, so that estimates take a record for a shorter one; one class takes in the longest
/// by far. The second field ends with the first third of the records; those that come later bring lengths that no class
/// holds yet. (That a class costs no record is shown where the margin is computed.)
#[test]
fn lengths_that_share_classes() {
    const RECORDS: usize = 3_000;
    let (mut pair, mut random) = (Pair::new(&[1.0, 0.7]), Random(10));
    let fresh = |n: usize, random: &mut Random| {
        let mut words: Words = (0..4).map(|at| (((n + at * 3) % 9) as u32, 1 + random.below(3) as u32)).collect();
        words.sort_unstable();
        words.dedup_by(|a, b| a.0 == b.0);
        let more = if n == 1 { 2_000_000 } else { 20 + (random.below(60) * random.below(100)) as u32 };
        words.push((99, more));
        let second = if n < RECORDS / 3 { vec![((n % 5) as u32, 1), (98, 1 + n as u32)] } else { Words::new() };
        record(n, 0, vec![words, second])
    };
    pair.add((0..RECORDS).map(|n| fresh(n, &mut random)).collect());
    for turn in 0..CLASSED {
        if turn % 200 == 150 {
            let next = RECORDS + turn;
            pair.add((next..next + 60).map(|n| fresh(n * 7, &mut random)).collect());
        }
        if turn == CLASSED / 2 {
            pair.remove(|record| record.id.ends_with('3'));
        }
        let words = (0..=turn as u32 % 4).map(|at| (turn as u32 / 4 + at * (1 + turn as u32 % 2)) % 9).collect();
        pair.ask(&Question { words, k: 1 + random.below(32), cells: None, boosts: Vec::new() });
    }
    assert_eq!(pair.asked(), CLASSED);
}

/// Segments of one record fewer than they hold, as many, and one more; with one field and with two; full ones
/// packed, taken apart again by removals, and joined by new records.
#[test]
fn segments_that_are_nearly_full_full_and_followed_by_another() {
    const CASES: [(usize, &[f64]); 4] =
        [(65_535, &[1.0, 0.5]), (65_536, &[1.0, 0.5]), (65_537, &[1.0, 0.5]), (65_536, &[1.0])];
    let mut asked = 0;
    for (size, weights) in CASES {
        let (mut pair, mut random) = (Pair::new(weights), Random(6 + size as u64));
        let fresh = |n: usize, random: &mut Random| {
            // Word 0 in nearly all records, word 1 in the first and last of a window; the others now and then.
            let mut first: Words = vec![(0, 1)];
            first.extend(matches!(n % 1_024, 0 | 1_023).then_some((1, 300)));
            first.extend((n % 97 < 3).then_some(((2 + n % 97) as u32, 1 + (n % 5) as u32)));
            // Lists of 1 to 16 records, none to three of which hold the word more than once: every packed form.
            let (group, place) = (n / 4_096, n % 4_096);
            let more = if place < group % 4 { [2, 255, 256, 257][group / 4 % 4] } else { 1 };
            first.extend((place <= group).then_some((20 + group as u32, more)));
            first[0].1 += u32::from(n % 9_999 == 1);
            let mut fields = vec![first, random.words(9, 1, &[1, 2])];
            fields.truncate(weights.len());
            record(n, random.below(3), fields)
        };
        pair.add((0..size).map(|n| fresh(n, &mut random)).collect());
        let share = SEGMENTS / CASES.len();
        for turn in 0..share {
            match turn * 4 / share {
                1 if turn * 4 % share == 0 => pair.remove(|record| record.id.ends_with(['0', '3', '4', '8'])),
                2 if turn * 4 % share == 0 => {
                    pair.add((size..size + 3_000).map(|n| fresh(n, &mut random)).collect());
                }
                3 if turn * 4 % share == 0 => pair.remove(|record| !record.id.ends_with("21")),
                _ => {}
            }
            let largest = if turn % 100 == 50 { 100_000 } else { 1_000 };
            pair.ask(&random.question(38, largest));
        }
        asked += pair.asked();
    }
    assert_eq!(asked, SEGMENTS);
}
