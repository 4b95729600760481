//! Search: which records, in which of three ways, on how many threads.

use super::cascade::{Exit, Visit, descend};
use super::index::CascadeIndex;
use super::scan::Hunt;
use super::scope::Scope;
use super::vector::{check_finite, normalised};
use crate::error::{Error, Result};
use crate::rank::check_k;

/// The most threads a search may use.
pub const MAX_THREADS: usize = 256;

/// Queries that share one pass over the rows.
const GROUP: usize = 32;

/// Bounds held at once by one thread; a group of queries is smaller where cells are larger.
const BOUNDS: usize = 1 << 23;

/// Unless told otherwise, an approximate search looks closer at one row in this many, and at this many for each hit.
const ROWS_A_CANDIDATE: usize = 100;
const CANDIDATES_A_HIT: usize = 20;

/// Milliseconds since some moment. The core reads no clock: whoever calls brings one.
type Clock<'c> = &'c (dyn Fn() -> f64 + Sync);

/// The way to search.
#[derive(Debug, Clone, PartialEq)]
pub enum Mode {
    /// The best of the last tier, provably.
    Exact,
    /// The best of the tier at which the seed's cascade ends.
    EarlyExit {
        /// When it ends.
        exit: Exit,
        /// True: the hits get the scores of the last tier, and their order by these (spec A1.4.14).
        rescore: bool,
        /// Milliseconds after which the last tier comes next (spec A1.4.6).
        budget: Option<f64>,
    },
    /// The best of the last tier among the rows that look best in the first.
    Approximate {
        /// How many rows; without a number, some for each hit and a share of all.
        shortlist: Option<usize>,
    },
}

/// How to search.
#[derive(Clone, Copy)]
pub struct Options<'o> {
    /// How many hits, 1 to 100,000.
    pub k: usize,
    /// The way.
    pub mode: &'o Mode,
    /// Ids of the only records that can be found, in every tier; `None` for all. Unknown and repeated ones are
    /// ignored. With these, an approximate search is an exact one.
    pub among: Option<&'o [String]>,
    /// For timings and for the time budget.
    pub clock: Clock<'o>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { k: 10, mode: &Mode::Exact, among: None, clock: &|| 0.0 }
    }
}

/// How much there was to do, counted inside the searched cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Records in the cells; with `among`, those of them that it names.
    pub records: u64,
    /// Blocks of rows whose bounds were computed.
    pub estimated: u64,
    /// Rows scored in full precision.
    pub rescored: u64,
}

/// Hits, best first, and how they were found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// (id, score)
    pub hits: Vec<(String, f64)>,
    /// Work.
    pub counters: Counters,
    /// Tiers visited; the last one answered.
    pub trace: Vec<Visit>,
    /// Milliseconds for each of them.
    pub timings: Vec<f64>,
}

impl CascadeIndex {
    /// The best records for a query: score descending, then id ascending. A zero query finds nothing.
    ///
    /// `cells` are the keys to search, `None` for all. Unknown and repeated keys are ignored; no cell means no hit.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] or [`Error::LimitExceeded`] for k outside 1 to 100,000 and for a query that has
    /// other dimensions or is not finite.
    pub fn search(&self, query: &[f32], cells: Option<&[&str]>, options: &Options<'_>) -> Result<Found> {
        super::vector::check("query", query, self.ladder.dimensions())?;
        let found = self.search_many(query, cells, options, 1)?;
        Ok(found.into_iter().next().unwrap_or_default())
    }

    /// [`CascadeIndex::search`] for each query (their values one after the other), exact ones in one pass over the
    /// rows for up to 32 of them. The answers are the same for every number of threads; the threads end with the
    /// call.
    ///
    /// # Errors
    /// As for one search, and for `threads` outside 1 to 256.
    pub fn search_many(
        &self,
        queries: &[f32],
        cells: Option<&[&str]>,
        options: &Options<'_>,
        threads: usize,
    ) -> Result<Vec<Found>> {
        check_k(options.k)?;
        match threads {
            0 => return Err(Error::invalid("threads", "is 0; give at least 1")),
            _ if threads > MAX_THREADS => return Err(Error::limit("threads", MAX_THREADS, threads)),
            _ => {}
        }
        let dimensions = self.ladder.dimensions();
        if !queries.len().is_multiple_of(dimensions) {
            let why =
                format!("holds {} values, which is no number of vectors of {dimensions} dimensions", queries.len());
            return Err(Error::invalid("queries", why));
        }
        check_finite("query", queries)?;
        let rows: Vec<f32> = queries.chunks_exact(dimensions).flat_map(|q| normalised(self.isa, q)).collect();
        let rows: Vec<&[f32]> = rows.chunks_exact(dimensions).collect();
        let scope = self.scope(cells, options.among);
        let share = rows.len().div_ceil(threads).max(1);
        let run = |rows: &[&[f32]]| self.search_share(rows, &scope, options);
        if threads == 1 || rows.len() <= 1 {
            return Ok(run(&rows));
        }
        std::thread::scope(|scope| {
            let (first, rest) = rows.split_at(share.min(rows.len()));
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

    fn search_share(&self, rows: &[&[f32]], scope: &Scope<'_>, options: &Options<'_>) -> Vec<Found> {
        let group = match options.mode {
            Mode::Exact => (BOUNDS / scope.streamed.max(1)).clamp(1, GROUP),
            Mode::EarlyExit { .. } | Mode::Approximate { .. } => 1,
        };
        let nothing = Scope::nothing(self);
        // One block for all that are held at once: the allocator gives that back warm, call after call.
        let mut bounds = vec![0.0; scope.streamed * group.min(rows.len())];
        let search = |rows: &[&[f32]]| {
            let start = (options.clock)();
            let places =
                bounds.chunks_exact_mut(scope.streamed.max(1)).map(Some).chain(std::iter::repeat_with(|| None));
            let hunts = rows.iter().zip(places).map(|(row, place)| {
                // A zero query is like nothing, so it looks at nothing.
                let zero = row.iter().all(|&value| value == 0.0);
                let place = place.filter(|_| !zero).unwrap_or_default();
                Hunt::new(if zero { &nothing } else { scope }, row, options.k, place)
            });
            let mut hunts: Vec<Hunt<'_, '_>> = hunts.collect();
            let found: Vec<Found> = match options.mode {
                Mode::Exact => {
                    Hunt::finish(&mut hunts);
                    hunts.into_iter().map(|hunt| self.last_tier(hunt, (options.clock)() - start)).collect()
                }
                Mode::Approximate { shortlist } => {
                    let few = CANDIDATES_A_HIT * options.k + scope.records / ROWS_A_CANDIDATE;
                    for hunt in &mut hunts {
                        hunt.approximate(shortlist.unwrap_or(few));
                    }
                    hunts.into_iter().map(|hunt| self.last_tier(hunt, (options.clock)() - start)).collect()
                }
                Mode::EarlyExit { exit, rescore, budget } => {
                    let spent = || budget.is_some_and(|budget| (options.clock)() - start >= budget);
                    let one = |hunt| self.early_exit(hunt, exit, *rescore, spent, options.clock);
                    hunts.into_iter().map(one).collect()
                }
            };
            found
        };
        rows.chunks(group).flat_map(search).collect()
    }

    /// What a search of the last tier alone has found.
    fn last_tier(&self, hunt: Hunt<'_, '_>, time: f64) -> Found {
        let best = hunt.best.unwrap_or_default();
        let visit = Visit {
            tier: self.ladder.last() + 1,
            dimensions: self.ladder.dimensions(),
            best: best.first().map_or(0.0, |hit| hit.0),
            exited: false,
            rows: hunt.counters.records,
        };
        Found { hits: self.named(best), counters: hunt.counters, trace: vec![visit], timings: vec![time] }
    }

    fn early_exit(
        &self,
        mut hunt: Hunt<'_, '_>,
        exit: &Exit,
        rescore: bool,
        spent: impl Fn() -> bool,
        clock: Clock<'_>,
    ) -> Found {
        let (mut best, mut timings) = (Vec::new(), Vec::new());
        let trace = descend(&self.ladder, exit, spent, |tier| {
            let start = clock();
            best = hunt.best_of_tier(tier);
            timings.push(clock() - start);
            (best.first().map(|hit| hit.0), hunt.counters.records)
        });
        let last = self.ladder.last();
        if rescore && trace.last().is_some_and(|visit| visit.tier <= last) {
            for hit in &mut best {
                hit.0 = hunt.score(last, hit.1);
            }
            best.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| self.ids.name(a.1).cmp(self.ids.name(b.1))));
        }
        Found { hits: self.named(best), counters: hunt.counters, trace, timings }
    }

    fn named(&self, best: Vec<(f64, u32)>) -> Vec<(String, f64)> {
        best.into_iter().map(|(score, document)| (self.ids.name(document).to_owned(), score)).collect()
    }
}
