"""The profile `activation` and `search` answer with the same numbers, and say the same of what they lack."""

from __future__ import annotations

import json
from typing import Any

import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import InvalidArgument
from byheart.evaluation.receipt_replay import replay

POLICY: dict[str, Any] = {
    "version": "1.0.0", "boundary_classes": {"internal": {"allow": ["*"]}}, "retrieval": {"hybrid": {"alpha": 0.3}},
}  # fmt: skip


def both(memory: byheart.Memory, **options: Any) -> tuple[list[tuple[str, float]], list[tuple[str, float]]]:
    found = memory.search("kettle blue", now=1, **options)
    recall = memory.recall("kettle blue", now=1, profile="activation", **options)
    return [(item.claim_id, item.score) for item in found], [(hit.id, hit.score) for hit in recall]


def filled(**options: Any) -> byheart.Memory:
    memory = byheart.Memory(vectors="x:2", **options)
    memory.remember("kettle blue", id="a", vector=[1, 0.2], created_at=0)
    memory.remember("kettle red sea", id="b", vector=[1, 0], created_at=0)
    return memory


def test_the_policy_gives_the_numbers_of_both() -> None:
    searched, recalled = both(filled(policy=POLICY), vector=[1, 0])
    assert searched == recalled
    assert searched != both(filled(), vector=[1, 0])[0]


def test_the_environment_gives_the_numbers_of_both(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = both(filled(), vector=[1, 0])
    monkeypatch.setenv("BYHEART_RETRIEVAL_ALPHA", "0.3")
    searched, recalled = both(filled(), vector=[1, 0])
    assert searched == recalled
    assert searched != plain[0]


def test_without_vectors_both_say_so() -> None:
    for memory in (byheart.Memory(), byheart.Memory(vectors="x:2")):
        memory.remember("Kettle one blue.")
        [note] = memory.search("kettle blue").degraded
        assert note.startswith("dense: ")
        assert memory.recall("kettle blue", profile="activation").degraded
    assert not byheart.Memory(embedder=HashingEmbedder(64)).search("kettle blue").degraded


def test_a_vector_without_a_model_is_refused_by_both() -> None:
    memory = byheart.Memory()
    memory.remember("Kettle one blue.")
    with pytest.raises(InvalidArgument, match="no model"):
        memory.search("kettle", vector=[1.0, 0.0])
    with pytest.raises(InvalidArgument, match="no model"):
        memory.recall("kettle", profile="activation", vector=[1.0, 0.0])


def test_an_answer_for_which_nothing_was_searched_is_replayed() -> None:
    memory = byheart.Memory()
    memory.remember("Go ahead with the plan.", id="a")
    recall = memory.recall("go ahead", adaptive=True)
    assert recall.skipped
    assert replay(memory, json.loads(json.dumps(recall.receipt.to_dict()))).same
    asked = memory.recall("what is the plan?", adaptive=True)
    assert asked.hits
    assert asked.receipt.adaptive is None
    [again] = memory.recall_many(["go ahead"], adaptive="byheart")
    assert again.receipt.adaptive == "byheart"


def test_the_last_turns_of_a_context_are_those_that_its_filter_lets_through() -> None:
    memory = byheart.Memory()
    for day in range(1, 7):
        memory.ingest_turn(f"On day {day} we walked to the mill.", session_id="s", created_at=f"2026-02-0{day}")
    block = memory.context("mill", 500, session_id="s", recent=True, until="2026-02-03T12:00:00", now="2026-03-01").text
    assert "day 3" in block
    assert "day 4" not in block
    assert "day 6" not in block


def test_the_last_turns_of_a_context_are_not_those_that_the_prompt_holds_already() -> None:
    memory = byheart.Memory()
    first = memory.ingest_turn("The kettle leaks.", session_id="s", created_at=1).id
    memory.ingest_turn("The bath leaks, too.", session_id="s", created_at=100)
    context = memory.context("what leaks?", 200, session_id="s", recent=True, exclude=[first])
    assert first not in [entry.id for entry in context.entries]
    assert context.entries
