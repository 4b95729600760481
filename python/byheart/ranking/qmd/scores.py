"""The scores of QMD: of words, of vectors, and of a reranker blended by place."""
# docs/sources.md: A3.7.1 to A3.7.3, A3.7.7.

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...errors import InvalidArgument

STRONG_SCORE: Final = 0.85
STRONG_GAP: Final = 0.15

_WEIGHTS: Final = ((3, 0.75), (10, 0.60))
_WEIGHT_BEHIND: Final = 0.40


def fts_score(bm25: float) -> float:
    """Return a BM25 value, of either sign, in [0, 1): |x| / (1 + |x|).

    >>> fts_score(-10.0), fts_score(0.0)
    (0.9090909090909091, 0.0)
    """
    # docs/sources.md: A3.7.1.
    size = abs(bm25)
    return size / (1.0 + size)


def strong_signal(scores: Sequence[float], intent: str | None = None) -> bool:
    """Return whether words alone are sure: the best score high, the second one far below, and no intent given.

    Args:
        scores: of the words, best first, as `fts_score` gives them.
        intent: what the question is about, in the asker's words; "" is none.

    >>> strong_signal([0.9, 0.7]), strong_signal([0.9, 0.8]), strong_signal([0.9]), strong_signal([0.9], "tea")
    (True, False, True, False)

    """
    # docs/sources.md: A3.7.3.
    if intent or not scores:
        return False
    second = scores[1] if len(scores) > 1 else 0.0
    return scores[0] >= STRONG_SCORE and scores[0] - second >= STRONG_GAP


def place_weight(rank: int) -> float:
    """Return what the place counts beside a reranker's score: 0.75 for the first three, 0.6 up to ten, then 0.4.

    Raises:
        InvalidArgument: the rank is below 1.

    """
    # docs/sources.md: A3.7.7.
    if rank < 1:
        raise InvalidArgument(f"rank: is {rank}; ranks count from 1")
    return next((weight for last, weight in _WEIGHTS if rank <= last), _WEIGHT_BEHIND)


def blend(rank: int, reranked: float) -> float:
    """Return w / rank + (1 - w) * reranked, w by `place_weight`.

    The first place has 0.75 at least, whatever the reranker says: show its own score beside this one.

    >>> blend(2, 0.9), blend(1, 0.0)
    (0.6, 0.75)
    """
    weight = place_weight(rank)
    return weight * (1.0 / rank) + (1.0 - weight) * reranked
