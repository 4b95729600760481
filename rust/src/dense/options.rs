//! What a search is asked for: how many hits, in which of three ways.

use super::cascade::Exit;

/// Milliseconds since some moment. The core reads no clock: whoever calls brings one.
pub(super) type Clock<'c> = &'c (dyn Fn() -> f64 + Sync);

/// The way to search. Each says what a selection of records (`only`) does to its answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Mode {
    /// The best of the last tier, provably. Of the selected records: the same list without the others.
    Exact,
    /// The best of the tier at which the seed's cascade ends.
    ///
    /// Where it ends is decided by the cells' records, selected or not. Then come the hits of the unfiltered search
    /// that are selected, in its order, and after them, up to `k`, the next best of that tier among the selected ones.
    EarlyExit {
        /// When it ends.
        exit: Exit,
        /// True: the hits get the scores of the last tier, and their order by these (spec A1.4.14). Among selected
        /// records this holds for each of the two parts.
        rescore: bool,
        /// Milliseconds after which the last tier comes next (spec A1.4.6).
        budget: Option<f64>,
    },
    /// The best of the last tier among the rows that look best in the first: the shortlist.
    ///
    /// The shortlist is that of the cells' records, selected or not. The selected rows on it come first, best score
    /// first; so the hits of the unfiltered search that are selected lead, in its order. Only if they are fewer than
    /// `k` follow the best of those selected rows that look best beyond the shortlist, as many as it is long. Scores
    /// are exact; a selected row that looks bad in the first tier can be missing, as without a selection.
    Approximate {
        /// How many rows; without a number, some for each hit and a share of all in the cells.
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
    /// For timings and for the time budget.
    pub clock: Clock<'o>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { k: 10, mode: &Mode::Exact, clock: &|| 0.0 }
    }
}
