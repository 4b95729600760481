"""Backups beside writers in other processes: each is of one moment, and loses nothing that was acknowledged."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import byheart

WRITER = """
import sys, byheart
path, name = sys.argv[1:]
with byheart.Memory(path) as memory:
    for number in range(300):
        memory.remember_many([{"id": f"{name}-{number}-{half}", "text": f"tea {number}"} for half in "ab"])
        print(f"{name}-{number}", flush=True)
        if not sys.stdin.readline():
            break
"""


@pytest.mark.parametrize("kind", ["db", "jsonl"])
def test_backups_beside_other_processes(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"memory.{kind}"
    with byheart.Memory(path) as memory:
        memory.remember("tea", id="first")
        writers = [
            subprocess.Popen(
                [sys.executable, "-c", WRITER, str(path), name],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
            )
            for name in ("one", "other")
        ]  # fmt: skip
        acknowledged: list[str] = []
        try:
            for turn in range(8):
                for writer in writers:
                    assert writer.stdout is not None and writer.stdin is not None
                    acknowledged.append(writer.stdout.readline().strip())
                    writer.stdin.write("go on\n")  # the next write runs while the backup is made
                    writer.stdin.flush()
                done = memory.backup(tmp_path / f"backup.{kind}")
                assert done.replaced == (turn > 0)
                with byheart.Memory(done.path, read_only=True) as copy:
                    held = {str(record.id) for record in copy.records()}
                    assert copy.check() == [] and len(held) == done.records
                assert {f"{name}-{half}" for name in acknowledged for half in "ab"} <= held
                assert all(f"{id[:-1]}{half}" in held for id in held - {"first"} for half in "ab")
        finally:
            for writer in writers:
                assert writer.stdin is not None
                writer.stdin.close()
                writer.wait(30)
        assert {f"{name}-{half}" for name in acknowledged for half in "ab"} <= {each.id for each in memory.records()}
