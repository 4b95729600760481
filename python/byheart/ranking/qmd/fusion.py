"""The fusion of QMD: weighted reciprocal ranks over any number of lists, and a bonus for the first places."""
# docs/sources.md: A3.7.5.

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

from ...errors import InvalidArgument

K_RRF: Final = 60
ORIGINAL: Final = 2.0
"""The weight of lists that the question itself gave, or of the first list of a typed query."""
EXPANDED: Final = 1.0
"""The weight of all others."""
FIRST_BONUS: Final = 0.05
NEAR_BONUS: Final = 0.02


def place_bonus(best_rank: int) -> float:
    """Return the bonus of the best rank in any list, from 1: 0.05 for the first, 0.02 for the next two.

    >>> place_bonus(1), place_bonus(3), place_bonus(4)
    (0.05, 0.02, 0.0)
    """
    if best_rank == 1:
        return FIRST_BONUS
    return NEAR_BONUS if best_rank <= 3 else 0.0


def contribution(rank: int, weight: float = 1.0, k: float = K_RRF) -> float:
    """Return what a rank in one list adds: weight / (k + rank)."""
    return weight / (k + rank)


def rrf(lists: Sequence[Iterable[str]], weights: Sequence[float] = (), k: float = K_RRF) -> list[tuple[str, float]]:
    """Return ids by the sum of weight / (k + rank), in the order of the lists, plus the bonus of the best rank.

    Equal sums stay in the order in which ids were seen first. An id that comes again in a list adds again, at its rank
    there.

    Args:
        lists: ids, best first.
        weights: by list; 1 for a list without.
        k: how slowly ranks lose weight.

    Raises:
        InvalidArgument: a weight or k is negative, or no number.

    >>> rrf([["a"], ["b"]], [2.0, 1.0])
    [('a', 0.08278688524590164), ('b', 0.06639344262295083)]

    """
    if not all(math.isfinite(number) and number >= 0 for number in (k, *weights)):
        raise InvalidArgument("weights and k must be finite and at least 0")
    sums: dict[str, float] = {}
    best: dict[str, int] = {}
    for number, ids in enumerate(lists):
        weight = weights[number] if number < len(weights) else 1.0
        for rank, id in enumerate(ids, 1):
            sums[id] = sums.get(id, 0.0) + contribution(rank, weight, k)
            best[id] = min(best.get(id, rank), rank)
    scored = [(id, score + place_bonus(best[id])) for id, score in sums.items()]
    return sorted(scored, key=lambda pair: -pair[1])
