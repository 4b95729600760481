"""Adapters of vitality: how lately a record was used, how often, and what it is worth.

Weibull's stretched exponential for the first; the fewer times a record is used, and the less it matters, the faster it
fades. Pure numbers; no profile that is shipped asks for it. Not here: moving records between tiers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .._core import exp, ln
from ..errors import InvalidArgument
from ..validation import check_share

HALF_LIFE_DAYS = 30.0
IMPORTANCE_MODULATION = 1.5
DYNAMIC_SPEED = 3.0
RECENCY_WEIGHT = 0.4
FREQUENCY_WEIGHT = 0.3
INTRINSIC_WEIGHT = 0.3
LEAST_MULTIPLIER = 0.3

BETAS: Mapping[str, float] = {"core": 0.8, "working": 1.0, "peripheral": 1.3}
FLOORS: Mapping[str, float] = {"core": 0.9, "working": 0.7, "peripheral": 0.5}

_LN2 = ln(2.0)
_ACCESSES = 5.0
_GAP_DAYS = 30.0


@dataclass(frozen=True, slots=True)
class Vitality:
    """How alive a record is, and the parts of that; all between 0 and 1.

    Attributes:
        recency: how lately it was used, or made if it never was.
        frequency: how often, and how close together.
        intrinsic: importance * confidence.
        composite: 0.4 recency + 0.3 frequency + 0.3 intrinsic.
        multiplier: what a search may multiply its score by: 0.3 + 0.7 * recency, the tier's floor at least.

    """

    recency: float
    frequency: float
    intrinsic: float
    composite: float
    multiplier: float


def vitality(
    tier: str,
    importance: float,
    confidence: float,
    access_count: float,
    age_days: float,
    days_since_access: float,
    *,
    dynamic: bool = False,
) -> Vitality:
    """Return how alive a record is.

    Args:
        tier: "core", "working" or "peripheral".
        importance: 0 to 1.
        confidence: 0 to 1.
        access_count: how often it was used on purpose.
        age_days: since it was made; below 0 counts as 0.
        days_since_access: since it was last used; below 0 counts as 0.
        dynamic: a fact that changes, which fades three times as fast.

    Raises:
        InvalidArgument: there is no such tier, or a number is outside its range.

    >>> vitality("working", 0.7, 0.9, 0, 0.0, 0.0).composite
    0.589
    >>> vitality("peripheral", 0.1, 0.5, 0, 365.0, 365.0).multiplier
    0.6499999999999999

    """
    if tier not in BETAS:
        raise InvalidArgument(f"tier: is {tier!r}; use one of {', '.join(BETAS)}")
    check_share("importance", importance)
    check_share("confidence", confidence)
    for what, value in (("access_count", access_count), ("age_days", age_days), ("since access", days_since_access)):
        if not abs(value) <= 2.0**53:
            raise InvalidArgument(f"{what}: is {value}; give a finite number")
    made, used = max(age_days, 0.0), max(days_since_access, 0.0)
    recency = _recency(BETAS[tier], importance, used if access_count > 0 else made, dynamic)
    frequency = _frequency(access_count, made - used)
    intrinsic = importance * confidence
    composite = RECENCY_WEIGHT * recency + FREQUENCY_WEIGHT * frequency + INTRINSIC_WEIGHT * intrinsic
    multiplier = LEAST_MULTIPLIER + (1.0 - LEAST_MULTIPLIER) * max(FLOORS[tier], recency)
    return Vitality(recency, frequency, intrinsic, composite, min(1.0, multiplier))


def _recency(beta: float, importance: float, days: float, dynamic: bool) -> float:
    """Return 2^(-days^beta / half-life), with a half-life of 30 days * e^(1.5 importance)."""
    base = HALF_LIFE_DAYS / DYNAMIC_SPEED if dynamic else HALF_LIFE_DAYS
    rate = _LN2 / (base * exp(IMPORTANCE_MODULATION * importance))
    stretched = exp(beta * ln(days)) if days > 0.0 else 0.0
    return exp(-rate * stretched)


def _frequency(access_count: float, span_days: float) -> float:
    """Return 1 - e^(-n / 5), and down to half of that where the uses lie far apart."""
    base = 1.0 - exp(-max(access_count, 0.0) / _ACCESSES)
    if access_count <= 1:
        return base
    gap = max(1.0, span_days) / (access_count - 1.0)
    return base * (0.5 + 0.5 * exp(-gap / _GAP_DAYS))
