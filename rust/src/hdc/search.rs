//! Search: the rows of the searched cells against a group of queries, one cell and field after another.

use super::cell::Cell;
use super::hypervector::{HyperVector, similarity_at};
use super::index::Index;
use super::score::{Reach, field_score};
use super::settings::{Combine, Vectors};
use super::view::{View, views};
use crate::error::{Error, Result};
use crate::kernel::{Words, smallest};
use crate::rank::{TopK, check_k};
use crate::records::{Directory, Selection};

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

/// Hits, best first, with their scores: records by id, or by number.
#[derive(Debug, Clone, PartialEq)]
pub struct Found<R = String> {
    /// (record, score)
    pub hits: Vec<(R, f64)>,
    /// Work.
    pub counters: Counters,
}

/// The vector of a query for each column.
type Query<'q> = Vec<Option<&'q HyperVector>>;

/// What a search looks through.
struct Searched<'a> {
    index: &'a Index,
    directory: &'a Directory,
    cells: Vec<&'a Cell>,
    views: Vec<View<'a>>,
    only: Option<&'a Selection>,
    k: usize,
}

impl Index {
    /// The best `k` records for a query: score descending, then as the directory orders them.
    ///
    /// `cells` are the numbers of the cells to search, ascending. With `only` no other records are found: the answer is
    /// the whole one, filtered.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] or [`Error::LimitExceeded`] for k outside 1 to 100,000 and for vectors that do
    /// not fit the fields.
    pub fn search(
        &self,
        directory: &Directory,
        query: &Vectors,
        k: usize,
        cells: &[u32],
        only: Option<&Selection>,
    ) -> Result<Found<u32>> {
        let found = self.search_many(directory, &[query], k, cells, only, 1)?;
        Ok(found.into_iter().next().expect("one query, one answer"))
    }

    /// [`Index::search`] for each query, in one pass over the rows for every 32 of them. The answers are the same for
    /// every number of threads; the threads end with the call.
    ///
    /// # Errors
    /// As for one search, and for `threads` outside 1 to 256.
    pub fn search_many(
        &self,
        directory: &Directory,
        queries: &[&Vectors],
        k: usize,
        cells: &[u32],
        only: Option<&Selection>,
        threads: usize,
    ) -> Result<Vec<Found<u32>>> {
        check_k(k)?;
        match threads {
            0 => return Err(Error::invalid("threads", "is 0; give at least 1")),
            _ if threads > MAX_THREADS => return Err(Error::limit("threads", MAX_THREADS, threads)),
            _ => {}
        }
        let queries = self.columns(queries)?;
        let (cells, views) = views(self, cells, only);
        let searched = Searched { index: self, directory, cells, views, only, k };
        let share = queries.len().div_ceil(threads).max(1);
        let run = |queries: &[Query<'_>]| searched.search_share(queries);
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
}

impl Searched<'_> {
    fn search_share(&self, queries: &[Query<'_>]) -> Vec<Found<u32>> {
        let largest = self.views.iter().map(|view| view.documents.len()).max().unwrap_or(0);
        let whole = self.index.settings.fields().is_empty();
        let group = if whole { GROUP } else { (SUMS / largest.max(1)).clamp(1, GROUP) };
        queries.chunks(group).flat_map(|queries| self.search_group(queries)).collect()
    }

    fn search_group(&self, queries: &[Query<'_>]) -> Vec<Found<u32>> {
        let kept = self.k.min(self.index.len().max(1));
        let mut best: Vec<TopK> = queries.iter().map(|_| TopK::new(kept)).collect();
        if self.index.settings.fields().is_empty() {
            let (numbers, vectors) = with_column(queries, 0);
            let words: Vec<Words> = vectors.iter().map(|vector| *vector.words()).collect();
            for view in &self.views {
                self.offer_rows(view, &numbers, &words, &mut best);
            }
        } else {
            let mut sums = Sums::default();
            for view in &self.views {
                sums.clear(queries.len() * view.documents.len());
                self.add_fields(view, queries, &mut sums);
                self.offer_sums(view, &sums, &mut best);
            }
        }
        let hits = best.into_iter().map(|best| {
            let sorted = best.into_sorted(&|number| self.directory.key(number));
            sorted.into_iter().map(|(score, number)| (number, score)).collect()
        });
        hits.zip(queries).map(|(hits, query)| Found { hits, counters: counters(&self.cells, query) }).collect()
    }

    fn may_be_found(&self, number: u32) -> bool {
        self.only.is_none_or(|only| only.holds(number))
    }

    /// One vector a record: the similarity is the score.
    fn offer_rows(&self, view: &View<'_>, numbers: &[usize], queries: &[Words], best: &mut [TopK]) {
        let (isa, key) = (self.index.isa, |number: u32| self.directory.key(number));
        let column = &view.columns[0];
        let mut limits = vec![u16::MAX; queries.len()]; // larger distances cannot enter
        column.for_each_block(isa, queries, |start, distances| {
            // A look at many rows at once is cheap, and most of them hold nothing near enough; then at a few.
            if smallest(isa, distances) > widest(&limits) {
                return;
            }
            let rows = (GROUP / queries.len()).max(1);
            for (few, distances) in distances.chunks(rows * queries.len()).enumerate() {
                if smallest(isa, distances) > widest(&limits) {
                    continue;
                }
                for (row, distances) in (start + few * rows..).zip(distances.chunks_exact(queries.len())) {
                    let document = view.documents[column.slots[row] as usize];
                    if !self.may_be_found(document) {
                        continue;
                    }
                    for ((&distance, limit), &number) in distances.iter().zip(&mut limits).zip(numbers) {
                        if distance <= *limit {
                            best[number].offer(similarity_at(distance), document, &key);
                            *limit = distance_at(best[number].threshold());
                        }
                    }
                }
            }
        });
    }

    /// Several fields a record: adds every field's score to the sums, fields outer in declared order.
    fn add_fields(&self, view: &View<'_>, queries: &[Query<'_>], sums: &mut Sums) {
        let (settings, slots) = (&self.index.settings, view.documents.len());
        for ((number, field), column) in settings.fields().iter().enumerate().zip(&view.columns) {
            let (numbers, vectors) = with_column(queries, number);
            let words: Vec<Words> = vectors.iter().map(|vector| *vector.words()).collect();
            let mut reaches: Vec<Reach> = vectors.iter().map(|vector| Reach::new(vector.parts())).collect();
            column.for_each_block(self.index.isa, &words, |start, distances| {
                for (at, &query) in numbers.iter().enumerate() {
                    let range = query * slots..(query + 1) * slots;
                    let (scores, weights) = (&mut sums.scores[range.clone()], &mut sums.weights[range]);
                    let near = (start..).zip(distances[at..].iter().step_by(words.len()));
                    match settings.combine() {
                        Combine::Sum => near.for_each(|(row, &distance)| {
                            scores[column.slots[row] as usize] += field.weight * field_score(distance);
                        }),
                        Combine::Adaptive => near.for_each(|(row, &distance)| {
                            let slot = column.slots[row] as usize;
                            let mut score = field_score(distance);
                            if usize::from(view.held[slot]) < view.columns.len() {
                                score = reaches[at].scaled(score, settings.floor(), column.parts[row]);
                                weights[slot] += field.weight;
                            }
                            scores[slot] += field.weight * score;
                        }),
                    }
                }
            });
        }
    }

    fn offer_sums(&self, view: &View<'_>, sums: &Sums, best: &mut [TopK]) {
        let key = |number: u32| self.directory.key(number);
        let floor = self.index.settings.floor();
        let slots = view.documents.len();
        for (query, best) in best.iter_mut().enumerate() {
            let range = query * slots..(query + 1) * slots;
            let (scores, weights) = (&sums.scores[range.clone()], &sums.weights[range]);
            for ((&sum, &weight), &document) in scores.iter().zip(weights).zip(&*view.documents) {
                // A sum of weights is kept for incomplete records alone; theirs is a mean, floored field by field.
                let (score, floor) = if weight > 0.0 { (sum / weight, 0.0) } else { (sum, floor) };
                if score > floor && self.may_be_found(document) {
                    best.offer(score, document, &key);
                }
            }
        }
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
