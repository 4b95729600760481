"""A store in dictionaries: gone with the process. And a table of vectors for stores that keep none of their own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import RLock

from ..records import Record
from .log import Log
from .protocol import Changes, FollowedStore, Key, Problem, Since, Store, Vectors, holds, key_of, write_if


class VectorTable:
    """Vectors in dictionaries, by model."""

    def __init__(self) -> None:
        """Start empty."""
        self._active: str | None = None
        self._rows: dict[str, dict[Key, bytes]] = {}

    def follow(self, put: Sequence[Record], remove: Sequence[Key], vectors: Vectors | None) -> None:
        """Do to the vectors what a write does."""
        for key in (*remove, *map(key_of, put)):
            for rows in self._rows.values():
                rows.pop(key, None)
        if vectors is not None:
            self._rows.setdefault(vectors.model, {}).update(vectors.rows)

    def model(self) -> str | None:
        """Return the active model; None before one was adopted."""
        return self._active

    def adopt(self, model: str) -> None:
        """Make a model the active one, and let go of the vectors of all others."""
        self._active, self._rows = model, {model: self._rows.get(model, {})}

    def vectors(
        self, model: str, keys: Sequence[Key] | None = None, damaged: list[Problem] | None = None
    ) -> Iterable[tuple[Key, bytes]]:
        """Return the vectors of a model: of these records, or of all that have one; none is ever damaged."""
        rows = self._rows.get(model, {})
        return list(rows.items()) if keys is None else [(key, rows[key]) for key in keys if key in rows]


class InProcessStore(VectorTable):
    """Records in a dictionary: gone with the process.

    A write is noted before it is done: one that an interrupt broke off is finished by whoever comes next, so that it is
    whole in any case.
    """

    def __init__(self) -> None:
        """Start empty."""
        super().__init__()
        self._records: dict[Key, Record] = {}
        self._turn = RLock()  # several memories may share the store
        self._log = Log()
        self._noted: tuple[dict[Key, Record], tuple[Key, ...], Vectors | None] | None = None

    def load(self) -> Iterable[Record]:
        """Return every record."""
        self._finish()
        return list(self._records.values())

    def get(self, keys: Sequence[Key]) -> list[Record | None]:
        """Return the records of these keys, None where there is none."""
        self._finish()
        return [self._records.get(key) for key in keys]

    def vectors(
        self, model: str, keys: Sequence[Key] | None = None, damaged: list[Problem] | None = None
    ) -> Iterable[tuple[Key, bytes]]:
        """Return the vectors of a model: of these records, or of all that have one; none is ever damaged."""
        self._finish()
        return super().vectors(model, keys)

    def write(self, put: Sequence[Record], remove: Sequence[Key], vectors: Vectors | None = None) -> None:
        """Put and remove records, and keep vectors."""
        records = {key_of(record): record for record in put}
        with self._turn:
            self._finish()
            self._noted = (records, tuple(remove), vectors)
            self._finish()

    def _finish(self) -> None:
        """Do what is noted, if anything is; a second time, nothing changes."""
        if self._noted is None:
            return
        with self._turn:
            if self._noted is None:
                return
            put, remove, vectors = self._noted
            for key in remove:
                self._records.pop(key, None)
            self._records.update(put)
            self.follow(list(put.values()), remove, vectors)
            self._log.note((*remove, *put, *(() if vectors is None else vectors.rows)))
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
            if since is not None and not since.spared(self._put_since(since.sequence)):
                return False
            self.write(put, remove, vectors)
            return True

    def _put_since(self, sequence: int) -> Changes:
        """Return what changed and is there."""
        changes = self._log.changes(sequence)
        if changes.keys is None:
            return changes
        return Changes(changes.sequence, changes.keys & self._records.keys())

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

    def close(self) -> None:
        """Forget everything."""
        self._records = {}


class WithVectors(VectorTable):
    """A store that keeps no vectors of its own, with a table of them in this process beside it.

    The vectors are gone with the process: `Memory.embed` makes them again. So are those of records that others have
    given another text meanwhile.
    """

    def __init__(self, store: Store) -> None:
        """Stand before `store`; what others write can be followed if it can be followed there."""
        super().__init__()
        self._store = store
        self._said: dict[Key, str] = {}  # of what text each vector is
        self.load, self.get, self.close = store.load, store.get, store.close
        if isinstance(store, FollowedStore):
            self.sequence, self.changes = store.sequence, store.changes
        for name in ("check", "repair", "notes"):
            if hasattr(store, name):
                setattr(self, name, getattr(store, name))

    def write(self, put: Sequence[Record], remove: Sequence[Key], vectors: Vectors | None = None) -> None:
        """Write to the store; the vectors follow once it has taken the records."""
        if put or remove:
            self._store.write(put, remove)
        self.follow(put, remove, vectors)

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
        """Return the vectors of a model: of these records, or of all that have one; none of a text that is no more."""
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
        done = write_if(self._store, expected, put, remove, absent=absent, since=since)
        if done:
            self.follow(put, remove, vectors)
        return done
