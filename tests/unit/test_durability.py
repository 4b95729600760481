"""Calls that return before their flush: who sees what until then, what does not wait, and what a failed flush says."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.errors import CorruptRecord, InvalidArgument, StoreError, VersionMismatch
from byheart.memory.settings import Settings
from byheart.storage import delay
from byheart.storage.change import Change
from byheart.storage.sqlite import SqliteStore

resource = pytest.importorskip("resource", reason="this system has no limit for the size of files")
PATIENCE = 30.0
PROMISED = 0.05


@pytest.fixture
def folder() -> Iterator[Path]:
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:  # no disk has to turn
        yield Path(name)


@pytest.fixture(params=["memory.db", "memory.jsonl"])
def path(request: pytest.FixtureRequest, folder: Path) -> Path:
    return folder / str(request.param)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have calls wait so long that the test says when they are flushed."""
    monkeypatch.setattr(delay, "_SECONDS", 60.0)


def opened(path: Path, **more: Any) -> byheart.Memory:
    return byheart.Memory(path, durability="normal", noise=None, **more)


def delay_of(memory: byheart.Memory) -> Any:
    store: Any = memory._engine.store
    return store.tell.__self__._delay


def ids(path: Path) -> list[str]:
    with byheart.Memory(path, noise=None) as other:
        return sorted(str(record.id) for record in other.records())


@contextmanager
def full_disk() -> Iterator[None]:
    """Have the system refuse every byte that would make a file."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


# ---- words


def test_a_word_that_is_none(path: Path) -> None:
    with pytest.raises(InvalidArgument, match=r"durability: 'fast' is unknown; use one of full, normal"):
        byheart.Memory(path, durability="fast")  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="durability: None"):
        byheart.Memory(durability=None)  # type: ignore[arg-type]
    assert not path.exists()


def test_where_it_means_nothing(path: Path, folder: Path) -> None:
    for memory in (byheart.Memory(durability="normal"), byheart.Memory(":memory:", durability="normal")):
        assert memory.remember("tea", id="a") == "a"
        memory.flush()
        assert "durability" not in repr(memory)
        memory.close()
    with SqliteStore(folder / "given.db") as store, pytest.raises(InvalidArgument, match="durability, store: "):
        byheart.Memory(store=store, durability="normal")
    with byheart.Memory(path) as memory:
        memory.remember("tea", id="a")
        assert not delay_of(memory).open
        memory.flush()
        assert "durability" not in repr(memory)
    with opened(path, read_only=True) as memory:
        assert memory.count() == 1
        memory.flush()
    with pytest.raises(StoreError, match="closed"):
        memory.flush()


def test_it_is_said_in_settings_and_shown(path: Path) -> None:
    file = path.with_name("byheart.toml")
    file.write_text(f'memory = "{path.name}"\ndurability = "normal"\n')
    with Settings.read(file).open() as memory:
        assert "durability='normal'" in repr(memory)
        memory.remember("tea", id="a")
    file.write_text('durability = "fast"\n')
    with pytest.raises(InvalidArgument, match="one of full, normal"):
        Settings.read(file).open(path=path)


# ---- who sees what


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("verb", ["rebuild", "check", "purge", "stats", "export_to", "backup"])
def test_what_looks_anew_right_after_a_delayed_call_loses_nothing(path: Path, verb: str) -> None:
    with byheart.Memory(path, durability="normal") as memory:
        memory.remember("The kettle leaks.", id="kettle")
        copy = path.with_name("copy" + (".jsonl" if verb == "export_to" else path.suffix))
        getattr(memory, verb)(*([copy] if verb in ("export_to", "backup") else []))
        assert [record.id for record in memory.records()] == ["kettle"]
    with byheart.Memory(path) as memory:
        assert [record.id for record in memory.records()] == ["kettle"]


@pytest.mark.usefixtures("slow")
def test_others_see_it_after_the_flush(path: Path) -> None:
    with opened(path) as memory, byheart.Memory(path, noise=None) as other:
        memory.remember("Steep the tea for three minutes.", id="tea")
        memory.remember_many([{"id": "rice", "text": "Boil the rice."}, {"id": "oats", "text": "Soak the oats."}])
        assert memory.touch("rice", now=5.0) == 1
        assert [hit.id for hit in memory.recall("steep tea", 1)] == ["tea"] and memory.get("rice").access_count == 1
        assert other.count() == 0 and not other.recall("tea").hits
        memory.flush()
        assert other.records() == memory.records() and other.count() == 3
        assert memory.check() == other.check() == []


def test_it_is_flushed_in_time_without_another_call(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    with opened(path) as memory:
        found = delay_of(memory)
        commit, begin = found._owner().commit_waiting, found.begin
        began: list[float] = []
        monkeypatch.setattr(found, "begin", lambda: (began.append(time.monotonic()), begin()))
        monkeypatch.setattr(
            found._owner(), "commit_waiting", lambda: (waited.append(time.monotonic() - began[-1]), commit())
        )
        for number in range(9):
            memory.remember(f"tea {number}", id=f"t{number}")
            deadline = time.monotonic() + PATIENCE
            while found.open:
                assert time.monotonic() < deadline, "nobody flushes"
                time.sleep(0.001)
            assert len(ids(path)) == number + 1
    assert len(waited) == 9
    assert statistics.median(waited) < PROMISED, "of one a busy machine may make more"


@pytest.mark.usefixtures("slow")
def test_a_guard_holds_among_calls_that_wait(path: Path) -> None:
    with opened(path) as memory:
        memory.remember("tea", id="a", importance=0.1)
        version = memory.version("a")
        memory.update("a", importance=0.2, if_version=version)
        with pytest.raises(VersionMismatch):
            memory.update("a", importance=0.3, if_version=version)
        assert delay_of(memory).open and memory.get("a").importance == 0.2
        memory.remember("rice", id="b")
    assert ids(path) == ["a", "b"]


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("error", [KeyboardInterrupt, CorruptRecord])
def test_a_call_that_is_broken_off_takes_nothing_of_those_before_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    with opened(folder / "memory.db") as memory:
        memory.remember("tea", id="a")

        def broken(change: Change) -> None:
            raise error("amid it")

        with monkeypatch.context() as patch:
            patch.setattr(Change, "finish", broken)
            with pytest.raises(error):
                memory.remember("rice", id="b")
        assert delay_of(memory).calls == 1
        memory.remember("oats", id="c")
        assert memory.check() == [] and memory.count() == 2
    assert ids(folder / "memory.db") == ["a", "c"]


@pytest.mark.usefixtures("slow")
def test_a_call_that_is_broken_off_once_it_is_among_those_that_wait_is_written_with_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(folder / "memory.db") as memory:

        def broken_off(id: str) -> None:
            with monkeypatch.context() as patch:

                def interrupted() -> None:
                    patch.undo()
                    raise KeyboardInterrupt

                patch.setattr(delay_of(memory), "acknowledge", interrupted)
                memory.remember("tea", id=id)

        for id in ("a", "b"):  # the very first change of a file, and one that others wait before
            with pytest.raises(KeyboardInterrupt):
                broken_off(id)
            assert memory.get(id).text == "tea" and memory.check() == []
    assert ids(folder / "memory.db") == ["a", "b"]


def test_nobody_is_kept_out_for_long_by_who_writes_all_the_time(path: Path) -> None:
    stop = threading.Event()
    with opened(path) as memory, byheart.Memory(path, noise=None) as other:

        def write() -> None:
            number = 0
            while not stop.is_set():
                memory.remember(f"tea {number}", id=f"t{number % 50}")
                number += 1

        thread = threading.Thread(target=write)
        thread.start()
        try:
            for number in range(3):
                other.remember(f"rice {number}", id=f"r{number}")  # StoreBusy after ten seconds
        finally:
            stop.set()
            thread.join()
        memory.flush()
        assert {f"r{number}" for number in range(3)} <= {str(record.id) for record in memory.records()}


# ---- what does not wait


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("how", ["forget", "update", "remember", "purge"])
def test_what_is_taken_away_is_gone_when_the_call_returns(path: Path, how: str) -> None:
    with opened(path) as memory:
        memory.remember("the password is CANARY", id="a", expires_at=9.0)
        memory.remember("rice", id="b")
        assert delay_of(memory).open
        if how == "forget":
            memory.forget("a")
        elif how == "purge":
            memory.purge(now=10.0)
        elif how == "update":
            memory.update("a", text="the password is safe")
        else:
            memory.remember("the password is safe", id="a")
        assert not delay_of(memory).open
        files = [file for file in path.parent.rglob("*") if file.is_file()]
        assert not [file for file in files if b"canary" in file.read_bytes().lower()]
        assert ids(path) == (["b"] if how in ("forget", "purge") else ["a", "b"])


@pytest.mark.usefixtures("slow")
def test_a_backup_holds_what_was_acknowledged(path: Path, folder: Path) -> None:
    with opened(path) as memory:
        memory.remember("tea", id="a")
        done = memory.backup(folder / f"backup{path.suffix}")
        assert done.records == 1 and ids(Path(done.path)) == ["a"]
        memory.remember("rice", id="b")
        assert memory.export_to(folder / "exported.jsonl") == 2


@pytest.mark.usefixtures("slow")
def test_a_policy_is_in_force_for_all_when_the_call_returns(path: Path) -> None:
    policy = {"version": "0.1.0", "boundary_classes": {"public": {"allow": ["*"]}}}
    with opened(path, policy=policy) as memory:
        assert not delay_of(memory).open
        memory.apply_policy({**policy, "version": "0.1.1"})
        assert not delay_of(memory).open
        with byheart.Memory(path, policy="stored") as other:
            assert str(other.policy.version) == "0.1.1"


@pytest.mark.usefixtures("slow")
def test_a_generation_says_nothing_that_is_not_on_the_medium(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(folder / "memory.db") as memory:
        memory.remember("tea", id="a")
        assert memory._engine.indexes.save(at_least=0) and not delay_of(memory).open
        memory.remember("rice", id="b")
        settle = delay_of(memory).commit

        def refused() -> None:
            with full_disk():
                settle()

        monkeypatch.setattr(delay_of(memory), "commit", refused)
        memory._engine.saver._save(at_least=0)  # as its thread does: what fails is noted
        assert not delay_of(memory).open
        assert len(list(folder.glob("*.byheart-indexes/*[0-9]*"))) <= 1
        with pytest.raises(StoreError, match="could not be made durable"):
            memory.count()
    with byheart.Memory(folder / "memory.db") as memory:
        assert memory.count() == 1 and memory.check() == []


@pytest.mark.usefixtures("slow")
def test_many_records_at_once_do_not_wait(path: Path) -> None:
    with opened(path) as memory:
        memory.remember("tea", id="a")
        memory.remember_many({"id": f"r{number}", "text": f"rice {number}"} for number in range(300))
        assert not delay_of(memory).open
        assert len(ids(path)) == 301


# ---- the end


@pytest.mark.usefixtures("slow")
def test_closing_flushes(path: Path) -> None:
    with opened(path) as memory:
        memory.remember("tea", id="a")
    assert ids(path) == ["a"]


PROGRAM = """
import sys
import byheart
from byheart.storage import delay
delay._SECONDS = 60.0
memory = byheart.Memory(sys.argv[1], durability="normal", noise=None)
memory.remember("tea", id="a")
"""


@pytest.mark.parametrize("end", ["", "raise KeyError('the end')", "sys.exit(3)"])
def test_the_end_of_a_program_flushes(path: Path, end: str) -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM + end, str(path)], capture_output=True, text=True)
    assert ended.returncode == {"": 0, "sys.exit(3)": 3}.get(end, 1) and "durable" not in ended.stderr
    assert ids(path) == ["a"]


def test_a_flush_that_fails_at_the_end_of_a_program_is_told(path: Path) -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))"
    ended = subprocess.run([sys.executable, "-c", PROGRAM + limit, str(path)], capture_output=True, text=True)
    assert "a call that had returned within the last moments could not be made durable" in ended.stderr
    assert ids(path) == []


@pytest.mark.usefixtures("slow")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_leaves_nothing_that_waits(path: Path) -> None:
    with opened(path) as memory:
        memory.remember("tea", id="a")
        child = os.fork()
        if child == 0:
            try:
                memory.remember("rice", id="b")
                memory.flush()
                os._exit(0 if memory.count() == 2 else 4)
            finally:
                os._exit(5)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        memory.remember("oats", id="c")
        assert memory.count() == 3
    assert ids(path) == ["a", "b", "c"]


# ---- a flush that fails


@pytest.mark.usefixtures("slow")
def test_a_failed_flush_is_told_and_the_memory_holds_what_the_file_holds(path: Path) -> None:
    with opened(path) as memory, byheart.Memory(path, noise=None) as other:
        memory.remember("tea", id="a")
        memory.flush()
        memory.remember("rice", id="b")
        memory.touch("a", now=5.0)
        with full_disk(), pytest.raises(StoreError, match="2 calls that had returned within the last moments"):
            memory.flush()
        memory.flush()  # it was told
        assert [record.id for record in memory.records()] == ["a"] and not memory.recall("rice", 1).hits
        other.remember("boat", id="c")  # and takes numbers that were of what was undone
        other.touch("c", now=6.0)
        assert [hit.id for hit in memory.recall("rice boat tea")] == [hit.id for hit in other.recall("rice boat tea")]
        assert memory.records() == other.records() and memory.get("a").access_count == 0
        assert memory.check() == other.check() == []
        memory.remember("oats", id="d")
    assert ids(path) == ["a", "c", "d"]


@pytest.mark.parametrize("call", ["recall", "remember", "flush", "close"])
def test_a_flush_that_failed_in_the_background_is_told_by_the_next_call(path: Path, call: str) -> None:
    memory = opened(path)
    memory.remember("tea", id="a")
    memory.flush()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delay, "_SECONDS", 0.5)
        memory.remember("rice", id="b")
    with full_disk():
        deadline = time.monotonic() + PATIENCE
        while delay_of(memory).open:
            assert time.monotonic() < deadline
            time.sleep(0.01)
    calls = {
        "recall": lambda: memory.recall("tea"),
        "remember": lambda: memory.remember("oats", id="c"),
        "flush": memory.flush,
        "close": memory.close,
    }
    with pytest.raises(StoreError, match="a call that had returned within the last moments could not be made durable"):
        calls[call]()
    if call != "close":
        calls[call]()
        assert not memory.recall("rice").hits
        memory.close()
    assert ids(path) == (["a", "c"] if call == "remember" else ["a"])


@pytest.mark.usefixtures("slow")
def test_a_plan_that_saw_what_was_undone_falls(path: Path) -> None:
    """Another one's change may have the number by then that the undone one had."""
    with opened(path) as memory, byheart.Memory(path, noise=None) as other:
        memory.remember("tea", id="a")
        planner: Any = memory._engine.writer.planner
        planned = planner.planned
        tries: list[str] = []

        def undone_meanwhile(*args: Any, **more: Any) -> Any:
            change = planned(*args, **more)
            if not tries:
                with full_disk(), pytest.raises(StoreError):
                    delay_of(memory).settle()
                other.remember("boat", id="b", boundary_class="public")
            tries.append("once")
            return change

        planner.planned = undone_meanwhile
        memory.remember("my boat", id="b")
        assert len(tries) > 1
        with pytest.raises(StoreError, match="a call that had returned"):
            memory.flush()  # nobody has asked for that yet
        memory.flush()
        assert [record.text for record in other.records()] == ["my boat"]
        assert memory.check() == []
