"""The protocol of embedders, and the checks and arithmetic that every embedder shares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidArgument, ModelError
from ..validation import check_text
from .fingerprint import Fingerprint

Mode: TypeAlias = Literal["document", "query"]
Vectors: TypeAlias = NDArray[np.float32]  # shape (texts, dimensions)

MODES: tuple[Mode, ...] = ("document", "query")


@runtime_checkable
class Embedder(Protocol):
    """Text to vectors. The same text gives the same bytes, whatever else is in the batch.

    Rows have unit length, or are all zero for a text with nothing in it; they are finite always. An embedder whose
    fingerprint says `normalised=False` may give rows up to a length of 10, which `embed_checked` makes unit.
    """

    @property
    def dimensions(self) -> int:
        """Return the number of components of each vector."""

    @property
    def fingerprint(self) -> Fingerprint:
        """Return what made the vectors: kept beside them, and compared before others join them."""

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return a row for each text that is remembered, shape (n, dimensions)."""

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Return a row for each text that is asked, shape (n, dimensions)."""


def check_mode(mode: str) -> None:
    """Refuse a mode that is neither "document" nor "query"."""
    if mode not in MODES:
        raise InvalidArgument(f"mode: {mode!r} does not exist; there are {' and '.join(MODES)}")


def check_texts(texts: Sequence[str]) -> list[str]:
    """Return the texts as a list that the caller no longer holds.

    Raises:
        TypeError: it is one str, which would be taken letter by letter, or holds something else than str.
        InvalidArgument: a text holds a lone surrogate.
        LimitExceeded: a text is longer than 10 MB.

    >>> check_texts(("one", ""))
    ['one', '']

    """
    if isinstance(texts, str) or not hasattr(texts, "__iter__"):
        raise TypeError(f"texts must be a list of str, not {type(texts).__name__}")
    copied = list(texts)
    for row, text in enumerate(copied):
        if not isinstance(text, str):
            raise TypeError(f"text {row} must be str, not {type(text).__name__}")
        check_text(f"text {row}", text)
    return copied


def unit_rows(rows: NDArray[np.floating[Any]]) -> Vectors:
    """Return the rows scaled to unit length; a row of zeros stays as it is.

    Computed in float64 after each row was scaled by a power of two, so nothing overflows or vanishes on the way, and a
    row's bytes do not depend on its neighbours. No BLAS, whose order of additions differs between machines.

    Args:
        rows: shape (n, d), float32 or float64, any layout; not changed.

    Raises:
        ModelError: a component is NaN or infinite; names the row.

    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]

    """
    wide = np.array(rows, dtype=np.float64, order="C", ndmin=2)
    if wide.shape[0] == 0 or wide.shape[1] == 0:
        return wide.astype(np.float32)
    refuse_non_finite(wide)
    _, exponents = np.frexp(np.abs(wide).max(axis=1, keepdims=True))
    wide = np.ldexp(wide, -exponents)
    lengths = np.sqrt(np.add.reduce(wide * wide, axis=1, keepdims=True))
    lengths[lengths == 0.0] = 1.0
    unit: Vectors = (wide / lengths).astype(np.float32)
    return unit


def refuse_non_finite(rows: NDArray[np.floating[Any]]) -> None:
    """Raise ModelError naming the first row, of shape (n, d), that holds NaN or infinity."""
    finite = np.isfinite(rows).all(axis=1)
    if not finite.all():
        row = int(np.argmin(finite))
        raise ModelError(f"vector of text {row}: holds NaN or infinity; the model is damaged or the wrong one")
