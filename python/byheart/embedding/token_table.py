"""A table of token vectors, and the mean of the rows of a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidArgument, ModelError
from .fingerprint import check_dimensions

_BLOCK = 4_096  # tokens summed at once: a long text needs no more memory than a short one


class TokenTable:
    """Token embeddings, with what quantised vocabularies need: a weight for each token, and a row shared by several.

    Args:
        rows: shape (rows, d), numbers of any width; kept as float32.
        weights: shape (tokens,); None counts each token once.
        mapping: shape (tokens,), the row of each token; None where token n has row n.
        dimensions: keep the first so many components (a Matryoshka prefix); None keeps all.

    Raises:
        InvalidArgument: `dimensions` is none that the table has.
        ModelError: a shape is wrong, a number is not finite, or a token maps to a row that is not there.

    >>> table = TokenTable(np.array([[1.0, 0.0], [0.0, 1.0]]))
    >>> table.mean([0, 0, 1]).tolist()
    [0.6666666666666666, 0.3333333333333333]

    """

    def __init__(
        self,
        rows: NDArray[Any],
        weights: NDArray[Any] | None = None,
        mapping: NDArray[Any] | None = None,
        dimensions: int | None = None,
    ) -> None:
        """Check and copy."""
        if rows.ndim != 2 or rows.shape[0] == 0 or rows.shape[1] == 0:
            raise ModelError(f"token table: has shape {rows.shape}; it must have a row for each token")
        if rows.dtype.kind not in "fiu" or (mapping is not None and mapping.dtype.kind not in "iu"):
            raise ModelError("token table: holds something else than numbers, or a mapping of fractions")
        width = rows.shape[1] if dimensions is None else dimensions
        check_dimensions(width)
        if width > rows.shape[1]:
            raise InvalidArgument(f"dimensions: is {dimensions}; the table has {rows.shape[1]}")
        self._rows = np.array(rows[:, :width], dtype=np.float32, order="C")
        self._weights = None if weights is None else np.array(weights, dtype=np.float64)
        self._mapping = None if mapping is None else np.array(mapping, dtype=np.int64)
        self._tokens = len(self._rows) if self._mapping is None else len(self._mapping)
        if not np.isfinite(self._rows).all() or (self._weights is not None and not np.isfinite(self._weights).all()):
            raise ModelError("token table: holds NaN or infinity; the model is damaged")
        if self._weights is not None and self._weights.shape != (self._tokens,):
            raise ModelError(f"token weights: have shape {self._weights.shape} for {self._tokens} tokens")
        if self._mapping is not None and (self._mapping.ndim != 1 or not _all_below(self._mapping, len(self._rows))):
            raise ModelError(f"token mapping: does not give each token one of the {len(self._rows)} rows")

    @property
    def dimensions(self) -> int:
        """Return the number of components of a row."""
        return int(self._rows.shape[1])

    def mean(self, tokens: Sequence[int]) -> NDArray[np.float64]:
        """Return the mean of the tokens' rows, each times its weight, shape (d,); zeros for no tokens.

        Summed in float64, in the order of the tokens: exact for tables of half precision.

        Raises:
            ModelError: a token that the table does not have: tokenizer and table belong to different models.

        """
        found = np.asarray(tokens, dtype=np.int64)
        if not _all_below(found, self._tokens):
            raise ModelError(
                f"token table: has {self._tokens} tokens, but the tokenizer gave another; they do not match"
            )
        total = np.zeros(self.dimensions)
        for first in range(0, len(found), _BLOCK):
            block = found[first : first + _BLOCK]
            rows = self._rows[block if self._mapping is None else self._mapping[block]]
            if self._weights is None:
                total += np.add.reduce(rows, axis=0, dtype=np.float64)
            else:
                total += np.add.reduce(rows * self._weights[block, np.newaxis], axis=0)
        return total / max(len(found), 1)


def _all_below(numbers: NDArray[np.int64], limit: int) -> bool:
    return not len(numbers) or (int(numbers.min()) >= 0 and int(numbers.max()) < limit)
