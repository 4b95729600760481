"""The records that imports wrote before: what is there of which file, and the ids of files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..knowledge import is_imported, source_id
from ..memory.memory import Memory
from ..memory.remembering import whole
from ..records import Record
from ..storage import key_of
from ..writing.said import said, said_before, text_of

Contents = tuple[tuple[tuple[str, str], ...], ...]


@dataclass(slots=True)
class Before:
    """What is stored of files when an import begins; another one may change it meanwhile, which the write notices.

    Attributes:
        cell: scope and class of the import.
        records: of each source, in all cells that the memory sees.
        ids: of each source; each its own, though a file may hold records that bear the id of where they came from.
        here: the sources of which something lies in the cell of the import.
        borne: all ids of sources that are in use.

    """

    cell: tuple[str, str]
    records: dict[str, list[Record]]
    ids: dict[str, str]
    here: set[str]
    borne: set[str]

    @classmethod
    def of(cls, memory: Memory, defaults: Mapping[str, Any]) -> Before:
        """Return what a memory holds of files, for an import to a cell."""
        before = cls((defaults["scope"], defaults["boundary_class"]), {}, {}, set(), set())
        borne: dict[str, Counter[str]] = {}
        for record in memory.records(boundary=whole(memory)):
            if is_imported(record.id or "", record.provenance):
                name = record.provenance["source_name"]
                before.records.setdefault(name, []).append(record)
                borne.setdefault(name, Counter())[record.provenance["source_id"]] += 1
                if key_of(record).cell == before.cell:
                    before.here.add(name)
        before.borne.update(id for ids in borne.values() for id in ids)
        most = ((-number, name, id) for name, ids in borne.items() for id, number in ids.items())
        given = set[str]()
        for _, name, id in sorted(most):
            if name not in before.ids and id not in given:
                before.ids[name] = id
                given.add(id)
        return before

    def id_of(self, name: str) -> str:
        """Return the id of a source: the one that it has, or a new one."""
        if name not in self.ids:
            self.ids[name] = source_id(name, self.borne)
            self.borne.add(self.ids[name])
        return self.ids[name]

    def texts(self, name: str) -> Iterator[str | None]:
        """Yield digests of what a source said in the cell of the import."""
        for old in self.records[name]:
            if key_of(old).cell == self.cell:
                yield text_of(said_before(old, {}))

    def contents(self, name: str) -> Contents:
        """Return what a source said at its last import, in its order."""
        ordered = sorted(self.records[name], key=_place)
        return tuple(tuple(sorted(said_before(record, {}).items())) for record in ordered)


def contents_of(records: Sequence[Record]) -> Contents:
    """Return what a source says now, in its order."""
    return tuple(tuple(sorted(said(record).items())) for record in records)


def says_what(record: Record, old: Record) -> bool:
    """Return whether a record says of itself what a stored one's file said, wherever both come from."""
    now = said(record)
    return said_before(old, now) == now


def _place(record: Record) -> tuple[int, int, str]:
    where = record.provenance
    return where.get("chunk_index", where.get("line", 0)), where.get("unit_index", 0), record.id or ""
