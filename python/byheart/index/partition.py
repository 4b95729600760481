"""The records of one tenant and their indexes: caches of what the records say.

A tenant is a store of its own. Ids, terms and statistics of different tenants never meet, so nothing of one
can show in an answer to another. Which indexes there are, the retrievers say (`byheart.retrieval.protocol`): this file
names none of them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from threading import Lock
from typing import Any

from .._core import Analyzer
from ..boundary import SEPARATOR, Boundary, cell_key
from ..errors import CorruptIndex
from ..records import Record
from ..retrieval import protocol
from ..retrieval.protocol import Batch, IndexedRetriever, Settings
from .ends import Ends
from .membership import Membership

_CHUNK = 4_096
_KEPT_MAXIMA = 64  # boundaries whose greatest access count is remembered

Read = Callable[[Sequence[str]], Sequence[Record | None]]


class Partition:
    """The indexes over the same records by retriever, and how many records each cell holds.

    A lazy retriever's index is made when it is first asked for; memories that never ask for it pay nothing.
    """

    def __init__(
        self,
        analyzer: Analyzer,
        preset: str,
        encoder: str,
        vocabulary: Any = None,
        dimensions: int | None = None,
    ) -> None:
        """Start empty; `dimensions` is the width of the embeddings, None without an embedder."""
        self.settings = Settings(analyzer, preset, encoder, vocabulary, dimensions)
        self.indexes: dict[str, Any] = {}
        for retriever in protocol.with_index():
            index = None if retriever.lazy else retriever.new_index(self.settings)
            if index is not None:
                self.indexes[retriever.name] = index
        self._absent: dict[str, dict[str, set[str]]] = {}  # by retriever and cell: what its index does not hold
        self.cell_sizes: Counter[tuple[str, str]] = Counter()
        self._ends = Ends()
        self._cell_of: dict[str, tuple[str, str]] = {}
        self.members = Membership()
        self._version = 0  # raised after each change of a record
        self._maxima: dict[frozenset[str], tuple[int, int]] = {}  # by cells: of which version, the most uses
        self._hashes: dict[str, str] = {}  # of records that were candidates before
        self._hashing = Lock()

    def __contains__(self, id: str) -> bool:
        """Return whether a record with this id is indexed."""
        return id in self._cell_of

    def __len__(self) -> int:
        """Return how many records are known, archived ones too."""
        return len(self._cell_of)

    def commons(self) -> Set[str]:
        """Return the records of no session and no user."""
        return self.members.commons(self._cell_of)

    def ids(self) -> list[str]:
        """Return the ids of all records, archived ones too."""
        return list(self._cell_of)

    def cell_of(self, id: str) -> tuple[str, str] | None:
        """Return scope and class of a record."""
        return self._cell_of.get(id)

    def key_of(self, id: str) -> str | None:
        """Return the key of a record's cell."""
        cell = self._cell_of.get(id)
        return None if cell is None else cell_key(*cell)

    def any_ends_in(self, cells: Sequence[str]) -> bool:
        """Return whether a record ever ends, in cells given by their keys."""
        return self._ends.any_in(cells)

    def over_in(self, cells: Sequence[str], now: float) -> list[str]:
        """Return the records whose time is over, in cells given by their keys; archived ones too."""
        return self._ends.over(cells, now)

    def findable(self, id: str, cells: Sequence[str]) -> bool:
        """Return whether a record lies in one of these cells and is not archived."""
        return self.key_of(id) in cells and id not in self.members.archived

    def knows(self, name: str) -> bool:
        """Return whether a retriever that has an index has it here."""
        return name in self.indexes or not protocol.get(name).lazy

    def learn(self, name: str, read: Read) -> None:
        """Make the index of a lazy retriever from the records as they are stored, unless that was done."""
        if self.knows(name):
            return
        retriever = protocol.get(name)
        index = retriever.new_index(self.settings)
        ids = [id for id in self._cell_of if id not in self.members.archived]
        for start in range(0, len(ids), _CHUNK):
            stored = read(ids[start : start + _CHUNK])
            retriever.put(index, _batch([record for record in stored if record is not None]), self.settings)
        self.indexes[name] = index

    def ends_inside(self, boundary: Boundary) -> dict[str, float]:
        """Return when the records inside a boundary end that ever do, by id; archived ones too."""
        return dict(self._ends.items(lambda key: boundary.holds(*key.split(SEPARATOR))))

    def cells_in(self, boundary: Boundary) -> list[str]:
        """Return the keys of the cells that lie inside a boundary and hold records that can be found."""
        return [cell_key(*cell) for cell in self.cell_sizes if boundary.holds(*cell)]

    def records_in(self, boundary: Boundary) -> int:
        """Return how many records lie inside a boundary."""
        return sum(size for cell, size in self.cell_sizes.items() if boundary.holds(*cell))

    def max_access_count(self, cells: Sequence[str]) -> int:
        """Return the greatest access count of the records in cells given by their keys; archived ones do not count.

        Counted once for each version of the records: a recall may ask, and all that were ever used are looked at.
        """
        inside, version = frozenset(cells), self._version
        known = self._maxima.get(inside)
        if known is None or known[0] != version:
            found = self.members.uses.items()
            counts = (count for id, count in found if self.key_of(id) in inside and id not in self.members.archived)
            if len(self._maxima) >= _KEPT_MAXIMA:
                self._maxima = {}
            known = self._maxima[inside] = (version, max(counts, default=0))
        return known[1]

    def absent(self, name: str, cells: Sequence[str]) -> set[str]:
        """Return the records of cells that a retriever's index does not hold, as far as it keeps count of them."""
        by_cell = self._absent.get(name, {})
        return {id for cell in cells for id in by_cell.get(cell, ())}

    def without_vector(self, cells: Sequence[str]) -> set[str]:
        """Return the records of cells that have no vector, if there is an index of vectors."""
        return self.absent("dense", cells)

    def put(self, records: Sequence[Record], embeddings: Sequence[bytes | None] = ()) -> None:
        """Index complete records and their embeddings; those with a known id are replaced.

        Archived records are known, and found by nothing.
        """
        rows = list(embeddings or [None] * len(records))
        archived = [record for record in records if record.archived_by is not None]
        if archived:
            self._archive(archived)
            pairs = [pair for pair in zip(records, rows, strict=True) if pair[0].archived_by is None]
            records, rows = [record for record, _ in pairs], [row for _, row in pairs]
        batch = _batch(records, rows)
        absent = {
            name: protocol.get(name).put(index, batch, self.settings) for name, index in self.indexes.items()
        }  # fmt: skip
        for id, record in zip(batch.ids, records, strict=True):
            self._leave(id)
            self._enter(id, record)
        for name, ids in absent.items():
            for id in ids or ():
                self._absent.setdefault(name, {}).setdefault(self.key_of(id) or "", set()).add(id)

    def _archive(self, records: Sequence[Record]) -> None:
        """Take records out of every index, and know where they lie and when they end."""
        self.remove([record.id or "" for record in records])
        for record in records:
            self._enter(record.id or "", record)

    def _enter(self, id: str, record: Record) -> None:
        """Note what is known of a record that is not here yet."""
        cell = record.scope or "", record.boundary_class or ""
        self._cell_of[id] = cell
        self.members.put(id, record)
        if record.archived_by is None:
            self.cell_sizes[cell] += 1
        if record.expires_at is not None:
            self._ends.put(cell_key(*cell), id, record.expires_at)
        self._version += 1

    def sections(self) -> Iterator[tuple[str, bytes]]:
        """Give what `restore` makes the same partition of; lazy indexes are made anew when they are asked for."""
        by_cell: dict[tuple[str, str], list[str]] = {}
        for id, cell in self._cell_of.items():
            by_cell.setdefault(cell, []).append(id)
        table = {
            "cells": [[*cell, ids] for cell, ids in by_cell.items()],
            "ends": self._ends.table(),
            "absent": {
                name: {cell: sorted(ids) for cell, ids in cells.items()} for name, cells in self._absent.items()
            },
            "members": self.members.table(),
        }
        yield "table", json.dumps(table).encode()
        for retriever, index in self._saved():
            yield retriever.section or retriever.name, retriever.write(index)

    def _saved(self) -> list[tuple[IndexedRetriever, Any]]:
        """Return the retrievers whose indexes are saved, with these."""
        found = [(protocol.get(name), index) for name, index in self.indexes.items()]
        return [(retriever, index) for retriever, index in found if not retriever.lazy]

    def restore(self, sections: Mapping[str, bytes]) -> None:
        """Become the partition that gave these sections; this one must be empty and have the same settings.

        Raises:
            CorruptIndex: a section is missing, damaged, or says something else than the others.

        """
        before = [retriever.made_with(index) for retriever, index in self._saved()]
        try:
            self._restore_table(json.loads(sections["table"]))
            for retriever, _ in self._saved():
                self.indexes[retriever.name] = retriever.read(sections[retriever.section or retriever.name])
        except (KeyError, ValueError, TypeError, AttributeError, RecursionError) as error:
            raise CorruptIndex(f"index generation: a section is missing or unreadable ({error})") from error
        if [retriever.made_with(index) for retriever, index in self._saved()] != before:
            raise CorruptIndex("index generation: a section is of other settings")
        if not self._agrees():
            raise CorruptIndex("index generation: its sections hold different records")

    def _restore_table(self, table: Any) -> None:
        """Take in who lies where; raise what Python raises if the table is not as `sections` makes it."""
        for scope, kind, ids in table["cells"]:
            self._cell_of.update(dict.fromkeys(ids, (scope, kind)))
        self.members.restore(table["members"], self._cell_of)
        self.cell_sizes = Counter(cell for id, cell in self._cell_of.items() if id not in self.members.archived)
        self._ends.restore(table["ends"])
        self._absent = {
            name: {cell: set(ids) for cell, ids in cells.items()} for name, cells in table["absent"].items()
        }
        members = {cell_key(scope, kind): set(ids) for scope, kind, ids in table["cells"]}
        named = [*self._cell_of, *(name for cell in self.cell_sizes for name in cell)]
        listed = sum(len(ids) for _, _, ids in table["cells"])
        groups = [self._ends.table(), *self._absent.values()]
        inside = all(members[key] >= set(ids) for ids_of in groups for key, ids in ids_of.items())
        if listed != len(self._cell_of) or not inside or not self._absent.keys() <= self.indexes.keys():
            raise ValueError("the table names a record twice, or one that is not there")
        if set(map(type, named)) - {str} or "" in named:
            raise ValueError("the table has names that are none")

    def _agrees(self) -> bool:
        """Return whether the indexes hold the records of the table, each as far as it has to."""
        archived = self.members.archived
        ids = self._cell_of.keys() - archived if archived else self._cell_of.keys()
        return all(self._holds(retriever, index, ids) for retriever, index in self._saved())

    def _holds(self, retriever: IndexedRetriever, index: Any, ids: Set[str]) -> bool:
        absent: set[str] = set().union(*self._absent.get(retriever.name, {}).values())
        if not retriever.complete:
            return bool(sum(map(index.__contains__, ids)) == len(index))
        if len(index) + len(absent) != len(ids):
            return False
        if not absent:
            return all(map(index.__contains__, ids))
        return all((id in absent) != (id in index) for id in ids)

    def remove(self, ids: Iterable[str]) -> None:
        """Take records out; unknown ids are ignored."""
        known = list(ids)
        for name, index in self.indexes.items():
            protocol.get(name).remove(index, known)
        for id in known:
            self._leave(id)

    def content_hashes(self, ids: Sequence[Any], read: Read) -> dict[str, str]:
        """Return the content hashes of records, as far as these are there.

        Each is computed once: a recall asks for those of all its candidates. What another thread changes meanwhile is
        not kept.
        """
        held = self._hashes
        known = {id: held[id] for id in ids if id in held}
        if len(known) == len(ids):
            return known
        missing = [id for id in ids if id not in known]
        version = self._version
        read_now = {
            id: record.content_hash() for id, record in zip(missing, read(missing), strict=True) if record is not None
        }
        with self._hashing:
            if version == self._version:
                self._hashes.update(read_now)
        return known | read_now

    def _leave(self, id: str) -> None:
        with self._hashing:
            self._version += 1
            self._hashes.pop(id, None)
        cell = self._cell_of.pop(id, None)
        archived = id in self.members.archived
        self.members.leave(id)
        if cell is None:
            return
        key = cell_key(*cell)
        self._ends.leave(key, id)
        for cells in self._absent.values():
            ids = cells.get(key)
            if ids is not None:
                ids.discard(id)
                if not ids:
                    del cells[key]
        if not archived:
            self.cell_sizes[cell] -= 1
            if self.cell_sizes[cell] == 0:
                del self.cell_sizes[cell]


def _batch(records: Sequence[Record], embeddings: Sequence[bytes | None] | None = None) -> Batch:
    """Return records as the indexes take them in."""
    ids = [record.id or "" for record in records]
    keys = [cell_key(record.scope or "", record.boundary_class or "") for record in records]
    return Batch(ids, records, keys, [None] * len(ids) if embeddings is None else embeddings)
