"""A connection to a store file: how it is opened, how long it waits, and what its errors are called.

The interpreter's own `sqlite3` and no other copy of SQLite: two in one process lose each other's locks. The journal is
a rollback journal, cut to nothing and synced at each commit (`TRUNCATE`, `FULL`): a commit that returned is on the
medium, and nothing of what it replaced stays in the journal. (With `DELETE` the commit would be durable only when the
folder is synced as well.) Never a write-ahead log: it would keep what was erased.
"""

import errno
import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from ..errors import ByheartError, CorruptStore, ReadOnlyStore, StoreBusy, StoreError

T = TypeVar("T")

_SETTINGS: Final = (
    "trusted_schema = OFF",  # a file of somebody else's runs no code of its own
    "cell_size_check = ON",
    "temp_store = MEMORY",  # or texts would pass through files outside the folder
    "foreign_keys = ON",
    "secure_delete = ON",
    "synchronous = FULL",
    "fullfsync = ON",
)
_FIRST_PAUSE, _LONGEST_PAUSE = 0.0005, 0.02
_BUSY: Final = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_IO: Final = {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOMEM,
              sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_NOLFS, sqlite3.SQLITE_PROTOCOL,
              sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_MISUSE}  # fmt: skip


class _Connection(sqlite3.Connection):
    """A connection whose errors are SQLite's, also where SQLite repeats damaged names that are no text."""

    def execute(self, *args: Any) -> sqlite3.Cursor:
        """Run one statement; what it repeats of the file's tables comes up here, and not where rows are fetched.

        Raises:
            sqlite3.DatabaseError: also for a message that is not UTF-8, of which Python tells that alone.

        """
        try:
            return super().execute(*args)
        except UnicodeDecodeError as error:
            raise _no_text(error) from error

    def executemany(self, *args: Any) -> sqlite3.Cursor:
        """Run one statement for each of several rows. Errors as in `execute`."""
        try:
            return super().executemany(*args)
        except UnicodeDecodeError as error:
            raise _no_text(error) from error


def _no_text(error: UnicodeDecodeError) -> sqlite3.DatabaseError:
    return sqlite3.DatabaseError(f"a name in its list of tables is no text: {error}")


def connect(path: Path, *, read_only: bool, writes: bool = True) -> sqlite3.Connection:
    """Return a connection to an existing file. Texts come back as bytes: a damaged one need not be UTF-8.

    One that `writes` keeps the journal as it has to be; one that reads takes the file as it is.

    A read-only one needs locks, but writes nothing. A file that a crash left with a journal needs a writer first.
    """
    mode = "ro" if read_only else "rw"
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode={mode}", uri=True, timeout=0, isolation_level=None, check_same_thread=False,
        factory=_Connection,
    )  # fmt: skip
    try:
        connection.text_factory = bytes
        for setting in _SETTINGS:
            connection.execute(f"PRAGMA {setting}").fetchall()
        if writes and not read_only:
            set_journal(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def application_of(path: Path) -> int | None:
    """Return the number by which a SQLite file says whose it is: None of any other, -1 of one that says nothing now.

    SQLite is asked, and no byte read beside it: a descriptor of the file, once closed, takes along the locks that this
    process has on it, and with them a transaction of another thread. Who cannot read it now, since it is locked or its
    journal waits, knows that it is SQLite's.
    """
    try:
        connection = connect(path, read_only=True, writes=False)
        try:
            [application], [pages] = (
                connection.execute(f"PRAGMA {of}").fetchone() for of in ("application_id", "page_count")
            )
            return int(application) if pages else None
        finally:
            connection.close()
    except sqlite3.DatabaseError as error:
        name = getattr(error, "sqlite_errorname", "")  # what was noticed here has none
        return None if name in ("SQLITE_NOTADB", "SQLITE_CANTOPEN") else -1


def set_journal(connection: sqlite3.Connection, path: Path) -> None:
    """Have a connection keep a rollback journal that is cut at each commit; a write-ahead log is played in and left.

    Raises:
        StoreError: that is not to be had.
        sqlite3.OperationalError: another connection is in the way.

    """
    (journal,) = connection.execute("PRAGMA journal_mode = TRUNCATE").fetchone()
    if journal != b"truncate":
        raise StoreError(f"{path}: the journal is in mode {journal.decode()!r} and cannot be changed to truncate")


def fetched(connection: sqlite3.Connection, query: str, values: Sequence[object] = ()) -> list[Any] | None:
    """Return the rows of a query; None where the pages that hold them are damaged.

    Raises:
        sqlite3.OperationalError: the file is busy, or cannot be read at all: nothing is said of what it holds.

    """
    try:
        return connection.execute(query, values).fetchall()
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        return None


def journal_of(connection: sqlite3.Connection) -> bytes:
    """Return the mode of the journal as the file has it by now; another program may have turned a log on.

    A connection knows since it last read; so it reads.
    """
    connection.execute("PRAGMA schema_version").fetchone()
    return bytes(connection.execute("PRAGMA journal_mode").fetchone()[0])


def logs(connection: sqlite3.Connection) -> bool:
    """Return whether the file has a write-ahead log, as a connection knows inside a transaction."""
    return bool(connection.execute("PRAGMA journal_mode").fetchone()[0] == b"wal")


def patiently(
    run: Callable[[], T], seconds: float, busy: Callable[[], ByheartError], waited: Callable[[], bool] = lambda: False
) -> T:
    """Run something until no other connection is in its way; between attempts signals are handled.

    Args:
        run: what to run.
        seconds: for how long.
        busy: makes the error of the end.
        waited: waits for what is known to be in the way, and returns whether there was such a thing.

    Raises:
        ByheartError: what `busy` returns, once the time is over.

    """
    deadline, pause = time.monotonic() + seconds, _FIRST_PAUSE
    while True:
        try:
            return run()
        except sqlite3.OperationalError as error:
            if not is_busy(error):
                raise
            if time.monotonic() >= deadline:
                raise busy() from error
        if not waited():
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)


def translated(path: Path, error: sqlite3.Error | OSError) -> ByheartError:
    """Return the error of byheart that says what SQLite or the system said."""
    if isinstance(error, OSError):
        return StoreError(f"{path}: {error.strerror or error}")
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_READONLY_ROLLBACK:
        return ReadOnlyStore(
            f"{path}: a process that wrote to it was stopped amid a write; open the file once for writing (`byheart"
            " check` does), which takes back what was not finished: nothing that was acknowledged is lost"
        )
    code = _code(error)
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    if code in _BUSY:
        return StoreBusy(f"{path}: held by another connection ({name})")
    if code == sqlite3.SQLITE_READONLY:
        return ReadOnlyStore(f"{path}: cannot be written ({name}: {error}); its file or folder was changed or moved")
    if code == sqlite3.SQLITE_CANTOPEN and os.access(path, os.F_OK) and not os.access(path, os.R_OK):
        return StoreError(f"{path}: {os.strerror(errno.EACCES)}")
    if code in _IO:
        return StoreError(f"{path}: {error} ({name}); what was asked for is whole or not there, read again to see")
    if code == sqlite3.SQLITE_CONSTRAINT:
        return StoreError(f"{path}: {error} ({name}); another program wrote to it amid a write: open the memory again")
    return CorruptStore(f"{path}: the file is damaged, not a memory file, or cannot be read ({name}: {error})")


def is_busy(error: Exception) -> bool:
    """Return whether SQLite says that another connection is in the way."""
    return isinstance(error, sqlite3.OperationalError) and _code(error) in _BUSY


def _code(error: sqlite3.Error) -> int | None:
    """Return the primary code of an error, without what SQLite says more."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def can_write(path: Path) -> bool:
    """Return whether the system lets this process write an existing file and make others beside it."""
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK | os.X_OK)
