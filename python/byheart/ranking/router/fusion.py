"""The fusion of two ranked lists: the first filled up from the second, or both by reciprocal ranks.

Orders are total: score descending, then stage, then rank within its source, then id by code points.
"""
# docs/sources.md: A3.3.

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...errors import InvalidArgument
from ...words import RouterFusion, words_of

MODES: tuple[str, ...] = words_of(RouterFusion)
K_RRF = 60


class Placed(NamedTuple):
    """An id with its score, the stage that it comes from (0 or 1), and its rank there, from 1."""

    id: str
    score: float
    stage_priority: int = 0
    source_rank: int = 1


def in_order(rows: Iterable[Placed]) -> list[Placed]:
    """Return rows by score descending, then stage, then rank within the source, then id.

    >>> rows = [Placed("b", 0.5, 0, 2), Placed("a", 0.5, 1, 1), Placed("c", 0.5, 0, 1)]
    >>> [row.id for row in in_order(rows)]
    ['c', 'b', 'a']
    """
    # docs/sources.md: A3.1.4.
    return sorted(rows, key=lambda row: (-row.score, row.stage_priority, row.source_rank, row.id))


def delivered(ids: Iterable[str], budget: int) -> list[str]:
    """Return the first ids of a stage as it delivers them, each once: repetitions use up the budget too.

    >>> delivered(["a", "a", "b", "c"], 3)
    ['a', 'b']
    """
    # docs/sources.md: A3.1.5, D-40.
    if isinstance(ids, str):
        raise TypeError("a ranking must be a list of ids, not str")
    if budget < 0:
        raise InvalidArgument(f"budget: is {budget}; it must be at least 0")
    return list(dict.fromkeys(list(ids)[:budget]))


def reciprocal(rank: float, k: float = K_RRF) -> float:
    """Return what a rank adds to a score: 1 / (k + rank).

    >>> reciprocal(1)
    0.01639344262295082
    """
    return 1.0 / (k + rank)


def rrf(lists: Sequence[Iterable[str]], k: float = K_RRF) -> list[Placed]:
    """Return the ids of ranked lists by the sum of 1 / (k + rank), added up in the order of the lists.

    An id in several lists has stage and rank of the first. What is repeated in a list takes no rank.

    Raises:
        InvalidArgument: k is negative, or no number.

    >>> [(row.id, row.score) for row in rrf([["a", "b"], ["b", "c"]], k=10)]
    [('b', 0.17424242424242425), ('a', 0.09090909090909091), ('c', 0.08333333333333333)]

    """
    # docs/sources.md: A3.3.2, A3.3.3.
    if not 0 <= k < float("inf"):
        raise InvalidArgument(f"k: is {k}; give a number of at least 0")
    found: dict[str, Placed] = {}
    for priority, ids in enumerate(lists):
        for rank, id in enumerate(dict.fromkeys(ids), 1):
            held = found.get(id)
            if held is None:
                found[id] = Placed(id, reciprocal(rank, k), priority, rank)
            else:
                found[id] = held._replace(score=held.score + reciprocal(rank, k))
    return in_order(found.values())


def append_fill(first: Sequence[str], second: Iterable[str], *, top_k: int, max_append: int) -> list[str]:
    """Return the first list as it is, then ids of the second one that are new, until there are `top_k`.

    Both lists hold each id once. A first list longer than `top_k` is not cut here.

    >>> append_fill(["b", "a"], ["a", "c", "d"], top_k=3, max_append=10)
    ['b', 'a', 'c']
    >>> append_fill([], ["a", "c", "d"], top_k=10, max_append=2)
    ['a', 'c']
    """
    # docs/sources.md: A3.3.1, A3.1.2.
    known = set(first)
    room = max(0, min(top_k - len(first), max_append))
    return [*first, *[id for id in second if id not in known][:room]]
