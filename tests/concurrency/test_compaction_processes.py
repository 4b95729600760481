"""One session compacted by several processes at once, while turns are said, changed, used and forgotten."""

import multiprocessing
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import StoreBusy
from byheart.summarising import FunctionSummariser, Turn

EMBEDDER = HashingEmbedder(16)
WATCHDOG_SECONDS = 90


@pytest.fixture
def path() -> Iterator[Path]:
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:  # no disk has to turn
        yield Path(name) / "memory.db"


def turn(number: int) -> dict[str, object]:
    text = f"Turn {number} of the talk, whose word is w{number}."
    return {"id": f"t{number:03}", "text": text, "session_id": "talk", "created_at": float(number)}


def retell(turns: Sequence[Turn]) -> tuple[str, float]:
    return " ".join(turn.text for turn in turns), 0.5


RETOLD = FunctionSummariser(retell, "retold")

COMPACT = """
import sys, time
sys.path.insert(0, sys.argv[2])
from test_compaction_processes import *
memory = byheart.Memory(sys.argv[1], embedder=EMBEDDER)
print("ready", flush=True)
sys.stdin.readline()
def slow(turns):
    time.sleep(0.05)
    return retell(turns)
done = memory.compact("talk", target=4, force=True, summariser=FunctionSummariser(slow, "retold"), now=9.0)
print(done.clusters_formed, done.turns_removed, flush=True)
"""


def started(path: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", COMPACT, str(path), str(Path(__file__).parent)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert said(process) == "ready"
    return process


def said(process: subprocess.Popen[str]) -> str:
    """Return the next line of a process, which has to come."""
    timer = threading.Timer(WATCHDOG_SECONDS, process.kill)
    timer.start()
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    timer.cancel()
    return line


def check(memory: byheart.Memory, turns: int) -> list[byheart.Record]:
    """Assert that each turn is there once, live or behind one summary that says it; return the summaries."""
    records = memory.records()
    summaries = [record for record in records if record.kind == "summary"]
    behind = Counter(id for summary in summaries for id in summary.source_ids)
    live = [record.id for record in records if record.kind != "summary" and record.archived_by is None]
    assert max(behind.values(), default=1) == 1, "a turn is behind two summaries"
    assert sorted([*behind, *live]) == [f"t{number:03}" for number in range(turns)]
    for summary in summaries:
        shown = memory.expand(summary.id)
        assert [record.id for record in shown] == list(summary.source_ids)
        assert {record.archived_by for record in shown} == {summary.id}
        assert summary.text == " ".join(record.text for record in shown), "it says what its turns say now"
    assert memory.check() == []
    return summaries


def test_two_processes_compact_a_session_once(path: Path) -> None:
    with byheart.Memory(path, embedder=EMBEDDER) as memory:
        memory.remember_many(map(turn, range(16)))
        processes = [started(path) for _ in range(2)]
        for process in processes:
            process.stdin.write("go\n")
            process.stdin.flush()
        answers = sorted(said(process) for process in processes)
        assert answers == ["0 0", "4 16"], "one has done it, and the other has found nothing left"
        assert len(check(memory, 16)) == 4
    for process in processes:
        process.communicate(timeout=60)


def test_turns_arrive_and_change_while_processes_compact(path: Path) -> None:
    with byheart.Memory(path, embedder=EMBEDDER) as memory:
        memory.remember_many(map(turn, range(12)))
        processes = [started(path) for _ in range(2)]
        for process in processes:
            process.stdin.write("go\n")
            process.stdin.flush()
        for number in range(12, 24):  # meanwhile
            memory.remember(turn(number))
            live = [record.id for record in memory.records() if record.archived_by is None and record.kind is None]
            if live[:1] != [f"t{number:03}"]:
                memory.touch(live[:1])
        removed = sum(int(said(process).split()[1]) for process in processes)
        assert removed >= 12, "what was there at the beginning is compacted"
        check(memory, 24)
        for _ in range(3):
            memory.compact("talk", target=4, force=True, summariser=RETOLD)
        summaries = check(memory, 24)
        assert sum(len(summary.source_ids) for summary in summaries) >= 23
    for process in processes:
        process.communicate(timeout=60)


def touch_often(path: str, times: int) -> None:
    with byheart.Memory(path, embedder=EMBEDDER) as memory:
        done = 0
        while done < times:
            try:
                done += memory.touch("t000")
            except StoreBusy:
                continue  # said so, and counted nothing


def test_no_use_is_lost(path: Path) -> None:
    with byheart.Memory(path, embedder=EMBEDDER) as memory:
        memory.remember(turn(0))
        context = multiprocessing.get_context("spawn")
        processes = [context.Process(target=touch_often, args=(str(path), 40)) for _ in range(2)]
        threads = [threading.Thread(target=lambda: [memory.touch("t000") for _ in range(20)]) for _ in range(2)]
        for worker in (*processes, *threads):
            worker.start()
        for worker in (*processes, *threads):
            worker.join(WATCHDOG_SECONDS)
        assert [process.exitcode for process in processes] == [0, 0]
        assert memory.records()[0].access_count == 2 * 40 + 2 * 20
