"""Bringing raw scores to a common scale."""

from __future__ import annotations

from collections.abc import Sequence


def top_or_one(raw: Sequence[float]) -> list[float]:
    """Divide by the best score, or by 1 where the best is below 1, so that weak lists are not inflated (B1.33.8).

    >>> top_or_one([4.0, 2.0]), top_or_one([0.8, 0.4])
    ([1.0, 0.5], [0.8, 0.4])
    """
    top = max(raw, default=1.0)
    divisor = top if top > 1.0 else 1.0
    return [score / divisor for score in raw]


def clamped(cosine: float) -> float:
    """Return a cosine as it enters a score: raw, clamped to [0, 1] (spec decision 10).

    >>> clamped(0.5), clamped(-0.25)
    (0.5, 0.0)
    """
    return min(1.0, max(0.0, cosine))
