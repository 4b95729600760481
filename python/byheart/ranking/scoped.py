"""The score of `scoped` recall: likeness, recency by scope, scope itself, and how well a summary kept its sources.

    base  = alpha * cos + beta * R + gamma * S,     R = exp(-lambda * age), lambda and S by scope
    score = base * Q,                               Q = 1 - delta * decay_rate for a summary, 1 for all else

Computed in this order, so that a score replays bit for bit. With
weights whose sum is at most 1 every score lies in [0, 1]. Each formula stands here as a plain function; the stages of
`byheart.ranking.scoped_stages` are made of them.
"""
# docs/sources.md: A1.1, A1.2.

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from .._core import exp, ln
from ..errors import InvalidArgument
from ..validation import check_nonnegative, check_share
from .features import OWNERS, scope_among
from .normalisation import clamped

ALPHA, BETA, GAMMA, DELTA = 0.7, 0.2, 0.1, 0.5
"""The weights: of the cosine, of recency, of scope, and of what a summary lost."""

RATES = (1e-4, 1e-5, 2e-6)
"""Decay of recency per second, by scope: half-lives of 1.9 hours, 19 hours and 4 days."""

SCOPE_WEIGHTS = (1.0, 0.6, 0.3)
"""S by scope."""

_SMALLEST = 5e-324


def recency(age_seconds: float | None, rate: float) -> float:
    """Return R = exp(-rate * age), in (0, 1]: there is no age at which it is nothing.

    Args:
        age_seconds: how old; a missing or future time (None, below 0, not finite) counts as now.
        rate: decay per second, 0 or more.

    >>> recency(6931.471805599453, 1e-4), recency(-5.0, 1e-4), recency(None, 1e-4)
    (0.5, 1.0, 1.0)

    """
    # docs/sources.md: A1.2.
    check_rate("rate", rate)
    # Where exp has run out of numbers the smallest one stands for it: R is never 0.
    return max(exp(-rate * _age(age_seconds)), _SMALLEST)


def half_life_seconds(rate: float) -> float:
    """Return after how many seconds recency has halved: ln 2 / rate; infinity for a rate of 0.

    >>> half_life_seconds(1e-4), half_life_seconds(0.0)
    (6931.471805599453, inf)
    """
    check_rate("rate", rate)
    return ln(2.0) / rate if rate > 0.0 else math.inf


def quality(decay_rate: Any, delta: float = DELTA) -> float:
    """Return Q of a summary: 1 - delta * decay_rate.

    Args:
        decay_rate: how much the summary lost; brought into [0, 1], and 0 where it is missing or no number.
        delta: how much of that counts, 0 to 1.

    >>> quality(0.5), quality(2.0), quality("much")
    (0.75, 0.5, 1.0)

    """
    # docs/sources.md: A1.1.4.
    check_share("delta", delta)
    return 1.0 - delta * _share(decay_rate)


def scope_of(session_id: str | None, user_id: str | None, metadata: Mapping[str, Any]) -> str:
    """Return the scope that a record's metadata gives it: its session's, else its user's, else "global".

    Args:
        session_id: whose recall it is.
        user_id: likewise.
        metadata: may say `sessionId` and `userId`, or the same in snake_case. The records of a memory say it in fields
            of their own; for these see `byheart.ranking.features.scope_of`, which goes by the same rule.

    >>> scope_of("s1", "u1", {"sessionId": "s2", "userId": "u1"})
    'user'

    """
    # docs/sources.md: A1.1.6.
    whose = (
        metadata.get("sessionId", metadata.get("session_id")),
        metadata.get("userId", metadata.get("user_id")),
    )
    return OWNERS[int(scope_among(whose, session_id, user_id))]


def hybrid_score(
    cosine: float,
    age_seconds: float | None,
    scope: str,
    *,
    summary: bool = False,
    decay_rate: Any = None,
    alpha: float = ALPHA,
    beta: float = BETA,
    gamma: float = GAMMA,
    delta: float = DELTA,
    rates: Sequence[float] = RATES,
    scope_weights: Sequence[float] = SCOPE_WEIGHTS,
) -> float:
    """Return the hybrid score of one candidate. The weights are taken as they are: their sum is not looked at.

    Args:
        cosine: of query and record; clamped to [0, 1].
        age_seconds: as `recency` takes it.
        scope: "session", "user" or "global".
        summary: whether it is one; the decay rate of anything else is ignored.
        decay_rate: as `quality` takes it.
        alpha: weight of the cosine, 0 to 1.
        beta: of recency, likewise.
        gamma: of scope.
        delta: of what a summary lost.
        rates: decay per second, by scope.
        scope_weights: S by scope, 0 to 1 each.

    Raises:
        InvalidArgument: a weight, a rate or the scope is outside its domain.

    >>> hybrid_score(0.9, 0.0, "user"), hybrid_score(0.6, 7200.0, "session", alpha=1.0, beta=0.0, gamma=0.0)
    (0.8900000000000001, 0.6)

    """
    if scope not in OWNERS:
        raise InvalidArgument(f"scope: is {scope!r}; use one of {', '.join(OWNERS)}")
    for name, weight in (("alpha", alpha), ("beta", beta), ("gamma", gamma)):
        check_share(name, weight)
    check_by_scope(rates, scope_weights)
    at = OWNERS.index(scope)
    base = alpha * clamped(cosine) + beta * recency(age_seconds, rates[at]) + gamma * scope_weights[at]
    return base * quality(decay_rate, delta) if summary else base


def check_rate(what: str, rate: float) -> None:
    """Refuse a decay rate that is no finite number of at least 0."""
    check_nonnegative(what, rate)


def check_by_scope(rates: Sequence[float], weights: Sequence[float]) -> None:
    """Refuse rates or weights that are not one for each scope, or outside their ranges."""
    if len(rates) != len(OWNERS) or len(weights) != len(OWNERS):
        raise InvalidArgument(f"rates and scope weights: one is needed for each of {', '.join(OWNERS)}, in this order")
    for scope, rate, weight in zip(OWNERS, rates, weights, strict=True):
        check_rate(f"rate of scope {scope}", rate)
        check_share(f"weight of scope {scope}", weight)


def _age(seconds: float | None) -> float:
    return max(0.0, seconds) if seconds is not None and math.isfinite(seconds) else 0.0


def _share(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or math.isnan(value):
        return 0.0
    return min(1.0, max(0.0, value))
