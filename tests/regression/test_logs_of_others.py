"""SQLite plays a log into whatever file it lies beside, and removes it: one with a memory in it, or of others, too."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from byheart import Memory
from byheart.errors import InvalidArgument, StoreError

from .files_of_texts import held, remember

MINE = b"what somebody else keeps here\n" * 20
posix_only = pytest.mark.skipif(os.name != "posix", reason="links need no rights there")


@pytest.fixture
def log(tmp_path: Path) -> bytes:
    """Return the log that another program has left, of another file."""
    other = sqlite3.connect(tmp_path / "other")
    other.execute("PRAGMA page_size = 8192")
    other.execute("PRAGMA journal_mode = WAL")
    other.execute("CREATE TABLE t (x)")
    other.executemany("INSERT INTO t VALUES (?)", [(f"row {number}",) for number in range(3_000)])
    other.commit()
    taken = (tmp_path / "other-wal").read_bytes()
    other.close()
    assert len(taken) > 8_192
    return taken


@pytest.mark.parametrize("there", [True, False], ids=["memory there", "new memory"])
def test_a_file_that_has_the_name_of_a_log_stays(tmp_path: Path, there: bool) -> None:
    if there:
        remember(tmp_path / "notes.db")
    (tmp_path / "notes.db-wal").write_bytes(MINE)
    with pytest.raises(StoreError, match=r"notes\.db-wal: .*move it away"):
        remember(tmp_path / "notes.db", "rice")
    assert (tmp_path / "notes.db-wal").read_bytes() == MINE
    assert (tmp_path / "notes.db").exists() == there
    (tmp_path / "notes.db-wal").unlink()
    assert held(tmp_path / "notes.db") == (["tea"] if there else [])


@pytest.mark.parametrize("there", [True, False], ids=["memory there", "new memory"])
def test_a_log_of_another_file_is_not_played_in(tmp_path: Path, log: bytes, there: bool) -> None:
    if there:
        remember(tmp_path / "notes.db")
    (tmp_path / "notes.db-wal").write_bytes(log)
    for _ in range(2):
        with pytest.raises(StoreError, match=r"notes\.db-wal: .*move it away"):
            Memory(tmp_path / "notes.db")
    with pytest.raises(StoreError, match=r"notes\.db-wal: .*move it away"):
        Memory(tmp_path / "notes.db", read_only=True)
    assert (tmp_path / "notes.db-wal").read_bytes() == log
    assert not (tmp_path / "notes.db-shm").exists()
    (tmp_path / "notes.db-wal").unlink()
    assert held(tmp_path / "notes.db") == (["tea"] if there else [])


def test_an_older_copy_is_not_written_over_from_a_log_that_stayed(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    remember(path, "tea")
    shutil.copy(path, tmp_path / "older")
    remember(path, "rice")
    other = sqlite3.connect(path)
    other.execute("PRAGMA journal_mode = WAL")
    other.execute("UPDATE state SET sequence = sequence + 1")
    other.commit()
    taken = (tmp_path / "notes.db-wal").read_bytes()
    assert taken
    other.close()
    (tmp_path / "older").replace(path)
    (tmp_path / "notes.db-wal").write_bytes(taken)
    with pytest.raises(StoreError, match=r"notes\.db-wal: .*move it away"):
        Memory(path)
    (tmp_path / "notes.db-wal").unlink()
    assert held(path) == ["tea"]


def test_an_empty_log_is_none(tmp_path: Path) -> None:
    (tmp_path / "notes.db-wal").touch()
    remember(tmp_path / "notes.db")
    assert held(tmp_path / "notes.db") == ["tea"]


@posix_only
def test_what_is_no_file_in_the_place_of_a_log_is_named(tmp_path: Path) -> None:
    (tmp_path / "mine").write_bytes(MINE)
    (tmp_path / "notes.db-wal").symlink_to(tmp_path / "mine")
    os.mkfifo(tmp_path / "more.db-wal")
    for name, what in {"notes.db": "is a symbolic link", "more.db": "is no regular file"}.items():
        with pytest.raises(StoreError, match=rf"{name}-wal: {what}"):
            remember(tmp_path / name)
        assert os.path.lexists(tmp_path / f"{name}-wal")
    assert (tmp_path / "mine").read_bytes() == MINE


@pytest.mark.parametrize("ending", ["-wal", "-shm"])
def test_a_memory_that_has_the_name_of_what_another_needs_is_not_lost(tmp_path: Path, ending: str) -> None:
    beside = tmp_path / f"notes.db{ending}"
    remember(beside, "rice")
    assert held(beside) == ["rice"], "nothing else has use for the name"
    if ending == "-wal":
        with pytest.raises(StoreError, match=r"notes\.db-wal: .*move it away"):
            remember(tmp_path / "notes.db")
    assert held(beside) == ["rice"]
    beside.rename(tmp_path / "rice.db")
    remember(tmp_path / "notes.db")
    with Memory(tmp_path / "notes.db", noise=None) as memory:
        with pytest.raises(InvalidArgument, match=rf"notes\.db{ending} is a name that notes\.db needs"):
            Memory(beside)
        memory.remember("more tea", id="more")
    assert held(tmp_path / "notes.db") == ["more", "tea"]


@pytest.mark.parametrize("name", ["notes.db", "notes.jsonl"])
@pytest.mark.parametrize("ending", [".byheart-new", ".byheart-lock", ".byheart-backing-up"])
def test_a_memory_takes_no_name_under_which_byheart_clears_up(tmp_path: Path, name: str, ending: str) -> None:
    with pytest.raises(InvalidArgument, match=rf"{name}{ending} is a name that {name} needs"):
        remember(tmp_path / f"{name}{ending}")
    assert list(tmp_path.iterdir()) == []
