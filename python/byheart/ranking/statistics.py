"""Figures of a list of numbers, as events hold them: the mean, the middle, and what nine in ten stay below."""
# docs/sources.md: B1.13.2.

from __future__ import annotations

import math
from collections.abc import Sequence


def percentile(values: Sequence[float], p: float) -> float | None:
    """Return the value below which a share p of values lies, linear between two; None of no values.

    >>> percentile([1.0, 2.0, 3.0, 4.0], 0.5), percentile([], 0.5)
    (2.5, None)
    """
    return _at(sorted(values), p)


def _at(ordered: Sequence[float], p: float) -> float | None:
    if not ordered:
        return None
    place = p * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def figures(values: Sequence[float]) -> dict[str, float | None]:
    """Return mean, p50 and p90 of values; None of no values.

    >>> figures([1.0, 2.0, 3.0])
    {'avg': 2.0, 'p50': 2.0, 'p90': 2.8}
    """
    mean = math.fsum(values) / len(values) if values else None
    ordered = sorted(values)
    return {"avg": mean, "p50": _at(ordered, 0.5), "p90": _at(ordered, 0.9)}
