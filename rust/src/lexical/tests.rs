//! The index against a plain model of it, over random histories.

mod directory;

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::bm25::Saturation;
use super::{Attributes, Batch, Field, LexicalIndex, Options, Query, Settings, base, idf};
use crate::text::Analyzer;

type Document = [String; 2];

#[derive(Debug, Clone)]
enum Step {
    Add(Vec<(u8, u8, u8, Document)>), // id, cell, label, fields
    Remove(u8),
}

fn settings() -> Settings {
    let field = |name: &str, weight| Field { name: name.into(), weight };
    Settings::new(vec![field("title", 1.5), field("body", 1.0)], 1.2, 0.75, Analyzer::default()).unwrap()
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let text = prop::collection::vec("[vwxyz]", 0..6).prop_map(|words| words.join(" "));
    let document = (0_u8..12, 0_u8..3, 0_u8..3, [text.clone(), text]);
    let batch = prop::collection::vec(document, 1..4).prop_map(|mut batch| {
        batch.sort_by_key(|item| item.0);
        batch.dedup_by_key(|item| item.0);
        batch
    });
    prop::collection::vec(prop_oneof![4 => batch.prop_map(Step::Add), 1 => (0_u8..12).prop_map(Step::Remove)], 1..12)
}

type Model = BTreeMap<String, (String, Option<String>, Document)>;

fn label(number: u8) -> Option<String> {
    (number > 0).then(|| format!("role{number}"))
}

fn apply(index: &mut LexicalIndex, model: &mut Model, step: &Step) {
    match step {
        Step::Add(items) => {
            let mut batch = Batch::default();
            for (.., fields) in items {
                batch.push(index.settings(), &[(0, &fields[0]), (1, &fields[1])]).unwrap();
            }
            let ids: Vec<String> = items.iter().map(|item| format!("r{}", item.0)).collect();
            let cells: Vec<String> = items.iter().map(|item| format!("c{}", item.1)).collect();
            let labels: Vec<Option<String>> = items.iter().map(|item| label(item.2)).collect();
            let attributes = Attributes { cells: Some(&cells), labels: Some(&labels) };
            index.add(&ids, &batch, attributes).unwrap();
            for (((id, cell), label), item) in ids.into_iter().zip(cells).zip(labels).zip(items) {
                model.insert(id, (cell, label, item.3.clone()));
            }
        }
        Step::Remove(number) => {
            let id = format!("r{number}");
            assert_eq!(index.remove(std::slice::from_ref(&id)) == 1, model.remove(&id).is_some());
        }
    }
}

/// The definition, in the plainest way there is.
fn oracle(model: &Model, query: &str, cells: &[String], boost: &[(String, f64)], k: usize) -> Vec<(String, f64)> {
    let settings = settings();
    let inside: Vec<_> = model.iter().filter(|(_, (cell, ..))| cells.contains(cell)).collect();
    let words = |text: &String| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let mut found = Vec::new();
    for (id, (_, label, fields)) in &inside {
        let mut sum = 0.0;
        for (number, field) in settings.fields.iter().enumerate() {
            let total: usize = inside.iter().map(|(_, (.., other))| words(&other[number]).len()).sum();
            let saturation = Saturation::new(1.2, 0.75, total as f64 / inside.len() as f64);
            let own = words(&fields[number]);
            for term in query.split_whitespace() {
                let tf = own.iter().filter(|word| *word == term).count();
                let holds = |(_, (.., f)): &&(&String, &(String, Option<String>, Document))| {
                    f.iter().any(|text| words(text).iter().any(|word| word == term))
                };
                let df = inside.iter().filter(holds).count();
                if tf > 0 {
                    let base = base(field.weight, idf(inside.len() as u64, df as u64), 1.2);
                    sum += saturation.part(base, tf as f64, own.len() as f64);
                }
            }
        }
        let factor = boost.iter().find(|(name, _)| Some(name) == label.as_ref()).map(|(_, factor)| *factor);
        if sum > 0.0 {
            found.push(((*id).clone(), factor.map_or(sum, |factor| sum * factor)));
        }
    }
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    found.truncate(k);
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn any_history_scores_as_the_definition(
        steps in steps(),
        query in prop::collection::vec("[vwxyzq]", 0..5),
        mask in 0_u8..8,
        chosen in 0_u16..1 << 13,
        k in 1_usize..14,
        boosted in any::<bool>(),
    ) {
        let (mut index, mut model) = (LexicalIndex::new(settings()), Model::new());
        for step in &steps {
            apply(&mut index, &mut model, step);
        }
        let text = query.join(" ");
        let parsed = Query::from_text(index.settings(), &text).unwrap();
        let cells: Vec<String> = (0..3).filter(|bit| mask >> bit & 1 == 1).map(|bit| format!("c{bit}")).collect();
        let boosts = if boosted { vec![("role1".to_owned(), 1.3)] } else { Vec::new() };
        let expected = oracle(&model, &text, &cells, &boosts, k);
        let among = (chosen > 0).then(|| (0..13).filter(|id| chosen >> id & 1 == 1).map(|id| format!("r{id}")).collect());
        let named = Options { k, cells: Some(cells.clone()), boosts: boosts.clone(), among };
        let mut filtered = oracle(&model, &text, &cells, &boosts, model.len());
        filtered.retain(|(id, _)| named.among.as_ref().is_none_or(|among: &Vec<String>| among.contains(id)));
        filtered.truncate(k);
        prop_assert_eq!(index.search(&parsed, &named).unwrap().hits, filtered);
        let options = Options { among: None, ..named };
        let found = index.search(&parsed, &options).unwrap().hits;
        prop_assert_eq!(&found, &expected);

        for (id, score) in &found {
            let explanation = index.explain(&parsed, id, &options).unwrap();
            prop_assert_eq!(explanation.score.to_bits(), score.to_bits());
            let mut sum = 0.0;
            for part in &explanation.parts {
                sum += part.value;
            }
            prop_assert_eq!(sum.to_bits(), explanation.sum.to_bits());
        }

        let bytes = index.to_bytes();
        let read = LexicalIndex::from_bytes(&bytes).unwrap();
        prop_assert_eq!(read.search(&parsed, &options).unwrap().hits, expected);
        prop_assert_eq!(read.to_bytes(), bytes);
    }

    #[test]
    fn a_longer_answer_begins_with_the_shorter_one(steps in steps(), query in prop::collection::vec("[vwxyz]", 1..5)) {
        let (mut index, mut model) = (LexicalIndex::new(settings()), Model::new());
        for step in &steps {
            apply(&mut index, &mut model, step);
        }
        let parsed = Query::from_text(index.settings(), &query.join(" ")).unwrap();
        let all = index.search(&parsed, &Options { k: 12, ..Options::default() }).unwrap().hits;
        for k in 1..12 {
            let head = index.search(&parsed, &Options { k, ..Options::default() }).unwrap().hits;
            prop_assert_eq!(&head[..], &all[..k.min(all.len())]);
        }
    }
}

fn small() -> LexicalIndex {
    let (mut index, mut model) = (LexicalIndex::new(settings()), Model::new());
    let document = |text: &str| [text.to_owned(), "x y".to_owned()];
    apply(&mut index, &mut model, &Step::Add(vec![(1, 0, 1, document("v w")), (2, 1, 0, document("w w z"))]));
    index
}

#[test]
fn damage_to_any_byte_is_an_error() {
    let good = small().to_bytes();
    for at in 0..good.len() {
        for bit in 0..8 {
            let mut bad = good.clone();
            bad[at] ^= 1 << bit;
            assert!(LexicalIndex::from_bytes(&bad).is_err(), "bit {bit} of byte {at}");
        }
        assert!(LexicalIndex::from_bytes(&good[..at]).is_err(), "cut at {at}");
    }
}

#[test]
fn a_refused_batch_changes_nothing() {
    let mut index = small();
    let before = index.to_bytes();
    let mut batch = Batch::default();
    for _ in 0..2 {
        batch.push(index.settings(), &[(0, "new")]).unwrap();
    }
    let twice = ["r1".to_owned(), "r1".to_owned()];
    assert!(index.add(&twice, &batch, Attributes::default()).is_err());
    assert!(index.add(&["a".to_owned()], &batch, Attributes::default()).is_err());
    let long = [Some("x".repeat(600)), None];
    let attributes = Attributes { labels: Some(&long), ..Attributes::default() };
    assert!(index.add(&["a".to_owned(), "b".to_owned()], &batch, attributes).is_err());
    assert_eq!(index.to_bytes(), before);
}

#[test]
fn a_document_that_comes_again_is_one_that_is_analysed_again() {
    let texts = [[(0, "tea and Tea"), (1, "cups")], [(0, "two"), (1, "cups of tea")]];
    let bytes = |again: bool| {
        let mut index = LexicalIndex::new(settings());
        let mut batch = Batch::default();
        batch.repeat(); // there is none yet
        for fields in &texts {
            batch.push(index.settings(), fields).unwrap();
            for _ in 0..2 {
                if again { batch.repeat() } else { batch.push(index.settings(), fields).unwrap() }
            }
        }
        let ids: Vec<String> = (0..batch.len()).map(|n| format!("r{n}")).collect();
        index.add(&ids, &batch, Attributes::default()).unwrap();
        assert_eq!(index.len(), 6);
        index.to_bytes()
    };
    assert_eq!(bytes(true), bytes(false));
}

#[test]
fn a_segment_that_is_full_is_followed_by_another() {
    let mut index = LexicalIndex::new(settings());
    let mut batch = Batch::default();
    let ids: Vec<String> = (0..70_000).map(|n| format!("r{n:05}")).collect();
    for n in 0..ids.len() {
        batch.push(index.settings(), &[(0, if n % 2 == 0 { "even" } else { "odd" })]).unwrap();
    }
    index.add(&ids, &batch, Attributes::default()).unwrap();
    let query = Query::from_text(index.settings(), "odd").unwrap();
    let found = index.search(&query, &Options::default()).unwrap();
    assert_eq!(found.counters.postings, 35_000);
    assert_eq!(found.hits[0].0, "r00001");
    let leaving: Vec<String> = (0..60_000).filter(|n| n % 3 == 0).map(|n| format!("r{n:05}")).collect();
    assert_eq!(index.remove(&leaving), 20_000);
    let found = index.search(&query, &Options { k: 3, ..Options::default() }).unwrap();
    assert_eq!(found.counters.postings, 25_000);
    assert_eq!(found.hits.iter().map(|hit| hit.0.as_str()).collect::<Vec<_>>(), ["r00001", "r00005", "r00007"]);
    let read = LexicalIndex::from_bytes(&index.to_bytes()).unwrap();
    assert_eq!(read.search(&query, &Options { k: 3, ..Options::default() }).unwrap(), found);
    assert_eq!(index.remove(&ids[..69_999]), 49_999);
    let found = index.search(&query, &Options::default()).unwrap();
    assert_eq!(found.hits.len(), 1);
    assert_eq!(found.hits[0].0, "r69999");
}
