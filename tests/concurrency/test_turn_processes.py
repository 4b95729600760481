"""Several processes, and several threads, ingest into one session at one and the same millisecond: nothing is lost."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import byheart
from byheart.conversation.turn_names import durable_id
from byheart.embedding import HashingEmbedder

WATCHDOG_SECONDS = 120
TURNS = 25
PROGRAM = """
import json, sys
import byheart
from byheart.embedding import HashingEmbedder
path, name, turns = sys.argv[1], sys.argv[2], int(sys.argv[3])
with byheart.Memory(path, embedder=HashingEmbedder(16)) as memory:
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(turns):
        done = memory.ingest_turn(f"I prefer seat {number} of row {name}", session_id="s", user_id=name, now=1.0)
        print(json.dumps([done.id, done.durable_id, number, done.degraded]), flush=True)
"""


@pytest.mark.parametrize("name", ["memory.db", "memory.jsonl"])
def test_processes_do_not_take_each_others_names(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    byheart.Memory(path).close()
    writers = {
        user: subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(path), user, str(TURNS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for user in ("ada", "ben")
    }
    timer = threading.Timer(WATCHDOG_SECONDS, lambda: [writer.kill() for writer in writers.values()])
    timer.start()
    for writer in writers.values():
        assert writer.stdout.readline() == "ready\n"
    for writer in writers.values():
        writer.stdin.write("go\n")
        writer.stdin.flush()
    said = {user: writer.communicate()[0].splitlines() for user, writer in writers.items()}
    timer.cancel()
    assert [writer.returncode for writer in writers.values()] == [0, 0]
    with byheart.Memory(path, embedder=HashingEmbedder(16)) as memory:
        stored = {record.id: (record.text, record.kind) for record in memory.records()}
    expected, names = {}, []
    for user, lines in said.items():
        receipts = [json.loads(line) for line in lines]
        own = [id for id, *_ in receipts]
        assert own == sorted(own) and len(own) == TURNS, "in the order in which they were said"
        names += own
        for id, copy, number, degraded in receipts:
            text = f"I prefer seat {number} of row {user}"
            assert degraded == [] and copy in (None, durable_id(id))
            expected[id] = (text, "turn")
            if copy is not None:
                expected[copy] = (text, "memory")
    assert len(set(names)) == 2 * TURNS
    assert stored == expected


def test_threads_do_not_take_each_others_names() -> None:
    memory = byheart.Memory(embedder=HashingEmbedder(16))
    names: list[str] = []

    def talk(user: str) -> None:
        for number in range(TURNS):
            names.append(memory.ingest_turn(f"{user} says {number}", session_id="s", user_id=user, now=1.0).id)

    talkers = [threading.Thread(target=talk, args=(user,)) for user in ("ada", "ben", "eve")]
    for talker in talkers:
        talker.start()
    for talker in talkers:
        talker.join(WATCHDOG_SECONDS)
    assert sorted(names) == [f"s:{1000 + number:013}" for number in range(3 * TURNS)]
    assert {record.id for record in memory.records() if record.kind == "turn"} == set(names)
    assert memory.check() == []
