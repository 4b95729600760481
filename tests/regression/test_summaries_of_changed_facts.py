"""A fact that changes after a compaction supersedes the turn as well as its copy, and summaries made of it go.

The turn, which a summary stood for, was not looked at: the old value was told by the summary, behind the new one and
without a mark.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from byheart import Memory
from byheart.conversation.turn_names import durable_id
from byheart.embedding import HashingEmbedder

KINDS = ["in process", "memory.jsonl", "memory.db"]
FIELDS = pytest.mark.parametrize("fields", [False, True], ids=["in words", "in fields"])
SAY = pytest.mark.parametrize("say", ["remember", "many", "update", "turn"])
WHERE = "Where do I live?"


@pytest.fixture(params=KINDS)
def memory(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Memory]:
    where = None if request.param == "in process" else tmp_path / request.param
    with Memory(where, single_valued=["lives_in"]) as memory:
        yield memory


def told(town: str, fields: bool) -> dict[str, Any]:
    return {"subject": "I", "relation": "lives_in", "object": town} if fields else {}


def compacted(memory: Memory, fields: bool) -> str:
    for at, text in enumerate(("I live in Rome.", "My rent is 900 euros."), 1):
        memory.ingest_turn(text, session_id="s", user_id="ann", id=f"t{at}", created_at=at)
    if fields:
        memory.update("t1", **told("Rome", fields))
    [summary] = memory.compact("s", force=True, now=5).summaries
    return summary


def say_otherwise(memory: Memory, say: str, fields: bool) -> None:
    new = {"text": "I live in Oslo.", "id": "o", "user_id": "ann", "created_at": 9, **told("Oslo", fields)}
    if say == "turn":
        memory.ingest_turn("I live in Oslo.", session_id="u", user_id="ann", id="o", created_at=9)
    elif say == "many":
        memory.remember_many([new, {"text": "The kettle leaks.", "user_id": "ann"}])
    elif say == "update":
        memory.remember({**new, "text": "I live in a flat.", "subject": None, "relation": None, "object": None})
        memory.update("o", text="I live in Oslo.", **told("Oslo", fields))
    else:
        memory.remember(new)


@SAY
@FIELDS
def test_the_turn_is_superseded_and_its_summary_goes(memory: Memory, say: str, fields: bool) -> None:
    summary = compacted(memory, fields)
    say_otherwise(memory, say, fields)
    assert {memory.get(id).superseded_by for id in ("t1", durable_id("t1"))} <= {"o", durable_id("o")}
    assert memory.get("t1").superseded_by is not None
    assert summary not in memory, "it was made of what is superseded"
    assert {memory.get(id).archived_by for id in ("t1", "t2")} == {None}, "what else it stood for is found again"
    text = memory.context(WHERE, user_id="ann", session_id="s", now=10, budget=200).text
    assert "Oslo" in text and "Rome" not in text and "900" in text
    assert memory.check() == []


@FIELDS
def test_it_comes_back_with_its_turn_once_the_new_fact_is_gone(memory: Memory, fields: bool) -> None:
    compacted(memory, fields)
    say_otherwise(memory, "remember", fields)
    memory.forget("o")
    assert {memory.get(id).superseded_by for id in ("t1", durable_id("t1"))} == {None}
    assert "Rome" in memory.context(WHERE, user_id="ann", session_id="s", now=10, budget=200).text


@FIELDS
def test_an_earlier_fact_stands_behind_the_turn_that_a_summary_stands_for(memory: Memory, fields: bool) -> None:
    summary = compacted(memory, fields)
    memory.remember("I live in Oslo.", id="o", user_id="ann", created_at=0.5, **told("Oslo", fields))
    assert memory.get("o").superseded_by in ("t1", durable_id("t1")) and summary in memory
    memory.forget("t1")
    assert memory.get("o").superseded_by is None


@FIELDS
def test_before_a_compaction_and_after_it_the_same_is_superseded(fields: bool) -> None:
    marks = []
    for first in (True, False):
        memory = Memory(single_valued=["lives_in"])
        if first:
            for at, text in enumerate(("I live in Rome.", "My rent is 900 euros."), 1):
                memory.ingest_turn(text, session_id="s", user_id="ann", id=f"t{at}", created_at=at)
            if fields:
                memory.update("t1", **told("Rome", fields))
        else:
            compacted(memory, fields)
        say_otherwise(memory, "remember", fields)
        marks.append({record.id: (record.superseded_by, set(record.supersedes)) for record in memory.records()})
    assert marks[0] == marks[1]


# ---- what is archived as its own


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("embedder", [None, HashingEmbedder(32)], ids=["words", "vectors"])
@pytest.mark.parametrize("place", [{"scope": "session"}, {"boundary_class": "pii"}, {"user_id": "bob"}])
def test_noise_stays_archived_wherever_it_lies(kind: str, embedder: Any, place: dict[str, str], tmp_path: Path) -> None:
    every = {"classes": ["internal", "pii"]}
    with Memory(None if kind == "in process" else tmp_path / kind, embedder=embedder) as memory:
        kept = memory.ingest_turn("ok", session_id="s", user_id="ann", created_at=1)
        assert kept.archived and memory.get(kept.id or "").archived_by == kept.id
        memory.update(kept.id or "", **place)  # type: ignore[arg-type]
        assert memory.get(kept.id or "", boundary=every).archived_by == kept.id
        found = memory.recall("ok", session_id="s", user_id="ann", boundary=every, now=9)
        assert not found.hits and not [note for note in found.degraded if "vector" in note]
