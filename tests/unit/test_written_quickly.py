"""What a single write does not do twice: records read from mappings, statements of a store file."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from byheart import ByheartError, Memory, Record
from byheart.records import DEFAULTS
from byheart.storage import Vectors, Write, key_of
from byheart.storage.connection import _Connection
from byheart.storage.sqlite import SqliteStore

GIVEN: list[dict[str, Any]] = [
    {"text": "tea"},
    {"topic": "Kettle", "metadata": {"litres": 2, "of": ["a", {"b": 1}]}},
    {"claim": "Tea is hot.", "tags": ["b", "a"], "entities": ("x",), "supersedes": "old", "importance": 1},
    {"text": "x", "created_at": "2024-05-01", "provenance": {"source_name": "a.md"}, "access_count": 3},
    {"text": "x", "revisions": [[1.0, "remembered", []]], "subject": "a", "relation": "is", "object": "b"},
]
WRONG: list[dict[str, Any]] = [
    {}, {"text": 7}, {"text": "x", "importance": 2}, {"text": "x", "metadata": {1: 2}}, {"text": "x", "subject": "a"},
    {"text": "x", "id": ""}, {"text": "x", "valid_from": 2, "valid_to": 1}, {"text": "x", "metadata": 3},
]  # fmt: skip


def slots(record: Record) -> list[tuple[str, type, Any]]:
    return [(name, type(value := getattr(record, name)), value) for name in DEFAULTS]


@pytest.mark.parametrize("given", GIVEN)
def test_a_record_of_a_mapping_is_the_one_that_the_constructor_makes(given: dict[str, Any]):
    read, made = Record.from_dict(given), Record(**given)
    assert slots(read) == slots(made) and read == made and read.canonical() == made.canonical()
    again = Record.from_dict({"text": "tea"})
    assert again.metadata == {} and again.text == "tea"  # nothing of one stays for the next


@pytest.mark.parametrize("given", WRONG)
def test_a_record_of_a_mapping_is_refused_as_by_the_constructor(given: dict[str, Any]):
    with pytest.raises((ByheartError, TypeError)) as made:
        Record(**given)
    with pytest.raises(type(made.value)) as read:
        Record.from_dict(given)
    assert str(read.value) == str(made.value)


def statements(memory: Memory, store: SqliteStore) -> list[str]:
    said: list[str] = []
    writer = store._session.pair.writer
    assert writer is not None
    writer.set_trace_callback(said.append)
    memory.remember("The kettle sings.", id="more")
    writer.set_trace_callback(None)
    return [each.split()[0] if "PRAGMA" not in each else each for each in said]


def test_a_write_looks_once_whether_others_have_written(tmp_path: Path):
    with SqliteStore(tmp_path / "m.db") as store:
        memory = Memory(store=store, noise=None)
        for n in range(2):
            memory.remember("tea", id=f"a{n}")
        assert statements(memory, store) == [
            "PRAGMA data_version", "BEGIN", "PRAGMA journal_mode", "SELECT", "SELECT", "INSERT", "INSERT", "UPDATE",
            "COMMIT",
        ]  # fmt: skip


def test_who_has_looked_once_sees_what_others_write_before_and_after(tmp_path: Path):
    with SqliteStore(tmp_path / "m.db") as one, SqliteStore(tmp_path / "m.db") as other:
        mine, theirs = Memory(store=one, noise=None), Memory(store=other, noise=None)
        for n in range(3):
            mine.remember(f"kettle {n}", id=f"mine{n}")
            assert one.sequence() == other.sequence()
            theirs.remember(f"kettle {n} sings", id=f"theirs{n}")
            theirs.remember(f"kettle {n} whistles", id=f"more{n}")
            mine.remember(f"kettle {n} again", id=f"again{n}")
            seen = sorted(hit.id for hit in theirs.recall("kettle", k=50))
            assert seen == sorted(hit.id for hit in mine.recall("kettle", k=50)) and len(seen) == 4 * (n + 1)


def test_a_write_of_many_asks_the_file_no_more_often_than_one_of_few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    asked = [0]
    for verb in ("execute", "executemany"):
        plain = getattr(sqlite3.Connection, verb)

        def counted(connection: sqlite3.Connection, *args: Any, plain: Any = plain) -> Any:
            asked[-1] += 1
            return plain(connection, *args)

        monkeypatch.setattr(_Connection, verb, counted)
    with SqliteStore(tmp_path / "m.db") as store:
        for start, size in ((0, 2), (10, 2), (100, 300)):
            asked.append(0)
            put = [
                Record(id=str(n), text="x", tenant="t", scope="s", boundary_class="public")
                for n in range(start, start + size)
            ]
            store.write(put, [], Vectors("model", {key_of(each): bytes(8) for each in put}))
        assert asked[-1] == asked[-2] and len(store.load()) == 304 and not store.check()


def test_what_waits_in_a_change_is_seen_by_the_writes_that_share_it(tmp_path: Path):
    tea, hot = (
        Record(id="a", text=text, tenant="t", scope="s", boundary_class="public") for text in ("Tea.", "Hot tea.")
    )
    with SqliteStore(tmp_path / "m.db") as store:
        done = store.write_each(
            [Write([], [tea], []), Write([hot], [tea], []), Write([tea], [hot], []), Write([hot], [], [key_of(hot)])]
        )
        assert done == [True, False, True, True] and store.load() == [] and not store.check()
        store.write_each([Write([], [tea], []), Write([tea], [hot], [])])
        assert store.load() == [hot] and not store.check() and b"Tea." not in store.path.read_bytes()
