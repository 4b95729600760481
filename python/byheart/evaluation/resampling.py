"""Intervals by resampling: how far a mean could lie off if other queries of the same kind had been asked.

The percentile bootstrap (Efron 1979): samples as large as the values are drawn from them with replacement, and the
interval is the middle of the samples' means. Given differences of two systems query by query it is the paired
comparison. The draws are the same on every run.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from ..errors import InvalidArgument

RESAMPLES: Final = 20_000
LEVEL: Final = 0.95
STREAM: Final = 7
_AT_ONCE: Final = 1_000_000  # draws that are held at a time
_DIGITS: Final = 9  # of an interval's ends: far below what the draws decide, above what an order of addition changes


class Interval(NamedTuple):
    """A mean, and between which values it lies at the level asked for."""

    mean: float
    low: float
    high: float

    @property
    def decided(self) -> bool:
        """Whether 0 lies outside: of a difference, whether it says anything.

        >>> Interval(0.1, 0.02, 0.2).decided, Interval(0.1, -0.02, 0.2).decided
        (True, False)
        """
        return self.low > 0.0 or self.high < 0.0


def bootstrap(
    values: Sequence[float], *, resamples: int = RESAMPLES, level: float = LEVEL, stream: int = STREAM
) -> Interval:
    """Return the mean of the values and its interval.

    Args:
        values: one for each query.
        resamples: how many samples are drawn.
        level: the share of the samples' means that lie inside the interval.
        stream: which random numbers are drawn; the same number gives the same interval.

    Raises:
        InvalidArgument: there are no values, or one is no number; resamples below 1, or a level outside 0 to 1.

    >>> bootstrap([0.5, 0.5, 0.5])
    Interval(mean=0.5, low=0.5, high=0.5)

    """
    return intervals({"": values}, resamples=resamples, level=level, stream=stream)[""]


def intervals(
    columns: Mapping[str, Sequence[float]],
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    stream: int = STREAM,
) -> dict[str, Interval]:
    """Return `bootstrap` of several measures of the same queries: one set of samples serves them all.

    >>> intervals({"hit": [1.0, 1.0], "recall": [0.5, 0.5]})["recall"].mean
    0.5
    """
    import numpy as np

    lengths = {len(values) for values in columns.values()}
    given = np.array([*columns.values()], dtype=np.float64).T if len(lengths) == 1 else np.empty((0, 0))
    if not given.size or given.ndim != 2 or not np.isfinite(given).all():
        raise InvalidArgument("values: must be finite numbers, one at least, and as many of each measure")
    if resamples < 1 or not 0.0 < level < 1.0:
        raise InvalidArgument(f"resamples, level: are {resamples} and {level}; give at least 1, and a share below 1")
    draw, count = np.random.default_rng(stream), len(given)
    means, step = np.empty((resamples, given.shape[1])), max(1, _AT_ONCE // count)
    for begin in range(0, resamples, step):
        rows = min(step, resamples - begin)
        places = draw.integers(0, count, (rows, count)) + np.arange(rows)[:, None] * count
        often = np.bincount(places.ravel(), minlength=rows * count).reshape(rows, count)
        means[begin : begin + rows] = often @ given / count
    outside = (1.0 - level) / 2.0
    low, high = np.quantile(means, (outside, 1.0 - outside), axis=0).round(_DIGITS)
    found = {}
    for at, (name, values) in enumerate(columns.items()):
        found[name] = Interval(math.fsum(values) / count, float(low[at]), float(high[at]))
    return found


def paired(first: Sequence[float], second: Sequence[float], *, resamples: int = RESAMPLES) -> Interval:
    """Return the interval of how far the second system is ahead of the first, asked the same queries in one order.

    Raises:
        InvalidArgument: they were not asked the same number of queries, or none.

    >>> paired([0.0, 0.5], [0.25, 0.75]).mean
    0.25

    """
    if len(first) != len(second):
        raise InvalidArgument(f"second: has {len(second)} values beside {len(first)}; a pair needs one of each")
    return bootstrap([b - a for a, b in zip(first, second, strict=True)], resamples=resamples)
