"""The summands and factors of the stages of `hybrid` recall, one row at a time.

Each is the operand of one change of the score: what an explanation shows. None leaves the score alone. Time
constants are called half-lives, as in their source: after one of them 1/e is left, not a half; `base="half_life"`
means the word.
"""
# docs/sources.md: A2.4, A2.9, A2.4.8.

from __future__ import annotations

import math
from collections.abc import Iterable

from ..._core import exp, ln
from ...validation import check_one_of
from ...words import DecayBase, words_of

BASES: tuple[str, ...] = words_of(DecayBase)

RECENCY_HALF_LIFE_DAYS = 14.0
RECENCY_WEIGHT = 0.10
LEAST_IMPORTANCE_FACTOR = 0.7
IMPORTANCE_SHARE = 0.3
UNKNOWN_IMPORTANCE = 0.7
LENGTH_ANCHOR = 500.0
UNUSABLE_LENGTH_FACTOR = 0.3
TIME_DECAY_HALF_LIFE_DAYS = 60.0
LEAST_TIME_FACTOR = 0.5
REINFORCEMENT = 0.5
MAX_MULTIPLIER = 3.0
ACCESS_HALF_LIFE_DAYS = 30.0

_LN2 = ln(2.0)


def check_base(base: str) -> None:
    """Refuse a base that does not exist."""
    check_one_of("base", base, BASES)


def left_after(age_days: float, half_life_days: float, base: str = "e") -> float:
    """Return how much of 1 is left after a time: e^(-age / half-life), or 2^(-age / half-life).

    Args:
        age_days: below 0 counts as 0, since nothing is younger than now; NaN gives NaN.
        half_life_days: above 0.
        base: "e", or "half_life" for powers of 2.

    Raises:
        InvalidArgument: there is no such base.

    >>> round(left_after(14.0, 14.0), 6), left_after(14.0, 14.0, "half_life"), left_after(-1.0, 14.0)
    (0.367879, 0.5, 1.0)

    """
    # docs/sources.md: D-26.
    check_base(base)
    lives = (0.0 if age_days < 0.0 else age_days) / half_life_days
    return exp(-lives) if base == "e" else exp(-lives * _LN2)


def recency_boosts(
    ages: Iterable[float | None], half_life_days: float, weight: float, *, base: str = "e"
) -> list[float | None]:
    """Return what youth adds to a score, for each age: weight * e^(-age / half-life); no age counts as 0.

    None for an age that is not a number.

    >>> recency_boosts([0.0, None, 14.0], 14.0, 0.1)
    [0.1, 0.1, 0.036787944117144235]
    """
    # docs/sources.md: A2.4.1.
    left = _left_after([age or 0.0 for age in ages], half_life_days, base)
    boosts = [share * weight for share in left]
    return [boost if math.isfinite(boost) else None for boost in boosts]


def importance_factor(importance: float | None) -> float:
    """Return 0.7 + 0.3 * importance; 0.7 counts where there is none, and is the factor where it is not finite.

    >>> importance_factor(1.0), importance_factor(0.5), importance_factor(0.0)
    (1.0, 0.85, 0.7)
    """
    # docs/sources.md: A2.4.2.
    weight = UNKNOWN_IMPORTANCE if importance is None else importance
    factor = LEAST_IMPORTANCE_FACTOR + IMPORTANCE_SHARE * weight
    return factor if math.isfinite(factor) else LEAST_IMPORTANCE_FACTOR


def length_factor(length: float, anchor: float = LENGTH_ANCHOR) -> float | None:
    """Return 1 / (1 + 0.5 * log2(length / anchor)), and 1 up to the anchor.

    None where the anchor is 0, which turns it off; 0.3 where the length is not finite.

    >>> length_factor(100.0), length_factor(1000.0), length_factor(2000.0), length_factor(2000.0, 0.0)
    (1.0, 0.6666666666666666, 0.5, None)
    """
    # docs/sources.md: A2.4.3.
    if anchor <= 0.0:
        return None
    if not math.isfinite(length):
        return UNUSABLE_LENGTH_FACTOR
    times = max(length / anchor, 1.0)
    return 1.0 / (1.0 + 0.5 * (ln(times) / _LN2))


def length_factors(lengths: Iterable[float | None], anchor: float) -> list[float | None]:
    """Return `length_factor` of each length; none counts as 0.

    >>> length_factors([100.0, None, 1000.0], 500.0)
    [1.0, 1.0, 0.6666666666666666]
    """
    return [
        1.0 if length is None or 0.0 <= length <= anchor else length_factor(length, anchor) for length in lengths
    ]  # most texts are shorter, and 1 is what the formula gives for those


def time_decay_factors(ages: Iterable[float | None], half_life_days: float, *, base: str = "e") -> list[float | None]:
    """Return `time_decay_factor` of each age, where it is turned on; no age counts as 0.

    >>> time_decay_factors([0.0, None], 60.0)
    [1.0, 1.0]
    """
    left = _left_after([age or 0.0 for age in ages], half_life_days, base)
    factors = [LEAST_TIME_FACTOR + 0.5 * share for share in left]
    return [factor if math.isfinite(factor) else LEAST_TIME_FACTOR for factor in factors]


def _left_after(ages: Iterable[float], half_life_days: float, base: str) -> list[float]:
    """Return `left_after` of each age, without a call for each."""
    if base == "e":
        return [exp(-((0.0 if age < 0.0 else age) / half_life_days)) for age in ages]
    return [left_after(age, half_life_days, base) for age in ages]


def time_decay_factor(
    age_days: float, half_life_days: float = TIME_DECAY_HALF_LIFE_DAYS, *, base: str = "e"
) -> float | None:
    """Return 0.5 + 0.5 * e^(-age / half-life): age never takes more than half of a score.

    None where the half-life is 0, which turns it off; 0.5 where the age is not a number.

    >>> time_decay_factor(0.0), round(time_decay_factor(60.0), 6), time_decay_factor(1e9)
    (1.0, 0.68394, 0.5)
    """
    # docs/sources.md: A2.4.4.
    if half_life_days <= 0.0:
        return None
    factor = LEAST_TIME_FACTOR + 0.5 * left_after(age_days, half_life_days, base)
    return factor if math.isfinite(factor) else LEAST_TIME_FACTOR


def reinforced_half_life(
    half_life_days: float,
    access_count: float,
    days_since_access: float | None,
    *,
    factor: float = REINFORCEMENT,
    max_multiplier: float = MAX_MULTIPLIER,
) -> float:
    """Return the half-life of a record that is used: what is used again and again decays more slowly.

    half-life * (1 + factor * ln(1 + n * 2^(-days / 30))), and never more than `max_multiplier` times it.

    Args:
        half_life_days: of a record that is not used.
        access_count: n, how often it was used on purpose.
        days_since_access: since the last time; None if that is unknown, and then it counts as never.
        factor: 0 turns it off.
        max_multiplier: at least 1.

    >>> reinforced_half_life(60.0, 0, None), reinforced_half_life(60.0, 100, 0.0), reinforced_half_life(60.0, 3, 1e6)
    (60.0, 180.0, 60.0)

    """
    # docs/sources.md: A2.9, decision 16.
    if half_life_days <= 0.0 or factor <= 0.0 or access_count <= 0.0 or days_since_access is None:
        return half_life_days
    fresh = left_after(days_since_access, ACCESS_HALF_LIFE_DAYS, "half_life")
    extension = half_life_days * factor * ln(1.0 + access_count * fresh)
    reinforced = half_life_days + extension
    return min(reinforced, half_life_days * max_multiplier) if math.isfinite(reinforced) else half_life_days
