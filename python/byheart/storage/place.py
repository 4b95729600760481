"""The place of a store file: making the file there, telling whether it is still the same one, and who holds it."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

from ..errors import ByheartError, ReadOnlyStore, StoreBusy, StoreError, StoreReplaced
from .around import check_name, check_one_name, check_place, has_several_names
from .beside import LOCK, NEW, beside, clear, create, is_journal, put_in_place, replaced
from .connection import can_write, connect, patiently, translated
from .locking import hold, make_folder, note_holder, noted_holder, open_lock_file, sync_folder
from .schema import is_store, migrate

T = TypeVar("T")

_PAGE_BYTES: Final = 8_192
"""Five vectors of 384 numbers fill such a page; of SQLite's own, 4,096, two leave a quarter empty."""


class Place:
    """Where a store file lies, and which file that was when it was opened first.

    Args:
        path: the file, absolute; a missing one is made, unless it is only to be read.
        lock_seconds: how long a call waits for other processes and threads.
        read_only: None finds out what the system allows.

    Raises:
        StoreError: there can be no file; ReadOnlyStore: there is none, and none may be made; or it has several names,
            and was to be written.
        InvalidArgument: it would have a name that is cleared up for another one's sake.

    """

    def __init__(self, path: Path, lock_seconds: float, read_only: bool | None) -> None:
        self.path, self.lock_seconds = path, lock_seconds
        self._name = str(path)
        self._lock_path = beside(path, LOCK)
        self._lock_file: int | None = None
        self._file: tuple[int, int] | None = None  # which file was opened: device and inode
        try:
            if not check_place(path):
                self._create(read_only)
            if read_only is None:
                read_only = not can_write(path) or has_several_names(path)
            elif not read_only:
                check_one_name(path)
            self.read_only = read_only
        except OSError as error:
            raise translated(path, error) from error

    def _create(self, read_only: bool | None) -> None:
        """Make the file under another name and put it in its place: nobody ever sees half of it."""
        if read_only:
            raise ReadOnlyStore(f"{self.path}: does not exist, and was to be opened for reading")
        check_name(self.path)
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

    def connect(self) -> sqlite3.Connection:
        """Return a new connection to the file, which is known from now on, if it was not before.

        Raises:
            StoreReplaced: there is no file any more.

        """
        if not check_place(self.path):
            raise StoreReplaced(f"{self.path}: does not exist any more; put it back, or open the memory again")
        found = self.path.stat()
        self._file = self._file or (found.st_dev, found.st_ino)
        return self.patiently(lambda: connect(self.path, read_only=self.read_only, writes=False))

    def check_writable(self) -> None:
        """Refuse to write what was opened for reading."""
        if self.read_only:
            if self.is_there():
                check_one_name(self.path)
            raise ReadOnlyStore(f"{self.path}: was opened for reading, or lies where nothing can be written")

    def is_there(self) -> bool:
        """Return whether the path leads to the file that was opened."""
        try:
            found = os.stat(self._name)  # noqa: PTH116 - every recall asks, and a Path takes longer
        except OSError:
            return False
        return (found.st_dev, found.st_ino) == self._file

    def check_same(self) -> None:
        """Refuse to go on where another file has come in the place of the one that was opened.

        Raises:
            StoreReplaced: it has, or there is none: what this process knows is of a file that is there no longer.

        """
        if self._file is not None and not self.is_there():
            raise replaced(self.path)

    # ---- who holds it

    def patiently(self, run: Callable[[], T]) -> T:
        """Run something until no other connection is in its way, for as long as a call waits."""
        return patiently(run, self.lock_seconds, self.busy)

    def busy(self) -> ByheartError:
        """Return the error that says who is in the way."""
        holder = noted_holder(self._lock_path) or "another process"
        return StoreBusy(f"{self.path}: held by {holder} for more than {self.lock_seconds:g} s")

    def note(self) -> None:
        """Say who is writing. A courtesy to those who wait: where it cannot be said, the write goes on."""
        try:
            if self._lock_file is None:
                self._lock_file = open_lock_file(self._lock_path)
            note_holder(self._lock_file)
        except (OSError, StoreError):
            return

    def let_go(self) -> None:
        """Close what is open beside the file."""
        descriptor, self._lock_file = self._lock_file, None
        if descriptor is not None:
            os.close(descriptor)
