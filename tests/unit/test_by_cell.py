"""A table by key agrees with a dictionary, and what is read and put some at a time with what is put at once."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from byheart import Memory
from byheart.index.indexes import Indexes
from byheart.storage import Key
from byheart.storage.by_cell import ByCell

keys = st.builds(Key, st.sampled_from("tu"), st.sampled_from("ab"), st.sampled_from("pq"), st.sampled_from("xyz"))


@given(st.lists(st.tuples(keys, st.one_of(st.none(), st.binary(max_size=2)))))
def test_it_agrees_with_a_dictionary(steps: list[tuple[Key, bytes | None]]):
    table, plain = ByCell[bytes](), dict[Key, bytes]()
    for key, value in steps:
        if value is None:
            table.discard(key)
            plain.pop(key, None)
        else:
            table[key] = plain[key] = value
        assert table.get(key) == plain.get(key) and (key in table) == (key in plain)
        assert len(table) == len(plain) and dict(table.items()) == plain
    assert all(type(key) is Key for key, _ in table.items())
    assert all(table._cells.values()), "no cell is left without records"


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


def test_a_change_larger_than_what_is_kept_of_changes_rebuilds_nothing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("byheart.storage.log._KEPT", 5)
    memory = Memory()
    rebuilt: list[Indexes] = []
    rebuild: Callable[[Any], None] = Indexes.rebuild
    monkeypatch.setattr(Indexes, "rebuild", lambda indexes: (rebuilt.append(indexes), rebuild(indexes)))
    memory.remember_many({"id": f"r{n}", "text": f"kettle {n}"} for n in range(10))
    assert len(told(memory)) == 10 and rebuilt == []
