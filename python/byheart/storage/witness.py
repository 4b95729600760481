"""The witness that tells one history of a store from another: checksums of rows, by the number of each change."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from .connection import fetched
from .rows import EMPTY

_TABLES: Final = ("claims", "claim_vectors", "removals")
_LAST, _SPREAD = 12, 12  # rows from the end, and evenly from the whole; some may be replaced before they are asked


def made_at(connection: sqlite3.Connection) -> bytes:
    """Return the time at which the file was made, as it stands there; where that is damaged, what is left of it."""
    rows = fetched(connection, "SELECT applied_at FROM migrations WHERE version = 1") or [(b"",)]
    time = rows[0][0]
    return time if isinstance(time, bytes) else str(time).encode()


def witnesses(connection: sqlite3.Connection, sequence: int) -> Iterator[tuple[int, bytes]]:
    """Give numbers up to a change, and the checksums of their rows."""
    for table in _TABLES:
        query = f"SELECT number, checksum FROM {table} WHERE number <= ? AND checksum <> ? ORDER BY number DESC LIMIT ?"
        yield from connection.execute(query, (sequence, EMPTY, _LAST))
    query = "SELECT number, checksum FROM claims WHERE number BETWEEN ? AND ? AND checksum <> ? ORDER BY number LIMIT 1"
    for part in range(_SPREAD):
        yield from connection.execute(query, (part * sequence // _SPREAD, sequence, EMPTY))


def checksums_at(connection: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, bytes]:
    """Return the checksums of the rows with these numbers that were not removed or replaced."""
    found = {}
    for table in _TABLES:
        for number in numbers:
            query = f"SELECT checksum FROM {table} WHERE number = ? AND checksum <> ?"
            row = connection.execute(query, (number, EMPTY)).fetchone()
            if row is not None:
                found[number] = row[0]
    return found


def witness_of(connection: sqlite3.Connection, sequence: int) -> bytes | None:
    """Return the witness of a file up to a change; None if it has nothing to tell. A transaction has been begun."""
    rows = dict(witnesses(connection, sequence))
    told = b"\n".join([made_at(connection), *(b"%d %b" % (at, rows[at].hex().encode()) for at in sorted(rows))])
    return told if b"\n" in told else None


def told_by(witness: bytes) -> tuple[bytes, dict[int, bytes]] | None:
    """Return when the file was made that a witness is of, and the checksums of its rows; None if it is none."""
    head, *lines = witness.split(b"\n")
    try:
        return head, {int(number): bytes.fromhex(checksum.decode()) for number, checksum in map(bytes.split, lines)}
    except ValueError:
        return None


def is_of(connection: sqlite3.Connection, made: bytes, known: Mapping[int, bytes]) -> bool:
    """Return whether what a witness tells is of this file; the caller has begun a transaction."""
    here, stored = made_at(connection), checksums_at(connection, list(known))
    agree = [checksum == known[number] for number, checksum in stored.items()]
    return here == made and any(agree) and all(agree)
