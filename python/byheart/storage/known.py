"""The records of a store file as one process knows them: which row each key has, and those that were read before."""

import sqlite3
from collections.abc import Sequence

from ..errors import CorruptRecord
from ..records import Record
from . import Changes, Key, Problem
from .change import Change
from .kept import Kept
from .reading import AT_ONCE, Claims, Directory, State, claims_at, read_claims, read_state
from .rows import ClaimRow
from .session import Session


class Known:
    """What this process knows of the records of a file. Whoever asks holds the session's turn to read.

    Args:
        session: with the file.
        where: the file's name, for errors.

    Attributes:
        sequence: of the last change that the session's pair has `looked` at.
        directory: the row of each key; None before the file was read, and after what was known went.
        kept: records that were read, by row.

    """

    def __init__(self, session: Session, where: str) -> None:
        self.sequence = -1
        self.directory: Directory | None = None
        self.kept = Kept()
        self._own: tuple[int, Changes] | None = None  # the last change of this store's own, and after which it came
        self._session, self._where = session, where

    def follow(self, connection: sqlite3.Connection, state: State | None = None) -> Directory:
        """Return the directory as of the transaction that the caller has begun.

        Args:
            connection: with the transaction.
            state: what it says of the file; None: it is read.

        """
        if self.directory is None:
            directory = Directory()
            directory.learn_keys(connection, self._where)
            self.directory = directory
        else:
            self.directory.follow(connection, self._where, state or read_state(connection, self._where))
        return self.directory

    def learn(self, claims: Claims) -> None:
        """Take in a whole file, in the place of what was known."""
        self.directory = self.directory or Directory()
        self.directory.learn(claims, self._where)

    def take_in(self, change: Change) -> None:
        """Take in a change of this store's own that the file holds, and the records that it has put, as if read."""
        directory, at = self.directory, change.state.sequence
        self.sequence = at
        if directory is None or directory.sequence >= at:  # another thread has read it from the file already
            return
        follows = directory.sequence == change.started_at >= change.state.floor
        directory.apply(at, change.put_at, change.removed)
        self._own = (change.started_at, Changes(at, change.touched())) if follows else None
        self.kept.reset(at, directory.went())
        self.kept.keep((change.put_at[key], record, size) for key, (record, size) in change.stored.items())

    def own_since(self, since: int, until: int | None = None) -> Changes | None:
        """Return what changed after a sequence, up to another one, if the last own change is all of it, else None."""
        began, changes = self._own or (since, None)
        return changes if changes is not None and began == since and until in (None, changes.sequence) else None

    def forget(self) -> None:
        """Know nothing, once what was read has been undone."""
        self.directory, self.kept, self._own = None, Kept(), None

    def read(self, keys: Sequence[Key], damaged: list[Problem] | None = None) -> list[Record | None]:
        """Return the records of these keys as the file has them, None where there is none.

        Args:
            keys: of the records.
            damaged: takes what is wrong; the records that are sound are returned all the same.

        Raises:
            CorruptRecord: one of them is damaged, or may be among those that were lost, and no list was given.

        """
        rows = self._session.snapshot(lambda connection: self._find(connection, keys, damaged))
        looked_at = damaged is not None  # `_find` has told the others
        records = {key: row.record(self._where, looked_at=looked_at) for key, row in rows.items()}
        self.kept.keep((row.number, records[key], len(row.content)) for key, row in rows.items())
        return [records.get(key) for key in keys]

    def at_hand(self, sequence: int, keys: Sequence[Key]) -> list[Record | None] | None:
        """Return records as of a change that were read since, if all are at hand and it was the last that is known."""
        directory = self.directory
        if directory is None or directory.doubt is not None or directory.sequence != sequence:
            return None
        self.kept.reset(sequence, directory.went())
        found: list[Record | None] = []
        for number in map(directory.numbers.get, keys):
            record = None if number is None else self.kept.records.get(number)
            if record is None and (number is not None or not directory.looked_at):
                return None
            found.append(record)
        return found

    def _find(
        self, connection: sqlite3.Connection, keys: Sequence[Key], damaged: list[Problem] | None
    ) -> dict[Key, ClaimRow]:
        directory = self.follow(connection)
        if not directory.looked_at and directory.unknown(keys):
            directory.learn(read_claims(connection, self._where), self._where)
        self.kept.reset(directory.sequence, directory.went())
        numbers = {key: number for key in keys if (number := directory.numbers.get(key)) is not None}
        if directory.doubt is not None and damaged is None:
            for key in directory.unknown(keys):
                raise CorruptRecord(f"{directory.doubt}; record {key.id!r} may be one that was lost")
        wanted = list(numbers.values())
        found: dict[int, ClaimRow] = {}
        for start in range(0, len(wanted), AT_ONCE):
            found.update(claims_at(connection, wanted[start : start + AT_ONCE]))
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
            named = f"record {key.id!r} of tenant {key.tenant!r} (claim {directory.numbers.get(key)})"
            return Problem("claims", f"{self._where}: {named} is missing", key)
        if row.number in directory.damaged or (tells and not row.sound):
            return row.problem(self._where, key)
        return None
