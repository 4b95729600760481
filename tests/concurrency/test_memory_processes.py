"""One memory file and many memories: readers beside a writer, races to open, following, killed holders, forks, spawn.

A batch of the writer carries a version, and each record says it. Whoever recalls sees all records of one version, which
was the store's at some moment between the beginning and the end of the call.
"""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import StoreBusy
from byheart.storage import Key
from byheart.storage.locking import hold

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
EMBEDDER = HashingEmbedder(16)
PARTS = 12
WATCHDOG_SECONDS = 90


@pytest.fixture
def path() -> Iterator[Path]:
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:  # no disk has to turn
        yield Path(name) / "memory.db"


def batch(version: int) -> list[dict[str, object]]:
    """Return what the writer remembers at once: as many parts as the version has, all of the same words."""
    return [
        {"id": f"part{part}", "text": f"wing v{version} of the plan", "topic": f"v{version}", "created_at": 1.0}
        for part in range(PARTS)
    ]


HEAD = """
import json, sys, time
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from test_memory_processes import *
path = Path(sys.argv[1])
"""


def started(program: str, path: Path, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", HEAD + program, str(path), str(Path(__file__).parent), *map(str, arguments)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


PART = Key("default", "project", "internal", "part0")


def said(process: subprocess.Popen[str]) -> str:
    """Return the next line of a process, which has to come."""
    timer = threading.Timer(WATCHDOG_SECONDS, process.kill)
    timer.start()
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    timer.cancel()
    return line


def look(memory: byheart.Memory, profile: str) -> str | None:
    """Return what is wrong with one recall, if anything: half a batch, a version that is over, or one to come."""
    (before,) = {record.text for record in memory._engine.store.get([PART]) if record is not None}
    found = memory.recall("wing plan", PARTS + 5, profile, explain=True, now=1.0)
    (after,) = {record.text for record in memory._engine.store.get([PART]) if record is not None}
    seen = {hit.record.text for hit in found}
    kept = len(found) + sum("duplicate" in row.reason for row in found.dropped)
    if len(seen) != 1 or kept != PARTS or found.receipt.records != PARTS:
        return f"{profile}: {len(found)} of {PARTS} found, {seen}, {found.dropped}"
    first, now, last = (int(text.split()[1][1:]) for text in (before, min(seen), after))
    wrong = [hit.id for hit in found if hit.explanation is None or hit.explanation.recomputed() != hit.score]
    return None if first <= now <= last and not wrong else f"{profile}: {first} <= {now} <= {last}, {wrong}"


def watch(path: Path, seconds: float, memory: byheart.Memory | None = None) -> tuple[int, list[str]]:
    """Look for some seconds; return how often, and what was wrong."""
    own = memory or byheart.Memory(path, embedder=EMBEDDER)
    end, looks, wrong = time.monotonic() + seconds, 0, []
    while time.monotonic() < end and not wrong:
        found = look(own, ("kb-fast", "kb-balanced", "dense")[looks % 3])
        wrong += [] if found is None else [found]
        looks += 1
    return looks, wrong


WATCH = "print(*watch(path, float(sys.argv[3])), sep='|', flush=True)"
WRITE = """
memory = byheart.Memory(path, embedder=EMBEDDER)
end, version = time.monotonic() + float(sys.argv[3]), 1
while time.monotonic() < end or version < 10:  # a busy machine writes less in the time
    version += 1
    memory.remember_many(batch(version))
    time.sleep(0.002)
print(version, flush=True)
"""


@pytest.mark.parametrize("writer_is", ["a process", "a thread"])
def test_eight_readers_and_a_writer(path: Path, writer_is: str) -> None:
    seconds = 3.0
    with byheart.Memory(path, embedder=EMBEDDER) as memory:
        memory.remember_many(batch(1))
        processes = [started(WATCH, path, seconds) for _ in range(2)]
        answers: list[tuple[int, list[str]]] = []
        readers = [
            threading.Thread(target=lambda own=own: answers.append(watch(path, seconds, own)))
            for own in (memory, memory, memory, None, None, None)
        ]
        for reader in readers:
            reader.start()
        if writer_is == "a process":
            version = int(said(started(WRITE, path, seconds)))
        else:
            end, version = time.monotonic() + seconds, 1
            while time.monotonic() < end or version < 10:
                version += 1
                memory.remember_many(batch(version))
                time.sleep(0.002)
        for reader in readers:
            reader.join(WATCHDOG_SECONDS)
        for process in processes:
            looks, _, wrong = said(process).partition("|")
            assert wrong == "[]"
            answers.append((int(looks), []))
        assert [wrong for _, wrong in answers] == [[]] * 8
        assert sum(looks for looks, _ in answers) >= 60, answers
        assert {hit.record.topic for hit in memory.recall("plan", 50)} == {f"v{version}"}
        assert memory.check() == []


def test_fifty_race_to_open_a_file_that_is_not_there(path: Path) -> None:
    program = """
memory = byheart.Memory(path, embedder=EMBEDDER)
memory.remember(f"word{sys.argv[3]} and a wing", id=f"r{sys.argv[3]}")
print([hit.id for hit in memory.recall(f"word{sys.argv[3]}", 1)], flush=True)
memory.close()
"""
    failures: list[BaseException] = []

    def once(number: int) -> None:
        try:
            with byheart.Memory(path, embedder=EMBEDDER) as memory:
                memory.remember(f"word{number} and a wing", id=f"r{number}")
                assert memory.recall(f"word{number}", 1).hits[0].id == f"r{number}"
        except BaseException as error:
            failures.append(error)

    processes = [started(program, path, number) for number in range(10)]
    threads = [threading.Thread(target=once, args=(number,)) for number in range(10, 50)]
    for thread in threads:
        thread.start()
    assert [said(process) for process in processes] == [f"['r{number}']" for number in range(10)]
    for thread in threads:
        thread.join(WATCHDOG_SECONDS)
    assert not failures
    with byheart.Memory(path, embedder=EMBEDDER) as memory:
        assert memory.stats()["records"] == memory.stats()["vectors"] == 50
        assert memory.check() == []


FOLLOW = """
memory = byheart.Memory(path, embedder=EMBEDDER)
print("ready", flush=True)
for line in sys.stdin:
    verb, _, rest = line.strip().partition(" ")
    if verb == "remember":
        memory.remember("a wing " + rest, id=rest)
    elif verb == "forget":
        memory.forget(rest)
    print(json.dumps(sorted(hit.id for hit in memory.recall("wing", 50))), flush=True)
"""


def told(process: subprocess.Popen[str], line: str) -> list[str]:
    """Return what a process finds after it was told to do something."""
    assert process.stdin is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()
    return list(json.loads(said(process)))


def test_each_follows_the_others_at_its_next_call(path: Path) -> None:
    with byheart.Memory(path, embedder=EMBEDDER) as memory:
        others = [started(FOLLOW, path) for _ in range(2)]
        assert [said(other) for other in others] == ["ready"] * 2
        alive: set[str] = set()
        for turn in range(18):
            who = turn % 3
            verb, id = ("forget", f"wing{turn - 5}") if turn % 5 == 4 else ("remember", f"wing{turn}")
            alive = alive - {id} if verb == "forget" else alive | {id}
            if who == 2 and verb == "forget":
                memory.forget(id)
            elif who == 2:
                memory.remember("a wing " + id, id=id)
            else:
                assert told(others[who], f"{verb} {id}") == sorted(alive)
            if turn % 2:
                assert [told(other, "look") for other in others] == [sorted(alive)] * 2
            assert {hit.id for hit in memory.recall("wing", 50)} == alive
        for other in others:
            other.communicate(timeout=WATCHDOG_SECONDS)


@pytest.mark.parametrize("which", ["store", "generations"])
def test_the_lock_of_a_killed_holder_is_free(path: Path, which: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("byheart.index.saved._LOCK_SECONDS", 0.3)
    with byheart.Memory(path) as memory:
        memory.remember("a wing", id="a")
        memory._engine.store._session.place.lock_seconds = 0.3
        program = """
memory = byheart.Memory(path)
session = memory._engine.store._session
if sys.argv[3] == "generations":
    turn = memory._engine.saved.alone()
    turn.__enter__()
else:
    writing = session.written()
    connection = writing.__enter__()
    turn = session.pair.transaction(connection)
    turn.__enter__()
print("holding", flush=True)
time.sleep(600)
"""
        holder = started(program, path, which)
        assert said(holder) == "holding"
        with pytest.raises(StoreBusy, match=rf"process {holder.pid}\b"):
            memory.forget("a")
        assert [hit.id for hit in memory.recall("wing")] == ["a"]
        holder.kill()
        holder.communicate(timeout=WATCHDOG_SECONDS)
        assert memory.forget("a").ids == ("a",)
        assert memory._engine.indexes.save(at_least=0)


def child_that(work: object) -> int:
    """Fork a child that ends with what work says, whatever happens; a clock of its own ends it if it hangs."""
    child = os.fork()
    if child == 0:
        good = False
        try:
            signal.alarm(WATCHDOG_SECONDS)
            good = bool(work())  # type: ignore[operator]
        except BaseException:
            import traceback

            traceback.print_exc()
        finally:
            os._exit(0 if good else 1)
    return child


@needs_fork
def test_a_fork_amid_recalls_writes_and_a_saver_at_work(path: Path) -> None:
    """Locks inside the indexes may be held by threads that the child has not got; it writes all the same."""
    texts = [f"wing w{number % 89} w{number % 97} of record {number}" for number in range(2_000)]
    with byheart.Memory(path, embedder=EMBEDDER) as memory:
        memory.remember_many({"id": f"r{n}", "text": text, "created_at": 1.0} for n, text in enumerate(texts))
        stop = threading.Event()

        def recall() -> None:
            while not stop.is_set():
                memory.recall("wing record w5 w7", profile="dense")
                memory.recall("wing record w5 w7")

        def save() -> None:
            while not stop.wait(0.01):  # the children save too, and who waits for a file lock is in no queue
                memory._engine.saver._save(at_least=0)
                memory.remember("again", id="again")

        threads = [threading.Thread(target=work) for work in (recall, recall, recall, save)]
        for thread in threads:
            thread.start()

        def work(number: int) -> bool:
            memory.remember(f"wing child{number}", id=f"child{number}")
            found = [hit.id for hit in memory.recall(f"child{number}", 1)]
            memory.forget([f"r{number}"])
            return found == [f"child{number}"] and memory._engine.indexes.save(at_least=0) and not memory.check()

        children = []
        for number in range(8):
            children.append(child_that(lambda number=number: work(number)))
            time.sleep(0.03)
        ends = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
        stop.set()
        for thread in threads:
            thread.join(WATCHDOG_SECONDS)
        assert ends == [0] * 8
        assert len(memory._engine.indexes["default"].rows()) == 2_000 + 1
        assert memory.check() == []


@needs_fork
def test_a_child_does_not_keep_the_lock_of_a_parent_that_is_killed(path: Path) -> None:
    program = """
memory = byheart.Memory(path)
holding = threading.Event()
def keep():
    with memory._engine.saved.alone():
        holding.set()
        time.sleep(600)
threading.Thread(target=keep, daemon=True).start()
holding.wait()
child = os.fork()
if child == 0:
    time.sleep(600)
print(child, flush=True)
time.sleep(600)
"""
    with byheart.Memory(path) as memory:
        memory.remember("a wing", id="a")
        parent = started(program, path)
        child = int(said(parent))
        try:
            parent.kill()
            parent.wait(WATCHDOG_SECONDS)
            assert memory.forget("a").ids == ("a",)
        finally:
            os.kill(child, signal.SIGKILL)


def in_a_spawned_process(path: str) -> None:
    with byheart.Memory(path, embedder=EMBEDDER) as memory:
        memory.remember("wing spawned", id="spawned")


def test_a_spawned_process_opens_it_too(path: Path) -> None:
    with byheart.Memory(path, embedder=EMBEDDER) as memory:
        memory.remember("a wing", id="a")
        program = "in_a_spawned_process(sys.argv[1])\nprint('done', flush=True)"
        spawned = started(program, path)
        assert said(spawned) == "done"
        assert {hit.id for hit in memory.recall("wing")} == {"a", "spawned"}
        with pytest.raises(TypeError, match="cannot be pickled"):
            multiprocessing.get_context("spawn").Process(target=print, args=(memory,)).start()


def test_waiting_for_the_turn_of_generations_is_bounded_and_names_the_holder(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("byheart.index.saved._LOCK_SECONDS", 0.1)
    with byheart.Memory(path) as memory:
        memory.remember("a wing", id="a")
        with memory._engine.saved.alone(), pytest.raises(StoreBusy, match=f"process {os.getpid()}"):
            memory.rebuild()
        with hold(path.with_name("memory.db.byheart-indexes") / ".lock", 0.0):
            assert memory.recall("wing").hits
