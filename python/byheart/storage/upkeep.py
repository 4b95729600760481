"""The upkeep of a store file: the room that removed and replaced rows left is given back, and rows move together."""

import sqlite3
from typing import Final

from .change import write_state
from .pair import Pair
from .reading import State, writable_state
from .rows import EMPTY

_BLANK_BYTES: Final = 4_000_000  # blanked rows may take this much, or half the file if that is more


class Upkeep:
    """The upkeep of one file. Whoever asks for it has the turn to write, on the connection that is given.

    A compaction that is broken off is noted in the file, and the next change finishes it.

    Args:
        pair: the connections to the file.
        where: the file's name, for errors.

    """

    def __init__(self, pair: Pair, where: str) -> None:
        self._pair, self._where = pair, where

    def compact(self, connection: sqlite3.Connection) -> None:
        """Drop the rows that are blank, and rewrite the file; nobody can follow past that."""
        with self._pair.transaction(connection):
            state = writable_state(connection, self._where)
            for table in ("claims", "claim_vectors"):
                connection.execute(f"DELETE FROM {table} WHERE checksum = ?", (EMPTY,))
            connection.execute("DELETE FROM removals")
            state.floor, state.blank, state.unsettled = state.sequence, 0, 1
            write_state(connection, state)
        self.settle(connection)

    def settle(self, connection: sqlite3.Connection) -> None:
        """Rewrite the file, in which rows have moved and left copies of themselves."""
        self._pair.place.patiently(lambda: connection.execute("VACUUM"))
        with self._pair.transaction(connection):
            state = writable_state(connection, self._where)
            state.unsettled = 0
            write_state(connection, state)

    def is_due(self, connection: sqlite3.Connection, state: State) -> bool:
        """Return whether a change has to wait for something, as the caller's transaction reads the state."""
        return bool(state.unsettled) or _is_loose(connection, state)

    def make_room(self, connection: sqlite3.Connection) -> None:
        """Do what a change has to wait for: finish a compaction that was broken off, or compact."""
        state = self._pair.place.patiently(lambda: writable_state(connection, self._where))
        if state.unsettled:
            self.settle(connection)
        if self._pair.place.patiently(lambda: _is_loose(connection, state)):
            self.compact(connection)


def _is_loose(connection: sqlite3.Connection, state: State) -> bool:
    """Return whether too much of the file is blank."""
    return state.blank > _BLANK_BYTES and state.blank > _room(connection) // 2


def _room(connection: sqlite3.Connection) -> int:
    """Return how many bytes the file takes."""
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    return int(pages) * int(size)
