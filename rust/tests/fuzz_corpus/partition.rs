//! What must hold for any bytes of a directory with its fields, and for those of a partition.

use std::ops::Bound;

use byheart_core::codec::{Reader, Tag, Writer};
use byheart_core::lexical::{Batch, Query};
use byheart_core::partition::{Additions, Forms, Leg, Partition, Question, Retriever, Scope};
use byheart_core::records::{self, Directory, Fields, Filter, Value};
use byheart_core::{Error, dense, hdc};

use super::{mend, refused_or};

const DIRECTORY: Tag = *b"FLDS";
const PARTITION: Tag = *b"PART";
const RECORDS: [Tag; 4] = [*b"DIRE", *b"HELD", *b"COLS", *b"KEYS"];
const WORDS: [Tag; 3] = [*b"LEXS", *b"TERM", *b"LEXR"];
const VECTORS: [Tag; 2] = [*b"HDCS", *b"HDCR"];
const EMBEDDINGS: [Tag; 2] = [*b"TIER", *b"ROWS"];

/// Any bytes as a directory with fields: refused, or asked, taken apart and written again.
pub fn directory_bytes(data: &[u8]) {
    let _ = refused_or(read(data));
    let mut forged = data.to_vec();
    mend(&mut forged, DIRECTORY, &RECORDS);
    let Some((mut directory, mut fields)) = refused_or(read(&forged)) else { return };
    let found = selected(&directory, &fields);
    let bytes = written(&directory, &fields);
    let (again, same) = read(&bytes).expect("what was written is read");
    assert_eq!(selected(&again, &same), found);
    assert_eq!(written(&again, &same), bytes);
    let numbers = directory.canonical();
    let held = fields.len();
    assert_eq!(fields.remove(&directory, &numbers), held);
    assert!(numbers.iter().all(|&number| directory.remove(number)));
    assert!(directory.is_empty() && fields.is_empty());
    let number = directory.insert("cell", "new");
    fields.put(&directory, &[number], &said()).expect("a good record");
    selected(&directory, &fields);
}

fn read(bytes: &[u8]) -> Result<(Directory, Fields), Error> {
    let mut reader = Reader::open(bytes, DIRECTORY)?;
    let directory = Directory::read(&mut reader)?;
    let fields = Fields::read(&mut reader, &directory)?;
    reader.finish()?;
    Ok((directory, fields))
}

fn written(directory: &Directory, fields: &Fields) -> Vec<u8> {
    let (mut writer, order) = (Writer::new(DIRECTORY), directory.canonical());
    directory.write(&mut writer, &order);
    fields.write(&mut writer, &directory.positions(&order));
    writer.finish()
}

/// What a record says in its fields: one value of a name that corpora have.
fn said() -> records::Batch {
    let mut batch = records::Batch::default();
    batch.push("tags", "red".into()).expect("a short text");
    batch.end();
    batch
}

/// Filters of each kind, over names that corpora have.
fn filters() -> Vec<Filter> {
    let tags = || "tags".to_owned();
    let number = |value| Value::number(value).expect("a finite number");
    let range = |field: &str, low, high| Filter::Range { field: field.to_owned(), low, high };
    let red = Filter::In { field: tags(), values: vec!["red".into(), true.into(), number(1.0)] };
    vec![
        Filter::And(Vec::new()),
        red.clone(),
        Filter::Not(Box::new(red.clone())),
        Filter::Exists { field: tags(), exists: false },
        range("tags", Bound::Included("a".into()), Bound::Excluded("s".into())),
        range("length", Bound::Excluded(number(-1.0)), Bound::Unbounded),
        range("ends", Bound::Unbounded, Bound::Included(number(5.0))),
        Filter::Or(vec![red, Filter::In { field: "id".to_owned(), values: vec!["a".into()] }]),
    ]
}

/// What each filter selects, by id and cell; and what it does not, which is all the rest.
fn selected(directory: &Directory, fields: &Fields) -> Vec<Vec<(String, String)>> {
    let cells = directory.cell_numbers(None::<&[&str]>);
    let names = |filter: &Filter| {
        let found = filter.matches(directory, fields, &cells).expect("a good filter");
        let mut names: Vec<(String, String)> = found.iter().map(|number| directory.name(number)).collect();
        names.sort_unstable();
        names
    };
    let all = fields.members(&cells).len() as usize;
    assert_eq!(all, fields.len());
    filters()
        .into_iter()
        .map(|filter| {
            let found = names(&filter);
            assert_eq!(found.len() + names(&Filter::Not(Box::new(filter))).len(), all);
            found
        })
        .collect()
}

/// Any bytes as a partition, likewise, with the index of embeddings and without.
pub fn partition_bytes(data: &[u8]) {
    let _ = refused_or(Partition::from_bytes(data));
    let first = [&[*b"HEAD"][..], &RECORDS, &[*b"HASH"], &WORDS, &VECTORS].concat();
    for tags in [[&first[..], &EMBEDDINGS].concat(), first.clone()] {
        let mut forged = data.to_vec();
        mend(&mut forged, PARTITION, &tags);
        if let Some(partition) = refused_or(Partition::from_bytes(&forged)) {
            check_partition(partition);
        }
    }
}

fn check_partition(mut partition: Partition) {
    let answers = proposed(&partition);
    let bytes = partition.to_bytes();
    let again = Partition::from_bytes(&bytes).expect("what was written is read");
    assert!(again.is_like(&partition));
    assert_eq!(proposed(&again), answers);
    assert_eq!(again.to_bytes(), bytes);
    let numbers = partition.directory().canonical();
    assert_eq!((partition.remove(&numbers), partition.len()), (numbers.len(), 0));
    let mut documents = Batch::default();
    documents.push(partition.lexical().settings(), &[(0, "red fox")]).expect("a short text");
    let keys = vec![("new".to_owned(), "cell".to_owned())];
    let more = Additions { keys, fields: said(), documents, labels: vec![None], ..Additions::default() };
    partition.put(&more).expect("a good record");
    proposed(&partition);
}

/// What each leg finds, with each filter and without one, by id and cell; a filter leaves out and changes no score.
fn proposed(partition: &Partition) -> Vec<Vec<(String, String, u64)>> {
    let forms = forms(partition);
    let mut retrievers = vec![Retriever::Lexical, Retriever::Hypervector];
    if partition.dense().is_some() {
        retrievers.push(Retriever::Dense(dense::Mode::Exact));
    }
    let legs: Vec<Leg> = retrievers.into_iter().map(|retriever| Leg::new(retriever, 1_000)).collect();
    let cells = partition.directory().cell_numbers(None::<&[&str]>);
    let mut all: Vec<Vec<(String, String, u64)>> = Vec::new();
    let now = partition.any_ends(&cells).then_some(2.5);
    for filter in [None].into_iter().chain(filters().into_iter().map(Some)) {
        let scope = Scope { cells: &cells, filter: filter.as_ref(), now, gone: None };
        let mut question = Question { forms: &forms, scope, clock: &|| 0.0, expired: &mut || false };
        let proposal = partition.propose(&legs, &mut question).expect("good legs");
        for (at, answer) in proposal.answers.iter().enumerate() {
            let name = |&(row, score): &(u32, f64)| {
                let (id, cell) = partition.directory().name(proposal.records[row as usize]);
                (id, cell, score.to_bits())
            };
            let found: Vec<(String, String, u64)> = answer.hits.iter().map(name).collect();
            if partition.len() <= 1_000 && filter.is_some() {
                assert!(found.iter().all(|hit| all[at].contains(hit)), "a filter changes no score");
            }
            all.push(found);
        }
    }
    all
}

fn forms(partition: &Partition) -> Forms {
    let query = Query::from_text(partition.lexical().settings(), "red fox 東京").expect("a short query");
    let vector = hdc::HyperVector::random("fox").expect("an instruction set");
    let fields = partition.hypervectors().settings().fields();
    let vectors = if fields.is_empty() {
        hdc::Vectors::One(vector)
    } else {
        hdc::Vectors::Fields(fields.iter().map(|field| (field.name.clone(), vector.clone())).collect())
    };
    let width = partition.dense().map(|dense| dense.ladder().dimensions());
    let embedding = width.map(|width| (0..width).map(|n| 1.0 / (n as f32 - 2.5)).collect());
    Forms { terms: Some((query, Vec::new())), hypervectors: Some(vectors), vector: embedding, symbols: None }
}
