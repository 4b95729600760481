"""The spread of a number over the records inside a boundary: how many there are, their mean and their deviation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple


class Spread(NamedTuple):
    """Figures of a population.

    Attributes:
        records: how many there are.
        mean: of their numbers; 0 without a record.
        deviation: their sample standard deviation (divided by records - 1); None of fewer than two.

    """

    records: int
    mean: float
    deviation: float | None


def spread_of(numbers: Sequence[float], missing: int = 0, as_if: float = 0.0) -> Spread:
    """Return the spread of some numbers; sums are rounded once, so that no order of the numbers shows in them.

    Args:
        numbers: one a record, finite.
        missing: how many records have none.
        as_if: what these count as.

    >>> spread_of([1.0, 2.0, 3.0])
    Spread(records=3, mean=2.0, deviation=1.0)
    >>> spread_of([3.0], missing=2), spread_of([])
    (Spread(records=3, mean=1.0, deviation=1.7320508075688772), Spread(records=0, mean=0.0, deviation=None))

    """
    count = len(numbers) + missing
    if count == 0:
        return Spread(0, 0.0, None)
    known = [*numbers, as_if] if missing else numbers
    whole = math.fsum([*numbers, *_times(missing, as_if)])
    mean = min(max(whole / count, min(known)), max(known))  # rounding may leave both
    if count < 2:
        return Spread(count, mean, None)
    squares = math.fsum([*((number - mean) ** 2 for number in numbers), *_times(missing, (as_if - mean) ** 2)])
    return Spread(count, mean, math.sqrt(squares / (count - 1)))


def _times(count: int, number: float) -> list[float]:
    """Return numbers whose sum is that of so many equal ones, to the last bit: each is a power of two times it.

    >>> _times(5, 0.1)
    [0.1, 0.4]
    """
    return [number * 2.0**place for place in range(count.bit_length()) if count >> place & 1]
