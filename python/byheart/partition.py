"""The indexes of one tenant: caches of what its records say.

A tenant is a store of its own. Ids, terms and statistics of different tenants never meet, so nothing of one
can show in an answer to another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ._core import Analyzer
from .boundary import Boundary, cell_key
from .records import Record
from .retrieval import hypervector, lexical


class Partition:
    """Lexical and hypervector index over the same records, and how many records each cell holds."""

    def __init__(self, analyzer: Analyzer, preset: str, encoder: str) -> None:
        """Start empty."""
        self.analyzer = analyzer
        self.encoder = encoder
        self.lexical = lexical.new_index(preset, analyzer)
        self.hypervectors = hypervector.new_index()
        self.cell_sizes: Counter[tuple[str, str]] = Counter()
        self._cell_of: dict[str, tuple[str, str]] = {}

    def __contains__(self, id: str) -> bool:
        """Return whether a record with this id is indexed."""
        return id in self._cell_of

    def ids(self) -> list[str]:
        """Return the ids of all records."""
        return list(self._cell_of)

    def cell_of(self, id: str) -> tuple[str, str] | None:
        """Return scope and class of a record."""
        return self._cell_of.get(id)

    def cells_in(self, boundary: Boundary) -> list[str]:
        """Return the keys of the cells that lie inside a boundary and hold records."""
        return [cell_key(*cell) for cell in self.cell_sizes if boundary.holds(*cell)]

    def records_in(self, boundary: Boundary) -> int:
        """Return how many records lie inside a boundary."""
        return sum(size for cell, size in self.cell_sizes.items() if boundary.holds(*cell))

    def put(self, records: Sequence[Record]) -> None:
        """Index complete records; those with a known id are replaced."""
        ids = [record.id or "" for record in records]
        cells = [(record.scope or "", record.boundary_class or "") for record in records]
        keys = [cell_key(*cell) for cell in cells]
        vectors = [hypervector.encode_record(record, self.analyzer, self.encoder) for record in records]
        with_vectors = [row for row, fields in enumerate(vectors) if fields]
        lexical.add(self.lexical, ids, records, keys)
        self.hypervectors.remove(ids)
        self.hypervectors.add(
            [ids[row] for row in with_vectors],
            [vectors[row] for row in with_vectors],
            cells=[keys[row] for row in with_vectors],
        )
        for id, cell in zip(ids, cells, strict=True):
            self._leave(id)
            self._cell_of[id] = cell
            self.cell_sizes[cell] += 1

    def remove(self, ids: Iterable[str]) -> None:
        """Take records out; unknown ids are ignored."""
        known = list(ids)
        self.lexical.remove(known)
        self.hypervectors.remove(known)
        for id in known:
            self._leave(id)

    def _leave(self, id: str) -> None:
        cell = self._cell_of.pop(id, None)
        if cell is not None:
            self.cell_sizes[cell] -= 1
            if self.cell_sizes[cell] == 0:
                del self.cell_sizes[cell]
