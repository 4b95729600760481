"""Metrics of rankings, given graded judgements; and how sure one can be of a difference.

Definitions are those of trec_eval, as pytrec_eval gives them: a document is relevant from grade 1 on; nDCG's gain
is the grade and its discount log2(rank + 1); the ideal ranking is made of all judged documents; precision
divides by k, however short the ranking is. A document without a judgement counts as not relevant.

An id that a ranking repeats counts once, where it is first; those behind it move up. A query without
relevant documents measures 0 everywhere; leave it out of means (`Collection.judged`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ..errors import InvalidArgument

Grades = Mapping[str, int]
Measure = Callable[[Sequence[str], Grades, int], float]

GAINS = ("linear", "exponential")


def ndcg(ranking: Sequence[str], grades: Grades, k: int, *, gain: str = "linear") -> float:
    """Return the normalised discounted cumulative gain of the first k, in [0, 1].

    Args:
        ranking: ids, best first.
        grades: judged documents and their grades, 0 or more.
        k: how much of the ranking counts; at least 1.
        gain: "linear" is the grade (Järvelin and Kekäläinen 2002), "exponential" is 2 ** grade - 1
            (Burges et al. 2005). With grades 0 and 1 they are the same.

    Raises:
        InvalidArgument: k is below 1, a grade below 0, or the gain unknown.

    >>> ndcg(["x", "a"], {"a": 1}, 10)
    0.6309297535714575

    """
    if gain not in GAINS:
        raise InvalidArgument(f"gain: {gain!r} does not exist; there are {', '.join(GAINS)}")
    first = _first(ranking, k)
    if min(grades.values(), default=0) < 0:
        raise InvalidArgument("grades: hold a number below 0; write 0 for what is not relevant")
    ideal = _discounted(sorted(grades.values(), reverse=True)[:k], gain)
    return _discounted([grades.get(id, 0) for id in first], gain) / ideal if ideal > 0.0 else 0.0


def recall(ranking: Sequence[str], grades: Grades, k: int) -> float:
    """Return the share of the relevant documents that are among the first k.

    >>> recall(["x", "a"], {"a": 1, "b": 2}, 10)
    0.5
    """
    relevant = _relevant(grades)
    return len(relevant.intersection(_first(ranking, k))) / len(relevant) if relevant else 0.0


def recall_all(ranking: Sequence[str], grades: Grades, k: int) -> float:
    """Return 1 if all relevant documents are among the first k, else 0. For questions that need every one of them.

    >>> recall_all(["x", "a"], {"a": 1, "b": 2}, 10), recall_all(["b", "a"], {"a": 1, "b": 2}, 10)
    (0.0, 1.0)
    """
    relevant = _relevant(grades)
    return float(bool(relevant) and relevant.issubset(_first(ranking, k)))


def hit(ranking: Sequence[str], grades: Grades, k: int) -> float:
    """Return 1 if any relevant document is among the first k, else 0. Elsewhere called success, or recall of any.

    >>> hit(["x", "a"], {"a": 1, "b": 2}, 10), hit(["x", "a"], {"a": 1, "b": 2}, 1)
    (1.0, 0.0)
    """
    return float(not _relevant(grades).isdisjoint(_first(ranking, k)))


def precision(ranking: Sequence[str], grades: Grades, k: int) -> float:
    """Return the share of the first k places that hold relevant documents; an empty place holds none.

    >>> precision(["x", "a"], {"a": 1, "b": 2}, 10)
    0.1
    """
    return len(_relevant(grades).intersection(_first(ranking, k))) / k


def reciprocal_rank(ranking: Sequence[str], grades: Grades, k: int | None = None) -> float:
    """Return 1 / rank of the first relevant document, 0 without one; only the first k places count if k is given.

    >>> reciprocal_rank(["x", "a"], {"a": 1}), reciprocal_rank(["x", "a"], {"a": 1}, 1)
    (0.5, 0.0)
    """
    relevant = _relevant(grades)
    first = _first(ranking, len(ranking) or 1 if k is None else k)
    return next((1.0 / rank for rank, id in enumerate(first, 1) if id in relevant), 0.0)


def percentile_floor(values: Sequence[float], p: float) -> float | None:
    """Return the value at the place floor(n * p) of the sorted values, counted from 0; None of no values.

    >>> percentile_floor([5.0, 1.0, 4.0], 0.5), percentile_floor([5.0], 1.0), percentile_floor([], 0.5)
    (4.0, 5.0, None)
    """
    ordered = sorted(values)
    return ordered[min(math.floor(len(ordered) * p), len(ordered) - 1)] if ordered else None


class Estimate(NamedTuple):
    """A mean and its standard error."""

    mean: float
    standard_error: float


def estimate(values: Sequence[float]) -> Estimate:
    """Return the mean of a sample and the standard error of that mean (0 for a single value).

    Given differences of two systems query by query, this is the paired comparison: a mean of less than two
    standard errors says nothing.

    Raises:
        InvalidArgument: there are no values.

    >>> estimate([0.0, 0.5, 1.0])
    Estimate(mean=0.5, standard_error=0.28867513459481287)

    """
    if not values:
        raise InvalidArgument("values: are none; a mean needs at least one")
    mean = math.fsum(values) / len(values)
    if len(values) == 1:
        return Estimate(mean, 0.0)
    variance = math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return Estimate(mean, math.sqrt(variance / len(values)))


def _first(ranking: Sequence[str], k: int) -> list[str]:
    if k < 1:
        raise InvalidArgument(f"k: is {k}; measure at least the first place")
    return list(dict.fromkeys(ranking))[:k]


def _relevant(grades: Grades) -> set[str]:
    return {id for id, grade in grades.items() if grade > 0}


def _discounted(grades: Sequence[int], gain: str) -> float:
    gains = [2.0**grade - 1.0 if gain == "exponential" else float(grade) for grade in grades]
    return math.fsum(value / math.log2(rank + 1) for rank, value in enumerate(gains, 1))
