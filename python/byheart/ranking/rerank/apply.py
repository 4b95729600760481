"""The scores that a second opinion comes to: pure functions over one list of scores.

Every rule here is one line, score' = clamp(score * factor + summand): `blend_operands` and `cosine_operands` give the
two operands of each row, which is what an explanation keeps, and the rest of the module applies them.
"""
# docs/sources.md: A2.3.3 to A2.3.8.

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from ..._core import cosines as similarities
from ...errors import InvalidArgument, RerankFailed
from ..normalisation import clamped, numbers
from .protocol import Scored

CROSS_ENCODER_SHARE: Final = 0.6
SCORE_SHARE: Final = 0.4
UNUSABLE_SHARE: Final = 0.5
"""What is left of a score whose blend is not finite."""
UNRETURNED_SHARE: Final = 0.8
"""What is left of a score of which the reranker said nothing."""
FALLBACK_SCORE_SHARE: Final = 0.7
FALLBACK_COSINE_SHARE: Final = 0.3

FLOORS: Final = ((0.75, 0.95, 1.0), (0.60, 0.90, 0.95))
"""Lexical score from which on, and the share of its score that a row keeps then: returned, not returned."""
# docs/sources.md: A2.3.8.
LEAST_FLOORS: Final = (0.50, 0.80)


class Operands(NamedTuple):
    """What is done to a score: score' = clamp(score * factor + summand)."""

    factor: float
    summand: float = 0.0

    def applied(self, score: float) -> float:
        """Return the new score, in [0, 1].

        >>> Operands(0.4, 0.6).applied(0.5), Operands(0.8).applied(0.5)
        (0.8, 0.4)
        """
        return clamped(score * self.factor + self.summand)


def blend_operands(
    scores: Sequence[float], judged: Iterable[Scored], *, lexical: Sequence[float | None] | None = None
) -> list[Operands]:
    """Return each row's operands for a reranker's scores.

    0.6 of the reranker's and 0.4 of the row's own; half of its own where that is not finite; 0.8 of its own for a row
    that the reranker left out. Rows that do not exist are passed over, and the first score of a row counts.

    Args:
        scores: the rows', each in [0, 1].
        judged: a row's place and the reranker's score, in any order.
        lexical: normalised lexical scores, None for a row without. With them a row keeps at least a share of its score,
            so that exact words are not lost to a reranker that cannot read them; off by default.

    Raises:
        InvalidArgument: a score is not finite, or there are not as many lexical scores.

    >>> blend_operands([0.5, 0.5], [Scored(0, 1.0)])
    [Operands(factor=0.4, summand=0.6), Operands(factor=0.8, summand=0.0)]

    """
    _check_finite(scores)
    if lexical is not None and len(lexical) != len(scores):
        raise InvalidArgument(f"lexical: has {len(lexical)} scores for {len(scores)} rows")
    first: dict[int, float] = {}
    for each in judged:
        first.setdefault(each.index, each.score)
    operands = [_blended(score, first.get(row)) for row, score in enumerate(scores)]
    if lexical is None:
        return operands
    return [
        _floored(score, given, _floor(words, returned=row in first))
        for row, (score, given, words) in enumerate(zip(scores, operands, lexical, strict=True))
    ]


def cosine_operands(scores: Sequence[float], cosines: Sequence[float]) -> list[Operands]:
    """Return each row's operands for the fallback: 0.7 of its score and 0.3 of its cosine with the query.

    A row whose cosine is not finite keeps its score.

    Raises:
        InvalidArgument: a score is not finite, or there are not as many cosines.

    >>> cosine_operands([0.5, 0.5], [1.0, float("nan")])
    [Operands(factor=0.7, summand=0.3), Operands(factor=1.0, summand=0.0)]

    """
    _check_finite(scores)
    if len(cosines) != len(scores):
        raise InvalidArgument(f"cosines: there are {len(cosines)} for {len(scores)} rows")
    return [
        Operands(FALLBACK_SCORE_SHARE, FALLBACK_COSINE_SHARE * cosine)
        if math.isfinite(FALLBACK_SCORE_SHARE * score + FALLBACK_COSINE_SHARE * cosine)
        else Operands(1.0)
        for score, cosine in zip(scores, cosines, strict=True)
    ]


def blend(
    scores: Sequence[float], judged: Iterable[Scored], *, lexical: Sequence[float | None] | None = None
) -> list[Scored]:
    """Return the rows with their blended scores, best first; equal scores in the order of the rows.

    Arguments and errors are those of `blend_operands`.

    >>> blend([0.9, 0.7, 0.5], [Scored(1, 0.95)])[0]
    Scored(index=1, score=0.8499999999999999)
    """
    return best_first(scores, blend_operands(scores, judged, lexical=lexical))


def cosine_fallback(scores: Sequence[float], cosines: Sequence[float | None]) -> list[Scored]:
    """Return the rows by 0.7 score + 0.3 cosine, best first; rows and scores as they were if any cosine is missing.

    Errors are those of `cosine_operands`.

    >>> cosine_fallback([0.6, 0.7], [0.9, 0.1])
    [Scored(index=0, score=0.69), Scored(index=1, score=0.5199999999999999)]
    >>> cosine_fallback([0.6, 0.7], [0.9, None])
    [Scored(index=0, score=0.6), Scored(index=1, score=0.7)]
    """
    known = [cosine for cosine in cosines if cosine is not None]
    if len(known) != len(cosines):
        _check_finite(scores)
        return [Scored(row, score) for row, score in enumerate(scores)]
    return best_first(scores, cosine_operands(scores, known))


def best_first(scores: Sequence[float], operands: Sequence[Operands]) -> list[Scored]:
    """Return the rows with operands applied, the highest score first; equal scores in the order of the rows."""
    rows = [Scored(row, each.applied(score)) for row, (score, each) in enumerate(zip(scores, operands, strict=True))]
    return sorted(rows, key=lambda row: -row.score)


def cosines(query: Any, vectors: Sequence[Any]) -> list[float]:
    """Return the cosine of each vector with the query's; a vector of zeros is like nothing, so 0.

    Args:
        query: an array or list of numbers, or None.
        vectors: likewise, one a row.

    Raises:
        RerankFailed: a vector is missing, has another length, or holds NaN. There is no fallback for a part of the
            rows: their scores would no longer compare.

    >>> cosines([1.0, 0.0], [[2.0, 0.0], [0.0, 0.0]])
    [1.0, 0.0]

    """
    if query is None:
        raise RerankFailed("the query has no vector")
    if any(vector is None for vector in vectors):
        raise RerankFailed("a record has no vector")
    asked, *rows = numbers([query, *vectors])
    if any(len(row) != len(asked) for row in rows):
        raise RerankFailed("vectors of different dimensions")
    try:
        return [cosine or 0.0 for cosine in similarities(asked, rows)]
    except InvalidArgument:
        raise RerankFailed("a vector is not finite") from None


def _blended(score: float, judged: float | None) -> Operands:
    if judged is None:
        return Operands(UNRETURNED_SHARE)
    summand = CROSS_ENCODER_SHARE * judged
    if not math.isfinite(score * SCORE_SHARE + summand):
        return Operands(UNUSABLE_SHARE)
    return Operands(SCORE_SHARE, summand)


def _floor(lexical: float | None, *, returned: bool) -> float:
    for least, if_returned, if_not in FLOORS:
        if lexical is not None and lexical >= least:
            return if_returned if returned else if_not
    return LEAST_FLOORS[0] if returned else LEAST_FLOORS[1]


def _floored(score: float, operands: Operands, share: float) -> Operands:
    """Return the operands that give more."""
    kept = Operands(share)
    return kept if kept.applied(score) > operands.applied(score) else operands


def _check_finite(scores: Sequence[float]) -> None:
    for row, score in enumerate(scores):
        if not math.isfinite(score):
            raise InvalidArgument(f"score of row {row}: is {score}; scores are finite")
