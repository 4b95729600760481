"""A question's vector says a direction, as a record's does, however long it is."""

from __future__ import annotations

import pytest

import byheart
from byheart.errors import InvalidArgument


@pytest.fixture
def memory() -> byheart.Memory:
    memory = byheart.Memory(vectors="ours:3")
    memory.remember("The gate squeaks.", id="g", vector=[1e-30, 0, 0])
    memory.remember("The door squeaks.", id="d", vector=[1e300, 1e300, 0])
    return memory


@pytest.mark.parametrize("length", [1.0, 3.0, 1e-5, 1e-10, 1e-30, 1e39, 1e300])
def test_a_length_decides_nothing(memory: byheart.Memory, length: float) -> None:
    found = memory.recall("x", profile="dense", vector=[length, 0, 0])
    assert [(hit.id, round(hit.score, 6)) for hit in found] == [("g", 1.0), ("d", 0.707107)]


def test_no_direction_finds_nothing_and_no_number_is_refused(memory: byheart.Memory) -> None:
    assert not memory.recall("x", profile="dense", vector=[0, 0, 0])
    with pytest.raises(InvalidArgument, match="finite"):
        memory.recall("x", profile="dense", vector=[float("inf"), 0, 0])
