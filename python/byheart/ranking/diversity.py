"""Answers that are not all alike: near-duplicates moved to the end.

The other way, which weighs relevance against likeness, is `byheart.maximal_marginal_relevance`.
Either order is the answer: who sorts it by score again undoes it.
"""
# docs/sources.md: A2.5, B1.9.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._core import near_duplicates
from .normalisation import numbers

DEFERRAL_THRESHOLD = 0.85
"""A larger cosine than this to a result that was kept makes a near-duplicate."""


def defer_similar(vectors: Sequence[Any], threshold: float = DEFERRAL_THRESHOLD) -> list[int]:
    """Return the indices of all vectors in order, near-duplicates last.

    A vector is deferred if its cosine with one that was kept before is above the threshold, and compared with nothing
    afterwards. Where there is no vector, or an empty one, the place is kept; a vector of zeros is like nothing.

    Args:
        vectors: in the order of their scores, best first; each an array, a list of floats, or None.
        threshold: a cosine, -1 to 1.

    Raises:
        InvalidArgument: vectors of different lengths are compared, or one holds NaN or an infinity.

    >>> defer_similar([[1.0, 0.0], [0.95, 0.05], None, [0.0, 1.0]])
    [0, 2, 3, 1]

    """
    held = [at for at, vector in enumerate(vectors) if vector is not None and len(vector)]
    places = near_duplicates(numbers(vectors[at] for at in held), threshold)
    deferred = [held[place] for place in places]
    if not deferred:
        return list(range(len(vectors)))
    last = set(deferred)
    return [at for at in range(len(vectors)) if at not in last] + deferred
