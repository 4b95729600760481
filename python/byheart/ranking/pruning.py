"""Dropping what is too far behind the best."""
# docs/sources.md: B1.36.5.

from __future__ import annotations

from collections.abc import Sequence


def gap_prune(scores: Sequence[float], gap: float) -> list[float]:
    """Keep the scores of at least `gap` times the best one (equal is kept); a gap of 0 keeps all.

    `scores` are sorted, best first; 0 <= gap <= 1.

    >>> gap_prune([1.2, 0.6, 0.42, 0.41], 0.35)
    [1.2, 0.6, 0.42]
    """
    return list(scores[: kept(scores, gap)])


def kept(scores: Sequence[float], gap: float) -> int:
    """Return how many of the sorted scores survive the gap."""
    if not scores or gap <= 0.0:
        return len(scores)
    limit = scores[0] * gap
    return next((at for at, score in enumerate(scores) if score < limit), len(scores))
