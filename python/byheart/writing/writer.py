"""Changing the records of a memory: the store first, then the indexes; what is erased leaves saved indexes too."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..boundary import Boundary
from ..errors import InvalidArgument, RecordNotFound, StoreBusy
from ..index import vectors as embeddings
from ..index.indexes import Indexes
from ..index.saving import Saver
from ..records import Record
from ..retrieval.symbolic import Vocabulary
from ..storage import Key, Vectors, VectorStore, key_of, write_if
from . import lineage
from . import selection as selecting
from .completion import Completion, updated
from .lineage import Follows, Removal
from .noise_policy import Door

if TYPE_CHECKING:
    from ..embedding import Embedder
    from .receipts import ForgetReceipt

_TEXTS = frozenset(("text", "claim", "procedure"))

TRIES = 8
"""How often a change is begun again where others write what it reads."""


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

    def remember(self, records: Sequence[Record], instead_of: Sequence[Key] = (), *, alone: bool = False) -> list[str]:
        """Put records and remove others, in one write; return the ids of the former.

        Where a record takes the place of one with another text, its durable copy says the new text too, and summaries
        that say the old one go. Where some are removed, the caller has the saver's turn, and says so by `alone`.
        """
        for record in records:
            self._vocabulary.check(record)
        with self._indexes.lock:
            keys = self._put(records, instead_of, follow=alone)
        if keys is None:
            with self._saver.alone(), self._indexes.lock:
                keys = self._put(records, instead_of, follow=True)
        assert keys is not None, "what follows is looked at now"
        self._saver.nudge()
        return [id for _, id in keys]

    def _put(self, records: Sequence[Record], instead_of: Sequence[Key], *, follow: bool) -> list[Key] | None:
        """Write records; None, and nothing written, if something follows from that which is not to be looked at."""
        self._indexes.catch_up()
        complete = self.completed(records, time.time())
        keys = [key_of(record) for record in complete]
        outdated = [record for record in complete if self._is_said_elsewhere(record)]
        if outdated and not follow:
            return None
        changed, released, remove = list(complete), list[Record](), {*instead_of}
        for record in outdated:
            follows = self._follows(record)
            changed += [copy for copy in follows.changed if key_of(copy) not in keys]
            released += [each for each in follows.released if key_of(each) not in keys]
            remove |= {*follows.summaries}
        kept = {key_of(each): each for each in released if key_of(each) not in remove}
        vectors = _together(self._embedded(changed), embeddings.kept(self._store, list(kept)) if kept else None)
        self._write([*changed, *kept.values()], sorted(remove - {*keys}), vectors)
        return keys

    def _is_said_elsewhere(self, record: Record) -> bool:
        """Return whether summaries or a durable copy say what is stored under a record's key, and that is to change."""
        tenant, id = key_of(record)
        members = self._indexes[tenant].members
        if not members.summaries_of(id) and not members.copies_of(id):
            return False
        [old] = self._store.get(tenant, [id])
        return old is not None and old.text != record.text

    def _follows(self, record: Record, inside: Boundary | None = None) -> Follows:
        """Return what follows from a record's new text, inside a boundary or all that the memory was opened for."""
        tenant = record.tenant or ""
        within = inside or self._completion.ceiling or selecting.whole(tenant)
        return lineage.rewriting(self._indexes[tenant], within, self._reader(tenant), record)

    def completed(self, records: Sequence[Record], now: float) -> list[Record]:
        """Return records as they will be stored; the caller holds the lock of the indexes, which are up to date.

        Raises:
            BoundaryViolation, DuplicateId, InvalidArgument: a record that may not be stored.

        """
        return self._completion.complete(records, now, lambda tenant, id: id in self._indexes[tenant])

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
            records = [record for records in sources.values() for record in records]
            return self.remember(records, self._said_by(sources), alone=True)

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

    def update(self, id: str, inside: Boundary, changes: Mapping[str, Any], door: Door) -> None:
        """Change fields of a record; its vector is kept where its text is.

        With the text, a turn's durable copy changes too, and the summaries that say the old text go; what these stood
        for beside it is found again.

        Raises:
            RecordNotFound: no record with this id lies inside the boundary.
            NoiseRefused: the new text is not let in.
            StoreBusy: others changed it, or what follows, during each of several attempts.

        """
        rewrites = not _TEXTS.isdisjoint(changes)
        for _ in range(TRIES):
            with self._saver.alone() if rewrites else nullcontext(), self._indexes.lock:
                self._indexes.catch_up()
                known = selecting.inside(self._indexes[inside.tenant], inside, [id])
                [old] = self._store.get(inside.tenant, known) or [None]
                if old is None:
                    raise RecordNotFound(f"no record {id!r} lies inside the boundary")
                now = time.time()
                record = updated(old, changes, now)
                self._vocabulary.check(record)
                [complete] = self._completion.complete([record], now, lambda tenant, id: True)
                if record.text == old.text:
                    self._write([complete], [], embeddings.kept(self._store, [key_of(old)]))
                    done = True
                else:
                    door.check(record)
                    done = self._rewrite(old, complete, inside)
            if done:
                self._saver.nudge()
                return
        raise StoreBusy(f"record {id!r} was changed during each of {TRIES} attempts to change its text; try again")

    def _rewrite(self, old: Record, record: Record, inside: Boundary) -> bool:
        """Write a record whose text has changed, and what follows from that, if all of it is still as it was read.

        The caller has the saver's turn.
        """
        follows = self._follows(record, inside)
        changed = [record.completed(archived_by=None) if follows.summaries else record, *follows.changed]
        kept = embeddings.kept(self._store, list(map(key_of, follows.released))) if follows.archived else None
        vectors = _together(self._embedded(changed), kept)
        expected = [old, *follows.copies, *follows.archived]
        return self.exchange(expected, [*changed, *follows.released], follows.summaries, vectors)

    def _embedded(self, complete: Sequence[Record]) -> Vectors | None:
        return None if self.embedder is None or not complete else embeddings.of_records(self.embedder, complete)

    def _write(self, put: Sequence[Record], remove: Sequence[Key], vectors: Vectors | None = None) -> None:
        """Write, and let the indexes follow; the caller holds their lock."""
        self._indexes.mark([*map(key_of, put), *remove])
        if remove:
            self._saver.erase()
        self._store.write(put, remove, vectors)
        self._indexes.catch_up()

    def exchange(
        self,
        expected: Sequence[Record],
        put: Sequence[Record],
        remove: Sequence[Key],
        vectors: Vectors | None,
        absent: Sequence[Key] = (),
    ) -> bool:
        """Put complete records and remove others, in one write, if these are still stored so; return whether they were.

        Nothing may be stored under the keys that are to be `absent`.
        Where some are removed, the caller has the saver's turn.
        """
        with self._indexes.lock:
            self._indexes.mark([*map(key_of, expected), *map(key_of, put), *remove, *absent])
            if remove:
                self._saver.erase()  # first: were the process killed in between, the call could be repeated
            done = write_if(self._store, expected, put, remove, vectors, absent)
            self._indexes.catch_up()
        self._saver.nudge()
        return done

    # ---- forget

    def forget(
        self,
        inside: Boundary,
        wanted: Sequence[str] | None,
        where: Mapping[str, Any] | None,
        *,
        dry_run: bool,
        with_sources: bool,
    ) -> ForgetReceipt:
        """Remove the records inside a boundary with these ids, or with these values; or say which they would be."""

        def find() -> list[tuple[Boundary, Removal]]:
            partition, read = self._indexes[inside.tenant], self._reader(inside.tenant)
            found = selecting.inside(partition, inside, wanted)
            if where is not None:
                found = selecting.matching(read, found, where)
            if with_sources:
                found = lineage.with_sources(partition, inside, found)
            return [(inside, lineage.removal(partition, inside, read, found, wanted or ()))]

        if dry_run:
            with self._indexes.lock:
                self._indexes.catch_up()
                return _receipt(find(), wanted or ())
        return self._erase(find, wanted or ())

    def purge(self, now: float) -> ForgetReceipt:
        """Remove the records whose end has come."""

        def find() -> list[tuple[Boundary, Removal]]:
            found = []
            for within in selecting.reach(self._indexes, self._completion.ceiling):
                ids = [id for _, id in selecting.expired(self._indexes, [within], now)]
                read = self._reader(within.tenant)
                found.append(
                    (within, lineage.removal(self._indexes[within.tenant], within, read, ids, (), with_copies=False))
                )
            return found

        return self._erase(find, ())

    def _erase(self, find: Callable[[], list[tuple[Boundary, Removal]]], wanted: Sequence[str]) -> ForgetReceipt:
        """Remove what is found, and the saved indexes that hold it; found again if others change it meanwhile.

        Raises:
            StoreBusy: others changed it each time.

        """
        for _ in range(TRIES):
            with self._saver.alone(), self._indexes.lock:
                self._indexes.catch_up()
                found = find()
                keys = [(within.tenant, id) for within, each in found for id in each.gone()]
                if not keys:
                    return _receipt(found, wanted)
                archived = [record for _, each in found for record in each.archived]
                released = [record for _, each in found for record in each.released()]
                self._indexes.mark([*keys, *map(key_of, released)])
                files = self._saver.erase()  # first: were the process killed in between, the call could be repeated
                vectors = embeddings.kept(self._store, list(map(key_of, released))) if released else None
                done = write_if(self._store, archived, released, keys, vectors)
                self._indexes.catch_up()
            if done:
                return replace(_receipt(found, wanted), files=tuple(path.name for path in files))
        raise StoreBusy(f"the records were changed during each of {TRIES} attempts to forget them; try again")

    def _reader(self, tenant: str) -> selecting.Read:
        return lambda ids: self._store.get(tenant, ids)


def _receipt(found: Sequence[tuple[Boundary, Removal]], wanted: Sequence[str]) -> ForgetReceipt:
    """Return what to say of removals; of the ids asked for, those that nothing had are missing."""
    from .receipts import ForgetReceipt

    ids = sorted(id for _, each in found for id in each.ids)
    gone = set(ids)
    return ForgetReceipt(
        tuple(ids),
        tuple(id for id in wanted if id not in gone),
        summaries=tuple(sorted(id for _, each in found for id in each.summaries)),
        copies=tuple(sorted(id for _, each in found for id in each.copies)),
        released=tuple(sorted(record.id or "" for _, each in found for record in each.archived)),
    )


def _together(made: Vectors | None, kept: Vectors | None) -> Vectors | None:
    """Return vectors that were made and such that were kept, as one write has them."""
    return made if made is None or kept is None else replace(made, rows={**kept.rows, **made.rows})
