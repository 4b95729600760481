"""Uses of records: access counts, and the turns behind a summary. A recall uses nothing."""

from __future__ import annotations

import time
from collections.abc import Sequence

from ..boundary import Boundary
from ..errors import InvalidArgument, RecordNotFound, StoreBusy
from ..index import vectors as embeddings
from ..index.indexes import Indexes
from ..records import SUMMARY, Record
from ..storage import FileStore, VectorStore, key_of
from ..writing import selection as selecting
from ..writing.writer import Writer
from .compaction import Entry

_MOST = 2**53 - 1
_TRIES = 64  # each that fails is one that another has won


def touch(
    store: VectorStore, indexes: Indexes, writer: Writer, inside: Boundary, ids: Sequence[str], now: float
) -> int:
    """Count one use of each record inside a boundary, and return how many there are; nobody's count is lost.

    Raises:
        StoreBusy: others changed the records during each of several attempts.

    """
    for _ in range(_TRIES):
        with indexes.lock:
            indexes.catch_up()
            known = selecting.inside(indexes[inside.tenant], inside, ids)
            found = [record for record in store.get(inside.tenant, known) if record is not None]
            used = [
                record.completed(access_count=min(record.access_count + 1, _MOST), accessed_at=now) for record in found
            ]
            vectors = embeddings.kept(store, [key_of(record) for record in found], writer.embedder)
            if not found or writer.exchange(found, used, [], vectors):
                return len(found)
    raise StoreBusy(f"the records were changed during each of {_TRIES} attempts to count their use; try again")


def expand(store: VectorStore, indexes: Indexes, writer: Writer, inside: Boundary, id: str) -> list[Record]:
    """Return the turns behind a summary that lie inside a boundary, in the order in which they were said.

    Of a summary among them, those behind that. A store that was opened for reading counts no use.

    Raises:
        RecordNotFound: no record with this id lies inside the boundary.
        InvalidArgument: it is no summary.

    """
    with indexes.lock:
        indexes.catch_up()
        named = _read(store, indexes, inside, [id])
        if not named:
            raise RecordNotFound(f"no record {id!r} lies inside the boundary")
        [summary] = named
        if summary.kind != SUMMARY:
            raise InvalidArgument(f"expand: record {id!r} is no summary, but of kind {summary.kind!r}")
        waiting, seen, turns = list(summary.source_ids), {id}, []
        while waiting:
            new = [source for source in dict.fromkeys(waiting) if source not in seen]
            seen.update(new)
            found = _read(store, indexes, inside, new)
            turns += [record for record in found if record.kind != SUMMARY]
            waiting = [source for record in found if record.kind == SUMMARY for source in record.source_ids]
    if not (isinstance(store, FileStore) and store.read_only):
        touch(store, indexes, writer, inside, [id], time.time())
    return sorted(turns, key=lambda record: (Entry.of_record(record).at, record.id or ""))


def _read(store: VectorStore, indexes: Indexes, inside: Boundary, ids: Sequence[str]) -> list[Record]:
    known = selecting.inside(indexes[inside.tenant], inside, ids)
    return [record for record in store.get(inside.tenant, known) if record is not None]
