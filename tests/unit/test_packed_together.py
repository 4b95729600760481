"""Records that are packed together: what they give, what is kept of them, and that nothing of a batch stays."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from byheart import Memory, Record
from byheart._core import Table
from byheart.errors import InvalidArgument
from byheart.storage import key_of
from byheart.storage.log import Log
from byheart.storage.packed import PackedRecords
from byheart.writing.standing import Standing

CELL: dict[str, Any] = {"tenant": "t", "scope": "s", "boundary_class": "internal"}


def record(id: str, text: str = "tea", **more: Any) -> Record:
    return Record(text=text, id=id, **{**CELL, **more})


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.text(min_size=1).filter(str.strip)), max_size=12))
def test_together_is_one_after_the_other(told: list[tuple[str, str]]):
    records = [record(id, f"x{text}", tags=("hot",) * (len(text) % 2)) for id, text in told]
    alone, together = PackedRecords(Table()), PackedRecords(Table())
    for each in records:
        alone.put(key_of(each), alone.packed(each))
    packed = together.packed_together(records)
    together.put_all(packed)
    assert [(key, each.row, each.plain) for key, each in packed] == [
        (key_of(each), *alone.packed(each)[1:]) for each in records
    ]
    keys = [key_of(each) for each in records]
    assert together.get(keys) == alone.get(keys) and len(together) == len(alone) and len(packed) == len(records)
    together.put_all(packed)  # what was broken off is done again
    assert together.get(keys) == alone.get(keys)


@pytest.mark.parametrize(("count", "kept"), [(16, 16), (17, 0)])
def test_of_many_none_is_kept_as_an_object(count: int, kept: int):
    held, records = PackedRecords(Table()), [record(f"r{n}") for n in range(count)]
    held.put_all(held.packed_together(records))
    found = held.get([key_of(each) for each in records])
    assert sum(one is other for one, other in zip(found, records, strict=True)) == kept


def test_what_cannot_be_packed_leaves_nothing():
    memory = Memory()
    wrong = record("b", metadata={"n": 1}).completed(metadata={"n": object()})
    with pytest.raises(InvalidArgument, match="'b': holds what JSON cannot say"):
        memory._engine.store.write([record("a"), wrong], [])
    assert list(memory._engine.store.load()) == []


@pytest.mark.parametrize("count", [255, 256, 257, 258])
def test_the_log_takes_keys_as_they_come(count: int):
    keys = [key_of(record(f"r{n}")) for n in range(count)]
    log = Log()
    log.note(key for key in [*keys, *keys[:3]])
    assert log.changes(0).keys == frozenset(keys)


def test_what_a_call_is_planned_with_is_gone_before_it_is_written(monkeypatch: pytest.MonkeyPatch):
    memory, made = Memory(single_valued=["lives_in"]), list[weakref.ref[Standing]]()
    begin = Standing.__init__

    def noted(self: Standing, *given: Any, **named: Any) -> None:
        begin(self, *given, **named)
        made.append(weakref.ref(self))

    monkeypatch.setattr(Standing, "__init__", noted)
    write, there = memory._engine.store.write_if, list[bool]()

    def looked(*given: Any, **named: Any) -> bool:
        gc.collect()
        there.append(any(each() is not None for each in made))
        return write(*given, **named)

    monkeypatch.setattr(memory._engine.writer.commits._follows, "write_if", looked)
    memory.remember_many([{"text": "I live in Rome.", "id": "a"}, {"text": "I live in Paris.", "id": "b"}])
    assert made and there == [False]
