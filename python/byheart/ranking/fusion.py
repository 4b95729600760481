"""Joining the scores of several retrievers into one.

Pure functions over scores or ranked lists; every order is total: score descending, then id ascending.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ..errors import InvalidArgument
from .candidates import apply

WEIGHTS: Mapping[str, float] = {"lexical": 1.0, "hypervector": 0.7}
AGREEMENT_BONUS = 0.15

WORDS_FLOOR = 0.5
STRONG_WORDS = 0.75
STRONG_SHARE = 0.92
UNUSABLE = 0.1
"""The score of a row whose own scores are not finite."""


class Summands(NamedTuple):
    """What a fused score is made of, in the order of summation; None where there is nothing to add."""

    vector: float | None = None
    words: float | None = None
    agreement: float | None = None

    @property
    def score(self) -> float:
        """The fused score, in [0, 1]."""
        total = 0.0
        for summand in self:
            if summand is not None:
                total = apply("add", total, summand, clamp=True)
        return total


def agreement(
    scores: Mapping[str, float | None],
    *,
    weights: Mapping[str, float] = WEIGHTS,
    bonus: float = AGREEMENT_BONUS,
) -> float:
    """Return the weighted sum of normalised scores, plus `bonus` for each retriever that agrees with the first.

    `scores` has one entry a retriever, None where it did not find the record. The sum runs in the order of
    `weights`.

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


def bonus_summands(
    vector: float | None, words: float | None, *, bonus: float = AGREEMENT_BONUS, floor: float = WORDS_FLOOR
) -> Summands:
    """Return what `bonus` adds up.

    >>> bonus_summands(0.5, 0.9)
    Summands(vector=0.5, words=None, agreement=0.075)
    """
    used = words if vector is None else vector
    if used is None:
        return Summands()
    if not math.isfinite(used):
        return _unusable(vector)
    if vector is None:
        return Summands(words=max(floor, used))
    return Summands(vector=used, agreement=None if words is None else bonus * used)


def bonus_columns(
    vectors: Iterable[float | None], words: Iterable[float | None]
) -> tuple[list[float | None], list[float | None], list[float | None]]:
    """Return what `bonus` adds up for each row, summand by summand (`Summands`).

    >>> bonus_columns([0.5, None], [0.9, 0.3])
    ([0.5, None], [None, 0.5], [0.075, None])
    """
    pairs = list(zip(vectors, words, strict=True))
    if not all([number is None or math.isfinite(number) for pair in pairs for number in pair]):
        of_vector, of_words, of_both = zip(*[bonus_summands(*pair) for pair in pairs], strict=True)
        return list(of_vector), list(of_words), list(of_both)
    return (
        [vector for vector, _ in pairs],
        [None if vector is not None or word is None else max(WORDS_FLOOR, word) for vector, word in pairs],
        [None if vector is None or word is None else AGREEMENT_BONUS * vector for vector, word in pairs],
    )


def bonus(
    vector: float | None, words: float | None, *, bonus: float = AGREEMENT_BONUS, floor: float = WORDS_FLOOR
) -> float:
    """Return the vector's score, raised by a share of itself where the words agree.

    Named "bonus15" in configurations. It is no reciprocal rank fusion, and no weights enter.

    Args:
        vector: normalised score of the vector search, 0 to 1; None where it did not find the record.
        words: normalised score of the words, likewise.
        bonus: the share.
        floor: the least score of what words alone found.

    Returns:
        The score, in [0, 1]; 0.1 where the number that counts is not finite, and 0 where there is none.

    >>> bonus(0.5, 0.9), bonus(0.5, None), bonus(None, 0.3), bonus(0.9, 0.1)
    (0.575, 0.5, 0.5, 1.0)

    """
    # docs/sources.md: A2.2.1, A2.2.2.
    return bonus_summands(vector, words, bonus=bonus, floor=floor).score


def convex_summands(
    vector: float | None, words: float | None, *, vector_weight: float = 0.7, words_weight: float = 0.3
) -> Summands:
    """Return what `convex` adds up.

    >>> convex_summands(0.5, 0.5), convex_summands(0.1, 0.8).vector
    (Summands(vector=0.35, words=0.15, agreement=None), None)
    """
    if any(score is not None and not math.isfinite(score) for score in (vector, words)):
        return _unusable(vector)
    if vector is None:
        return Summands(words=words)
    if words is None:
        return Summands(vector=vector_weight * vector)
    weighted = Summands(vector_weight * vector, words_weight * words)
    strong = Summands(words=STRONG_SHARE * words)
    return strong if words >= STRONG_WORDS and strong.score > weighted.score else weighted


def convex(
    vector: float | None, words: float | None, *, vector_weight: float = 0.7, words_weight: float = 0.3
) -> float:
    """Return the weighted sum of both scores, and no less than 0.92 of strong words.

    Named "weighted" in configurations. What words alone found keeps their score.

    Args:
        vector: normalised score of the vector search, 0 to 1; None where it did not find the record.
        words: normalised score of the words, likewise; from 0.75 on they are strong, as those of a name or a key are.
        vector_weight: of the first.
        words_weight: of the second.

    Returns:
        The score, in [0, 1]; 0.1 where a number is not finite, and 0 where there is none.

    >>> convex(0.5, 0.5), convex(0.5, None), convex(None, 0.4), round(convex(0.5, 0.78), 12)
    (0.5, 0.35, 0.4, 0.7176)

    """
    # docs/sources.md: A2.2.6.
    return convex_summands(vector, words, vector_weight=vector_weight, words_weight=words_weight).score


def reciprocal_rank_fusion(
    rankings: Iterable[Iterable[str | tuple[str, float]]], k: int = 60
) -> list[tuple[str, float]]:
    """Return ids by the sum of 1 / (k + rank) over the rankings that hold them, highest first.

    Source: Cormack, Clarke and Büttcher (2009). The sum runs in the order of the rankings; equal sums go by id.

    Args:
        rankings: each best first, of ids or of pairs (id, score), such as `Ranking` holds; scores are not looked at.
            An id that comes again in a ranking is passed over, and takes no rank.
        k: how slowly ranks lose weight.

    Raises:
        InvalidArgument: k is negative.

    >>> reciprocal_rank_fusion([["a", "b"], ["b", "c"]], k=10)
    [('b', 0.17424242424242425), ('a', 0.09090909090909091), ('c', 0.08333333333333333)]

    """
    # docs/sources.md: A3.3.2.
    if not 0 <= k < math.inf:
        raise InvalidArgument(f"k: is {k}; give a number of at least 0")
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, id in enumerate(_ids(ranking), 1):
            scores[id] = scores.get(id, 0.0) + 1.0 / (k + rank)
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))


def append_fill(rankings: Iterable[Iterable[str | tuple[str, float]]]) -> list[str]:
    """Return the ids of the first ranking, then those that the others add, in order and without repetition.

    >>> append_fill([["b", "a"], ["a", "c"], ["d", "b"]])
    ['b', 'a', 'c', 'd']
    """
    # docs/sources.md: A3.3.1.
    return list(dict.fromkeys(id for ranking in rankings for id in _ids(ranking)))


def _unusable(vector: float | None) -> Summands:
    return Summands(words=UNUSABLE) if vector is None else Summands(vector=UNUSABLE)


def _ids(ranking: Iterable[str | tuple[str, float]]) -> list[str]:
    """Return the ids of a ranking, each where it stands first."""
    if isinstance(ranking, str):
        raise TypeError("a ranking must be a list of ids, not str")
    return list(dict.fromkeys(entry if isinstance(entry, str) else entry[0] for entry in ranking))
