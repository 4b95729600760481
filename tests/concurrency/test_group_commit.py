"""Writers of one process share a commit: how many there are, whose failure is whose, and what a fault leaves.

What is counted are commits, not seconds.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import StoreError, VersionMismatch
from byheart.memory.coroutines import _THREADS
from byheart.records import Record
from byheart.storage import Write
from byheart.storage.in_process import WithVectors
from byheart.storage.jsonl import JsonlStore
from byheart.storage.sqlite import SqliteStore
from byheart.writing.group import Group

from .interleaving import KINDS, Scene
from .scheduler import stopping
from .verbs import NOW

PATIENCE = 30.0  # seconds, for what takes milliseconds
FILES = ["memory.db", "memory.jsonl"]


@pytest.fixture(params=FILES)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return tmp_path / request.param


@pytest.fixture
def commits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return how many changes each commit to a file was of, one after the other."""
    found: list[int] = []
    for store in (SqliteStore, JsonlStore):
        several: Any = store.write_each

        def counted(self: Any, writes: Sequence[Write], several: Any = several) -> Any:
            found.append(len(writes))
            return several(self, writes)

        monkeypatch.setattr(store, "write_each", counted)
    return found


def record(id: str, text: str = "tea") -> Record:
    return Record(id=id, text=text, tenant="t", scope="s", boundary_class="internal", created_at=1.0)


def put(id: str, text: str = "tea", **more: Any) -> Write:
    return Write(put=[record(id, text)], **more)


class Stopped:
    """Stops the first commit of a memory until all that are to come have handed in their changes."""

    def __init__(self, memory: byheart.Memory, monkeypatch: pytest.MonkeyPatch) -> None:
        group = memory._engine.writer.commits._group
        assert group is not None
        self._group, self._write_each, self.sizes = group, group._write_each, list[int]()
        self.begun, self.go = threading.Event(), threading.Event()
        monkeypatch.setattr(group, "_write_each", self._stopping)

    def _stopping(self, writes: Sequence[Write]) -> Any:
        self.sizes.append(len(writes))
        if len(self.sizes) == 1:
            self.begun.set()
            assert self.go.wait(PATIENCE)
        return self._write_each(writes)

    def wait_for(self, handed_in: int) -> None:
        """Wait until so many changes wait for the next commit."""
        until = time.monotonic() + PATIENCE
        while len(self._group._waiting) < handed_in:
            assert time.monotonic() < until, f"{len(self._group._waiting)} were handed in"
            time.sleep(0.001)


class Slow(Stopped):
    """Has each commit of a memory last until all other threads that coroutines have wait for the next one."""

    def __init__(self, memory: byheart.Memory, monkeypatch: pytest.MonkeyPatch, many: int) -> None:
        super().__init__(memory, monkeypatch)
        self.left = many

    def _stopping(self, writes: Sequence[Write]) -> Any:
        self.left -= len(writes)
        self.wait_for(min(self.left, _THREADS - len(writes)))
        return self._write_each(writes)


def together(stopped: Stopped, first: Callable[[], object], others: Sequence[Callable[[], object]]) -> list[Any]:
    """Run calls in threads: all others are handed in, in order, while the first is committed; return what they gave."""
    gave: list[Any] = [None] * (len(others) + 1)

    def run(number: int, call: Callable[[], object]) -> None:
        try:
            gave[number] = call()
        except Exception as error:
            gave[number] = error

    threads = [threading.Thread(target=run, args=each, daemon=True) for each in enumerate([first, *others])]
    threads[0].start()
    assert stopped.begun.wait(PATIENCE)
    for number, thread in enumerate(threads[1:], start=1):
        thread.start()
        stopped.wait_for(number)
    stopped.go.set()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()
    return gave


# ---- how many commits there are


def test_four_hundred_coroutines_take_a_tenth_of_the_commits(
    path: Path, commits: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a medium so slow that all threads that are free have handed in their changes before a commit is through."""
    many = 400
    with byheart.Memory(path, noise=None) as memory:
        slow = Slow(memory, monkeypatch, many)

        async def work() -> list[str]:
            return list(await asyncio.gather(*(memory.aremember(f"tea {n}", id=f"r{n}") for n in range(many))))

        commits.clear()
        assert asyncio.run(work()) == [f"r{n}" for n in range(many)]
        assert slow.left == 0 and sum(commits) == many
        assert len(commits) <= many / 10, commits
        with byheart.Memory(path, read_only=True) as other:
            assert sorted(found.id for found in other.records()) == sorted(f"r{n}" for n in range(many))
        assert memory.check() == []


def test_what_waits_is_one_commit(path: Path, commits: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    with byheart.Memory(path, noise=None) as memory:
        stopped = Stopped(memory, monkeypatch)
        commits.clear()
        calls = [lambda n=n: memory.remember(f"tea {n}", id=f"r{n}") for n in range(9)]
        assert together(stopped, calls[0], calls[1:]) == [f"r{n}" for n in range(9)]
        assert stopped.sizes == commits == [1, 8]
        assert memory.count() == 9 and memory.check() == []


def test_one_writer_waits_for_nobody(path: Path, commits: list[int]) -> None:
    with byheart.Memory(path, noise=None) as memory:
        commits.clear()
        for number in range(5):
            memory.remember("tea", id=f"r{number}")
        assert commits == [1] * 5


# ---- each call is as if it came alone


def test_calls_about_one_record_stand_as_in_the_order_in_which_they_came(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What falls since another one came first is done again, by itself; nobody's use is lost."""
    with byheart.Memory(path, noise=None) as memory:
        memory.remember("tea", id="a")
        stopped = Stopped(memory, monkeypatch)
        gave = together(stopped, lambda: memory.remember("rice", id="b"), [lambda: memory.touch(["a"])] * 12)
        assert gave == ["b", *[1] * 12]
        assert memory.get("a").access_count == 12
        gave = together(Stopped(memory, monkeypatch), lambda: memory.remember("c"), [lambda: memory.remember("d")] * 3)
        assert len(set(gave)) == 2 and memory.get(gave[1]).seen_count == 3, "the same text is the same record"
        turn = {"text": "e", "kind": "turn"}
        gave = together(Stopped(memory, monkeypatch), lambda: memory.remember("f"), [lambda: memory.remember(turn)] * 3)
        assert len(set(gave)) == 4, "four records, four ids"


def test_one_calls_failure_is_nobody_elses(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with byheart.Memory(path, noise=None) as memory:
        memory.remember("tea", id="a")
        stopped = Stopped(memory, monkeypatch)
        version = memory.version("a")
        gave = together(
            stopped, lambda: memory.remember("rice", id="b"),
            [lambda: memory.update("a", topic="kitchen"), lambda: memory.update("a", topic="x", if_version=version),
             lambda: memory.remember("oats", id="c")],
        )  # fmt: skip
        assert [type(each) for each in gave] == [str, str, VersionMismatch, str]
        assert memory.get("a").topic == "kitchen" and memory.get("c").text == "oats"


def test_a_commit_that_fails_is_told_to_each_by_an_error_of_its_own(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with byheart.Memory(path, noise=None) as memory:
        stopped, error = Stopped(memory, monkeypatch), StoreError("the disk is gone")

        def fails(writes: Sequence[Write]) -> Any:
            raise error

        whole, stopped._write_each = stopped._write_each, fails
        calls = [lambda n=n: memory.remember(f"tea {n}", id=f"r{n}") for n in range(3)]
        first, *others = together(stopped, calls[0], calls[1:])
        assert stopped.sizes == [1, 2] and first is error
        assert [str(each) for each in others] == ["the disk is gone"] * 2 and len({error, *others}) == 3
        stopped._write_each = whole
        assert memory.count() == 0 and memory.check() == [] and memory.remember("tea", id="r0") == "r0"


def test_whoever_forgets_waits_until_what_was_handed_in_stands(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with byheart.Memory(path, noise=None) as memory:
        stopped, gave = Stopped(memory, monkeypatch), list[Any]()
        calls = [
            lambda: memory.remember("canary", id="first"),
            lambda: memory.remember("canary", id="later"),
            lambda: gave.append(memory.forget(["first", "later"])),
        ]
        threads = [threading.Thread(target=call, daemon=True) for call in calls]
        threads[0].start()
        assert stopped.begun.wait(PATIENCE)
        for number, thread in enumerate(threads[1:], start=1):
            thread.start()
            stopped.wait_for(number)
        stopped.go.set()
        for thread in threads:
            thread.join(PATIENCE)
        assert gave[0].ids == ("first", "later") and memory.records() == []
    assert not any(b"canary" in file.read_bytes() for file in path.parent.rglob("*") if file.is_file())


def test_nobody_learns_of_a_record_before_its_vector_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The vectors of a text file are kept beside it, and come after its records."""
    with byheart.Memory(tmp_path / "memory.jsonl", noise=None, embedder=HashingEmbedder(16)) as memory:
        begun, go, follow = threading.Event(), threading.Event(), WithVectors.follow

        def late(store: WithVectors, *given: Any) -> None:
            begun.set()
            assert go.wait(PATIENCE)
            follow(store, *given)

        monkeypatch.setattr(WithVectors, "follow", late)
        writer = threading.Thread(target=lambda: memory.remember("green tea", id="a"), daemon=True)
        writer.start()
        assert begun.wait(PATIENCE)
        reader = threading.Thread(target=lambda: memory.recall("tea", profile="dense"), daemon=True)
        reader.start()
        reader.join(0.3)  # it would have looked by then, or waits as it should
        go.set()
        for thread in (writer, reader):
            thread.join(PATIENCE)
        assert memory.check() == [] and memory.stats()["vectors"] == 1


def test_another_model_comes_after_what_was_planned_with_the_one_before(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with byheart.Memory(path, noise=None, embedder=HashingEmbedder(16)) as memory:
        stopped = Stopped(memory, monkeypatch)
        writer = threading.Thread(target=lambda: memory.remember("green tea", id="a"), daemon=True)
        writer.start()
        assert stopped.begun.wait(PATIENCE)
        other = threading.Thread(target=lambda: memory.embed(HashingEmbedder(32)), daemon=True)
        other.start()
        stopped.wait_for(1)  # for the record, which is to get its vector too
        stopped.go.set()
        for thread in (writer, other):
            thread.join(PATIENCE)
        assert memory.stats()["vectors"] == memory.count() == 1
        assert [hit.id for hit in memory.recall("tea", profile="dense").hits] == ["a"]
        assert memory.check() == []


# ---- interrupts, forks, kills


@pytest.mark.parametrize("main", [True, False], ids=["the main thread is woken", "another thread is woken"])
def test_an_interrupt_withdraws_what_waits_and_nobody_hangs(
    path: Path, monkeypatch: pytest.MonkeyPatch, main: bool
) -> None:
    """The kernel may give the signal to any thread, and to the main one just before it sleeps."""
    with byheart.Memory(path, noise=None) as memory:
        stopped = Stopped(memory, monkeypatch)
        first = threading.Thread(target=lambda: memory.remember("tea", id="first"), daemon=True)
        first.start()
        assert stopped.begun.wait(PATIENCE)

        def interrupt() -> None:
            stopped.wait_for(1)
            woken = threading.main_thread() if main else threading.current_thread()
            signal.pthread_kill(woken.ident or 0, signal.SIGINT)

        threading.Thread(target=interrupt, daemon=True).start()
        with pytest.raises(KeyboardInterrupt):
            memory.remember("rice", id="interrupted")
        stopped.go.set()
        first.join(PATIENCE)
        later = threading.Thread(target=lambda: memory.remember("oats", id="later"), daemon=True)
        later.start()
        later.join(PATIENCE)
        assert not later.is_alive(), "somebody leads no more, and is waited for"
        assert sorted(found.id for found in memory.records()) == ["first", "later"]
        memory.remember("rye", id="main")
        assert memory.check() == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_child_writes_though_its_parent_was_amid_a_commit(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread that commits, and those that wait for it, are not in the child."""
    with byheart.Memory(path, noise=None) as memory:
        stopped = Stopped(memory, monkeypatch)
        threads = [
            threading.Thread(target=lambda n=n: memory.remember("tea", id=f"parent{n}"), daemon=True) for n in range(3)
        ]
        threads[0].start()
        assert stopped.begun.wait(PATIENCE)
        for thread in threads[1:]:
            thread.start()
        stopped.wait_for(2)
        child = os.fork()
        if child == 0:
            signal.alarm(int(PATIENCE))
            good = False
            try:
                wrote = threading.Thread(target=lambda: memory.remember("rice", id="child"))
                wrote.start()
                wrote.join()
                good = memory.get("child").text == "rice"
            finally:
                os._exit(0 if good else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        stopped.go.set()
        for thread in threads:
            thread.join(PATIENCE)
        assert sorted(found.id for found in memory.records()) == ["child", "parent0", "parent1", "parent2"]


KILLED = """
import sys, threading, itertools, os
import byheart
memory, numbers = byheart.Memory(sys.argv[1], noise=None), itertools.count()
def work():
    while True:
        number = next(numbers)
        ids = memory.remember_many([{"id": f"{number}-{part}", "text": f"tea {number}"} for part in "ab"])
        os.write(1, f"{number}\\n".encode())
for _ in range(8):
    threading.Thread(target=work, daemon=True).start()
threading.Event().wait()
"""


def test_what_a_killed_process_was_told_is_there_and_every_call_is_whole(path: Path) -> None:
    told = 0
    for _ in range(3):
        writer = subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        lines = [writer.stdout.readline() for _ in range(random.Random(os.urandom(4)).randrange(5, 60))]
        writer.send_signal(signal.SIGKILL)
        acknowledged = {
            int(line) for line in (*lines, *writer.stdout.read().splitlines(keepends=True)) if line[-1:] == b"\n"
        }
        writer.wait()
        told += len(acknowledged)
        with byheart.Memory(path) as memory:
            held = [str(found.id) for found in memory.records()]
            parts = {number: {id.partition("-")[2] for id in held if id.startswith(f"{number}-")} for number in
                     {int(id.partition("-")[0]) for id in held}}  # fmt: skip
            assert acknowledged <= parts.keys()
            assert all(each == {"a", "b"} for each in parts.values()), "half of a call"
            assert memory.check() == []
            memory.forget(held)
    assert told >= 15


# ---- an order of the calls explains each run


WRITERS = (
    "remember the same id", "remember a new id", "remember a new id elsewhere", "remember without an id",
    "remember_many", "update a category", "update another category", "update a version", "ingest_turn",
    "ingest_turn again", "ingest_turn if it is new", "ingest_turn if nobody said it", "touch", "observe", "upsert",
    "say that it was helpful", "forget an id", "replace a source", "get", "records",
)  # fmt: skip


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "in process"])
@pytest.mark.parametrize("runs", [25, pytest.param(400, marks=pytest.mark.long)])
def test_some_order_explains_what_writers_of_one_handle_do_at_once(
    kind: str, tmp_path: Path, runs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes, lead = list[int](), Group._lead

    def counted(group: Group, ticket: Any) -> None:
        write_each = group._write_each

        def written(writes: Sequence[Write]) -> Any:
            sizes.append(len(writes))
            return write_each(writes)

        group._write_each = written
        try:
            lead(group, ticket)
        finally:
            group._write_each = write_each

    monkeypatch.setattr(Group, "_lead", counted)
    programs = st.lists(st.lists(st.sampled_from(WRITERS), min_size=1, max_size=2), min_size=3, max_size=3)

    with stopping(NOW):
        scene = Scene(kind, tmp_path)
        assert set(WRITERS) <= scene.calls.keys()

        @settings(max_examples=runs)
        @given(programs, st.randoms(use_true_random=False))
        def run(programs: list[list[str]], chance: random.Random) -> None:
            scene.run(programs, lambda able, made: chance.choice(able), one=True)

        run()
        three = [["remember the same id"], ["remember a new id"], ["remember without an id"]]
        for seed in range(8):
            chance = random.Random(seed)
            scene.run(three, lambda able, made: chance.choice(able), one=True)  # noqa: B023
    assert max(sizes) >= 2, "no two calls have shared a commit"
