"""Turns that a compaction deletes are named by none that stays, also by what was told while a summary was made."""

from __future__ import annotations

from collections.abc import Sequence

import byheart
from byheart.embedding import HashingEmbedder
from byheart.summarising import FunctionSummariser, Turn

from .reopened import Place
from .sessions import JOINED, joined, stored


def told(memory: byheart.Memory, id: str, session: str, kilograms: int, at: float) -> None:
    """Have somebody say what they weigh: nearly the same as before, in whichever session."""
    memory.remember(f"I weigh {kilograms} kg.", id=id, session_id=session, user_id="ann", kind="turn", created_at=at)


def test_no_record_of_another_session_names_a_turn_that_is_deleted(place: Place) -> None:
    with place.open(embedder=HashingEmbedder(32)) as memory:
        for id, session, kilograms in (("a", "one", 80), ("b", "one", 81), ("c", "two", 82), ("d", "two", 83)):
            told(memory, id, session, kilograms, kilograms - 79.0)
        assert set(memory.get("c").near_duplicates) == {"a", "b", "d"}
        before = memory.recall("I weigh 82 kg", 1, "dense").hits[0]
        memory.compact("one", sources="delete", force=True, summariser=JOINED, now=9)
        assert {memory.get("c").near_duplicates, memory.get("d").near_duplicates} == {("d",), ("c",)}
        after = memory.recall("I weigh 82 kg", 1, "dense").hits[0]
        assert (after.id, after.score) == (before.id, before.score) == ("c", before.score), "its vector is kept"
    with place.open(embedder=HashingEmbedder(32)) as memory:
        assert memory.get("c").near_duplicates == ("d",) and memory.check() == []


def test_turns_that_are_archived_are_named_still() -> None:
    memory = byheart.Memory()
    told(memory, "a", "one", 80, 1)
    told(memory, "z", "one", 79, 1)
    told(memory, "b", "two", 81, 2)
    memory.compact("one", force=True, summariser=JOINED, now=9)
    assert memory.get("b").near_duplicates == ("z", "a")


def test_who_names_a_turn_while_its_summary_is_made_does_not_do_so_for_long() -> None:
    memory = byheart.Memory()
    told(memory, "a", "one", 80, 1)
    told(memory, "z", "one", 79, 1)
    asked: list[int] = []

    def slow(turns: Sequence[Turn]) -> tuple[str, float]:
        asked.append(len(turns))
        if len(asked) == 1:
            told(memory, "b", "two", 81, 2)
            assert set(memory.get("b").near_duplicates) == {"a", "z"}
        return joined(turns)

    memory.compact("one", sources="delete", force=True, summariser=FunctionSummariser(slow, "slow"), now=9)
    assert memory.get("b").near_duplicates == () and not {"a", "z"} & stored(memory).keys()
