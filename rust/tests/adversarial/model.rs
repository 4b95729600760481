//! Records as plain lists of (word, count), the search over them written out, and the comparison.

use std::collections::HashSet;

use byheart_core::lexical::{Attributes, Batch, Field, LexicalIndex, Options, Query, Settings};
use byheart_core::math::ln;
use byheart_core::text::{Analyzer, Mode, StopWords};

/// Words are numbers here; in a text, word 7 is `w7`.
pub type Words = Vec<(u32, u32)>;

/// A record: per field its distinct words with their counts.
#[derive(Debug, Clone)]
pub struct Record {
    pub id: String,
    pub cell: usize,
    pub label: usize,
    pub fields: Vec<Words>,
}

/// What to ask.
#[derive(Debug, Clone, Default)]
pub struct Question {
    pub words: Vec<u32>,
    pub k: usize,
    pub cells: Option<Vec<usize>>,
    /// (label, factor)
    pub boosts: Vec<(usize, f64)>,
}

/// The same records twice: in an index, and in a list that is looked through from end to end.
pub struct Pair {
    index: LexicalIndex,
    records: Vec<Record>,
    weights: Vec<f64>,
    asked: usize,
}

impl Pair {
    pub fn new(weights: &[f64]) -> Self {
        let fields = weights.iter().enumerate().map(|(n, &weight)| Field { name: format!("f{n}"), weight }).collect();
        let analyzer = Analyzer::new(Mode::Ascii, false, StopWords::None);
        let index = LexicalIndex::new(Settings::new(fields, K1, B, analyzer).unwrap());
        Self { index, records: Vec::new(), weights: weights.to_vec(), asked: 0 }
    }

    /// Adds new records in one call.
    pub fn add(&mut self, records: Vec<Record>) {
        let mut batch = Batch::default();
        for record in &records {
            let texts: Vec<String> = record.fields.iter().map(text).collect();
            let fields: Vec<(usize, &str)> = texts.iter().enumerate().map(|(n, text)| (n, text.as_str())).collect();
            batch.push(self.index.settings(), &fields).unwrap();
        }
        let ids: Vec<String> = records.iter().map(|record| record.id.clone()).collect();
        let cells: Vec<String> = records.iter().map(|record| cell_key(record.cell)).collect();
        let labels: Vec<Option<String>> = records.iter().map(|r| (r.label > 0).then(|| label_name(r.label))).collect();
        self.index.add(&ids, &batch, Attributes { cells: Some(&cells), labels: Some(&labels) }).unwrap();
        self.records.extend(records);
    }

    /// Removes the records of which `leaves` says so, in one call.
    pub fn remove(&mut self, leaves: impl Fn(&Record) -> bool) {
        let ids: Vec<String> = self.records.iter().filter(|r| leaves(r)).map(|r| r.id.clone()).collect();
        assert_eq!(self.index.remove(&ids), ids.len());
        self.records.retain(|record| !leaves(record));
        assert_eq!(self.index.len(), self.records.len());
    }

    /// Puts the index through its own bytes.
    pub fn reread(&mut self) {
        self.index = LexicalIndex::from_bytes(&self.index.to_bytes()).unwrap();
    }

    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// How many questions were asked so far.
    pub fn asked(&self) -> usize {
        self.asked
    }

    /// Asks both sides, for all records and for some of them; ids, order and score bits must agree.
    pub fn ask(&mut self, question: &Question) {
        let terms: Vec<String> = question.words.iter().map(|word| format!("w{word}")).collect();
        let query = Query::from_terms(terms.iter().map(String::as_str)).unwrap();
        let mut options = Options {
            k: question.k,
            cells: question.cells.as_ref().map(|cells| cells.iter().map(|&cell| cell_key(cell)).collect()),
            boosts: question.boosts.iter().map(|&(label, factor)| (label_name(label), factor)).collect(),
            among: None,
        };
        let mut expected = exhaustive(&self.records, &self.weights, question);
        let found = self.index.search(&query, &options).unwrap().hits;
        check(&found, &expected[..question.k.min(expected.len())], question);
        let some = self.some();
        expected.retain(|(id, _)| some.contains(id));
        expected.truncate(question.k);
        options.among = Some(some.into_iter().collect());
        check(&self.index.search(&query, &options).unwrap().hits, &expected, question);
        self.asked += 1;
    }

    /// The ids of some records, others each time: nearly all, half of them, or so few that they are looked for one by one.
    fn some(&self) -> HashSet<String> {
        let (of, most) = [(10, 9), (2, 1), (3, 2), (40, 1)][self.asked % 4];
        let chance = |n: usize| (n * 2_654_435_761 + self.asked * 40_503) / 64 % of;
        let records = self.records.iter().enumerate().filter(|(n, _)| chance(*n) < most);
        records.map(|(_, record)| record.id.clone()).collect()
    }
}

fn check(found: &[(String, f64)], expected: &[(String, f64)], question: &Question) {
    assert_eq!(found.len(), expected.len(), "{question:?}");
    for (at, ((id, score), (expected_id, expected_score))) in found.iter().zip(expected).enumerate() {
        let agree = id == expected_id && score.to_bits() == expected_score.to_bits();
        assert!(agree, "{question:?}, hit {at}: {id} {score}, not {expected_id} {expected_score}");
    }
}

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// The definition: every record of the cells is scored, then all are sorted; the first k are the answer.
#[allow(clippy::suboptimal_flops)] // rounded after each operation, as the definition says
fn exhaustive(records: &[Record], weights: &[f64], question: &Question) -> Vec<(String, f64)> {
    let inside = |record: &&Record| question.cells.as_ref().is_none_or(|cells| cells.contains(&record.cell));
    let (mut count, mut lengths, mut df) = (0_u64, vec![0_u64; weights.len()], vec![0_u64; question.words.len()]);
    let mut matching = Vec::new();
    for record in records.iter().filter(inside) {
        count += 1;
        for (total, field) in lengths.iter_mut().zip(&record.fields) {
            *total += length(field);
        }
        let mut any = false;
        for (df, &word) in df.iter_mut().zip(&question.words) {
            let holds = record.fields.iter().any(|field| count_of(field, word) > 0);
            *df += u64::from(holds);
            any |= holds;
        }
        if any {
            matching.push(record);
        }
    }
    let n = count as f64;
    let mut found = Vec::new();
    for record in matching {
        let mut sum = 0.0;
        for (field, words) in record.fields.iter().enumerate() {
            let average = if lengths[field] == 0 { 1.0 } else { lengths[field] as f64 / n };
            for (&df, &word) in df.iter().zip(&question.words) {
                let tf = f64::from(count_of(words, word));
                if tf > 0.0 {
                    let idf = ln((n - df as f64 + 0.5) / (df as f64 + 0.5) + 1.0);
                    let base = weights[field] * idf * (K1 + 1.0);
                    let norm = K1 * ((1.0 - B) + (B / average) * length(words) as f64);
                    sum += (base * tf) / (tf + norm);
                }
            }
        }
        let factor = question.boosts.iter().find(|boost| boost.0 == record.label).map(|boost| boost.1);
        let score = factor.map_or(sum, |factor| sum * factor);
        if score > 0.0 {
            found.push((record.id.clone(), score));
        }
    }
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    found
}

fn count_of(field: &Words, word: u32) -> u32 {
    field.iter().find(|(other, _)| *other == word).map_or(0, |&(_, count)| count)
}

fn length(field: &Words) -> u64 {
    field.iter().map(|&(_, count)| u64::from(count)).sum()
}

fn text(field: &Words) -> String {
    field.iter().map(|&(word, count)| format!("w{word} ").repeat(count as usize)).collect()
}

fn cell_key(cell: usize) -> String {
    format!("cell {cell}")
}

fn label_name(label: usize) -> String {
    format!("label {label}")
}
