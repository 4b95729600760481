"""A lock between processes that one of them takes again at once: the others come to have it, too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from byheart.storage.beside import LOCK, beside
from byheart.storage.locking import hold

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="who waits is seen by the time of an open file")

GREEDY = """
import sys, time
from pathlib import Path
from byheart.storage.locking import hold
path, stop = Path(sys.argv[1]), Path(sys.argv[2])
times = 0
while not stop.exists():
    with hold(path, 30.0):
        times += 1
        time.sleep(0.005)  # as for a commit
    if times == 1:
        print("began", flush=True)
print(times)
"""
TIMES = 40


def test_who_waits_has_the_lock_after_a_few_turns_of_another(tmp_path: Path) -> None:
    """By chance a look every four milliseconds met the moment in which it was free once in ten turns or a hundred."""
    lock, stop = beside(tmp_path / "memory.jsonl", LOCK), tmp_path / "stop"
    greedy = subprocess.Popen([sys.executable, "-c", GREEDY, lock, stop], stdout=subprocess.PIPE, text=True)
    assert greedy.stdout is not None and greedy.stdout.readline() == "began\n"
    try:
        for _ in range(TIMES):
            with hold(lock, 30.0):
                pass
    finally:
        stop.touch()
        told, _ = greedy.communicate(timeout=60)
    assert int(told) < TIMES


def test_who_is_alone_gives_way_to_nobody(tmp_path: Path) -> None:
    lock = beside(tmp_path / "memory.jsonl", LOCK)
    for _ in range(2):
        with hold(lock, 1.0):
            assert lock.stat().st_mtime_ns == 0, "nobody waits, though the holder was noted just now"
