"""The session of a store with its file: the turns of this process's threads to read and to write, and forks.

One connection reads and one writes, each under a lock of this process; other processes wait for each other at SQLite's
own locks, for a bounded time. After any error of SQLite or the system the connection is closed, and the next call opens
the file anew.
"""

import os
import sqlite3
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock, RLock
from typing import Any, TypeVar

from ..errors import StoreBusy, StoreError
from .connection import patiently, translated
from .forks import STORES, at_fork
from .pair import Pair
from .pending import Pending
from .place import Place

T = TypeVar("T")

_OPEN: "weakref.WeakSet[Session]" = weakref.WeakSet()
_FORKING: "list[Session]" = []
_REGISTER = Lock()  # for both


class Session:
    """What a store has open in this process.

    Args:
        path: the file, absolute; a missing one is made, unless the session is read-only.
        lock_seconds: how long a call waits for other processes and threads.
        read_only: None finds out what the system allows.

    Attributes:
        place: of the file.
        pair: the connections to it.
        pending: the transaction that stays open for calls that have returned.
        reading: the turn to read.
        leave: commits or undoes what waits, before a fork.

    """

    def __init__(self, path: Path, lock_seconds: float, read_only: bool | None) -> None:
        self.place = Place(path, lock_seconds, read_only)
        self.pair = Pair(self.place)
        self.pending = Pending(self.pair)
        self.reading, self._writing = self.pair.reading, RLock()
        self.leave: Callable[[], None] = _nothing
        self._closed, self._process = False, os.getpid()
        with _REGISTER:
            _OPEN.add(self)
        try:
            self.read(lambda connection: None)
        except BaseException:
            self.close()
            raise

    # ---- reading

    def unchanged(self) -> bool:
        """Return whether nothing was committed since the last look, or own write; False if that takes a longer look."""
        if self._closed or self._process != os.getpid():
            return False
        pair = self.pair
        with self.reading:
            looked = pair.looked
            if looked is None or not self.place.is_there():
                return False
            connection, version = looked
            if connection is None or self.pending.waits:
                return connection is None and self.pending.waits
            try:
                if connection is pair.reader or _is_held(self._writing):
                    return _version(connection) == version
                return self._writes_still(connection, version)
            except sqlite3.Error:
                return False

    def _writes_still(self, connection: sqlite3.Connection, version: int) -> bool:
        """Return whether a connection is the one that writes, and nobody else has; False if it is being used."""
        try:
            if not self._writing.acquire(blocking=False):
                return False
        except BaseException:
            if _is_held(self._writing):  # interrupted just when the turn had come
                self._writing.release()
            raise
        try:
            return connection is self.pair.writer and _version(connection) == version
        finally:
            self._writing.release()

    def read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """Return what a query says; after an error the next call opens the file anew."""
        place, pair = self.place, self.pair
        with self.reading:
            self.check_usable()
            place.check_same()
            if self.pending.waits and pair.writer is not None:
                return self.pending.read(pair.writer, query)
            amid = pair.reader is not None and pair.reader.in_transaction  # of whom a signal's handler has interrupted
            try:
                connection = pair.reader or pair.open_reader()
                return patiently(lambda: query(connection), place.lock_seconds, place.busy, pair.waited)
            except (sqlite3.Error, OSError) as error:
                pair.drop_reader()
                raise translated(place.path, error) from error
            except BaseException:
                if not amid and pair.reader is not None and pair.reader.in_transaction:  # interrupted, and not ended
                    pair.drop_reader()
                raise

    def snapshot(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """Return what a query of several statements says, all as of one moment."""

        def within(connection: sqlite3.Connection) -> T:
            if self.pending.waits:
                return query(connection)
            if connection.in_transaction:  # what was interrupted is ended by whoever interrupted it
                raise StoreBusy(
                    f"{self.place.path}: this thread is reading already; a signal's handler cannot read as well"
                )
            try:
                connection.execute("BEGIN")
                return query(connection)
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")  # it has read only

        return self.read(within)

    def look(self, connection: sqlite3.Connection) -> tuple[sqlite3.Connection | None, int]:
        """Return what the pair has `looked` at, once a connection has been read as of now.

        SQLite's `data_version` changes with every commit that is not the connection's own.
        """
        return (None, 0) if self.pending.waits else (connection, _version(connection))

    # ---- writing

    @contextmanager
    def written(self) -> Iterator[sqlite3.Connection]:
        """Hold this process's turn to write; after an error the next call opens the file anew."""
        place, pair, pending = self.place, self.pair, self.pending
        self.check_usable()
        place.check_writable()
        with self._turn():
            if pair.writer is not None and pair.writer.in_transaction and not pending.waits:
                raise StoreBusy(
                    f"{place.path}: this thread is writing already; a signal's handler cannot write as well"
                )
            try:
                self.check_usable()
                yield pair.writer or pair.open_writer()
            except (sqlite3.Error, OSError) as error:
                pair.drop_writer()
                with self.reading:
                    pair.drop_reader()
                raise translated(place.path, error) from error
            except BaseException:
                if pair.writer is not None and pair.writer.in_transaction and not pending.waits:
                    pair.drop_writer()
                raise

    @contextmanager
    def _turn(self) -> Iterator[None]:
        nested = _is_held(self._writing)
        seconds = self.place.lock_seconds
        try:
            if not self._writing.acquire(timeout=seconds):
                raise StoreBusy(f"{self.place.path}: another thread of this process has been writing for {seconds:g} s")
        except BaseException:
            if not nested and _is_held(self._writing):  # interrupted just when the turn had come
                self._writing.release()
            raise
        try:
            yield
        finally:
            self._writing.release()

    @contextmanager
    def turns(self) -> Iterator[None]:
        """Keep other threads of this process from writing and from reading."""
        nested = _is_held(self._writing)
        with self._turn(), self.reading:
            if self.pending.amid and not nested:  # an interrupt came twice: what it left half done is undone
                self.pending.undo_call()
            yield

    # ---- its end, and forks

    def check_usable(self) -> None:
        """Refuse to go on with what was closed; in a child, let go of what is the parent's."""
        if self._closed:
            raise StoreError(f"{self.place.path}: the store is closed")
        if self._process != os.getpid():  # what was opened before the fork is the parent's
            self._let_go()
            self._process = os.getpid()

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

    def _let_go(self) -> None:
        self.pending.forget()
        self.pair.drop_reader()
        self.pair.drop_writer()
        self.place.let_go()


def _nothing() -> None:
    """Do nothing: no transaction stays open."""


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA data_version").fetchone()[0])


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


at_fork(STORES, before=_before_fork, in_parent=_after_fork, in_child=_after_fork)
