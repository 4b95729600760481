"""Every verb right after a call that waits, in a file that is not there yet: what was told is seen, and written."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import ByheartError, StoreError
from byheart.storage import delay
from byheart.storage.jsonl import JsonlStore
from byheart.storage.sqlite import SqliteStore

SPARED: Final = "bath"  # what no call here takes away
POLICY: Final = {"version": "0.1.0", "boundary_classes": {"public": {"allow": ["*"]}}}


def other(folder: Path) -> Path:
    with byheart.Memory(folder / "other.jsonl") as memory:
        memory.remember("The roof leaks.", id="roof")
    return folder / "other.jsonl"


def second(memory: byheart.Memory) -> byheart.Memory:
    store: Any = memory._engine.store
    return byheart.Memory(store=store_at(store.path))


def child_counts(memory: byheart.Memory) -> None:
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if memory.count() == 2 else 4)
        finally:
            os._exit(5)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def store_at(path: Path, **more: Any) -> JsonlStore | SqliteStore:
    """Return a store that was not told to make its file, as a path would have it made."""
    return (JsonlStore if path.suffix == ".jsonl" else SqliteStore)(path, **more)


CALLS: Final[dict[str, Callable[[byheart.Memory, Path], object]]] = {
    "activate": lambda m, _: m.activate("kettle", now=5.0),
    "active_context": lambda m, _: m.active_context("none"),
    "apply_policy": lambda m, _: m.apply_policy(POLICY),
    "backup": lambda m, folder: m.backup(folder / "backup.copy"),
    "check": lambda m, _: m.check(),
    "compact": lambda m, _: m.compact("s", force=True, now=9.0),
    "context": lambda m, _: m.context("kettle", 200),
    "count": lambda m, _: m.count(),
    "decay": lambda m, _: m.decay(now=9e6),
    "delete": lambda m, _: m.delete("kettle"),
    "embed": lambda m, _: m.embed(),
    "events": lambda m, _: m.events(),
    "expand": lambda m, _: m.expand("kettle"),
    "explain": lambda m, _: m.explain("kettle", "kettle"),
    "export_to": lambda m, folder: m.export_to(folder / "exported.jsonl"),
    "feedback": lambda m, _: m.feedback("kettle", "helpful", now=5.0),
    "flush": lambda m, _: m.flush(),
    "forget": lambda m, _: m.forget("kettle"),
    "get": lambda m, _: m.get("kettle"),
    "history": lambda m, _: m.history("kettle"),
    "import_from": lambda m, folder: m.import_from(other(folder)),
    "ingest_turn": lambda m, _: m.ingest_turn("The tap drips.", session_id="s", now=5.0),
    "observation": lambda m, _: m.observation("none"),
    "observe": lambda m, _: m.observe("chat", "the tide is low", now=5.0),
    "purge": lambda m, _: m.purge(now=5.0),
    "rebuild": lambda m, _: m.rebuild(),
    "recall": lambda m, _: m.recall("kettle"),
    "recall_many": lambda m, _: m.recall_many(["kettle", "bath"]),
    "records": lambda m, _: m.records(),
    "remember": lambda m, _: m.remember("The roof leaks.", id="roof"),
    "remember_many": lambda m, _: m.remember_many([{"id": "roof", "text": "The roof leaks."}]),
    "replace_sources": lambda m, _: m.replace_sources({"doc": []}),
    "search": lambda m, _: m.search("kettle", now=5.0),
    "sessions": lambda m, _: m.sessions(),
    "stats": lambda m, _: m.stats(),
    "tenants": lambda m, _: m.tenants(),
    "touch": lambda m, _: m.touch("kettle", now=5.0),
    "update": lambda m, _: m.update("kettle", text="The kettle is mended."),
    "upsert": lambda m, _: m.upsert("A tidal chart.", provenance={"at": 1.0}, boundary_class="internal", now=5.0),
    "users": lambda m, _: m.users(),
    "validate": lambda m, _: m.validate("kettle"),
    "version": lambda m, _: m.version("kettle"),
    "repair": lambda m, _: m.check(repair=True),
    "a second handle": lambda m, _: second(m).records(),
    **({"a fork": lambda m, _: child_counts(m)} if hasattr(os, "fork") else {}),
}
NO_CALLS: Final = {"close", "invariants", "opened", "policy"}


@pytest.fixture(params=["memory.db", "memory.jsonl"])
def path(request: pytest.FixtureRequest, tmp_path: Path, slow: None) -> Path:
    return tmp_path / str(request.param)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have calls wait so long that the test says when they are written."""
    monkeypatch.setattr(delay, "_SECONDS", 60.0)


def test_all_verbs_are_called() -> None:
    verbs = {name for name in vars(byheart.Memory) if not name.startswith("_")}
    waited_for = {name for name in verbs if inspect.iscoroutinefunction(getattr(byheart.Memory, name))}
    assert len(waited_for) >= 30
    assert verbs - waited_for - NO_CALLS - CALLS.keys() == set()


@pytest.mark.parametrize("verb", CALLS)
def test_what_was_acknowledged_is_seen_and_written(path: Path, verb: str) -> None:
    embedder = HashingEmbedder(64) if verb == "embed" else None
    store = store_at(path, durability="normal")
    with byheart.Memory(store=store, noise=None, embedder=embedder) as memory:
        memory.remember("The kettle leaks.", id="kettle", session_id="s", kind="turn", created_at=1.0)
        memory.remember("The bath is full.", id=SPARED, created_at=1.0)
        assert store._delay.calls == 2
        try:
            CALLS[verb](memory, path.parent)
        except ByheartError as error:  # of a record that is no summary, or of no context
            assert not isinstance(error, StoreError)
        seen = {record.id for record in memory.records()}
        assert SPARED in seen
        assert ("kettle" in seen) == (verb not in ("forget", "delete"))
        assert {hit.id for hit in memory.recall("bath full")} >= {SPARED}
        memory.flush()
        assert {record.id for record in memory.records()} == seen
    with byheart.Memory(store=store_at(path)) as again:
        assert {record.id for record in again.records()} == seen


def refused(made: object) -> None:
    raise OSError(28, "no room")


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("others", [b"another program's\n", b"", None])
def test_what_could_not_be_written_is_told_and_what_comes_then_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, others: bytes | None
) -> None:
    """Another program takes the place of a text file while a call waits: that is told once, and the memory goes on."""
    path = tmp_path / "memory.jsonl"
    store = JsonlStore(path, durability="normal")
    with byheart.Memory(store=store, noise=None) as memory:
        memory.remember("The kettle leaks.", id="kettle")
        with monkeypatch.context() as patch:
            if others is None:
                patch.setattr(store._text.file, "replace", refused)
            else:
                path.write_bytes(others)
            with pytest.raises(StoreError, match="a call that had returned"):
                memory.flush()
        path.unlink(missing_ok=True)
        memory.rebuild()
        assert memory.records() == []
        memory.remember("The roof leaks.", id="roof")
        memory.rebuild()
        assert [record.id for record in memory.records()] == ["roof"]
    with byheart.Memory(path) as again:
        assert [record.id for record in again.records()] == ["roof"]
