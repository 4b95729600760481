"""The pairing of the records of a file with the stored ones, and the ids of the new ones.

A line that brings an id is known by that. A chunk, and a line without an id, is known by what it says, wherever it
stands in any file of the call; then by its text alone, whatever headings it stands below. Only what is left then is
looked for by its heading, and by its place, in the file that it is of. So a paragraph that comes in at the top makes no
other record of those below it, and files that exchange their names exchange no records. A chunk's facts go with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from ..knowledge import chunk_id
from ..records import Record
from ..storage import key_of
from .said import said, said_before, text_of

Cell = tuple[str, str]
Key = Callable[[Record], Hashable]
_UNIT: Final = "::unit-"
_FEW: Final = 16
"""What more records say tells nothing of where a file came from."""


class Pair(NamedTuple):
    """A record of a file, under its final id, and the stored record it is paired with; None if it is new.

    `again`: others of the files are that one, too, or its own file was not read: it stays where it stands.
    """

    record: Record
    old: Record | None
    again: bool = False


class Pairing:
    """The pairing of the records of some files.

    Args:
        sources: what each says now, in its order.
        stored: what these said before, and others.
        cell: of the import: what lies in others is known by its text, or by an id of its own.
        beside: the others that are left as they are: theirs stay theirs, and what lies in another cell is known.
        is_taken: tells whether an id is some record's.

    """

    def __init__(
        self,
        sources: Mapping[str, Sequence[Record]],
        stored: Sequence[Record],
        cell: Cell,
        beside: Collection[str],
        is_taken: Callable[[str], bool],
    ) -> None:
        here = {old.id for old in stored if key_of(old).cell == cell}
        told = [old for old in stored if key_of(old).cell == cell or old.id not in here]  # no twins in other cells
        self.away: Final = [old for old in told if key_of(old).cell != cell]
        self.olds: Final = [old for old in told if source_of(old) not in beside]
        self._sources = sources
        self._is_away = {id(old) for old in self.away}
        self._heads = {name: [record for record in records if is_head(record)] for name, records in sources.items()}
        self._old_heads = [old for old in self.olds if is_head(old)]
        self._numbers = _Numbers((record.id or "" for record in stored), is_taken)
        self._met: dict[int, Record] = {}
        self._used: set[int] = set()
        self._again: dict[int, Record] = {}
        digests = {id(each): said(each) for heads in self._heads.values() for each in heads}
        everything = {name: "" for each in digests.values() for name in each}
        digests |= {id(old): dict(said_before(old, everything)) for old in self._old_heads}
        self._content = {each: tuple(sorted(told.items())) for each, told in digests.items()}
        self._text = {each: text_of(told) for each, told in digests.items()}
        self._texts = {text_of(said_before(old, {})): old for old in reversed(self.away)}
        self._texts.pop(None, None)

    def is_away(self, old: Record) -> bool:
        """Return whether a stored record lies in another cell than that of the import."""
        return id(old) in self._is_away

    def says_elsewhere(self, record: Record) -> Record | None:
        """Return a stored record of another cell whose text a record has; None if there is none."""
        return self._texts.get(text_of(said(record)))

    def pairs(self) -> dict[str, list[Pair]]:
        """Return what each source says, in its order.

        The facts of a chunk that lies in another cell are not among them, unless they are stored; nor a fact whose
        text lies there.
        """
        self._match()
        named = {old.id: old for old in reversed(self.olds) if not is_made(old)}
        known: dict[str, list[Record]] = {}
        for old in self.olds:
            if is_unit(old):
                known.setdefault(old.provenance["chunk_id"], []).append(old)
        return {name: list(self._of(records, named, known)) for name, records in self._sources.items()}

    def _of(
        self, records: Sequence[Record], named: Mapping[str | None, Record], known: Mapping[str, Sequence[Record]]
    ) -> Iterator[Pair]:
        units: dict[str, list[Record]] = {}
        for record in records:
            if is_unit(record):
                units.setdefault(record.provenance["chunk_id"], []).append(record)
        for record in records:
            if not is_made(record):
                yield Pair(record, named.get(record.id))
            elif is_head(record):
                if (again := self._again.get(id(record))) is not None:
                    yield Pair(record, again, again=True)
                else:
                    own = units.get(record.provenance.get("chunk_id", ""), [])
                    yield from self._chunk(record, self._met.get(id(record)), own, known)

    # ---- chunks, and lines without an id

    def _match(self) -> None:
        """Find the stored record of each."""

        def content(record: Record) -> Hashable:
            return self._content[id(record)]

        def text(record: Record) -> Hashable:
            return self._text[id(record)]

        every = {name: name for name in self._heads}
        self._whole_files(content)
        self._left(lambda record: (record.id, content(record)), every)
        for same in (content, text):
            self._left(same, every)
            self._anywhere(same)
        self._again = {
            id(record): old
            for _, record in self._unmet()
            if (old := self._texts.get(self._text[id(record)])) is not None
        }
        came_from, itself = self._origins()
        self._left(lambda record: record.topic, came_from)
        self._left(lambda record: record.topic, itself)
        self._left(_place, itself)

    def _whole_files(self, content: Key) -> None:
        """Find the files that say, in this order, all that another one said, which says something else by now."""
        before: dict[str, list[Record]] = {}
        for old in self._old_heads:
            before.setdefault(source_of(old), []).append(old)
        for olds in before.values():
            olds.sort(key=_in_order)
        contents = {name: tuple(map(content, olds)) for name, olds in before.items()}
        now = {name: tuple(map(content, heads)) for name, heads in self._heads.items()}
        waiting: dict[Hashable, list[str]] = {}
        for name, said_then in contents.items():
            if now.get(name) != said_then:
                waiting.setdefault(said_then, []).append(name)
        for name, says in now.items():
            if says and contents.get(name) != says and (names := waiting.get(says)):
                for record, old in zip(self._heads[name], before[names.pop(0)], strict=True):
                    self._meet(record, old)

    def _left(self, key: Key, of: Mapping[str, str]) -> None:
        """Find what is alike among the records of the source that is named for each."""
        waiting: dict[Hashable, list[Record]] = {}
        for old in reversed(self._old_heads):
            if id(old) not in self._used and (alike := key(old)) is not None:
                waiting.setdefault((source_of(old), alike), []).append(old)
        for name, record in self._unmet():
            if name in of and (found := waiting.get((of[name], key(record)))):
                self._meet(record, found.pop())

    def _anywhere(self, key: Key) -> None:
        """Find what is alike in all files, in that first of which a file holds most."""
        waiting: dict[Hashable, dict[int, Record]] = {}
        for old in self._old_heads:
            if id(old) not in self._used and (alike := key(old)) is not None:
                waiting.setdefault(alike, {})[id(old)] = old
        by_name: dict[str, list[Record]] = {}
        for name, record in self._unmet():
            if key(record) in waiting:
                by_name.setdefault(name, []).append(record)
        for records in by_name.values():
            found_by = [waiting[key(record)].values() for record in records]
            votes = Counter(source_of(old) for olds in found_by if len(olds) <= _FEW for old in olds)
            for record in records:
                if among := waiting[key(record)]:
                    found = list(islice(among.values(), _FEW))
                    most = [votes[source_of(old)] for old in found]
                    old = found[most.index(max(most))]
                    del among[id(old)]
                    self._meet(record, old)

    def _unmet(self) -> Iterator[tuple[str, Record]]:
        for name, heads in self._heads.items():
            for record in heads:
                if id(record) not in self._met and id(record) not in self._again:
                    yield name, record

    def _meet(self, record: Record, old: Record) -> None:
        self._met[id(record)] = old
        self._used.add(id(old))

    def _origins(self) -> tuple[dict[str, str], dict[str, str]]:
        """Return of each file from which other one it came; and those that are what they were, each by its own name.

        A file came from that of which it holds most. One is no longer what it was if it holds nothing of that, and
        came from another one, or another one from it.
        """
        took = {name: Counter(source_of(self._met[id(each)]) for each in heads if id(each) in self._met)
                for name, heads in self._heads.items()}  # fmt: skip
        first = {name: max(votes, key=lambda old: (votes[old], old == name)) for name, votes in took.items() if votes}
        left = {old for name, old in first.items() if old != name}
        came_from = {name: old for name, old in first.items() if old != name}
        itself = {name: name for name, votes in took.items() if votes[name] or not (votes or name in left)}
        return came_from, itself

    def _chunk(
        self, record: Record, old: Record | None, units: Sequence[Record], known: Mapping[str, Sequence[Record]]
    ) -> Iterator[Pair]:
        """Yield a chunk or a line, and the facts of the chunk, under their ids."""
        head = _chunk_of(record.id or "")
        own = _chunk_of(old.id or "") if old is not None else self._numbers.free(head)
        source = record.provenance["source_id"] if old is None else old.provenance["source_id"]
        pairs = list(_units(units, known.get(own, []), own))
        if old is not None and self.is_away(old):
            pairs = [each for each in pairs if each.old is not None]
        pairs = [each for each in pairs if each.old is not None or self.says_elsewhere(each.record) is None]
        pairs = [Pair(_of_source(each.record, source, own), each.old) for each in pairs]
        ids = tuple(each.record.id or "" for each in pairs)
        named = _of_source(record.completed(id=f"{own}{_UNIT}000"), source, own)
        if units:
            named = named.completed(child_unit_ids=ids)
            pairs = [Pair(each.record.completed(parent_unit_ids=(named.id or "",)), each.old) for each in pairs]
        yield Pair(named, old)
        yield from pairs


def _units(units: Sequence[Record], olds: Sequence[Record], chunk: str) -> Iterator[Pair]:
    """Yield the facts of one chunk and those that are stored: by what they say, then by their number."""
    waiting = list(olds)
    met: dict[int, Record] = {}
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
            yield Pair(unit.completed(id=f"{chunk}{_UNIT}{number:03d}"), None)
        else:
            yield Pair(unit.completed(id=old.id), old)


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


def source_of(record: Record) -> str:
    """Return the name of the source that a record is of."""
    return str(record.provenance["source_name"])


def is_made(record: Record) -> bool:
    """Return whether a record's id was made of its source and its place there."""
    return (record.id or "").startswith(f"{record.provenance['source_id']}::chunk-")


def is_unit(record: Record) -> bool:
    """Return whether a record is a fact of a chunk."""
    return "unit_index" in record.provenance and "chunk_id" in record.provenance


def is_head(record: Record) -> bool:
    """Return whether a record is a chunk, or a line without an id."""
    return is_made(record) and not is_unit(record)


def _place(record: Record) -> Hashable:
    return tuple(record.provenance.get(name) for name in ("chunk_index", "line"))


def _in_order(record: Record) -> tuple[int, str]:
    where = record.provenance
    return where.get("chunk_index", where.get("line", 0)), record.id or ""


def _chunk_of(id: str) -> str:
    return id.split(_UNIT)[0]


class _Numbers:
    """The numbers of chunks that are in use."""

    def __init__(self, ids: Iterable[str], is_taken: Callable[[str], bool]) -> None:
        self._used = {_chunk_of(id) for id in ids}
        self._next: dict[str, int] = {}
        self._is_taken = is_taken

    def free(self, chunk: str) -> str:
        """Return the id of a chunk, or the next one of its source that nobody bears."""
        source = chunk.rpartition("::")[0]
        while chunk in self._used or self._is_taken(f"{chunk}{_UNIT}000"):
            number = self._next.get(source, 0)
            chunk, self._next[source] = chunk_id(source, number), number + 1
        self._used.add(chunk)
        return chunk
