//! Search: every row of the searched cells against a group of queries, one cell and field after another.

use super::cell::{Cell, Column};
use super::hypervector::{HyperVector, similarity_at};
use super::index::HypervectorIndex;
use super::score::{Reach, field_score};
use super::settings::{Combine, Vectors};
use crate::error::{Error, Result};
use crate::kernel::{Isa, Words, hamming_batch, hamming_many, smallest};
use crate::rank::{TopK, check_k};

/// Rows whose distances are held at once.
const BLOCK: usize = 256;

/// Queries that share one pass over the rows.
const GROUP: usize = 32;

/// Sums held at once by one thread; a group of queries is smaller where cells are larger.
const SUMS: usize = 1 << 18;

/// The most threads a search may use.
pub const MAX_THREADS: usize = 256;

/// How much there was to do, counted inside the searched cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Records in the cells.
    pub records: u64,
    /// Rows compared: for each field of the query, the records that have it.
    pub rows: u64,
}

/// Hits, best first, with their scores.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// (id, score)
    pub hits: Vec<(String, f64)>,
    /// Work.
    pub counters: Counters,
}

/// The vector of a query for each column.
type Query<'q> = Vec<Option<&'q HyperVector>>;

impl HypervectorIndex {
    /// The best `k` records for a query: score descending, then id ascending.
    ///
    /// `cells` are the keys to search, `None` for all. Unknown and repeated keys are ignored; no cell means
    /// no hit.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] or [`Error::LimitExceeded`] for k outside 1 to 100,000 and for vectors that do
    /// not fit the fields.
    pub fn search(&self, query: &Vectors, k: usize, cells: Option<&[&str]>) -> Result<Found> {
        let found = self.search_many(std::slice::from_ref(query), k, cells, 1)?;
        Ok(found.into_iter().next().unwrap_or_default())
    }

    /// [`HypervectorIndex::search`] for each query, in one pass over the rows for every 32 of them. The answers
    /// are the same for every number of threads; the threads end with the call.
    ///
    /// # Errors
    /// As for one search, and for `threads` outside 1 to 256.
    pub fn search_many(
        &self,
        queries: &[Vectors],
        k: usize,
        cells: Option<&[&str]>,
        threads: usize,
    ) -> Result<Vec<Found>> {
        check_k(k)?;
        match threads {
            0 => return Err(Error::invalid("threads", "is 0; give at least 1")),
            _ if threads > MAX_THREADS => return Err(Error::limit("threads", MAX_THREADS, threads)),
            _ => {}
        }
        let queries = queries.iter().map(|query| self.settings.by_column(query)).collect::<Result<Vec<_>>>()?;
        let cells = self.select(cells);
        let share = queries.len().div_ceil(threads).max(1);
        let run = |queries: &[Query<'_>]| self.search_share(queries, k, &cells);
        if threads == 1 || queries.len() <= 1 {
            return Ok(run(&queries));
        }
        std::thread::scope(|scope| {
            let (first, rest) = queries.split_at(share.min(queries.len()));
            let spawn = |share| (share, std::thread::Builder::new().spawn_scoped(scope, move || run(share)));
            let running: Vec<_> = rest.chunks(share).map(spawn).collect();
            let mut found = run(first);
            for (share, thread) in running {
                // Where the system gives no thread, or one dies, the work is done here.
                found.extend(thread.ok().and_then(|thread| thread.join().ok()).unwrap_or_else(|| run(share)));
            }
            Ok(found)
        })
    }

    fn search_share(&self, queries: &[Query<'_>], k: usize, cells: &[&Cell]) -> Vec<Found> {
        let largest = cells.iter().map(|cell| cell.documents.len()).max().unwrap_or(0);
        let whole = self.settings.fields().is_empty();
        let group = if whole { GROUP } else { (SUMS / largest.max(1)).clamp(1, GROUP) };
        queries.chunks(group).flat_map(|queries| self.search_group(queries, k, cells)).collect()
    }

    fn search_group(&self, queries: &[Query<'_>], k: usize, cells: &[&Cell]) -> Vec<Found> {
        let name = |document: u32| self.ids.name(document);
        let mut best: Vec<TopK> = queries.iter().map(|_| TopK::new(k.min(self.len().max(1)))).collect();
        if self.settings.fields().is_empty() {
            let (numbers, vectors) = with_column(queries, 0);
            let words: Vec<Words> = vectors.iter().map(|vector| *vector.words()).collect();
            for cell in cells {
                self.offer_rows(cell, &numbers, &words, &mut best);
            }
        } else {
            let mut sums = Sums::default();
            for cell in cells {
                sums.clear(queries.len() * cell.documents.len());
                self.add_fields(cell, queries, &mut sums);
                self.offer_sums(cell, &sums, &mut best);
            }
        }
        let hits = best.into_iter().map(|best| {
            best.into_sorted(&name).into_iter().map(|(score, doc)| (name(doc).to_owned(), score)).collect()
        });
        hits.zip(queries).map(|(hits, query)| Found { hits, counters: counters(cells, query) }).collect()
    }

    /// One vector a record: the similarity is the score.
    fn offer_rows(&self, cell: &Cell, numbers: &[usize], queries: &[Words], best: &mut [TopK]) {
        let name = |document: u32| self.ids.name(document);
        let column = &cell.columns[0];
        let mut limits = vec![u16::MAX; queries.len()]; // larger distances cannot enter
        for_each_block(self.isa, column, queries, |start, distances| {
            // A look at many rows at once is cheap, and most of them hold nothing near enough; then at a few.
            if smallest(self.isa, distances) > widest(&limits) {
                return;
            }
            let rows = (GROUP / queries.len()).max(1);
            for (few, distances) in distances.chunks(rows * queries.len()).enumerate() {
                if smallest(self.isa, distances) > widest(&limits) {
                    continue;
                }
                for (row, distances) in (start + few * rows..).zip(distances.chunks_exact(queries.len())) {
                    let document = cell.documents[column.slots[row] as usize];
                    for ((&distance, limit), &number) in distances.iter().zip(&mut limits).zip(numbers) {
                        if distance <= *limit {
                            best[number].offer(similarity_at(distance), document, &name);
                            *limit = distance_at(best[number].threshold());
                        }
                    }
                }
            }
        });
    }

    /// Several fields a record: adds every field's score to the sums, fields outer in declared order.
    fn add_fields(&self, cell: &Cell, queries: &[Query<'_>], sums: &mut Sums) {
        let slots = cell.documents.len();
        for ((number, field), column) in self.settings.fields().iter().enumerate().zip(&cell.columns) {
            let (numbers, vectors) = with_column(queries, number);
            let words: Vec<Words> = vectors.iter().map(|vector| *vector.words()).collect();
            let mut reaches: Vec<Reach> = vectors.iter().map(|vector| Reach::new(vector.parts())).collect();
            for_each_block(self.isa, column, &words, |start, distances| {
                for (at, &query) in numbers.iter().enumerate() {
                    let range = query * slots..(query + 1) * slots;
                    let (scores, weights) = (&mut sums.scores[range.clone()], &mut sums.weights[range]);
                    let near = (start..).zip(distances[at..].iter().step_by(words.len()));
                    match self.settings.combine() {
                        Combine::Sum => near.for_each(|(row, &distance)| {
                            scores[column.slots[row] as usize] += field.weight * field_score(distance);
                        }),
                        Combine::Adaptive => near.for_each(|(row, &distance)| {
                            let slot = column.slots[row] as usize;
                            let mut score = field_score(distance);
                            if usize::from(cell.held[slot]) < cell.columns.len() {
                                score = reaches[at].scaled(score, self.settings.floor(), column.parts[row]);
                                weights[slot] += field.weight;
                            }
                            scores[slot] += field.weight * score;
                        }),
                    }
                }
            });
        }
    }

    fn offer_sums(&self, cell: &Cell, sums: &Sums, best: &mut [TopK]) {
        let name = |document: u32| self.ids.name(document);
        let floor = self.settings.floor();
        let slots = cell.documents.len();
        for (query, best) in best.iter_mut().enumerate() {
            let range = query * slots..(query + 1) * slots;
            let (scores, weights) = (&sums.scores[range.clone()], &sums.weights[range]);
            for ((&sum, &weight), &document) in scores.iter().zip(weights).zip(&cell.documents) {
                // A sum of weights is kept for incomplete records alone; theirs is a mean, floored field by field.
                let (score, floor) = if weight > 0.0 { (sum / weight, 0.0) } else { (sum, floor) };
                if score > floor {
                    best.offer(score, document, &name);
                }
            }
        }
    }

    pub(super) fn select(&self, keys: Option<&[&str]>) -> Vec<&Cell> {
        let mut numbers: Vec<u32> = match keys {
            Some(keys) => keys.iter().filter_map(|key| self.cell_keys.get(key)).collect(),
            None => (0..self.cells.len() as u32).collect(),
        };
        numbers.sort_unstable();
        numbers.dedup();
        let cells = numbers.into_iter().map(|number| &self.cells[number as usize]);
        cells.filter(|cell| !cell.documents.is_empty()).collect()
    }
}

/// Running sums, one for each query and slot.
#[derive(Debug, Default)]
struct Sums {
    scores: Vec<f64>,
    weights: Vec<f64>,
}

impl Sums {
    fn clear(&mut self, count: usize) {
        for sums in [&mut self.scores, &mut self.weights] {
            sums.clear();
            sums.resize(count, 0.0);
        }
    }
}

/// The queries that have a column: their numbers and vectors.
fn with_column<'q>(queries: &[Query<'q>], column: usize) -> (Vec<usize>, Vec<&'q HyperVector>) {
    queries.iter().enumerate().filter_map(|(number, query)| Some((number, query[column]?))).unzip()
}

/// Hands over the distances of a column's rows from all queries, block by block: the block's first row, then
/// for each row one distance a query.
fn for_each_block(isa: Isa, column: &Column, queries: &[Words], mut take: impl FnMut(usize, &[u16])) {
    if queries.is_empty() {
        return;
    }
    let mut distances = vec![0; BLOCK * queries.len()];
    for (block, rows) in column.rows.chunks(BLOCK).enumerate() {
        let distances = &mut distances[..rows.len() * queries.len()];
        if let [query] = queries {
            hamming_many(isa, query, rows, distances);
        } else {
            hamming_batch(isa, queries, rows, distances);
        }
        take(block * BLOCK, distances);
    }
}

/// No query takes a larger distance.
fn widest(limits: &[u16]) -> u16 {
    limits.iter().fold(0, |widest, &limit| widest.max(limit))
}

/// The largest distance whose similarity is not below the threshold, which is none or a similarity itself.
#[allow(clippy::cast_sign_loss)] // a threshold is never above 1
fn distance_at(threshold: f64) -> u16 {
    ((1.0 - threshold) * 4096.0) as u16 // exact: a multiple of 1 / 4096, or infinity, which saturates
}

fn counters(cells: &[&Cell], query: &Query<'_>) -> Counters {
    let rows = |cell: &Cell| -> usize {
        cell.columns.iter().zip(query).filter(|(_, vector)| vector.is_some()).map(|(column, _)| column.rows.len()).sum()
    };
    Counters {
        records: cells.iter().map(|cell| cell.documents.len() as u64).sum(),
        rows: cells.iter().map(|cell| rows(cell) as u64).sum(),
    }
}
