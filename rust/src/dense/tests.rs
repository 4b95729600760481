//! Laws of the index over a directory: ids in several cells, records without a row, selections.

use proptest::prelude::*;

use super::*;
use crate::codec::{Reader, Writer};
use crate::records::{Directory, Selection};

const TIERS: [usize; 3] = [2, 4, 6];

/// A record: cell, id, and its vector if it has one.
type Row = (String, String, Option<Vec<f32>>);

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let value = prop::sample::select(vec![-1.0_f32, 0.0, 0.5, 1.0]);
    let vector = prop::option::weighted(0.8, prop::collection::vec(value, 6));
    prop::collection::vec(("[xyz]", "[a-f]{1,2}", vector), 0..160)
}

fn ladder() -> Ladder {
    Ladder::new(6, Some(&TIERS)).unwrap()
}

/// A directory and an index of these records; a later one replaces an earlier one, or takes its row away.
fn filled(rows: &[Row]) -> (Directory, Index) {
    let (mut directory, mut index) = (Directory::default(), Index::new(ladder()).unwrap());
    for (cell, id, vector) in rows {
        let number = directory.insert(cell, id);
        match vector {
            Some(vector) => index.put(&directory, &[number], vector).unwrap(),
            None => drop(index.remove(&[number])),
        }
    }
    (directory, index)
}

fn modes() -> Vec<Mode> {
    let exit = |at: f64| Exit::new(&ladder(), Some(&[at, at]), ExitRule::Strict).unwrap();
    let early = |at, rescore| Mode::EarlyExit { exit: exit(at), rescore, budget: None };
    let short = |rows| Mode::Approximate { shortlist: Some(rows) };
    vec![Mode::Exact, early(-2.0, true), early(-2.0, false), early(0.9, true), early(2.0, true), short(3), short(60)]
}

/// Hits as (id, cell, bits of the score).
fn told(directory: &Directory, found: &Found<u32>) -> Vec<(String, String, u64)> {
    let cell = |number: u32| directory.cell_key(directory.cell(number).unwrap()).to_owned();
    found.hits.iter().map(|&(n, score)| (directory.id(n).to_owned(), cell(n), score.to_bits())).collect()
}

proptest! {
    #[test]
    fn what_is_found_and_selected_leads_what_is_found_among_the_selected(
        rows in rows(),
        query in prop::collection::vec(prop::sample::select(vec![-1.0_f32, 0.25, 1.0]), 6),
        k in 1_usize..12,
        inside in prop::sample::subsequence(vec!["x", "y", "z"], 0..4),
        some in prop::collection::vec(any::<bool>(), 120),
    ) {
        let (directory, index) = filled(&rows);
        let cells = directory.cell_numbers(Some(&inside));
        let numbers = (0..directory.capacity() as u32).filter(|&n| some[n as usize % some.len()]);
        let only: Selection = numbers.collect();
        let can = only.iter().filter(|&n| index.holds(n) && cells.contains(&directory.cell(n).unwrap())).count();
        for mode in modes() {
            let options = Options { k, mode: &mode, ..Options::default() };
            let whole = index.search(&directory, &query, &cells, None, &options).unwrap();
            let found = index.search(&directory, &query, &cells, Some(&only), &options).unwrap();
            let leading: Vec<_> = whole.hits.iter().filter(|hit| only.holds(hit.0)).copied().collect();
            prop_assert_eq!(&found.hits[..leading.len()], &leading[..], "{:?}", mode);
            prop_assert_eq!(found.hits.len(), k.min(can));
            prop_assert_eq!(found.counters.records, can as u64);
            prop_assert!(found.hits.iter().all(|hit| only.holds(hit.0)));
            for two in found.hits.windows(2).filter(|_| mode == Mode::Exact) {
                let ordered = two[1].1.total_cmp(&two[0].1).then_with(|| directory.order(two[0].0, two[1].0));
                prop_assert!(ordered.is_lt(), "{:?}", two);
            }
        }
    }

    #[test]
    fn equal_content_gives_equal_bytes_and_answers(
        rows in rows(), others in rows(), query in prop::collection::vec(prop::sample::select(vec![-1.0_f32, 1.0]), 6),
    ) {
        let mut last = std::collections::BTreeMap::new();
        for (cell, id, vector) in &rows {
            last.insert((cell.clone(), id.clone()), vector.clone());
        }
        let plain: Vec<Row> = last.iter().map(|((cell, id), vector)| (cell.clone(), id.clone(), vector.clone())).collect();
        let (mut directory, mut index) = filled(&[&others[..], &rows].concat());
        for (cell, id, _) in others.iter().filter(|row| !last.contains_key(&(row.0.clone(), row.1.clone()))) {
            if let Some(number) = directory.get(cell, id) {
                index.remove(&[number]);
                directory.remove(number);
            }
        }
        let written = bytes(&directory, &index);
        let (again, fresh) = filled(&plain);
        prop_assert_eq!(&written, &bytes(&again, &fresh));
        let mut reader = Reader::open(&written, *b"TEST").unwrap();
        let back = Directory::read(&mut reader).unwrap();
        let read = Index::read(&mut reader, &back).unwrap();
        reader.finish().unwrap();
        prop_assert_eq!(read.len(), index.len());
        let all = |directory: &Directory| directory.cell_numbers(None::<&[&str]>);
        for mode in modes() {
            let options = Options { k: 5, mode: &mode, ..Options::default() };
            let [one, other, third] = [(&directory, &index), (&again, &fresh), (&back, &read)].map(|(d, i)| {
                let found = i.search(d, &query, &all(d), None, &options).unwrap();
                (told(d, &found), found.counters, found.trace)
            });
            prop_assert_eq!(&one, &other);
            prop_assert_eq!(&one, &third);
        }
    }
}

fn bytes(directory: &Directory, index: &Index) -> Vec<u8> {
    let mut writer = Writer::new(*b"TEST");
    let order = directory.canonical();
    directory.write(&mut writer, &order);
    index.write(&mut writer, &directory.positions(&order));
    writer.finish()
}

#[test]
fn one_id_in_two_cells_is_two_rows_and_equal_scores_go_by_id_then_cell() {
    let rows: Vec<Row> =
        ["y", "x"].iter().map(|cell| ((*cell).to_owned(), "same".to_owned(), Some(vec![1.0; 6]))).collect();
    let (mut directory, mut index) = filled(&rows);
    let found = |directory: &Directory, index: &Index| {
        let cells = directory.cell_numbers(None::<&[&str]>);
        told(directory, &index.search(directory, &[1.0; 6], &cells, None, &Options::default()).unwrap())
    };
    let cells: Vec<String> = found(&directory, &index).into_iter().map(|hit| hit.1).collect();
    assert_eq!(cells, ["x", "y"]);
    let number = directory.get("x", "same").unwrap();
    assert!(index.explain(&directory, &[1.0; 6], number).is_ok());
    assert_eq!((index.remove(&[number, number, 77]), index.len()), (1, 1));
    assert!(index.explain(&directory, &[1.0; 6], number).unwrap_err().to_string().contains("\"same\""));
    assert!(directory.remove(number) && index.row(number).is_none());
    assert_eq!(found(&directory, &index).len(), 1);
}

#[test]
fn what_an_index_refuses_changes_nothing() {
    let (directory, mut index) = filled(&[("x".into(), "a".into(), Some(vec![1.0; 6]))]);
    let before = bytes(&directory, &index);
    for (numbers, vectors) in [(&[0, 9][..], vec![1.0; 12]), (&[0, 0], vec![1.0; 12]), (&[0], vec![1.0; 5])] {
        assert!(index.put(&directory, numbers, &vectors).is_err(), "{numbers:?}");
    }
    assert!(index.put(&directory, &[0], &[f32::NAN; 6]).is_err());
    assert_eq!(bytes(&directory, &index), before);
}
