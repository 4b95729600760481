"""A journal and a write-ahead log beside a store file, which SQLite would take for its own.

SQLite plays both into whatever file they lie beside, and removes a log whatever it holds. So they are looked at before
SQLite is asked: what is none of SQLite's is somebody else's file, and stays. A log is played in only where the file
itself says that it has one, as it does where another program turned one on; one beside a file that says nothing of it
is of another file, or of another version of this one, and would write over what is there. A journal has to fit the file
that it is played into (`byheart.storage.hot_journal`).

SQLite finds both by the file's name, and byheart its saved indexes: a file of two names has two of each, and no writer
knows of the other's. So one with several names is only read.
"""

import os
import stat
from pathlib import Path
from typing import Final

from ..errors import InvalidArgument, ReadOnlyStore, StoreError
from .beside import BEING_MADE, LOCK, NEW, beside, head_of, is_journal
from .hot_journal import is_of_another

_JOURNAL: Final = "-journal"
_LOG: Final = "-wal"
_SHARED: Final = "-shm"
_LOG_MARKS: Final = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
_HEAD: Final = 100  # bytes of the file's head
_READS_BY: Final = 19  # the one among them that says by what it is read: 1 is a journal, 2 a log
_KEPT: dict[tuple[int, int], int] = {}  # files that were looked at beside SQLite: device and inode, descriptor


def check_place(path: Path) -> bool:
    """Return whether there is a file; refuse links, devices and pipes, also in the place of its journal and its log.

    Raises:
        StoreError: what is there is no regular file; or the journal or the log is somebody else's, or of another file.

    """
    exists = False
    for name in (beside(path, _JOURNAL), beside(path, _LOG), path):
        exists = _is_file(name)
    if exists and not is_journal(head_of(beside(path, _JOURNAL)) or b""):
        raise StoreError(
            f"{beside(path, _JOURNAL)}: SQLite needs this name for its journal, and the file is none of SQLite's; "
            "move it away"
        )
    if exists and is_of_another(beside(path, _JOURNAL), lambda: _head(path)):
        raise StoreError(
            f"{beside(path, _JOURNAL)}: is a journal of SQLite that is of another file than {path.name}, or of another "
            "version of it, and would be written over it; move it away"
        )
    _check_log(path, beside(path, _LOG), exists)
    return exists


def check_name(path: Path) -> None:
    """Refuse to make a store under a name that is cleared up for the sake of another one.

    Raises:
        InvalidArgument: it is one.

    """
    for ending in (LOCK, NEW, BEING_MADE, _JOURNAL, _LOG, _SHARED):
        other = path.name.removesuffix(ending)
        ours = ending.startswith(".")  # of the others many a name ends so, as "travel-journal"
        if other not in ("", path.name) and (ours or path.with_name(other).is_file()):
            raise InvalidArgument(f"path: {path} is a name that {other} needs beside its file; name another")


def has_several_names(path: Path) -> bool:
    """Return whether a file has names of somebody's beside this one."""
    if _links(path) == 1:
        return False
    # One that is just being made, or whose maker died, has the second name only until that is removed.
    ours = {_which(beside(path, ending)) for ending in (NEW, BEING_MADE)}
    return _which(path) not in ours and _links(path) > 1


def check_one_name(path: Path) -> None:
    """Refuse to write to a file that has several names.

    Raises:
        ReadOnlyStore: it has.

    """
    if has_several_names(path):
        raise ReadOnlyStore(
            f"{path}: has several names (hard links), and is only read: who uses another one has another journal and "
            "other saved indexes; to write to it make it a file of its own: copy it, and put the copy in its place"
        )


def _links(path: Path) -> int:
    return path.stat().st_nlink


def _is_file(name: Path) -> bool:
    try:
        mode = name.lstat().st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISLNK(mode):
        raise StoreError(f"{name}: is a symbolic link; name the file that it leads to")
    if not stat.S_ISREG(mode):
        raise StoreError(f"{name}: is no regular file")
    return True


def _check_log(path: Path, log: Path, exists: bool) -> None:
    """Refuse a log that is not of the file at `path`; an empty one is none, as SQLite has it."""
    head = head_of(log)
    if not head:
        return
    if not head.startswith(_LOG_MARKS):
        raise StoreError(f"{log}: SQLite needs this name for its log, and the file is none of SQLite's; move it away")
    before = _which(log)
    # Who turns its log off removes it before the file says so: one that was there all the time is of another file.
    if not (exists and _has_log(path)) and before is not None and _which(log) == before:
        raise StoreError(
            f"{log}: is a log of SQLite that {path.name} does not know of, and would be written over it; move it away"
        )


def _which(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _has_log(path: Path) -> bool:
    """Return whether a file says that it has a log."""
    return _head(path)[_READS_BY : _READS_BY + 1] == b"\x02"


def _head(path: Path) -> bytes:
    """Return how a file begins; nothing of one that is not there.

    SQLite cannot be asked: it would play in what lies there first. And a descriptor that is closed takes along the
    locks that this process has on the file, so it stays open: one for each file beside which a log, or a journal that
    is not empty, was found.
    """
    if os.name != "posix":
        with path.open("rb") as file:
            return file.read(_HEAD)
    which = _which(path)
    if which is None:
        return b""
    if which not in _KEPT:
        _KEPT[which] = os.open(path, os.O_RDONLY)
    return os.pread(_KEPT[which], _HEAD, 0)
