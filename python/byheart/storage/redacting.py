"""A store seen through a policy: whatever is read or written passes it, and what must be hidden never comes past.

So indexes, embedders, summarisers, exports and answers see what the policy leaves, of records too that were stored
before it was in force. These stay as they are in the store until they are written again; vectors that were made of what
is hidden now are not given, so that `Memory.embed` makes them anew, and writes what they are of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ..records import Record
from . import salvage
from .protocol import FollowedStore, Key, Outcome, Problem, Since, Vectors, VectorStore, Write, key_of, write_if
from .reserved import is_reserved

Clean = Callable[[Record], Record]
"""Gives a record without what must be hidden: the same object where there is nothing."""

_SHARED = (
    "sequence", "changes", "keys", "model", "adopt", "adopt_unless_kept", "witness", "bears_out", "path", "read_only",
    "notes", "check", "repair", "close", "flush", "settle", "delays", "tell", "undone", "durability", "own_changes",
)  # fmt: skip


class RedactingStore:
    """Stands before a store, and gives and takes records as `clean` leaves them.

    It offers what the store behind it offers, and nothing else: which protocol that is stays to be seen by asking.

    Args:
        store: where the records are; one that keeps vectors.
        clean: hides what must be hidden; may be changed, and then every index is to be made anew.

    >>> from byheart.storage import InProcessStore
    >>> from byheart.records import Record
    >>> whole = InProcessStore()
    >>> record = Record(text="call 555", id="a", tenant="t", scope="s", boundary_class="internal")
    >>> seen = RedactingStore(whole, lambda record: record.completed(text="call [phone]"))
    >>> seen.write([record], [])
    >>> [each.text for each in (*seen.load(), *whole.load())]
    ['call [phone]', 'call [phone]']

    """

    model: Callable[[], str | None]
    adopt: Callable[[str], None]
    close: Callable[[], None]

    def __init__(self, store: VectorStore, clean: Clean) -> None:
        self._store, self.clean = store, clean
        self._follows = store if isinstance(store, FollowedStore) else None
        for name in _SHARED:  # so that whoever asks what this store can do is told what the other one can
            if hasattr(store, name):
                setattr(self, name, getattr(store, name))
        for name in ("get_as_of", "write_each"):
            if hasattr(store, name):
                setattr(self, name, getattr(self, f"_{name}"))

    def _seen(self, record: Record | None) -> Any:
        if record is None or record.tenant is None or is_reserved(key_of(record)):
            return record
        return self.clean(record)

    def load(self, damaged: list[Problem] | None = None) -> Iterable[Record]:
        """Return every record."""
        read = self._store.load() if damaged is None else salvage.all_records(self._store, damaged)
        return map(self._seen, read)

    def get(self, keys: Sequence[Key], damaged: list[Problem] | None = None) -> list[Record | None]:
        """Return the records of these keys, None where there is none."""
        read = self._store.get(keys) if damaged is None else salvage.records(self._store, keys, damaged)
        return [self._seen(record) for record in read]

    def _get_as_of(self, sequence: int, keys: Sequence[Key]) -> list[Record | None] | None:
        store: Any = self._store
        found = store.get_as_of(sequence, keys)
        return None if found is None else [self._seen(record) for record in found]

    def vectors(
        self, model: str, keys: Sequence[Key] | None = None, damaged: list[Problem] | None = None
    ) -> Iterable[tuple[Key, bytes]]:
        """Return the vectors of a model that are of what can be seen."""
        rows = list(salvage.vectors(self._store, model, keys, [] if damaged is None else damaged).items())
        stored = salvage.records(self._store, [key for key, _ in rows], [])
        return [
            row
            for row, record in zip(rows, stored, strict=True)
            if record is not None and self._seen(record).embedded() == record.embedded()
        ]

    def write(self, put: Sequence[Record], remove: Sequence[Key], vectors: Vectors | None = None) -> None:
        """Put and remove records, and keep vectors."""
        self._store.write([self._seen(record) for record in put], remove, vectors)

    def write_if(
        self,
        expected: Sequence[Record],
        put: Sequence[Record],
        remove: Sequence[Key],
        vectors: Vectors | None = None,
        absent: Sequence[Key] = (),
        since: Since | None = None,
        meanwhile: Callable[[], None] | None = None,
    ) -> bool:
        """Write if these records are seen as they are here and these keys are not; return whether it was done.

        What is behind is looked at, and then the store itself compares: nobody writes in between.
        """
        write = self._behind(Write(expected, put, remove, vectors, absent, since))
        if write is None:
            return False
        if self._follows is not None and since is not None:
            more = () if meanwhile is None else (meanwhile,)  # a store that says when it waits
            follows: Any = self._follows
            done: bool = follows.write_if(write.expected, write.put, remove, vectors, absent, since, *more)
            return done
        return write_if(self._store, write.expected, write.put, remove, vectors, absent, since)

    def _write_each(self, writes: Sequence[Write]) -> list[Outcome]:
        """Do what `write_if` would do for each; one that expects what is not seen is not done."""
        behind = [self._behind(write) for write in writes]
        store: Any = self._store
        outcomes: Iterator[Outcome] = iter(store.write_each([write for write in behind if write is not None]))
        return [False if write is None else next(outcomes) for write in behind]

    def _behind(self, write: Write) -> Write | None:
        """Return what to ask of the store behind for a write; None if what is expected is not what is seen."""
        behind = self._store.get([key_of(record) for record in write.expected]) if write.expected else []
        if any(self._seen(stored) != record for stored, record in zip(behind, write.expected, strict=True)):
            return None
        there = [record for record in behind if record is not None]
        seen = [self._seen(record) for record in write.put]
        if write.vectors is not None:  # of what is seen: so that is what is stored from now on
            again = write.vectors.rows.keys() - set(map(key_of, write.put))
            cleaned = ((record, self._seen(record)) for record in there if key_of(record) in again)
            seen += [after for before, after in cleaned if after != before]
        return replace(write, expected=there, put=seen)
