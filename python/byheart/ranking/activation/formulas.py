"""The formulas of activation: both sides on one scale, fused, times what a record is worth.

    score = S * g        S = alpha * S_vec + (1 - alpha) * S_text
    g = (0.6 + 0.4 * sigmoid(utility)) * (0.5 + 0.5 * confidence) * (0.3 + 0.7 * recency) [* (0.5 + 0.5 * quality)]

g lies in [0.09, 1], so that no record scores above what its text and vector give.
"""
# docs/sources.md: B1.4, B1.5, B1.7.

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ..._core import exp, ln
from ...errors import InvalidArgument
from ...validation import MAX_K

EPSILON = 1e-6
DAY = 86_400.0
_LN2 = ln(2.0)


def min_max(raw: Sequence[float], epsilon: float = EPSILON, ends: tuple[float, float] | None = None) -> list[float]:
    """Return scores of words between the worst candidate, 0, and the best, 1; all 0 where they are equal.

    A spread below epsilon counts as epsilon, so that one candidate, or candidates of one score, are no better than the
    worst.

    Args:
        raw: the scores.
        epsilon: the least spread.
        ends: the worst and the best, where these are not all candidates; what lies beyond has the score of an end.

    >>> min_max([4.0, 1.0, 2.5]), min_max([7.0]), min_max([]), min_max([2.5, 0.5], ends=(1.0, 4.0))
    ([1.0, 0.0, 0.5], [0.0], [], [0.5, 0.0])

    """
    low, high = ends or (min(raw, default=0.0), max(raw, default=0.0))
    spread = max(high - low, epsilon)
    return [min(1.0, max(0.0, (score - low) / spread)) for score in raw]


def rank_score(rank: int) -> float:
    """Return the score of the place of a candidate that has no other: 1 / (1 + rank), ranks from 1.

    >>> rank_score(1), rank_score(3)
    (0.5, 0.25)
    """
    if rank < 1:
        raise InvalidArgument(f"rank: is {rank}; the first is 1")
    return 1.0 / (1.0 + rank)


def fuse(s_text: float | None, s_vec: float | None, alpha: float) -> float:
    """Return alpha * S_vec + (1 - alpha) * S_text; a side that did not find the candidate counts as 0.

    >>> fuse(0.4, 0.8, 0.65), fuse(None, 0.9, 0.5), fuse(None, None, 0.65)
    (0.66, 0.45, 0.0)
    """
    return alpha * (s_vec or 0.0) + (1.0 - alpha) * (s_text or 0.0)


def share_of_vectors(alpha: float, *, text: bool, vectors: bool) -> float:
    """Return alpha where both sides could look; where one could not, all of the weight is the other's.

    >>> share_of_vectors(0.65, text=True, vectors=False), share_of_vectors(0.65, text=False, vectors=True)
    (0.0, 1.0)
    """
    return alpha if text and vectors else 1.0 if vectors else 0.0


def sigmoid(x: float) -> float:
    """Return 1 / (1 + e^-x), by the form that cannot overflow.

    >>> sigmoid(0.0), sigmoid(-800.0), sigmoid(800.0)
    (0.5, 0.0, 1.0)
    """
    if x >= 0.0:
        return 1.0 / (1.0 + exp(-x))
    small = exp(x)
    return small / (1.0 + small)


def recency(age_days: float | None, half_life_days: float) -> float:
    """Return e^(-ln 2 * age / half-life): 1 now and in the future, 0 for a time that cannot be read.

    >>> recency(30.0, 30.0), recency(-5.0, 30.0), recency(None, 30.0)
    (0.5, 1.0, 0.0)
    """
    if age_days is None or math.isnan(age_days):
        return 0.0
    return exp(-_LN2 * max(age_days, 0.0) / half_life_days)


def age_days(created_at: float | None, updated_at: float | None, now: float) -> float | None:
    """Return the days since a record was changed, or made if it never was; None if it has no time.

    >>> age_days(0.0, 43_200.0, 86_400.0), age_days(None, None, 0.0)
    (0.5, None)
    """
    since = created_at if updated_at is None else updated_at
    return None if since is None else (now - since) / DAY


def decayed(value: float, days: float, half_life_days: float) -> float:
    """Return a value after some days in which it halves every half-life; days below 0 count as 0.

    >>> decayed(1.0, 60.0, 30.0)
    0.25
    """
    return value * exp(-_LN2 * max(days, 0.0) / half_life_days)


class Population(NamedTuple):
    """The utilities inside the boundary: their mean and sample standard deviation, which is 1 where there is none."""

    mean: float
    deviation: float

    @classmethod
    def of(cls, utilities: Sequence[float]) -> Population:
        """Return the figures of utilities; of none, 0 and 1.

        >>> Population.of([1.0, 2.0, 3.0]), Population.of([5.0])
        (Population(mean=2.0, deviation=1.0), Population(mean=5.0, deviation=1.0))
        """
        if not utilities:
            return cls(0.0, 1.0)
        mean = math.fsum(utilities) / len(utilities)
        mean = min(max(mean, min(utilities)), max(utilities))  # rounded beside what all have, all would stand apart
        squares = math.fsum((utility - mean) ** 2 for utility in utilities)
        deviation = math.sqrt(squares / (len(utilities) - 1)) if len(utilities) > 1 else 0.0
        return cls(mean, deviation or 1.0)

    def z(self, utility: float) -> float:
        """Return how many standard deviations a utility lies above the mean.

        >>> Population(2.0, 1.0).z(3.0)
        1.0
        """
        return (utility - self.mean) / self.deviation


def linear(utilities: Sequence[float]) -> list[float]:
    """Return utilities between the least, 0, and the greatest, 1, for want of a population; 0.5 where all are equal.

    >>> linear([-1.0, 3.0]), linear([2.0])
    ([0.0, 1.0], [0.5])
    """
    low, high = min(utilities, default=0.0), max(utilities, default=0.0)
    return [(utility - low) / (high - low) if high > low else 0.5 for utility in utilities]


class Worth(NamedTuple):
    """The parts of g, each in [0, 1], and g itself."""

    utility: float
    confidence: float
    recency: float
    quality: float | None
    g: float


def standing_of(utility_z: float, confidence: float) -> tuple[float, float, float]:
    """Return what utility and confidence are on the scale from 0 to 1, and their part of g, which knows no time.

    >>> standing_of(0.0, 1.0)
    (0.5, 1.0, 0.8)
    """
    utility, sure = sigmoid(utility_z), _share(confidence)
    return utility, sure, (0.6 + 0.4 * utility) * (0.5 + 0.5 * sure)


def worth(utility_z: float, confidence: float, recency: float, quality: float | None = None) -> Worth:
    """Return g and its parts; confidence, recency and quality are cut to [0, 1], quality counts only if it is given.

    >>> worth(0.0, 0.5, 1.0).g, worth(0.0, 0.5, 1.0, quality=0.0).g
    (0.6000000000000001, 0.30000000000000004)
    """
    utility, sure, standing = standing_of(utility_z, confidence)
    lately, good = _share(recency), None if quality is None else _share(quality)
    return Worth(utility, sure, lately, good, g_of(standing, lately, good))


def g_of(standing: float, recency: float, quality: float | None = None) -> float:
    """Return the factor g of three parts in [0, 1]: `standing_of`, recency, and quality where it is counted.

    >>> g_of(0.6, 1.0), g_of(0.6, 1.0, 0.0)
    (0.6, 0.3)
    """
    g = standing * (0.3 + 0.7 * recency)
    return g if quality is None else g * (0.5 + 0.5 * quality)


def _share(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def final_score(s: float, g: float) -> float:
    """Return what a record scores: what its text and vector give, times what it is worth.

    >>> final_score(0.66, 0.6)
    0.396
    """
    return s * g


def accepted(score: float, threshold: float) -> bool:
    """Return whether a score is enough, which the threshold itself is.

    >>> accepted(0.15, 0.15), accepted(0.1499, 0.15)
    (True, False)
    """
    return score >= threshold


def widened(k: int, hits: int, k_final: int, widenings: int = 0) -> int:
    """Return how many candidates a side is asked for next: twice as many, once, if it found fewer than k_final / 2.

    >>> widened(48, 5, 12), widened(48, 6, 12), widened(96, 5, 12, widenings=1)
    (96, 48, 96)
    """
    return min(2 * k, MAX_K) if widenings == 0 and 2 * hits < k_final else k
