"""Other programs at a memory file: one that turns a write-ahead log on, one that puts another file in its place."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from byheart import Memory
from byheart.errors import StoreBusy, StoreReplaced
from byheart.storage.sqlite import SqliteStore

CANARY = "the canary sings at dawn"
posix_only = pytest.mark.skipif(os.name != "posix", reason="open files can be moved as on POSIX")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


def opened(path: Path) -> Memory:
    return Memory(store=SqliteStore(path, lock_seconds=0.2), noise=None)


def logging(path: Path) -> sqlite3.Connection:
    """Return a connection of another program, which has turned the log on and goes on reading."""
    other = sqlite3.connect(path)
    assert other.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
    other.execute("SELECT count(*) FROM claims").fetchall()
    return other


def left_in(folder: Path) -> list[str]:
    files = [file for file in folder.rglob("*") if file.is_file()]
    return [file.name for file in files if b"canary" in file.read_bytes()]


@pytest.mark.parametrize("before", [True, False], ids=["before it is opened", "under an open handle"])
def test_erasing_erases_though_another_program_turned_a_log_on(path: Path, before: bool) -> None:
    with opened(path) as first:
        first.remember(CANARY, id="canary")
        first.remember("tea", id="tea")
        memory = first
        if before:
            first.close()
            other = logging(path)
            memory = opened(path)
        else:
            other = logging(path)
        with memory:
            assert {record.id for record in memory.records()} == {"canary", "tea"}, "reading goes on"
            with pytest.raises(StoreBusy, match="write-ahead log on and has the file open"):
                memory.forget("canary")
            assert {record.id for record in memory.records()} == {"canary", "tea"}
            other.close()
            assert memory.forget("canary").ids == ("canary",)
            assert left_in(path.parent) == []
            assert not list(path.parent.glob("*-wal"))
            assert memory.check() == []


def test_a_log_that_a_program_left_behind_is_played_in_and_gone(path: Path) -> None:
    with opened(path) as memory:
        memory.remember(CANARY, id="canary")
        other = logging(path)
        other.execute("UPDATE state SET sequence = sequence")  # writes a page into the log
        other.commit()
        copy = path.with_name("copy.db")
        shutil.copy(path, copy)
        shutil.copy(path.with_name("memory.db-wal"), copy.with_name("copy.db-wal"))
        other.close()
    with opened(copy) as memory:
        assert memory.forget("canary").ids == ("canary",)
        assert not list(path.parent.glob("copy.db-wal"))
        assert b"canary" not in copy.read_bytes()


VERBS: dict[str, Callable[[Memory], object]] = {
    "recall": lambda memory: memory.recall("tea"),
    "records": lambda memory: memory.records(),
    "get": lambda memory: memory.get("tea"),
    "count": lambda memory: memory.count(),
    "remember": lambda memory: memory.remember("more tea"),
    "forget": lambda memory: memory.forget("tea"),
    "check": lambda memory: memory.check(),
    "stats": lambda memory: memory.stats(),
}


@posix_only
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("how", ["replaced", "replaced by an equal one", "removed"])
def test_a_file_that_was_replaced_is_noticed_by_the_next_call(path: Path, verb: str, how: str) -> None:
    with opened(path) as memory:
        memory.remember("a cup of tea", id="tea")
        memory.recall("tea")
        aside = path.with_name("aside.db")
        shutil.copy(path, aside)
        path.rename(path.with_name("moved.db"))
        if how == "replaced":
            with opened(path) as other:
                other.remember("something else", id="else")
        elif how == "replaced by an equal one":
            aside.rename(path)
        before = path.read_bytes() if path.exists() else None
        for _ in range(2):
            with pytest.raises(StoreReplaced, match=r"memory\.db: was (replaced|moved or removed)"):
                VERBS[verb](memory)
        assert (path.read_bytes() if path.exists() else None) == before
        path.unlink(missing_ok=True)
        path.with_name("moved.db").rename(path)
        VERBS[verb](memory)
        assert memory.check() == []
