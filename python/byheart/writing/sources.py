"""The sources of a memory, such as files: the new records of a source replace its old ones, in one write."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from ..errors import InvalidArgument
from ..index import selection as selecting
from ..index.indexes import Indexes
from ..records import Record
from .following import Followed, Following
from .sourced import Sourced
from .writer import Writer


def replace(indexes: Indexes, writer: Writer, sourced: Sourced) -> list[str]:
    """Put the records of sources in the place of what these said before, and of nothing else; return their ids.

    Raises:
        InvalidArgument: a record says that it is of another source.
        BoundaryViolation: a record names another tenant than that of the sources.
        DuplicateId: an id is that of a record that none of the sources said.

    """
    sourced.check()
    stood = writer.put(
        sourced.records(), lambda records, _: (records, _said_by(indexes, writer, sourced)), alone=True, sourced=sourced
    )
    return [each.record.id or "" for each in stood]


def follow(indexes: Indexes, writer: Writer, sourced: Sourced, *, lenient: bool) -> Followed:
    """Have the memory say of files what these say now; what has not changed stays (`byheart.writing.following`).

    Args:
        indexes: of the store.
        writer: of the same.
        sourced: what the files say; none of one that is gone.
        lenient: leave alone a file that says something new beside what lies in another cell, in place of raising.

    Raises:
        BoundaryViolation, DuplicateId: as in `replace`.
        InvalidArgument: likewise, or see `lenient`.

    """
    sourced.check()
    sizes = {name: len(records) for name, records in sourced.sources.items()}
    done = Followed()

    def settle(records: Sequence[Record], now: float) -> tuple[Sequence[Record], Sequence[Record]]:
        nonlocal done
        told = iter(records)
        said = {name: list(islice(told, size)) for name, size in sizes.items()}
        stored = _said_by(indexes, writer, sourced)
        done = Following(sourced.cell, now).follow(
            said, stored, sourced.beside, lambda id: writer.is_taken(sourced.tenant, id)
        )
        if done.refused and not lenient:
            raise InvalidArgument("; ".join(f"{name}: {why}" for name, why in done.refused.items()))
        return done.put, done.gone

    writer.put(sourced.records(), settle, alone=True, sourced=sourced)
    return done


def _said_by(indexes: Indexes, writer: Writer, sourced: Sourced) -> list[Record]:
    """Return what the sources said before; the caller holds the lock of the indexes."""
    tenant = sourced.tenant
    partition, reach = indexes[tenant], writer.reach(tenant)
    rows = [row for names in sourced.names() for row in selecting.of_sources(partition, reach, names)]
    return [record for record in indexes.stored(tenant, rows) if record is not None and sourced.looked_at(record)]
