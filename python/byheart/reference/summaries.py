"""Summaries: which turns stand for a cluster, how sure a model was of its words, and what a summary keeps.

A vector is a list of floats; None, one of zeros, and one of
another length than the cluster's is a missing one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence

from .diversity import Vector, cosine
from .mathematics import exp, ln


def extractive_count(turns: int, density: float = 0.4) -> int:
    """Return how many turns of a cluster are kept: their number times the density, rounded up, and at least one.

    A density that is no share (0 or below, or above 1) counts as 0.4.

    >>> [extractive_count(turns) for turns in (1, 3, 5, 6)], extractive_count(5, 0.0)
    ([1, 2, 2, 3], 2)

    """
    share = density if 0.0 < density <= 1.0 else 0.4
    return min(max(math.ceil(turns * share), 1), turns)


def centroid(vectors: Sequence[Vector | None]) -> list[float] | None:
    """Return the mean of the vectors that have the length of the first one there is; None where there is none.

    >>> centroid([[1.0, 0.0], None, [0.0, 1.0]])
    [0.5, 0.5]

    """
    there = [vector for vector in vectors if vector is not None]
    alike = [vector for vector in there if len(vector) == len(there[0])]
    if not alike:
        return None
    total = [0.0] * len(alike[0])
    for vector in alike:
        total = [sum_ + value for sum_, value in zip(total, vector, strict=True)]
    return [value / len(alike) for value in total]


def likeness(vector: Vector | None, other: Vector | None) -> float:
    """Return the cosine, and 0 where it is undefined or a vector is missing.

    >>> likeness([1.0, 0.0], [2.0, 0.0]), likeness(None, [1.0]), likeness([1.0], [1.0, 0.0])
    (1.0, 0.0, 0.0)

    """
    if vector is None or other is None or len(vector) != len(other):
        return 0.0
    return cosine(vector, other) or 0.0


def extract(vectors: Sequence[Vector | None], density: float = 0.4) -> tuple[list[int], float]:
    """Return the turns nearest to the centroid, in their own order, and their mean cosine to it, within [0, 1].

    Equal ones go by their place.

    >>> extract([[1.0, 0.0], [0.0, 1.0]])
    ([0], 0.7071067811865475)

    """
    middle = centroid(vectors)
    scores = [likeness(vector, middle) for vector in vectors]
    order = sorted(range(len(vectors)), key=lambda at: (-scores[at], at))
    kept = sorted(order[: extractive_count(len(vectors), density)])
    total = 0.0
    for at in kept:
        total += scores[at]
    return kept, min(max(total / len(kept), 0.0), 1.0)


def covering(words: Sequence[Collection[str]], count: int) -> list[int]:
    """Return `count` of some sets of words: each that with the most words that none chosen before it has.

    >>> covering([{"tea"}, {"green", "tea"}, {"cup"}], 2)
    [1, 2]

    """
    chosen: list[int] = []
    while len(chosen) < min(count, len(words)):
        seen = {word for at in chosen for word in words[at]}
        news = {at: sum(word not in seen for word in set(each)) for at, each in enumerate(words) if at not in chosen}
        chosen.append(max(news, key=lambda at: (news[at], -at)))
    return chosen


def confidence(logprobs: Sequence[float]) -> float:
    """Return the geometric mean of the tokens' probabilities, exp of the mean logarithm; 0 without tokens.

    >>> round(confidence([ln(0.5), ln(0.25)]), 12), confidence([])
    (0.353553390593, 0.0)

    """
    if not logprobs:
        return 0.0
    total = 0.0
    for value in logprobs:
        total += value
    return exp(total / len(logprobs))


def preservation(summary: Vector, vectors: Sequence[Vector]) -> tuple[float, float, float]:
    """Return alignment, coverage and confidence of a summary by its vector and those of its turns.

    Alignment is the cosine to their centroid, coverage the mean of the cosines to each, negative ones as 0, and the
    confidence the mean of both, within [0, 1].

    >>> preservation([0.0, 1.0], [[0.0, 2.0], [0.0, -1.0]])
    (1.0, 0.5, 0.75)

    """
    alignment = likeness(summary, centroid(vectors))
    total = 0.0
    for vector in vectors:
        total += max(0.0, likeness(summary, vector))
    coverage = total / len(vectors)
    return alignment, coverage, min(max((alignment + coverage) / 2.0, 0.0), 1.0)


def log_softmax(logits: Sequence[float]) -> list[float]:
    """Return the logarithm of each probability, with the largest logit taken off first.

    >>> [round(value, 6) for value in log_softmax([0.0, 0.0])]
    [-0.693147, -0.693147]

    """
    top = max(logits)
    total = 0.0
    for value in logits:
        total += exp(value - top)
    return [value - top - ln(total) for value in logits]


def greedy(
    logits_after: Callable[[Sequence[int]], Sequence[float]], start: Sequence[int], ends: Collection[int], most: int
) -> tuple[list[int], list[float]]:
    """Return the likeliest token each time, and its log-probability, until it is one of `ends` or `most` are there.

    Equal ones go by the lower token; what ends the text is no part of the answer.

    >>> greedy(lambda tokens: [float(len(tokens) == 3), 0.0, 0.5], start=[1], ends=[0], most=9)[0]
    [2, 2]

    """
    made: list[int] = []
    logprobs: list[float] = []
    while len(made) < most:
        logits = logits_after([*start, *made])
        best = max(range(len(logits)), key=lambda token: (logits[token], -token))
        if best in ends:
            break
        made.append(best)
        logprobs.append(log_softmax(logits)[best])
    return made, logprobs
