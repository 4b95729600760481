"""A store that is seen through a policy: it offers what the one behind it offers, so that nothing is done otherwise."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import byheart
from byheart.errors import CorruptRecord
from byheart.records import Record
from byheart.storage import InProcessStore, protocol
from byheart.storage.jsonl import JsonlStore
from byheart.storage.redacting import RedactingStore
from byheart.storage.sqlite import SqliteStore

KINDS = [
    protocol.VectorStore, protocol.GuardedStore, protocol.FollowedStore, protocol.GroupedStore,
    protocol.DelayedStore, protocol.DurableStore, protocol.FileStore, protocol.NotedStore, protocol.CheckedStore,
]  # fmt: skip
TOLD = ("path", "read_only", "durability", "delays")


@pytest.fixture(params=["in process", "memory.db", "memory.jsonl"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    if request.param == "in process":
        return InProcessStore()
    return (SqliteStore if request.param == "memory.db" else JsonlStore)(tmp_path / request.param)


def test_it_is_of_the_kinds_that_the_one_behind_is(store: Any) -> None:
    seen = RedactingStore(store, lambda record: record)
    kinds = [kind.__name__ for kind in KINDS if isinstance(store, kind)]
    assert [kind.__name__ for kind in KINDS if isinstance(seen, kind)] == kinds and len(kinds) >= 3
    assert {name: getattr(seen, name, None) for name in TOLD} == {name: getattr(store, name, None) for name in TOLD}
    of_its_own = {"back_up", "compact", "expired", "follow", "lock_seconds", "make", "numbered_vectors"}
    assert {name for name in dir(store) if not name.startswith("_") and not hasattr(seen, name)} <= of_its_own


def test_what_comes_and_goes_is_what_the_policy_leaves(store: Any) -> None:
    seen = RedactingStore(store, lambda record: record.completed(text=record.text.replace("555", "[phone]")))
    record = Record(text="call 555", id="a", tenant="t", scope="s", boundary_class="internal")
    key = protocol.key_of(record)
    store.write([record], [])
    assert [each.text for each in (*seen.load(), *seen.get([key]))] == ["call [phone]"] * 2
    assert seen.get([key._replace(id="b")]) == [None] and [each.text for each in store.load()] == ["call 555"]
    assert seen.write_if([record], [], [key]) is False, "that is not what is seen"
    assert seen.write_if(seen.get([key]), [record.completed(topic="555")], []) is True
    assert [(each.text, each.topic) for each in store.load()] == [("call [phone]", "555")]


@pytest.mark.parametrize("store", ["memory.db", "memory.jsonl"], indirect=True)
def test_of_writes_together_each_is_compared_with_what_the_policy_leaves(store: Any) -> None:
    seen: Any = RedactingStore(store, lambda record: record.completed(text=record.text.replace("555", "[phone]")))
    made = [Record(text=f"call 555 {id}", id=id, tenant="t", scope="s", boundary_class="internal") for id in "abc"]
    store.write(made, [])
    shown, changed = seen.get(list(map(protocol.key_of, made))), [each.completed(topic="555") for each in made]
    writes = [
        protocol.Write([made[0]], [], [protocol.key_of(made[0])]),  # nobody sees it so
        protocol.Write([shown[1]], [changed[1]], []),
        protocol.Write([], [], [protocol.key_of(made[2])], None, [protocol.key_of(made[0])]),  # that is there
        protocol.Write([shown[2]], [], [protocol.key_of(made[2])]),
    ]
    assert seen.write_each(writes) == [False, True, False, True]
    assert seen.write_each(writes[:1]) == [False]
    assert {each.id: (each.text, each.topic) for each in store.load()} == {
        "a": ("call 555 a", None), "b": ("call [phone] b", "555"),
    }  # fmt: skip


def test_what_changes_between_a_look_and_a_write_is_not_overwritten(store: Any, monkeypatch: Any) -> None:
    seen: Any = RedactingStore(store, lambda record: record)
    record = Record(text="call 555", id="a", tenant="t", scope="s", boundary_class="internal")
    store.write([record], [])
    look = store.get

    def looked_at(keys: Any) -> Any:
        found = look(keys)
        monkeypatch.setattr(store, "get", look)
        store.write([record.completed(topic="another's")], [])
        return found

    monkeypatch.setattr(store, "get", looked_at)
    assert seen.write_if([record], [record.completed(topic="mine")], []) is False
    assert [each.topic for each in store.load()] == ["another's"]


@pytest.mark.parametrize("store", ["in process", "memory.db"], indirect=True)
def test_with_vectors_that_are_made_anew_what_they_are_of_is_stored_as_it_is_seen(store: Any) -> None:
    seen: Any = RedactingStore(store, lambda record: record.completed(text=record.text.replace("555", "[phone]")))
    made = [Record(text=text, id=text[0], tenant="t", scope="s", boundary_class="internal") for text in
            ("a 555", "b", "c 555", "d 555")]  # fmt: skip
    store.write(made, [])
    keys = list(map(protocol.key_of, made))
    store.adopt("m")
    rows = {key: np.ones(2, np.float32).tobytes() for key in keys[:2] + keys[3:]}
    shown = seen.get(keys)
    assert seen.write_if(shown, [shown[3].completed(topic="t")], [], vectors=protocol.Vectors("m", rows)) is True
    assert {each.id: each.text for each in store.load()} == {"a": "a [phone]", "b": "b", "c": "c 555", "d": "d [phone]"}


@pytest.mark.parametrize("name", ["memory.db", "memory.jsonl"])
def test_a_memory_under_a_policy_says_how_durable_it_is(tmp_path: Path, name: str) -> None:
    for more in ({}, {"policy": "default"}):
        with byheart.Memory(tmp_path / name, durability="normal", **more) as memory:
            assert "durability='normal'" in repr(memory), more


def test_what_is_sound_in_a_damaged_store_is_seen_through_the_policy_and_the_rest_is_named(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    records = [
        Record(text=f"call 555 for {id}", id=id, tenant="t", scope="s", boundary_class="internal") for id in "abc"
    ]
    keys = [protocol.key_of(record) for record in records]
    with SqliteStore(path) as whole:
        whole.write(records, [])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE claims SET checksum = randomblob(16) WHERE id = 'b'")

    with SqliteStore(path) as whole:
        seen = RedactingStore(whole, lambda record: record.completed(text=record.text.replace("555", "[phone]")))
        read: dict[str, Callable[[list[protocol.Problem]], Iterable[Record | None]]] = {
            "all": seen.load, "some": lambda damaged: seen.get(keys, damaged)
        }  # fmt: skip
        for what, of in read.items():
            damaged: list[protocol.Problem] = []
            texts = {each.id: each.text for each in of(damaged) if each is not None}
            assert texts == {id: f"call [phone] for {id}" for id in "ac"}, what
            assert [problem.key for problem in damaged] == [keys[1]], what
        for ask in (lambda: list(seen.load()), lambda: seen.get(keys)):
            with pytest.raises(CorruptRecord):
                ask()


def test_what_the_store_behind_cannot_say_of_the_past_is_not_said() -> None:
    store = InProcessStore()
    seen: Any = RedactingStore(store, lambda record: record)
    key = protocol.Key("t", "s", "internal", "a")
    assert seen.get_as_of(store.sequence(), [key]) == [None]
    store.write([Record(id="a", text="tea", tenant="t", scope="s", boundary_class="internal", created_at=1.0)], [])
    before = store.sequence() - 1
    assert seen.get_as_of(before, [key]) == store.get_as_of(before, [key]) is None
