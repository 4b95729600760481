"""The score of a record with an embedding, the nearest records by it, and the Matryoshka cascade.

A row is what was given, divided by its length and rounded to `float32`. The score of a record is the dot product of
its row and the query's, in `float64`, added in a written order and cut to [-1, 1]. A tier looks at a prefix of the
rows, divided by its own length; the cascade leaves at the first tier whose best score exceeds a threshold.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

LANES = 16
LEAST_LENGTH = 1e-9
"""A vector that is shorter than this is left as it is."""
# docs/sources.md: D-3.

Vector = Sequence[float]


@dataclass(frozen=True)
class Entry:
    """One record as the index knows it: what was given as its vector, and the cell where it lives."""

    vector: tuple[float, ...]
    cell: str = ""


@dataclass(frozen=True)
class Visit:
    """A tier that was looked at; `tier` counts from 1."""

    # docs/sources.md: A1.4.8.

    tier: int
    dimensions: int
    best: float
    exited: bool
    rows: int


def single(value: float) -> float:
    """Return the `float32` nearest to a value, ties to even.

    >>> single(0.1)
    0.10000000149011612
    """
    return float(struct.unpack("<f", struct.pack("<f", value))[0])


def dot(a: Vector, b: Vector) -> float:
    """Return the sum of the products of two `float32` vectors; each product is exact in `float64`.

    Product i goes to partial sum i % 16 over all whole blocks of 16; the partial sums are folded upper half onto lower
    half until one is left; the products of the rest are then added one by one.

    >>> dot([1.0, 2.0], [3.0, 4.0])
    11.0
    """
    whole = len(a) // LANES * LANES
    sums = [0.0] * LANES
    for at in range(whole):
        sums[at % LANES] += a[at] * b[at]
    width = LANES
    while width > 1:
        width //= 2
        for lane in range(width):
            sums[lane] += sums[lane + width]
    total = sums[0]
    for at in range(whole, len(a)):
        total += a[at] * b[at]
    return total


def length(vector: Vector) -> float:
    """Return what a vector is divided by: its length, or 1.0 if that is below 1e-9.

    >>> length([3.0, 4.0]), length([1e-10, 0.0])
    (5.0, 1.0)
    """
    # docs/sources.md: A1.4.2.
    found = math.sqrt(dot(vector, vector))
    return found if found >= LEAST_LENGTH else 1.0


def prefixes(vector: Vector, tiers: Sequence[int]) -> list[list[float]]:
    """Return the prefix of each tier divided by its own length, not rounded to `float32`.

    Raises:
        ValueError: the vector is not as long as the last tier.

    >>> prefixes([3.0, 4.0], (1, 2))
    [[1.0], [0.6, 0.8]]

    """
    # docs/sources.md: A1.4.1.
    if len(vector) != tiers[-1]:
        raise ValueError(f"the vector has {len(vector)} dimensions; the last tier has {tiers[-1]}")
    parts = [vector[:dimensions] for dimensions in tiers]
    return [[value / length(part) for value in part] for part in parts]


def normalised(vector: Vector) -> list[float]:
    """Return the row of a vector of `float32` values: divided by its length, rounded to `float32`.

    >>> normalised([3.0, 4.0])
    [0.6000000238418579, 0.800000011920929]
    """
    return [single(value) for value in prefixes(vector, (len(vector),))[0]]


def score(query: Vector, row: Vector) -> float:
    """Return the score of a row; both are `normalised` already.

    >>> score([1.0, 0.0], [0.5, 0.75])
    0.5
    """
    return _cut(dot(query, row))


def tier_score(query: Vector, row: Vector, dimensions: int) -> float:
    """Return the cosine of two prefixes; the last tier's is `score`.

    >>> tier_score([0.6, 0.8], [0.8, -0.6], 1)
    1.0
    """
    if dimensions == len(row):
        return score(query, row)
    query, row = query[:dimensions], row[:dimensions]
    return _cut(dot(query, row) / length(query) / length(row))


def _cut(value: float) -> float:
    return max(-1.0, min(1.0, value))


def search(
    index: Mapping[str, Entry],
    query: Vector,
    k: int,
    cells: Collection[str] | None = None,
    dimensions: int | None = None,
    among: Collection[str] | None = None,
) -> list[tuple[str, float]]:
    """Return the k best records of these cells and their scores: score down, then id up. A zero query finds nothing.

    Args:
        index: record id to entry.
        query: what is asked, as it was given.
        k: how many at most.
        cells: the cells to look in; None means all.
        dimensions: the tier to look at; None means the last.
        among: ids of the only records to look at, inside the cells; None means all.

    """
    if not any(query):
        return []
    row = normalised(query)
    found = [
        (name, tier_score(row, normalised(entry.vector), dimensions or len(row)))
        for name, entry in index.items()
        if (cells is None or entry.cell in cells) and (among is None or name in among)
    ]
    return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:k]


def leaves(best: float | None, threshold: float, exit_rule: str = "strict") -> bool:
    """Return whether the cascade ends at a tier with this best score; None is a tier that holds nothing.

    >>> leaves(0.92, 0.92), leaves(0.92, 0.92, "at_least"), leaves(None, -1.0)
    (False, True, False)
    """
    if best is None:
        return False
    return best >= threshold if exit_rule == "at_least" else best > threshold


def descend(
    tiers: Sequence[int],
    thresholds: Sequence[float],
    best_of: Callable[[int], tuple[float | None, int]],
    exit_rule: str = "strict",
    spent: Callable[[], bool] = lambda: False,
) -> list[Visit]:
    """Return the tiers that a cascade visits; the last of them answers.

    Args:
        tiers: the ladder.
        thresholds: one for each tier but the last.
        best_of: the best score of a tier, by its number from 0, None if it is empty; and how many rows it has.
        exit_rule: "strict" (above the threshold) or "at_least".
        spent: whether the time is used up; asked before every tier but the last. If so, the last comes next.

    """
    # docs/sources.md: A1.4.3.
    visits: list[Visit] = []
    for tier, threshold in enumerate(thresholds):
        if spent():
            break
        best, rows = best_of(tier)
        visits.append(Visit(tier + 1, tiers[tier], best or 0.0, leaves(best, threshold, exit_rule), rows))
        if visits[-1].exited:
            return visits
    best, rows = best_of(len(tiers) - 1)
    return [*visits, Visit(len(tiers), tiers[-1], best or 0.0, False, rows)]


def search_early_exit(
    index: Mapping[str, Entry],
    query: Vector,
    k: int,
    tiers: Sequence[int],
    thresholds: Sequence[float],
    cells: Collection[str] | None = None,
    exit_rule: str = "strict",
    rescore: str = "full",
    spent: Callable[[], bool] = lambda: False,
    among: Collection[str] | None = None,
) -> tuple[list[tuple[str, float]], list[Visit]]:
    """Return the hits of the tier that answers, and the tiers visited.

    `rescore="full"` gives these k hits the score of the last tier and their order by it; "tier" leaves
    them the tier's own. With `among`, all records of the cells decide where the cascade ends. The k hits of the search
    without it, as far as they are in it, come first, and then the next best of that tier that are in it.
    """
    # docs/sources.md: A1.4.14.

    def best_of(tier: int) -> tuple[float | None, int]:
        found = search(index, query, len(index), cells, tiers[tier], among if tier == len(tiers) - 1 else None)
        return (found[0][1] if found else None), len(found)

    def ordered(hits: list[tuple[str, float]]) -> list[tuple[str, float]]:
        if rescore != "full":
            return hits
        full = [(name, score(normalised(query), normalised(index[name].vector))) for name, _ in hits]
        return sorted(full, key=lambda hit: (-hit[1], hit[0]))

    visits = descend(tiers, thresholds, best_of, exit_rule, spent)
    width = visits[-1].dimensions
    first = [hit for hit in search(index, query, k, cells, width) if among is None or hit[0] in among]
    rest = [hit for hit in search(index, query, k, cells, width, among) if hit not in first]
    return ordered(first) + ordered(rest[: k - len(first)]), visits
