//! The dense index against a slow, obvious version of itself, on every instruction set, with rows that attack
//! the bounds: what the bounds leave out must never be a hit.

use byheart_core::dense::{DenseIndex, Exit, ExitRule, Found, Ladder, Mode, Options};
use byheart_core::kernel::Isa;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

const K: usize = 10;

fn fixed(cases: u32) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(20_261_122), failure_persistence: None, ..Config::default() }
}

/// A generator of our own: `SplitMix64`, four draws to a number that is roughly normal.
struct Draw(u64);

impl Draw {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ x >> 31
    }

    fn unit(&mut self) -> f32 {
        (self.word() >> 40) as f32 / 16_777_216.0
    }

    fn normal(&mut self) -> f32 {
        (0..4).map(|_| self.unit() - 0.5).sum::<f32>() * 1.7
    }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    let whole = a.len() / 16 * 16;
    let mut sums = [0.0_f64; 16];
    for i in 0..whole {
        sums[i % 16] += f64::from(a[i]) * f64::from(b[i]);
    }
    for width in [8, 4, 2, 1] {
        for lane in 0..width {
            sums[lane] += sums[lane + width];
        }
    }
    (whole..a.len()).fold(sums[0], |sum, i| sum + f64::from(a[i]) * f64::from(b[i]))
}

fn normalised(vector: &[f32]) -> Vec<f32> {
    let length = dot(vector, vector).sqrt();
    let length = if length < 1e-9 { 1.0 } else { length };
    vector.iter().map(|&value| (f64::from(value) / length) as f32).collect()
}

type Records = Vec<(String, String, Vec<f32>)>;

fn nearest(records: &Records, query: &[f32], k: usize, cells: Option<&[&str]>) -> Vec<(String, u64)> {
    if query.iter().all(|&value| value == 0.0) {
        return Vec::new();
    }
    let query = normalised(query);
    let inside = records.iter().filter(|(_, cell, _)| cells.is_none_or(|cells| cells.contains(&cell.as_str())));
    let mut all: Vec<(String, f64)> =
        inside.map(|(id, _, vector)| (id.clone(), dot(&query, &normalised(vector)).clamp(-1.0, 1.0))).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    all.into_iter().take(k).map(|(id, score)| (id, score.to_bits())).collect()
}

fn bits(found: &Found) -> Vec<(String, u64)> {
    found.hits.iter().map(|(id, score)| (id.clone(), score.to_bits())).collect()
}

fn filled(ladder: &Ladder, records: &Records) -> DenseIndex {
    let mut index = DenseIndex::new(ladder.clone()).unwrap();
    for (id, cell, vector) in records {
        index.add(&[id], &[cell], vector).unwrap();
    }
    index
}

const KINDS: [&str; 12] = [
    "normal",
    "decaying",
    "one ulp",
    "equal",
    "opposite",
    "spike",
    "alternating",
    "denormal",
    "half zero",
    "coarse",
    "tail",
    "signs",
];

/// A row of 768; those of one seed lie around one centre, so that many scores are close.
fn row(kind: &str, draw: &mut Draw, centre: &[f32]) -> Vec<f32> {
    let at = draw.word() as usize % centre.len();
    let sign = |i: usize| if i.is_multiple_of(2) { 1.0 } else { -1.0 };
    let row = |i: usize, value: f32, draw: &mut Draw| match kind {
        "normal" => draw.normal(),
        "decaying" => value + draw.normal() / (i as f32 + 8.0).sqrt(),
        "one ulp" => f32::from_bits(value.to_bits() ^ u32::from(draw.unit() < 0.01)),
        "opposite" => -value,
        "spike" => {
            if i == at {
                1e4
            } else {
                draw.normal() * 1e-3
            }
        }
        "alternating" => sign(i) * (1.0 + draw.unit() * 1e-6),
        "denormal" => {
            if i < 256 {
                f32::from_bits(draw.word() as u32 & 0xFF)
            } else {
                value
            }
        }
        "half zero" => {
            if i < 256 {
                0.0
            } else {
                value + draw.normal() * 0.01
            }
        }
        "coarse" => {
            if i == at {
                1.0
            } else {
                value.signum() * 0.003_95
            }
        } // half a step of its scale
        "tail" => {
            if i >= 256 {
                value * 20.0
            } else {
                value + draw.normal() * 0.1
            }
        }
        "signs" => {
            if draw.unit() < 0.5 {
                1.0
            } else {
                -1.0
            }
        }
        _ => value,
    };
    centre.iter().enumerate().map(|(i, &value)| row(i, value, draw)).collect()
}

/// Records of these kinds in three cells, some replaced and some removed again, as the index and as a list.
fn history(ladder: &Ladder, kinds: &[&str], count: usize, seed: u64) -> (DenseIndex, Records, Vec<f32>) {
    let mut draw = Draw(seed);
    let centre: Vec<f32> = (0..ladder.dimensions()).map(|i| draw.normal() / (i as f32 + 8.0).sqrt()).collect();
    let mut records: Records = (0..count)
        .map(|n| {
            (format!("r{}", n * 37 % 10_007), format!("{}", n % 3), row(kinds[n % kinds.len()], &mut draw, &centre))
        })
        .collect();
    let mut index = filled(ladder, &records);
    for n in (0..count).step_by(7) {
        let vector = row(kinds[n % kinds.len()], &mut draw, &centre);
        records[n] = (records[n].0.clone(), "moved".to_owned(), vector);
        index.add(&[&records[n].0], &["moved"], &records[n].2).unwrap();
    }
    let gone: Vec<String> = records.iter().step_by(11).map(|record| record.0.clone()).collect();
    assert_eq!(index.remove(&gone), gone.len());
    records.retain(|record| !gone.contains(&record.0));
    let kind = kinds[draw.word() as usize % kinds.len()];
    let query = row(kind, &mut draw, &centre);
    (index, records, query)
}

#[test]
fn every_attack_on_the_bounds_fails_on_every_instruction_set() {
    let ladder = Ladder::new(768, None).unwrap();
    let mut skipped = 0;
    for (number, kind) in KINDS.iter().enumerate() {
        for kinds in [vec![*kind], vec![*kind, "decaying"], vec![*kind, "coarse", "one ulp"]] {
            let (index, records, query) = history(&ladder, &kinds, 180, number as u64);
            for isa in Isa::available() {
                let index = index.clone().with_isa(isa);
                for (k, cells) in [(1, None), (K, None), (K, Some(["1", "moved", "unknown"])), (170, None)] {
                    let cells = cells.as_ref().map(<[&str; 3]>::as_slice);
                    let found = index.search(&query, cells, None, &Options { k, ..Options::default() }).unwrap();
                    assert_eq!(bits(&found), nearest(&records, &query, k, cells), "{kinds:?} on {isa}, k {k}");
                    skipped += u64::from(found.counters.rescored < found.counters.records);
                }
            }
        }
    }
    assert!(skipped > 20, "the bounds left nothing out, so nothing was attacked: {skipped}");
}

#[test]
fn a_search_among_few_or_many_is_the_whole_search_filtered_on_every_instruction_set() {
    let ladder = Ladder::new(768, None).unwrap();
    let (mut few_skipped, mut many_skipped) = (0, 0);
    for (number, kind) in KINDS.iter().enumerate() {
        let (index, records, query) = history(&ladder, &[*kind, "decaying"], 2_600, number as u64);
        for step in [1, 3, 8] {
            let among: Vec<String> = records.iter().step_by(step).map(|record| record.0.clone()).collect();
            let given: Records = records.iter().step_by(step).cloned().collect();
            for isa in Isa::available() {
                let index = index.clone().with_isa(isa);
                for (k, cells) in [(1, None), (K, None), (K, Some(["1", "moved", "unknown"]))] {
                    let cells = cells.as_ref().map(<[&str; 3]>::as_slice);
                    let options = Options { k, ..Options::default() };
                    let found = index.search(&query, cells, Some(&among), &options).unwrap();
                    assert_eq!(bits(&found), nearest(&given, &query, k, cells), "{kind} on {isa}, one in {step}");
                    let skipped = u64::from(found.counters.rescored < found.counters.records);
                    *if step == 8 { &mut few_skipped } else { &mut many_skipped } += skipped;
                    let many = index.search_many(&query.repeat(3), cells, Some(&among), &options, 2).unwrap();
                    assert!(many.iter().all(|other| (&other.hits, other.counters) == (&found.hits, found.counters)));
                }
            }
        }
    }
    assert!(few_skipped > 5 && many_skipped > 20, "the bounds left nothing out: {few_skipped}, {many_skipped}");
}

proptest! {
    #![proptest_config(fixed(60))]

    #[test]
    fn any_ladder_any_history(
        kinds in prop::collection::vec(prop::sample::select(&KINDS[..]), 1..4),
        tiers in prop::collection::btree_set(1_usize..200, 1..6),
        seed in any::<u64>(),
        k in 1_usize..20,
    ) {
        let tiers: Vec<usize> = tiers.into_iter().collect();
        let ladder = Ladder::new(tiers[tiers.len() - 1], Some(&tiers)).unwrap();
        let (index, records, query) = history(&ladder, &kinds, 150, seed);
        let expected = nearest(&records, &query, k, None);
        let options = Options { k, ..Options::default() };
        let found = index.search(&query, None, None, &options).unwrap();
        prop_assert_eq!(bits(&found), expected.clone());
        // The work, too, is that of the content and not of its history.
        let sorted = DenseIndex::from_bytes(&index.to_bytes()).unwrap();
        prop_assert_eq!(sorted.search(&query, None, None, &options).unwrap().counters, found.counters);
        for threads in [1, 2, 5] {
            let many = index.search_many(&query.repeat(5), None, None, &options, threads).unwrap();
            prop_assert!(many.iter().all(|found| bits(found) == expected));
        }
    }
}

#[test]
fn the_bounds_leave_out_most_rows_where_scores_differ() {
    let ladder = Ladder::new(768, None).unwrap();
    let (index, _, query) = history(&ladder, &["decaying"], 900, 3);
    let found = index.search(&query, None, None, &Options::default()).unwrap();
    assert!(found.counters.rescored < 150, "{:?}", found.counters);
}

#[test]
fn a_spent_budget_goes_to_the_last_tier_and_the_clock_is_the_callers() {
    let ladder = Ladder::new(768, None).unwrap();
    let (index, records, query) = history(&ladder, &["decaying"], 100, 5);
    let exit = Exit::new(&ladder, Some(&[-1.0, -1.0]), ExitRule::Strict).unwrap();
    let ticks = std::sync::atomic::AtomicU32::new(0);
    let clock = || f64::from(ticks.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
    let visited = |budget: f64| {
        let mode = Mode::EarlyExit { exit: exit.clone(), rescore: true, budget: Some(budget) };
        let found = index.search(&query, None, None, &Options { k: K, mode: &mode, clock: &clock }).unwrap();
        (found.trace.iter().map(|visit| visit.tier).collect::<Vec<_>>(), bits(&found))
    };
    assert_eq!(visited(1.0), (vec![3], nearest(&records, &query, K, None)));
    assert_eq!(visited(2.0).0, [1]);
}

#[test]
fn what_does_not_fit_is_refused_and_changes_nothing() {
    let ladder = Ladder::new(3, None).unwrap();
    let mut index = DenseIndex::new(ladder).unwrap();
    index.add(&["a"], &[""], &[1.0, 2.0, 3.0]).unwrap();
    let before = index.to_bytes();
    let long = "x".repeat(513);
    let bad: [(&[&str], &[&str], &[f32]); 8] = [
        (&["b"], &[""], &[1.0, 2.0]),
        (&["b"], &[""], &[1.0, f32::NAN, 0.0]),
        (&["b", "c"], &["", ""], &[1.0, 2.0, 3.0, 4.0, f32::INFINITY, 0.0]),
        (&["b", "b"], &["", ""], &[0.0; 6]),
        (&["b"], &[], &[0.0; 3]),
        (&[""], &[""], &[0.0; 3]),
        (&[&long], &[""], &[0.0; 3]),
        (&["b"], &[&long], &[0.0; 3]),
    ];
    for (ids, cells, vectors) in bad {
        assert!(index.add(ids, cells, vectors).is_err(), "{ids:?}");
        assert_eq!(index.to_bytes(), before);
    }
    let options = Options::default();
    assert!(index.search(&[1.0], None, None, &options).is_err());
    assert!(index.search(&[1.0, f32::NAN, 0.0], None, None, &options).is_err());
    assert!(index.search(&[1.0; 3], None, None, &Options { k: 0, ..options }).is_err());
    assert!(index.search_many(&[1.0; 4], None, None, &options, 1).is_err());
    assert!(index.search_many(&[1.0; 3], None, None, &options, 0).is_err());
    assert!(index.search_many(&[1.0; 3], None, None, &options, 257).is_err());
    assert!(index.vector("b").is_err() && index.explain(&[1.0; 3], "b").is_err());
    assert!(index.search(&[0.0; 3], None, None, &options).unwrap().hits.is_empty());
}
