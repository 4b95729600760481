"""Damage amid a page or a tree: it ends no listing, and all else is read and exported all the same."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from byheart import Memory
from byheart.errors import CorruptStore


def test_pages_go_on_behind_a_record_that_was_damaged_meanwhile(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db") as memory:
        memory.remember_many({"id": f"r{n}", "text": f"tea of kind {n}"} for n in range(6))
    with Memory(tmp_path / "m.db") as memory:
        assert memory.count() == 6
        with closing(sqlite3.connect(tmp_path / "m.db")) as outsider, outsider:
            outsider.execute("UPDATE claims SET content = replace(content, 'kind', 'Kind') WHERE id = 'r1'")
        found, cursor = [], None
        while True:
            page = memory.records(limit=2, cursor=cursor)
            found += [record.id for record in page]
            if (cursor := page.cursor) is None:
                break
        assert found == ["r0", "r2", "r3", "r4", "r5"]


def test_records_are_read_and_exported_where_the_page_that_counts_them_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with Memory(path) as memory:
        memory.remember_many({"id": f"r{n}", "text": f"tea of kind {n}"} for n in range(6))
    with closing(sqlite3.connect(path)) as outsider:
        (root,) = outsider.execute("SELECT rootpage FROM sqlite_master WHERE name = 'state'").fetchone()
        (size,) = outsider.execute("PRAGMA page_size").fetchone()
    held = bytearray(path.read_bytes())
    held[(root - 1) * size] = 0x77  # no kind of page
    path.write_bytes(held)
    with Memory(path) as memory:
        assert [problem.where for problem in memory.check()] == ["file"]
        assert "r3" in memory.recall("tea of kind 3")
        with pytest.raises(CorruptStore, match="nothing is written"):
            memory.remember("tea of another kind")
        assert memory.export_to(tmp_path / "out.jsonl") == 6
