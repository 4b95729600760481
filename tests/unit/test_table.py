"""A table by key agrees with dictionaries, and what is read and put some at a time with what is put at once."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from byheart import Memory
from byheart._core import Table
from byheart.errors import InvalidArgument, LimitExceeded
from byheart.index.indexes import Indexes
from byheart.storage import Key
from byheart.storage.log import Log

keys = st.builds(Key, st.sampled_from("tu"), st.sampled_from("ab"), st.sampled_from("pq"), st.sampled_from("xyz"))


@given(st.lists(st.tuples(st.sampled_from("rvxyo"), keys, st.sampled_from("mn"), st.binary(max_size=2))))
def test_it_agrees_with_dictionaries(steps: list[tuple[str, Key, str, bytes]]):
    table, rows, vectors = Table(), dict[Key, bytes](), dict[tuple[str, Key], bytes]()
    for step, key, model, value in steps:
        if step == "r":
            table.put(key, value)
            rows[key] = value
        elif step == "v":
            table.keep(model, key, value)
            vectors[model, key] = value
        elif step == "x":
            table.remove(key)
            rows.pop(key, None)
        else:
            table.remove_vectors(key) if step == "y" else table.keep_only(model)
            vectors = {of: row for of, row in vectors.items() if (of[1] != key if step == "y" else of[0] == model)}
        assert table.row(key) == rows.get(key) and (key in table) == (key in rows) and len(table) == len(rows)
        assert dict(table.items()) == rows and table.rows([key, *rows]) == [rows.get(key), *rows.values()]
        for of in "mn":
            assert dict(table.vectors(of)) == {own: row for (name, own), row in vectors.items() if name == of}
            assert table.vector(of, key) == vectors.get((of, key))
            assert table.has_others(of) == any(name != of for name, _ in vectors)
    assert repr(table) == f"Table({len(rows)} rows)"


def test_a_vector_is_kept_as_the_object_that_was_given():
    table, key, vector = Table(), Key("t", "a", "p", "x"), bytes(1_000)
    table.keep("m", key, vector)
    assert table.vector("m", key) is vector and table.vectors("m")[0][1] is vector


@pytest.mark.parametrize("key", ["x", None, ("t", "a", "p"), ("t", "a", "p", 1), ("t", "a", "p", "\ud800")])
def test_what_is_no_key_is_refused_or_has_nothing(key: Any):
    table = Table()
    with pytest.raises(InvalidArgument, match="key: is no tuple of tenant, scope, class and id"):
        table.put(key, b"")
    with pytest.raises(InvalidArgument, match="key: is no tuple"):
        table.keep("m", key, b"")
    table.remove(key)
    table.remove_vectors(key)
    assert table.row(key) is table.vector("m", key) is None and key not in table and table.rows([key]) == [None]
    with pytest.raises(LimitExceeded, match="key length in bytes"):
        table.put(("t", "a", "p", "x" * 60_000), b"")


@pytest.mark.parametrize("count", [3, 300])
def test_the_log_tells_the_keys_of_few_and_of_many(count: int):
    log, noted = Log(), [Key("t", f"s{n % 2}", "p", f"r{n}") for n in range(count)]
    log.note([Key("t", "s", "p", "before")])
    log.note([*noted, *noted])
    assert log.changes(1).keys == frozenset(noted) and len(log.changes(0).keys or ()) == count + 1
    assert {type(key) for key in log.changes(1).keys or ()} == {Key}


def told(memory: Memory) -> list[tuple[str, str]]:
    return sorted((hit.id, hit.text) for hit in memory.recall("kettle", k=50))


@pytest.mark.parametrize("name", ["m.db", "m.jsonl", None])
def test_many_are_taken_in_some_at_a_time(name: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    given = [{"id": f"r{n}", "text": f"kettle {n}", "scope": "ab"[n % 2]} for n in range(10)]

    def open_it() -> Memory:
        return Memory(None if name is None else tmp_path / name)

    def ends() -> list[tuple[str, str]]:
        memory = open_it()
        follower = memory if name is None else open_it()
        memory.remember_many(given)
        assert len(told(follower)) == 10
        memory.remember_many([{**each, "text": each["text"] + " sings"} for each in given[:7]])
        for n in (1, 5, 9):
            memory.forget(f"r{n}")
        found = told(follower)
        assert found == told(memory) and follower.check() == memory.check() == []
        memory.close()
        if name is not None:
            (tmp_path / name).unlink()
        return found

    at_once = ends()
    monkeypatch.setattr("byheart.index.contents._AT_ONCE", 3)
    assert ends() == at_once and len(at_once) == 7


def test_one_that_is_damaged_among_many_is_set_aside_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("byheart.index.contents._AT_ONCE", 3)
    with Memory(tmp_path / "m.db") as memory, Memory(tmp_path / "m.db") as other:
        memory.remember("kettle of a", id="a")
        assert len(told(other)) == 1
        memory.remember_many({"id": f"r{n}", "text": f"kettle {n}"} for n in range(8))
        connection = sqlite3.connect(tmp_path / "m.db")
        connection.execute("UPDATE claims SET content = replace(content, 'kettle', 'Kettle') WHERE id = 'r4'")
        connection.commit()
        connection.close()
        assert [id for id, _ in told(other)] == ["a", *(f"r{n}" for n in range(8) if n != 4)]
        assert "'r4'" in str(other.check())


def test_one_that_is_damaged_when_it_comes_in_is_told_with_the_answers(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db") as memory, Memory(tmp_path / "m.db") as other:
        memory.remember("kettle of a", id="a")
        assert len(told(other)) == 1
        memory.remember_many({"id": f"r{n}", "text": f"kettle {n}"} for n in range(3))
        connection = sqlite3.connect(tmp_path / "m.db")
        connection.execute("UPDATE claims SET content = replace(content, 'kettle', 'Kettle') WHERE id = 'r1'")
        connection.commit()
        connection.close()
        assert other.recall("kettle").degraded == ("record 'r1' is damaged and set aside; forget it",)


def test_a_change_larger_than_what_is_kept_of_changes_rebuilds_nothing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("byheart.storage.log._KEPT", 5)
    memory = Memory()
    rebuilt: list[Indexes] = []
    rebuild: Callable[[Any], None] = Indexes.rebuild
    monkeypatch.setattr(Indexes, "rebuild", lambda indexes: (rebuilt.append(indexes), rebuild(indexes)))
    memory.remember_many({"id": f"r{n}", "text": f"kettle {n}"} for n in range(10))
    assert len(told(memory)) == 10 and rebuilt == []
