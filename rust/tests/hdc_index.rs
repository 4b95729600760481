//! The index against an obvious one: a sorted map of records, every score computed anew.

use std::collections::BTreeMap;
use std::f64::consts::FRAC_2_PI;

use byheart_core::hdc::{
    Combine, Field, Found, HyperVector, HypervectorIndex, Record, Settings, Vectors, encode_tokens,
};
use byheart_core::kernel::Isa;
use byheart_core::math;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

const NAMES: [&str; 3] = ["role", "topic", "claim"];
const WEIGHTS: [f64; 3] = [0.2, 0.35, 0.45];

fn fixed(cases: u32) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(20_261_121), failure_persistence: None, ..Config::default() }
}

fn settings(kind: u8) -> Settings {
    let fields = || NAMES.iter().zip(WEIGHTS).map(|(&name, weight)| Field { name: name.into(), weight }).collect();
    match kind {
        0 => Settings::whole(),
        1 => Settings::new(fields(), Combine::Sum, 0.05).unwrap(),
        _ => Settings::new(fields(), Combine::Adaptive, 0.05).unwrap(),
    }
}

/// Texts of few words, so that records share them; the empty one gives a zero vector.
fn text() -> impl Strategy<Value = HyperVector> {
    prop::collection::vec("[a-f]", 0..6).prop_map(|words| encode_tokens(&words).unwrap())
}

fn vectors(kind: u8) -> BoxedStrategy<Vectors> {
    if kind == 0 {
        return text().prop_map(Vectors::One).boxed();
    }
    let given = prop::collection::vec(prop::option::weighted(0.7, text()), 3);
    given
        .prop_filter_map("at least one field", |given| {
            let given: Vec<_> =
                given.into_iter().zip(NAMES).filter_map(|(v, name)| Some((name.to_owned(), v?))).rev().collect();
            (!given.is_empty()).then_some(Vectors::Fields(given))
        })
        .boxed()
}

#[derive(Debug, Clone)]
enum Step {
    Add(Vec<Record>),
    Remove(Vec<String>),
}

fn steps(kind: u8) -> impl Strategy<Value = Vec<Step>> {
    let record = ("[a-c][a-e]?", "[xyz]", vectors(kind)).prop_map(|(id, cell, vectors)| Record { id, cell, vectors });
    let add = prop::collection::vec(record, 0..8).prop_map(|records| {
        let by_id: BTreeMap<_, _> = records.into_iter().map(|record| (record.id.clone(), record)).collect();
        Step::Add(by_id.into_values().rev().collect())
    });
    prop::collection::vec(
        prop_oneof![3 => add, 1 => prop::collection::vec("[a-c][a-e]?", 0..4).prop_map(Step::Remove)],
        0..8,
    )
}

/// An index of the given kind (0: no fields, 1: sum, 2: adaptive) and what happens to it.
fn history() -> impl Strategy<Value = (u8, Vec<Step>, Vec<Vectors>)> {
    (0_u8..3).prop_flat_map(|kind| (Just(kind), steps(kind), prop::collection::vec(vectors(kind), 1..6)))
}

fn apply(kind: u8, steps: &[Step]) -> (HypervectorIndex, BTreeMap<String, Record>) {
    let (mut index, mut model) = (HypervectorIndex::new(settings(kind)).unwrap(), BTreeMap::new());
    for step in steps {
        match step {
            Step::Add(records) => {
                index.add(records).unwrap();
                model.extend(records.iter().map(|record| (record.id.clone(), record.clone())));
            }
            Step::Remove(ids) => {
                let removed = ids.iter().filter(|id| model.remove(*id).is_some()).count();
                assert_eq!(index.remove(ids), removed);
            }
        }
    }
    assert_eq!(index.len(), model.len());
    (index, model)
}

fn field<'v>(vectors: &'v Vectors, name: &str) -> Option<&'v HyperVector> {
    let found = match vectors {
        Vectors::One(vector) => Some(vector),
        Vectors::Fields(given) => given.iter().find(|(field, _)| field == name).map(|(_, vector)| vector),
    };
    found.filter(|vector| !vector.is_zero())
}

fn score(settings: &Settings, record: &Vectors, query: &Vectors) -> Option<f64> {
    if settings.fields().is_empty() {
        return Some(field(record, "")?.similarity(field(query, "")?));
    }
    let complete = NAMES.iter().all(|name| field(record, name).is_some());
    let plain = settings.combine() == Combine::Sum || complete;
    let (mut sum, mut weights) = (0.0, 0.0);
    for Field { name, weight } in settings.fields() {
        let (Some(a), Some(b)) = (field(record, name), field(query, name)) else { continue };
        let fs = ((a.similarity(b) - 0.5) * 2.0).max(0.0);
        let (small, large) = (a.parts().min(b.parts()).max(1), a.parts().max(b.parts()).max(1));
        let reach = (f64::from(small) / f64::from(large)).sqrt();
        let reach = if small == large { 1.0 } else { (math::asin(reach) * FRAC_2_PI).max(0.2) };
        let scaled = if fs <= settings.floor() { 0.0 } else { (fs / reach).min(1.0) };
        sum += weight * if plain { fs } else { scaled };
        weights += weight;
    }
    if plain { Some(sum).filter(|&sum| sum > settings.floor()) } else { Some(sum / weights).filter(|&mean| mean > 0.0) }
}

fn expected(
    model: &BTreeMap<String, Record>,
    kind: u8,
    query: &Vectors,
    k: usize,
    cells: Option<&[&str]>,
) -> Vec<(String, f64)> {
    let settings = settings(kind);
    let inside = model.values().filter(|record| cells.is_none_or(|cells| cells.contains(&record.cell.as_str())));
    let scored = inside.filter_map(|record| Some((record.id.clone(), score(&settings, &record.vectors, query)?)));
    let mut hits: Vec<_> = scored.collect();
    hits.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    hits.truncate(k);
    hits
}

/// Hits with the bits of their scores, so that equality means equality.
fn bits(found: &Found) -> Vec<(&str, u64)> {
    found.hits.iter().map(|(id, score)| (id.as_str(), score.to_bits())).collect()
}

proptest! {
    #![proptest_config(fixed(300))]

    #[test]
    fn every_history_answers_like_the_model((kind, steps, queries) in history(), k in 1_usize..12) {
        let (index, model) = apply(kind, &steps);
        for query in &queries {
            for cells in [None, Some(&["x"][..]), Some(&["z", "y", "z", "unknown"]), Some(&[])] {
                let found = index.search(query, k, cells).unwrap();
                prop_assert_eq!(&found.hits, &expected(&model, kind, query, k, cells));
                let more = index.search(query, k + 1, cells).unwrap();
                prop_assert_eq!(&found.hits[..], &more.hits[..found.hits.len()]);
            }
        }
    }

    #[test]
    fn a_selection_is_the_whole_answer_filtered(
        (kind, steps, queries) in history(),
        k in 1_usize..12,
        chosen in prop::collection::vec("[a-c][a-e]?", 0..10),
    ) {
        let (index, model) = apply(kind, &steps);
        for query in &queries {
            for cells in [None, Some(&["x", "z"][..])] {
                let mut whole = expected(&model, kind, query, model.len(), cells);
                whole.retain(|(id, _)| chosen.contains(id));
                whole.truncate(k);
                let found = index.search_among(query, k, cells, Some(&chosen)).unwrap();
                prop_assert_eq!(found.hits, whole);
                prop_assert_eq!(found.counters, index.search(query, k, cells).unwrap().counters);
            }
        }
    }

    #[test]
    fn sets_of_queries_threads_and_instruction_sets_change_nothing((kind, steps, queries) in history()) {
        let (index, _) = apply(kind, &steps);
        let single: Vec<Found> = queries.iter().map(|query| index.search(query, 5, None).unwrap()).collect();
        for isa in Isa::available() {
            let index = index.clone().with_isa(isa);
            for threads in [1, 2, 7] {
                let many = index.search_many(&queries, 5, None, threads).unwrap();
                prop_assert_eq!(many.iter().map(bits).collect::<Vec<_>>(), single.iter().map(bits).collect::<Vec<_>>());
                prop_assert_eq!(&many, &single, "{} with {} threads", isa, threads);
            }
        }
    }
}

fn one(id: &str, key: &str) -> Record {
    Record { id: id.into(), cell: String::new(), vectors: Vectors::One(HyperVector::random(key).unwrap()) }
}

/// Larger than a block of rows, with many ties.
#[test]
fn a_large_cell_with_ties_is_searched_alike_everywhere() {
    let records: Vec<Record> =
        (0..1500).map(|i| one(&format!("{:04}", i * 7 % 1500), &format!("{}", i % 40))).collect();
    let queries: Vec<Vectors> = (0..70).map(|i| Vectors::One(HyperVector::random(&format!("{i}")).unwrap())).collect();
    let model: BTreeMap<_, _> = records.iter().map(|record| (record.id.clone(), record.clone())).collect();
    let mut run = Vec::new();
    for isa in Isa::available() {
        let mut index = HypervectorIndex::new(Settings::whole()).unwrap().with_isa(isa);
        index.add(&records).unwrap();
        for threads in [1, 2, 7] {
            let many = index.search_many(&queries, 50, None, threads).unwrap();
            for (query, found) in queries.iter().zip(&many) {
                assert_eq!(found.hits, expected(&model, 0, query, 50, None));
                assert_eq!((found.counters.records, found.counters.rows), (1500, 1500));
            }
        }
        run.push(isa.to_string());
    }
    println!("searched on: {}", run.join(", "));
    assert_eq!(run.len(), Isa::available().len());
}

/// Selections of nearly all records, of half of them, and so few that their rows are looked up one by one; with one
/// vector a record and with several; records without a field among them.
#[test]
fn selections_of_every_size_are_the_whole_answer_filtered() {
    let fields = |i: usize| {
        let texts = [format!("{}", i % 3), format!("t{} x", i % 11), format!("c{} y z", i % 40)];
        let given = NAMES.iter().zip(texts).enumerate().filter(|(n, _)| !(i >> n).is_multiple_of(5));
        let encode = |text: String| encode_tokens(&text.split(' ').collect::<Vec<_>>()).unwrap();
        let mut given: Vec<_> = given.map(|(_, (&name, text))| (name.to_owned(), encode(text))).collect();
        if given.is_empty() {
            given.push(("role".to_owned(), encode("r".to_owned())));
        }
        Vectors::Fields(given)
    };
    let mut searched = 0;
    for kind in 0..3 {
        let vectors = |i: usize| {
            if kind == 0 { one("", &format!("{}", i % 40)).vectors } else { fields(i) }
        };
        let cell = |i: usize| if i.is_multiple_of(4) { "x" } else { "y" };
        let record =
            |i: usize| Record { id: format!("{:04}", i * 7 % 1500), cell: cell(i).into(), vectors: vectors(i) };
        let records: Vec<Record> = (0..1500).map(record).collect();
        let model: BTreeMap<_, _> = records.iter().map(|record| (record.id.clone(), record.clone())).collect();
        for isa in Isa::available() {
            let mut index = HypervectorIndex::new(settings(kind)).unwrap().with_isa(isa);
            index.add(&records).unwrap();
            for (of, most) in [(10, 9), (2, 1), (9, 1), (200, 1), (1500, 0)] {
                for cells in [None, Some(&["x"][..])] {
                    let query = vectors(17);
                    let among: Vec<String> =
                        (0..1500).filter(|i| i * 31 % of < most).map(|i| format!("{i:04}")).collect();
                    let mut whole = expected(&model, kind, &query, 1500, cells);
                    whole.retain(|(id, _)| among.contains(id));
                    whole.truncate(20);
                    let found = index.search_among(&query, 20, cells, Some(&among)).unwrap();
                    assert_eq!(found.hits, whole, "kind {kind}, {most} of {of}, {isa}");
                    searched += 1;
                }
            }
        }
    }
    assert_eq!(searched, 30 * Isa::available().len());
}

/// Every row is as good as the best ones found before it, and has a smaller id.
#[test]
fn equal_rows_that_come_late_win_by_id() {
    let mut index = HypervectorIndex::new(Settings::whole()).unwrap();
    index.add(&(0..1000).rev().map(|i| one(&format!("{i:03}"), "same")).collect::<Vec<_>>()).unwrap();
    let query = Vectors::One(HyperVector::random("other").unwrap());
    let found = index.search(&query, 3, None).unwrap();
    let ids: Vec<&str> = found.hits.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids, ["000", "001", "002"]);
}

#[test]
fn a_refused_batch_changes_nothing() {
    let mut index = HypervectorIndex::new(settings(1)).unwrap();
    let vector = || HyperVector::random("v").unwrap();
    let record = |id: &str, field: &str| Record {
        id: id.into(),
        cell: String::new(),
        vectors: Vectors::Fields(vec![(field.into(), vector())]),
    };
    index.add(&[record("kept", "role")]).unwrap();
    let before = index.to_bytes();
    let twice = Vectors::Fields(vec![("role".into(), vector()), ("role".into(), vector())]);
    let bad: [(&str, Vec<Record>); 8] = [
        ("\"a\" occurs twice", vec![record("a", "role"), record("b", "role"), record("a", "role")]),
        ("id: is empty", vec![record("a", "role"), record("", "role")]),
        ("limit of 512", vec![record("a", "role"), record(&"x".repeat(513), "role")]),
        (
            "unknown field \"colour\"; this index has role, topic, claim",
            vec![record("a", "role"), record("b", "colour")],
        ),
        (
            "empty mapping",
            vec![record("kept", "topic"), Record { vectors: Vectors::Fields(vec![]), ..record("b", "role") }],
        ),
        ("give a mapping", vec![record("a", "role"), one("b", "b")]),
        ("given twice", vec![Record { vectors: twice, ..record("b", "role") }]),
        ("cell key length", vec![record("a", "role"), Record { cell: "c".repeat(513), ..record("b", "role") }]),
    ];
    for (why, records) in bad {
        let error = index.add(&records).unwrap_err().to_string();
        assert!(error.contains(why), "{error:?} does not say {why:?}");
        assert_eq!(index.to_bytes(), before, "{why}");
    }
}

#[test]
fn bad_searches_are_refused() {
    let index = HypervectorIndex::new(Settings::whole()).unwrap();
    let query = Vectors::One(HyperVector::random("q").unwrap());
    let fields = Vectors::Fields(vec![("role".into(), HyperVector::random("q").unwrap())]);
    let error = |query: &Vectors, k, threads| {
        index.search_many(std::slice::from_ref(query), k, None, threads).unwrap_err().to_string()
    };
    assert!(error(&query, 0, 1).contains("k: is 0"));
    assert!(error(&query, 100_001, 1).contains("limit of 100000"));
    assert!(error(&query, 1, 0).contains("threads: is 0"));
    assert!(error(&query, 1, 257).contains("limit of 256"));
    assert!(error(&fields, 1, 1).contains("no fields"));
    assert!(index.search_many(&[], 1, None, 3).unwrap().is_empty());
}

#[test]
fn bad_settings_are_refused() {
    let field = |name: &str, weight| Field { name: name.into(), weight };
    let error = |fields: Vec<Field>, floor| Settings::new(fields, Combine::Sum, floor).unwrap_err().to_string();
    assert!(error(vec![], 0.0).contains("at least one field"));
    assert!(error(vec![field("a", 1.0), field("a", 2.0)], 0.0).contains("named twice"));
    assert!(error(vec![field("", 1.0)], 0.0).contains("1 to 512 bytes"));
    assert!(error(vec![field("a", f64::NAN)], 0.0).contains("weight of field \"a\": is NaN"));
    assert!(error(vec![field("a", 1.0)], -0.1).contains("floor: is -0.1"));
    assert!(error((0..33).map(|i| field(&i.to_string(), 1.0)).collect(), 0.0).contains("limit of 32"));
    for (combine, floor) in [("adaptive", 0.0), ("sum", 0.1), ("sum", f64::NAN)] {
        assert!(Settings::from_parts(None, combine, floor).unwrap_err().to_string().contains("fields: are needed"));
    }
    assert_eq!(Settings::from_parts(None, "sum", 0.0), Ok(Settings::whole()));
    assert!(Combine::from_name("mean").unwrap_err().to_string().contains("adaptive"));
}
