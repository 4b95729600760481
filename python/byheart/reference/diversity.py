"""Cosine similarity, and two ways to answer with what is unlike: maximal marginal relevance, and deferral.

Carbonell and Goldstein, "The use of MMR, diversity-based reranking" (1998). Vectors are lists
of floats; None, and a vector of zeros, is a missing one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

LANES = 16
"""Partial sums of a dot product, which are folded at the end."""

Vector = Sequence[float]


def dot(a: Vector, b: Vector) -> float:
    """Return the sum of products in the pinned order.

    Product i of all whole blocks of 16 goes to partial sum i % 16; the upper half of these is added to the lower
    half until one is left; then come the products of the rest, one by one.

    >>> dot([1.0, 2.0], [3.0, 4.0])
    11.0
    """
    whole = len(a) // LANES * LANES
    sums = [0.0] * LANES
    for at in range(whole):
        sums[at % LANES] += a[at] * b[at]
    while len(sums) > 1:
        half = len(sums) // 2
        sums = [sums[at] + sums[at + half] for at in range(half)]
    total = sums[0]
    for at in range(whole, len(a)):
        total += a[at] * b[at]
    return total


def cosine(a: Vector, b: Vector) -> float | None:
    """Return the cosine of the angle between two vectors, clamped to [-1, 1]; None where one of them is zero.

    Raises:
        ValueError: the vectors have different lengths.

    >>> cosine([3.0, 4.0], [3.0, 4.0]), cosine([1.0, 0.0], [0.0, 2.0]), cosine([0.0], [1.0])
    (1.0, 0.0, None)

    """
    if len(a) != len(b):
        raise ValueError(f"vectors of {len(a)} and {len(b)} dimensions")
    squared = dot(a, a) * dot(b, b)
    if squared == 0.0:
        return None
    return min(max(dot(a, b) / math.sqrt(squared), -1.0), 1.0)


def similarity(a: Vector | None, b: Vector | None) -> float:
    """Return the cosine, and 0 where a vector is missing: it is like nothing, so it is never held back."""
    # docs/sources.md: B1.9.4.
    if a is None or b is None:
        return 0.0
    found = cosine(a, b)
    return 0.0 if found is None else found


def maximal_marginal_relevance(
    scores: Sequence[float], vectors: Sequence[Vector | None], k: int, trade_off: float = 0.85
) -> list[int]:
    """Return the indices of at most k candidates in the order of their selection.

    The value of a candidate is trade_off * score - (1 - trade_off) * its largest similarity to the selected ones,
    which is 0 before the first and may be negative. Equal values go by the higher score, then the lower index.

    >>> maximal_marginal_relevance([0.9, 0.8, 0.7], [[1.0, 0.0], [1.0, 0.0], None], k=2)
    [0, 2]
    """
    left = list(range(len(scores)))
    selected: list[int] = []

    def worth(at: int) -> tuple[float, float, int]:
        nearest = max((similarity(vectors[at], vectors[other]) for other in selected), default=0.0)
        return trade_off * scores[at] - (1.0 - trade_off) * nearest, scores[at], -at

    while left and len(selected) < k:
        best = max(left, key=worth)
        left.remove(best)
        selected.append(best)
    return selected


def defer_similar(vectors: Sequence[Vector | None], threshold: float = 0.85) -> list[int]:
    """Return all indices in order, those last that have a similarity above the threshold to one kept before.

    Deferred ones are compared with nothing, and neither is a missing (or empty) vector, which is always kept.

    >>> defer_similar([[1.0, 0.0], [0.95, 0.05], [0.0, 1.0]])
    [0, 2, 1]
    """
    kept: list[int] = []
    deferred: list[int] = []
    for at, vector in enumerate(vectors):
        others = (vectors[other] for other in kept) if vector else ()
        near = any(similarity(vector, other) > threshold for other in others if other)
        (deferred if near else kept).append(at)
    return kept + deferred
