"""Damage that was told once alone: the indexes were saved without what is damaged, and the next export was whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from byheart import Memory, Record
from byheart.cli import main

MANY = 3_000


def test_who_opens_a_damaged_file_again_is_told_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "memory.db"
    with Memory(path) as memory:
        memory.remember_many(
            Record(id=f"c{n}", text=f"Customer {n} lives in street {n % 37} and rides model {n % 11}.", created_at=0)
            for n in range(MANY)
        )
        page = path.stat().st_size // 2 // 8192
    with path.open("r+b") as file:
        file.seek(page * 8192 + 4096)
        file.write(bytes((7 * at + 3) % 251 for at in range(1024)))
    for _ in range(2):
        with Memory(path) as memory:
            left = memory.count()
            assert 0 < left < MANY and "set aside" in memory.opened, memory.opened
            memory.remember("A new note.", id="new")
            assert not memory._engine.indexes.save(at_least=0)
    copy = tmp_path / "copy.jsonl"
    assert main(["export", str(copy), "-m", str(path)]) == 1
    assert "set aside" in capsys.readouterr().err
    assert len(copy.read_text(encoding="utf-8").splitlines()) == 1 + left  # and a line that says how many
