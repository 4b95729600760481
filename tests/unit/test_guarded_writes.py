"""Compare and set: a store writes if records are as the caller last saw them, and else changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from byheart.errors import CorruptRecord
from byheart.records import Record
from byheart.storage import GuardedStore, InProcessStore, Key, Store, Vectors, key_of, open_store, write_if
from byheart.storage.sqlite import SqliteStore

Opener = Callable[[], Store]


def key(id: str, tenant: str = "t") -> Key:
    return Key(tenant, "s", "internal", id)


def keys(ids: Iterable[str], tenant: str = "t") -> list[Key]:
    return [key(id, tenant) for id in ids]


def record(id: str, text: str, **fields: object) -> Record:
    return Record(id=id, text=text, tenant="t", scope="s", boundary_class="internal", created_at=1.0, **fields)


class Plain:
    """A store that can do no more than it has to."""

    def __init__(self) -> None:
        self.records = {}

    def load(self):
        return list(self.records.values())

    def get(self, keys):
        return [self.records.get(key) for key in keys]

    def write(self, put, remove):
        for key in remove:
            self.records.pop(key, None)
        self.records.update((key_of(one), one) for one in put)

    def close(self) -> None: ...


@pytest.fixture(params=["in process", "memory.jsonl", "memory.db", "plain"])
def opener(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Opener]:
    """Return what opens the same store again; one that is not in a file is the same object."""
    only = {"in process": InProcessStore(), "plain": Plain()}.get(request.param)
    opened: list[Store] = []

    def open_again() -> Store:
        opened.append(open_store(None, only) if only is not None else open_store(tmp_path / request.param, None))
        return opened[-1]

    yield open_again
    for store in opened:
        store.close()


def test_it_writes_where_the_records_are_as_expected(opener: Opener) -> None:
    store = opener()
    first, second = record("a", "tea", metadata={"n": 1}), record("b", "rice")
    store.write([first, second], [])
    changed = replace(first, text="green tea")
    assert write_if(store, [first, second], [changed], [key("b")])
    assert store.get(keys(["a", "b"])) == [changed, None]
    assert write_if(store, [], [second], [])
    assert [found.id for found in sorted(opener().load(), key=str)] == ["a", "b"]


@pytest.mark.parametrize("what", ["changed", "removed", "never there"])
def test_it_changes_nothing_where_one_of_them_is_not(opener: Opener, what: str) -> None:
    store = opener()
    seen, other = record("a", "tea"), record("b", "rice")
    store.write([seen, other] if what != "never there" else [other], [])
    if what == "changed":
        store.write([replace(seen, access_count=1)], [])
    elif what == "removed":
        store.write([], [key("a")])
    before = store.get(keys(["a", "b", "c"]))
    assert not write_if(store, [other, seen], [record("c", "soup")], [key("b")])
    assert store.get(keys(["a", "b", "c"])) == before
    assert len(list(opener().load())) == sum(found is not None for found in before)


@pytest.mark.parametrize("name", ["memory.jsonl", "memory.db"])
def test_it_sees_what_another_has_written(tmp_path: Path, name: str) -> None:
    mine, other = (open_store(tmp_path / name, None) for _ in range(2))
    seen = record("a", "tea")
    mine.write([seen], [])
    other.load()
    other.write([replace(seen, topic="kitchen")], [])
    assert not write_if(mine, [seen], [record("b", "rice")], [])
    assert [found.id for found in other.load()] == ["a"]
    mine.close()
    other.close()


def test_it_changes_nothing_where_a_key_is_taken(opener: Opener) -> None:
    store = opener()
    seen, new = record("a", "tea"), record("b", "rice")
    store.write([seen], [])
    for absent in ([key("a")], [key("b"), key("a")]):
        assert not write_if(store, [], [new], [key("a")], absent=absent)
        assert not write_if(store, [seen], [new], [], absent=absent)
    assert store.get(keys(["a", "b"])) == [seen, None]
    assert write_if(store, [], [new], [], absent=[key("b"), key("a", "other")])
    assert not write_if(store, [], [new], [], absent=[key("b")])
    assert sorted(found.id for found in opener().load()) == ["a", "b"]


@pytest.mark.parametrize("name", ["memory.jsonl", "memory.db"])
def test_it_sees_that_another_has_taken_a_key(tmp_path: Path, name: str) -> None:
    mine, other = (open_store(tmp_path / name, None) for _ in range(2))
    other.load()
    other.write([record("a", "tea")], [])
    assert not write_if(mine, [], [record("a", "rice")], [], absent=[key("a")])
    assert [found.text for found in other.load()] == ["tea"]
    mine.close()
    other.close()


def test_vectors_are_kept_with_it_or_not_at_all(tmp_path: Path) -> None:
    seen, row = record("a", "tea"), bytes(8)
    for store in (InProcessStore(), SqliteStore(tmp_path / "memory.db"), open_store(tmp_path / "m.jsonl", None)):
        assert isinstance(store, GuardedStore)
        store.write([seen], [])
        store.adopt("m")
        vectors = Vectors("m", {key("a"): row})
        assert not write_if(store, [record("a", "another")], [], [], vectors)
        assert list(store.vectors("m")) == []
        assert write_if(store, [seen], [], [], vectors)
        assert list(store.vectors("m")) == [(key("a"), row)]
        store.close()


def test_many_records_are_compared(tmp_path: Path) -> None:
    many = [record(f"r{number:04}", f"text {number}") for number in range(1_200)]
    with SqliteStore(tmp_path / "memory.db") as store:
        store.write(many, [])
        assert write_if(store, many, [record("more", "more")], [])
        changed = [*many[:-1], replace(many[-1], text="other")]
        assert not write_if(store, changed, [record("less", "less")], [])
        assert store.get(keys(["more", "less"]))[1] is None


def test_a_damaged_record_is_named(tmp_path: Path) -> None:
    import sqlite3

    seen = record("a", "tea")
    with SqliteStore(tmp_path / "memory.db") as store:
        store.write([seen], [])
    with sqlite3.connect(tmp_path / "memory.db") as connection:
        connection.execute("UPDATE claims SET content = CAST(replace(CAST(content AS TEXT), 'tea', 'pea') AS BLOB)")
    connection.close()
    with SqliteStore(tmp_path / "memory.db") as store, pytest.raises(CorruptRecord, match="'a'"):
        write_if(store, [seen], [record("b", "rice")], [])
