"""A repair leaves nothing on disk of what a damaged record said: neither its row, nor what was saved of the indexes."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from byheart import Memory


def holding(folder: Path, word: bytes) -> set[str]:
    return {path.suffix for path in folder.rglob("*") if path.is_file() and word in path.read_bytes()}


def test_what_was_saved_of_the_indexes_goes_with_the_damaged_record(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db") as memory:
        memory.remember("The zebrafish swims.", id="z")
        memory.remember("Tea is green.", id="t")
        memory._engine.indexes.save(at_least=0)
        assert holding(tmp_path, b"zebrafish") == {".db", ".bhgen"}
        with closing(sqlite3.connect(tmp_path / "m.db")) as outsider, outsider:
            outsider.execute("UPDATE claims SET content = replace(content, 'swims', 'Swims') WHERE id = 'z'")
        assert [problem.key.id for problem in memory.check(repair=True) if problem.key] == ["z"]
        assert holding(tmp_path, b"zebrafish") == set() and memory.check() == []
        assert [hit.id for hit in memory.recall("green tea")] == ["t"]
