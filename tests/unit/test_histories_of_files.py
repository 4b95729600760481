"""Witnesses of histories: a file bears out what was told of itself, and nothing of another that begins like it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from byheart.records import Record
from byheart.storage import key_of
from byheart.storage.sqlite import SqliteStore


def record(id: str, text: str = "tea") -> Record:
    return Record(text=text, id=id, tenant="t", scope="s", boundary_class="internal")


def told(store: Any) -> bytes:
    witness = store.witness(store.sequence())
    assert isinstance(witness, bytes)
    return witness


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    made = SqliteStore(tmp_path / "memory.db")
    made.write([record("a"), record("b")], [])
    return made


def test_a_file_bears_out_its_own_past(store: SqliteStore) -> None:
    before = told(store)
    assert store.bears_out(before)
    store.write([record("c")], [key_of(record("a"))])
    assert store.bears_out(before) and store.bears_out(told(store))


def test_copies_that_went_on_apart_do_not_bear_each_other_out(store: SqliteStore, tmp_path: Path) -> None:
    store.close()
    shutil.copy(tmp_path / "memory.db", tmp_path / "copy.db")
    one, other = SqliteStore(tmp_path / "memory.db"), SqliteStore(tmp_path / "copy.db")
    common = told(one)
    one.write([record("c", "green tea")], [])
    other.write([record("c", "black tea")], [])
    assert one.bears_out(common) and other.bears_out(common), "what they have in common is of both"
    assert one.bears_out(told(one)) and not one.bears_out(told(other)) and not other.bears_out(told(one))


def test_a_file_of_the_same_records_is_another(store: SqliteStore, tmp_path: Path) -> None:
    other = SqliteStore(tmp_path / "other.db")
    other.write([record("a"), record("b")], [])
    rows = told(store).partition(b"\n")[2]
    assert not store.bears_out(told(other)) and not store.bears_out(b"at another time\n" + rows)
    assert not store.bears_out(b"no witness")


def test_what_a_witness_tells_of_rows_that_are_gone_bears_nothing_out(store: SqliteStore) -> None:
    before = told(store)
    store.write([], [key_of(record("a")), key_of(record("b"))])
    assert not store.bears_out(before)
