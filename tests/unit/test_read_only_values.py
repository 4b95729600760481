"""What a record holds cannot be changed in place: answers are values, and the memory says what was written."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from byheart import Memory, Record
from byheart.errors import InvalidArgument
from byheart.frozen.read_only import ReadOnlyDict, ReadOnlyList

SAID = {"room": "kitchen", "sizes": [1, {"deep": [2]}]}
CHANGES: dict[str, Callable[[Any], Any]] = {
    "set": lambda held: held.__setitem__("room", "bath"),
    "delete": lambda held: held.__delitem__("room"),
    "clear": lambda held: held.clear(),
    "update": lambda held: held.update(room="bath"),
    "or": lambda held: held.__ior__({"room": "bath"}),
    "pop": lambda held: held.pop("room"),
    "set default": lambda held: held.setdefault("new", 1),
    "pop an item": lambda held: held.popitem(),
    "append": lambda held: held["sizes"].append(3),
    "set in a list": lambda held: held["sizes"].__setitem__(0, 9),
    "sort": lambda held: held["sizes"].sort(key=str),
    "deep": lambda held: held["sizes"][1]["deep"].extend([1]),
    "deep, a mapping": lambda held: held["sizes"][1].update(a=1),
}


@pytest.mark.parametrize("name", [None, "m.db", "m.jsonl"])
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_an_answer_does_not_change_the_memory(tmp_path: Path, name: str | None, change: Callable[[Any], Any]) -> None:
    given: dict[str, Any] = copy.deepcopy(SAID)
    with Memory(None if name is None else tmp_path / name) as memory:
        memory.remember("The kettle leaks.", id="k", metadata=given, provenance=given)
        change(given)  # what was handed in is the caller's
        version = memory.version("k")
        found = (
            memory.get("k"),
            memory.recall("kettle")[0].record,
            memory.records()[0],
            Record(text="a", metadata=SAID),
        )
        for record in found:
            for held in (record.metadata, record.provenance or record.metadata):
                with pytest.raises(TypeError, match=r"Memory\.update"):
                    change(held)
        memory.update("k", importance=0.5)
        assert memory.get("k").metadata == memory.get("k").provenance == SAID
        assert memory.version("k") != version and memory.check() == []


def test_what_looks_closed_is_checked_as_well() -> None:
    with pytest.raises(InvalidArgument, match="plain JSON"):
        Record(text="tea", metadata=ReadOnlyDict(litres=float("nan")))


def test_a_copy_may_be_changed() -> None:
    record = Record(text="tea", metadata=SAID)
    assert json.loads(json.dumps(record.metadata)) == SAID
    for held in (pickle.loads(pickle.dumps(record)), copy.copy(record), dataclasses.replace(record, text="tea")):
        assert held == record and type(held.metadata) is ReadOnlyDict
        assert type(held.metadata["sizes"]) is ReadOnlyList
    for changeable in (record.to_dict()["metadata"], copy.deepcopy(record.metadata)):
        changeable["sizes"][1]["deep"].append(3)
        changeable["more"] = 1
    for flat in (dict(record.metadata), record.metadata.copy(), {**record.metadata}):  # type: ignore[attr-defined]
        flat["more"] = 1
    assert record.metadata == SAID
