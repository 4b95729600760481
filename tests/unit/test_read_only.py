"""A memory that is only read: it answers, leaves nothing behind, and refuses every write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import InvalidArgument, ReadOnlyStore
from byheart.index import saving
from byheart.storage import InProcessStore
from byheart.storage.sqlite import SqliteStore

EMBEDDER = HashingEmbedder(16)

WRITES: dict[str, Callable[[byheart.Memory], object]] = {
    "remember": lambda m: m.remember("rice", id="rice"),
    "remember_many": lambda m: m.remember_many(["rice"]),
    "replace_sources": lambda m: m.replace_sources({}),
    "update": lambda m: m.update("tea", topic="x"),
    "forget": lambda m: m.forget("unknown"),
    "forget where": lambda m: m.forget(where={"id": "tea"}),
    "purge": lambda m: m.purge(),
    "touch": lambda m: m.touch("unknown"),
    "ingest_turn": lambda m: m.ingest_turn("hello!", session_id="s"),
    "compact": lambda m: m.compact("s"),
    "embed": lambda m: m.embed(EMBEDDER),
}


@pytest.fixture(params=["memory.db", "memory.jsonl", "a store of one's own"])
def opened(tmp_path: Path, request: pytest.FixtureRequest) -> Callable[..., byheart.Memory]:
    """Return what opens a memory of some turns and a summary again."""
    store = InProcessStore()
    how = {"path": tmp_path / request.param} if request.param.startswith("memory") else {"store": store}

    def open_one(**more: object) -> byheart.Memory:
        return byheart.Memory(**how, embedder=EMBEDDER, noise=None, **more)

    memory = open_one()
    memory.remember("steep the tea", id="tea")
    for number in (1, 2):
        memory.remember(f"We meet at {number}.", id=f"t{number}", session_id="s", created_at=number)
    memory.compact("s", force=True)
    if request.param.startswith("memory"):
        memory.close()
    return open_one


def left(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_it_answers_and_leaves_everything_as_it_was(opened: Callable[..., byheart.Memory], tmp_path: Path) -> None:
    before = left(tmp_path)
    memory = opened(read_only=True)
    assert memory.recall("tea").hits[0].id == memory.get("tea").id == "tea"
    [summary] = memory.records({"kind": "summary"})
    assert [turn.id for turn in memory.expand(summary.id)] == ["t1", "t2"]
    assert memory.count() == 4 and memory.stats()["records"] == 2
    memory.rebuild()
    assert memory.get(summary.id).access_count == 0
    if before:
        memory.close()
    assert left(tmp_path) == before


@pytest.mark.parametrize("verb", WRITES)
def test_every_write_is_refused(opened: Callable[..., byheart.Memory], tmp_path: Path, verb: str) -> None:
    memory = opened(read_only=True)
    before, records = left(tmp_path), memory.records()
    with pytest.raises(ReadOnlyStore):
        WRITES[verb](memory)
    assert memory.records() == records and left(tmp_path) == before


@pytest.mark.parametrize("name", ["memory.db", "memory.jsonl"])
def test_no_file_is_made(tmp_path: Path, name: str) -> None:
    with pytest.raises(ReadOnlyStore, match="does not exist"):
        byheart.Memory(tmp_path / "folder" / name, read_only=True)
    assert list(tmp_path.iterdir()) == []


def test_there_must_be_something_to_read(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="there is nothing to be read"):
        byheart.Memory(read_only=True)
    with pytest.raises(InvalidArgument, match="makes no vectors anew"):
        byheart.Memory(tmp_path / "m.db", embedder=EMBEDDER, reembed=True, read_only=True)


def test_a_store_without_a_model_gets_none(tmp_path: Path) -> None:
    with byheart.Memory(tmp_path / "m.db") as memory:
        memory.remember("steep the tea", id="tea")
    with byheart.Memory(tmp_path / "m.db", embedder=EMBEDDER, read_only=True) as memory:
        assert memory.recall("tea", profile="dense").hits[0].id == "tea"
    with byheart.Memory(tmp_path / "m.db", embedder=HashingEmbedder(32)) as memory:
        assert memory.embed().made == 1, "the first to write names the model"


def test_saved_indexes_are_taken_if_the_store_is_only_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saving, "MIN_CHANGES", 1)
    with byheart.Memory(tmp_path / "m.db") as memory:
        memory.remember("steep the tea", id="tea")
    with byheart.Memory(tmp_path / "m.db", read_only=True) as memory:
        assert memory.opened == "opened generation 1"
        assert memory.recall("tea").hits[0].id == "tea"
    with SqliteStore(tmp_path / "m.db") as store:
        opened = byheart.Memory(store=store, read_only=True).opened
        assert opened == "indexed 1 records", "who looks through generations of a store that is written drops some"
