"""A full disk, and other refusals of the system: each is an error of the store, and nothing is half done."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import byheart
from byheart.errors import InvalidArgument, StoreError

from .test_durability import folder, full_disk, ids, opened, path

__all__ = ["folder", "path"]  # fixtures

FULL = {
    "remember": lambda memory: memory.remember("A kettle.", id="new"),
    "remember_many": lambda memory: memory.remember_many([{"id": "new", "text": "A kettle."}, "And a pan."]),
    "update": lambda memory: memory.update("a", text="Coffee is brewed."),
    "forget": lambda memory: memory.forget("a"),
    "ingest_turn": lambda memory: memory.ingest_turn("I prefer tea.", session_id="s", user_id="u", durable="all"),
    "purge": lambda memory: memory.purge(now=2e9),
}


@pytest.mark.parametrize("verb", list(FULL))
@pytest.mark.parametrize("lock", ["own", "another's", "none"])
def test_a_full_disk_is_an_error_of_the_store_and_the_next_call_works(path: Path, verb: str, lock: str) -> None:
    """The lock's file names another process, or is not there: it is to be written, too."""
    with byheart.Memory(path, noise=None) as memory:
        memory.remember("Tea is steeped.", id="a", expires_at=1.9e9)
        before = {record.id: record.text for record in memory.records()}
        beside = path.with_name(path.name + ".byheart-lock")
        if lock == "another's" and beside.exists():
            beside.write_bytes(b"byheart 1\n")
        elif lock == "none":
            beside.unlink(missing_ok=True)
        for _ in range(2):
            with full_disk(), pytest.raises(StoreError, match=path.name):
                FULL[verb](memory)
            assert {record.id: record.text for record in memory.records()} == before
            with byheart.Memory(path, read_only=True) as other:
                assert {record.id: record.text for record in other.records()} == before
        FULL[verb](memory)
        after = {record.id: record.text for record in memory.records()}
        assert after != before and memory.check() == []
    with byheart.Memory(path, read_only=True) as other:
        assert {record.id: record.text for record in other.records()} == after
    assert not path.with_name(path.name + ".byheart-new").exists()


@pytest.mark.parametrize("lock", ["own", "another's"])
def test_a_lock_that_cannot_be_written_is_an_error_of_the_store_to_a_call_that_would_wait(
    path: Path, lock: str
) -> None:
    with opened(path) as memory:
        memory.remember("Tea is steeped.", id="a")
        memory.flush()
        if lock == "another's":
            path.with_name(path.name + ".byheart-lock").write_bytes(b"byheart 1\n")
        with full_disk(), pytest.raises(StoreError, match=path.name):
            memory.remember("A kettle.", id="b")
            memory.flush()
        assert ids(path) == ["a"]
        memory.remember("A kettle.", id="b")
        memory.flush()
        assert ids(path) == ["a", "b"]


@pytest.mark.parametrize("call", ["fsync", "replace", "open"])
def test_a_text_file_that_the_system_refuses_anything_of_is_an_error_of_the_store(
    folder: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(5, "Input/output error")

    path = folder / "memory.jsonl"
    memory = byheart.Memory(path, noise=None)
    memory.remember("Tea is steeped.", id="a")
    with monkeypatch.context() as patch:
        patch.setattr(Path if call == "replace" else os, call, refuse)
        with pytest.raises(StoreError, match=r"memory\.jsonl: Input/output error"):
            memory.remember("A kettle.", id="b")
    assert ids(path) == ["a"]
    memory.remember("A kettle.", id="b")
    assert ids(path) == ["a", "b"]


def test_a_text_file_that_cannot_be_read_is_an_error_of_the_store(folder: Path) -> None:
    path = folder / "memory.jsonl"
    memory = byheart.Memory(path, noise=None)
    memory.remember("Tea is steeped.", id="a")
    path.unlink()
    path.mkdir()
    for call in (memory.records, memory.check, lambda: memory.recall("tea"), lambda: memory.remember("rice")):
        with pytest.raises(StoreError, match=r"memory\.jsonl: Is a directory"):
            call()


@pytest.mark.parametrize("name", ["", "memory.db", "memory.jsonl"])
def test_an_export_that_cannot_be_written_is_an_error_of_the_store_and_leaves_nothing(folder: Path, name: str) -> None:
    with byheart.Memory(folder / name if name else None, noise=None) as memory:
        memory.remember("Tea is steeped.", id="a")
        with full_disk(), pytest.raises(StoreError, match=r"all\.jsonl: File too large"):
            memory.export_to(folder / "all.jsonl")
        assert not list(folder.glob("all.jsonl*"))
        assert memory.export_to(folder / "all.jsonl") == 1


LONG = "x" * 300


@pytest.mark.parametrize("name", [f"{LONG}.db", f"{LONG}.jsonl", LONG])
def test_a_name_that_the_system_refuses_is_an_error_of_the_store(folder: Path, name: str) -> None:
    place = folder / name
    with byheart.Memory(folder / "memory.db") as memory, byheart.Memory(folder / "memory.jsonl") as text:
        calls = [lambda: memory.backup(place), lambda: text.backup(place), lambda: memory.import_from(place)]
        if not name.endswith(".db"):
            calls.append(lambda: memory.export_to(place))
        for call in calls:
            with pytest.raises(StoreError, match="File name too long"):
                call()
    for read_only in (False, True):
        with pytest.raises(StoreError, match="File name too long"):
            byheart.Memory(place, read_only=read_only)


def test_a_name_that_no_file_can_have_is_refused_by_every_verb_that_takes_one(folder: Path) -> None:
    place = str(folder / "a\0b.jsonl")
    with byheart.Memory(folder / "memory.jsonl") as memory:
        for call in (memory.backup, memory.export_to, memory.import_from, byheart.Memory):
            with pytest.raises(InvalidArgument, match="NUL"):
                call(place)
