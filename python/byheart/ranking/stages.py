"""The stages of a profile: each adds a column to the candidate table, or drops rows with a reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from . import fusion, hierarchy, normalisation, pruning
from .candidates import Candidates

# With fewer records inside the boundary idf is too small for an absolute floor to mean anything.
RECORDS_FOR_A_FLOOR = 32


def normalise(table: Candidates) -> Candidates:
    """Bring the retrievers' columns that need it to a common scale, each in a column of its own.

    "lexical_normalised" and "symbolic_normalised": raw / max(best, 1), in [0, 1] (spec B1.33.8, B1.41.8).
    "dense_normalised": the cosine clamped to [0, 1] (spec decision 10).
    """
    for name in ("lexical", "symbolic"):
        if name in table.columns:
            raw = table.columns[name]
            scaled = iter(normalisation.top_or_one([score for score in raw if score is not None]))
            table = table.with_column(f"{name}_normalised", [None if score is None else next(scaled) for score in raw])
    if "dense" in table.columns:
        cosines = table.columns["dense"]
        table = table.with_column(
            "dense_normalised", [None if c is None else normalisation.clamped(c) for c in cosines]
        )
    return table


def drop_unlike(table: Candidates) -> Candidates:
    """Drop what vectors alone found and whose cosine is not above 0: it is no more like the query than chance."""
    cosines = table.columns.get("dense", ())
    others = [column for name, column in table.columns.items() if name in ("lexical", "hypervector", "symbolic")]
    unlike = [
        row
        for row, cosine in enumerate(cosines)
        if cosine is not None and cosine <= 0.0 and all(column[row] is None for column in others)
    ]
    return table.drop(dict.fromkeys(unlike, "cosine not above 0"))


def fuse_by_agreement(table: Candidates, weights: Mapping[str, float], bonus: float) -> Candidates:
    """Add "score": the weighted sum of the normalised columns, plus the agreement bonus (spec B1.36.1)."""
    columns = {name: table.columns.get(f"{name}_normalised", table.columns.get(name)) for name in weights}
    found = {name: column for name, column in columns.items() if column is not None}
    rows = [{name: column[row] for name, column in found.items()} for row in range(len(table.ids))]
    return table.with_column("score", [fusion.agreement(row, weights=weights, bonus=bonus) for row in rows])


def drop_below_minimum(table: Candidates, minimum: float, *, records: int, literal: bool) -> Candidates:
    """Drop rows scored below the minimum (equal is kept), unless the boundary is too small for it to mean anything."""
    if not literal and records < RECORDS_FOR_A_FLOOR:
        return table.with_note(
            f"minimum score {minimum:g} waived: {records} records inside the boundary, fewer than {RECORDS_FOR_A_FLOOR}"
        )
    low = {
        row: f"below minimum ({score:.4f} < {minimum:g})" for row, score in enumerate(table.scores()) if score < minimum
    }
    return table.drop(low)


def drop_expired(table: Candidates, expiries: Sequence[float | None], now: float) -> Candidates:
    """Drop records whose time is over; `expiries` are epoch seconds by row."""
    return table.drop({row: "expired" for row, end in enumerate(expiries) if end is not None and end <= now})


def drop_duplicates(table: Candidates, hashes: Sequence[str]) -> Candidates:
    """Keep the first row of each content hash; the rows are sorted (spec B1.36.4)."""
    first: dict[str, str] = {}
    repeated: dict[int, str] = {}
    for row, (id, content) in enumerate(zip(table.ids, hashes, strict=True)):
        if first.setdefault(content, id) != id:
            repeated[row] = f"duplicate of {first[content]}"
    return table.drop(repeated)


def drop_behind_gap(table: Candidates, gap: float) -> Candidates:
    """Drop rows scored below `gap` times the best one (spec B1.36.5)."""
    scores = table.scores()
    first_out = pruning.kept(scores, gap)
    limit = scores[0] * gap if scores else 0.0
    return table.drop({row: f"gap ({scores[row]:.4f} < {limit:.4f})" for row in range(first_out, len(scores))})


def cut(table: Candidates, k: int) -> Candidates:
    """Keep the first `k` rows."""
    return table.drop(dict.fromkeys(range(k, len(table.ids)), f"beyond k ({k})"))


def expand_aggregates(table: Candidates, children: Mapping[str, Sequence[str]]) -> Candidates:
    """Add the children of the aggregates among the rows, in a column "aggregate" too (spec B1.43.3).

    `children` names those that may be seen, by aggregate. A child that is a row already stays as it is; one of
    several aggregates is scored by the best of them.
    """
    held = set(table.ids)
    ids: list[str] = []
    scores: list[float] = []
    for parent, score in zip(table.ids, table.scores(), strict=True):
        own = [child for child in dict.fromkeys(children.get(parent, ())) if child not in held]
        held.update(own)
        ids += own
        scores += hierarchy.child_scores(score, len(own))
    if not ids:
        return table
    blank = (None,) * len(ids)
    columns = {name: (*values, *blank) for name, values in table.columns.items()}
    columns["aggregate"] = (*((None,) * len(table.ids)), *scores)
    columns["score"] = (*table.columns["score"], *scores)
    return replace(table, ids=(*table.ids, *ids), columns=columns).sorted_by_score()
