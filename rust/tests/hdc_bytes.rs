//! Index bytes: canonical, complete, and never believed when damaged.

use byheart_core::codec::{Payload, Writer};
use byheart_core::hdc::{Combine, Field, HyperVector, HypervectorIndex, Record, Settings, Vectors, encode_tokens};
use byheart_core::{Error, Result};

fn vector(text: &str) -> HyperVector {
    encode_tokens(&text.split_whitespace().collect::<Vec<_>>()).unwrap()
}

fn record(id: &str, cell: &str, given: &[(&str, &str)]) -> Record {
    let vectors = given.iter().map(|&(field, text)| (field.to_owned(), vector(text))).collect();
    Record { id: id.into(), cell: cell.into(), vectors: Vectors::Fields(vectors) }
}

fn empty() -> HypervectorIndex {
    let field = |name: &str, weight| Field { name: name.into(), weight };
    let fields = vec![field("topic", 0.6), field("claim", 0.4)];
    HypervectorIndex::new(Settings::new(fields, Combine::Adaptive, 0.05).unwrap()).unwrap()
}

fn records() -> Vec<Record> {
    vec![
        record("ada", "x", &[("topic", "first program"), ("claim", "notes on the engine")]),
        record("bab", "", &[("claim", "difference engine")]),
        record("Čapek", "x", &[("topic", "robots")]),
        record("void", "y", &[("topic", "")]),
        record("zuse", "x", &[("topic", "first computer"), ("claim", "")]),
    ]
}

fn filled() -> HypervectorIndex {
    let mut index = empty();
    index.add(&records()).unwrap();
    index
}

fn answers(index: &HypervectorIndex) -> Vec<Vec<(String, f64)>> {
    let queries = ["first engine", "robots", "difference engine notes"]
        .map(|text| Vectors::Fields(vec![("topic".into(), vector(text)), ("claim".into(), vector(text))]));
    index.search_many(&queries, 10, None, 1).unwrap().into_iter().map(|found| found.hits).collect()
}

#[test]
fn what_is_written_is_read() {
    let index = filled();
    let mut again = HypervectorIndex::from_bytes(&index.to_bytes()).unwrap();
    assert_eq!((again.settings(), again.len()), (index.settings(), 5));
    assert_eq!(answers(&again), answers(&index));
    assert!(answers(&index).iter().all(|hits| !hits.is_empty()));
    assert_eq!(again.to_bytes(), index.to_bytes());
    // And it goes on living: removing all and adding again leads to the same bytes.
    assert_eq!(again.remove(&["void", "ada", "zuse", "Čapek", "bab", "nobody"]), 5);
    assert_eq!(again.to_bytes(), empty().to_bytes());
    again.add(&records()).unwrap();
    assert_eq!(again.to_bytes(), index.to_bytes());
}

#[test]
fn equal_content_has_equal_bytes_whatever_the_history() {
    let expected = filled().to_bytes();
    for turn in 0..5 {
        let mut index = empty();
        index
            .add(&[record("ada", "y", &[("claim", "something else")]), record("gone", "q", &[("topic", "t")])])
            .unwrap();
        let mut turned = records();
        turned.rotate_left(turn);
        for record in &turned {
            index.add(std::slice::from_ref(record)).unwrap();
        }
        index.remove(&["gone"]);
        assert_eq!(index.to_bytes(), expected, "turned by {turn}");
    }
}

#[test]
fn an_index_without_fields_is_read_too() {
    let mut index = HypervectorIndex::new(Settings::whole()).unwrap();
    for id in ["b", "a"] {
        index.add(&[Record { id: id.into(), cell: "c".into(), vectors: Vectors::One(vector(id)) }]).unwrap();
    }
    let again = HypervectorIndex::from_bytes(&index.to_bytes()).unwrap();
    assert_eq!(again.search(&Vectors::One(vector("b")), 1, Some(&["c"])).unwrap().hits, [("b".to_owned(), 1.0)]);
    assert_eq!(again.to_bytes(), index.to_bytes());
}

#[test]
fn every_flipped_byte_and_every_truncation_is_noticed() {
    let good = filled().to_bytes();
    let typed = |bytes: &[u8]| match HypervectorIndex::from_bytes(bytes) {
        Err(Error::Corrupt { .. } | Error::UnsupportedFormat { .. }) => {}
        other => panic!("{other:?}"),
    };
    for at in 0..good.len() {
        let mut bad = good.clone();
        for change in [0x01, 0x80, 0xFF] {
            bad[at] = good[at] ^ change;
            typed(&bad);
        }
        typed(&good[..at]);
    }
    typed(&[good.as_slice(), b"x"].concat());
    println!("{} bytes, 4 damages each", good.len());
}

type Cells<'c> = &'c [(&'c str, &'c [&'c str])];

/// Bytes with right checksums and a lie inside; the directory has these cells with these ids.
fn forged(
    directory: Cells<'_>,
    head: impl FnOnce(&mut Payload<'_>),
    records: impl FnOnce(&mut Payload<'_>),
) -> Result<HypervectorIndex> {
    let mut writer = Writer::new(*b"HDCV");
    writer.section(*b"DIRE", |p| {
        p.u64(directory.len() as u64);
        for (key, ids) in directory {
            p.string(key);
            p.u64(ids.len() as u64);
            ids.iter().for_each(|id| p.string(id));
        }
    });
    writer.section(*b"HDCS", head);
    writer.section(*b"HDCR", records);
    HypervectorIndex::from_bytes(&writer.finish())
}

fn head(p: &mut Payload<'_>) {
    p.string("xxh3-splitmix64");
    p.u64(0);
    p.string("sum");
    p.f64(0.0);
}

/// Records of a cell: the distance of each from the one before, and the bits of its fields.
fn cell(p: &mut Payload<'_>, records: &[(u32, u32)]) {
    p.u64(records.len() as u64);
    for &(gap, fields) in records {
        p.varint(gap);
        p.varint(fields);
    }
}

fn rows(p: &mut Payload<'_>, count: usize, byte: u8) {
    (0..count).for_each(|_| p.u32(1));
    p.raw(&vec![byte; 512 * count]);
}

/// One cell with these records of three, and as many rows as they ask for.
fn one_cell(records: &[(u32, u32)], byte: u8) -> Result<HypervectorIndex> {
    forged(&[("", &["a", "b", "c"])], head, |p| {
        p.u64(1);
        cell(p, records);
        rows(p, records.iter().filter(|(_, fields)| *fields == 1).count(), byte);
    })
}

#[test]
fn forged_records_are_refused() {
    assert_eq!(one_cell(&[(0, 1), (0, 0), (0, 1)], 7).unwrap().len(), 3);
    let most = u32::MAX;
    let wrong: [&[(u32, u32)]; 7] = [
        &[(0, 1), (0, 1)],                 // one too few
        &[(1, 1), (0, 1), (0, 1)],         // one that is not in the directory
        &[(0, 1), (0, 1), (most, 1)],      // far beyond it
        &[(most, 1), (most, 1), (0, 1)],   // farther than numbers go
        &[(0, 1), (0, 1), (0, 1), (0, 1)], // one too many
        &[(0, 2), (0, 1), (0, 1)],         // a field that is not there
        &[],
    ];
    for records in wrong {
        assert!(matches!(one_cell(records, 7), Err(Error::Corrupt { .. })), "{records:?}");
    }
    assert!(one_cell(&[(0, 1), (0, 1), (0, 1)], 0).unwrap_err().to_string().contains("without a set bit"));
}

#[test]
fn forged_cells_and_counts_are_refused() {
    let two = |directory: Cells<'_>, first: &'static [(u32, u32)], second: &'static [(u32, u32)]| {
        forged(directory, head, move |p| {
            p.u64(2);
            cell(p, first);
            cell(p, second);
        })
    };
    let apart: Cells<'_> = &[("x", &["a"]), ("y", &["b"])];
    assert_eq!(two(apart, &[(0, 0)], &[(0, 0)]).unwrap().len(), 2);
    assert!(two(apart, &[(0, 0)], &[(1, 0)]).is_err(), "a record beyond the directory");
    assert!(two(&[("x", &["a", "b"])], &[(0, 0)], &[(0, 0)]).is_err(), "a cell twice");
    assert!(two(&[("x", &["a"]), ("y", &["a"])], &[(0, 0)], &[(0, 0)]).is_err(), "an id in two cells");
    let one = |p: &mut Payload<'_>| {
        p.u64(1);
        cell(p, &[(0, 0), (0, 0)]);
    };
    assert!(forged(apart, head, one).is_err(), "records of two cells in one");
    assert!(forged(&[], head, |p| p.u64(u64::MAX)).is_err(), "more cells than bytes");
    let crowded = |p: &mut Payload<'_>| {
        p.u64(1);
        p.u64(1 << 40);
    };
    assert!(forged(&[("", &["a"])], head, crowded).is_err(), "more records than bytes");
    let short = |p: &mut Payload<'_>| {
        p.u64(1);
        cell(p, &[(0, 1), (0, 1)]);
        rows(p, 1, 7);
    };
    assert!(forged(&[("", &["a", "b"])], head, short).is_err(), "fewer rows than records say");
}

#[test]
fn forged_settings_are_refused() {
    let settings = |generator: &'static str, weight: Option<f64>, combine: &'static str, floor: f64| {
        let head = move |p: &mut Payload<'_>| {
            p.string(generator);
            p.u64(u64::from(weight.is_some()));
            if let Some(weight) = weight {
                p.string("topic");
                p.f64(weight);
            }
            p.string(combine);
            p.f64(floor);
        };
        forged(&[], head, |p| p.u64(0))
    };
    assert!(settings("xxh3-splitmix64", Some(0.5), "adaptive", 0.05).is_ok());
    let other = settings("mrp-fnv1a32-xs32", None, "sum", 0.0).unwrap_err().to_string();
    assert!(other.contains("mrp-fnv1a32-xs32"), "{other}");
    assert!(settings("xxh3-splitmix64", Some(-1.0), "sum", 0.0).is_err());
    assert!(settings("xxh3-splitmix64", Some(f64::NAN), "sum", 0.0).is_err());
    assert!(settings("xxh3-splitmix64", Some(1.0), "mean", 0.0).is_err());
    assert!(settings("xxh3-splitmix64", Some(1.0), "sum", -0.1).is_err());
    assert!(settings("xxh3-splitmix64", None, "adaptive", 0.0).is_err());
    assert!(settings("xxh3-splitmix64", None, "sum", 0.05).is_err());
}
