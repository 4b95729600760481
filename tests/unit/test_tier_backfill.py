"""Marks of tiers that are not written are settled when a memory in a file is opened, and counted (spec A1.4.12)."""

import sqlite3
from dataclasses import asdict
from pathlib import Path

import byheart
from byheart.embedding import HashingEmbedder
from byheart.storage import Key
from byheart.storage.sqlite import SqliteStore

EMBEDDER = HashingEmbedder(128)  # tiers of 64 and 128


def marked(path: Path) -> None:
    """Make a memory whose file says that tiers of two records were not written, and more that makes no sense."""
    with byheart.Memory(path, embedder=EMBEDDER) as memory:
        memory.remember_many([{"id": "whole", "text": "a red fox"}, {"id": "other", "text": "a brown owl"}])
    with byheart.Memory(path) as memory:
        memory.remember("without a vector", id="blank")
    with SqliteStore(path) as store:
        of = [Key("default", "project", "internal", name) for name in ("whole", "other", "blank")]
        store.mark_tiers([(of[0], 64), (of[0], 999), (of[1], 64), (of[2], 64)], now=1.0)
    with sqlite3.connect(path) as connection:
        claim = connection.execute("SELECT min(claim) FROM tier_dirty").fetchone()[0]
        connection.execute("INSERT INTO tier_dirty VALUES (?, 32, 1.0, zeroblob(8))", (claim,))
    connection.close()


def test_opening_settles_and_counts_and_a_second_opening_finds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    marked(path)
    with byheart.Memory(path, embedder=EMBEDDER) as memory:
        report = asdict(memory.backfill)
        assert {name: count for name, count in report.items() if count} == {
            "repaired": 2,
            "unknown_dims": 1,
            "missing": 1,
            "malformed": 1,
        }
        assert memory.recall("red fox", profile="dense", mode="early_exit").hits[0].id == "whole"
        assert memory.check() == []
    with byheart.Memory(path, embedder=EMBEDDER) as memory:
        assert not any(asdict(memory.backfill).values())


def test_without_an_embedder_marks_stay(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    marked(path)
    with byheart.Memory(path) as memory:
        assert memory.backfill is None
    with SqliteStore(path) as store:
        assert len(store.dirty_tiers([])) == 4
