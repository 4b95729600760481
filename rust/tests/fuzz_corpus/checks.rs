//! What must hold for any input: called by the fuzz targets with what they invent, and by `mod.rs` with the corpus.

use byheart_core::Error;
use byheart_core::codec::Tag;
use byheart_core::dense::{self, DenseIndex, Exit, ExitRule};
use byheart_core::hdc::{HyperVector, HypervectorIndex, Record, Vectors};
use byheart_core::lexical::{Attributes, Batch, LexicalIndex, Options, Query};
use byheart_core::text::{Analyzer, MAX_TERM_BYTES, Mode, Scratch, StopWords, porter_stem};

#[path = "partition.rs"]
mod partition;

#[allow(unused_imports)] // each target takes its own
pub use partition::{directory_bytes, partition_bytes};

const HEADER: usize = 24;
const FRAME: usize = 16;

/// Any bytes as a lexical index: refused, or searched, taken apart and written again.
pub fn lexical_bytes(data: &[u8]) {
    let _ = refused_or(LexicalIndex::from_bytes(data));
    let mut forged = data.to_vec();
    mend(&mut forged, *b"LEXI", &[*b"DIRE", *b"LEXS", *b"TERM", *b"LEXR"]);
    let Some(mut index) = refused_or(LexicalIndex::from_bytes(&forged)) else { return };
    let answers = lexical_answers(&index);
    let bytes = index.to_bytes();
    let again = LexicalIndex::from_bytes(&bytes).expect("what was written is read");
    assert_eq!(lexical_answers(&again), answers);
    assert_eq!(again.to_bytes(), bytes);
    let ids: Vec<String> = answers.into_iter().flatten().map(|hit| hit.0).collect();
    let held = index.len();
    let gone = index.remove(&ids);
    assert_eq!(index.len(), held - gone);
    let mut batch = Batch::default();
    batch.push(index.settings(), &[(0, "red fox")]).expect("a short text");
    index.add(&["new".to_owned()], &batch, Attributes::default()).expect("a good id");
    lexical_answers(&index);
}

fn lexical_answers(index: &LexicalIndex) -> Vec<Vec<(String, f64)>> {
    let mut answers = Vec::new();
    for text in ["fox", "red fox den", "fox fox 東京", ""] {
        let query = Query::from_text(index.settings(), text).expect("a short query");
        for (k, boosts) in [(1, Vec::new()), (50, vec![("Role".to_owned(), 1.3)])] {
            let options = Options { k, boosts, ..Options::default() };
            let hits = index.search(&query, &options).expect("good options").hits;
            check_order(&hits);
            for (id, score) in &hits {
                let told = index.explain(&query, id, &options).expect("a hit is held");
                assert_eq!(told.score.to_bits(), score.to_bits());
            }
            answers.push(hits);
        }
    }
    answers
}

/// Any bytes as a hypervector index, likewise.
pub fn vector_bytes(data: &[u8]) {
    let _ = refused_or(HypervectorIndex::from_bytes(data));
    let mut forged = data.to_vec();
    mend(&mut forged, *b"HDCV", &[*b"DIRE", *b"HDCS", *b"HDCR"]);
    let Some(mut index) = refused_or(HypervectorIndex::from_bytes(&forged)) else { return };
    let hits = vector_answer(&index);
    let bytes = index.to_bytes();
    let again = HypervectorIndex::from_bytes(&bytes).expect("what was written is read");
    assert_eq!(vector_answer(&again), hits);
    assert_eq!(again.to_bytes(), bytes);
    let ids: Vec<String> = hits.into_iter().map(|hit| hit.0).collect();
    let held = index.len();
    let gone = index.remove(&ids);
    assert_eq!((gone, index.len()), (ids.len(), held - gone));
    let record = Record { id: "new".into(), cell: String::new(), vectors: question(&index) };
    index.add(&[record]).expect("a good record");
    vector_answer(&index);
}

fn question(index: &HypervectorIndex) -> Vectors {
    let vector = HyperVector::random("fox").expect("an instruction set");
    let fields = index.settings().fields();
    if fields.is_empty() {
        return Vectors::One(vector);
    }
    Vectors::Fields(fields.iter().map(|field| (field.name.clone(), vector.clone())).collect())
}

fn vector_answer(index: &HypervectorIndex) -> Vec<(String, f64)> {
    let query = question(index);
    let hits = index.search(&query, 50, None).expect("a good query").hits;
    check_order(&hits);
    let many = index.search_many(&[query.clone(), query.clone(), query], 50, None, 2).expect("good queries");
    assert!(many.iter().all(|found| found.hits == hits));
    hits
}

/// Any bytes as a dense index, likewise.
pub fn dense_bytes(data: &[u8]) {
    let _ = refused_or(DenseIndex::from_bytes(data));
    let mut forged = data.to_vec();
    mend(&mut forged, *b"DENS", &[*b"DIRE", *b"TIER", *b"ROWS"]);
    let Some(mut index) = refused_or(DenseIndex::from_bytes(&forged)) else { return };
    let hits = dense_answer(&index);
    let bytes = index.to_bytes();
    let again = DenseIndex::from_bytes(&bytes).expect("what was written is read");
    assert_eq!(dense_answer(&again), hits);
    assert_eq!(again.to_bytes(), bytes);
    let ids: Vec<String> = hits.into_iter().map(|hit| hit.0).collect();
    let held = index.len();
    assert_eq!((index.remove(&ids), index.len()), (ids.len(), held - ids.len()));
    index.add(&["new"], &[""], &vec![1.0; index.ladder().dimensions()]).expect("a good record");
    dense_answer(&index);
}

fn dense_answer(index: &DenseIndex) -> Vec<(String, f64)> {
    let query: Vec<f32> = (0..index.ladder().dimensions()).map(|n| 1.0 / (n as f32 - 2.5)).collect();
    let all = dense::Options { k: 50, ..dense::Options::default() };
    let hits = index.search(&query, None, None, &all).expect("a good query").hits;
    check_scores(&hits, -1.0);
    for (id, score) in &hits {
        assert_eq!(index.explain(&query, id).expect("a hit is held").score.to_bits(), score.to_bits());
    }
    let thresholds = vec![0.5; index.ladder().last()];
    let exit = Exit::new(index.ladder(), Some(&thresholds), ExitRule::AtLeast).expect("good thresholds");
    let early = dense::Mode::EarlyExit { exit, rescore: true, budget: None };
    for mode in [&early, &dense::Mode::Approximate { shortlist: Some(3) }] {
        let found = index.search(&query, None, None, &dense::Options { k: 2, mode, ..all }).expect("a good query");
        check_scores(&found.hits, -1.0);
    }
    hits
}

fn check_order(hits: &[(String, f64)]) {
    check_scores(hits, 0.0);
}

fn check_scores(hits: &[(String, f64)], least: f64) {
    assert!(hits.iter().all(|(id, score)| !id.is_empty() && score.is_finite() && *score >= least));
    assert!(hits.windows(2).all(|two| two[0].1 > two[1].1 || (two[0].1 >= two[1].1 && two[0].0 < two[1].0)));
}

/// A file may be refused, but only as what it is: damaged, or too new.
fn refused_or<T>(read: Result<T, Error>) -> Option<T> {
    match read {
        Ok(index) => Some(index),
        Err(Error::Corrupt { .. } | Error::UnsupportedFormat { .. }) => None,
        Err(other) => panic!("not an error of reading: {other}"),
    }
}

/// Makes header, tags and checksums right, so that what they protect is looked at. Good files stay as they are.
fn mend(bytes: &mut [u8], kind: Tag, tags: &[Tag]) {
    if bytes.len() < HEADER {
        return;
    }
    bytes[..8].copy_from_slice(b"byheart\0");
    bytes[8..12].copy_from_slice(&kind);
    bytes[12..16].copy_from_slice(&byheart_core::codec::FORMAT.to_le_bytes());
    bytes[16..20].copy_from_slice(&(tags.len() as u32).to_le_bytes());
    seal(&mut bytes[..HEADER]);
    let mut rest = &mut bytes[HEADER..];
    for (number, tag) in tags.iter().enumerate() {
        if rest.len() < FRAME {
            return;
        }
        let room = rest.len() - FRAME;
        let claimed = u64::from_le_bytes(rest[4..12].try_into().expect("eight bytes")) as usize;
        let needed = (tags.len() - number - 1) * FRAME; // by what comes after
        let length = if needed == 0 {
            room
        } else if claimed.saturating_add(needed) <= room {
            claimed
        } else {
            room / 2
        };
        rest[..4].copy_from_slice(tag);
        rest[4..12].copy_from_slice(&(length as u64).to_le_bytes());
        let (section, after) = rest.split_at_mut(length + FRAME);
        seal(section);
        rest = after;
    }
}

/// Writes the checksum of all but the last four bytes into these.
fn seal(block: &mut [u8]) {
    let end = block.len() - 4;
    let checksum = crc32fast::hash(&block[..end]);
    block[end..].copy_from_slice(&checksum.to_le_bytes());
}

/// Any text through every analyzer: the shortcuts for ASCII give what the general way gives.
pub fn analyzer(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut dirty = Scratch::default();
    for mode in [Mode::Unicode, Mode::Ascii] {
        for stop_words in [StopWords::English, StopWords::None] {
            for stem in [true, false] {
                let analyzer = Analyzer::new(mode, stem, stop_words);
                let terms = analyzer.terms(&text);
                assert!(terms.iter().all(|term| !term.is_empty() && term.len() <= MAX_TERM_BYTES));
                let mut emitted = Vec::new();
                analyzer.for_each_term(&text, &mut dirty, &mut |term| emitted.push(term.to_owned()));
                assert_eq!(emitted, terms, "a buffer that was used before");
                check_general_way(analyzer, &text, &terms);
                if text.is_ascii() {
                    assert_eq!(analyzer.terms(&text.to_ascii_uppercase()), terms, "{text:?} in capitals");
                }
            }
        }
    }
    for word in text.split_whitespace() {
        let stem = porter_stem(word);
        let both_short = word.chars().count() < 3;
        assert!(stem.len() <= word.len() && !stem.is_empty() && (!both_short || stem == word), "{word:?} {stem:?}");
    }
}

/// Beside words with an accent, a capital sigma and a wide letter nothing takes a shortcut; the other terms stay.
fn check_general_way(analyzer: Analyzer, text: &str, terms: &[String]) {
    const BEFORE: &str = "été 東京";
    const AFTER: &str = "ΟΔΟΣ Ｆull";
    let surrounded = analyzer.terms(&format!("{BEFORE} {text} {AFTER}"));
    assert_eq!(surrounded, [&analyzer.terms(BEFORE), terms, &analyzer.terms(AFTER)].concat(), "{text:?} among others");
    let pieces: Vec<String> = text.split_inclusive(' ').flat_map(|piece| analyzer.terms(piece)).collect();
    assert_eq!(pieces, terms, "{text:?} piece by piece");
}
