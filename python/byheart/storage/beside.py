"""The files that byheart makes beside a user's: their names, how they are told from anybody else's, how they are made.

Laws: every name is the user's own name and a suffix that says whose it is; what is made is made exclusively, and a link
is never followed; what lies there already is replaced or removed only if its content shows that byheart made it. Where
it does not, the call is refused and the file is named: nothing of somebody else's is lost.

    NAME.byheart-lock       who writes, or wrote last (`byheart.storage.locking`)
    NAME.byheart-new        the file that is about to take the place of NAME
    NAME.byheart-indexes    a folder: saved indexes (`byheart.index.saved`)
    NAME.byheart-backup-1   NAME before it was migrated (`byheart.storage.migrating`)
    NAME.byheart-backing-up the backup that is about to become NAME (`byheart.storage.backing_up`)
    NAME-journal, NAME-wal  SQLite's own, the names that are not ours to choose (`byheart.storage.around`)
"""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final

from ..errors import StoreError, StoreReplaced

LOCK: Final = ".byheart-lock"
NEW: Final = ".byheart-new"
INDEXES: Final = ".byheart-indexes"
BEING_MADE: Final = ".byheart-backing-up"
EMPTY_FILE: Final = "the file is empty; remove it, and a new memory is made there"

NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
_AT_ONCE: Final = getattr(os, "O_NONBLOCK", 0)  # a pipe is not waited for
_BINARY: Final = getattr(os, "O_BINARY", 0)  # Windows
JOURNAL_MARK: Final = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
_HEAD: Final = 100  # bytes of the header of a SQLite file

Ours = Callable[[bytes], bool]
"""Says of a file's beginning whether byheart, or SQLite for it, made the file."""


def beside(path: Path, suffix: str) -> Path:
    """Return the name of a file beside another.

    >>> beside(Path("notes.db"), LOCK).name
    'notes.db.byheart-lock'
    """
    if not path.name:
        raise StoreError(f"{path}: names no file; give the path of one")
    return path.with_name(path.name + suffix)


def is_journal(head: bytes) -> bool:
    """Return whether a file begins as a journal of SQLite does: with its mark, or with nothing where that will be.

    A part of the mark counts too: a process may die amid the write of it.

    >>> is_journal(bytes.fromhex("d9d505f920a10000")), is_journal(b""), is_journal(bytes(512))
    (True, True, True)
    >>> is_journal(b"notes of mine")
    False
    """
    return all(byte in (0, mark) for byte, mark in zip(head, JOURNAL_MARK, strict=False))


def begins_with(mark: bytes) -> Ours:
    """Return what recognises a file by how it begins; one that was cut off before it said so counts too.

    >>> ours = begins_with(b"byheart ")
    >>> ours(b"byheart 12"), ours(b"byh"), ours(b""), ours(b"notes of mine")
    (True, True, True, False)
    """
    return lambda head: head.startswith(mark) or mark.startswith(head)


def head_of(path: Path, size: int = _HEAD) -> bytes | None:
    """Return the first bytes of a regular file; None where there is none.

    Raises:
        StoreError: what is there is a link, a folder, a pipe or the like.

    """
    try:
        descriptor = os.open(path, os.O_RDONLY | NO_LINK | _AT_ONCE | _BINARY)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"{path}: {_kind(path) or error.strerror or error}") from error
    try:
        check_regular(descriptor, path)
        return os.read(descriptor, size)
    finally:
        os.close(descriptor)


def check_regular(descriptor: int, path: Path) -> None:
    """Refuse a descriptor of what is no regular file.

    Raises:
        StoreError: it is none.

    """
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise StoreError(f"{path}: {_kind(path) or 'is no regular file'}")


def _kind(path: Path) -> str | None:
    """Return what to say of something that is no regular file; None of one."""
    try:
        mode = path.lstat().st_mode
    except OSError:
        return None
    if stat.S_ISLNK(mode):
        return "is a symbolic link, which byheart does not follow; remove it"
    return None if stat.S_ISREG(mode) else "is no regular file; move it away"


def clear(path: Path, ours: Ours) -> None:
    """Remove what a process that died has left, if anything.

    Raises:
        StoreError: what is there is not byheart's; it is left as it is.

    """
    head = head_of(path)
    if head is None:
        return
    if not ours(head):
        raise StoreError(f"{path}: byheart needs this name, and the file was not made by byheart; move it away")
    path.unlink(missing_ok=True)


def create(path: Path) -> int:
    """Return a descriptor of a new file, private to its owner.

    Raises:
        FileExistsError: there is one.

    """
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | NO_LINK | _BINARY, 0o600)


def put_in_place(new: Path, path: Path) -> None:
    """Give a file its name, which nothing has; no other file is replaced.

    Raises:
        FileExistsError: something has the name by now.

    """
    try:
        os.link(new, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without such names: the look and the change are then two steps
        if os.path.lexists(path):
            raise FileExistsError(f"{path} exists") from None
        new.rename(path)
    else:
        new.unlink()


def replaced(path: Path) -> StoreReplaced:
    """Return the error that says that the file of an open store is not at its place any more."""
    what = "was replaced by another file" if os.path.lexists(path) else "was moved or removed"
    return StoreReplaced(f"{path}: {what} while it was open; put it back, or open the memory again")
