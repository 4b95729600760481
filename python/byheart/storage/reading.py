"""The tables of a store file as they are read, checked row by row: its state, its records, what changed."""

import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import field
from functools import lru_cache
from itertools import islice, takewhile
from typing import Any, Final

from .._core import Numbering
from ..errors import ByheartError, CorruptStore, LimitExceeded
from ..light.classes import dataclass
from . import Changes, Key, Problem
from .connection import fetched
from .leaves import rows_in_leaves
from .numbering import NumberedKeys
from .rows import EMPTY, ClaimRow, claim_row, live, readable, sound, total
from .schema import STATE

COLUMNS: Final = "number, tenant, id, content, scope, boundary_class, checksum"
AT_ONCE: Final = 512  # rows of one query
_MOST_ATTEMPTS: Final = 100_000  # to read around damage
_UNKNOWN: Final = -1  # a sequence that no store has, and a number of records
_FAR: Final = 1 << 32  # more changes than a store has seen without a row that is left
_UNCOUNTED: Final = "the row that counts its records is damaged, and nothing says whether some are missing"
_KEPT: Final = 100_000  # removals that a directory remembers


@dataclass(slots=True)
class State:
    """The one row of the table state; `byheart.storage.schema` says what its columns mean."""

    sequence: int
    records: int
    digest: bytes
    models: bytes
    blank: int
    floor: int
    unsettled: int
    damaged: bool = False  # the row cannot be believed, and this stands in for it

    def values(self) -> tuple[int | bytes, ...]:
        """Return the columns in order."""
        return self.sequence, self.records, self.digest, self.models, self.blank, self.floor, self.unsettled


def read_state(connection: sqlite3.Connection, where: str) -> State:
    """Return the state of a store; of a damaged row, what is enough to read all that is sound.

    Its sequence lies far behind that of every row, so that whoever knew another one reads everything anew.
    """
    row = _first(connection, f"SELECT {STATE} FROM state")
    if row is not None and _as_stored(*row):
        return State(*row[:-1])
    tables = ("claims", "claim_vectors", "removals")
    found = [number for table in tables for number in _first(connection, f"SELECT max(number) FROM {table}") or ()]
    sequence = max((number for number in found if isinstance(number, int)), default=0) + _FAR
    return State(sequence, _UNKNOWN, EMPTY, EMPTY, 0, sequence, 0, damaged=True)


def _first(connection: sqlite3.Connection, query: str) -> tuple[Any, ...] | None:
    """Return the first row of a query; None without one, or where the pages that hold it are damaged."""
    rows = fetched(connection, query)
    return rows[0] if rows else None


@lru_cache(8, typed=True)  # the same row is read several times for one change
def _as_stored(*row: object) -> bool:
    return sound("state", row[:-1], row[-1])


def writable_state(connection: sqlite3.Connection, where: str) -> State:
    """Return the state of a store that is to be changed.

    Raises:
        CorruptStore: the row is damaged. Nothing is written before somebody asks for a repair.

    """
    state = read_state(connection, where)
    if state.damaged:
        raise CorruptStore(
            f"{where}: {_UNCOUNTED}; nothing is written before check(repair=True) (`byheart check --repair`) has "
            "counted those that can be read"
        )
    return state


@dataclass(frozen=True, slots=True)
class Claims:
    """All records of a store: the rows that are sound, those that are not, and what to say of missing ones."""

    state: State
    sound: dict[Key, ClaimRow]
    damaged: list[ClaimRow]
    missing: str | None

    def problems(self, where: str) -> list[Problem]:
        """Return what is wrong, by record where that is known."""
        found = [row.problem(where) for row in self.damaged]
        return found if self.missing is None else [*found, Problem("claims", self.missing)]


def read_claims(connection: sqlite3.Connection, where: str) -> Claims:
    """Return all records, and what is wrong with them; the caller has begun a transaction."""
    state = read_state(connection, where)
    rows = _rows(connection, state)
    good: dict[Key, ClaimRow] = {}
    damaged, missing = [], None
    counted = rows
    if not _as_written(rows, state):
        living = _living(connection)
        counted = [row for row in rows if row.number in living]
    for row in reversed(rows):  # of two with one key, the later one stands
        if row.sound and row.key() not in good and (counted is rows or row.number in living):
            good[row.key()] = row
        else:
            damaged.append(row)
    if state.damaged:
        missing = f"{where}: {_UNCOUNTED}"
    elif len(counted) != state.records:
        counts = f"{len(counted)} records can be read and {state.records} were written"
        missing = f"{where}: {counts}; the file is damaged, and does not say whose are missing"
    elif not damaged and not _as_written(counted, state):
        missing = f"{where}: a record is not the one that was written last; the file is damaged"
    return Claims(state, dict(reversed(good.items())), damaged[::-1], missing)


def _as_written(rows: list[ClaimRow], state: State) -> bool:
    """Return whether these are the rows that were counted, as far as their checksums say."""
    checksums = [row.checksum for row in rows if isinstance(row.checksum, bytes)]
    return len(checksums) == state.records and total(checksums) == state.digest


def _living(connection: sqlite3.Connection) -> set[int]:
    """Return the numbers of the rows that are not blank, as far as the second witness can be read."""
    noted = fetched(connection, "SELECT claim, expires_at, checksum FROM live_claims") or ()
    return {claim for claim, expires_at, stored in noted if sound("live_claims", live(claim, expires_at), stored)}


def _rows(connection: sqlite3.Connection, state: State) -> list[ClaimRow]:
    """Return all rows that are not blank, also of a table that cannot be read from end to end."""
    found = fetched(connection, f"SELECT {COLUMNS} FROM claims WHERE checksum <> ?", (EMPTY,))
    if found is not None:
        return [claim_row(*row) for row in found]
    rows: list[ClaimRow] = []
    query = f"SELECT {COLUMNS} FROM claims WHERE number >= ? AND checksum <> ? ORDER BY number LIMIT 1"
    number, attempts = 1, 0
    while number <= state.sequence and attempts < _MOST_ATTEMPTS:
        found = fetched(connection, query, (number, EMPTY))
        if found is None:
            attempts += 1
        elif not found:
            break
        elif isinstance(found[0][0], int) and found[0][0] >= number:
            rows.append(claim_row(*found[0]))
            number = found[0][0]
        number += 1
    seen = {row.number for row in rows}
    return sorted([*rows, *(row for row in rows_in_leaves(connection).values() if row.number not in seen)], key=_number)


def _number(row: ClaimRow) -> int:
    return row.number if isinstance(row.number, int) else 0


def claims_at(connection: sqlite3.Connection, numbers: list[int]) -> dict[int, ClaimRow]:
    """Return the rows with these numbers, at most `AT_ONCE`, that are not blank."""
    places = 1 << (len(numbers) - 1).bit_length()  # few forms, so that SQLite compiles each once
    padded = numbers + numbers[-1:] * (places - len(numbers))
    query = f"SELECT {COLUMNS} FROM claims WHERE number IN ({','.join('?' * places)})"
    found = fetched(connection, query, padded)
    if found is None:  # of a damaged tree
        lying = rows_in_leaves(connection)
        return {number: lying[number] for number in numbers if number in lying}
    return {row.number: row for row in (claim_row(*each) for each in found) if not row.blank}


@dataclass(slots=True)
class Directory:
    """Which number each key has, up to a sequence; some 40 bytes a record, in the core.

    It is the only index by key: one in the file would hold ids, which erasing could not reach. `doubt` says why a key
    that is not in it may have a record all the same.
    """

    sequence: int = 0
    numbers: Numbering = field(default_factory=Numbering)
    gone: dict[Key, int] = field(default_factory=dict)  # what was removed since `born`, and when last, in that order
    born: int = 0
    doubt: str | None = None
    damaged: set[int] = field(default_factory=set)  # numbers of rows whose key need not be theirs
    left: list[int] | None = None  # the rows that went since somebody asked (`went`); None: all may have
    looked_at: bool = False  # whether each row was looked at as a whole, so that a key that is not here has no record

    def learn(self, claims: Claims, where: str) -> None:
        """Take in a whole store, in the place of what was known."""
        moved, self.sequence = self.sequence != claims.state.sequence, _UNKNOWN  # until all is taken in
        self.numbers, self.left = Numbering(), None
        self.doubt, self.damaged, self.looked_at = claims.missing, set(), True
        for key, row in claims.sound.items():
            self.numbers.put(key, row.number)
        for row in claims.damaged:
            if (key := row.key()) not in self.numbers:
                self._number(key, row.number)
            self._doubt(row, where)
        if moved:
            self.born, self.gone = claims.state.sequence, {}
        self.sequence = claims.state.sequence

    def learn_keys(self, connection: sqlite3.Connection, where: str) -> None:
        """Take in the keys of a whole store: the rows behind them are looked at when they are read.

        Only a key that is not found needs a look at all rows, since damage may have given its row another name.
        """
        state = read_state(connection, where)
        query = "SELECT number, tenant, scope, boundary_class, id, checksum FROM claims WHERE checksum <> ?"
        numbers = Numbering()
        try:
            count, digest = numbers.learn(connection.execute(query, (EMPTY,)))  # a row at a time, none of which is kept
            whole = len(numbers) == count == state.records and digest == state.digest
        except sqlite3.OperationalError:
            raise
        except (sqlite3.DatabaseError, ByheartError, TypeError, OverflowError):
            whole = False
        if not whole:
            self.learn(read_claims(connection, where), where)
            return
        self.sequence = _UNKNOWN  # until all is taken in
        self.numbers, self.gone, self.left = numbers, {}, None
        self.doubt, self.damaged, self.looked_at = None, set(), False
        self.sequence = self.born = state.sequence

    def unknown(self, keys: Iterable[Key]) -> set[Key]:
        """Return the keys that are not in it, and were not seen to be removed."""
        return {key for key in keys if key not in self.numbers and key not in self.gone}

    def gone_since(self, sequence: int) -> list[Key]:
        """Return what was removed after a change; takes time in proportion to that."""
        return [key for key, _ in takewhile(lambda each: each[1] > sequence, reversed(self.gone.items()))]

    def apply(self, sequence: int, put: dict[Key, int], removed: list[tuple[int, Key]]) -> None:
        """Take in what changed up to a sequence."""
        # Names before numbers: were this interrupted, the same changes are taken in again, and what is not in `numbers`
        # any more could not be named then.
        self._note(removed)
        gone = [self.numbers.get(key) for key in put]
        gone += [self.numbers.take(key) for _, key in removed]
        if self.left is not None:
            self.left += [number for number in gone if number is not None]
        for key, number in put.items():
            self._number(key, number)
        self.sequence = sequence

    def _number(self, key: Key, number: int) -> None:
        """Give a key its number; no record has a name that is too long for that, so that nobody asks for it."""
        with suppress(LimitExceeded):
            self.numbers.put(key, number)

    def went(self) -> list[int] | None:
        """Return the rows that went since this was last asked; None if that is not known."""
        left, self.left = self.left, []
        return left

    def _note(self, removed: Iterable[tuple[int, Key]]) -> None:
        """Note what was removed, and when; of too much, the newer half is kept."""
        for number, key in removed:
            self.gone.pop(key, None)  # what is noted last comes last
            self.gone[key] = number
        if len(self.gone) > _KEPT:
            forgotten = list(islice(self.gone.items(), len(self.gone) - _KEPT // 2))
            self.born = forgotten[-1][1]
            for key, _ in forgotten:
                del self.gone[key]

    def follow(self, connection: sqlite3.Connection, where: str, state: State) -> None:
        """Take in what other connections have written, up to the state that the caller's transaction reads."""
        since = self.sequence
        if state.sequence == since:
            return
        removals = removals_since(connection, since)
        if not state.floor <= since < state.sequence or removals is None:
            self.learn_keys(connection, where)
            return
        put: dict[Key, int] = {}
        query = f"SELECT {COLUMNS} FROM claims WHERE number > ? AND checksum <> ? ORDER BY number"
        for values in connection.execute(query, (since, EMPTY)).fetchall():
            row = claim_row(*values)
            put[row.key()] = row.number
            if not row.sound:
                self._doubt(row, where)
        named = self.numbers.named(list(removals))
        gone = [(at, Key._make(named[claim])) for claim, at in removals.items() if claim in named]
        self.apply(state.sequence, put, gone)
        if len(self.numbers) != state.records and self.doubt is None:
            self._find_what_is_gone(connection, where)

    def _find_what_is_gone(self, connection: sqlite3.Connection, where: str) -> None:
        """Look through all keys for those that were put again and then removed, both since this last looked.

        Their removal names a row that was never seen here.
        """
        before, gone, born = self.numbers, self.gone, self.born
        self.learn_keys(connection, where)
        removed = [key for key in NumberedKeys(before) if key not in self.numbers]
        self.gone, self.born = gone, born
        self._note((self.sequence, key) for key in removed)

    def _doubt(self, row: ClaimRow, where: str) -> None:
        """Note that a damaged row may be of another key than it says, unless its content says the same."""
        self.damaged.add(row.number)
        if not row.names_itself:
            self.doubt = row.complaint(where)


def removals_since(connection: sqlite3.Connection, since: int) -> dict[int, int] | None:
    """Return at which number each claim was removed, in order; None if that cannot be told, since a row is damaged."""
    found: dict[int, int] = {}
    query = "SELECT number, claim, checksum FROM removals WHERE number > ? ORDER BY number"
    for number, claim, stored in connection.execute(query, (since,)).fetchall():
        if not sound("removals", (number, claim), stored):
            return None
        found[claim] = number
    return found


def changes_since(connection: sqlite3.Connection, directory: Directory, state: State, since: int) -> Changes:
    """Return the keys whose records or vectors changed after a sequence, None where that cannot be told.

    Directory and state are as of the transaction that the caller has begun.
    """
    removals = removals_since(connection, since)
    unnamed = any(at <= directory.born for at in (removals or {}).values())
    if not state.floor <= since <= state.sequence or removals is None or unnamed:
        return Changes(state.sequence, None)
    query = (
        f"SELECT {', '.join(Key._fields)} FROM claims WHERE number > ?1 AND checksum <> ?2"
        f" UNION SELECT {', '.join(f'c.{name}' for name in Key._fields)} FROM claim_vectors AS v"
        " JOIN claims AS c ON c.number = v.claim WHERE v.number > ?1 AND v.checksum <> ?2"
    )
    put = {Key(*map(readable, row)) for row in connection.execute(query, (since, EMPTY))}
    return Changes(state.sequence, frozenset(put).union(directory.gone_since(since)))
