"""A migration of a store file, and the backup that is written beside it first.

Laws: the file is migrated in one transaction, so that a process that dies leaves it as it was; before that, a copy of
it lies beside it under a name of its own (`NAME.byheart-backup-1`: the format that it is of), made exclusively, whole
and on the medium, private to its owner. No file that is there is replaced.

The copy holds what the file held, for good: what is forgotten later is forgotten in the file, not there. So every
opening names it as long as it lies there, and its owner removes it once all is well.
"""

import os
import sqlite3
from itertools import count
from pathlib import Path

from .connection import connect
from .locking import sync_folder
from .schema import VERSION, migrate, version_of

SUFFIX = ".byheart-backup-"


def backups(path: Path) -> list[Path]:
    """Return the copies that lie beside a store file since it was migrated, in order of their names."""
    try:
        found = [each for each in path.parent.iterdir() if each.name.startswith(f"{path.name}{SUFFIX}")]
    except OSError:
        return []
    return sorted(found)


def notes(path: Path) -> list[str]:
    """Return what to say of the copies beside a store file."""
    return [
        f"{found.name}: the file as it was before it was migrated; forgetting does not reach it, remove it"
        for found in backups(path)
    ]


def migrate_file(connection: sqlite3.Connection, path: Path) -> None:
    """Copy a file of an older format, and bring it to today's; the caller has begun a transaction that writes.

    Raises:
        OSError, sqlite3.Error: the copy cannot be written; the file is as it was.

    """
    version = version_of(connection, str(path))
    if version < VERSION:
        copy = back_up(path, version)
        try:
            migrate(connection, version)
        except BaseException:
            copy.unlink(missing_ok=True)  # the file is as it was, and the next attempt makes another
            raise


def back_up(path: Path, version: int) -> Path:
    """Write a copy of a file that nobody writes to meanwhile, and return where; durable on return.

    It is read through SQLite: another descriptor of the file, once closed, would take this process's locks with it.
    """
    names = (f"{path.name}{SUFFIX}{version}{f'-{number}' if number else ''}" for number in count())
    place = next(filter(_made, map(path.with_name, names)))
    try:
        _copy(path, place)
    except BaseException:
        place.unlink(missing_ok=True)
        raise
    return place


def _made(place: Path) -> bool:
    """Return whether an empty file was made there, since none was."""
    try:
        os.close(os.open(place, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    return True


def _copy(path: Path, place: Path) -> None:
    source = connect(path, read_only=True)
    try:
        target = sqlite3.connect(place)
        try:
            target.execute("PRAGMA journal_mode = MEMORY").fetchall()  # no other file is made for it
            target.execute("PRAGMA fullfsync = ON").fetchall()
            source.backup(target)
        finally:
            target.close()
    finally:
        source.close()
    descriptor = os.open(place, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    sync_folder(place.parent)
