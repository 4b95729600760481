"""Uses of records: access counts, and the turns behind a summary. A recall uses nothing."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress

from ..boundary import Boundary
from ..errors import InvalidArgument
from ..index import selection as selecting
from ..index import vectors as embeddings
from ..index.indexes import Indexes, Moved
from ..records import SUMMARY, Record
from ..storage import FileStore, VectorStore, key_of
from ..storage.attempts import attempts
from ..writing.lineage import Lineage
from ..writing.writer import Writer
from .compaction import Entry

_MOST = 2**53 - 1


def touch(
    store: VectorStore,
    indexes: Indexes,
    writer: Writer,
    inside: Boundary,
    ids: Sequence[str],
    now: float,
    cell: tuple[str, str] | None = None,
) -> int:
    """Count one use of each record inside a boundary, and return how many there are; nobody's count is lost.

    Raises:
        AmbiguousId: several records bear an id, and no cell was named.
        StoreBusy: others changed the records during each of several attempts.

    """
    writer.commits.check_writable()
    for attempt in attempts("count a use"):
        with suppress(Moved), writer.commits.planning(alone=attempt > 0):
            rows = selecting.the_rows(indexes[inside.tenant], inside, ids, cell)
            found = [record for record in indexes.stored(inside.tenant, rows) if record is not None]
            used = [
                record.completed(access_count=min(record.access_count + 1, _MOST), accessed_at=now) for record in found
            ]
            vectors = embeddings.kept(store, [key_of(record) for record in found], writer.embedder)
            if not found or writer.commits.exchange(found, used, [], vectors):
                break
    return len(found)


def expand(
    store: VectorStore,
    indexes: Indexes,
    writer: Writer,
    inside: Boundary,
    id: str,
    cell: tuple[str, str] | None = None,
) -> list[Record]:
    """Return the turns behind a summary that lie inside a boundary, in the order in which they were said.

    Of a summary among them, those behind that. A memory that was opened for reading counts no use.

    Raises:
        RecordNotFound: no record with this id lies inside the boundary.
        AmbiguousId: several do, and no cell was named.
        InvalidArgument: it is no summary.

    """

    def read() -> tuple[Record, list[Record]]:
        partition = indexes[inside.tenant]
        lineage = Lineage(partition, inside, lambda rows: indexes.stored(inside.tenant, rows))
        row = selecting.the_row(partition, inside, id, cell)
        summary = indexes.stored(inside.tenant, [row])[0] if row is not None else None
        if summary is None or row is None:
            raise inside.lacks(id)
        if summary.kind != SUMMARY:
            raise InvalidArgument(f"expand: record {id!r} is no summary, but of kind {summary.kind!r}")
        behind = [each for each in lineage.with_sources([row]) if each != row]
        found = [record for record in indexes.stored(inside.tenant, behind) if record is not None]
        return summary, [record for record in found if record.kind != SUMMARY]

    summary, turns = selecting.at_once(indexes, read)
    if writer.commits.writable and not (isinstance(store, FileStore) and store.read_only):
        touch(store, indexes, writer, inside, [id], time.time(), key_of(summary).cell)
    return sorted(turns, key=lambda record: (Entry.of_record(record).at, record.id or ""))
