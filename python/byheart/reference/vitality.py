"""The vitality of a record, and how use keeps it young, by the formulas as they are written."""
# docs/sources.md: A2.9.

from __future__ import annotations

from .mathematics import exp, ln

LN2 = ln(2.0)
TIERS = {"core": (0.8, 0.9), "working": (1.0, 0.7), "peripheral": (1.3, 0.5)}
"""Weibull's beta and the floor, by tier."""


def vitality(
    tier: str,
    importance: float,
    confidence: float,
    access_count: int,
    age_days: float,
    days_since_access: float,
    dynamic: bool = False,
) -> dict[str, float]:
    """Return recency, frequency, intrinsic worth, what they come to, and the factor for a score.

    >>> vitality("working", 0.7, 0.9, 0, 0.0, 0.0)["composite"]
    0.589
    """
    beta, floor = TIERS[tier]
    days = max(days_since_access if access_count > 0 else age_days, 0.0)
    half_life = (30.0 / 3.0 if dynamic else 30.0) * exp(1.5 * importance)
    recency = exp(-(LN2 / half_life) * (exp(beta * ln(days)) if days > 0.0 else 0.0))
    frequency = 1.0 - exp(-access_count / 5.0)
    if access_count > 1:
        span = max(1.0, max(age_days, 0.0) - max(days_since_access, 0.0))
        frequency = frequency * (0.5 + 0.5 * exp(-(span / (access_count - 1.0)) / 30.0))
    intrinsic = importance * confidence
    return {
        "recency": recency,
        "frequency": frequency,
        "intrinsic": intrinsic,
        "composite": 0.4 * recency + 0.3 * frequency + 0.3 * intrinsic,
        "multiplier": min(1.0, 0.3 + (1.0 - 0.3) * max(floor, recency)),
    }


def reinforced_half_life(
    base: float, access_count: float, days_since_access: float, factor: float = 0.5, max_multiplier: float = 3.0
) -> float:
    """Return base + base * factor * ln(1 + n * fresh), at most so many times the base; fresh halves in 30 days.

    >>> reinforced_half_life(60.0, 0, 0.0), reinforced_half_life(60.0, 100, 0.0)
    (60.0, 180.0)
    """
    fresh = exp(-(max(days_since_access, 0.0) / 30.0) * LN2)
    return min(base + base * factor * ln(1.0 + access_count * fresh), base * max_multiplier)
