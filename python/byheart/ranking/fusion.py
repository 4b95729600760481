"""Joining the scores of several retrievers into one.

Pure functions over scores or ranked lists; every order is total: score descending, then id ascending.
"""

from __future__ import annotations

from collections.abc import Mapping

WEIGHTS: Mapping[str, float] = {"lexical": 1.0, "hypervector": 0.7}
AGREEMENT_BONUS = 0.15


def agreement(
    scores: Mapping[str, float | None],
    *,
    weights: Mapping[str, float] = WEIGHTS,
    bonus: float = AGREEMENT_BONUS,
) -> float:
    """Return the weighted sum of normalised scores, plus `bonus` for each retriever that agrees with the first.

    `scores` has one entry a retriever, None where it did not find the record. The sum runs in the order of
    `weights`. Source: seed 003; spec B1.36.1.

    >>> agreement({"lexical": 1.0, "hypervector": 0.5})
    1.5
    >>> agreement({"lexical": None, "hypervector": 0.5})
    0.35
    """
    total, found = 0.0, 0
    for name, weight in weights.items():
        score = scores.get(name)
        if score is not None:
            total += weight * score
            found += 1
    return total + bonus * (found - 1) if found > 1 else total
