"""Vectors that a caller brings with a changed text, and with a message."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from byheart import Memory
from byheart.embedding import HashingEmbedder
from byheart.errors import DimensionMismatch, InvalidArgument

EAST, NORTH = [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]


@pytest.fixture(params=[False, True], ids=["in process", "file"])
def memory(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Memory:
    return Memory(tmp_path_factory.mktemp("m") / "m.db" if request.param else None, vectors="ours:3")


def stored(memory: Memory) -> dict[str, tuple[float, ...]]:
    """Return the vectors that are kept, by id."""
    store = memory._engine.store
    rows = store.vectors(store.model() or "")
    return {key.id: tuple(np.frombuffer(row, "<f4").tolist()) for key, row in rows}


def nearest(memory: Memory, vector: Sequence[float]) -> list[str]:
    return [hit.id for hit in memory.recall("zzz", profile="dense", vector=vector) if hit.score > 0.9]


def test_a_changed_text_has_the_vector_that_is_brought(memory: Memory) -> None:
    memory.remember("The kettle is red.", id="k", vector=EAST)
    memory.update("k", text="The kettle is blue.", vector=NORTH)
    assert nearest(memory, NORTH) == ["k"] and nearest(memory, EAST) == []


def test_a_vector_may_be_all_that_changes(memory: Memory) -> None:
    memory.remember("The kettle is red.", id="k", vector=EAST)
    memory.update("k", vector=NORTH)
    assert memory.get("k").text == "The kettle is red."
    assert nearest(memory, NORTH) == ["k"] and nearest(memory, EAST) == []


def test_without_one_a_changed_text_has_none_of_a_model_that_is_declared_alone(memory: Memory) -> None:
    memory.remember("The kettle is red.", id="k", vector=EAST)
    memory.update("k", text="The kettle is blue.")
    assert nearest(memory, EAST) == []
    memory.update("k", importance=0.9, vector=EAST)
    assert nearest(memory, EAST) == ["k"]


def test_a_message_and_its_copy_have_the_vector_that_is_brought(memory: Memory) -> None:
    told = memory.ingest_turn("I moved to Porto.", session_id="s", user_id="u", durable="all", vector=EAST)
    assert told.durable_id is not None and told.degraded == ()
    both = {told.id, told.durable_id}
    assert stored(memory) == dict.fromkeys(both, (1.0, 0.0, 0.0))
    memory.update(told.id or "", text="I moved to Faro.", vector=NORTH)
    assert stored(memory) == dict.fromkeys(both, (0.0, 1.0, 0.0))
    memory.update(told.durable_id, text="I moved to Lagos.", vector=EAST)
    assert stored(memory) == dict.fromkeys(both, (1.0, 0.0, 0.0))
    memory.update(told.id or "", vector=NORTH)
    assert stored(memory) == dict.fromkeys(both, (0.0, 1.0, 0.0)), "one text, one vector"
    memory.update(told.durable_id, tags=["x"], vector=EAST)
    assert stored(memory) == dict.fromkeys(both, (1.0, 0.0, 0.0))


def test_it_takes_the_place_of_what_the_embedder_would_make() -> None:
    embedder = HashingEmbedder(64)
    memory = Memory(embedder=embedder)
    memory.remember("The kettle is red.", id="k")
    other = embedder.embed_queries(["A saddle of brown leather."])[0]
    memory.update("k", text="The kettle is blue.", vector=other)
    assert stored(memory) == {"k": tuple(other.tolist())}


@pytest.mark.parametrize(
    "call",
    [
        lambda memory, vector: memory.update("k", text="new", vector=vector),
        lambda memory, vector: memory.ingest_turn("I moved to Porto.", session_id="s", vector=vector),
    ],
    ids=["update", "ingest_turn"],
)
def test_a_vector_that_does_not_fit_changes_nothing(memory: Memory, call: Callable[[Memory, object], object]) -> None:
    memory.remember("The kettle is red.", id="k", vector=EAST)
    for vector, error in (([1.0], DimensionMismatch), ("abc", InvalidArgument), ([float("nan")] * 3, InvalidArgument)):
        with pytest.raises(error, match="vector"):
            call(memory, vector)
    assert [record.text for record in memory.records()] == ["The kettle is red."]
    with pytest.raises(InvalidArgument, match="the memory has no model"):
        plain = Memory()
        plain.remember("The kettle is red.", id="k")
        call(plain, EAST)


def test_a_message_without_one_is_kept_for_good_as_without_a_model(memory: Memory) -> None:
    told = memory.ingest_turn("I am allergic to hazelnuts.", session_id="s", user_id="u")
    assert told.durable_id is not None
    assert told.degraded == (
        "vector: the memory makes none of a model that is declared alone; bring it by vector=",
        "gate: the message has no vector; nothing that was said before is known to it",
    )


def test_flags_are_no_numbers(memory: Memory) -> None:
    with pytest.raises(InvalidArgument, match="it holds flags"):
        memory.remember("x y", vector=[True, 0, 0])
