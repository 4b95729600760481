"""Published features that have no adapter yet; a test holds the list to the truth, so that it cannot rot."""

NOT_BUILT = (
    "bench.importance_label",
    "bench.sample",
    "bench.win_rule",
    "metrics.percentile",
    "metrics.score",
    "qmd.blend",
    "qmd.cutoff",
    "qmd.fts_score",
    "qmd.rrf",
    "qmd.strong_signal",
    "router.acceptance",
    "router.rrf",
    "router.run",
    "router.tiebreak",
)
"""Running a case of one of these is a failure: the feature is unknown."""
