"""The score of a record of hypervectors, and the nearest records by it.

Either a record is one vector and its score the similarity; or it has vectors by field, and the score is a
weighted sum of what each field's similarity says beyond chance. `combine="adaptive"` is for records that lack
fields: the weights of those present are made whole, and a field counts by what it could have reached.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from .hypervector import HyperVector, similarity
from .mathematics import asin

_TWO_BY_PI = 0.6366197723675814

Vectors = HyperVector | Mapping[str, HyperVector]


@dataclass(frozen=True)
class Entry:
    """One record as the index knows it: a vector, or vectors by field; and the cell where it lives."""

    vectors: Vectors
    cell: str = ""


def field_score(similarity: float) -> float:
    """Return what a similarity says beyond chance: 0.0 for 0.5 and below, 1.0 for 1.0.

    >>> field_score(0.75), field_score(0.4)
    (0.5, 0.0)
    """
    return max(0.0, (similarity - 0.5) * 2.0)


def reach(p: int, q: int) -> float:
    """Return the field score to expect of two bundles of p and q parts, when the smaller lies in the larger.

    It is at least 0.2: below that, chance scores as much, and would be scaled up to a perfect score.

    >>> reach(5, 5), round(reach(1, 4), 4), reach(1, 400)
    (1.0, 0.3333, 0.2)
    """
    p, q = max(p, 1), max(q, 1)
    return 1.0 if p == q else max(0.2, asin(math.sqrt(min(p, q) / max(p, q))) * _TWO_BY_PI)


def weighted_sum(scores: Mapping[str, float | None], weights: Mapping[str, float], renormalise: bool = False) -> float:
    """Return the sum of weight * field score in declared order; None is a field that is missing.

    Args:
        scores: field scores in [0, 1].
        weights: the fields in declared order.
        renormalise: divide by the weights of the fields that are there.

    >>> weights = {"topic": 0.35, "claim": 0.35, "role": 0.20, "acts": 0.10}
    >>> weighted_sum({"topic": 0.0, "claim": 1.0, "role": 0.0, "acts": None}, weights)
    0.35

    """
    total = 0.0
    there = 0.0
    for name, weight in weights.items():
        score = scores.get(name)
        if score is not None:
            total += weight * score
            there += weight
    if not renormalise:
        return total
    return total / there if there > 0.0 else 0.0


def record_score(
    query: Vectors, record: Vectors, weights: Mapping[str, float] | None, combine: str = "sum", floor: float = 0.0
) -> float | None:
    """Return the score of one record, or None if it is no candidate.

    Args:
        query: a vector, or vectors by field; a zero vector is a missing one.
        record: likewise.
        weights: the fields in declared order; None when a record is one vector.
        combine: "sum", or "adaptive" to score records that lack fields by what they have.
        floor: a sum must be above it; in the adaptive case a field score up to it counts as 0.

    Raises:
        ValueError: `combine` is another, or vectors and weights do not go together.

    """
    if combine not in ("sum", "adaptive"):
        raise ValueError(f"combine is 'sum' or 'adaptive', not {combine!r}")
    if weights is None and isinstance(query, HyperVector) and isinstance(record, HyperVector):
        return similarity(query, record) if query.bits and record.bits else None
    if weights is None or isinstance(query, HyperVector) or isinstance(record, HyperVector):
        raise ValueError("with fields, query and record are mappings; without, they are vectors")
    query, record = _present(query, weights), _present(record, weights)
    common = [name for name in weights if name in query and name in record]
    if not common:
        return None
    scores = {name: field_score(similarity(query[name], record[name])) for name in common}
    if combine == "sum" or len(record) == len(weights):
        total = weighted_sum(scores, weights)
        return total if total > floor else None
    scaled: dict[str, float] = {}
    for name, score in scores.items():
        possible = reach(query[name].parts, record[name].parts)
        scaled[name] = 0.0 if score <= floor else min(1.0, score / possible)
    mean = weighted_sum(scaled, weights, renormalise=True)
    return mean if mean > 0.0 else None


def _present(vectors: Mapping[str, HyperVector], weights: Mapping[str, float]) -> dict[str, HyperVector]:
    return {name: vectors[name] for name in weights if name in vectors and vectors[name].bits}


def search(
    index: Mapping[str, Entry],
    query: Vectors,
    weights: Mapping[str, float] | None = None,
    *,
    combine: str = "sum",
    floor: float = 0.0,
    cells: Collection[str] | None = None,
    k: int | None = None,
    among: Collection[str] | None = None,
) -> list[tuple[str, float]]:
    """Return the k best candidates of these cells and their scores: score down, then id up.

    Args:
        index: record id to entry.
        query: a vector, or vectors by field.
        weights: see `record_score`, as are `combine` and `floor`.
        combine: see there.
        floor: see there.
        cells: the cells to look in; None means all.
        k: how many at most; None means all.
        among: ids of the only records to look for. None means all.

    """
    found = []
    for name, entry in index.items():
        if (cells is None or entry.cell in cells) and (among is None or name in among):
            score = record_score(query, entry.vectors, weights, combine, floor)
            if score is not None:
                found.append((name, score))
    return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:k]
