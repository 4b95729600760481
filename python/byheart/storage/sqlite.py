"""A memory in one SQLite file: durable when a call returns, shared by several processes, and erasable.

Laws: a write is all or nothing, and on the medium when it returns (`byheart.storage.connection`); a row that is not as
it was written is never returned, and is named (`byheart.storage.rows`); what was removed or replaced is in no file of
the folder when the write returns (`byheart.storage.schema`).

Beside the file lie its journal (`-journal`, empty between writes) and `.byheart-lock`, which names who wrote last. One
connection reads and one writes, each under a lock of this process; other processes wait their turn at SQLite's own
locks, and then see a change whole. A process that was forked opens the file anew.

Not for: network file systems, whose locks do not hold; more records than one process can keep the ids of.
"""

import os
import sqlite3
from collections.abc import Callable, Sequence
from copy import copy
from pathlib import Path
from types import TracebackType
from typing import Final

from .._core import Numbering
from ..errors import ByheartError, CorruptRecord, CorruptStore, ReadOnlyStore, StoreBusy, StoreReplaced
from ..records import Record
from . import Changes, Key, Keys, Outcome, Problem, Since, Vectors, Write, key_of
from .backing_up import Made, copy_file
from .change import Change
from .changing import Writer, says_nothing
from .delay import Delayed, Durability, can_wait, check_durability
from .encoding import encode
from .known import Known
from .migrating import notes
from .numbering import NumberedKeys
from .reading import COLUMNS, changes_since, read_claims, read_state
from .repairing import repair
from .rows import claim_row
from .session import Session
from .upkeep import Upkeep
from .vectors import Take, in_parts, read_models, read_vectors
from .waiting import Waiting
from .witness import is_of, told_by, witness_of

_OF_ALL: Final = (StoreBusy, StoreReplaced, ReadOnlyStore)  # what each of several writes would be told alone as well


class SqliteStore(Delayed):
    """The records and vectors of one memory file; a `byheart.storage.DurableStore`.

    Args:
        path: the file. One that is missing is made, and its folder too, private to their owner; a link is refused.
        lock_seconds: how long a call waits for other processes.
        read_only: True opens for reading, and makes nothing; None does so where the system allows no writing.
        durability: "full" returns from a write once it is on the medium; "normal" once it is part of a commit that
            begins at most 50 ms later (`byheart.storage.delay`). What removes or replaces what was said returns once
            that is gone from the medium, in any case.

    Raises:
        StoreError: the file cannot be opened; ReadOnlyStore: it is missing and may not be made.
        CorruptStore: it is no memory file, or damaged as a whole.
        UnsupportedFormat: a newer byheart wrote it.

    >>> import tempfile, byheart
    >>> with tempfile.TemporaryDirectory() as folder, SqliteStore(Path(folder) / "memory.db") as store:
    ...     id = byheart.Memory(store=store).remember("Steep the tea for three minutes.", id="tea")
    ...     byheart.Memory(store=store).recall("how long must tea steep?").hits[0].id
    'tea'

    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        lock_seconds: float = 10.0,
        read_only: bool | None = None,
        durability: Durability = "full",
    ) -> None:
        check_durability(durability)
        self.path = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow the link that is refused
        self._where = str(self.path)
        self._session = Session(self.path, lock_seconds, read_only)
        self._known = Known(self._session, self._where)
        self._upkeep = Upkeep(self._session.pair, self._where)
        self._waiting = Waiting(self._session, self._where, self._known, self._upkeep)
        self._delay = self._waiting.delay
        self._writer = Writer(self._session, self._where, self._known, self._upkeep, self._delay)
        self.durability: Durability = durability

    @property
    def read_only(self) -> bool:
        """Whether the file was opened for reading."""
        return self._session.place.read_only

    def notes(self) -> list[str]:
        """Return what to say at opening: which copies lie beside the file since it was migrated."""
        return notes(self.path)

    # ---- records

    def load(self, damaged: list[Problem] | None = None) -> list[Record]:
        """Return every record, as of one moment.

        Args:
            damaged: takes what is wrong; the records that are sound are returned all the same.

        Raises:
            CorruptRecord: something is damaged, and no list was given to take it.

        """
        with self._session.reading:
            claims = self._session.snapshot(lambda connection: read_claims(connection, self._where))
            self._known.learn(claims)
        problems = claims.problems(self._where)
        if damaged is not None:
            damaged.extend(problems)
        elif problems:
            raise CorruptRecord(problems[0].message)
        return [row.record(self._where, looked_at=True) for row in claims.sound.values()]

    def get(self, keys: Sequence[Key], damaged: list[Problem] | None = None) -> list[Record | None]:
        """Return the records of these keys, None where there is none; all as of one moment.

        Args:
            keys: of the records.
            damaged: takes what is wrong; the records that are sound are returned all the same.

        Raises:
            CorruptRecord: one of them is damaged, or may be among those that were lost, and no list was given.

        """
        with self._session.reading:
            if self._session.unchanged() and (kept := self._known.at_hand(self._known.sequence, keys)) is not None:
                return kept
            return self._known.read(keys, damaged)

    def get_as_of(self, sequence: int, keys: Sequence[Key]) -> list[Record | None] | None:
        """Return what `get` does, as of a change; None if there were more and it cannot be told any more.

        What was read before is returned without a look at the file. Errors as in `get`.
        """
        with self._session.reading:
            if (kept := self._known.at_hand(sequence, keys)) is not None:
                return kept
            records, directory = self._known.read(keys), self._known.directory
            return records if directory is not None and directory.sequence == sequence else None

    def write(self, put: Sequence[Record], remove: Sequence[Key], vectors: Vectors | None = None) -> None:
        """Remove the keys (unknown ones are passed over), put the records, keep vectors: all or nothing, durable.

        A record that is put loses its old vectors of every model. Of two records with one key, the later one stands.

        Raises:
            StoreBusy: another process is writing and has not finished in time; names it.
            StoreError: the file cannot be written. If it was the last step that failed, the change may stand all the
                same, whole: read it again to see.
            ReadOnlyStore: the store was opened for reading.

        """
        self.write_if([], put, remove, vectors)

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
        """Write as `write` does if these records are stored as they are here and these keys are not; return whether.

        Nor may anything have been put since that matters. Nobody writes between the look and the change, in no
        process. Once it waits for the medium, it calls `meanwhile`. Errors as in `write`.

        Raises:
            CorruptRecord: one of the records is damaged.

        """
        [done] = self.write_each([Write(expected, put, remove, vectors, absent, since, meanwhile)])
        if isinstance(done, Exception):
            raise done
        return done

    def write_each(self, writes: Sequence[Write]) -> list[Outcome]:
        """Do what `write_if` would do for each, in this order, in one transaction; return what became of each.

        Where one fails, or the disk does, nothing of the transaction stands, and each is done in one of its own. Only
        if that cannot be seen to be so all are told that they may stand.
        """
        change: Change | None = None
        undone = self._delay.undone
        try:
            if all(map(says_nothing, writes)):
                return [True] * len(writes)
            if self.durability == "normal" and can_wait(writes):
                return self._waiting.acknowledged(writes, self._writer.make)
            encoded = [{key_of(record): encode(record) for record in write.put} for write in writes]
            with self._writer.change() as change:
                return [self._writer.make(change, *each) for each in zip(writes, encoded, strict=True)]
        except ByheartError as error:
            of_all = isinstance(error, _OF_ALL) or undone != self._delay.undone or not self._writer.is_undone(change)
            if len(writes) == 1 or of_all:
                return [error] if len(writes) == 1 else [copy(error) for _ in writes]  # each is raised somewhere else
        return [outcome for write in writes for outcome in self.write_each([write])]

    def expired(self, now: float) -> list[Key]:
        """Return the keys of records whose end has come, in order."""
        query = (
            f"SELECT {', '.join(f'c.{name}' for name in COLUMNS.split(', '))} FROM live_claims AS e"
            " JOIN claims AS c ON c.number = e.claim WHERE e.expires_at <= ?"
        )
        found = self._session.read(lambda connection: connection.execute(query, (now,)).fetchall())
        records = [claim_row(*row).record(self._where) for row in found]
        return sorted(
            key_of(record) for record in records if record.expires_at is not None and record.expires_at <= now
        )

    # ---- vectors

    def model(self) -> str | None:
        """Return the active model; None before one was adopted."""
        models = self._session.snapshot(lambda connection: read_models(connection, self._where))
        return next((name for name, model in models.items() if model.active), None)

    def adopt(self, model: str) -> None:
        """Make a model the active one and drop the vectors of all others, in one transaction. Errors as in `write`."""
        with self._writer.change() as change:
            change.adopt(model)

    def adopt_unless_kept(self, model: str) -> bool:
        """Make a model the active one unless vectors of another are kept, and return whether it is; errors as above."""
        with self._writer.change() as change:
            return change.adopt_unless_kept(model)

    def vectors(
        self, model: str, keys: Sequence[Key] | None = None, damaged: list[Problem] | None = None
    ) -> list[tuple[Key, bytes]]:
        """Return the vectors of a model, as of one moment; none of a model that is unknown.

        Args:
            model: the name that `write` was given.
            keys: of these records; None: of all that have one.
            damaged: takes what is wrong; the vectors that are sound are returned all the same.

        Raises:
            CorruptRecord: something is damaged, and no list was given to take it.

        """
        with self._session.reading:
            found, wrong, named = self._session.snapshot(
                lambda connection: read_vectors(connection, self._known.follow(connection), self._where, model, keys)
            )
        if damaged is not None:
            damaged.extend(Problem("claim_vectors", message) for message in wrong)
        elif wrong:
            raise CorruptRecord(wrong[0])
        return [(named[claim], embedding) for claim, embedding in found.items() if claim in named]

    def numbered_vectors(self, model: str, taking: Callable[[Numbering], Take]) -> None:
        """Have the vectors of a model taken, some at a time, by the number that each key has.

        They are as they lie there, rows of their own number, the number of a key and bytes: nobody has looked whether
        they are sound. For whoever knows by a checksum of his own which vectors he wants. Others may write between two
        parts.

        Args:
            model: the name that `write` was given.
            taking: is given which number each key has, and returns what takes some rows.

        """
        with self._session.reading:
            numbers = self._session.snapshot(self._known.follow).numbers.copy()
            models = self._session.snapshot(lambda connection: read_models(connection, self._where))
        if model in models:
            in_parts(self._session, models[model].number, taking(numbers))

    # ---- changes

    def sequence(self) -> int:
        """Return the number of the last change that has been committed, by any process."""
        if not self._session.unchanged():
            self._session.read(self._look)
        return self._known.sequence

    def witness(self, sequence: int) -> bytes | None:
        """Return what tells this store's history up to a change from another's; None if it has nothing to tell.

        It is the time at which the file was made and the checksums of some rows: the last ones, and a few from before.
        """
        return self._session.snapshot(lambda connection: witness_of(connection, sequence))

    def bears_out(self, witness: bytes) -> bool:
        """Return whether a witness is of this store: a row of it is there still, and none is another.

        Rows that were removed or replaced since say nothing.
        """
        told = told_by(witness)
        return told is not None and self._session.snapshot(lambda connection: is_of(connection, *told))

    def _look(self, connection: sqlite3.Connection) -> None:
        looked = self._session.look(connection)  # first: what comes in between is seen the next time
        self._known.sequence = read_state(connection, self._where).sequence
        self._session.pair.looked = looked

    def keys(self) -> Keys:
        """Return the keys of all records, and as of which change."""
        with self._session.reading:
            directory = self._session.snapshot(self._known.follow)
            return Keys(directory.sequence, NumberedKeys(directory.numbers.copy()))

    def changes(self, since: int) -> Changes:
        """Return the keys whose records or vectors changed after a sequence, also by this store.

        The keys are None where that cannot be told: too much has happened, another model was adopted, or records were
        removed before this store was first read. Then load everything.
        """
        with self._session.reading:
            if self._session.unchanged() and (own := self._known.own_since(since, self._known.sequence)) is not None:
                return own
            return self._session.snapshot(lambda connection: self._changes(connection, since))

    def own_changes(self, since: int) -> Changes | None:
        """Return what this store has written itself right after a sequence, without a look at the file.

        None where that was not its last write. Others may have written since: whoever looks sees that.
        """
        with self._session.reading:
            return self._known.own_since(since)

    def _changes(self, connection: sqlite3.Connection, since: int) -> Changes:
        state = read_state(connection, self._where)
        return changes_since(connection, self._known.follow(connection, state), state, since)

    # ---- upkeep

    def check(self) -> list[Problem]:
        """Return everything in the file that is not as it was written; an empty list if all is well."""
        from .checking import check

        self._delay.settle()
        with self._session.reading:
            return self._session.snapshot(lambda connection: check(connection, self._where))

    def repair(self) -> list[Problem]:
        """Remove for good every row that is not as it was written, and count the others anew; return what was wrong.

        Vectors of damaged models are made again by `Memory.embed`. SQLite's own indexes are made anew where it finds
        the file wrong; what it finds beside them is not repaired.

        Raises:
            CorruptStore: pages of the file are damaged; no record was changed.

        """
        from .checking import WAY_OUT

        found = self.check()
        if not found:
            return []
        try:
            with self._writer.written() as connection:
                with self._session.pair.transaction(connection):
                    with self._session.reading:
                        self._known.directory = None  # what was known is of rows that go
                    if any(each.where == "file" for each in found):
                        connection.execute("REINDEX")  # what SQLite finds wrong with a file is an index, mostly
                    repair(connection, self._where)
                self._upkeep.settle(connection)
        except CorruptStore as error:
            raise CorruptStore(f"{error}; no record was changed, and {WAY_OUT}") from error
        return found

    def back_up(self, place: Path) -> Made:
        """Write a copy of the file as of one moment, durable on return (`byheart.storage.backing_up`)."""
        self._delay.settle()
        return copy_file(self.path, place, self.sequence, self._session.place.lock_seconds)

    def compact(self) -> None:
        """Give back the room of what was removed and replaced; takes time in proportion to the file."""
        with self._writer.written() as connection:
            self._upkeep.compact(connection)

    def close(self) -> None:
        """Let go of files and locks; a second time, nothing happens.

        Raises:
            StoreError: calls that had been acknowledged could not be written, and are undone.

        """
        try:
            self._delay.finish()
        finally:
            self._session.close()

    def __enter__(self) -> "SqliteStore":
        """Return the store; leaving the block closes it."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close the store."""
        self.close()
