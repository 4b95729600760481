"""Bringing raw scores to a common scale."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from .._core import cosine, exp
from ..errors import DimensionMismatch


def top_or_one(raw: Sequence[float]) -> list[float]:
    """Divide by the best score, or by 1 where the best is below 1, so that weak lists are not inflated.

    >>> top_or_one([4.0, 2.0]), top_or_one([0.8, 0.4])
    ([1.0, 0.5], [0.8, 0.4])
    """
    # docs/sources.md: B1.33.8.
    top = max(raw, default=1.0)
    divisor = top if top > 1.0 else 1.0
    return [score / divisor for score in raw]


def clamped(cosine: float) -> float:
    """Return a cosine as it enters a score: raw, clamped to [0, 1].

    >>> clamped(0.5), clamped(-0.25)
    (0.5, 0.0)
    """
    # docs/sources.md: decision 10.
    return min(1.0, max(0.0, cosine))


def doubles(vector: Any) -> Any:
    """Return the vector as a contiguous float64 array: of a list, or of an array of any type of number.

    >>> doubles([1, 2]).tolist()
    [1.0, 2.0]
    """
    import numpy as np  # on use: byheart is imported without it

    return np.ascontiguousarray(vector, dtype=np.float64)


def numbers(vectors: Iterable[Any]) -> list[Any]:
    """Return vectors as the core takes them: contiguous arrays of float32 or float64 as they are, others as `doubles`.

    >>> [vector.tolist() for vector in numbers([[1, 2], (3.0, 4.0)])]
    [[1.0, 2.0], [3.0, 4.0]]
    """
    import numpy as np

    ready = np.dtype(np.float32), np.dtype(np.float64)
    return [
        vector
        if isinstance(vector, np.ndarray) and vector.dtype in ready and vector.flags.c_contiguous
        else doubles(vector)
        for vector in vectors
    ]


def cosine_similarity(a: Any, b: Any) -> float | None:
    """Return the cosine of two vectors, -1 to 1; None where it is undefined, since one of them is zero.

    Args:
        a: an array of any type of number, or a list.
        b: likewise, of the same length.

    Raises:
        DimensionMismatch: the vectors have different lengths.
        InvalidArgument: a number is NaN or infinite.

    >>> cosine_similarity([1, 0], [1, 1]), cosine_similarity([0, 0], [1, 1])
    (0.7071067811865475, None)

    """
    # docs/sources.md: B1.3.6.
    a, b = doubles(a), doubles(b)
    if len(a) != len(b):
        raise DimensionMismatch(f"vectors of {len(a)} and {len(b)} dimensions; compare vectors of one model")
    return cosine(a, b)


def similarity_score(similarity: float) -> float:
    """Return a cosine on the scale from 0 to 1: (similarity + 1) / 2.

    What lies outside [-1, 1], as rounding in other people's indexes may have it, counts as the nearer end.

    >>> similarity_score(-1.0), similarity_score(0.0), similarity_score(0.5), similarity_score(1.0000001)
    (0.0, 0.5, 0.75, 1.0)
    """
    # docs/sources.md: B1.4.3.
    return (min(max(similarity, -1.0), 1.0) + 1.0) / 2.0


def distance_score(distance: float) -> float:
    """Return a cosine distance, 0 to 2, on the scale from 0 to 1, where 1 is best.

    >>> distance_score(0.0), distance_score(1.0), distance_score(2.0)
    (1.0, 0.5, 0.0)
    """
    # docs/sources.md: B1.3.7.
    return similarity_score(1.0 - distance)


def logistic(raw: float, scale: float = 5.0) -> float:
    """Return a BM25 score as 1 / (1 + e^(-raw / scale)), with the pinned exponential; 0.5 for what is not above 0.

    Never below 0.5, and nearly 1 from a raw score of 15 on.

    >>> logistic(5.0), logistic(0.0)
    (0.7310585786300049, 0.5)
    """
    # docs/sources.md: A2.2.4, D-23.
    return 1.0 / (1.0 + exp(-raw / scale)) if raw > 0.0 else 0.5


def ratio(raw: float) -> float:
    """Return a BM25 score as raw / (1 + raw), in [0, 1]; 0 for what is not above 0.

    >>> ratio(3.0), ratio(-1.0)
    (0.75, 0.0)
    """
    if raw == math.inf:
        return 1.0
    return raw / (1.0 + raw) if raw > 0.0 else 0.0


def min_max(raw: Sequence[float]) -> list[float]:
    """Return scores on the scale from the worst of them, 0, to the best, 1; all 1 where they are equal.

    >>> min_max([4.0, 1.0, 2.5]), min_max([7.0])
    ([1.0, 0.0, 0.5], [1.0])
    """
    low, high = min(raw, default=0.0), max(raw, default=0.0)
    return [(score - low) / (high - low) if high > low else 1.0 for score in raw]


def inverse_distance(distance: float) -> float:
    """Return 1 / (1 + distance), in (0, 1]; a distance below 0, which rounding can give, counts as 0.

    Under cosine distance what is unlike the query still scores 0.5.

    >>> inverse_distance(0.0), inverse_distance(1.0), inverse_distance(-1e-9)
    (1.0, 0.5, 1.0)
    """
    # docs/sources.md: A2.2.5, D-22.
    return 1.0 if distance < 0.0 else 1.0 / (1.0 + distance)
