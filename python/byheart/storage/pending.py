"""The pending transaction of a store file: it stays open for calls that have returned, and is read as if it stood.

Whoever begins it, adds to it or ends it has the turns of this process, to write and to read.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from ..errors import StoreBusy, StoreError
from .connection import is_busy, translated
from .pair import Pair

T = TypeVar("T")


class Pending:
    """One transaction after the other that stays open, on the connection that writes.

    Args:
        pair: with the connection.

    Attributes:
        waits: whether one is open; changed under both turns.
        amid: whether one more call is being made part of it.
        asking: whether a writer looks at what is stored, as it was before its own call.

    """

    def __init__(self, pair: Pair) -> None:
        self._pair, self._place = pair, pair.place
        self.waits = self.amid = self.asking = False

    def read(self, writer: sqlite3.Connection, query: Callable[[sqlite3.Connection], T]) -> T:
        """Return what a query says of the file and of the calls that wait to be committed to it."""
        if self.amid and not self.asking:
            raise StoreBusy(
                f"{self._place.path}: this thread is writing already; a signal's handler cannot read as well"
            )
        try:
            return query(writer)
        except (sqlite3.Error, OSError) as error:
            raise translated(self._place.path, error) from error

    def check_not_amid(self) -> None:
        """Refuse to write where this thread is writing already."""
        if self.amid:
            raise self._writing_already()

    def _writing_already(self) -> StoreBusy:
        return StoreBusy(f"{self._place.path}: this thread is writing already; a signal's handler cannot write as well")

    def begin(self, make_room: Callable[[sqlite3.Connection], None]) -> None:
        """Open a transaction that stays open. What is read from now on is read within it.

        Raises:
            sqlite3.OperationalError: another connection is writing.

        """
        self._place.check_writable()
        if self.waits:
            raise self._writing_already()
        pair = self._pair
        try:
            writer = pair.writer or pair.open_writer()
            make_room(writer)
            writer.execute("BEGIN IMMEDIATE")
            pair.begun(writer)
            pair.looked, self.waits = None, True
        except (sqlite3.Error, OSError) as error:
            if is_busy(error):
                raise
            self.undo()
            raise translated(self._place.path, error) from error
        except BaseException:
            self.undo()
            raise

    @contextmanager
    def call(self) -> Iterator[sqlite3.Connection]:
        """Make what is done in the block a part of the open transaction, or nothing of it."""
        self._place.check_same()
        pair, writer = self._pair, self._pair.writer
        if writer is None or not writer.in_transaction:
            raise StoreError(f"{self._place.path}: what waited to be written was broken off")
        pair.looked, self.amid = None, True
        try:
            writer.execute("SAVEPOINT call")
            yield writer
            writer.execute("RELEASE call")
            self.amid = False
        except BaseException as error:
            self.undo_call()
            if isinstance(error, (sqlite3.Error, OSError)):
                raise translated(self._place.path, error) from error
            raise

    def undo_call(self) -> None:
        """Undo what a call that was broken off did of the open transaction."""
        writer = self._pair.writer
        if self.amid and writer is not None and writer.in_transaction:
            with suppress(sqlite3.Error):  # where it had not begun, or the transaction is lost: its commit says so
                writer.execute("ROLLBACK TO call")
                writer.execute("RELEASE call")
        self._pair.looked, self.amid = None, False

    def commit(self, stands: Callable[[], bool]) -> None:
        """Commit the open transaction.

        Args:
            stands: tells whether the file holds it; asked where it was ended and nobody can say how.

        Raises:
            sqlite3.OperationalError: another connection is in the way.
            StoreError: it was undone.

        """
        self.check_not_amid()
        writer = self._pair.writer
        try:
            if writer is not None and writer.in_transaction:
                writer.execute("COMMIT")
                self._pair.looked, self.waits = None, False
                return
            self.undo()
            if not stands():
                raise StoreError(f"{self._place.path}: the transaction was broken off")
        except (sqlite3.Error, OSError) as error:
            if is_busy(error) and writer is not None and writer.in_transaction:
                raise
            raise translated(self._place.path, error) from error

    def end(self) -> None:
        """End the open transaction, of which nothing is to stand."""
        writer = self._pair.writer
        try:
            if writer is not None and writer.in_transaction:
                writer.execute("ROLLBACK")
            self._pair.looked, self.waits = None, False
        except sqlite3.Error:
            self.undo()

    def undo(self) -> None:
        """Undo the open transaction, and have the file opened anew."""
        self.forget()
        self._pair.drop_writer()
        self._pair.drop_reader()

    def forget(self) -> None:
        """Note that none is open, as its connection goes."""
        self.waits = self.amid = False
