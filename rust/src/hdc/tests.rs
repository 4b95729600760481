//! Laws of the index over a directory that others share: ids in several cells, records without vectors, selections.

use proptest::prelude::*;

use super::*;
use crate::codec::{Reader, Writer};
use crate::records::{Directory, Selection};

/// A record: cell, id, and its vectors if it has any.
type Row = (String, String, Option<Vectors>);

fn vectors() -> impl Strategy<Value = Vectors> {
    let text = || prop::option::of(prop::collection::vec("[a-e]", 0..4));
    (text(), text()).prop_map(|(topic, claim)| {
        let encode = |words: Option<Vec<String>>| encode_tokens(&words.unwrap_or_default()).unwrap();
        Vectors::Fields(vec![("topic".to_owned(), encode(topic)), ("claim".to_owned(), encode(claim))])
    })
}

fn rows() -> impl Strategy<Value = Vec<Row>> {
    prop::collection::vec(("[xyz]", "[a-f]{1,2}", prop::option::weighted(0.8, vectors())), 0..60)
}

/// A directory and an index of these records; a later one replaces an earlier one, or takes its vectors away.
fn filled(rows: &[Row]) -> (Directory, Index) {
    let field = |name: &str, weight| Field { name: name.into(), weight };
    let fields = vec![field("topic", 0.6), field("claim", 0.4)];
    let settings = Settings::new(fields, Combine::Adaptive, 0.05).unwrap();
    let (mut directory, mut index) = (Directory::default(), Index::new(settings).unwrap());
    for (cell, id, vectors) in rows {
        let number = directory.insert(cell, id);
        match vectors {
            Some(vectors) => index.put(&directory, &[number], &[vectors]).unwrap(),
            None => drop(index.remove(&[number])),
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
        query in vectors(),
        k in 1_usize..12,
        inside in prop::sample::subsequence(vec!["x", "y", "z"], 0..4),
        some in prop::collection::vec(any::<bool>(), 40),
        few in any::<bool>(),
    ) {
        let (directory, index) = filled(&rows);
        let cells = directory.cell_numbers(Some(&inside));
        let step = if few { 7 } else { 1 };
        let numbers = (0..directory.capacity() as u32).step_by(step).filter(|&n| some[n as usize % some.len()]);
        let only: Selection = numbers.collect();
        let mut whole = index.search(&directory, &query, 1_000, &cells, None).unwrap();
        for two in whole.hits.windows(2) {
            let order = two[1].1.total_cmp(&two[0].1).then_with(|| directory.order(two[0].0, two[1].0));
            prop_assert!(order.is_lt(), "{:?}", two);
        }
        let found = index.search(&directory, &query, k, &cells, Some(&only)).unwrap();
        whole.hits.retain(|hit| only.holds(hit.0));
        whole.hits.truncate(k);
        prop_assert_eq!(&found, &whole);
        let many = index.search_many(&directory, &[&query, &query, &query], k, &cells, Some(&only), 2).unwrap();
        prop_assert!(many.iter().all(|found| *found == whole));
    }

    #[test]
    fn equal_content_gives_equal_bytes_and_answers_whatever_came_before(
        rows in rows(),
        others in rows(),
        query in vectors(),
    ) {
        let (directory, index) = filled(&rows);
        let all: Vec<Row> = others.iter().chain(&rows).cloned().collect();
        let (mut used, mut lived) = filled(&all);
        for (cell, id, _) in &others {
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
        let answers = [(&directory, &index), (&used, &lived), (&again, &read)].map(|(directory, index)| {
            let cells = directory.cell_numbers(Some(&["x", "z"]));
            told(directory, &index.search(directory, &query, 50, &cells, None).unwrap().hits)
        });
        prop_assert!(answers[0] == answers[1] && answers[0] == answers[2], "{:?}", answers);
    }
}

#[test]
fn a_refused_put_changes_nothing() {
    let vectors = Vectors::Fields(vec![("topic".to_owned(), HyperVector::random("a").unwrap())]);
    let row = |id: &str| ("x".to_owned(), id.to_owned(), Some(vectors.clone()));
    let (directory, mut index) = filled(&[row("a"), row("b")]);
    let before = bytes(&directory, &index);
    let bare = Vectors::One(HyperVector::random("b").unwrap());
    let bad: [(&[u32], &[&Vectors]); 4] = [
        (&[0], &[]),
        (&[0, 0], &[&vectors, &vectors]),
        (&[0, 2], &[&vectors, &vectors]),
        (&[1, 0], &[&vectors, &bare]),
    ];
    for (numbers, given) in bad {
        assert!(index.put(&directory, numbers, given).is_err(), "{numbers:?}");
        assert_eq!(bytes(&directory, &index), before);
    }
    assert_eq!((index.remove(&[0, 2, 0, 99]), index.len()), (1, 1));
}

#[test]
fn what_is_held_of_a_record_is_what_was_put_wherever_it_lies() {
    let one = Vectors::Fields(vec![("topic".to_owned(), HyperVector::random("tea").unwrap())]);
    let two = Vectors::Fields(vec![("claim".to_owned(), HyperVector::random("rice").unwrap())]);
    let rows: Vec<Row> = [("x", "a", &two), ("y", "b", &one), ("x", "c", &one), ("x", "d", &two)]
        .map(|(cell, id, vectors)| (cell.to_owned(), id.to_owned(), Some(vectors.clone())))
        .into();
    let (directory, mut index) = filled(&rows);
    let number = |cell: &str, id: &str| directory.get(cell, id).unwrap();
    assert_eq!(index.held(number("y", "b")), index.held(number("x", "c")));
    assert_ne!(index.held(number("x", "c")), index.held(number("x", "d")));
    let before = index.held(number("x", "d")).unwrap();
    assert_eq!(before.len(), 1 + 1 + 4 + 512);
    assert_eq!(index.remove(&[number("x", "a")]), 1); // the last one takes its slot
    assert_eq!(index.held(number("x", "d")), Some(before));
    assert_eq!(index.held(number("x", "a")), None);
}

#[test]
fn a_token_whose_vector_was_kept_has_the_one_that_is_made_anew() {
    let tokens: Vec<String> = (0..2_500).map(|n| format!("token{n}{}", "x".repeat(n % 30))).collect();
    let alone: Vec<HyperVector> = tokens.iter().map(|token| encode_subwords(&[token]).unwrap()).collect();
    for at in [0, 1, 1_023, 1_024, 2_499, 2_498, 0] {
        assert_eq!(encode_subwords(&[&tokens[at]]).unwrap(), alone[at]);
    }
    let all = encode_subwords(&tokens).unwrap();
    assert_eq!(all, HyperVector::bundle(&alone.iter().collect::<Vec<_>>()).unwrap());
}
