"""Dense retrieval of records: nearest by the cosine of their embeddings (seed 000, section 4; spec A1.4)."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TYPE_CHECKING

from .._core import DenseIndex, Ranking
from ..ranking.explanation import Explanation, Part
from ..ranking.normalisation import clamped

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Widths that Matryoshka-trained models are made for; the last tier is the whole vector.
_RUNGS = (64, 256)

# Above which best score the seed's cascade leaves at a rung (spec A1.4.4).
_THRESHOLDS = (0.92, 0.80)


def ladder(dimensions: int) -> tuple[int, ...]:
    """Return the tiers of vectors of this width: seed 000's 64 and 256 as far as they are narrower, then all of it.

    >>> ladder(768), ladder(256), ladder(32)
    ((64, 256, 768), (64, 256), (32,))
    """
    return (*(rung for rung in _RUNGS if rung < dimensions), dimensions)


def new_index(dimensions: int) -> DenseIndex:
    """Return an empty index of vectors of this width."""
    return DenseIndex(dimensions, tiers=ladder(dimensions))


def add(index: DenseIndex, ids: Sequence[str], rows: Sequence[bytes], cells: Sequence[str]) -> None:
    """Put stored vectors in under these ids and cells."""
    import numpy as np

    matrix = np.frombuffer(b"".join(rows), dtype="<f4").reshape(len(rows), index.dimensions)
    index.add(ids, matrix.astype(np.float32, copy=False), cells=cells)


def is_blank(row: bytes) -> bool:
    """Return whether a stored vector is all zero: of a text with nothing to be found by."""
    return not row.strip(b"\0")


def search(
    index: DenseIndex,
    vector: NDArray[np.float32],
    k: int,
    cells: Sequence[str],
    mode: str,
    *,
    among: Sequence[str] | Set[str] | None = None,
) -> Ranking:
    """Return the best k records of the cells by cosine; `among` names the only ones that can be found."""
    if mode == "early_exit":
        # The seed's time budget would make the answer depend on the clock; a recall has `deadline` for that.
        thresholds = _THRESHOLDS[: len(index.tiers) - 1]
        return index.search(vector, k, cells=cells, mode=mode, thresholds=thresholds, time_budget_ms=None, among=among)
    return index.search(vector, k, cells=cells, mode=mode, among=among)


def explain(cosine: float, id: str) -> Explanation:
    """Return what a cosine adds up to."""
    value = clamped(cosine)
    return Explanation(id, value, (Part("cosine", value, f"cosine {cosine:.6f}, clamped to [0, 1]"),), value)
