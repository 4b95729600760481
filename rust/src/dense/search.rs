//! The search over numbers: which records, in which of three ways, on how many threads.

use super::cascade::{Exit, Visit, descend};
use super::found::Found;
use super::index::Index;
use super::options::{Clock, Mode, Options};
use super::scan::Hunt;
use super::scope::Scope;
use super::vector::{check, check_finite, normalised};
use crate::error::{Error, Result};
use crate::rank::check_k;
use crate::records::{Directory, Selection};

/// The most threads a search may use.
pub const MAX_THREADS: usize = 256;

/// Queries that share one pass over the rows.
const GROUP: usize = 32;

/// Bounds held at once by one thread; a group of queries is smaller where cells are larger.
const BOUNDS: usize = 1 << 23;

/// Unless told otherwise, an approximate search looks closer at one row in this many, and at this many for each hit.
const ROWS_A_CANDIDATE: usize = 100;
const CANDIDATES_A_HIT: usize = 20;

impl Index {
    /// The best records for a query: score descending, then in the order of the directory. A zero query finds nothing.
    ///
    /// `cells` are the directory's numbers of those to search, ascending; `only` the records that may be found, or all.
    /// A selection changes no score; what it does to the order of an answer that is not exact says [`Mode`]. Records
    /// of other cells change nothing.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] or [`Error::LimitExceeded`] for k outside 1 to 100,000 and for a query that has
    /// other dimensions or is not finite.
    pub fn search(
        &self,
        directory: &Directory,
        query: &[f32],
        cells: &[u32],
        only: Option<&Selection>,
        options: &Options<'_>,
    ) -> Result<Found<u32>> {
        check("query", query, self.ladder.dimensions())?;
        let found = self.search_many(directory, query, cells, only, options, 1)?;
        Ok(found.into_iter().next().unwrap_or_default())
    }

    /// How many records an exact search has to choose from: all of the cells, and none for a zero query.
    #[must_use]
    pub fn reached(&self, query: &[f32], cells: &[u32]) -> usize {
        if normalised(self.isa, query).all(|value| value == 0.0) {
            return 0;
        }
        cells.iter().filter_map(|&number| self.cells.get(number as usize)).map(|cell| cell.documents.len()).sum()
    }

    /// [`Index::search`] for each query (their values one after the other), exact ones in one pass over the rows for up
    /// to 32 of them. The answers are the same for every number of threads; the threads end with the call.
    ///
    /// # Errors
    /// As for one search, and for `threads` outside 1 to 256.
    pub fn search_many(
        &self,
        directory: &Directory,
        queries: &[f32],
        cells: &[u32],
        only: Option<&Selection>,
        options: &Options<'_>,
        threads: usize,
    ) -> Result<Vec<Found<u32>>> {
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
        let scope = Scope::new(self, directory, cells, only, options.mode);
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

    fn search_share(&self, rows: &[&[f32]], scope: &Scope<'_>, options: &Options<'_>) -> Vec<Found<u32>> {
        let group = match options.mode {
            Mode::Exact => (BOUNDS / scope.streamed.max(1)).clamp(1, GROUP),
            Mode::EarlyExit { .. } | Mode::Approximate { .. } => 1,
        };
        let nothing = Scope::nothing(self, scope.directory);
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
            let found: Vec<Found<u32>> = match options.mode {
                Mode::Exact => {
                    hunts.iter_mut().for_each(Hunt::select);
                    Hunt::finish(&mut hunts);
                    hunts.into_iter().map(|hunt| self.last_tier(hunt, (options.clock)() - start)).collect()
                }
                Mode::Approximate { shortlist } => {
                    let few = CANDIDATES_A_HIT * options.k + scope.streamed / ROWS_A_CANDIDATE;
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
    fn last_tier(&self, hunt: Hunt<'_, '_>, time: f64) -> Found<u32> {
        let best = hunt.best.unwrap_or_default();
        let visit = Visit {
            tier: self.ladder.last() + 1,
            dimensions: self.ladder.dimensions(),
            best: best.first().map_or(0.0, |hit| hit.0),
            exited: false,
            rows: hunt.counters.records,
        };
        Found { hits: numbered(best), counters: hunt.counters, trace: vec![visit], timings: vec![time] }
    }

    fn early_exit(
        &self,
        mut hunt: Hunt<'_, '_>,
        exit: &Exit,
        rescore: bool,
        spent: impl Fn() -> bool,
        clock: Clock<'_>,
    ) -> Found<u32> {
        let (mut best, mut timings) = (Vec::new(), Vec::new());
        let last = self.ladder.last();
        let trace = descend(&self.ladder, exit, spent, |tier| {
            let start = clock();
            if tier == last {
                hunt.select(); // it decides nothing any more
            }
            best = hunt.best_of_tier(tier);
            timings.push(clock() - start);
            (best.first().map(|hit| hit.0), hunt.records() as u64)
        });
        if let Some(visit) = trace.last().filter(|visit| visit.tier <= last) {
            let (mut found, kept) = hunt.selected_of_tier(visit.tier - 1, best);
            if rescore {
                let (first, second) = found.split_at_mut(kept);
                hunt.rescore(first);
                hunt.rescore(second);
            }
            best = found;
        }
        Found { hits: numbered(best), counters: hunt.counters, trace, timings }
    }
}

fn numbered(best: Vec<(f64, u32)>) -> Vec<(u32, f64)> {
    best.into_iter().map(|(score, number)| (number, score)).collect()
}
