"""The check of an embedder's vectors: what passes is finite, of the right shape, and of unit length or zero.

Embedders are written by anybody, and a vector that is wrong poisons every later search; so what they return is looked
at once, here, before it is stored or searched with.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..errors import ModelError
from .fingerprint import check_width
from .protocol import Embedder, Mode, Vectors, check_mode, check_texts, refuse_non_finite, unit_rows

MAX_LENGTH = 10.0  # B1.20.1
UNIT_TOLERANCE = 2.0**-10  # of a row that claims unit length: half-precision models are no better


def embed_checked(embedder: Embedder, texts: Sequence[str], mode: Mode) -> Vectors:
    """Return a checked row for each text, shape (n, dimensions); each has unit length or is zero.

    Rows of an embedder whose fingerprint says `normalised` are returned as they are; those of another are made unit
    here. Without texts the embedder is not called. The array is the caller's own.

    Args:
        embedder: see `Embedder`.
        texts: at most 10 MB each, without lone surrogates.
        mode: "document" for what is remembered, "query" for what is asked.

    Raises:
        ModelError: what came back has another shape or type, holds NaN or infinity, a row is longer than 10, or a row
            that claims unit length has not; names the row.
        InvalidArgument, LimitExceeded, TypeError: the texts or the mode are refused.

    >>> from byheart.embedding import HashingEmbedder
    >>> embed_checked(HashingEmbedder(64), ["a red fox", ""], "document").any(axis=1).tolist()
    [True, False]

    """
    rows = checked_rows(embedder, texts, mode)
    return rows if embedder.fingerprint.normalised else unit_rows(rows)


def checked_rows(embedder: Embedder, texts: Sequence[str], mode: Mode) -> Vectors:
    """Return what the embedder gave, checked like `embed_checked`, but of the length that it had."""
    check_mode(mode)
    asked = check_texts(texts)
    check_width(embedder)
    dimensions, fingerprint = embedder.dimensions, embedder.fingerprint
    if not asked:
        return np.zeros((0, dimensions), np.float32)
    rows = embedder.embed_documents(asked) if mode == "document" else embedder.embed_queries(asked)
    _check_shape(rows, len(asked), dimensions)
    rows = np.asarray(rows)  # of a matrix a row is a matrix, too
    if len(asked) == 1 and fingerprint.normalised and _is_unit(rows[0]):
        return np.array(rows, dtype=np.float32, order="C")
    refuse_non_finite(rows)
    lengths = np.sqrt(np.add.reduce(rows.astype(np.float64) ** 2, axis=1))
    _refuse_first(lengths > MAX_LENGTH, lengths, f"at most {MAX_LENGTH:g}")
    if fingerprint.normalised:
        astray = (lengths != 0.0) & (np.abs(lengths - 1.0) > UNIT_TOLERANCE)
        _refuse_first(astray, lengths, "1 by its fingerprint, or 0")
    return np.array(rows, dtype=np.float32, order="C")


def _is_unit(row: NDArray[np.float32]) -> bool:
    """Return whether a row is clearly of length 1: most questions are one such row, and need no further look."""
    wide = row.astype(np.float64)
    return abs(float(wide @ wide) - 1.0) < UNIT_TOLERANCE


def _check_shape(rows: object, texts: int, dimensions: int) -> None:
    """Refuse what is no float32 array of shape (texts, dimensions)."""
    if isinstance(rows, np.ma.MaskedArray):
        raise ModelError("embedder: gave a masked array; it must give one of which all numbers count")
    if not isinstance(rows, np.ndarray) or rows.dtype != np.float32:
        given = f"array of {rows.dtype}" if isinstance(rows, np.ndarray) else type(rows).__name__
        raise ModelError(f"embedder: gave {given}; it must give an array of float32")
    if rows.shape != (texts, dimensions):
        raise ModelError(f"embedder: gave shape {rows.shape} for {texts} texts; it must be {(texts, dimensions)}")


def _refuse_first(wrong: NDArray[np.bool_], lengths: NDArray[np.float64], allowed: str) -> None:
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ModelError(f"vector of text {row}: has length {lengths[row]:.6g}; it must be {allowed}")
