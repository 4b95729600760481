"""The records that imports wrote before: what is there of which file, and which file was moved."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..knowledge import is_imported, source_id
from ..memory.memory import Memory
from ..memory.remembering import whole
from ..records import Record
from ..storage import key_of
from ..writing.said import said, said_before

Contents = tuple[tuple[tuple[str, str], ...], ...]


@dataclass(slots=True)
class Before:
    """What is stored of files when an import begins; another one may change it meanwhile, which the write notices.

    Attributes:
        cell: scope and class of the import.
        records: of each source, in all cells that the memory sees.
        ids: of each source.
        here: the sources of which something lies in the cell of the import.
        taken: those whose files bear another name now.

    """

    cell: tuple[str, str]
    records: dict[str, list[Record]]
    ids: dict[str, str]
    here: set[str]
    taken: set[str] = field(default_factory=set)
    _by_contents: dict[Contents, list[str]] | None = None

    @classmethod
    def of(cls, memory: Memory, defaults: Mapping[str, Any]) -> Before:
        """Return what a memory holds of files, for an import to a cell."""
        before = cls((defaults["scope"], defaults["boundary_class"]), {}, {}, set())
        for record in memory.records(boundary=whole(memory)):
            if is_imported(record.id or "", record.provenance):
                name = record.provenance["source_name"]
                before.records.setdefault(name, []).append(record)
                before.ids[name] = record.provenance["source_id"]
                if key_of(record).cell == before.cell:
                    before.here.add(name)
        bearers: dict[str, list[str]] = {}
        for name, id in before.ids.items():
            bearers.setdefault(id, []).append(name)
        for (
            names
        ) in bearers.values():  # of a file that was moved and left something in another cell, it is the new name's
            for name in sorted(names, key=before.here.__contains__)[:-1]:
                del before.ids[name]
        return before

    def sharing(self, names: Collection[str]) -> Iterator[str]:
        """Yield the other sources that hold records with the id of one of some: of a file that was moved."""
        ids = {self.ids[name] for name in names if name in self.ids}
        for name, records in self.records.items():
            if name not in names and any(record.provenance["source_id"] in ids for record in records):
                yield name

    def id_of(self, name: str) -> str:
        """Return the id of a source: the one that it has, or a new one."""
        if name not in self.ids:
            self.ids[name] = source_id(name, set(self.ids.values()))
        return self.ids[name]

    def moved(self, records: Sequence[Record], is_there: Callable[[str], bool]) -> str | None:
        """Return the source that said the same as a new one, and whose file is gone; None if there is none."""
        if self._by_contents is None:
            self._by_contents = {}
            for name in sorted(self.records):
                if not is_there(name):
                    self._by_contents.setdefault(_said(self.records[name]), []).append(name)
        waiting = self._by_contents.get(tuple(tuple(sorted(said(record).items())) for record in records))
        return waiting.pop(0) if waiting else None

    def take(self, name: str, old: str) -> None:
        """Give a source the id of the one that it was."""
        self.ids[name] = self.ids[old]
        self.taken.add(old)


def says_what(record: Record, old: Record) -> bool:
    """Return whether a record says of itself what a stored one's file said, wherever both come from."""
    now = said(record)
    return said_before(old, now) == now


def _said(records: Sequence[Record]) -> Contents:
    """Return what a file said at its last import, in its order."""
    ordered = sorted(records, key=_place)
    return tuple(tuple(sorted(said_before(record, {}).items())) for record in ordered)


def _place(record: Record) -> tuple[int, int, str]:
    where = record.provenance
    return where.get("chunk_index", where.get("line", 0)), where.get("unit_index", 0), record.id or ""
