"""Metrics of abstention: whether nothing is said where there is nothing to say, and something where there is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Abstention(NamedTuple):
    """Counts of queries and of those without a hit, and what follows from them.

    Attributes:
        unanswerable, answerable: how many queries there are of each kind.
        right: share of the unanswerable queries that got no hit; None if there are none.
        false: share of the answerable ones that got none; None if there are none.
        precision: share of the queries without a hit that are unanswerable; None if every query got one.
        f1: harmonic mean of `right` and `precision`; None where one of them is.

    """

    unanswerable: int
    answerable: int
    right: float | None
    false: float | None
    precision: float | None
    f1: float | None


def abstention(answers: Iterable[tuple[bool, bool]]) -> Abstention:
    """Return how well a system knows what it does not know.

    Args:
        answers: for each query whether it can be answered, and whether it got a hit.

    >>> found = abstention([(True, True), (True, False), (False, False), (False, True)])
    >>> found.right, found.false, found.precision, found.f1
    (0.5, 0.5, 0.5, 0.5)

    """
    counts = {(known, hit): 0 for known in (True, False) for hit in (True, False)}
    for known, hit in answers:
        counts[bool(known), bool(hit)] += 1
    unanswerable = counts[False, True] + counts[False, False]
    answerable = counts[True, True] + counts[True, False]
    silent = counts[False, False] + counts[True, False]
    right = counts[False, False] / unanswerable if unanswerable else None
    precision = counts[False, False] / silent if silent else None
    f1 = None
    if right is not None and precision is not None:
        f1 = 2.0 * right * precision / (right + precision) if right + precision else 0.0
    false = counts[True, False] / answerable if answerable else None
    return Abstention(unanswerable, answerable, right, false, precision, f1)
