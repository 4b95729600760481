"""Ctrl-C at each point of a write: what was under way is whole or not there, and the next call works, in any thread.

The interrupt is raised by a trace function, after one call of the package after the other: where Python itself looks
for signals. The handle lives on through all of them, as that of a program does.
"""

from __future__ import annotations

import dis
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from itertools import count, pairwise
from pathlib import Path
from types import CodeType, FrameType
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
WHERE = {
    "group.py",
    "committer.py",
    "session.py",
    "pair.py",
    "pending.py",
    "place.py",
    "known.py",
    "waiting.py",
    "changing.py",
    "upkeep.py",
    "delay.py",
    "locking.py",
    "indexes.py",
    "in_process.py",
    "jsonl.py",
    "text.py",
    "text_file.py",
    "waiting_text.py",
    "reading.py",
    "sqlite.py",
}
"""In which modules something is held or half done; in the long run it is every module."""
SHARE = 3
"""`make test` takes one in so many places, other ones for each kind of store and verb; `make test-long` takes all."""
LEAST = 10  # places are fewer where the scan finds nothing
PATIENCE = 8.0  # seconds
SESSION = "s"
Verb = Callable[[Memory], object]


@cache
def after_calls(code: CodeType) -> frozenset[int]:
    """Return the instructions that follow a call: at its end Python looks whether a signal has come.

    Where another handler answers for what follows than for the call, it is left out: a signal is the call's.
    """
    found = list(dis.get_instructions(code))
    entries = dis.Bytecode(code).exception_entries

    def handler(offset: int) -> int | None:
        return next((each.target for each in entries if each.start <= offset < each.end), None)

    return frozenset(
        later.offset
        for one, later in pairwise(found)
        if one.opname.startswith("CALL")
        and "INTRINSIC" not in one.opname
        and handler(one.offset) == handler(later.offset)
    )


def interrupt(place: tuple[str, int]) -> None:
    """Do what Python does by itself when Ctrl-C comes."""
    raise KeyboardInterrupt(":".join(map(str, place)))


def calls_of(
    run: Callable[[], object], stop_at: int | None = None, handler: Callable[[tuple[str, int]], None] = interrupt
) -> list[tuple[str, int]]:
    """Run something and return where the package has called anything; have a signal's handler run after a call."""
    seen: list[tuple[str, int]] = []

    def at_instruction(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "opcode" and frame.f_lasti in after_calls(frame.f_code):
            place = (Path(frame.f_code.co_filename).name, frame.f_lineno or 0)
            if len(seen) == stop_at:
                handler(place)
            seen.append(place)
        return at_instruction

    def at_call(frame: FrameType, event: str, argument: Any) -> Any:
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return at_instruction

    before = sys.gettrace()
    sys.settrace(at_call)
    try:
        run()
    finally:
        sys.settrace(before)
    return seen


def remember(memory: Memory) -> object:
    number = next(NUMBERS)
    return memory.remember(f"tea {number}", id=f"new{number % 4}")


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
    if isinstance(store, (SqliteStore, JsonlStore)):
        store.flush()  # what waits is nobody else's yet
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
        memory.remember(f"tea {next(NUMBERS)}", id=f"s{number}", session_id=SESSION, created_at=number)


def interrupted(memory: Memory, store: Any, verb: Verb, *, everywhere: bool) -> None:
    """Interrupt a verb at a share of the places that may hold something, or at each place, and look after each."""
    for _ in range(2):  # the first time, more has to be done
        prepare(memory)
        calls = calls_of(lambda: verb(memory))
    first = {place: at for at, place in reversed(list(enumerate(calls))) if everywhere or place[0] in WHERE}
    chosen = sorted(first.values())
    if not everywhere:
        kinds = [SqliteStore, JsonlStore, InProcessStore]
        chosen = chosen[(kinds.index(type(store)) + VERBS.index(verb)) % SHARE :: SHARE]
    assert len(chosen) > LEAST, "no places to look at"
    hit = 0
    for at in chosen:
        if verb in (compact, forget):
            prepare(memory)
        where = ""
        try:
            calls_of(lambda: verb(memory), at)
        except KeyboardInterrupt as interrupt:
            where, hit = str(interrupt), hit + 1
        try:
            elsewhere(lambda: sound(memory, store))
        except Exception as error:
            raise AssertionError(f"{verb.__name__}, interrupted at {where}, call {at} of {len(calls)}") from error
    assert hit > len(chosen) // 2
    assert memory.check() == []


@pytest.mark.parametrize("verb", [replace, move])
def test_a_write_that_was_interrupted_is_whole_or_not_there(store: Any, verb: Verb) -> None:
    with Memory(store=store, embedder=HashingEmbedder(16), noise=None) as memory:
        interrupted(memory, store, verb, everywhere=False)


@pytest.mark.long
@pytest.mark.parametrize("verb", VERBS)
def test_a_write_that_was_interrupted_after_any_call(store: Any, verb: Verb) -> None:
    with Memory(store=store, embedder=HashingEmbedder(16), noise=None) as memory:
        interrupted(memory, store, verb, everywhere=True)


@pytest.fixture(params=["sqlite", "jsonl"])
def delayed(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Return a store whose calls return before their flush."""
    made: Any = {"sqlite": SqliteStore, "jsonl": JsonlStore}[request.param]
    memory = Path("/dev/shm")
    with (
        tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name,  # no disk has to turn
        closing(made(Path(name) / "memory", durability="normal")) as store,
    ):
        yield store


@pytest.mark.parametrize("verb", [remember])
def test_a_write_that_waits_and_was_interrupted_is_whole_or_not_there(delayed: Any, verb: Verb) -> None:
    with Memory(store=delayed, embedder=HashingEmbedder(16), noise=None) as memory:
        interrupted(memory, delayed, verb, everywhere=False)


@pytest.mark.long
@pytest.mark.parametrize("verb", VERBS)
def test_a_write_that_waits_and_was_interrupted_after_any_call(delayed: Any, verb: Verb) -> None:
    with Memory(store=delayed, embedder=HashingEmbedder(16), noise=None) as memory:
        interrupted(memory, delayed, verb, everywhere=True)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts descriptors as Linux shows them")
def test_no_descriptor_is_left(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "memory.db") as store, Memory(store=store, noise=None) as memory:
        replace(memory)
        last, before, came = len(calls_of(lambda: replace(memory))), descriptors(), 0
        for at in range(0, last, max(last // 60, 1)):
            try:
                calls_of(lambda: replace(memory), at)  # a run may end sooner: what is done once in a while is done
            except KeyboardInterrupt:
                came += 1
            replace(memory)
        assert came > 40 and descriptors() <= before + 1


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))
