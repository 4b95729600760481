"""Same records, same bytes: whatever store they lie in, and whether they were just made or read again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import byheart

GIVEN = {"b": 1, "a": {"z": [{"d": 1, "c": 2}], "y": None}, "A": True, "é": 2, "10": 0, "9": 0}


def test_metadata_has_one_order() -> None:
    record = byheart.Record(text="tea", metadata=GIVEN, provenance={"url": "x", "at": 1})
    assert list(record.metadata) == sorted(GIVEN) and list(record.provenance) == ["at", "url"]
    assert list(record.metadata["a"]) == ["y", "z"] and list(record.metadata["a"]["z"][0]) == ["c", "d"]
    assert record.metadata == GIVEN, "and the same values"


@pytest.mark.parametrize("kind", ["memory.jsonl", "memory.db"])
def test_a_reply_is_the_same_of_every_store(tmp_path: Path, kind: str) -> None:
    def reply(memory: byheart.Memory) -> str:
        found = memory.recall("tea", now=9.0).to_dict()
        return json.dumps([found, [record.to_dict() for record in memory.records()]])

    def fill(memory: byheart.Memory) -> str:
        memory.remember("tea is good", id="x", metadata=GIVEN, created_at=0)
        memory.ingest_turn("tea is better", session_id="s", id="t", metadata={"z": 1, "b": 2}, now=1.0)
        memory.touch("x", now=2.0)
        return reply(memory)

    expected = fill(byheart.Memory(noise=None))
    path = tmp_path / kind
    with byheart.Memory(path, noise=None) as memory:
        assert fill(memory) == expected
    with byheart.Memory(path, noise=None) as memory:
        assert reply(memory) == expected


@pytest.mark.parametrize("kind", ["memory.jsonl", "memory.db"])
def test_what_a_memory_itself_adds_to_a_record_has_the_order_of_what_is_read(tmp_path: Path, kind: str) -> None:
    """The order would tell, too, whether a record was read again since somebody wrote outside the boundary."""

    def told(memory: byheart.Memory) -> list[str]:
        records = (*memory.records(), memory.get("thanks"))
        return [json.dumps([record.to_dict(), dict(record.provenance), dict(record.metadata)]) for record in records]

    with byheart.Memory(tmp_path / kind) as memory:
        memory.ingest_turn("I prefer green tea.", session_id="s", user_id="ann", durable="all", now=1.0)
        memory.ingest_turn("ok thanks", session_id="s", id="thanks", metadata={"z": 1}, now=2.0)
        memory.remember("The kettle leaks.", id="kettle", metadata={"z": 1}, provenance={"url": "x"})
        memory.remember("The kettle leaks.", metadata={"b": 2}, provenance={"at": 3})
        made = told(memory)
    with byheart.Memory(tmp_path / kind) as memory:
        assert told(memory) == made


def test_a_filter_by_a_list_asks_for_any_of_it() -> None:
    """It matched nothing once, and said nothing either."""
    memory = byheart.Memory(noise=None)
    for name, links in (("x", ["a", "b"]), ("y", ["c"]), ("z", [])):
        memory.remember(f"record {name}", id=name, links=links)
    assert memory.forget(where={"links": ["a"]}, dry_run=True).ids == ("x",)
    assert memory.forget(where={"links": "c"}, dry_run=True).ids == ("y",)
    assert memory.forget(where={"links": ["a", "c"]}).ids == ("x", "y")
    assert [record.id for record in memory.records()] == ["z"]
