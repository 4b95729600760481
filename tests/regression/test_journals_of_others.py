"""SQLite plays a journal into whatever file it lies beside: a memory was written over with pages of another one."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from byheart import Memory
from byheart.errors import StoreError

from .files_of_texts import held, remember

MARK = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"  # of a journal that SQLite plays in
CHANGES = {
    "records": ("UPDATE claims SET content = zeroblob(3000)",),
    "longer records": ("UPDATE claims SET content = zeroblob(30000)",),
    "a table more": ("CREATE TABLE t (x)", "UPDATE claims SET content = zeroblob(30000)"),
    "a table less": ("DELETE FROM claims", "DROP TABLE claims"),
}
REFUSED = r"notes\.db-journal: .*move it away"


def stopped(path: Path, copy: Path, *changes: str) -> Path:
    """Copy a file as a process leaves it that is stopped amid these changes; return the copy's journal."""
    journal = path.with_name(f"{path.name}-journal")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA cache_size = 1")  # so that changed pages are written before the end
    other.execute("BEGIN IMMEDIATE")
    for change in changes:
        other.execute(change)
    copied = copy.with_name(f"{copy.name}-journal")
    shutil.copy(path, copy)
    shutil.copy(journal, copied)
    other.execute("ROLLBACK")
    other.close()
    return copied


def of_another_program(folder: Path, page_bytes: int) -> Path:
    path = folder / f"other-{page_bytes}"
    other = sqlite3.connect(path)
    other.execute(f"PRAGMA page_size = {page_bytes}")
    other.execute("CREATE TABLE t (x)")
    other.executemany("INSERT INTO t VALUES (?)", [("x" * 100,)] * 2_000)
    other.commit()
    other.close()
    return stopped(path, folder / "taken", "UPDATE t SET x = 'y' || x")


def of_another_memory(folder: Path) -> Path:
    remember(folder / "rice.db", *map(str, range(40)))
    return stopped(folder / "rice.db", folder / "taken", *CHANGES["a table more"])


def of_an_older_version(folder: Path) -> Path:
    path = folder / "notes.db"
    remember(path, *map(str, range(40)))
    taken = stopped(path, folder / "taken", *CHANGES["a table more"])
    remember(path, "rice", "salt")
    return taken


@pytest.mark.parametrize(
    "make",
    [
        lambda folder: of_another_program(folder, 8_192),
        lambda folder: of_another_program(folder, 4_096),
        of_another_memory,
        of_an_older_version,
    ],
    ids=["another program's", "with other pages", "another memory's", "of an older version"],
)
def test_a_journal_of_another_file_is_not_played_in(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    path, journal = tmp_path / "notes.db", tmp_path / "notes.db-journal"
    remember(path)
    taken = make(tmp_path).read_bytes()
    assert taken.startswith(MARK)
    before, known = path.read_bytes(), held(path)
    journal.write_bytes(taken)
    for read_only in (False, True, False):
        with pytest.raises(StoreError, match=REFUSED):
            Memory(path, read_only=read_only)
    assert path.read_bytes() == before
    assert journal.read_bytes() == taken
    journal.unlink()
    assert held(path) == known


@pytest.mark.parametrize("changes", CHANGES.values(), ids=CHANGES)
def test_the_journal_of_the_memory_itself_is_played_in(tmp_path: Path, changes: tuple[str, ...]) -> None:
    names = [f"{number:03}" for number in range(60)]
    remember(tmp_path / "made.db", *names)
    journal = stopped(tmp_path / "made.db", tmp_path / "notes.db", *changes)
    assert journal.read_bytes().startswith(MARK)
    assert held(tmp_path / "notes.db") == names
    assert not journal.exists() or not journal.stat().st_size


def test_a_journal_beside_a_file_that_others_write_is_theirs(tmp_path: Path) -> None:
    """Amid a write of another process there is a journal, and the file is opened as ever."""
    path = tmp_path / "notes.db"
    remember(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    other.execute("UPDATE state SET sequence = sequence")
    other.execute("CREATE TABLE t (x)")
    assert (tmp_path / "notes.db-journal").stat().st_size
    with Memory(path, read_only=True) as memory:
        assert memory.get("tea")
    other.execute("ROLLBACK")
    other.close()
