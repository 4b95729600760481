"""The file of a text store: how it is read and replaced, and what tells one version of it from the next."""

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import Final, TypeAlias

from ..errors import StoreBusy, StoreError
from ..records import Record
from .beside import LOCK, NEW, begins_with, beside, clear, create, put_in_place, replaced
from .lines import FORMAT, Lines, header, read_lines
from .locking import hold, hold_if_there, sync_folder

Signature: TypeAlias = tuple[int, int, int]
"""What tells one version of a file from the next."""

_BEGINNING: Final = f'{{"format": "{FORMAT}"'.encode()
_OLDER_LOCK: Final = ".lock"  # which builds before this one took; it is never made


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Have what the system says of a file be an error of the store, for the length of a `with` block.

    It names the file that the system names, which may be one beside it: another's lock, say.

    Raises:
        StoreError: the disk is full, say, or the file may not be read.

    """
    try:
        yield
    except OSError as error:
        named = os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes, os.PathLike)) else path
        raise StoreError(f"{named}: {error.strerror or error}") from error


class TextFile:
    """A text file at its place.

    Args:
        path: the place.

    Attributes:
        seen: the version that its store knows; None: there was no file.

    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.seen: Signature | None = None
        self._held = _Held()  # the version that was read or written last

    @contextmanager
    def locked(self, seconds: float) -> Iterator[None]:
        """Hold the lock of the file; so long a call waits for another process that is writing. Errors as in `now`."""
        self.now()  # where its folder was moved, no lock can be taken either, which says less
        lock, older = beside(self.path, LOCK), beside(self.path, _OLDER_LOCK)
        with told(self.path), hold(lock, seconds), hold_if_there(older, seconds):
            yield

    def now(self) -> Signature | None:
        """Return the version that is there now; None if there is none yet. Other errors as in `told`.

        Raises:
            StoreReplaced: there was one: what this process knows is of a file that is there no longer.

        """
        before = self.seen  # a flush may make the file meanwhile
        with told(self.path), suppress(FileNotFoundError):
            return _signature(self.path.stat())
        self._check_not_gone(before)
        return None

    def _check_not_gone(self, before: Signature | None) -> None:
        """Refuse to take a file that is missing, and was there before, for one that was not made yet."""
        if before is not None:
            raise replaced(self.path)

    def read(self, known: Mapping[str, Record] | None = None) -> tuple[Lines, Signature]:
        """Return what the file holds, and of which version that is; `known` are records of lines, read before.

        Raises:
            FileNotFoundError: there is none yet.
            StoreReplaced: as in `now`.
            CorruptRecord: it is no memory file.
            UnsupportedFormat: a newer version of byheart wrote it.
            StoreError: it is a pipe or a device.

        """
        before = self.seen
        _check_no_pipe(self.path)
        try:
            file = self.path.open("rb")
        except FileNotFoundError:
            self._check_not_gone(before)
            raise
        with file:
            version = self._held.take(file.fileno())
            return read_lines(str(self.path), file, known), version

    def replace(self, made: Lines) -> None:
        """Write the whole file anew beside the old one and put it in its place; the caller holds the lock."""
        raws, before = made.raws(), self.seen
        try:
            self.seen = write_whole(self.path, raws, len(raws) + made.lost, new=before is None, signed=self._held.take)
        except FileExistsError:
            raise StoreBusy(f"{self.path}: another program has made it meanwhile; try again") from None
        except FileNotFoundError:  # since it was looked at
            self._check_not_gone(before)
            raise

    def let_go(self) -> None:
        """Know no version, and hold none."""
        self._held.let_go()
        self.seen = None


class _Held:
    """The file that was read last, kept open so that no file in its place can get the same inode number.

    Without this two files that were written in one tick of the clock could not be told apart. Where an open file cannot
    be replaced (Windows), none is held; there the clock has ticks enough.
    """

    def __init__(self) -> None:
        self._descriptor: int | None = None

    def take(self, descriptor: int) -> Signature:
        """Hold this file in the place of the one before, and return its signature."""
        self.let_go()
        if os.name == "posix":
            self._descriptor = os.dup(descriptor)
        return _signature_of(descriptor)

    def let_go(self) -> None:
        """Hold nothing."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    __del__ = let_go


def _check_no_pipe(path: Path) -> None:
    """Refuse what would be waited for until somebody writes to it, or has no end."""
    with suppress(FileNotFoundError):
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # of a folder the system says so
            raise StoreError(f"{path}: is no regular file")


def _signature_of(descriptor: int) -> Signature:
    return _signature(os.fstat(descriptor))


def write_whole(
    path: Path, lines: Iterable[bytes], number: int, *, new: bool, signed: Callable[[int], Signature] = _signature_of
) -> Signature:
    """Write a file of lines beside its place and put it there, durable on return; return its signature.

    Args:
        path: the place.
        lines: in order.
        number: how many they are to be, as its first line says.
        new: whether there is no file yet; one that comes to be meanwhile is not replaced.
        signed: returns the signature of the file behind a descriptor.

    Raises:
        FileExistsError: it was to be new, and is there.
        StoreError: another's file has the name that is needed beside it.

    """
    temporary = beside(path, NEW)
    clear(temporary, begins_with(_BEGINNING))  # left by a process that died
    descriptor = create(temporary)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(chain([header(number)], lines))
            file.flush()
            os.fsync(descriptor)
            seen = signed(descriptor)
        if new:
            put_in_place(temporary, path)
        else:
            temporary.chmod(stat.S_IMODE(path.stat().st_mode))  # whoever opened it to a group meant it
            temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)
    return seen


def _signature(status: os.stat_result) -> Signature:
    """Return what tells one version of the file from the next: each write makes a new file."""
    return status.st_ino, status.st_mtime_ns, status.st_size
