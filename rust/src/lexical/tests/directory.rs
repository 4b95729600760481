//! Laws of the index over a directory that others share: ids in several cells, records without text, selections.

use proptest::prelude::*;

use super::settings;
use crate::codec::{Reader, Writer};
use crate::lexical::{Batch, Index, Query};
use crate::records::{Directory, Selection};

/// A record: cell, id, label, and its text if it has one.
type Row = (String, String, bool, Option<String>);

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let text = prop::collection::vec("[vwxyz]", 0..6).prop_map(|words| words.join(" "));
    prop::collection::vec(("[xyz]", "[a-f]{1,2}", any::<bool>(), prop::option::weighted(0.8, text)), 0..60)
}

/// A directory and an index of these records; a later one replaces an earlier one, or takes its text away.
fn filled(rows: &[Row]) -> (Directory, Index) {
    let (mut directory, mut index) = (Directory::default(), Index::new(settings()));
    for (cell, id, is_labelled, text) in rows {
        let number = directory.insert(cell, id);
        if let Some(text) = text {
            let mut batch = Batch::default();
            batch.push(index.settings(), &[(0, text), (1, "v")]).unwrap();
            let label = is_labelled.then(|| "role".to_owned());
            index.put(&directory, &[number], &batch, Some(&[label])).unwrap();
        } else {
            index.remove(&[number]);
        }
    }
    (directory, index)
}

/// Hits as (id, cell, bits of the score).
fn told(directory: &Directory, hits: &[(u32, f64)]) -> Vec<(String, String, u64)> {
    let cell = |number: u32| directory.cell_key(directory.cell(number).unwrap()).to_owned();
    hits.iter().map(|&(number, score)| (directory.id(number).to_owned(), cell(number), score.to_bits())).collect()
}

fn bytes(directory: &Directory, index: &Index) -> Vec<u8> {
    let (mut writer, canonical) = (Writer::new(*b"TEST"), directory.canonical());
    directory.write(&mut writer, &canonical);
    index.write(&mut writer, &directory.positions(&canonical));
    writer.finish()
}

fn read(bytes: &[u8]) -> (Directory, Index) {
    let mut reader = Reader::open(bytes, *b"TEST").unwrap();
    let directory = Directory::read(&mut reader).unwrap();
    let index = Index::read(&mut reader, &directory).unwrap();
    reader.finish().unwrap();
    (directory, index)
}

proptest! {
    #[test]
    fn what_is_found_and_selected_is_what_is_found_among_the_selected(
        rows in rows(),
        query in prop::collection::vec("[vwxyzq]", 0..4),
        k in 1_usize..12,
        inside in prop::sample::subsequence(vec!["x", "y", "z"], 0..4),
        some in prop::collection::vec(any::<bool>(), 40),
        is_boosted in any::<bool>(),
    ) {
        let (directory, index) = filled(&rows);
        let query = Query::from_terms(query.iter().map(String::as_str)).unwrap();
        let boosts = if is_boosted { vec![("role".to_owned(), 1.3)] } else { Vec::new() };
        let cells = directory.cell_numbers(Some(&inside));
        let numbers = (0..directory.capacity() as u32).filter(|&number| some[number as usize % some.len()]);
        let only: Selection = numbers.collect();
        let mut whole = index.search(&directory, &query, &boosts, 1_000, &cells, None).unwrap();
        for two in whole.hits.windows(2) {
            let order = two[1].1.total_cmp(&two[0].1).then_with(|| directory.order(two[0].0, two[1].0));
            prop_assert!(order.is_lt(), "{:?}", two);
        }
        for &(number, score) in &whole.hits {
            let told = index.explain(&directory, &query, &boosts, number, &cells).unwrap();
            prop_assert_eq!((told.score.to_bits(), told.id.as_str()), (score.to_bits(), directory.id(number)));
        }
        let found = index.search(&directory, &query, &boosts, k, &cells, Some(&only)).unwrap();
        whole.hits.retain(|hit| only.holds(hit.0));
        whole.hits.truncate(k);
        prop_assert_eq!(found, whole);
    }

    #[test]
    fn equal_content_gives_equal_bytes_and_answers_whatever_came_before(
        rows in rows(),
        others in rows(),
        query in prop::collection::vec("[vwxyz]", 1..4),
    ) {
        let (directory, index) = filled(&rows);
        let all: Vec<Row> = others.iter().chain(&rows).cloned().collect();
        let (mut used, mut lived) = filled(&all);
        for (cell, id, ..) in &others {
            if directory.get(cell, id).is_none() && let Some(number) = used.get(cell, id) {
                lived.remove(&[number]);
                used.remove(number);
            }
        }
        let written = bytes(&directory, &index);
        prop_assert_eq!(bytes(&used, &lived), written.clone());
        let (again, read) = read(&written);
        prop_assert_eq!((read.len(), again.len()), (index.len(), directory.len()));
        prop_assert_eq!(bytes(&again, &read), written);
        let query = Query::from_terms(query.iter().map(String::as_str)).unwrap();
        let answers = [(&directory, &index), (&used, &lived), (&again, &read)].map(|(directory, index)| {
            let cells = directory.cell_numbers(Some(&["x", "z"]));
            told(directory, &index.search(directory, &query, &[], 50, &cells, None).unwrap().hits)
        });
        prop_assert!(answers[0] == answers[1] && answers[0] == answers[2], "{:?}", answers);
    }
}

#[test]
fn a_refused_put_changes_nothing() {
    let row = |id: &str| ("x".to_owned(), id.to_owned(), true, Some("v w".to_owned()));
    let (mut directory, mut index) = filled(&[row("a"), row("b")]);
    let unused = directory.insert("x", "c");
    directory.remove(unused);
    let before = bytes(&directory, &index);
    let mut batch = Batch::default();
    for _ in 0..2 {
        batch.push(index.settings(), &[(0, "new")]).unwrap();
    }
    let long = [None, Some("x".repeat(600))];
    for (numbers, labels) in
        [(vec![0], None), (vec![0, 0], None), (vec![0, unused], None), (vec![1, 0], Some(&long[..]))]
    {
        assert!(index.put(&directory, &numbers, &batch, labels).is_err(), "{numbers:?}");
        assert_eq!(bytes(&directory, &index), before);
    }
    assert_eq!((index.remove(&[0, unused, 0, 99]), index.len()), (1, 1));
}
