"""Two ranked lists become one score, and the weak tail is left out.

Normalise, fuse, prune; the fusions of two lists. The order of the additions is
part of the definition.
"""
# docs/sources.md: B1.33.8, B1.36, A2.2, A3.3.

from __future__ import annotations

import math
from collections.abc import Sequence

UNUSABLE = 0.1
"""The score of what cannot be computed."""
# docs/sources.md: A2.4.6.


def bm25_normalise(raw: Sequence[float]) -> list[float]:
    """Return the scores divided by the greatest of them, or by 1 if that is less.

    >>> bm25_normalise([4.0, 2.0]), bm25_normalise([0.8, 0.4])
    ([1.0, 0.5], [0.8, 0.4])
    """
    top = max([1.0, *raw])
    return [score / top for score in raw]


def fused_score(
    bm25: float | None,
    hdc: float | None,
    *,
    bm25_weight: float = 1.0,
    hdc_weight: float = 0.7,
    agreement: float = 0.15,
) -> float:
    """Return the fused score of a record; None stands for a retriever that did not find it.

    Args:
        bm25: normalised lexical score, at most 1.
        hdc: hypervector score, at most 1.
        bm25_weight: weight of the first.
        hdc_weight: weight of the second.
        agreement: bonus for each retriever after the first that found it.

    >>> fused_score(1.0, 0.5), fused_score(None, 0.5)
    (1.5, 0.35)

    """
    strategies = (bm25 is not None) + (hdc is not None)
    return bm25_weight * (bm25 or 0.0) + hdc_weight * (hdc or 0.0) + agreement * (max(strategies, 1) - 1)


def gap_prune(scores: Sequence[float], gap: float) -> list[float]:
    """Return the scores that are at least the top score times gap, in their order; gap 0 keeps all.

    >>> gap_prune([1.2, 0.6, 0.42, 0.41], 0.35)
    [1.2, 0.6, 0.42]
    """
    if not scores or gap == 0.0:
        return list(scores)
    top = max(scores)
    return [score for score in scores if score >= top * gap]


def clamp(x: float) -> float:
    """Return x, brought into [0, 1].

    >>> clamp(1.15), clamp(-0.5)
    (1.0, 0.0)
    """
    return min(1.0, max(0.0, x))


def bonus(vector: float | None, words: float | None) -> float:
    """Return the fused score of the profile `hybrid`; None stands for a list without the record.

    >>> bonus(0.5, 0.9), bonus(0.5, None), bonus(None, 0.3), bonus(math.nan, 0.3)
    (0.575, 0.5, 0.5, 0.1)
    """
    # docs/sources.md: A2.2.1, A2.2.2.
    if vector is None and words is None:
        return 0.0
    if not math.isfinite(vector if vector is not None else words or 0.0):
        return UNUSABLE
    if vector is None:
        return clamp(max(0.5, words or 0.0))
    return clamp(vector) if words is None else clamp(vector + 0.15 * vector)


def convex(
    vector: float | None, words: float | None, *, vector_weight: float = 0.7, words_weight: float = 0.3
) -> float:
    """Return the fused score of `hybrid`'s weighted fusion.

    >>> convex(0.5, 0.5), convex(0.5, None), convex(None, 0.4), convex(0.5, 0.75), convex(0.5, math.inf)
    (0.5, 0.35, 0.4, 0.6900000000000001, 0.1)
    """
    # docs/sources.md: A2.2.6.
    if not (math.isfinite(vector or 0.0) and math.isfinite(words or 0.0)):
        return UNUSABLE
    if vector is None:
        return 0.0 if words is None else clamp(words)
    if words is None:
        return clamp(vector_weight * vector)
    return clamp(max(vector_weight * vector + words_weight * words, 0.92 * words if words >= 0.75 else 0.0))


def reciprocal_rank_fusion(rankings: Sequence[Sequence[str]], k: int = 60) -> list[tuple[str, float]]:
    """Return ids with the sum of 1 / (k + rank) over the lists (Cormack, Clarke and Buettcher, 2009).

    Ranks count from 1, and an id that is repeated in a list counts where it stands first.

    >>> reciprocal_rank_fusion([["a", "a", "b"], ["b"]], k=1)
    [('b', 0.8333333333333333), ('a', 0.5)]
    """
    scores: dict[str, float] = {}
    for ranking in rankings:
        seen: list[str] = []
        for id in ranking:
            if id not in seen:
                seen.append(id)
                scores[id] = scores.get(id, 0.0) + 1.0 / (k + len(seen))
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))


def append_fill(rankings: Sequence[Sequence[str]]) -> list[str]:
    """Return the first list, then what the later ones add.

    >>> append_fill([["b", "a"], ["a", "c"]])
    ['b', 'a', 'c']
    """
    # docs/sources.md: A3.3.1.
    filled: list[str] = []
    for ranking in rankings:
        for id in ranking:
            if id not in filled:
                filled.append(id)
    return filled
