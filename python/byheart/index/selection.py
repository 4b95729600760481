"""The choice of records that a call means: inside a boundary, by id, cell, filter, source, or end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from ..boundary import Boundary
from ..errors import AmbiguousId, InvalidArgument
from ..records import Record
from ..retrieval.filter.canonical import Canonical, membership
from ..storage import Store, by_id
from ..storage.attempts import attempts
from . import whose
from .indexes import Indexes, Moved
from .partition import Partition

if TYPE_CHECKING:
    from ..retrieval.filter import Filter, Where

T = TypeVar("T")
Read = Callable[[Sequence[str]], Sequence[Record | None]]  # records of one tenant, by their rows


def inside(partition: Partition, boundary: Boundary, ids: Iterable[str] | None = None) -> list[str]:
    """Return the rows of some ids, or of all, that lie inside a boundary of the partition's tenant; each once.

    A row is what the indexes know a record by (`byheart.index.partition`): its id, unless several cells have that.
    """
    if ids is None:
        return partition.rows_in(boundary)
    known = list(ids)
    rows = [row for id in known for row in partition.rows_of(id)]
    found = rows_inside(partition, boundary, dict.fromkeys(rows)) if rows else []
    if all(map(str.isascii, known)):  # as nearly always
        return found

    def admits(row: str) -> bool:
        return bool(rows_inside(partition, boundary, [row]))

    return list(dict.fromkeys(row for id in known for row in partition.rows_named(id, admits)))


def rows_inside(partition: Partition, boundary: Boundary, rows: Iterable[str]) -> list[str]:
    """Return those of some rows that lie inside a boundary."""
    known = list(rows)
    places = zip(known, partition.places(known), strict=True)
    return [row for row, place in places if place is not None and boundary.holds(*place[1])]


def the_row(partition: Partition, boundary: Boundary, id: str, cell: tuple[str, str] | None = None) -> str | None:
    """Return the row of the one record with an id inside a boundary, or in one cell of it; None if there is none.

    Raises:
        AmbiguousId: there are several, and no cell was named.

    """
    rows = inside(partition, boundary, [id])
    if cell is not None:
        rows = [row for row in rows if partition.cell_of(row) == cell]
    if len(rows) > 1:
        raise AmbiguousId(id, [found for row in rows if (found := partition.cell_of(row)) is not None])
    return rows[0] if rows else None


def the_rows(
    partition: Partition, boundary: Boundary, ids: Iterable[str], cell: tuple[str, str] | None = None
) -> list[str]:
    """Return what `the_row` does, of each id that has one; each once."""
    found = (the_row(partition, boundary, id, cell) for id in dict.fromkeys(ids))
    return [row for row in found if row is not None]


def records(
    store: Store,
    indexes: Indexes,
    boundaries: Callable[[], Sequence[Boundary]],
    filter: Canonical | None = None,
) -> list[Record]:
    """Return the records inside some boundaries, a tenant each, in order of their ids and as of one moment.

    With a filter, those that it lets through.

    Raises:
        StoreBusy: other processes wrote to the store whenever it was read.

    """

    def read() -> list[Record]:
        keys = [
            key
            for boundary in boundaries()
            for key in indexes.keys(boundary.tenant, indexes[boundary.tenant].rows_in(boundary, filter))
        ]
        return [record for record in indexes.get(sorted(keys, key=by_id)) if record is not None]

    return at_once(indexes, read)


def at_once(indexes: Indexes, read: Callable[[], T]) -> T:
    """Return what is read, as of one moment; the indexes are up to date then, and their lock is held.

    Raises:
        StoreBusy: other processes wrote to the store whenever it was read.

    """
    for _ in attempts("read it"):
        with suppress(Moved), indexes.lock:
            indexes.catch_up()
            sequence = indexes.sequence
            found = read()
            if sequence == indexes.sequence and not indexes.behind():
                break
    return found


def asked_for(where: Where | Filter) -> Filter:
    """Return what a verb that needs one was given as a filter.

    Raises:
        InvalidArgument: it names no field; others as in `Filter.parse`.

    """
    from ..retrieval.filter import Filter  # on use: `import byheart` stays light

    made = Filter.parse(where)
    if made.wide:
        raise InvalidArgument("where: is empty; name at least one field, or give ids")
    return made


def of_sources(partition: Partition, boundary: Boundary, names: Collection[str]) -> list[str]:
    """Return the rows inside a boundary whose records say that they are of one of these sources (`source_name`)."""
    return partition.rows_in(boundary, membership("source", names))


def expired(indexes: Indexes, within: Boundary, now: float) -> list[str]:
    """Return the rows inside a boundary whose end has come, as recalls reckon it.

    The indexes know every end, of any store, so nothing is read.
    """
    return indexes[within.tenant].rows_in(within, whose.over(now))
