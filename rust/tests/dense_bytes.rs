//! Bytes of a dense index: canonical, complete, and never believed when damaged.

use byheart_core::codec::{Payload, Writer};
use byheart_core::dense::{DenseIndex, Ladder, Options};
use byheart_core::{Error, Result};

fn index(order: &[usize]) -> DenseIndex {
    let records = [("a", "x", [1.0, 2.0, 2.0]), ("b", "y", [0.0, -3.0, 4.0]), ("c", "x", [0.0, 0.0, 0.0])];
    let mut index = DenseIndex::new(Ladder::new(3, Some(&[1, 3])).unwrap()).unwrap();
    index.add(&["a", "gone"], &["z", "z"], &[9.0; 6]).unwrap();
    for &at in order {
        let (id, cell, vector) = records[at];
        index.add(&[id], &[cell], &vector).unwrap();
    }
    index.remove(&["gone"]);
    index
}

/// A file with these tiers and, in one cell, these rows.
fn file(tiers: &[u32], ids: &[&str], rows: &[f32]) -> Vec<u8> {
    file_of(tiers, ids, &vec![0; ids.len()], rows)
}

/// The same with the distance of each row's place from the one before.
fn file_of(tiers: &[u32], ids: &[&str], places: &[u32], rows: &[f32]) -> Vec<u8> {
    let mut writer = Writer::new(*b"DENS");
    writer.section(*b"DIRE", |p: &mut Payload<'_>| {
        p.u64(1);
        p.string("");
        p.u64(ids.len() as u64);
        for id in ids {
            p.string(id);
        }
    });
    writer.section(*b"TIER", |p| p.u32s(tiers));
    writer.section(*b"ROWS", |p: &mut Payload<'_>| {
        p.u64(places.len() as u64);
        for &place in places {
            p.varint(place);
        }
        for value in rows {
            p.raw(&value.to_le_bytes());
        }
    });
    writer.finish()
}

fn refused(bytes: &[u8]) -> bool {
    matches!(DenseIndex::from_bytes(bytes), Err(Error::Corrupt { .. }))
}

#[test]
fn equal_content_gives_equal_bytes_and_comes_back() -> Result<()> {
    let bytes = index(&[0, 1, 2]).to_bytes();
    for order in [[2, 1, 0], [1, 0, 2], [0, 2, 1]] {
        assert_eq!(index(&order).to_bytes(), bytes);
    }
    let again = DenseIndex::from_bytes(&bytes)?;
    assert_eq!(again.to_bytes(), bytes);
    assert_eq!((again.len(), again.ladder().tiers()), (3, [1, 3].as_slice()));
    let query = [1.0, 1.0, 1.0];
    for cells in [None, Some(["x"].as_slice())] {
        let found = again.search(&query, cells, None, &Options::default())?;
        assert_eq!(found, index(&[0, 1, 2]).search(&query, cells, None, &Options::default())?);
    }
    Ok(())
}

#[test]
fn every_flipped_bit_and_every_cut_is_noticed() {
    let good = index(&[0, 1, 2]).to_bytes();
    for at in 0..good.len() {
        for bit in 0..8 {
            let mut bad = good.clone();
            bad[at] ^= 1 << bit;
            assert!(DenseIndex::from_bytes(&bad).is_err(), "flip of bit {bit} at {at} went unnoticed");
        }
        assert!(DenseIndex::from_bytes(&good[..at]).is_err(), "a cut to {at} went unnoticed");
    }
}

#[test]
fn rows_that_would_break_the_proof_are_refused() {
    assert!(!refused(&file(&[2], &["a"], &[0.6, 0.8])));
    assert!(!refused(&file(&[2], &["a"], &[1.0 + f32::EPSILON / 2.0, 0.0])));
    for row in [[1.0, 0.001], [1.000_001, 0.0], [f32::NAN, 0.0], [f32::INFINITY, 0.0], [1e30, 1e30]] {
        assert!(refused(&file(&[2], &["a"], &row)), "{row:?}");
    }
}

#[test]
fn tiers_and_ids_that_cannot_be_are_refused() {
    let nine: Vec<u32> = (1..10).collect();
    for tiers in [&[][..], &[0], &[2, 1], &[1, 1], &[4097], &nine, &[u32::MAX]] {
        let rows = vec![0.0; tiers.last().map_or(0, |&last| last.min(5000) as usize)];
        assert!(refused(&file(tiers, &["a"], &rows)), "{tiers:?}");
    }
    for ids in [&["b", "a"][..], &["a", "a"], &["", "a"], &[]] {
        assert!(refused(&file(&[1], ids, &vec![0.5; ids.len()])), "{ids:?}");
    }
    assert!(refused(&file(&[2], &["a"], &[0.5])), "half a row");
    assert!(refused(&file(&[2], &["a"], &[0.5; 3])), "half a row too much");
}

#[test]
fn places_that_hold_no_record_and_records_without_a_row_are_refused() {
    assert!(!refused(&file_of(&[1], &["a", "b"], &[0, 0], &[0.5; 2])));
    for (ids, places) in [
        (&["a", "b"][..], &[0, 1][..]),
        (&["a", "b"], &[2, 0]),
        (&["a", "b"], &[u32::MAX, u32::MAX]),
        (&["a", "b"], &[0]),
        (&["a", "b"], &[1]),
        (&["a", "b"], &[0, 0, 0]),
    ] {
        assert!(refused(&file_of(&[1], ids, places, &vec![0.5; places.len()])), "{ids:?} {places:?}");
    }
}
