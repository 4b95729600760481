"""The verbs that read records as they are: by id, listed, counted, exported and imported. Nothing here is ranked."""

from __future__ import annotations

import os
from typing import Any, overload

from .. import boundary as boundaries
from ..boundary import Boundary, CellLike
from ..errors import AmbiguousId, RecordNotFound
from ..index import selection as selecting
from ..index.indexes import Indexes
from ..recall.question import BoundaryLike
from ..records import Record
from ..storage import Key, by_id
from ..validation import MAX_IDS, check_at_least_one, check_id, strings
from . import kinds
from .engine import Handle


@overload
def get(self: Handle, ids: str, *, boundary: BoundaryLike | None = None, cell: CellLike | None = None) -> Record: ...


@overload
def get(
    self: Handle,
    ids: list[str] | tuple[str, ...],
    *,
    boundary: BoundaryLike | None = None,
    cell: CellLike | None = None,
) -> list[Record | None]: ...


def get(
    self: Handle,
    ids: str | list[str] | tuple[str, ...],
    *,
    boundary: BoundaryLike | None = None,
    cell: CellLike | None = None,
) -> Record | list[Record | None]:
    """Return the record with an id; of several ids a list, with None where there is no record.

    Archived and expired records are found too. Reading counts no use.

    Args:
        ids: one id, or several.
        boundary: what to look at.
        cell: scope and class of the record, where records of several cells bear the id.

    Raises:
        RecordNotFound: one id was given, and no record with it lies inside the boundary.
        CorruptRecord: one id was given, and its record is damaged and set aside.
        AmbiguousId: records of several cells bear an id, and no cell was named; the message names them.

    >>> from byheart import Memory
    >>> memory = Memory()
    >>> id = memory.remember("The kettle is descaled every spring.", id="kettle")
    >>> memory.get("kettle").text, memory.get(["pot", "kettle"])[0]
    ('The kettle is descaled every spring.', None)

    """
    if isinstance(ids, str):
        ids = check_id(ids)
    wanted = strings("ids", [ids] if isinstance(ids, str) else ids, MAX_IDS)
    engine, inside, own = self._engine, self._engine.inside(boundary), boundaries.check_cell(cell)

    def read() -> list[Record | None]:
        partition = engine.indexes[inside.tenant]
        rows = [selecting.the_row(partition, inside, id, own) for id in wanted]
        there = [row for row in rows if row is not None]
        found = dict(zip(there, engine.indexes.stored(inside.tenant, there), strict=True))
        return [None if row is None else found[row] for row in rows]

    found = selecting.at_once(engine.indexes, read)
    if not isinstance(ids, str):
        return found
    if found[0] is None:
        engine.eraser.check_sound(inside, ids, own)
        raise inside.lacks(ids)
    return found[0]


def contains(self: Handle, id: object) -> bool:
    """Return whether a record inside the boundary bears an id, or several do."""
    if not isinstance(id, str):
        raise TypeError(f"id must be str, not {type(id).__name__}; `in` asks for a record by its id")
    try:
        get(self, id)
    except RecordNotFound:
        return False
    except AmbiguousId:
        pass
    return True


def version(self: Handle, id: str, *, boundary: BoundaryLike | None = None, cell: CellLike | None = None) -> str:
    """Return the version in which a record is stored: what `update(if_version=...)` takes. Errors as in `get`.

    >>> from byheart import Memory
    >>> memory = Memory()
    >>> id = memory.remember("The kettle is descaled every spring.", id="kettle")
    >>> memory.version("kettle") == memory.get("kettle").version
    True

    """
    check_id(id)
    return get(self, id, boundary=boundary, cell=cell).version


def records(
    self: Handle,
    where: kinds.Where | kinds.Filter | None = None,
    *,
    order_by: str = "id",
    limit: int | None = None,
    cursor: str | None = None,
    boundary: BoundaryLike | None = None,
) -> kinds.Page:
    """Return the records inside the boundary, in order and as of one moment; archived and expired ones too.

    Args:
        where: a filter, such as `{"user_id": "ada"}` (see `byheart.retrieval.filter`); without it, all records.
        order_by: "id", or another field, or "-" and a field for the greatest first. Records without a value come
            last; where values are equal, ids decide.
        limit: at most so many; without it, all of them.
        cursor: the `cursor` of the page before this one: go on behind it, whatever was written since.
        boundary: what to look at.

    Raises:
        UnknownField, InvalidArgument, LimitExceeded, TypeError: the filter, the order or the cursor cannot be used.

    >>> from byheart import Memory
    >>> memory = Memory()
    >>> memory.remember_many([{"id": "b", "text": "rice", "importance": 0.5}, {"id": "a", "text": "tea"}])
    ['b', 'a']
    >>> [record.text for record in memory.records()]
    ['tea', 'rice']
    >>> page = memory.records(limit=1)
    >>> [record.id for record in (*page, *memory.records(limit=1, cursor=page.cursor))]
    ['a', 'b']
    >>> [record.id for record in memory.records({"importance": {">=": 0.5}}, order_by="-created_at")]
    ['b']

    """
    from . import listing
    from .page import Order, Page, cursor_of, place_of

    engine, inside = self._engine, self._engine.inside(boundary)
    order, filter = Order.parse(order_by), _filter(where)
    asked = None if filter is None else filter.canonical
    most = None if limit is None else check_at_least_one("limit", limit)
    start = None if cursor is None else place_of(order, cursor)

    def read() -> list[Record]:
        if most is not None:
            first = listing.first_keys(engine.indexes, inside, asked, order, start, most + 1)
            there = [] if first is None else engine.indexes.get(first)
            if first is not None and None not in there:
                return [record for record in there if record is not None]
        keys = _keys(engine.indexes, inside, filter)
        return [record for record in engine.indexes.get(keys) if record is not None]

    found = selecting.at_once(engine.indexes, read)
    if start is not None:
        found = [record for record in found if order.after(order.place(record), start)]
    found = order.sorted(found)
    if most is None or len(found) <= most:
        return Page(found)
    return Page(found[:most], cursor_of(order, found[most - 1]))


@overload
def count(
    self: Handle, where: kinds.Where | kinds.Filter | None = None, *, boundary: BoundaryLike | None = None
) -> int: ...


@overload
def count(
    self: Handle, where: kinds.Where | kinds.Filter | None = None, *, by: str, boundary: BoundaryLike | None = None
) -> dict[kinds.Value | None, int]: ...


def count(
    self: Handle,
    where: kinds.Where | kinds.Filter | None = None,
    *,
    by: str | None = None,
    boundary: BoundaryLike | None = None,
) -> int | dict[kinds.Value | None, int]:
    """Return how many records `records` would give, archived ones too; with `by`, how many for each value of a field.

    Found are fewer where some are archived: `stats()["records"]`.
    A record counts once for each of several values, such as tags; those without one count under None. Numbers and
    times come as floats. Values are in order, texts after numbers.

    >>> from byheart import Memory
    >>> memory = Memory()
    >>> ids = memory.remember_many([{"text": "tea", "tags": ["hot"]}, {"text": "ice", "tags": ["cold"]}, "rice"])
    >>> memory.count(), memory.count({"tags": "hot"}), memory.count(by="tags")
    (3, 1, {'cold': 1, 'hot': 1, None: 1})

    """
    engine, inside, filter = self._engine, self._engine.inside(boundary), _filter(where)
    asked = None if filter is None else filter.canonical
    if by is None:
        return selecting.at_once(engine.indexes, lambda: engine.indexes[inside.tenant].count_in(inside, asked))
    from . import listing
    from .page import check_field, values_of

    field = check_field("by", by)
    governed = engine.governed.given
    told = selecting.at_once(
        engine.indexes, lambda: listing.counts(engine.indexes, inside, asked, field, governed=governed)
    )
    if told is not None:
        return told
    found = selecting.at_once(engine.indexes, lambda: engine.indexes.get(_keys(engine.indexes, inside, filter)))
    counts: dict[tuple[bool, bool, Any], int] = {}
    for record in (each for each in found if each is not None):
        for value in values_of(record, field) or (None,):
            place = (value is None, isinstance(value, str), value)
            counts[place] = counts.get(place, 0) + 1
    return {place[2]: counts[place] for place in sorted(counts)}


def export_to(self: Handle, path: str | os.PathLike[str], where: kinds.Where | kinds.Filter | None = None) -> int:
    """Write the records into a new text file (`byheart.storage.jsonl`), private to its owner; return how many.

    All tenants are written, unless the memory was opened with a boundary: then what lies inside it; of these, those
    that a filter lets through, if one is given. Equal records give equal bytes. Vectors are left out: they can be
    made again. Damaged records are left out: `opened` and `check` name them.

    Raises:
        InvalidArgument: the file is there already, or its name is that of a durable memory, such as `x.db`.
        StoreBusy: the store was never quiet. No file is written.
        StoreError: the file cannot be written, the disk is full, say. Nothing is left of it.

    """
    from ..storage.exchange import write_jsonl

    return write_jsonl(to_export(self, where), path)


def to_export(self: Handle, where: kinds.Where | kinds.Filter | None = None) -> list[Record]:
    """Return the records that `export_to` writes."""
    filter = _filter(where)
    engine = self._engine
    asked = None if filter is None else filter.canonical
    return selecting.records(
        engine.store, engine.indexes, lambda: engine.reach.boundaries(engine.indexes.tenants()), asked
    )


def import_from(self: Handle, path: str | os.PathLike[str]) -> int:
    """Remember the records of a file that `export_to` wrote, as they are, all or none; return how many.

    A record with a known id is replaced, and none is looked at for noise. A file may be of a part of a memory: where
    what a record is superseded by, or archived for, is neither in it nor there already, the record is found again, as
    if that had been forgotten. Bring parts that belong together in one file.

    Each record keeps its tenant, scope and class: a memory of another tenant stores it and does not find it. Who wants
    it there remembers copies, each `dataclasses.replace(record, tenant="b")` of `other.records()`.

    Raises:
        InvalidArgument: there is no such file, or it is a memory itself, not a file of records; or a record is hidden
            by another user's, or records hide each other in a ring.
        CorruptRecord: a line is no record; names it.
        StoreError: the file cannot be read.
        BoundaryViolation: a record lies outside the boundary that the memory was opened with.
        AmbiguousId: records of several cells bear an id, and the file's record lies in none of them.

    >>> import tempfile, pathlib
    >>> from byheart import Memory
    >>> with tempfile.TemporaryDirectory() as folder, Memory() as memory, Memory() as other:
    ...     id = memory.remember("Steep the tea for three minutes.", id="tea")
    ...     file = pathlib.Path(folder) / "memory.jsonl"
    ...     memory.export_to(file), other.import_from(file), other.records() == memory.records()
    (1, 1, True)

    """
    return take_in(self, path)[0]


def take_in(self: Handle, path: str | os.PathLike[str]) -> tuple[int, int]:
    """Do what `import_from` does; return how many records came, and how many of them are found again."""
    from ..storage.exchange import read_jsonl

    records = read_jsonl(path)
    stood = self._engine.writer.remember(records, several=True, as_they_are=True)
    hidden = [each for each, come in zip(stood, records, strict=True) if come.superseded_by or come.archived_by]
    return len(stood), sum(not (each.record.superseded_by or each.record.archived_by) for each in hidden)


def _keys(indexes: Indexes, inside: Boundary, filter: kinds.Filter | None) -> list[Key]:
    """Return the keys of what a filter lets through inside a boundary, by id; the caller has the lock."""
    rows = indexes[inside.tenant].rows_in(inside, None if filter is None else filter.canonical)
    return sorted(indexes.keys(inside.tenant, rows), key=by_id)


def _filter(where: kinds.Where | kinds.Filter | None) -> kinds.Filter | None:
    if where is None:
        return None
    from ..retrieval.filter import Filter

    return Filter.parse(where)
