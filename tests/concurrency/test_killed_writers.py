"""Rounds of kill -9: three processes converse, compact, correct and forget in one file, and are killed amid it.

After each round what every writer was told is there: its records are those of the same calls made one after the other
in a memory of its own, the call that was under way whole or not at all. Whoever has the file open, or opens it, answers
as one that is made anew of the records, and no file says what was forgotten.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.records import Record

from .sequential import copied
from .writers import EMBEDDER, SHARED, call, opened, word

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork, nor its kills")
NAMES = ("ann", "ben", "eve")
WATCHDOG_SECONDS = 60.0
QUESTIONS = ["which ferry to the harbour?", f"{word('ann', 1)} {word('ben', 2)} tram"]


class Writer:
    """What one writer has said so far, and a memory in which it is said again."""

    def __init__(self, folder: Path, name: str, *, embedder: bool) -> None:
        self.name, self.log = name, folder / f"{name}.log"
        self.log.touch()
        self.number, self.forgotten = 0, set[str]()
        self.uses = range(0)  # how many uses of the shared record may have come of the last round, from and below
        self.model = byheart.Memory(embedder=EMBEDDER if embedder else None, noise=None)
        self._read = 0

    def acknowledged(self) -> int:
        """Return how many calls of this round were told to be done."""
        return self.log.read_bytes()[self._read :].count(b"done\n")

    def settle(self, records: Sequence[Record]) -> int:
        """Make the calls of a round again, and assert that what is stored is what they give; return how many."""
        lines = self.log.read_bytes()[self._read :].decode().splitlines()
        self._read = self.log.stat().st_size
        calls = [json.loads(line) for line in lines if line != "done"]
        done = lines.count("done")
        assert len(calls) - done in (0, 1) and (lines[1::2] == ["done"] * done), lines[-3:]
        for what in calls[:done]:
            self._make(what)
        begun = [what["verb"] for what in calls].count("touch")
        self.uses = range(begun - (done < len(calls) and calls[-1]["verb"] == "touch"), begun + 1)
        stored = shown(record for record in records if self.name in (record.user_id, record.session_id))
        if done < len(calls) and stored != self.own():
            self._make(calls[-1])
        assert stored == self.own(), f"{self.name}: {calls[-3:]}"
        if calls:
            self.number = calls[-1]["number"] + 1
        return len(calls)

    def own(self) -> list[str]:
        return shown(self.model.records())

    def _make(self, what: dict[str, Any]) -> None:
        if what["verb"] == "touch":
            return  # of what all share
        call(self.model, self.name, what)
        if what["verb"] == "forget":
            said = what["said"].split()[0]
            if not any(said in record.text for record in self.model.records()):  # a turn may say what its copy did
                self.forgotten.add(said)


def shown(records: Any) -> list[str]:
    return sorted(json.dumps(record.to_dict(), sort_keys=True) for record in records)


class Nursery:
    """A process that forks writers."""

    def __init__(self) -> None:
        command = [sys.executable, str(Path(__file__).with_name("writers.py"))]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def fork(self, jobs: Sequence[dict[str, Any]]) -> list[int]:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(jobs) + "\n")
        self._process.stdin.flush()
        pids: list[int] = json.loads(self._process.stdout.readline())
        return pids

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


@pytest.fixture
def folder() -> Iterator[Path]:
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:  # no disk has to turn
        yield Path(name)


@pytest.fixture
def nursery() -> Iterator[Nursery]:
    made = Nursery()
    yield made
    made.close()


@pytest.mark.parametrize(
    ("name", "rounds"),
    [
        ("memory.db", 6),
        ("memory.jsonl", 3),
        pytest.param("memory.db", 60, marks=pytest.mark.long),
        pytest.param("memory.jsonl", 15, marks=pytest.mark.long),
    ],
)
def test_what_was_acknowledged_survives_kills(folder: Path, nursery: Nursery, name: str, rounds: int) -> None:
    path, seed = folder / name, random.SystemRandom().getrandbits(32)
    chance = random.Random(seed)
    kept = opened(path)
    kept.remember("the harbour map, which all use", id=SHARED, created_at=0.0)
    writers = [Writer(folder, each, embedder=name != "memory.jsonl") for each in NAMES]
    made = used = 0
    for _ in range(rounds):
        run_and_kill(nursery, path, writers, chance)
        calls, uses = check(path, kept, writers)
        assert sum(each.uses[0] for each in writers) <= uses - used <= sum(each.uses[-1] for each in writers)
        made, used = made + calls, uses
    assert made >= 10 * rounds, f"only {made} calls were made"
    assert sum(len(writer.forgotten) for writer in writers), "nothing was forgotten"
    kept.close()


def run_and_kill(nursery: Nursery, path: Path, writers: Sequence[Writer], chance: random.Random) -> None:
    """Have all write, and kill one after the other, each after some more calls of those that are left."""
    jobs = [
        {"path": str(path), "log": str(each.log), "name": each.name, "number": each.number,
         "seed": chance.getrandbits(32)}
        for each in writers
    ]  # fmt: skip
    left = dict(zip(nursery.fork(jobs), writers, strict=True))
    deadline = time.monotonic() + WATCHDOG_SECONDS
    for pid in chance.sample(list(left), len(left)):
        wanted = sum(each.acknowledged() for each in left.values()) + chance.randint(1, 15)
        while sum(each.acknowledged() for each in left.values()) < wanted:
            errors = [each.read_text() for each in path.parent.glob("*.error")]
            assert not errors, errors
            assert time.monotonic() < deadline, "the writers hang"
            time.sleep(0.0005 * chance.random())  # so that it strikes anywhere in a call
        os.kill(pid, signal.SIGKILL)
        gone(pid, deadline)
        del left[pid]


def gone(pid: int, deadline: float) -> None:
    """Wait until a process that was killed is no more."""
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.001)
    raise AssertionError("a killed process is still there")


def check(path: Path, kept: byheart.Memory, writers: Sequence[Writer]) -> tuple[int, int]:
    """Assert that all is as it was acknowledged, and found; return how many calls were made, and all uses so far."""
    with opened(path) as fresh:
        records = fresh.records()
        calls = sum(writer.settle(records) for writer in writers)
        [uses] = [record.access_count for record in records if record.id == SHARED]
        store = fresh._engine.store
        with byheart.Memory(store=copied(store), embedder=fresh._engine.embedder, noise=None) as made:
            for memory in (fresh, kept):
                assert memory.check() == []
                assert shown(memory.records()) == shown(made.records())
                for question in QUESTIONS:
                    answers = [one.recall(question, now=1e6).to_dict() for one in (memory, made)]
                    assert answers[0] == answers[1], f"{memory.opened}: {question}"
    said = " ".join(record.text for record in records)
    files = [each.read_bytes() for each in path.parent.rglob("*") if each.is_file() and each.suffix != ".log"]
    gone = [each for writer in writers for each in writer.forgotten if each not in said]
    left = [each for each in gone if any(each.encode() in content for content in files)]
    assert not left, f"forgotten, and on the disk: {left}"
    return calls, uses
