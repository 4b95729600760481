"""The pairing of what a file says with what is stored of it: which record is which, and what ids new ones get.

A line that brings an id is known by that. A chunk, and a line without an id, is known by what it says; then by its text
alone, whatever headings it stands below; then by its heading; then by its place. So a paragraph that comes in at
the top makes no other record of those below it. The facts of a chunk go with it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any

from ..knowledge import chunk_id
from ..records import Record
from .said import said, said_before

Pair = tuple[Record, Record | None]
Matches = dict[int, Record]
_UNIT = "::unit-"


class Pairing:
    """The pairing of one source's records.

    Args:
        records: what it says now, in its order.
        here: what is stored of it in the cell of the import.
        there: what is stored of it in other cells: that is known by what it says alone, or by an id of its own.

    """

    def __init__(self, records: Sequence[Record], here: Sequence[Record], there: Sequence[Record]) -> None:
        self._records, self._here, self._there = records, here, there
        self._away = {id(old) for old in there}
        self._numbers = _Numbers(record.id or "" for record in (*here, *there))

    def pairs(self) -> list[Pair]:
        """Return each record, under the id that it is to have, and the stored one that it is; None if it is new.

        The facts of a chunk that lies in another cell are not among them, unless they are stored.
        """
        heads = [record for record in self._records if _is_head(record)]
        met = self._heads(heads)
        named = {old.id: old for old in (*self._there, *self._here) if not is_made(old)}
        units: dict[str, list[Record]] = {}
        for record in self._records:
            if _is_unit(record):
                units.setdefault(record.provenance["chunk_id"], []).append(record)
        known: dict[str, list[Record]] = {}
        for old in (*self._here, *self._there):
            if _is_unit(old):
                known.setdefault(old.provenance["chunk_id"], []).append(old)
        pairs: list[Pair] = []
        for record in self._records:
            if not is_made(record):
                pairs.append((record, named.get(record.id)))
            elif _is_head(record):
                own = units.get(record.provenance.get("chunk_id", ""), [])
                pairs += self._chunk(record, met.get(id(record)), own, known)
        return pairs

    def _heads(self, heads: Sequence[Record]) -> Matches:
        """Return the stored records of chunks and of lines without an id."""
        olds = [old for old in (*self._here, *self._there) if _is_head(old)]
        digests = {id(record): said(record) for record in heads}
        everything = {name: "" for each in digests.values() for name in each}
        before = {id(old): tuple(sorted(said_before(old, everything).items())) for old in olds}
        met: Matches = {}

        def by(
            key: Callable[[Record], Hashable], old_key: Callable[[Record], Hashable], among: Sequence[Record]
        ) -> None:
            used = {id(old) for old in met.values()}
            waiting: dict[Hashable, list[Record]] = {}
            for old in among:
                if id(old) not in used and old_key(old) is not None:
                    waiting.setdefault(old_key(old), []).append(old)
            for record in heads:
                if id(record) not in met and (found := waiting.get(key(record))):
                    met[id(record)] = found.pop(0)

        def content(record: Record) -> Hashable:
            return tuple(sorted(digests[id(record)].items()))

        by(lambda new: (new.id, content(new)), lambda old: (old.id, before[id(old)]), olds)
        by(content, lambda old: before[id(old)], olds)
        here = [old for old in olds if id(old) not in self._away]
        by(lambda new: digests[id(new)].get("text"), lambda old: dict(before[id(old)]).get("text"), here)
        by(lambda new: new.topic, lambda old: old.topic, here)
        by(_place, _place, here)
        return met

    def _chunk(
        self, record: Record, old: Record | None, units: Sequence[Record], known: dict[str, list[Record]]
    ) -> Iterator[Pair]:
        """Yield a chunk or a line, and the facts of the chunk, under their ids."""
        head = _chunk_of(record.id or "")
        own = _chunk_of(old.id or "") if old is not None else self._numbers.free(head)
        source = record.provenance["source_id"] if old is None else old.provenance["source_id"]
        pairs = list(_units(units, known.get(own, []), own))
        if old is not None and id(old) in self._away:
            pairs = [(unit, before) for unit, before in pairs if before is not None]
        pairs = [(_of_source(unit, source, own), before) for unit, before in pairs]
        ids = tuple(unit.id or "" for unit, _ in pairs)
        named = _of_source(record.completed(id=f"{own}{_UNIT}000"), source, own)
        if units:
            named = named.completed(child_unit_ids=ids)
            pairs = [(unit.completed(parent_unit_ids=(named.id or "",)), before) for unit, before in pairs]
        yield named, old
        yield from pairs


def _units(units: Sequence[Record], olds: Sequence[Record], chunk: str) -> Iterator[Pair]:
    """Yield the facts of one chunk and those that are stored: by what they say, then by their number."""
    waiting = list(olds)
    met: Matches = {}
    for same in (_same, _alike):
        for unit in units:
            found = next((old for old in waiting if id(unit) not in met and same(unit, old)), None)
            if found is not None:
                met[id(unit)] = found
                waiting.remove(found)
    taken = {old.id for old in olds}
    number = 0
    for unit in units:
        old = met.get(id(unit))
        if old is None:
            number += 1
            while f"{chunk}{_UNIT}{number:03d}" in taken:
                number += 1
            yield unit.completed(id=f"{chunk}{_UNIT}{number:03d}"), None
        else:
            yield unit.completed(id=old.id), old


def _same(unit: Record, old: Record) -> bool:
    return said_before(old, now := said(unit)) == now


def _alike(unit: Record, old: Record) -> bool:
    return bool(unit.provenance.get("unit_index") == old.provenance.get("unit_index"))


def _of_source(record: Record, source: str, chunk: str) -> Record:
    """Return a record that says that it is of a source, and of a chunk if it is of one."""
    where = record.provenance
    if where["source_id"] == source and where.get("chunk_id", chunk) == chunk:
        return record
    more: dict[str, Any] = {"chunk_id": chunk} if "chunk_id" in record.provenance else {}
    return record.completed(provenance={**where, "source_id": source, **more})


def is_made(record: Record) -> bool:
    """Return whether a record's id was made of its source and its place there."""
    return (record.id or "").startswith(f"{record.provenance['source_id']}::chunk-")


def _is_unit(record: Record) -> bool:
    return "unit_index" in record.provenance and "chunk_id" in record.provenance


def _is_head(record: Record) -> bool:
    return is_made(record) and not _is_unit(record)


def _place(record: Record) -> Hashable:
    return str(record.provenance.get("chunk_index", record.id))


def _chunk_of(id: str) -> str:
    return id.split(_UNIT)[0]


class _Numbers:
    """The numbers of a source's chunks that are in use."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._used = {_chunk_of(id) for id in ids}
        self._next = 0

    def free(self, chunk: str) -> str:
        """Return the id of a chunk, or the next one that nobody bears."""
        source = chunk.rpartition("::")[0]
        while chunk in self._used:
            chunk, self._next = chunk_id(source, self._next), self._next + 1
        self._used.add(chunk)
        return chunk
