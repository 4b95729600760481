"""A lock between processes: one file, one holder, a bounded wait.

Advisory: it binds those who ask for it. It also holds between threads of one process, and the system frees it when its
holder dies. Not for file systems without locks, such as some network shares.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from ..errors import StoreBusy

_POLL_SECONDS: Final = 0.02
_LOCKED_BYTE: Final = 1 << 20  # past the process id, which others must be able to read while Windows locks this byte


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
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        deadline = time.monotonic() + seconds
        while not _try_lock(descriptor):
            if time.monotonic() >= deadline:
                holder = os.read(descriptor, 32).decode(errors="replace").strip() or "unknown"
                raise StoreBusy(f"{path}: held by process {holder} for more than {seconds:g} s")
            time.sleep(_POLL_SECONDS)
        try:
            os.ftruncate(descriptor, 0)
            os.write(descriptor, f"{os.getpid()}\n".encode())
            yield
        finally:
            _unlock(descriptor)
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
