"""The pair of connections that one process has to a store file: one reads and one writes, each opened when it is asked.

After any error of SQLite or the system a connection is dropped, and the next call opens the file anew: what a failed
sync has left in memory is not believed, and the journal decides.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import RLock

from ..errors import StoreBusy, StoreError, UnsupportedFormat
from .connection import journal_of, logs, set_journal
from .migrating import migrate_file
from .place import Place
from .schema import VERSION, version_of


class Pair:
    """The two connections, and the transactions of the one that writes.

    Args:
        place: of the file.

    Attributes:
        reading: the turn to use the reader.
        reader: the connection that reads, if it is open.
        writer: the one that writes, likewise; whoever uses it has the turn to write.
        looked: the connection by which its store knows since when nobody else has committed, and what that said then;
            None: it has to look.

    """

    def __init__(self, place: Place) -> None:
        self.place = place
        self.reading = RLock()
        self.reader: sqlite3.Connection | None = None
        self.writer: sqlite3.Connection | None = None
        self.looked: tuple[sqlite3.Connection | None, int] | None = None
        self._committing, self._commits = RLock(), False  # held while the file cannot be read; and whether it is so

    def open_reader(self) -> sqlite3.Connection:
        """Return a new connection that reads; the caller has the turn."""
        self.reader, self.looked = self._open(), None
        return self.reader

    def open_writer(self) -> sqlite3.Connection:
        """Return a new connection that writes, whatever the file's journal was; the caller has the turn."""
        self.writer = self._open()
        self._leave_log(self.writer)
        return self.writer

    def _open(self) -> sqlite3.Connection:
        """Return a new connection to a file whose tables are of today's version."""
        place = self.place
        connection = place.connect()
        try:
            version = place.patiently(lambda: version_of(connection, str(place.path)))
            if version < VERSION:
                if place.read_only:
                    raise UnsupportedFormat(
                        f"{place.path}: of format {version}; open it once for writing, to migrate it"
                    )
                place.patiently(lambda: set_journal(connection, place.path))
                with self.transaction(connection):
                    migrate_file(connection, place.path)
        except BaseException:
            connection.close()
            raise
        return connection

    def _leave_log(self, writer: sqlite3.Connection) -> None:
        """Have a connection keep a journal that is cut at each commit, and no write-ahead log.

        Raises:
            StoreBusy: another program has turned a log on and has the file open, so that it cannot be left.

        """
        place = self.place
        with self.reading:
            if place.patiently(lambda: journal_of(writer)) == b"wal":
                self.drop_reader()  # nobody else may have the file open when the log is left
        try:
            place.patiently(lambda: set_journal(writer, place.path))
        except (StoreBusy, StoreError) as error:
            raise StoreBusy(
                f"{place.path}: another program has turned its write-ahead log on and has the file open; nothing is"
                " written, since that log would keep what is erased: close the other program"
            ) from error

    @contextmanager
    def transaction(self, connection: sqlite3.Connection) -> Iterator[None]:
        """Begin a transaction that writes, and commit it at the end of the block; after an error, nothing is done."""
        try:
            self.place.patiently(lambda: connection.execute("BEGIN IMMEDIATE"))
            self.begun(connection)
            self.looked = None  # what this connection commits does not show in its own `data_version`
            yield
            with self._committing:
                self._commits = True
                try:
                    self.place.patiently(lambda: connection.execute("COMMIT"))
                finally:
                    self._commits = False
        except BaseException:
            with suppress(sqlite3.ProgrammingError):  # closed meanwhile, which has undone it
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            raise

    def begun(self, connection: sqlite3.Connection) -> None:
        """Look whether the file is still what it was, now that nobody else can write, and say who does."""
        self.place.check_same()
        if logs(connection):
            connection.execute("ROLLBACK")
            self._leave_log(connection)
            self.place.patiently(lambda: connection.execute("BEGIN IMMEDIATE"))
            if logs(connection):
                raise StoreBusy(f"{self.place.path}: another program keeps turning its write-ahead log on; close it")
        self.place.note()

    def waited(self) -> bool:
        """Wait for the end of a commit of this process, and return whether there was one."""
        if not self._commits:
            return False
        with self._committing:
            return True

    def drop_reader(self) -> None:
        """Have the next call that reads open the file anew; the caller has the turn."""
        connection, self.reader, self.looked = self.reader, None, None
        if connection is not None:
            connection.close()

    def drop_writer(self) -> None:
        """Have the next call that writes open the file anew; the caller has the turn."""
        connection, self.writer, self.looked = self.writer, None, None
        if connection is not None:
            connection.close()
