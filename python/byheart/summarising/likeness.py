"""Centroids and cosines of turns' vectors, in double precision and never undefined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .._core import cosine
from ..errors import InvalidArgument

Doubles: TypeAlias = NDArray[np.float64]
# Squares of such numbers, and products of those, stay far inside a double.
_LARGEST: Final = float(np.finfo(np.float32).max)


def doubles(what: str, vector: Any) -> Doubles:
    """Return a vector as a contiguous float64 array.

    Raises:
        InvalidArgument: it is no list of numbers, or holds NaN or something larger than float32 can.

    >>> doubles("vector", [1, 2]).tolist()
    [1.0, 2.0]

    """
    try:
        found = np.array(vector, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidArgument(f"{what}: is no vector; give a list or an array of numbers") from None
    if found.ndim != 1:
        raise InvalidArgument(f"{what}: has shape {found.shape}; a vector has one dimension")
    if not (np.abs(found) <= _LARGEST).all():
        raise InvalidArgument(f"{what}: holds NaN, an infinity, or a number that float32 cannot hold")
    return found


def vectors_of_turns(vectors: Sequence[Any | None]) -> list[Doubles | None]:
    """Return the vector of each turn as float64; None stays, for a turn that has none."""
    return [None if vector is None else doubles(f"vector of turn {row}", vector) for row, vector in enumerate(vectors)]


def centroid(vectors: Sequence[Doubles | None]) -> Doubles | None:
    """Return the plain mean of the vectors that have the length of the first one; None where there is none.

    >>> centroid([doubles("a", [1, 0]), None, doubles("b", [0, 1])]).tolist()
    [0.5, 0.5]

    """
    there = [vector for vector in vectors if vector is not None]
    alike = [vector for vector in there if len(vector) == len(there[0])]
    if not alike:
        return None
    total = np.zeros(len(alike[0]))
    for vector in alike:  # one after the other, so that the order of additions is written down
        total += vector
    return total / len(alike)


def likeness(vector: Doubles | None, other: Doubles | None) -> float:
    """Return the cosine, -1 to 1; 0 where a vector is missing, zero, or of another length.

    >>> likeness(doubles("a", [3, 4]), doubles("b", [6, 8])), likeness(doubles("a", [0, 0]), doubles("b", [6, 8]))
    (1.0, 0.0)

    """
    if vector is None or other is None or len(vector) != len(other):
        return 0.0
    return cosine(vector, other) or 0.0


def clamp(value: float) -> float:
    """Return the value, moved into [0, 1]."""
    return min(1.0, max(0.0, value))
