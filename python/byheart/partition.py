"""The indexes of one tenant: caches of what its records say.

A tenant is a store of its own. Ids, terms and statistics of different tenants never meet, so nothing of one
can show in an answer to another.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

from ._core import Analyzer, DenseIndex, HypervectorIndex, LexicalIndex, SymbolicIndex
from .boundary import Boundary, cell_key
from .errors import CorruptIndex
from .membership import Membership
from .records import Record
from .retrieval import dense, hypervector, lexical, symbolic

_CHUNK = 4_096
_KEPT_MAXIMA = 64  # boundaries whose greatest access count is remembered


class Partition:
    """The indexes over the same records, and how many records each cell holds.

    The index of facts is made when it is first asked for; memories that never ask for it pay nothing. The index
    of embeddings is there if the memory has an embedder.
    """

    def __init__(
        self,
        analyzer: Analyzer,
        preset: str,
        encoder: str,
        vocabulary: symbolic.Vocabulary | None = None,
        dimensions: int | None = None,
    ) -> None:
        """Start empty; `dimensions` is the width of the embeddings, None without an embedder."""
        self.analyzer = analyzer
        self.encoder = encoder
        self.lexical = lexical.new_index(preset, analyzer)
        self.hypervectors = hypervector.new_index()
        self.dense: DenseIndex | None = None if dimensions is None else dense.new_index(dimensions)
        self._blank: dict[str, set[str]] = {}  # by cell: the records without a vector
        self.cell_sizes: Counter[tuple[str, str]] = Counter()
        self._ends: dict[str, dict[str, float]] = {}  # by cell: the records that have an end to their life
        self._vocabulary = vocabulary or symbolic.Vocabulary()
        self._facts: SymbolicIndex | None = None
        self._cell_of: dict[str, tuple[str, str]] = {}
        self.members = Membership()
        self._version = 0  # raised after each change of a record
        self._maxima: dict[frozenset[str], tuple[int, int]] = {}  # by cells: of which version, the most uses
        self._hashes: dict[str, tuple[Record, str]] = {}  # of records that were candidates before

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

    def ends_inside(self, boundary: Boundary) -> dict[str, float]:
        """Return when the records inside a boundary end that ever do, by id; archived ones too."""
        return {
            id: end
            for ends in self._ends.values()
            for id, end in ends.items()
            if (cell := self._cell_of.get(id)) is not None and boundary.holds(*cell)
        }

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

    def without_vector(self, cells: Sequence[str]) -> set[str]:
        """Return the records of cells that the index of embeddings does not hold, if there is one."""
        return {id for cell in cells for id in self._blank.get(cell, ())}

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
        ids = [record.id or "" for record in records]
        keys = [cell_key(record.scope or "", record.boundary_class or "") for record in records]
        lexical.add(self.lexical, ids, records, keys)
        self._put_hypervectors(ids, records, keys, rows)
        if self._facts is not None:
            self._add_facts(self._facts, records)
        for id, record in zip(ids, records, strict=True):
            self._leave(id)
            self._enter(id, record)
        if self.dense is not None:
            self._put_embeddings(self.dense, ids, keys, rows)

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
            self._ends.setdefault(cell_key(*cell), {})[id] = record.expires_at
        self._version += 1

    def _put_hypervectors(
        self, ids: Sequence[str], records: Sequence[Record], keys: Sequence[str], rows: Sequence[bytes | None]
    ) -> None:
        vectors = [
            hypervector.encode_record(record, self.analyzer, self.encoder, row)
            for record, row in zip(records, rows, strict=True)
        ]
        filled = [number for number, fields in enumerate(vectors) if fields]
        self.hypervectors.remove(ids)
        self.hypervectors.add(
            [ids[number] for number in filled],
            [vectors[number] for number in filled],
            cells=[keys[number] for number in filled],
        )

    def _put_embeddings(
        self, index: DenseIndex, ids: Sequence[str], keys: Sequence[str], rows: Sequence[bytes | None]
    ) -> None:
        index.remove(ids)
        filled: list[tuple[str, bytes, str]] = []
        for id, key, row in zip(ids, keys, rows, strict=True):
            if row is None or dense.is_blank(row):
                self._blank.setdefault(key, set()).add(id)
            else:
                filled.append((id, row, key))
        if filled:
            dense.add(index, *zip(*filled, strict=True))

    def sections(self) -> Iterator[tuple[str, bytes]]:
        """Give what `restore` makes the same partition of; the index of facts is made anew when it is asked for."""
        by_cell: dict[tuple[str, str], list[str]] = {}
        for id, cell in self._cell_of.items():
            by_cell.setdefault(cell, []).append(id)
        table = {
            "cells": [[*cell, ids] for cell, ids in by_cell.items()],
            "ends": self._ends,
            "blank": {cell: sorted(ids) for cell, ids in self._blank.items()},
            "members": self.members.table(),
        }
        yield "table", json.dumps(table).encode()
        yield "lexical", self.lexical.to_bytes()
        yield "hypervectors", self.hypervectors.to_bytes()
        if self.dense is not None:
            yield "dense", self.dense.to_bytes()

    def restore(self, sections: Mapping[str, bytes]) -> None:
        """Become the partition that gave these sections; this one must be empty and have the same settings.

        Raises:
            CorruptIndex: a section is missing, damaged, or says something else than the others.

        """
        before = self._settings()
        try:
            self._restore_table(json.loads(sections["table"]))
            self.lexical = LexicalIndex.from_bytes(sections["lexical"])
            self.hypervectors = HypervectorIndex.from_bytes(sections["hypervectors"])
            if self.dense is not None:
                self.dense = DenseIndex.from_bytes(sections["dense"])
        except (KeyError, ValueError, TypeError, AttributeError, RecursionError) as error:
            raise CorruptIndex(f"index generation: a section is missing or unreadable ({error})") from error
        if self._settings() != before:
            raise CorruptIndex("index generation: a section is of other settings")
        if not self._agrees():
            raise CorruptIndex("index generation: its sections hold different records")

    def _restore_table(self, table: Any) -> None:
        """Take in who lies where; raise what Python raises if the table is not as `sections` makes it."""
        for scope, kind, ids in table["cells"]:
            self._cell_of.update(dict.fromkeys(ids, (scope, kind)))
        self.members.restore(table["members"], self._cell_of)
        self.cell_sizes = Counter(cell for id, cell in self._cell_of.items() if id not in self.members.archived)
        self._ends = {key: {id: float(end) for id, end in ends.items()} for key, ends in table["ends"].items()}
        self._blank = {key: set(ids) for key, ids in table["blank"].items()}
        members = {
            key: set(ids)
            for scope, kind, ids in table["cells"]
            if (key := cell_key(scope, kind)) in self._ends or key in self._blank
        }
        named = [*self._cell_of, *(name for cell in self.cell_sizes for name in cell)]
        listed = sum(len(ids) for _, _, ids in table["cells"])
        inside = all(members[key] >= set(ids) for ids_of in (self._ends, self._blank) for key, ids in ids_of.items())
        ends = [end for ends in self._ends.values() for end in ends.values()]
        if listed != len(self._cell_of) or not inside or not all(map(math.isfinite, ends)):
            raise ValueError("the table names a record twice, or one that is not there")
        if set(map(type, named)) - {str} or "" in named:
            raise ValueError("the table has names that are none")

    def _settings(self) -> tuple[object, ...]:
        """Return what the indexes were made with."""
        words, vectors, dense = self.lexical, self.hypervectors, self.dense
        of_words = words.analyzer, words.fields, words.k1, words.b
        of_dense = None if dense is None else (dense.dimensions, dense.tiers)
        return of_words, vectors.fields, vectors.combine, vectors.floor, of_dense

    def _agrees(self) -> bool:
        """Return whether the indexes hold the records of the table, each as far as it has to."""
        archived = self.members.archived
        ids = self._cell_of.keys() - archived if archived else self._cell_of.keys()
        blank = set().union(*self._blank.values())
        if len(self.lexical) != len(ids) or not all(map(self.lexical.__contains__, ids)):
            return False
        if sum(map(self.hypervectors.__contains__, ids)) != len(self.hypervectors):
            return False
        dense = self.dense
        if dense is None:
            return True
        return len(dense) + len(blank) == len(ids) and all((id in blank) != (id in dense) for id in ids)

    def remove(self, ids: Iterable[str]) -> None:
        """Take records out; unknown ids are ignored."""
        known = list(ids)
        self.lexical.remove(known)
        self.hypervectors.remove(known)
        if self.dense is not None:
            self.dense.remove(known)
        if self._facts is not None:
            self._facts.remove(known)
        for id in known:
            self._leave(id)

    def content_hash(self, record: Record) -> str:
        """Return the content hash of a stored record, computed once: a recall asks for those of all its candidates."""
        known = self._hashes.get(record.id or "")
        if known is None or known[0] is not record:
            known = self._hashes[record.id or ""] = (record, record.content_hash())
        return known[1]

    def _leave(self, id: str) -> None:
        self._hashes.pop(id, None)
        cell = self._cell_of.pop(id, None)
        archived = id in self.members.archived
        self.members.leave(id)
        self._version += 1
        if cell is None:
            return
        key = cell_key(*cell)
        ends, blank = self._ends.get(key), self._blank.get(key)
        if ends is not None:
            ends.pop(id, None)
            if not ends:
                del self._ends[key]
        if blank is not None:
            blank.discard(id)
            if not blank:
                del self._blank[key]
        if not archived:
            self.cell_sizes[cell] -= 1
            if self.cell_sizes[cell] == 0:
                del self.cell_sizes[cell]
