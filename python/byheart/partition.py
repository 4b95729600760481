"""The indexes of one tenant: caches of what its records say.

A tenant is a store of its own. Ids, terms and statistics of different tenants never meet, so nothing of one
can show in an answer to another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from ._core import Analyzer, SymbolicIndex
from .boundary import Boundary, cell_key
from .records import Record
from .retrieval import hypervector, lexical, symbolic

_CHUNK = 4_096


class Partition:
    """The indexes over the same records, and how many records each cell holds.

    The index of facts is made when it is first asked for; memories that never ask for it pay nothing.
    """

    def __init__(
        self, analyzer: Analyzer, preset: str, encoder: str, vocabulary: symbolic.Vocabulary | None = None
    ) -> None:
        """Start empty."""
        self.analyzer = analyzer
        self.encoder = encoder
        self.lexical = lexical.new_index(preset, analyzer)
        self.hypervectors = hypervector.new_index()
        self.cell_sizes: Counter[tuple[str, str]] = Counter()
        self._ends: dict[str, dict[str, float]] = {}  # by cell: the records that have an end to their life
        self._vocabulary = vocabulary or symbolic.Vocabulary()
        self._facts: SymbolicIndex | None = None
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

    def key_of(self, id: str) -> str | None:
        """Return the key of a record's cell."""
        cell = self._cell_of.get(id)
        return None if cell is None else cell_key(*cell)

    def ends_in(self, cells: Sequence[str]) -> dict[str, float]:
        """Return when the records end that ever do, by id, in cells given by their keys."""
        return {id: end for cell in cells for id, end in self._ends.get(cell, {}).items()}

    @property
    def knows_facts(self) -> bool:
        """Whether the index of facts has been made."""
        return self._facts is not None

    def facts(self) -> SymbolicIndex:
        """Return the index of facts, which `learn_facts` has made."""
        assert self._facts is not None, "a symbolic recall learns the facts first"
        return self._facts

    def learn_facts(self, read: Callable[[Sequence[str]], Sequence[Record | None]]) -> None:
        """Make the index of facts from the records as they are stored, unless that was done."""
        if self._facts is not None:
            return
        index = self._vocabulary.new_index()
        ids = self.ids()
        for start in range(0, len(ids), _CHUNK):
            stored = read(ids[start : start + _CHUNK])
            self._add_facts(index, [record for record in stored if record is not None])
        self._facts = index

    def _add_facts(self, index: SymbolicIndex, records: Sequence[Record]) -> None:
        ids = [record.id or "" for record in records]
        keys = [cell_key(record.scope or "", record.boundary_class or "") for record in records]
        symbolic.add(index, ids, records, keys, self._vocabulary.relations)

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
        if self._facts is not None:
            self._add_facts(self._facts, records)
        for id, cell, record in zip(ids, cells, records, strict=True):
            self._leave(id)
            self._cell_of[id] = cell
            self.cell_sizes[cell] += 1
            if record.expires_at is not None:
                self._ends.setdefault(cell_key(*cell), {})[id] = record.expires_at

    def remove(self, ids: Iterable[str]) -> None:
        """Take records out; unknown ids are ignored."""
        known = list(ids)
        self.lexical.remove(known)
        self.hypervectors.remove(known)
        if self._facts is not None:
            self._facts.remove(known)
        for id in known:
            self._leave(id)

    def _leave(self, id: str) -> None:
        cell = self._cell_of.pop(id, None)
        if cell is not None:
            self._ends.get(cell_key(*cell), {}).pop(id, None)
            self.cell_sizes[cell] -= 1
            if self.cell_sizes[cell] == 0:
                del self.cell_sizes[cell]
                self._ends.pop(cell_key(*cell), None)
