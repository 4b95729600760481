"""Changing the records of a memory: the store first, then the indexes; what is erased leaves saved indexes too."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from . import embeddings, selecting
from .answers import ForgetReceipt
from .boundary import Boundary
from .errors import InvalidArgument, RecordNotFound
from .indexes import Indexes
from .ingestion.completion import Completion, updated
from .records import Record
from .retrieval.symbolic import Vocabulary
from .saving import Saver
from .storage import Key, Vectors, VectorStore, key_of

if TYPE_CHECKING:
    from .embedding import Embedder


class Writer:
    """Remembers, changes and removes records, each call all or nothing.

    Args:
        store: where the records are.
        indexes: of the store; their lock is held by whoever writes.
        saver: of the indexes.
        completion: what records lack, and what they may not be.
        vocabulary: what facts may say.
        embedder: makes vectors of texts; None without one.

    Attributes:
        embedder: may be changed, together with the indexes.

    """

    def __init__(
        self,
        store: VectorStore,
        indexes: Indexes,
        saver: Saver,
        completion: Completion,
        vocabulary: Vocabulary,
        embedder: Embedder | None,
    ) -> None:
        self._store, self._indexes, self._saver = store, indexes, saver
        self._completion, self._vocabulary = completion, vocabulary
        self.embedder = embedder

    # ---- remember, update

    def remember(self, records: Sequence[Record], instead_of: Sequence[Key] = ()) -> list[str]:
        """Put records and remove others, in one write; return the ids of the former.

        Where some are removed, the caller has the saver's turn.
        """
        for record in records:
            self._vocabulary.check(record)
        indexes = self._indexes
        with indexes.lock:
            indexes.catch_up()
            complete = self._completion.complete(records, time.time(), lambda tenant, id: id in indexes[tenant])
            keys = [key_of(record) for record in complete]
            self._write(complete, sorted(set(instead_of) - set(keys)), self._embedded(complete))
        self._saver.nudge()
        return [id for _, id in keys]

    def replace_sources(self, sources: Mapping[str, Sequence[Record]]) -> list[str]:
        """Put the records of sources in the place of what these said before.

        Raises:
            InvalidArgument: a record says that it is of another source.

        """
        for name, records in sources.items():
            if any(record.provenance.get("source_name") != name for record in records):
                raise InvalidArgument(f"source {name!r}: a record's provenance names another source_name")
        with self._saver.alone(), self._indexes.lock:
            self._indexes.catch_up()
            return self.remember([record for records in sources.values() for record in records], self._said_by(sources))

    def _said_by(self, sources: Mapping[str, Sequence[Record]]) -> list[Key]:
        """Return what the sources said before to the tenants that they speak to now."""
        names: dict[str, set[str]] = {}
        own = self._completion.tenant
        for name, records in sources.items():
            for tenant in {record.tenant or own for record in records} or {own}:
                names.setdefault(tenant, set()).add(name)
        found: list[Key] = []
        for boundary in selecting.reach(self._indexes, self._completion.ceiling):
            tenant = boundary.tenant
            if tenant in names:
                ids = selecting.inside(self._indexes[tenant], boundary)
                found += [(tenant, id) for id in selecting.of_sources(self._reader(tenant), ids, names[tenant])]
        return found

    def update(self, id: str, inside: Boundary, changes: Mapping[str, Any]) -> None:
        """Change fields of a record; its vector is kept where its text is.

        Raises:
            RecordNotFound: no record with this id lies inside the boundary.

        """
        with self._indexes.lock:
            self._indexes.catch_up()
            known = selecting.inside(self._indexes[inside.tenant], inside, [id])
            [old] = self._store.get(inside.tenant, known) or [None]
            if old is None:
                raise RecordNotFound(f"no record {id!r} lies inside the boundary")
            now = time.time()
            record = updated(old, changes, now)
            self._vocabulary.check(record)
            complete = self._completion.complete([record], now, lambda tenant, id: True)
            vectors = embeddings.kept(self._store, key_of(old)) if record.text == old.text else self._embedded(complete)
            self._write(complete, [], vectors)
        self._saver.nudge()

    def _embedded(self, complete: Sequence[Record]) -> Vectors | None:
        return None if self.embedder is None or not complete else embeddings.of_records(self.embedder, complete)

    def _write(self, put: Sequence[Record], remove: Sequence[Key], vectors: Vectors | None = None) -> None:
        """Write, and let the indexes follow; the caller holds their lock."""
        self._indexes.mark([*map(key_of, put), *remove])
        if remove:
            self._saver.erase()
        self._store.write(put, remove, vectors)
        self._indexes.catch_up()

    # ---- forget

    def forget(
        self, inside: Boundary, wanted: Sequence[str] | None, where: Mapping[str, Any] | None, *, dry_run: bool
    ) -> ForgetReceipt:
        """Remove the records inside a boundary with these ids, or with these values; or say which they would be."""
        with nullcontext() if dry_run else self._saver.alone(), self._indexes.lock:
            self._indexes.catch_up()
            found = selecting.inside(self._indexes[inside.tenant], inside, wanted)
            if where is not None:
                found = selecting.matching(self._reader(inside.tenant), found, where)
            files = () if dry_run else self._erase([(inside.tenant, id) for id in found])
        gone = set(found)
        return ForgetReceipt(tuple(sorted(found)), tuple(id for id in wanted or () if id not in gone), files)

    def purge(self, now: float) -> ForgetReceipt:
        """Remove the records whose end has come."""
        with self._saver.alone(), self._indexes.lock:
            self._indexes.catch_up()
            reach = selecting.reach(self._indexes, self._completion.ceiling)
            keys = selecting.expired(self._indexes, reach, now)
            files = self._erase(keys)
        return ForgetReceipt(tuple(sorted(id for _, id in keys)), files=files)

    def _erase(self, keys: Sequence[Key]) -> tuple[str, ...]:
        """Remove records and the saved indexes that hold them; return the names of the files."""
        if not keys:
            return ()
        self._indexes.mark(keys)
        files = self._saver.erase()  # first: were the process killed in between, the call could be repeated
        self._store.write([], keys)
        self._indexes.catch_up()
        return tuple(path.name for path in files)

    def _reader(self, tenant: str) -> selecting.Read:
        return lambda ids: self._store.get(tenant, ids)
