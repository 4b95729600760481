"""Processes whose calls return before their flush: killed amid it, and beside others who wait for theirs."""

from __future__ import annotations

import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

import byheart
from byheart import Memory

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no kill -9")
PROMISED = 0.05
BUSY = 0.4  # for a machine that has more to do: the flush itself, and a thread that is woken late
WATCHDOG_SECONDS = 60.0

SAYS = """
import sys, time
import byheart
path, durability, name, calls = sys.argv[1:]
memory = byheart.Memory(path, durability=durability, noise=None)
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(calls)):
    said = f"{name}{number:05}"
    memory.remember_many([{"id": said + half, "text": f"tea of {said} {half}"} for half in "ab"])
    memory.touch("shared", now=float(number))
    print(time.monotonic(), flush=True)
memory.close()
"""


@pytest.fixture(params=["memory.db", "memory.jsonl"])
def path(request: pytest.FixtureRequest) -> Iterator[Path]:
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:  # no disk has to turn
        with byheart.Memory(Path(name) / request.param) as first:
            first.remember("what all use", id="shared")
        yield Path(name) / request.param


def started(path: Path, durability: str, name: str, calls: int) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", SAYS, str(path), durability, name, str(calls)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None and process.stdin is not None
    assert process.stdout.readline() == "ready\n"
    return process


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


@pytest.mark.parametrize("kills", [5, pytest.param(20, marks=pytest.mark.long)])
def test_a_kill_takes_the_last_calls_whole_and_no_older_ones(path: Path, kills: int) -> None:
    chance = random.Random(7)
    lost = 0
    for turn in range(kills):
        name = f"p{turn:03}-"
        process = started(path, "normal", name, 100_000)
        assert process.stdout is not None
        go(process)
        acknowledged = [float(process.stdout.readline())]
        while acknowledged[-1] - acknowledged[0] < PROMISED + BUSY + 0.2 * chance.random():
            acknowledged.append(float(process.stdout.readline()))
        killed = time.monotonic()
        process.kill()
        acknowledged += [float(line) for line in process.stdout if line.endswith("\n")]
        process.wait(WATCHDOG_SECONDS)
        with byheart.Memory(path) as memory:
            assert memory.check() == []
            there = sorted(str(record.id) for record in memory.records() if str(record.id).startswith(name))
        calls = len(there) // 2
        assert there == [f"{name}{number:05}{half}" for number in range(calls) for half in "ab"], "a beginning, whole"
        older = sum(at < killed - PROMISED - BUSY for at in acknowledged)
        assert older > 0, "it was killed too early to say anything"
        assert older <= calls <= len(acknowledged) + 1, "what was acknowledged long enough ago is there"
        lost += max(len(acknowledged) - calls, 0)
    assert lost, "no kill came between a call's return and its flush"


def test_two_processes_lose_nothing_of_each_other(path: Path) -> None:
    calls = {"normal": 60, "full": 25}
    processes = [started(path, durability, f"{durability}-", number) for durability, number in calls.items()]
    processes.append(started(path, "normal", "more-", 60))
    for process in processes:
        go(process)
    for process in processes:
        process.communicate(timeout=WATCHDOG_SECONDS)
        assert process.returncode == 0
    with byheart.Memory(path) as memory:
        assert memory.check() == []
        there = {str(record.id) for record in memory.records()}
        wanted = {"normal-": 60, "full-": 25, "more-": 60}
        assert there == {"shared"} | {
            f"{name}{number:05}{half}" for name, many in wanted.items() for number in range(many) for half in "ab"
        }
        assert memory.get("shared").access_count == 145, "each use was counted once"


def _tell(path: str, name: str) -> None:
    """What a child of multiprocessing does: it tells one record, and ends."""
    global _KEPT
    _KEPT = Memory(path, durability="normal")
    _KEPT.remember(f"job {name} is done", id=name)


_KEPT: Memory | None = None


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_a_child_of_multiprocessing_that_ends_has_kept_what_it_was_told(method: str, tmp_path: Path) -> None:
    path, how = str(tmp_path / "memory.db"), multiprocessing.get_context(method)
    child = how.Process(target=_tell, args=(path, "process"))  # type: ignore[attr-defined]
    child.start()
    child.join()
    assert child.exitcode == 0
    with ProcessPoolExecutor(1, mp_context=how) as pool:
        pool.submit(_tell, path, "pool").result()
    with Memory(path) as memory:
        assert {record.id for record in memory.records()} == {"process", "pool"}
