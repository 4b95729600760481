"""Ctrl-C at each line of a write: what was under way is whole or not there, and the next call works, in any thread.

The interrupt is raised by a trace function, before one line of the package after the other is run: every place where
Python itself would raise it, and more. The handle lives on through all of them, as that of a program does.
"""

from __future__ import annotations

import linecache
import os
import sys
import threading
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import byheart
from byheart import Memory, Record
from byheart.embedding import HashingEmbedder
from byheart.storage import InProcessStore
from byheart.storage.jsonl import JsonlStore
from byheart.storage.sqlite import SqliteStore

PACKAGE = str(Path(byheart.__file__).parent)
NUMBERS = count()
POINTS = 16  # of a verb and a store; all of them in the long run
PATIENCE = 8.0  # seconds
SESSION = "s"
Verb = Callable[[Memory], object]


@cache
def _cannot_be_interrupted(file: str, line: int) -> bool:
    """Return whether Python raises nothing before a line.

    The line that begins a block is met again at the block's end, before the lock is let go of; and what a `finally`
    does first, without a call, follows what it stands for.
    """
    text, before = (linecache.getline(file, number).strip() for number in (line, line - 1))
    return text.startswith("with ") or (before == "finally:" and "(" not in text)


def lines_of(run: Callable[[], object], stop_at: int | None = None) -> int:
    """Run something and return how many lines of the package that took; raise KeyboardInterrupt before one of them."""
    seen = 0

    def at_line(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal seen
        if event == "line" and not _cannot_be_interrupted(frame.f_code.co_filename, frame.f_lineno):
            seen += 1
            if seen == stop_at:
                raise KeyboardInterrupt(f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}")
        return at_line

    def at_call(frame: FrameType, event: str, argument: Any) -> Any:
        return at_line if frame.f_code.co_filename.startswith(PACKAGE) else None

    before = sys.gettrace()
    sys.settrace(at_call)
    try:
        run()
    finally:
        sys.settrace(before)
    return seen


def remember(memory: Memory) -> object:
    return memory.remember(f"tea {next(NUMBERS)}")


def replace(memory: Memory) -> object:
    return memory.remember(f"tea {next(NUMBERS)}", id="kept")


def move(memory: Memory) -> object:
    scope = "here" if memory.get("kept").scope != "here" else "there"
    return memory.update("kept", scope=scope, text=f"tea {next(NUMBERS)}")


def forget(memory: Memory) -> object:
    return memory.forget(next(record.id for record in memory.records() if record.id not in ("kept", "turn")))


def turn(memory: Memory) -> object:
    return memory.ingest_turn(
        f"I prefer tea {next(NUMBERS)}", session_id=SESSION, user_id="u", durable="all", id="turn"
    )


def touch(memory: Memory) -> object:
    return memory.touch(["kept"])


def compact(memory: Memory) -> object:
    return memory.compact(SESSION, force=True, target=1)


def embed(memory: Memory) -> object:
    return memory.embed()


VERBS = (remember, replace, move, forget, turn, touch, compact, embed)


def fresh(store: Any) -> list[Record]:
    """Return what somebody else reads."""
    if isinstance(store, SqliteStore):
        with SqliteStore(store.path) as other:
            return list(other.load())
    return list((JsonlStore(store.path) if isinstance(store, JsonlStore) else store).load())


def elsewhere(run: Callable[[], object]) -> None:
    """Run something in another thread: a lock that was left held is nobody's there."""
    wrong: list[BaseException] = []

    def guarded() -> None:
        try:
            run()
        except BaseException as error:
            wrong.append(error)

    thread = threading.Thread(target=guarded, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert not thread.is_alive(), "a lock is held by nobody who lets go"
    if wrong:
        raise wrong[0]


def sound(memory: Memory, store: Any) -> None:
    """Show that what is stored is what is found, and that writes go on."""
    key = lambda record: (record.id, record.scope)  # noqa: E731
    stored = {key(record): record for record in fresh(store)}
    assert {key(record): record for record in memory.records()} == stored
    for profile in ("dense", "kb-balanced"):
        memory.recall("tea", profile=profile)
    assert memory.check() == []
    kept = [record for record in stored.values() if record.id == "kept"]
    assert len(kept) == 1, "a record that moves is in one place"
    copies = [record for record in stored.values() if record.provenance.get("copied_from") == "turn"]
    turns = [record for record in stored.values() if record.id == "turn"]
    assert all(copy.text == turns[0].text for copy in copies)
    archived = {record.archived_by for record in stored.values()} - {None}
    assert archived <= {record.id for record in stored.values()}
    memory.remember("tea, once more", id="after")
    memory.forget("after")


@pytest.fixture(params=["sqlite", "jsonl", "in process"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    made: Any = {
        "sqlite": lambda: SqliteStore(tmp_path / "memory.db"),
        "jsonl": lambda: JsonlStore(tmp_path / "memory.jsonl"),
        "in process": InProcessStore,
    }[request.param]()
    yield made
    made.close()


def prepare(memory: Memory) -> None:
    memory.remember("tea, green", id="kept")
    for number in range(3):
        memory.remember(f"tea {next(NUMBERS)}", id=f"s{next(NUMBERS)}", session_id=SESSION, created_at=number)


def interrupted(memory: Memory, store: Any, verb: Verb, points: int | None) -> int:
    """Interrupt a verb at so many of its lines, or at each, and look after each; return how many there were."""
    prepare(memory)
    last = lines_of(lambda: verb(memory))
    chosen = range(1, last + 1, 1 if points is None else max(1, last // points))
    hit = 0
    for at in chosen:
        if verb in (compact, forget):
            prepare(memory)
        where = ""
        try:
            lines_of(lambda: verb(memory), at)
        except KeyboardInterrupt as interrupt:
            where, hit = str(interrupt), hit + 1
        try:
            elsewhere(lambda: sound(memory, store))
        except Exception as error:
            raise AssertionError(f"{verb.__name__}, interrupted at {where}, line {at} of {last}") from error
    assert hit > len(chosen) // 2
    return hit


@pytest.mark.parametrize("verb", VERBS)
def test_a_write_that_was_interrupted_is_whole_or_not_there(store: Any, verb: Verb) -> None:
    with Memory(store=store, embedder=HashingEmbedder(16), noise=None) as memory:
        interrupted(memory, store, verb, POINTS)
        assert memory.check() == []


@pytest.mark.long
@pytest.mark.parametrize("verb", VERBS)
def test_a_write_that_was_interrupted_at_any_line(store: Any, verb: Verb) -> None:
    with Memory(store=store, embedder=HashingEmbedder(16), noise=None) as memory:
        interrupted(memory, store, verb, None)
        assert memory.check() == []


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts descriptors as Linux shows them")
def test_no_descriptor_is_left(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "memory.db") as store, Memory(store=store, noise=None) as memory:
        replace(memory)
        last, before = lines_of(lambda: replace(memory)), len(os.listdir("/proc/self/fd"))
        for at in range(1, last, max(1, last // 60)):
            with pytest.raises(KeyboardInterrupt):
                lines_of(lambda: replace(memory), at)
            replace(memory)
        assert len(os.listdir("/proc/self/fd")) <= before + 1
