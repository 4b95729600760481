"""The metrics of a retrieval bench: one question scored at k, and percentiles of what questions took.

A document is relevant or not; a question without relevant ones scores 0. Precision divides by k.
"""
# docs/sources.md: A3.6.1, A3.6.2, D-52.

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..ranking import statistics
from . import metrics


class Scores(NamedTuple):
    """What one question scores at k."""

    hit: float
    precision: float
    recall: float
    mrr: float
    ndcg: float


def score(retrieved: Sequence[str], relevant: Iterable[str], k: int) -> Scores:
    """Return the scores of one question.

    Args:
        retrieved: ids, best first; what is repeated counts where it stands first, and what follows moves up.
        relevant: ids; each counts once.
        k: how many of the first are looked at.

    Raises:
        InvalidArgument: k is below 1.

    >>> score(["x", "x", "a"], ["a"], 2)
    Scores(hit=1.0, precision=0.5, recall=1.0, mrr=0.5, ndcg=0.6309297535714575)

    """
    grades = dict.fromkeys(relevant, 1)
    recall = metrics.recall(retrieved, grades, k)
    return Scores(
        hit=1.0 if recall > 0.0 else 0.0,
        precision=metrics.precision(retrieved, grades, k),
        recall=recall,
        mrr=metrics.reciprocal_rank(retrieved, grades, k),
        ndcg=metrics.ndcg(retrieved, grades, k),
    )


def mean(scores: Sequence[Scores]) -> Scores:
    """Return the mean of the scores of questions, 0 of none.

    >>> mean([Scores(1.0, 0.5, 1.0, 1.0, 1.0), Scores(0.0, 0.0, 0.0, 0.0, 0.0)]).precision
    0.25
    """
    count = len(scores) or 1
    return (
        Scores(*(math.fsum(column) / count for column in zip(*scores, strict=True))) if scores else Scores(*[0.0] * 5)
    )


def percentile(values: Sequence[float], p: float) -> float:
    """Return the value below which p of 100 values lie, linear between two; 0 of none.

    >>> percentile([100.0, 200.0, 400.0], 75), percentile([], 50), percentile([3.0, 1.0], 100)
    (300.0, 0.0, 3.0)
    """
    found = statistics.percentile(values, min(max(p, 0.0), 100.0) / 100.0)
    return 0.0 if found is None else found
