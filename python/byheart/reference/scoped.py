"""The score of `scoped` recall, as its source writes it."""
# docs/sources.md: A1.1, A1.2.

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from .mathematics import exp

RATES = {"session": 1e-4, "user": 1e-5, "global": 2e-6}
OWNERS = {"session": 1.0, "user": 0.6, "global": 0.3}


def scope_of(session_id: str | None, user_id: str | None, metadata: Mapping[str, Any]) -> str:
    """Return "session", "user" or "global": the first whose id the metadata names; a missing id matches nothing.

    >>> scope_of("s1", "u1", {"sessionId": "s1", "userId": "u2"})
    'session'
    """
    if session_id is not None and metadata.get("sessionId") == session_id:
        return "session"
    if user_id is not None and metadata.get("userId") == user_id:
        return "user"
    return "global"


def recency(age: float | None, rate: float) -> float:
    """Return exp(-rate * age); no age counts below 0, and the result never below the smallest double.

    >>> recency(0.0, 1e-4), recency(-1.0, 1e-4), recency(1e12, 1e-4)
    (1.0, 1.0, 5e-324)
    """
    if age is None or math.isnan(age) or math.isinf(age) or age < 0.0:
        age = 0.0
    found = exp(-(rate * age))
    return found if found > 0.0 else 5e-324


def hybrid_score(
    item: Mapping[str, Any],
    weights: tuple[float, float, float, float] = (0.7, 0.2, 0.1, 0.5),
    rates: Mapping[str, float] = RATES,
    scopes: Mapping[str, float] = OWNERS,
) -> float:
    """Return the score of an item with `cos`, `age_s`, `scope`, and for a summary `type` and `decay_rate`.

    Args:
        item: what is scored.
        weights: alpha, beta, gamma, delta.
        rates: lambda by scope.
        scopes: S by scope.

    >>> hybrid_score({"cos": 0.9, "age_s": 0, "scope": "user"})
    0.8900000000000001

    """
    alpha, beta, gamma, delta = weights
    cosine = 0.0 if item["cos"] < 0.0 else 1.0 if item["cos"] > 1.0 else item["cos"]
    score = alpha * cosine
    score = score + beta * recency(item.get("age_s"), rates[item["scope"]])
    score = score + gamma * scopes[item["scope"]]
    if item.get("type") != "summary":
        return score
    rate = item.get("decay_rate")
    if isinstance(rate, bool) or not isinstance(rate, (int, float)) or math.isnan(rate) or rate < 0.0:
        rate = 0.0
    elif rate > 1.0:
        rate = 1.0
    return score * (1.0 - delta * rate)


def rank(items: Sequence[Mapping[str, Any]], *arguments: Any) -> list[Any]:
    """Return the ids of items, best first; equal ones as they came.

    >>> rank([{"id": "b", "cos": 0.5, "scope": "user"}, {"id": "a", "cos": 0.5, "scope": "user"}])
    ['b', 'a']
    """
    left = list(items)
    found = []
    while left:
        best = left[0]
        for item in left[1:]:
            if hybrid_score(item, *arguments) > hybrid_score(best, *arguments):
                best = item
        left.remove(best)
        found.append(best["id"])
    return found
