"""The measures of a table, in its order: the name in files, the heading for people, and the function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from . import metrics
from .metrics import Grades


class Measure(NamedTuple):
    """A measure of a ranking up to k. `heading` holds "@k" where the number stands."""

    heading: str
    of: Callable[[Sequence[str], Grades, int], float]


MEASURES: Final[Mapping[str, Measure]] = {
    "ndcg": Measure("nDCG@k", metrics.ndcg),
    "ndcg_exponential": Measure("nDCG@k, 2^g-1", partial(metrics.ndcg, gain="exponential")),
    "recall": Measure("recall@k", metrics.recall),
    "recall_all": Measure("all@k", metrics.recall_all),
    "hit": Measure("hit@k", metrics.hit),
    "precision": Measure("precision@k", metrics.precision),
    "mrr": Measure("MRR@k", metrics.reciprocal_rank),
}
MAIN: Final = "ndcg"


def measured(ranking: Sequence[str], grades: Grades, k: int) -> dict[str, float]:
    """Return every measure of one ranking.

    >>> {name: round(value, 3) for name, value in measured(["x", "a"], {"a": 1}, 2).items() if name != "ndcg"}
    {'ndcg_exponential': 0.631, 'recall': 1.0, 'recall_all': 1.0, 'hit': 1.0, 'precision': 0.5, 'mrr': 0.5}
    """
    return {name: measure.of(ranking, grades, k) for name, measure in MEASURES.items()}
