"""An id that records of several cells bear: whoever writes one is told what names it, in what the verb takes."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from byheart import Boundary, Memory
from byheart.cli.wording import told
from byheart.errors import AmbiguousId, DuplicateId

ALL = Boundary(classes=("public", "internal", "pii", "secret"))


def two_of_one_id(file: Path) -> Memory:
    with Memory(file, boundary=Boundary(classes=("secret",))) as memory:
        memory.remember("The vault code is 12.", id="order")
    with Memory(file, boundary=Boundary()) as memory:
        memory.remember("The order came.", id="order")
    return Memory(file)


@pytest.mark.parametrize(
    "write",
    [
        lambda memory, cell: memory.remember("Third text.", id="order", **cell),
        lambda memory, cell: memory.remember_many([{"text": "Third text.", "id": "order", **cell}]),
    ],
)
def test_what_is_remembered_names_its_cell_by_its_fields(write: Callable[..., Any], tmp_path: Path) -> None:
    memory = two_of_one_id(tmp_path / "memory.db")
    with pytest.raises(AmbiguousId, match="name one of them by scope= and boundary_class=, or") as caught:
        write(memory, {"boundary_class": "pii"})
    assert "by cell=" not in str(caught.value) and str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    assert "name one of them by --scope and --class, or" in told(caught.value)
    write(memory, {"scope": "project", "boundary_class": "internal"})
    assert memory.get("order", cell=("project", "internal")).text != "The order came."


def test_a_turn_takes_no_place_of_either(tmp_path: Path) -> None:
    memory = two_of_one_id(tmp_path / "memory.db")
    for cell, error in (({"boundary_class": "pii"}, AmbiguousId), ({"boundary_class": "internal"}, DuplicateId)):
        with pytest.raises(error):
            memory.ingest_turn("My cat is called Tom.", session_id="s", user_id="u", id="order", **cell)
    assert memory.get("order", cell=("project", "internal")).text == "The order came."


@pytest.mark.parametrize(
    "call",
    [
        lambda memory, **cell: memory.update("order", topic="t", **cell),
        lambda memory, **cell: memory.get("order", **cell),
    ],
)
def test_what_is_there_is_named_by_cell(call: Callable[..., Any], tmp_path: Path) -> None:
    memory = two_of_one_id(tmp_path / "memory.db")
    with memory:
        try:
            call(memory)
        except AmbiguousId as error:
            assert "name one of them by cell=" in str(error)
        call(memory, cell=("project", "internal"))


def test_the_readme_says_what_becomes_of_an_id_that_is_there_twice(tmp_path: Path) -> None:
    memory = two_of_one_id(tmp_path / "memory.db")
    memory.remember("New text.", id="order")
    assert {record.boundary_class: record.text for record in memory.records(boundary=ALL)} == {
        "internal": "New text.", "secret": "The vault code is 12.",
    }  # fmt: skip
    alone = Memory()
    alone.remember("A secret.", id="x", boundary_class="secret")
    assert alone.remember("In public.", id="x", receipt=True).status == "replaced" and alone.count(boundary=ALL) == 1
