"""The dense retriever: the records nearest by the cosine of their embeddings (label A1.4)."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TYPE_CHECKING

from .._core import DenseIndex, Ranking
from ..errors import DimensionMismatch
from ..ranking.explanation import Explanation, Part
from ..ranking.normalisation import clamped
from . import selection
from .protocol import Batch, Found, IndexedRetriever, LegQuery, Settings

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


class Dense(IndexedRetriever):
    """Vectors: the nearest by cosine. Records without a vector are not in its index, and kept count of."""

    name = section = "dense"
    complete = True

    def new_index(self, settings: Settings) -> DenseIndex | None:
        """Return an empty index; None without an embedder."""
        return None if settings.dimensions is None else new_index(settings.dimensions)

    def put(self, index: DenseIndex, batch: Batch, settings: Settings) -> list[str]:
        """Take vectors in; return the records that have none."""
        index.remove(batch.ids)
        blank: list[str] = []
        filled: list[tuple[str, bytes, str]] = []
        for id, cell, row in zip(batch.ids, batch.cells, batch.embeddings, strict=True):
            if row is None or is_blank(row):
                blank.append(id)
            else:
                filled.append((id, row, cell))
        if filled:
            add(index, *zip(*filled, strict=True))
        return blank

    def made_with(self, index: DenseIndex) -> object:
        """Return width and tiers."""
        return index.dimensions, index.tiers

    def read(self, data: bytes) -> DenseIndex:
        """Return the index of these bytes."""
        return DenseIndex.from_bytes(data)

    def lacking(self, missing: int, records: int) -> str:
        """Return what an answer says about records without a vector."""
        return f"dense: {missing} of {records} records have no vector (Memory.embed makes them)"

    def search(self, asked: LegQuery) -> Found:
        """Return the nearest; exactly those where many records, and not all, may be found."""
        vector, index = asked.embed(), asked.index
        if vector is None or index is None:
            return Found((), answered=False)
        if len(vector) != index.dimensions:
            raise DimensionMismatch(f"vector: has {len(vector)} numbers; those of the memory have {index.dimensions}")
        among = asked.selection.among
        mode = "exact" if among is not None and len(among) > selection.ONE_BY_ONE else asked.mode

        def ask(k: int, among: Set[str] | None) -> Ranking:
            return search(index, vector, k, asked.cells, mode, among=among)

        found = selection.search(ask, asked.pool, asked.selection)
        return Found(found.hits, found.top, found.count, mode=mode)

    def explain(self, asked: LegQuery, found: Found, id: str, score: float | None) -> Explanation | None:
        """Return what the cosine adds up to."""
        return None if score is None else explain(score, id)
