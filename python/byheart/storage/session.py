"""The connections of one process to a store file: making it, opening it, turns, transactions, forks.

One connection reads and one writes, each under a lock of this process; other processes wait for each other at SQLite's
own locks, for a bounded time. After any error of SQLite or the system the connection is closed, and the next call opens
the file anew: what a failed sync has left in memory is not believed, and the journal decides.
"""

import os
import sqlite3
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock, RLock
from typing import Any, Final, TypeVar

from ..errors import ByheartError, ReadOnlyStore, StoreBusy, StoreError, StoreReplaced, UnsupportedFormat
from .beside import LOCK, NEW, beside, clear, create, is_journal, put_in_place
from .connection import can_write, check_place, connect, is_busy, journal_of, logs, patiently, set_journal, translated
from .locking import hold, make_folder, note_holder, noted_holder, open_lock_file, sync_folder
from .migrating import migrate_file
from .schema import VERSION, is_store, migrate, version_of

T = TypeVar("T")

_PAGE_BYTES = 8_192  # five vectors of 384 numbers fill such a page; of SQLite's own, 4,096, two leave a quarter empty
_OPEN: "weakref.WeakSet[Session]" = weakref.WeakSet()
_FORKING: "list[Session]" = []
_WAITS: Final = -1  # no `data_version` of SQLite's
_REGISTER = Lock()  # for both


class Session:
    """What a store has open in this process.

    Args:
        path: the file, absolute; a missing one is made, unless the session is read-only.
        lock_seconds: how long a call waits for other processes and threads.
        read_only: None finds out what the system allows.

    """

    def __init__(self, path: Path, lock_seconds: float, read_only: bool | None) -> None:
        self.path, self.lock_seconds = path, lock_seconds
        self._name = str(path)
        self.reading = RLock()
        self.data_version: int | None = None  # of the reader, when its store last looked
        self._writing = RLock()
        self._committing, self._commits = RLock(), False  # held while the file cannot be read; and whether it is so
        self.waits = False  # whether a transaction is open for calls that have returned; changed under both turns
        self.amid = False  # whether one more call is being made part of it
        self.asking = False  # whether a writer looks at what is stored, as it was before its own call
        self.leave: Callable[[], None] = _nothing  # commits or undoes what waits, before a fork
        self._lock_path = beside(path, LOCK)
        self._reader: sqlite3.Connection | None = None
        self._writer: sqlite3.Connection | None = None
        self._lock_file: int | None = None
        self._closed, self._process = False, os.getpid()
        self._file: tuple[int, int] | None = None  # which file was opened: device and inode
        try:
            if not check_place(path):
                self._create(read_only)
            self.read_only = not can_write(path) if read_only is None else read_only
        except OSError as error:
            raise translated(path, error) from error
        with _REGISTER:
            _OPEN.add(self)
        try:
            self.read(lambda connection: None)
        except BaseException:
            self.close()
            raise

    def unchanged(self) -> bool:
        """Return whether nothing was committed since `data_version` was noted; False if that takes a longer look."""
        if self._closed or self._process != os.getpid():
            return False
        with self.reading:
            if self.waits:
                return self.data_version == _WAITS and self._is_there()
            reader = self._reader
            if reader is None or self.data_version is None or not self._is_there():
                return False
            try:
                return bool(reader.execute("PRAGMA data_version").fetchone()[0] == self.data_version)
            except sqlite3.Error:
                return False

    def read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """Return what a query says; after an error the next call opens the file anew."""
        with self.reading:
            self._check_usable()
            self._check_same()
            if self.waits and self._writer is not None:
                return self._read_waiting(self._writer, query)
            try:
                if self._reader is None:
                    self._reader, self.data_version = self._open(), None
                connection = self._reader
                return patiently(lambda: query(connection), self.lock_seconds, self.busy, self._waited)
            except (sqlite3.Error, OSError) as error:
                self._drop_reader()
                raise translated(self.path, error) from error
            except BaseException:
                if self._reader is not None and self._reader.in_transaction:  # interrupted, and not ended
                    self._drop_reader()
                raise

    def _read_waiting(self, writer: sqlite3.Connection, query: Callable[[sqlite3.Connection], T]) -> T:
        """Return what a query says of the file and of the calls that wait to be committed to it."""
        if self.amid and not self.asking:
            raise StoreBusy(f"{self.path}: this thread is writing already; a signal's handler cannot read as well")
        try:
            return query(writer)
        except (sqlite3.Error, OSError) as error:
            raise translated(self.path, error) from error

    def look(self, connection: sqlite3.Connection) -> int:
        """Return what `data_version` is to be, once a connection has been read as of now."""
        if self.waits:
            return _WAITS
        return int(connection.execute("PRAGMA data_version").fetchone()[0])

    def snapshot(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """Return what a query of several statements says, all as of one moment."""

        def within(connection: sqlite3.Connection) -> T:
            if self.waits:
                return query(connection)
            if connection.in_transaction:  # what was interrupted is ended by whoever interrupted it
                raise StoreBusy(f"{self.path}: this thread is reading already; a signal's handler cannot read as well")
            try:
                connection.execute("BEGIN")
                return query(connection)
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")  # it has read only

        return self.read(within)

    @contextmanager
    def written(self) -> Iterator[sqlite3.Connection]:
        """Hold this process's turn to write; after an error the next call opens the file anew."""
        self._check_usable()
        self._check_writable()
        with self._turn():
            if self._writer is not None and self._writer.in_transaction and not self.waits:
                raise StoreBusy(f"{self.path}: this thread is writing already; a signal's handler cannot write as well")
            try:
                self._check_usable()
                if self._writer is None:
                    self._writer = self._open()
                    self._leave_log(self._writer)  # whatever the file's journal was
                yield self._writer
            except (sqlite3.Error, OSError) as error:
                self._drop_writer()
                with self.reading:
                    self._drop_reader()
                raise translated(self.path, error) from error
            except BaseException:
                if self._writer is not None and self._writer.in_transaction and not self.waits:
                    self._drop_writer()
                raise

    def _check_writable(self) -> None:
        if self.read_only:
            raise ReadOnlyStore(f"{self.path}: was opened for reading, or lies where nothing can be written")

    @contextmanager
    def _turn(self) -> Iterator[None]:
        nested = _is_held(self._writing)
        try:
            if not self._writing.acquire(timeout=self.lock_seconds):
                raise StoreBusy(
                    f"{self.path}: another thread of this process has been writing for {self.lock_seconds:g} s"
                )
        except BaseException:
            if not nested and _is_held(self._writing):  # interrupted just when the turn had come
                self._writing.release()
            raise
        try:
            yield
        finally:
            self._writing.release()

    def _leave_log(self, writer: sqlite3.Connection) -> None:
        """Have a connection keep a journal that is cut at each commit, and no write-ahead log.

        Raises:
            StoreBusy: another program has turned a log on and has the file open, so that it cannot be left.

        """
        with self.reading:
            if self.patiently(lambda: journal_of(writer)) == b"wal":
                self._drop_reader()  # nobody else may have the file open when the log is left
        try:
            self.patiently(lambda: set_journal(writer, self.path))
        except (StoreBusy, StoreError) as error:
            raise StoreBusy(
                f"{self.path}: another program has turned its write-ahead log on and has the file open; nothing is"
                " written, since that log would keep what is erased: close the other program"
            ) from error

    @contextmanager
    def transaction(self, connection: sqlite3.Connection) -> Iterator[None]:
        """Begin a transaction that writes, and commit it at the end of the block; after an error, nothing is done."""
        try:
            self.patiently(lambda: connection.execute("BEGIN IMMEDIATE"))
            self._begun(connection)
            yield
            with self._committing:
                self._commits = True
                try:
                    self.patiently(lambda: connection.execute("COMMIT"))
                finally:
                    self._commits = False
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def _begun(self, connection: sqlite3.Connection) -> None:
        """Look whether the file is still what it was, now that nobody else can write, and say who does."""
        self._check_same()
        if logs(connection):
            connection.execute("ROLLBACK")
            self._leave_log(connection)
            self.patiently(lambda: connection.execute("BEGIN IMMEDIATE"))
            if logs(connection):
                raise StoreBusy(f"{self.path}: another program keeps turning its write-ahead log on; close it")
        self._note()

    # ---- a transaction that stays open

    @contextmanager
    def turns(self) -> Iterator[None]:
        """Keep other threads of this process from writing and from reading."""
        nested = _is_held(self._writing)
        with self._turn(), self.reading:
            if self.amid and not nested:  # an interrupt came twice: what it left half done is undone
                self.undo_call()
            yield

    def check_not_amid(self) -> None:
        """Refuse to write where this thread is writing already; the caller has the turns."""
        if self.amid:
            raise StoreBusy(f"{self.path}: this thread is writing already; a signal's handler cannot write as well")

    def begin_waiting(self, make_room: Callable[[sqlite3.Connection], None]) -> None:
        """Open a transaction that stays open; the caller has the turns. What is read from now on is read within it.

        Raises:
            sqlite3.OperationalError: another connection is writing.

        """
        self._check_usable()
        self._check_writable()
        if self.waits:
            raise StoreBusy(f"{self.path}: this thread is writing already; a signal's handler cannot write as well")
        try:
            if self._writer is None:
                self._writer = self._open()
                self._leave_log(self._writer)
            make_room(self._writer)
            self._writer.execute("BEGIN IMMEDIATE")
            self._begun(self._writer)
            self.data_version, self.waits = None, True
        except (sqlite3.Error, OSError) as error:
            if is_busy(error):
                raise
            self.undo_waiting()
            raise translated(self.path, error) from error
        except BaseException:
            self.undo_waiting()
            raise

    @contextmanager
    def call(self) -> Iterator[sqlite3.Connection]:
        """Make what is done in the block a part of the open transaction, or nothing of it; the caller has the turns."""
        self._check_usable()
        self._check_same()
        writer = self._writer
        if writer is None or not writer.in_transaction:
            raise StoreError(f"{self.path}: what waited to be written was broken off")
        self.data_version, self.amid = None, True
        try:
            writer.execute("SAVEPOINT call")
            yield writer
            writer.execute("RELEASE call")
            self.amid = False
        except BaseException as error:
            self.undo_call()
            if isinstance(error, (sqlite3.Error, OSError)):
                raise translated(self.path, error) from error
            raise

    def undo_call(self) -> None:
        """Undo what a call that was broken off did of the open transaction."""
        writer = self._writer
        if self.amid and writer is not None and writer.in_transaction:
            with suppress(sqlite3.Error):  # where it had not begun, or the transaction is lost: its commit says so
                writer.execute("ROLLBACK TO call")
                writer.execute("RELEASE call")
        self.data_version, self.amid = None, False

    def commit_waiting(self, stands: Callable[[sqlite3.Connection], bool]) -> None:
        """Commit the open transaction; the caller has the turns.

        Args:
            stands: tells whether the file holds it; asked where it was ended and nobody can say how.

        Raises:
            sqlite3.OperationalError: another connection is in the way.
            StoreError: it was undone.

        """
        self.check_not_amid()
        writer = self._writer
        try:
            if writer is not None and writer.in_transaction:
                writer.execute("COMMIT")
                self.data_version, self.waits = None, False
                return
            self.undo_waiting()
            if not self.snapshot(stands):
                raise StoreError(f"{self.path}: the transaction was broken off")
        except (sqlite3.Error, OSError) as error:
            if is_busy(error) and writer is not None and writer.in_transaction:
                raise
            raise translated(self.path, error) from error

    def end_waiting(self) -> None:
        """End the open transaction, of which nothing is to stand; the caller has the turns."""
        try:
            if self._writer is not None and self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
            self.data_version, self.waits = None, False
        except sqlite3.Error:
            self.undo_waiting()

    def undo_waiting(self) -> None:
        """Undo the open transaction, and open the file anew; the caller has the turns."""
        self.waits = self.amid = False
        self._drop_writer()
        self._drop_reader()

    def patiently(self, run: Callable[[], T]) -> T:
        """Run something until no other connection is in its way, for as long as a call waits."""
        return patiently(run, self.lock_seconds, self.busy)

    def _waited(self) -> bool:
        """Wait for the end of a commit of this process, and return whether there was one."""
        if not self._commits:
            return False
        with self._committing:
            return True

    def close(self) -> None:
        """Let go of files and locks; a second time, nothing happens."""
        self._closed = True
        with self._writing, self.reading:
            self._let_go()
        with _REGISTER:
            _OPEN.discard(self)

    def __del__(self) -> None:
        """Close the connections of a session that was dropped."""
        if not getattr(self, "_closed", True):
            self._let_go()

    def _create(self, read_only: bool | None) -> None:
        """Make the file under another name and put it in its place: nobody ever sees half of it."""
        if read_only:
            raise ReadOnlyStore(f"{self.path}: does not exist, and was to be opened for reading")
        make_folder(self.path.parent)
        with hold(self._lock_path, self.lock_seconds):
            if check_place(self.path):
                return
            temporary = beside(self.path, NEW)
            journals = [beside(place, "-journal") for place in (self.path, temporary)]
            clear(temporary, is_store)
            for journal in journals:  # of a file that is gone; it would be played into this one
                clear(journal, is_journal)
            os.close(create(temporary))
            try:
                connection = connect(temporary, read_only=False)
                try:
                    connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
                    connection.execute("BEGIN IMMEDIATE")
                    migrate(connection, 0)
                    connection.execute("COMMIT")
                finally:
                    connection.close()
                clear(journals[1], is_journal)
                with suppress(FileExistsError):  # another program has made it: it is opened, or refused, as it is
                    put_in_place(temporary, self.path)
            except sqlite3.Error as error:
                raise translated(self.path, error) from error
            finally:
                for leftover in (temporary, journals[1]):
                    leftover.unlink(missing_ok=True)
            sync_folder(self.path.parent)

    def _open(self) -> sqlite3.Connection:
        """Return a new connection to a file whose tables are of today's version."""
        if not check_place(self.path):
            raise StoreReplaced(f"{self.path}: does not exist any more; put it back, or open the memory again")
        found = self.path.stat()
        self._file = self._file or (found.st_dev, found.st_ino)
        connection = self.patiently(lambda: connect(self.path, read_only=self.read_only, writes=False))
        try:
            version = self.patiently(lambda: version_of(connection, str(self.path)))
            if version < VERSION:
                if self.read_only:
                    raise UnsupportedFormat(
                        f"{self.path}: of format {version}; open it once for writing, to migrate it"
                    )
                self.patiently(lambda: set_journal(connection, self.path))
                with self.transaction(connection):
                    migrate_file(connection, self.path)
        except BaseException:
            connection.close()
            raise
        return connection

    def _check_usable(self) -> None:
        if self._closed:
            raise StoreError(f"{self.path}: the store is closed")
        if self._process != os.getpid():  # what was opened before the fork is the parent's
            self._let_go()
            self._process = os.getpid()

    def _is_there(self) -> bool:
        """Return whether the path leads to the file that was opened."""
        try:
            found = os.stat(self._name)  # noqa: PTH116 - every recall asks, and a Path takes longer
        except OSError:
            return False
        return (found.st_dev, found.st_ino) == self._file

    def _check_same(self) -> None:
        """Refuse to go on where another file has come in the place of the one that was opened.

        Raises:
            StoreReplaced: it has, or there is none: what this process knows is of a file that is there no longer.

        """
        if self._file is not None and not self._is_there():
            what = "was replaced by another file" if os.path.lexists(self.path) else "was moved or removed"
            raise StoreReplaced(f"{self.path}: {what} while it was open; put it back, or open the memory again")

    def busy(self) -> ByheartError:
        """Return the error that says who is in the way."""
        holder = noted_holder(self._lock_path) or "another process"
        return StoreBusy(f"{self.path}: held by {holder} for more than {self.lock_seconds:g} s")

    def _note(self) -> None:
        """Say who is writing. A courtesy to those who wait: where it cannot be said, the write goes on."""
        try:
            if self._lock_file is None:
                self._lock_file = open_lock_file(self._lock_path)
            note_holder(self._lock_file)
        except (OSError, StoreError):
            return

    def _drop_reader(self) -> None:
        connection, self._reader, self.data_version = self._reader, None, None
        if connection is not None:
            connection.close()

    def _drop_writer(self) -> None:
        connection, self._writer = self._writer, None
        if connection is not None:
            connection.close()

    def _let_go(self) -> None:
        self.waits = self.amid = False
        self._drop_reader()
        self._drop_writer()
        descriptor, self._lock_file = self._lock_file, None
        if descriptor is not None:
            os.close(descriptor)


def _nothing() -> None:
    """Do nothing: no transaction stays open."""


def _is_held(lock: Any) -> bool:
    """Return whether this thread holds a lock; what `threading.Condition` asks of one, too."""
    return bool(lock._is_owned())


def _before_fork() -> None:
    """Wait until no thread is inside a call: no child inherits half of one, or closes a connection amid a change."""
    _REGISTER.acquire()
    for session in sorted(_OPEN, key=id):
        session._writing.acquire()
        session.reading.acquire()
        _FORKING.append(session)
        session.leave()


def _after_fork() -> None:
    while _FORKING:
        session = _FORKING.pop()
        session.reading.release()
        session._writing.release()
    _REGISTER.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)
