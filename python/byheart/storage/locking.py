"""A lock between processes: one file, one holder, a bounded wait.

Advisory: it binds those who ask for it. It also holds between threads of one process, and the system frees it when its
holder dies. Not for file systems without locks, such as some network shares.

A lock file says that it is one (`byheart 4711 (python)`); a file of that name that says something else is somebody
else's, and is neither locked nor written to.
"""

import os
import re
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Final

from ..errors import StoreBusy, StoreError
from .beside import NO_LINK, begins_with, check_regular, head_of
from .giving_way import POLL_SECONDS, give_way, say_held, say_waiting

_LOCKED_BYTE: Final = 1 << 20  # past the process id, which others must be able to read while Windows locks this byte
_MARK: Final = b"byheart "
_SAID: Final = re.compile(rb"byheart (\d{1,9})(?: \(([\w.?-]{1,64})\))?\n")
_OLDER: Final = re.compile(rb"(?:\d{1,9}(?: \([\w.?-]{1,64}\))?\n)?")  # what builds before the mark wrote
_HELD: Final[dict[int, int]] = {}  # the descriptors of `hold`, and whose they are: threads by their identity


@contextmanager
def hold(path: Path, seconds: float) -> Iterator[None]:
    """Hold the lock of a file for the length of a `with` block.

    Args:
        path: The lock file; it is created, names its holder, and stays behind, since a process that waits on a removed
            file would not see the lock of one that made it anew.
        seconds: How long to wait for another holder; 0 tries once.

    Raises:
        StoreBusy: Somebody else held it all that time; names the process.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, hold(Path(folder) / "lock", 1.0):
    ...     print("alone")
    alone

    """
    descriptor = open_lock_file(path)
    try:
        _HELD[descriptor] = threading.get_ident()
        _wait_for(descriptor, path, seconds)
        try:
            _write(descriptor, b"%b%d\n" % (_MARK, os.getpid()))
            say_held(descriptor)
            yield
        finally:
            _unlock(descriptor)
    finally:
        _HELD.pop(descriptor, None)
        os.close(descriptor)


@contextmanager
def hold_if_there(path: Path, seconds: float) -> Iterator[None]:
    """Hold the lock file of an older build of byheart, if there is one; nothing is written to it, and none is made.

    Raises:
        StoreBusy: somebody held it all that time.

    """
    try:
        descriptor = os.open(path, os.O_RDONLY | NO_LINK) if is_older_lock(path) else None
    except OSError:
        descriptor = None
    if descriptor is None:  # there is none, or it is somebody else's file
        yield
        return
    try:
        _HELD[descriptor] = threading.get_ident()
        _wait_for(descriptor, path, seconds)
        try:
            yield
        finally:
            _unlock(descriptor)
    finally:
        _HELD.pop(descriptor, None)
        os.close(descriptor)


def is_older_lock(path: Path) -> bool:
    """Return whether a file is a lock as builds before the mark made them."""
    try:
        head = head_of(path, 128)
    except StoreError:
        return False
    return head is not None and _OLDER.fullmatch(head) is not None


def _wait_for(descriptor: int, path: Path, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    give_way(descriptor)
    while not _try_lock(descriptor):
        if time.monotonic() >= deadline:
            os.lseek(descriptor, 0, os.SEEK_SET)
            holder = os.read(descriptor, 128).removeprefix(_MARK).decode(errors="replace").strip() or "unknown"
            raise StoreBusy(f"{path}: held by process {holder} for more than {seconds:g} s")
        say_waiting(descriptor)
        time.sleep(POLL_SECONDS)


def open_lock_file(path: Path) -> int:
    """Return a descriptor of a lock file, made if it is missing.

    Raises:
        StoreError: what is there is a link, which would lead elsewhere, or was not made by byheart.

    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | NO_LINK, 0o600)
    except OSError as error:
        if path.is_symlink():
            raise StoreError(f"{path}: is a symbolic link, which byheart does not follow; remove it") from error
        raise
    try:
        check_regular(descriptor, path)
        if not begins_with(_MARK)(os.read(descriptor, 128)):
            raise StoreError(f"{path}: byheart needs this name, and the file was not made by byheart; move it away")
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def note_holder(descriptor: int) -> None:
    """Write into a lock file who holds what it stands for: process id and program, never its arguments."""
    _write(descriptor, _said_by(os.getpid(), sys.argv[0] if sys.argv else ""))


@lru_cache(1)  # it is said with every write
def _said_by(process: int, program: str) -> bytes:
    name = re.sub(r"[^\w.-]", "?", Path(program).name, flags=re.ASCII)[:64] or "python"
    return b"%b%d (%b)\n" % (_MARK, process, name.encode())


def _write(descriptor: int, line: bytes) -> None:
    os.lseek(descriptor, 0, os.SEEK_SET)
    if os.read(descriptor, len(line) + 1) == line:  # a file that is written to has to be stored, too
        return
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.ftruncate(descriptor, 0)
    os.write(descriptor, line)


def noted_holder(path: Path) -> str | None:
    """Return the process that a lock file names, if it is alive."""
    try:
        found = _SAID.fullmatch(head_of(path, 128) or b"")
        if found is None:
            return None
        if sys.platform != "win32":  # there, signal 0 would end the process
            os.kill(int(found[1]), 0)
    except PermissionError:
        pass  # alive, and somebody else's
    except (OSError, StoreError):
        return None
    return f"process {found[1].decode()} ({found[2].decode()})" if found and found[2] else None


def make_folder(folder: Path) -> None:
    """Make the folder of a file where there is none, private to its owner; those above it have to be there."""
    if not folder.exists():
        folder.mkdir(mode=0o700, exist_ok=True)
        sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Make the new name of a file durable; Windows has no such call and needs none."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        return _lock_byte(descriptor, msvcrt.LK_NBLCK)

    def _unlock(descriptor: int) -> None:
        _lock_byte(descriptor, msvcrt.LK_UNLCK)

    def _lock_byte(descriptor: int, mode: int) -> bool:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, mode, 1)
        except OSError:
            return False
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)
        return True

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        # Said outright: a process forked meanwhile shares the descriptor and would keep the lock.
        fcntl.flock(descriptor, fcntl.LOCK_UN)


def _after_fork() -> None:
    """Close what other threads held at the fork: a child would keep their locks, should the parent be killed."""
    for descriptor, thread in list(_HELD.items()):
        if thread != threading.get_ident():
            del _HELD[descriptor]
            os.close(descriptor)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
