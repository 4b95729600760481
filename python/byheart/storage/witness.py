"""The witness that tells one history of a store from another: checksums of rows, by the number of each change."""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Final

from .rows import EMPTY

_TABLES: Final = ("claims", "claim_vectors", "removals")
_LAST, _SPREAD = 12, 12  # rows from the end, and evenly from the whole; some may be replaced before they are asked


def made_at(connection: sqlite3.Connection) -> bytes:
    """Return the time at which the file was made, as it stands there."""
    (made,) = connection.execute("SELECT applied_at FROM migrations WHERE version = 1").fetchone()
    return made if isinstance(made, bytes) else str(made).encode()


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
