"""Two ranked lists become one score, and the weak tail is left out.

Normalise, fuse, prune (B1.33.8, B1.36). The order of the additions is part of the definition.
"""

from __future__ import annotations

from collections.abc import Sequence


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
