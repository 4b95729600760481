"""Several writes in one commit of a store: each is looked at as after those before it, and fails alone."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from byheart.errors import CorruptRecord, InvalidArgument, StoreBusy
from byheart.storage import Since, Vectors, Write, key_of
from byheart.storage.jsonl import JsonlStore
from byheart.storage.sqlite import SqliteStore

from .test_group_commit import FILES, put, record


@pytest.fixture(params=FILES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    kind = SqliteStore if request.param == "memory.db" else JsonlStore
    made: Any = kind(tmp_path / request.param, lock_seconds=0.2)
    yield made
    made.close()


def test_a_group_is_looked_at_write_by_write(store: Any) -> None:
    """Each guard holds as after the ones before it: what they put, and what they have replaced."""
    store.write([record("a")], [])
    sequence = store.sequence()
    known = Since(sequence, lambda key: key.id == "b")
    assert store.write_each([
        put("b", absent=[key_of(record("b"))]),
        put("b", "rice", absent=[key_of(record("b"))]),  # it is there by now
        put("c", since=known),  # somebody has put "b" since
        put("c", since=Since(sequence, lambda key: key.id == "c")),
        put("a", "oats", expected=[record("a")]),
        put("a", "corn", expected=[record("a")]),  # it says "oats" by now
        Write(remove=[key_of(record("c"))], expected=[record("c")]),
        put("c", "rye", absent=[key_of(record("c"))]),  # it was removed
        Write(),
    ]) == [True, False, False, True, True, False, True, True, True]  # fmt: skip
    held = {found.id: found.text for found in store.load()}
    assert held == {"a": "oats", "b": "tea", "c": "rye"}
    assert store.changes(sequence).keys == {key_of(record(id)) for id in "abc"}
    assert store.check() == []
    fresh = type(store)(store.path)
    assert {found.id: found.text for found in fresh.load()} == held
    fresh.close()


def test_a_write_that_cannot_be_done_leaves_the_others_of_its_group(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "memory.db") as store:
        store.write([record("a", "canary")], [])
    with closing(sqlite3.connect(store.path)) as other:
        other.execute("UPDATE claims SET content = ?", ("damaged",))
        other.commit()
    with SqliteStore(store.path) as store:
        bad = Vectors("m", {key_of(record("v")): b"123"})
        gave = store.write_each([
            put("b"), Write(put=[record("v")], vectors=bad), put("c", expected=[record("a", "canary")]), put("d"),
        ])  # fmt: skip
        assert [type(each) for each in gave] == [bool, InvalidArgument, CorruptRecord, bool]
        assert [found is not None for found in store.get([key_of(record(id)) for id in "bvcd"], [])] == [
            True, False, False, True,
        ]  # fmt: skip


def test_a_vector_of_an_older_text_is_not_kept_for_what_another_write_has_put(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "memory.db") as store:
        store.write([record("a")], [])
        store.adopt("m")
        old = Vectors("m", {key_of(record("a")): bytes(8)}, as_of=store.sequence())
        assert store.write_each([put("a", "another text"), Write(vectors=old)]) == [True, True]
        assert store.vectors("m") == []


def test_while_the_file_is_held_all_are_told_and_none_is_done(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "memory.db", lock_seconds=0.05) as store:
        with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            gave = store.write_each([put("a"), put("b")])
            other.execute("ROLLBACK")
        assert [type(each) for each in gave] == [StoreBusy, StoreBusy] and gave[0] is not gave[1]
        assert list(store.load()) == []
        assert store.write_each([put("a"), put("b")]) == [True, True]
