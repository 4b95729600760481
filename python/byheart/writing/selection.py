"""Which records a call means: those inside a boundary, with these fields, of these sources, or whose time is over."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from ..boundary import Boundary
from ..errors import InvalidArgument, StoreBusy, UnknownField
from ..index.indexes import Indexes
from ..index.partition import Partition
from ..records import SUMMARY, Record
from ..storage import Key, Store
from ..validation import CLASSES

Read = Callable[[Sequence[str]], Sequence[Record | None]]  # records of one tenant, by id
_TRIES = 8


def reach(indexes: Indexes, ceiling: Boundary | None) -> list[Boundary]:
    """Return all that a memory was opened for: its ceiling, or all of every tenant that has records."""
    return [whole(tenant) for tenant in indexes.tenants()] if ceiling is None else [ceiling]


def whole(tenant: str) -> Boundary:
    """Return the boundary around everything that a tenant has."""
    return Boundary(tenant, classes=CLASSES)


def inside(partition: Partition, boundary: Boundary, ids: Iterable[str] | None = None) -> list[str]:
    """Return those of some ids, or of all, that lie inside a boundary of the partition's tenant; each once."""
    candidates = partition.ids() if ids is None else dict.fromkeys(ids)
    return [id for id in candidates if (cell := partition.cell_of(id)) is not None and boundary.holds(*cell)]


def records(store: Store, indexes: Indexes, boundaries: Callable[[], Sequence[Boundary]]) -> list[Record]:
    """Return the records inside some boundaries, a tenant each, in order of their ids and as of one moment.

    Raises:
        StoreBusy: other processes wrote to the store whenever it was read.

    """
    return _at_once(
        indexes,
        lambda: [
            record
            for boundary in boundaries()
            for record in store.get(boundary.tenant, sorted(inside(indexes[boundary.tenant], boundary)))
        ],
    )


def turns(store: Store, indexes: Indexes, boundary: Boundary, session_id: str) -> list[Record]:
    """Return the turns of a session that lie inside a boundary, oldest first, as of one moment.

    As in compaction, a turn is any record of the session that is no summary, and that none stands for.
    """

    def ids() -> list[str]:
        members = indexes[boundary.tenant].members
        own = members.within("session", session_id, None) - members.archived
        return inside(indexes[boundary.tenant], boundary, sorted(own))

    found = _at_once(indexes, lambda: store.get(boundary.tenant, ids()))
    spoken = [record for record in found if record.kind != SUMMARY]
    return sorted(spoken, key=lambda record: (record.created_at or 0.0, record.id or ""))


def _at_once(indexes: Indexes, read: Callable[[], Iterable[Record | None]]) -> list[Record]:
    """Return records as they are at one moment.

    Raises:
        StoreBusy: other processes wrote to the store whenever it was read.

    """
    for _ in range(_TRIES):
        with indexes.lock:
            indexes.catch_up()
            sequence = indexes.sequence
            found = [record for record in read() if record is not None]
            if sequence == indexes.sequence and not indexes.behind():
                return found
    raise StoreBusy(f"the store was written to during each of {_TRIES} attempts to read it; try again")


def matching(read: Read, ids: Sequence[str], where: Mapping[str, Any]) -> list[str]:
    """Return those of the ids whose records have these values: of each field the value, or one of a list of values.

    Raises:
        UnknownField: records have no such field.
        InvalidArgument: no field is named.

    """
    known = {spec.name for spec in fields(Record)}
    for name in where:
        if name not in known:
            raise UnknownField(f"where: unknown field {name!r}")
    if not where:
        raise InvalidArgument("where: is empty; name at least one field, or give ids")
    wanted = {name: value if isinstance(value, (list, tuple, set)) else [value] for name, value in where.items()}
    return [
        id
        for id, record in zip(ids, read(ids), strict=True)
        if record is not None and all(getattr(record, name) in values for name, values in wanted.items())
    ]


def of_sources(read: Read, ids: Sequence[str], names: Collection[str]) -> list[str]:
    """Return those of the ids whose records say that they are of one of these sources (`source_name`)."""
    found = zip(ids, read(ids), strict=True)
    return [id for id, record in found if record is not None and record.provenance.get("source_name") in names]


def expired(indexes: Indexes, boundaries: Iterable[Boundary], now: float) -> list[Key]:
    """Return the records inside some boundaries whose end has come, as recalls reckon it.

    The indexes know every end, of any store, so nothing is read.
    """
    found: list[Key] = []
    for boundary in boundaries:
        partition = indexes[boundary.tenant]
        ends = partition.ends_inside(boundary)
        found += [(boundary.tenant, id) for id, end in ends.items() if end <= now]
    return sorted(found)
