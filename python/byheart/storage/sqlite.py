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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final

from ..errors import CorruptRecord
from ..records import Record
from . import Changes, Key, Keys, Problem, Since, Vectors, key_of
from .change import Change, read_models, vectors_of, write_state
from .encoding import encode
from .kept import Kept
from .migrating import notes
from .reading import COLUMNS, Directory, claims_at, read_claims, read_state, removals_since
from .repairing import repair
from .rows import EMPTY, ClaimRow, readable
from .session import Session
from .witness import checksums_at, made_at, witnesses

_AT_ONCE: Final = 512
_BLANK_BYTES: Final = 4_000_000  # blanked rows may take this much, or half the file if that is more


class SqliteStore:
    """The records and vectors of one memory file; a `byheart.storage.DurableStore`.

    Args:
        path: the file. One that is missing is made, and its folder too, private to their owner; a link is refused.
        lock_seconds: how long a call waits for other processes.
        read_only: True opens for reading, and makes nothing; None does so where the system allows no writing.

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
        self, path: str | os.PathLike[str], *, lock_seconds: float = 10.0, read_only: bool | None = None
    ) -> None:
        self.path = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow the link that is refused
        self._where = str(self.path)
        self._session = Session(self.path, lock_seconds, read_only)
        self._directory: Directory | None = None
        self._kept = Kept()
        self._sequence = -1  # as of the session's data_version

    @property
    def read_only(self) -> bool:
        """Whether the file was opened for reading."""
        return self._session.read_only

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
            self._directory = self._directory or Directory()
            self._directory.learn(claims, self._where)
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
            if self._session.unchanged() and (kept := self._from_memory(self._sequence, keys)) is not None:
                return kept
            return self._read(keys, damaged)

    def get_as_of(self, sequence: int, keys: Sequence[Key]) -> list[Record | None] | None:
        """Return what `get` does, as of a change; None if there were more and it cannot be told any more.

        What was read before is returned without a look at the file. Errors as in `get`.
        """
        with self._session.reading:
            if (kept := self._from_memory(sequence, keys)) is not None:
                return kept
            records = self._read(keys)
            return records if self._directory is not None and self._directory.sequence == sequence else None

    def _read(self, keys: Sequence[Key], damaged: list[Problem] | None = None) -> list[Record | None]:
        rows = self._session.snapshot(lambda connection: self._find(connection, keys, damaged))
        looked_at = damaged is not None  # `_find` has told the others
        records = {key: row.record(self._where, looked_at=looked_at) for key, row in rows.items()}
        self._kept.keep((row.number, records[key], len(row.content)) for key, row in rows.items())
        return [records.get(key) for key in keys]

    def _from_memory(self, sequence: int, keys: Sequence[Key]) -> list[Record | None] | None:
        """Return records as of a change that were read since, if all are at hand and it was the last that is known."""
        directory = self._directory
        if directory is None or directory.doubt is not None or directory.sequence != sequence:
            return None
        self._kept.reset(sequence, directory.went())
        found: list[Record | None] = []
        for number in map(directory.numbers.get, keys):
            record = None if number is None else self._kept.records.get(number)
            if record is None and (number is not None or not directory.looked_at):
                return None
            found.append(record)
        return found

    def _find(
        self, connection: sqlite3.Connection, keys: Sequence[Key], damaged: list[Problem] | None = None
    ) -> dict[Key, ClaimRow]:
        directory = self._follow(connection)
        if not directory.looked_at and directory.unknown(keys):
            directory.learn(read_claims(connection, self._where), self._where)
        self._kept.reset(directory.sequence, directory.went())
        numbers = {key: directory.numbers[key] for key in keys if key in directory.numbers}
        if directory.doubt is not None and damaged is None:
            for key in directory.unknown(keys):
                raise CorruptRecord(f"{directory.doubt}; record {key.id!r} may be one that was lost")
        wanted = list(numbers.values())
        found: dict[int, ClaimRow] = {}
        for start in range(0, len(wanted), _AT_ONCE):
            found.update(claims_at(connection, wanted[start : start + _AT_ONCE]))
        rows = {}
        for key, number in numbers.items():
            problem = self._wrong(directory, key, found.get(number), tells=damaged is not None)
            if problem is None:
                rows[key] = found[number]
            elif damaged is None:
                raise CorruptRecord(problem.message)
            else:
                damaged.append(problem)
        return rows

    def _wrong(self, directory: Directory, key: Key, row: ClaimRow | None, *, tells: bool) -> Problem | None:
        """Return what is wrong with a row that was looked for; if it is only to be read, reading it says so."""
        if row is None:
            named = f"record {key.id!r} of tenant {key.tenant!r} (claim {directory.numbers[key]})"
            return Problem("claims", f"{self._where}: {named} is missing", key)
        if row.number in directory.damaged or (tells and not row.sound):
            return row.problem(self._where, key)
        return None

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
    ) -> bool:
        """Write as `write` does if these records are stored as they are here and these keys are not; return whether.

        Nor may anything have been put since that matters. Nobody writes between the look and the change, in no
        process. Errors as in `write`.

        Raises:
            CorruptRecord: one of the records is damaged.

        """
        rows = {key_of(record): (encode(record), record.expires_at) for record in put}
        if not rows and not remove and (vectors is None or not vectors.rows):
            return True
        with self._change() as change:
            if not change.holds(expected, self._kept.records) or not change.lacks(absent):
                return False
            if since is not None and not since.spared(change.put_since(since.sequence)):
                return False
            for key in remove:
                change.remove(key)
            for key, (content, expires_at) in rows.items():
                change.put(key, content, expires_at)
            if vectors is not None:
                change.keep(vectors)
        return True

    def expired(self, now: float) -> list[Key]:
        """Return the keys of records whose end has come, in order."""
        query = (
            f"SELECT {', '.join(f'c.{name}' for name in COLUMNS.split(', '))} FROM live_claims AS e"
            " JOIN claims AS c ON c.number = e.claim WHERE e.expires_at <= ?"
        )
        found = self._session.read(lambda connection: connection.execute(query, (now,)).fetchall())
        records = [ClaimRow(*row).record(self._where) for row in found]
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
        with self._change() as change:
            change.adopt(model)

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
            found, wrong, named = self._session.snapshot(lambda connection: self._vectors(connection, model, keys))
        if damaged is not None:
            damaged.extend(Problem("claim_vectors", message) for message in wrong)
        elif wrong:
            raise CorruptRecord(wrong[0])
        return [(named[claim], embedding) for claim, embedding in found.items() if claim in named]

    def _vectors(
        self, connection: sqlite3.Connection, name: str, asked: Sequence[Key] | None
    ) -> tuple[Mapping[int, bytes], list[str], dict[int, Key]]:
        directory = self._follow(connection)
        if not directory.looked_at:  # or a damaged row could lend its vector to another record
            directory.learn(read_claims(connection, self._where), self._where)
        model = read_models(connection, self._where).get(name)
        if model is None:
            return {}, [], {}
        numbers = directory.numbers
        if asked is not None:
            numbers = {key: numbers[key] for key in asked if key in numbers}
        named = {number: key for key, number in numbers.items() if number not in directory.damaged}
        found, wrong = vectors_of(connection, model, self._where, None if asked is None else list(named))
        wrong += [f"{self._where}: the record of a vector is damaged" for _ in directory.damaged & found.keys()]
        return found, wrong, named

    # ---- changes

    def sequence(self) -> int:
        """Return the number of the last change that has been committed, by any process."""
        if not self._session.unchanged():
            self._session.read(self._look)
        return self._sequence

    def witness(self, sequence: int) -> bytes | None:
        """Return what tells this store's history up to a change from another's; None if it has nothing to tell.

        It is the time at which the file was made and the checksums of some rows: the last ones, and a few from before.
        """

        def look(connection: sqlite3.Connection) -> bytes | None:
            rows = dict(witnesses(connection, sequence))
            return b"\n".join([made_at(connection), *(b"%d %b" % (at, rows[at].hex().encode()) for at in sorted(rows))])

        found = self._session.snapshot(look)
        return found if found is not None and b"\n" in found else None

    def bears_out(self, witness: bytes) -> bool:
        """Return whether a witness is of this store: a row of it is there still, and none is another.

        Rows that were removed or replaced since say nothing.
        """
        head, *lines = witness.split(b"\n")
        try:
            known = {int(number): bytes.fromhex(checksum.decode()) for number, checksum in map(bytes.split, lines)}
        except ValueError:
            return False
        found = self._session.snapshot(lambda connection: (made_at(connection), checksums_at(connection, list(known))))
        agree = [stored == known[number] for number, stored in found[1].items()]
        return found[0] == head and any(agree) and all(agree)

    def _look(self, connection: sqlite3.Connection) -> None:
        version = connection.execute("PRAGMA data_version").fetchone()[0]
        self._sequence = read_state(connection, self._where).sequence
        self._session.data_version = version

    def keys(self) -> Keys:
        """Return the keys of all records, and as of which change."""
        with self._session.reading:
            directory = self._session.snapshot(self._follow)
            return Keys(directory.sequence, frozenset(directory.numbers))

    def changes(self, since: int) -> Changes:
        """Return the keys whose records or vectors changed after a sequence, also by this store.

        The keys are None where that cannot be told: too much has happened, another model was adopted, or records were
        removed before this store was first read. Then load everything.
        """
        with self._session.reading:
            return self._session.snapshot(lambda connection: self._changes(connection, since))

    def _changes(self, connection: sqlite3.Connection, since: int) -> Changes:
        directory = self._follow(connection)
        state = read_state(connection, self._where)
        removals = removals_since(connection, since)
        unnamed = since < directory.born and any(at <= directory.born for at in (removals or {}).values())
        if not state.floor <= since <= state.sequence or removals is None or unnamed:
            return Changes(state.sequence, None)
        query = (
            f"SELECT {', '.join(Key._fields)} FROM claims WHERE number > ?1 AND checksum <> ?2"
            f" UNION SELECT {', '.join(f'c.{name}' for name in Key._fields)} FROM claim_vectors AS v"
            " JOIN claims AS c ON c.number = v.claim WHERE v.number > ?1 AND v.checksum <> ?2"
        )
        put = {Key(*map(readable, row)) for row in connection.execute(query, (since, EMPTY))}
        return Changes(state.sequence, frozenset(put).union(directory.gone_since(since)))

    def _follow(self, connection: sqlite3.Connection) -> Directory:
        """Return the directory as of the transaction that the caller has begun."""
        if self._directory is None:
            directory = Directory()
            directory.learn_keys(connection, self._where)
            self._directory = directory
        else:
            self._directory.follow(connection, self._where)
        return self._directory

    @contextmanager
    def _change(self) -> Iterator[Change]:
        """Run one change of the store in a transaction, and let the directory follow."""
        with self._session.written() as connection:
            self._make_room(connection)
            with self._session.transaction(connection):
                with self._session.reading:
                    directory = self._follow(connection)
                change = Change(connection, read_state(connection, self._where), directory, self._where)
                yield change
                if not change.empty:
                    change.finish()
            with self._session.reading:
                if directory.sequence < change.state.sequence:  # or another thread has read it from the file already
                    directory.apply(change.state.sequence, change.put_at, change.removed)

    # ---- upkeep

    def check(self) -> list[Problem]:
        """Return everything in the file that is not as it was written; an empty list if all is well."""
        from .checking import check

        with self._session.reading:
            return self._session.snapshot(lambda connection: check(connection, self._where))

    def repair(self) -> list[Problem]:
        """Remove for good every row that is not as it was written, and count the others anew; return what was wrong.

        Vectors of damaged models are made again by `Memory.embed`. What SQLite itself finds wrong with the file is not
        repaired.

        Raises:
            CorruptStore: the file as a whole is damaged.

        """
        found = self.check()
        if not found:
            return []
        with self._session.written() as connection:
            with self._session.transaction(connection):
                with self._session.reading:
                    self._directory = None  # what was known is of rows that go
                repair(connection, self._where)
            self._settle(connection)
        return found

    def compact(self) -> None:
        """Give back the room of what was removed and replaced; takes time in proportion to the file."""
        with self._session.written() as connection:
            self._compact(connection)

    def _compact(self, connection: sqlite3.Connection) -> None:
        with self._session.transaction(connection):
            state = read_state(connection, self._where)
            for table in ("claims", "claim_vectors"):
                connection.execute(f"DELETE FROM {table} WHERE checksum = ?", (EMPTY,))
            connection.execute("DELETE FROM removals")
            state.floor, state.blank, state.unsettled = state.sequence, 0, 1
            write_state(connection, state)
        self._settle(connection)

    def _settle(self, connection: sqlite3.Connection) -> None:
        """Rewrite the file, in which rows have moved and left copies of themselves."""
        self._session.patiently(lambda: connection.execute("VACUUM"))
        with self._session.transaction(connection):
            state = read_state(connection, self._where)
            state.unsettled = 0
            write_state(connection, state)

    def _make_room(self, connection: sqlite3.Connection) -> None:
        """Do what a change has to wait for: finish a compaction that was broken off, or compact."""
        state, room = self._session.patiently(lambda: (read_state(connection, self._where), _room(connection)))
        if state.unsettled:
            self._settle(connection)
        if state.blank > max(_BLANK_BYTES, room // 2):
            self._compact(connection)

    def close(self) -> None:
        """Let go of files and locks; a second time, nothing happens."""
        self._session.close()

    def __enter__(self) -> "SqliteStore":
        """Return the store; leaving the block closes it."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close the store."""
        self.close()


def _room(connection: sqlite3.Connection) -> int:
    """Return how many bytes the file takes."""
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    return int(pages) * int(size)
