"""A generation is saved beside the writers: who remembers does not wait for it, and loses nothing by that."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.index.partition import Partition
from byheart.storage import key_of
from byheart.storage.sqlite import SqliteStore

PATIENCE = 10.0  # seconds, for what takes milliseconds


class Saving:
    """Stops a generation where the core gives its bytes; whoever changes the indexes waits, as at the core's lock."""

    def __init__(self, memory: byheart.Memory, monkeypatch: pytest.MonkeyPatch) -> None:
        self._begun, self._go = threading.Event(), threading.Event()
        sections, put = Partition.sections, Partition.put

        def stopping(partition: Partition, **how: bool) -> Iterator[tuple[str, bytes]]:
            self._begun.set()
            assert self._go.wait(PATIENCE)
            yield from sections(partition, **how)

        def waiting(partition: Partition, *given: Any) -> None:
            assert self._go.wait(PATIENCE)
            put(partition, *given)

        monkeypatch.setattr(Partition, "sections", stopping)
        monkeypatch.setattr(Partition, "put", waiting)
        self._saved: list[bool] = []
        self._thread = threading.Thread(target=lambda: self._saved.append(memory._engine.indexes.save(at_least=0)))
        self._thread.start()
        assert self._begun.wait(PATIENCE)

    def end(self) -> None:
        self._go.set()
        self._thread.join(PATIENCE)
        assert self._saved == [True]


def beside(call: Callable[[], Any]) -> tuple[threading.Thread, list[Any]]:
    """Start a call in a thread; return that, and where its answer comes."""
    gave: list[Any] = []
    thread = threading.Thread(target=lambda: gave.append(call()), daemon=True)
    thread.start()
    return thread, gave


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


def test_who_remembers_does_not_wait_for_a_generation(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with byheart.Memory(path, noise=None) as memory:
        memory.remember_many([{"id": f"r{n}", "text": f"tea {n}"} for n in range(20)])
        saving = Saving(memory, monkeypatch)
        for number in range(3):
            thread, gave = beside(lambda n=number: memory.remember(f"rice {n}", id=f"new{n}"))
            thread.join(PATIENCE / 2)
            assert gave == [f"new{number}"], "it waits for the indexes, which are being saved"
        with SqliteStore(path) as other:
            assert sum(found.id in ("new0", "new1", "new2") for found in other.load()) == 3, "durable on return"
        saving.end()
        assert sorted(hit.id for hit in memory.recall("rice", 3).hits) == ["new0", "new1", "new2"]
        assert memory.check() == []
        monkeypatch.undo()
        memory._engine.store.close()  # nothing more is saved
    with byheart.Memory(path, noise=None) as memory:
        assert memory.opened == "opened generation 20"
        assert sorted(hit.id for hit in memory.recall("rice", 3).hits) == ["new0", "new1", "new2"]
        assert memory.check() == []


def test_what_is_remembered_twice_meanwhile_is_one_record(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with byheart.Memory(path, noise=None) as memory:
        memory.remember("tea", id="a")
        saving = Saving(memory, monkeypatch)
        first, _ = beside(lambda: memory.remember("rice", id="new"))
        first.join(PATIENCE / 2)
        second, gave = beside(lambda: memory.remember("oats", id="new", scope="other"))
        saving.end()
        second.join(PATIENCE)
        assert gave == ["new"] and [record.text for record in memory.records()] == ["tea", "oats"]
        assert memory.check() == []


def test_what_indexes_refuse_that_are_behind_is_looked_at_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An id of two cells is ambiguous; another process has left one of them."""
    with byheart.Memory(path, noise=None) as memory:
        memory.remember("tea", id="a", scope="one")
        here = memory.get("a")
        memory._engine.store.write([here.completed(scope="two")], [])
        assert memory.count() == 2
        saving = Saving(memory, monkeypatch)
        with SqliteStore(path) as other:
            other.write([], [key_of(here)])
        thread, gave = beside(lambda: memory.remember("rice", id="a", scope="three"))
        saving.end()
        thread.join(PATIENCE)
        assert gave == ["a"]
        assert [(record.text, record.scope) for record in memory.records()] == [("rice", "three")]
        assert memory.check() == []


def test_who_forgets_waits_for_the_generation_and_leaves_nothing_in_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with byheart.Memory(path, noise=None) as memory:
        memory.remember_many([{"id": "a", "text": "zebraquux"}, {"id": "b", "text": "tea"}])
        saving = Saving(memory, monkeypatch)
        thread, gave = beside(lambda: memory.forget("a"))
        saving.end()
        thread.join(PATIENCE)
        assert gave[0].ids == ("a",)
        files = [file for file in path.parent.rglob("*") if file.is_file()]
        assert files and not any(b"zebraquux" in file.read_bytes() for file in files)
