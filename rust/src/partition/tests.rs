//! What only bytes can say wrongly, and what a refusal leaves behind.

use super::*;
use crate::codec::{Reader, Writer};
use crate::dense::Ladder;
use crate::hdc::{HyperVector, Settings, Vectors};
use crate::lexical::{Batch, Field};
use crate::records;
use crate::text::Analyzer;

fn words() -> lexical::Index {
    let field = Field { name: "text".into(), weight: 1.0 };
    lexical::Index::new(lexical::Settings::new(vec![field], 1.2, 0.75, Analyzer::default()).unwrap())
}

fn new() -> Partition {
    let (fields, vectors) = (Fields::new(&["length"], &["ends"]).unwrap(), hdc::Index::new(Settings::whole()).unwrap());
    let dense = dense::Index::new(Ladder::new(2, None).unwrap()).unwrap();
    Partition::new(fields, words(), vectors, Some(dense), Some("ends".into())).unwrap()
}

fn additions(partition: &Partition, ids: &[&str]) -> Additions {
    let mut additions = Additions::default();
    for (row, id) in ids.iter().enumerate() {
        additions.keys.push(((*id).to_owned(), "cell".to_owned()));
        additions.fields.push("user", (*id).into()).unwrap();
        additions.fields.end();
        additions.documents.push(partition.lexical().settings(), &[(0, "a red fox")]).unwrap();
        additions.labels.push(None);
        additions.vector_rows.push(row);
        additions.vectors.push(Vectors::One(HyperVector::random(id).unwrap()));
        additions.embedding_rows.push(row);
        additions.embeddings.extend([1.0, 2.0]);
    }
    additions
}

#[test]
fn a_refused_batch_leaves_no_trace() {
    let mut partition = new();
    partition.put(&additions(&partition, &["a"])).unwrap();
    let before = partition.to_bytes();
    let good = || additions(&partition, &["a", "b"]);
    let wrong: Vec<Additions> = vec![
        Additions { labels: vec![None], ..good() },
        Additions { documents: Batch::default(), ..good() },
        Additions { fields: records::Batch::default(), ..good() },
        Additions { vectors: vec![Vectors::Fields(Vec::new()); 2], ..good() },
        Additions { vector_rows: vec![0], ..good() },
        Additions { vector_rows: vec![1, 0], ..good() },
        Additions { vector_rows: vec![0, 2], ..good() },
        Additions { embeddings: vec![1.0; 3], ..good() },
        Additions { hashes: vec![None], ..good() },
        Additions { fact_rows: vec![0], ..good() },
        Additions { keys: vec![("a".into(), "cell".into()); 2], ..good() },
        Additions { keys: vec![("a".into(), "cell".into()), (String::new(), "cell".into())], ..good() },
        Additions { keys: vec![("a".into(), "cell".into()), ("b".into(), "c".repeat(513))], ..good() },
    ];
    for additions in wrong {
        assert!(partition.put(&additions).is_err(), "{additions:?}");
        assert_eq!(partition.to_bytes(), before);
    }
    partition.put(&additions(&partition, &["a", "b"])).unwrap();
    assert_eq!((partition.len(), partition.remove(&[0, 0, 7]), partition.len()), (2, 1, 1));
}

#[test]
fn the_first_of_an_order_are_those_of_a_sort() {
    let mut partition = new();
    let mut batch = additions(&partition, &["a"; 24]);
    batch.fields = records::Batch::default();
    for row in 0..24_usize {
        batch.keys[row] = (format!("r{}", row * 7 % 12), if row < 12 { "x" } else { "y" }.to_owned());
        if row % 5 > 0 {
            batch.fields.push("length", Value::whole(row as i128 % 3 - 1)).unwrap();
        }
        batch.fields.end();
    }
    partition.put(&batch).unwrap();
    let all: RoaringBitmap = (0..24).collect();
    for column in [None, Some("length")] {
        let column = column.map(|name| partition.column(name).unwrap());
        for down in [false, true] {
            let number = |record: u32| column.map(|column| column.get(record)).filter(|number| !number.is_nan());
            let mut sorted: Vec<u32> = all.iter().collect();
            sorted.sort_by(|&one, &other| {
                let (first, second) = (partition.directory().name(one), partition.directory().name(other));
                let place = |number: Option<f64>| {
                    (number.is_none(), number.map_or(0, |n| n as i64 * if down { -1 } else { 1 }))
                };
                let ids = if down && column.is_none() { second.0.cmp(&first.0) } else { first.0.cmp(&second.0) };
                place(number(one)).cmp(&place(number(other))).then(ids).then(first.1.cmp(&second.1))
            });
            for most in 0..26 {
                for behind in (0..24).map(Some).chain([None]) {
                    let place = behind.map(|at: usize| {
                        let (id, cell) = partition.directory().name(sorted[at]);
                        Place { number: number(sorted[at]), id, cell }
                    });
                    let expected: Vec<u32> =
                        sorted.iter().copied().skip(behind.map_or(0, |at| at + 1)).take(most).collect();
                    let found = partition.first(&all, Order { column, down }, place.as_ref(), most);
                    assert_eq!(found, expected, "{down} {most} {behind:?}");
                }
            }
        }
    }
}

/// The bytes of a partition, in which one part is left to somebody else.
fn forged(partition: &Partition, fields: &Fields, words: &lexical::Index) -> Vec<u8> {
    let mut writer = Writer::new(*b"PART");
    writer.section(*b"HEAD", |p| {
        p.string("ends");
        p.u8(1);
    });
    let order = partition.directory.canonical();
    let positions = partition.directory.positions(&order);
    partition.directory.write(&mut writer, &order);
    fields.write(&mut writer, &positions);
    partition.hashes.write(&mut writer, &order);
    words.write(&mut writer, &positions);
    partition.hypervectors.write(&mut writer, &positions);
    partition.dense.as_ref().unwrap().write(&mut writer, &positions);
    writer.finish()
}

#[test]
fn indexes_that_contradict_each_other_are_refused() {
    let mut partition = new();
    partition.put(&additions(&partition, &["a"])).unwrap();
    assert!(Reader::open(&partition.to_bytes(), *b"PART").is_ok());
    assert_eq!(forged(&partition, partition.fields(), partition.lexical()), partition.to_bytes());
    for (fields, words) in [
        (partition.fields().clone(), words()), // no words: archived, and yet in the other indexes
        (Fields::new(&["length"], &["ends"]).unwrap(), partition.lexical().clone()), // without fields
        (Fields::new(&["ends"], &["length"]).unwrap(), partition.lexical().clone()), // ends are not sorted
    ] {
        let read = Partition::from_bytes(&forged(&partition, &fields, &words));
        assert!(matches!(read, Err(Error::Corrupt { .. })), "{read:?}");
    }
}

#[test]
fn an_index_that_holds_records_is_no_beginning() {
    let mut partition = new();
    partition.put(&additions(&partition, &["a"])).unwrap();
    let vectors = || hdc::Index::new(Settings::whole()).unwrap();
    let begun = Partition::new(Fields::default(), partition.lexical().clone(), vectors(), None, None);
    assert!(matches!(begun, Err(Error::InvalidArgument { .. })));
    let begun = Partition::new(Fields::default(), words(), vectors(), None, Some("ends".into()));
    assert!(matches!(begun, Err(Error::InvalidArgument { .. })));
}
