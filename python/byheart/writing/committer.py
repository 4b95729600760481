"""The committer: the one place where a memory writes records, all of a change or nothing, if what it read stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from ..boundary.reach import Reach
from ..errors import ByheartError, CorruptRecord, ReadOnlyStore, StoreError
from ..frozen import maker
from ..index import selection as selecting
from ..index.indexes import Indexes, Moved
from ..index.saving import Saver
from ..records import Record
from ..storage import (
    DelayedStore,
    FollowedStore,
    GroupedStore,
    Key,
    Outcome,
    Since,
    Vectors,
    VectorStore,
    Write,
    by_id,
    is_reserved,
    key_of,
    salvage,
    write_if,
)
from .amid import Amid
from .change import Change, Seen
from .group import Group

if TYPE_CHECKING:
    from pathlib import Path


class Committer:
    """Commits changes to the store, then to the indexes; what is erased leaves saved indexes too.

    Attributes:
        reach: what the memory may see; a policy may change it.
        before: called before anything is written, to see whether what it goes by still holds.
        amid: which threads are in the middle of a write.
        speaks: tells whether a row of the journal, as it is stored, speaks of one of these records.

    Args:
        store: where the records are.
        indexes: of the store; their lock is held by whoever writes.
        saver: of the indexes.
        reach: what the memory may see.
        read_only: refuse every write.

    """

    def __init__(
        self, store: VectorStore, indexes: Indexes, saver: Saver, reach: Reach, *, read_only: bool = False
    ) -> None:
        self._store, self._indexes, self._saver = store, indexes, saver
        self._follows = store if isinstance(store, FollowedStore) else None  # asked once: it takes as long as a search
        self._delayed = store if isinstance(store, DelayedStore) else None
        self._group = Group(self._written, lambda: indexes.lock) if isinstance(store, GroupedStore) else None
        self._waits = hasattr(store, "own_changes")  # for a medium, and says when
        self._shares = False  # whether who holds the lock of the indexes lets go of it for the time of the commit
        self.reach, self._read_only = reach, read_only
        self.amid = Amid()
        self.before: Callable[[], None] = _nothing
        self.speaks: Callable[[Record, Sequence[Key]], bool] = lambda row, gone: False

    @contextmanager
    def planning(self, *, alone: bool = False, behind: bool = False) -> Iterator[None]:
        """Hold the lock of the indexes, which are brought up to the store, to plan a change and to write it.

        Side by side with others who plan: what they write may make the change fall, since it is looked at as if it
        came alone, after theirs; then the next attempt is `alone`. That begins once all that waits is committed, and
        keeps the lock, so that in this process nobody comes first again.

        Args:
            alone: see above.
            behind: plan with what the indexes say if they cannot follow, since a generation is being made of them. What
                has changed since is looked at by the write; what is refused meanwhile is looked at again.

        Raises:
            Moved: something was refused by indexes that were behind.
            StoreBusy: this thread is planning or writing a change already (`Amid`).

        """
        lock, group = self._indexes.lock, self._group
        nested = group is None or lock._is_owned()  # type: ignore[attr-defined]
        with self.amid.writing(), nullcontext() if group is None or nested or alone else group.planning(), lock:
            if alone:
                self.settle()
            behind = behind and not alone and self._indexes.saving
            if not behind:
                self._indexes.catch_up()
            self._shares = not (alone or nested)
            try:
                yield
            except ByheartError as error:
                if behind:
                    raise Moved from error
                raise
            finally:
                self._shares = False

    def settle(self) -> None:
        """Commit what waits, for changes that plans do not look at; the caller has the lock of the indexes."""
        if self._group is not None:
            self._group.drain()

    def commit(self, change: Change, vectors: Vectors | None) -> bool:
        """Write a change if all of it still stands, and return whether it did. Where it removes, see `exchange`."""
        expected, put, keys = list(change.expected.values()), list(change.put.values()), list(change.put)
        remove = sorted(change.removed, key=by_id)
        return self.exchange(expected, put, remove, vectors, change.absent, seen=change.seen, keys=keys)

    def exchange(
        self,
        expected: Sequence[Record],
        put: Sequence[Record],
        remove: Sequence[Key],
        vectors: Vectors | None,
        absent: Sequence[Key] = (),
        erased: list[Path] | None = None,
        seen: Seen | None = None,
        keys: Sequence[Key] | None = None,
        row_seen: Seen | None = None,
    ) -> bool:
        """Put complete records and remove others, in one write, if what was read still stands; return whether it did.

        This is the one place where a memory writes records. What was read still stands if the `expected` records are
        stored as they are here, nothing is stored under the keys that are to be `absent`, and nobody has put a record
        under any of their names since the indexes looked, in a cell that the memory may see: within that an id is one
        record. Nor may a record have been put there since that would have been `seen`.

        Where records are removed, the caller has the saver's turn; `erased` takes the files that go with them. Rows of
        the journal are in no saved index. Whoever has the `keys` of what is put gives them, so that they are made once.
        """
        self._check_stands()
        with self._indexes.lock:
            keys = list(map(key_of, put)) if keys is None else keys
            aside = self._indexes.contents.aside
            for key in keys if aside else ():
                if key in aside:
                    raise damaged(key.id)
            touched = [*map(key_of, expected), *keys, *remove, *absent]
            gone = [key for key in remove if not is_reserved(key)]
            since = _since(self._indexes.sequence, self._matters(touched, gone, seen, row_seen), self._indexes.undone)
            written = [*keys, *remove, *(() if vectors is None else vectors.rows)]
            self._indexes.mark(written, touched)
            if gone:
                files = self._saver.erase()  # first: were the process killed in between, the call could be repeated
                if erased is not None:
                    erased[:] = files
            making = None
            if self._group is not None:
                # Else it looks at what is stored, where nobody else's is yet: what waits is looked at here.
                joins = not remove and (seen is None or not self._group.puts(seen))
                if self._waits and not self._indexes.saving:
                    making = self._indexes.contents.making(put, {} if vectors is None else vectors.rows)
                meanwhile = None if making is None else making.begin
                write = _write(expected, put, remove, vectors, absent, since, meanwhile)
                # Where nothing waits for the medium there is no commit to share, and to let go of the lock costs more.
                at_once = self._delayed is not None and self._delayed.delays(write)
                shares, self._shares = self._shares and not remove and not at_once, False
                done = self._group.commit(write, joins=joins, shares=shares)
            elif self._follows is not None:
                done = self._follows.write_if(expected, put, remove, vectors, absent, since)
            else:
                done = write_if(self._store, expected, put, remove, vectors, absent, since)
            if not self._indexes.saving:  # else whoever needs them waits, and not who has written
                try:
                    self._indexes.follow_own(None if making is None else making.result())
                except StoreError:  # closed meanwhile, say: what is written is written, and who asks next is told
                    if not done:
                        raise
        self._saver.nudge()
        return done

    def _written(self, writes: Sequence[Write]) -> list[Outcome]:
        """Commit what waits, and return what became of each."""
        store: Any = self._store
        if len(writes) > 1:
            outcomes: list[Outcome] = store.write_each(writes)
            return outcomes
        [write] = writes
        more = () if write.meanwhile is None else (write.meanwhile,)
        return [
            store.write_if(write.expected, write.put, write.remove, write.vectors, write.absent, write.since, *more)
        ]

    def _matters(
        self, touched: Sequence[Key], gone: Sequence[Key], seen: Seen | None, row_seen: Seen | None
    ) -> Callable[[Key], bool]:
        """Return what tells a key inside the reach that bears the name of one of these, or whose record was looked for.

        Or a row of the journal that speaks of what is about to go, or was looked for: whoever looked did not see it.
        """
        reach = self.reach
        names = set[tuple[str, str]]()  # made once somebody else has written

        def matters(key: Key) -> bool:
            if not names:
                names.update(each.name for each in touched)
            if is_reserved(key):
                found = self.readable([key]) if gone or row_seen is not None else []
                return any((gone and self.speaks(row, gone)) or (row_seen and row_seen(row)) for row in found)
            if not reach.holds(key.tenant, *key.cell):
                return False
            return key.name in names or (seen is not None and any(map(seen, self.readable([key]))))

        return matters

    def keep_vectors(self, records: Sequence[Record], vectors: Vectors) -> bool:
        """Store vectors that were made of records if these still stand, and return whether they do."""
        with self.planning():
            return self.exchange(records, [], [], vectors)

    @property
    def writable(self) -> bool:
        """Whether the memory may be changed."""
        return not self._read_only

    def check_writable(self) -> None:
        """Refuse to change a memory that is only read, or that this thread is changing already.

        Raises:
            ReadOnlyStore: it is.
            StoreBusy: see `Amid`.

        """
        self.amid.check()
        self._check_stands()

    def _check_stands(self) -> None:
        """Refuse to write where that may not be done, or by what does not hold any more."""
        if self._read_only:
            raise ReadOnlyStore("the memory was opened with read_only=True; open it without, to change it")
        self.tell()
        self.before()

    def tell(self) -> None:
        """Raise what became of calls that had returned and could not be written, once.

        Raises:
            StoreError: they are undone.

        """
        if self._delayed is not None:
            self._delayed.tell()

    def flush(self) -> None:
        """Return once all that was acknowledged is durable. Errors as in `DelayedStore.flush`."""
        if self._delayed is not None:
            self._delayed.flush()

    def readable(self, keys: Sequence[Key]) -> list[Record]:
        """Return the records of keys as they are stored; those that are damaged can be forgotten all the same."""
        return [record for record in salvage.records(self._store, keys, []) if record is not None]

    def reader(self, tenant: str) -> selecting.Read:
        """Return what reads records of a tenant by what the indexes know them by."""
        return lambda rows: self._indexes.stored(tenant, rows)


_since, _write = maker(Since), maker(Write)


def _nothing() -> None:
    """Do nothing: without a policy, nothing can have changed."""


def damaged(id: str) -> CorruptRecord:
    """Return the error about a record that is set aside."""
    return CorruptRecord(f"record {id!r} is damaged and set aside; forget it, then remember it again")
