"""Other programs at a memory file: one that turns a write-ahead log on, one that puts another file in its place."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from byheart import Memory
from byheart.errors import StoreBusy, StoreError, StoreReplaced
from byheart.storage.jsonl import JsonlStore
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
        other.executescript("CREATE TABLE theirs (x); DROP TABLE theirs")  # writes pages into the log
        assert path.with_name("memory.db-wal").stat().st_size
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


def opened_text(path: Path) -> Memory:
    return Memory(store=JsonlStore(path, lock_seconds=0.2), noise=None)


TEXT_VERBS = VERBS | {
    "update": lambda memory: memory.update("tea", importance=0.7),
    "purge": lambda memory: memory.purge(),
    "ingest_turn": lambda memory: memory.ingest_turn("I have moved to Bern for good.", session_id="s"),
    "context": lambda memory: memory.context("tea", 100),
    "explain": lambda memory: memory.explain("tea", "tea"),
    "history": lambda memory: memory.history("tea"),
    "export_to": lambda memory: memory.export_to(Path(tempfile.mkdtemp()) / "out.jsonl"),
    "backup": lambda memory: memory.backup(Path(tempfile.mkdtemp()) / "copy.jsonl"),
}


@pytest.mark.parametrize("verb", TEXT_VERBS)
@pytest.mark.parametrize("how", ["moved", "removed", "its folder moved"])
def test_a_text_file_that_was_moved_is_noticed_by_the_next_call(tmp_path: Path, verb: str, how: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    path = folder / "memory.jsonl"
    with opened_text(path) as memory:
        memory.remember("a cup of tea", id="tea")
        memory.recall("tea")
        held = path.read_bytes()
        if how == "its folder moved":
            folder.rename(tmp_path / "elsewhere")
        elif how == "moved":
            path.rename(tmp_path / "moved.jsonl")
        else:
            path.unlink()
        for _ in range(2):
            with pytest.raises(StoreReplaced, match=r"memory\.jsonl: was moved or removed while it was open"):
                TEXT_VERBS[verb](memory)
        assert not path.exists(), "no file is made with what came last alone"
        if how == "its folder moved":
            (tmp_path / "elsewhere").rename(folder)
        elif how == "moved":
            (tmp_path / "moved.jsonl").rename(path)
        else:
            path.write_bytes(held)
        TEXT_VERBS[verb](memory)
        assert memory.check() == []


@pytest.mark.parametrize("verb", ["recall", "records", "get", "count", "remember", "forget", "check", "stats"])
def test_a_text_file_that_was_replaced_is_read_by_the_next_call(tmp_path: Path, verb: str) -> None:
    """Editors and other processes put a new file in its place; what it says from then on is what they wrote."""
    path, other = tmp_path / "memory.jsonl", tmp_path / "other.jsonl"
    with opened_text(other) as memory:
        memory.remember("a pot of tea", id="tea")
        memory.remember("tea for two", id="two")
    with opened_text(path) as memory:
        memory.remember("a cup of tea", id="tea")
        memory.remember("an old tale", id="old")
        memory.recall("tea")
        path.rename(tmp_path / "moved.jsonl")
        other.rename(path)
        found = VERBS[verb](memory)
        if verb == "get":
            assert getattr(found, "text", None) == "a pot of tea"
        if verb == "recall":
            assert {hit.id for hit in memory.recall("tea").hits} == {"tea", "two"}
        kept = {"forget": {"two"}, "remember": {"tea", "two", *([found] if isinstance(found, str) else [])}}
        assert {record.id for record in memory.records()} == kept.get(verb, {"tea", "two"})
        assert memory.check() == []


@posix_only
@pytest.mark.parametrize("when", ["moved before the fork", "moved after the fork", "opened by the child"])
@pytest.mark.parametrize("verb", ["recall", "remember"])
def test_another_process_notices_that_a_text_file_was_moved(tmp_path: Path, when: str, verb: str) -> None:
    path, moved = tmp_path / "memory.jsonl", tmp_path / "moved.jsonl"
    with opened_text(path) as memory:
        memory.remember("a cup of tea", id="tea")
        if when == "moved before the fork":
            path.rename(moved)
        to_child, from_parent = os.pipe()[::-1], os.pipe()
        child = os.fork()
        if child == 0:
            code = 1
            try:
                mine = memory if when != "opened by the child" else opened_text(path)
                if when != "moved before the fork":
                    mine.recall("tea")
                os.write(to_child[0], b"r")
                os.read(from_parent[0], 1)
                VERBS[verb](mine)
            except StoreReplaced:
                code = 0
            finally:
                os._exit(code)
        assert os.read(to_child[1], 1) == b"r"
        if when != "moved before the fork":
            path.rename(moved)
        os.write(from_parent[1], b"g")
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        with pytest.raises(StoreReplaced):
            VERBS[verb](memory)
        assert not path.exists()
        for end in (*to_child, *from_parent):
            os.close(end)


def test_calls_that_wait_for_a_text_file_that_is_moved_are_told(tmp_path: Path) -> None:
    path, moved = tmp_path / "memory.jsonl", tmp_path / "moved.jsonl"
    store = JsonlStore(path, durability="normal")
    memory = Memory(store=store, noise=None)
    memory.remember("a cup of tea", id="tea")
    store.settle()
    memory.remember("a pot of tea", id="pot")
    path.rename(moved)
    with pytest.raises(StoreError, match="moved or removed"):
        memory.recall("tea")
    with suppress(StoreError):  # unless the thread that writes later has come first
        store.settle()
    assert not path.exists()
    moved.rename(path)
    with suppress(StoreError):  # unless the recall was the one to be told
        memory.records()
    assert {record.id for record in memory.records()} == {"tea"}, "what could not be written is undone"
    memory.close()
