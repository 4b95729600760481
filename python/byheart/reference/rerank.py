"""The effect of a second opinion on scores: the blend with a reranker's, and with a cosine where there is none.

Lists in, pairs (row, score) out, best first; equal scores keep the order of the rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Judged = Sequence[tuple[int, float]]


def clamped(score: float) -> float:
    """Return the score in [0, 1].

    >>> clamped(1.7), clamped(-0.5), clamped(0.25)
    (1.0, 0.0, 0.25)
    """
    if score > 1.0:
        return 1.0
    return score if score > 0.0 else 0.0


def best_first(scores: Sequence[float]) -> list[tuple[int, float]]:
    """Return pairs (row, score), the highest score first; ties in order of rows.

    >>> best_first([0.1, 0.5, 0.5])
    [(1, 0.5), (2, 0.5), (0, 0.1)]
    """
    return sorted(enumerate(scores), key=lambda pair: -pair[1])


def blend(
    scores: Sequence[float], judged: Judged, lexical: Sequence[float | None] | None = None
) -> list[tuple[int, float]]:
    """Return the rows by their blended scores.

    Args:
        scores: one a row, in [0, 1].
        judged: pairs (row, the reranker's score); rows that do not exist are passed over, the first of a row counts.
        lexical: normalised lexical scores; with them, rows keep a share of their score whatever the reranker says.

    >>> blend([0.9, 0.7, 0.5], [(1, 0.95)])
    [(1, 0.8499999999999999), (0, 0.7200000000000001), (2, 0.4)]
    >>> blend([0.9], [(0, 0.0)]), blend([0.9], [(0, 0.0)], [0.8])
    ([(0, 0.36000000000000004)], [(0, 0.855)])

    """
    blended = []
    for row, score in enumerate(scores):
        given = [value for index, value in judged if index == row]
        if not given:
            value = 0.8 * score
        elif math.isfinite(0.6 * given[0] + 0.4 * score):
            value = clamped(0.6 * given[0] + 0.4 * score)
        else:
            value = 0.5 * score
        if lexical is not None:
            kept = floor(lexical[row], returned=bool(given))
            value = max(value, kept * score)
        blended.append(clamped(value))
    return best_first(blended)


def floor(lexical: float | None, *, returned: bool) -> float:
    """Return the share of its score that a row keeps, by its lexical score.

    >>> floor(0.8, returned=True), floor(0.8, returned=False), floor(None, returned=True)
    (0.95, 1.0, 0.5)
    """
    # docs/sources.md: A2.3.8.
    if lexical is not None and lexical >= 0.75:
        return 0.95 if returned else 1.0
    if lexical is not None and lexical >= 0.60:
        return 0.90 if returned else 0.95
    return 0.50 if returned else 0.80


def cosine_fallback(scores: Sequence[float], cosines: Sequence[float | None]) -> list[tuple[int, float]]:
    """Return the rows by 0.7 score + 0.3 cosine; as they are, unsorted, if any cosine is missing.

    >>> cosine_fallback([0.6, 0.7], [0.9, 0.1])
    [(0, 0.69), (1, 0.5199999999999999)]
    >>> cosine_fallback([0.6, 0.7], [0.9, None])
    [(0, 0.6), (1, 0.7)]

    """
    if any(cosine is None for cosine in cosines):
        return list(enumerate(scores))
    mixed = []
    for score, cosine in zip(scores, cosines, strict=True):
        value = 0.7 * score + 0.3 * (cosine if cosine is not None else 0.0)
        mixed.append(clamped(value) if math.isfinite(value) else score)
    return best_first(mixed)
