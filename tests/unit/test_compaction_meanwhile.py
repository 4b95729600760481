"""Sessions compacted while others write: each turn is said once, whatever happens in between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import (
    StoreBusy,
)
from byheart.storage import InProcessStore, attempts
from byheart.summarising import FunctionSummariser, Turn

from .sessions import JOINED, joined, stored, turns

# ---- while others write


def test_turns_that_arrive_meanwhile_wait_for_the_next_time(memory: byheart.Memory) -> None:
    memory.remember_many(turns(4))
    late = {"id": "late", "text": "One more thing.", "session_id": "s1", "created_at": 50.0}

    def slow(asked: Sequence[Turn]) -> tuple[str, float]:
        memory.remember(late)
        return joined(asked)

    done = memory.compact("s1", target=4, summariser=FunctionSummariser(slow, "slow"))
    assert stored(memory)[done.summaries[0]].source_ids == ("t00", "t01", "t02", "t03")
    assert stored(memory)["late"].archived_by is None
    assert [hit.id for hit in memory.recall("one more thing", 1)] == ["late"]


def test_a_turn_that_changes_meanwhile_is_summarised_as_it_is_now(memory: byheart.Memory) -> None:
    memory.remember_many(turns(4))
    calls: list[tuple[str, ...]] = []

    def slow(asked: Sequence[Turn]) -> tuple[str, float]:
        calls.append(tuple(turn.id for turn in asked))
        if len(calls) == 1:
            memory.update("t01", text="I take that back.")
        return joined(asked)

    done = memory.compact("s1", target=2, summariser=FunctionSummariser(slow, "slow"))
    first, _ = done.summaries
    assert "I take that back." in stored(memory)[first].text
    assert calls == [("t00", "t01"), ("t02", "t03"), ("t00", "t01")], "what is still true is not made again"
    assert done.clusters_formed == 2


def test_a_turn_that_is_forgotten_meanwhile_is_in_no_summary(memory: byheart.Memory) -> None:
    memory.remember_many(turns(3))

    def slow(asked: Sequence[Turn]) -> tuple[str, float]:
        memory.forget("t01")
        return joined(asked)

    done = memory.compact("s1", target=3, force=True, summariser=FunctionSummariser(slow, "slow"))
    assert stored(memory)[done.summaries[0]].source_ids == ("t00", "t02")
    assert "Turn 1" not in stored(memory)[done.summaries[0]].text


def test_a_session_that_never_rests_is_an_error(memory: byheart.Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.remember_many(turns(2))
    monkeypatch.setattr(attempts, "SECONDS", 0.0)
    calls: list[int] = []

    def slow(asked: Sequence[Turn]) -> tuple[str, float]:
        calls.append(1)
        memory.update("t00", text=f"Again {len(calls)}.")
        return joined(asked)

    with pytest.raises(StoreBusy, match=r"during each of 64 attempts to compact .*; try again"):
        memory.compact("s1", force=True, summariser=FunctionSummariser(slow, "slow"))
    assert len(calls) == 64
    assert {record.archived_by for record in stored(memory).values()} == {None}


@pytest.mark.parametrize("sources", ["archive", "delete"])
def test_after_every_write_each_turn_is_said_once(
    memory: byheart.Memory, sources: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = memory.remember_many(turns(6))
    store, write_if = memory._engine.store, memory._engine.store.write_if
    moments: list[list[str]] = []

    def watched(*arguments: Any, **named: Any) -> bool:
        done = write_if(*arguments, **named)
        records = list(store.load())
        live = [str(record.id) for record in records if record.kind == "turn" and record.archived_by is None]
        moments.append(sorted([*live, *(source for record in records for source in record.source_ids)]))
        return done

    monkeypatch.setattr(store, "write_if", watched)
    assert len(memory.compact("s1", target=3, summariser=JOINED, sources=sources).summaries) == 2
    assert moments and moments == [ids] * len(moments), "by itself, or by a summary, and never by both"


def test_an_embedder_that_changes_meanwhile_makes_the_vectors() -> None:
    memory = byheart.Memory(embedder=HashingEmbedder(16))
    memory.remember_many(turns(2))
    wider = HashingEmbedder(32)

    def slow(asked: Sequence[Turn]) -> tuple[str, float]:
        memory.embed(wider)
        return joined(asked)

    [summary] = memory.compact("s1", force=True, summariser=FunctionSummariser(slow, "slow")).summaries
    found = dict(memory._engine.store.vectors(str(wider.fingerprint)))
    assert {key.id: len(row) for key, row in found.items()} == {"t00": 128, "t01": 128, summary: 128}


def test_two_memories_of_one_store_compact_once() -> None:
    store = InProcessStore()
    first = byheart.Memory(store=store)
    first.remember_many(turns(4))
    second = byheart.Memory(store=store)

    def slow(asked: Sequence[Turn]) -> tuple[str, float]:
        second.compact("s1", target=2, summariser=JOINED)
        return joined(asked)

    summariser = FunctionSummariser(slow, "joined")
    assert not first.compact("s1", target=2, summariser=summariser).did_compact
    assert sum(record.kind == "summary" for record in store.load()) == 2
