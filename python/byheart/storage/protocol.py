"""The protocols of stores: what a memory asks of one, and of one that keeps vectors too, or outlives its process."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, runtime_checkable

from ..frozen import Document
from ..light.classes import dataclass
from ..light.expressions import expression
from ..records import Record

if TYPE_CHECKING:
    from pathlib import Path

_PARTS: Final = expression("[0-9]+|[^0-9]", re.DOTALL)
_DIGITS: Final = "0123456789"


class Key(NamedTuple):
    """What a stored record is known by: its cell, and an id that is one record's there. Other cells may have it too."""

    tenant: str
    scope: str
    boundary_class: str
    id: str

    @property
    def cell(self) -> tuple[str, str]:
        """Scope and class: the cell inside its tenant."""
        return self.scope, self.boundary_class

    @property
    def name(self) -> tuple[str, str]:
        """Tenant and id: what the record is called by those who look at all cells."""
        return self.tenant, self.id


def by_id(key: Key) -> tuple[str, str, str, str]:
    """Return what puts keys in order: the tenant, the id, then the cell.

    >>> sorted([Key("t", "a", "public", "2"), Key("t", "b", "public", "1")], key=by_id)[0].id
    '1'
    """
    return key.tenant, key.id, key.scope, key.boundary_class


def by_numbers(id: str) -> tuple[tuple[int, int, str], ...]:
    """Return what puts ids of turns of one time in order: numbers in them count as numbers, and come before all else.

    >>> sorted(["D1:10", "D1:2", "D1:x"], key=by_numbers)
    ['D1:2', 'D1:10', 'D1:x']
    """
    return tuple(
        [
            (0, len(plain := part.lstrip("0")), plain) if part[0] in _DIGITS else (1, 0, part)
            for part in _PARTS.findall(id)
        ]
    )


def key_of(record: Record) -> Key:
    """Return what a complete record is known by."""
    place = _place_of(record)
    assert None not in place, "a stored record is complete"
    return _new(Key, place)  # `Key(...)` takes three times as long, some twenty times a write


_place_of: Final = attrgetter("tenant", "scope", "boundary_class", "id")
_new = tuple.__new__


@dataclass(frozen=True, slots=True)
class Vectors:
    """Vectors to store beside records: of one model, each as little-endian float32s.

    Args:
        model: the embedder's fingerprint in one line.
        rows: by key; keys of records that the same write puts, or that the store holds. Others are passed over.
        as_of: the sequence at which the embedded texts were read; a stored record that was put later keeps what it
            has, since the vector is of its old text. None: nothing was read before.

    """

    model: str
    rows: Mapping[Key, bytes]
    as_of: int | None = None


@dataclass(frozen=True, slots=True)
class Changes:
    """What was put or removed, records and vectors alike, up to a sequence; keys None: too much, load everything."""

    sequence: int
    keys: frozenset[Key] | None


@dataclass(frozen=True, slots=True)
class Since:
    """What nobody may have put after a change, for a write to be done.

    Attributes:
        sequence: the change of the store that the writer has seen.
        matters: whether a key that was put since is one that the writer would have looked at. It may ask the store for
            the record (`get`), which then gives it as the write would find it.
        undone: how often the store had undone what was acknowledged, when the writer looked (see `DelayedStore`).

    """

    sequence: int
    matters: Callable[[Key], bool]
    undone: int = 0

    def spared(self, changes: Changes) -> bool:
        """Return whether none of these changes matters; of those that cannot be told, one might."""
        return changes.keys is not None and not any(map(self.matters, changes.keys))


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of all records, as of a change."""

    sequence: int
    keys: Set[Key]


@dataclass(frozen=True, slots=True)
class Problem(Document):
    """A damaged place of a store: where it is, what is wrong, and which record it belongs to.

    Attributes:
        where: the table, the file or the index that it lies in.
        message: what is wrong.
        key: of the record, as far as it can be read.
        sure: whether the key is certainly the record's: damage may have changed what is read there.

    """

    where: str
    message: str
    key: Key | None = None
    sure: bool = True


class Store(Protocol):
    """What a memory asks of a store. Records handed in are complete: id, tenant, scope and class are set."""

    def load(self) -> Iterable[Record]:
        """Return every record, in any order."""

    def get(self, keys: Sequence[Key]) -> list[Record | None]:
        """Return the records of these keys, None where there is none."""

    def write(self, put: Sequence[Record], remove: Sequence[Key]) -> None:
        """Put and remove records; all or nothing, and durable (as far as the store is) on return."""

    def close(self) -> None:
        """Let go of files and locks."""


@runtime_checkable
class VectorStore(Store, Protocol):
    """A store that keeps vectors too, in the same transaction as their records.

    A vector belongs to one record and one model, named by the fingerprint of its embedder. Vectors of different models
    are never mixed: one model is the active one, and only its vectors are searched. A row of zeros says that the
    record was embedded and has nothing to be found by.
    """

    def write(self, put: Sequence[Record], remove: Sequence[Key], vectors: Vectors | None = None) -> None:
        """Remove, put and keep vectors in one transaction; a record that is put loses its old vectors."""

    def model(self) -> str | None:
        """Return the active model; None before one was adopted."""

    def adopt(self, model: str) -> None:
        """Make a model the active one and drop the vectors of all others, in one transaction."""

    def vectors(self, model: str, keys: Sequence[Key] | None = None) -> Iterable[tuple[Key, bytes]]:
        """Return the vectors of a model, in any order: of these records, or of all that have one."""


@runtime_checkable
class GuardedStore(Store, Protocol):
    """A store that writes only if nothing has happened meanwhile: compare and set."""

    def write_if(
        self,
        expected: Sequence[Record],
        put: Sequence[Record],
        remove: Sequence[Key],
        vectors: Vectors | None = None,
        absent: Sequence[Key] = (),
    ) -> bool:
        """Write if these records are stored as they are here and these keys are not, and return whether it was done."""


@runtime_checkable
class FollowedStore(GuardedStore, Protocol):
    """A guarded store that others may write to beside the caller: it says what changed, and looks at that in a write.

    A record that was put after the caller looked may be one that he would have replaced, in a cell that he could not
    name: so a write can be made to depend on what was put since.
    """

    def write_if(
        self,
        expected: Sequence[Record],
        put: Sequence[Record],
        remove: Sequence[Key],
        vectors: Vectors | None = None,
        absent: Sequence[Key] = (),
        since: Since | None = None,
    ) -> bool:
        """Write as others do, if besides nothing that matters was put since."""

    def sequence(self) -> int:
        """Return the number of the last change that has been committed, by anybody; quick when nothing changed."""

    def changes(self, since: int) -> Changes:
        """Return the keys whose records or vectors changed after a sequence."""


@dataclass(frozen=True, slots=True)
class Write:
    """What one call of `write_if` is about, as a value: so that several can share a commit.

    A store may call `meanwhile` when it begins to wait for the medium.
    """

    expected: Sequence[Record] = ()
    put: Sequence[Record] = ()
    remove: Sequence[Key] = ()
    vectors: Vectors | None = None
    absent: Sequence[Key] = ()
    since: Since | None = None
    meanwhile: Callable[[], None] | None = None


Outcome = bool | Exception
"""What became of one write among several: whether it was done, or why it could not be."""


@runtime_checkable
class GroupedStore(FollowedStore, Protocol):
    """A store to which a commit costs more than a change, so that several writes share one."""

    def write_each(self, writes: Sequence[Write]) -> list[Outcome]:
        """Do what `write_if` would do for each, in this order, in one commit: durable on return.

        Each is all or nothing, and looked at as if it came alone, after those before it. What one fails of touches no
        other. What is read outside (`Since.matters` may do so) is not yet what the ones before it have written.
        """


@runtime_checkable
class DelayedStore(FollowedStore, Protocol):
    """A store that may commit what it has acknowledged a moment later (`byheart.storage.delay`)."""

    def flush(self) -> None:
        """Return once all that was acknowledged is durable; raise what an earlier commit failed of, if it was not."""

    def settle(self) -> None:
        """Do so for somebody who is not to be told of earlier times."""

    def delays(self, write: Write) -> bool:
        """Return whether a write would be acknowledged first, and committed a moment later."""

    def tell(self) -> None:
        """Raise what a commit failed of whose calls had returned, once."""

    def undone(self) -> int:
        """Return how often acknowledged calls were undone: sequences and records of before say nothing any more."""


def write_if(
    store: Store,
    expected: Sequence[Record],
    put: Sequence[Record],
    remove: Sequence[Key],
    vectors: Vectors | None = None,
    absent: Sequence[Key] = (),
    since: Since | None = None,
) -> bool:
    """Write if these records are stored as they are here and these keys are not; else change nothing, return False.

    Nor may anything have been put since that matters, if the store can tell (a `FollowedStore`). No other process, and
    no other thread, writes between the look and the change, if the store can tell. Of one that cannot (it is no
    `GuardedStore`) the caller has to be the only writer.
    """
    if since is not None and isinstance(store, FollowedStore):
        return store.write_if(expected, put, remove, vectors, absent, since)
    if (expected or absent) and isinstance(store, GuardedStore):
        return store.write_if(expected, put, remove, vectors, absent)
    if not holds(store, expected, absent):
        return False
    if isinstance(store, VectorStore):
        store.write(put, remove, vectors)
    else:
        store.write(put, remove)
    return True


def holds(store: Store, expected: Sequence[Record], absent: Sequence[Key] = ()) -> bool:
    """Return whether a store gives these records, and none under these keys."""
    keys = [*map(key_of, expected), *absent]
    return not keys or store.get(keys) == [*expected, *[None] * len(absent)]


@runtime_checkable
class DurableStore(VectorStore, FollowedStore, Protocol):
    """A store that outlives its process and is shared with others: it says what changed.

    Who opens it again goes on from a sequence that was noted before.
    """

    def keys(self) -> Keys:
        """Return the keys of all records, and as of which change."""

    def get_as_of(self, sequence: int, keys: Sequence[Key]) -> list[Record | None] | None:
        """Return what `get` does, as of a change; None if there were more and it cannot be told any more."""


@runtime_checkable
class FileStore(DurableStore, Protocol):
    """A durable store in one file, beside which generations of indexes can lie."""

    @property
    def path(self) -> Path:
        """Return the file."""

    @property
    def read_only(self) -> bool:
        """Whether the file was opened for reading."""

    def witness(self, sequence: int) -> bytes | None:
        """Return what tells this store's history up to a change from another's; None if it has nothing to tell."""

    def bears_out(self, witness: bytes) -> bool:
        """Return whether a witness is of this store's history."""


@runtime_checkable
class NotedStore(Store, Protocol):
    """A store that has something to tell its owner at opening."""

    def notes(self) -> list[str]:
        """Return it, a sentence each."""


@runtime_checkable
class SalvagingStore(Store, Protocol):
    """A store in which damage stays local: what is sound is given all the same, and what is not is named.

    Where a list is given, it takes what is wrong, and nothing is raised that concerns single records.
    """

    def load(self, damaged: list[Problem] | None = None) -> Iterable[Record]:
        """Return every record that is sound."""

    def get(self, keys: Sequence[Key], damaged: list[Problem] | None = None) -> list[Record | None]:
        """Return the records of these keys, None where there is none that is sound."""

    def vectors(
        self, model: str, keys: Sequence[Key] | None = None, damaged: list[Problem] | None = None
    ) -> Iterable[tuple[Key, bytes]]:
        """Return the vectors of a model that are sound; none of a store that keeps none."""

    def repair(self) -> list[Problem]:
        """Remove for good what is damaged, and return what it was: the rest is as it was, and sound."""


@runtime_checkable
class CheckedStore(Store, Protocol):
    """A store that can look itself over."""

    def check(self) -> list[Problem]:
        """Return everything that is not as it was written; an empty list if all is well."""
