"""A store in this process: gone with it. And a table of vectors for stores that keep none of their own."""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from threading import RLock

from .._core import Table
from ..errors import StoreBusy, StoreError
from ..frozen import maker
from ..records import Record
from .log import Log
from .packed import PackedRecords, PackedTogether
from .protocol import (
    Changes,
    FollowedStore,
    GroupedStore,
    Key,
    Outcome,
    Problem,
    Since,
    Store,
    Vectors,
    Write,
    holds,
    key_of,
    write_if,
)

_changes = maker(Changes)


class VectorTable:
    """Vectors by model and key."""

    def __init__(self) -> None:
        """Start empty."""
        self._active: str | None = None
        self._table = Table()

    def follow(self, put: Sequence[Record], remove: Sequence[Key], vectors: Vectors | None) -> None:
        """Do to the vectors what a write does."""
        for key in chain(remove, map(key_of, put)):
            self._table.remove_vectors(key)
        if vectors is not None:
            for key, row in vectors.rows.items():
                self._table.keep(vectors.model, key, row)

    def model(self) -> str | None:
        """Return the active model; None before one was adopted."""
        return self._active

    def adopt(self, model: str) -> None:
        """Make a model the active one, and let go of the vectors of all others."""
        self._active = model
        self._table.keep_only(model)

    def adopt_unless_kept(self, model: str) -> bool:
        """Make a model the active one unless vectors of another are kept, and return whether it is."""
        if self._table.has_others(model):
            return False
        self.adopt(model)
        return True

    def vectors(
        self, model: str, keys: Sequence[Key] | None = None, damaged: list[Problem] | None = None
    ) -> Iterable[tuple[Key, bytes]]:
        """Return the vectors of a model: of these records, or of all that have one; none is ever damaged."""
        if keys is None:
            return [(Key._make(key), row) for key, row in self._table.vectors(model)]
        found = ((key, self._table.vector(model, key)) for key in keys)
        return [(key, row) for key, row in found if row is not None]


class InProcessStore(VectorTable):
    """Records packed in a table, with their vectors: gone with the process.

    A write is noted before it is done: one that an interrupt broke off is finished by whoever comes next, so that it is
    whole in any case.
    """

    def __init__(self) -> None:
        """Start empty."""
        super().__init__()
        self._records = PackedRecords(self._table)
        self._turn = RLock()  # several memories may share the store
        self._log = Log()
        self._noted: tuple[PackedTogether, tuple[Key, ...], Vectors | None] | None = None
        self._closed = False
        _IN_TURN.add(self)

    def load(self) -> Iterable[Record]:
        """Return every record."""
        self._finish()
        return self._records.all()

    def get(self, keys: Sequence[Key]) -> list[Record | None]:
        """Return the records of these keys, None where there is none."""
        self._finish()
        return self._records.get(keys)

    def vectors(
        self, model: str, keys: Sequence[Key] | None = None, damaged: list[Problem] | None = None
    ) -> Iterable[tuple[Key, bytes]]:
        """Return the vectors of a model: of these records, or of all that have one; none is ever damaged."""
        self._finish()
        return super().vectors(model, keys)

    def write(self, put: Sequence[Record], remove: Sequence[Key], vectors: Vectors | None = None) -> None:
        """Put and remove records, and keep vectors."""
        with self._turn:  # who packs numbers shapes
            packed = self._records.packed_together(put)  # what cannot be is not noted
            self._finish()
            self._noted = (packed, tuple(remove), vectors)
            self._finish()

    def _finish(self) -> None:
        """Do what is noted, if anything is; a second time, nothing changes."""
        if self._closed:
            raise StoreError(
                "the memory is closed, and what it kept in this process alone is gone; name a file to keep it"
            )
        if self._noted is None:
            return
        with self._turn:
            if self._noted is None:
                return
            put, remove, vectors = self._noted
            for key in remove:
                self._records.remove(key)
            self._records.put_all(put)
            self.follow(put.records, remove, vectors)
            self._log.note(chain(remove, map(key_of, put.records), () if vectors is None else vectors.rows))
            self._noted = None

    def write_if(
        self,
        expected: Sequence[Record],
        put: Sequence[Record],
        remove: Sequence[Key],
        vectors: Vectors | None = None,
        absent: Sequence[Key] = (),
        since: Since | None = None,
    ) -> bool:
        """Write if these records are stored as they are here and these keys are not, and return whether it was done.

        Nor may anything have been put since that matters.
        """
        with self._turn:
            if not holds(self, expected, absent):
                return False
            self._finish()
            still = since is None or since.sequence == self._log.sequence
            if since is not None and not (still or since.spared(self._put_since(since.sequence))):
                return False
            self.write(put, remove, vectors)
            return True

    def _put_since(self, sequence: int) -> Changes:
        """Return what changed and is there."""
        changes = self._log.changes(sequence)
        if changes.keys is None:
            return changes
        return _changes(changes.sequence, self._records.among(changes.keys))

    def adopt(self, model: str) -> None:
        """Make a model the active one, and let go of the vectors of all others."""
        with self._turn:
            super().adopt(model)
            self._log.note_all()

    def sequence(self) -> int:
        """Return the number of the last change."""
        self._finish()
        return self._log.sequence

    def changes(self, since: int) -> Changes:
        """Return the keys whose records or vectors changed after a sequence."""
        with self._turn:
            self._finish()
            return self._log.changes(since)

    def own_changes(self, since: int) -> Changes | None:
        """Return what the change right after a sequence was, if no other one has come; each is one of this store's."""
        with self._turn:
            self._finish()
            return self._log.changes(since) if self._log.sequence == since + 1 else None

    def get_as_of(self, sequence: int, keys: Sequence[Key]) -> list[Record | None] | None:
        """Return what `get` does, as of the last change; None if that is another one."""
        with self._turn:
            found = self.get(keys)
            return found if self._log.sequence == sequence else None

    def close(self) -> None:
        """Forget everything; whoever asks from now on is told so."""
        self._closed = True
        self._table = Table()
        self._records = PackedRecords(self._table)


class WithVectors(VectorTable):
    """A store that keeps no vectors of its own, with a table of them in this process beside it.

    The vectors are gone with the process: `Memory.embed` makes them again. So are those of records that others have
    given another text meanwhile. Whoever asks for vectors amid a write waits for those that it brings.
    """

    def __init__(self, store: Store) -> None:
        """Stand before `store`; what others write can be followed if it can be followed there."""
        super().__init__()
        self._store = store
        self._said: dict[Key, str] = {}  # of what text each vector is
        self._turn, self._amid = RLock(), False
        _IN_TURN.add(self)
        self.load, self.get, self.close = store.load, store.get, store.close
        if isinstance(store, FollowedStore):
            self.sequence, self.changes = store.sequence, store.changes
        if isinstance(store, GroupedStore):
            self._grouped, self.write_each = store, self._write_each
        for name in ("check", "repair", "notes", "path", "back_up", "flush", "settle", "delays", "tell", "undone",
                     "durability"):  # fmt: skip
            if hasattr(store, name):
                setattr(self, name, getattr(store, name))

    def write(self, put: Sequence[Record], remove: Sequence[Key], vectors: Vectors | None = None) -> None:
        """Write to the store; the vectors follow once it has taken the records."""
        with self._writing():
            if put or remove:
                self._store.write(put, remove)
            self.follow(put, remove, vectors)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Have others wait for the vectors of a write."""
        with self._turn:
            try:
                self._amid = True
                yield
            finally:
                self._amid = False

    def adopt(self, model: str) -> None:
        """Make a model the active one, and let go of the vectors of all others."""
        with self._turn:
            super().adopt(model)

    def follow(self, put: Sequence[Record], remove: Sequence[Key], vectors: Vectors | None) -> None:
        """Do to the vectors what a write does, and note what they are of."""
        super().follow(put, remove, vectors)
        for key in remove:
            self._said.pop(key, None)
        if vectors is not None:
            of = {key_of(record): record for record in put}
            asked = [key for key in vectors.rows if key not in of]
            of.update((key_of(record), record) for record in self.get(asked) if record is not None)
            self._said.update((key, of[key].gist()) for key in vectors.rows if key in of)

    def vectors(
        self, model: str, keys: Sequence[Key] | None = None, damaged: list[Problem] | None = None
    ) -> Iterable[tuple[Key, bytes]]:
        """Return the vectors of a model: of these records, or of all that have one; none of a text that is no more.

        Raises:
            StoreBusy: this thread is writing, and a signal's handler would not see what the write brings.

        """
        with self._turn:
            if self._amid:
                raise StoreBusy("this thread is writing already; a signal's handler cannot read vectors as well")
            rows = list(super().vectors(model, keys))
        stored = self.get([key for key, _ in rows])
        return [
            row
            for row, record in zip(rows, stored, strict=True)
            if record is not None and record.gist() == self._said.get(row[0])
        ]

    def write_if(
        self,
        expected: Sequence[Record],
        put: Sequence[Record],
        remove: Sequence[Key],
        vectors: Vectors | None = None,
        absent: Sequence[Key] = (),
        since: Since | None = None,
    ) -> bool:
        """Write to the store if it holds these records as they are here and not these keys; return whether it did."""
        with self._writing():
            done = write_if(self._store, expected, put, remove, absent=absent, since=since)
            if done:
                self.follow(put, remove, vectors)
        return done

    def _write_each(self, writes: Sequence[Write]) -> list[Outcome]:
        """Write to the store what several would write; the vectors follow those that were done."""
        with self._writing():
            outcomes = self._grouped.write_each(writes)
            for write, done in zip(writes, outcomes, strict=True):
                if done is True:
                    self.follow(write.put, write.remove, write.vectors)
        return outcomes


_IN_TURN: weakref.WeakSet[InProcessStore | WithVectors] = weakref.WeakSet()


def _after_fork() -> None:
    """Give a child turns of its own: one that another thread had at the fork would never be given back.

    Nobody writes at a fork (`byheart.storage.forks`), but who reads may be finishing what is noted: the child does too.
    """
    for store in list(_IN_TURN):
        store._turn = RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
