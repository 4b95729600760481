"""Files that people write by hand: read to their end, which is not far."""

from __future__ import annotations

import os
import stat
from errno import EISDIR
from typing import TYPE_CHECKING

from ..errors import InvalidArgument

if TYPE_CHECKING:
    from pathlib import Path


def bytes_of(path: Path, most: int, *, piped: bool = False) -> bytes:
    """Return what is in a regular file of at most so many bytes; with `piped`, what comes out of a pipe or device too.

    Without it these are refused, since they may have no end, or make wait for one.

    Raises:
        InvalidArgument: it is no such file, or longer; the message names it.
        OSError: it cannot be read.

    """
    if "\0" in str(path):
        raise InvalidArgument(f"{str(path)!r}: has a sign in it that no file's name can have, NUL")
    descriptor = os.open(
        path, os.O_RDONLY | (0 if piped else getattr(os, "O_NONBLOCK", 0)) | getattr(os, "O_BINARY", 0)
    )
    if stat.S_ISDIR(os.fstat(descriptor).st_mode):  # whose error would name the number of the descriptor
        os.close(descriptor)
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(path))
    with os.fdopen(descriptor, "rb") as file:
        if not piped and not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise InvalidArgument(f"{path}: is no regular file; give the path of one")
        given = file.read(most + 1)
    if len(given) > most:
        raise InvalidArgument(f"{path}: is longer than {most} bytes")
    return given
