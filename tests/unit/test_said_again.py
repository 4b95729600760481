"""What is said again is the same record only where nothing of it would be lost: to the letter, and in its metadata."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.recall import run


@pytest.fixture(params=["in process", "memory.jsonl", "memory.db"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[byheart.Memory]:
    where = () if request.param == "in process" else (tmp_path / request.param,)
    with byheart.Memory(*where) as opened:
        yield opened


def test_another_value_under_a_key_is_another_record(memory: byheart.Memory) -> None:
    ids = [memory.remember("Battery is low.", metadata={"device": device}) for device in "ABC"]
    assert [memory.get(id).metadata for id in ids] == [{"device": "A"}, {"device": "B"}, {"device": "C"}]
    assert memory.remember("Battery is low.", metadata={"device": "B", "volt": 3}) == ids[1]
    assert memory.get(ids[1]).metadata == {"device": "B", "volt": 3}, "what one alone has is taken over"
    assert memory.remember("Battery is low.", metadata={"device": "B", "volt": 2}) not in ids
    assert memory.remember("Battery is low.") == ids[0], "of several that do not contradict, the earliest"


@pytest.mark.parametrize("one", [1, True, "1", [1], {"n": 1}, None])
@pytest.mark.parametrize("other", [1, True, "1", [1], {"n": 1}, None, [2], {"n": 2}])
def test_values_are_the_same_as_they_are_written(one: Any, other: Any) -> None:
    memory = byheart.Memory()
    ids = {memory.remember("Paid.", metadata={"n": value}) for value in (one, other)}
    same = type(one) is type(other) and one == other
    assert len(ids) == (1 if same else 2)


@pytest.mark.parametrize("at_once", [False, True])
def test_a_hundred_of_one_text_are_all_there_and_each_can_be_said_again(memory: byheart.Memory, at_once: bool) -> None:
    given = [{"text": "Paid.", "metadata": {"invoice": number}} for number in range(100)]

    def say() -> list[str]:
        return memory.remember_many(given) if at_once else [memory.remember(each) for each in given]

    ids = say()
    assert len(set(ids)) == memory.count() == 100
    assert say() == ids, "with the same metadata each is found, however many there are"
    bare = memory.remember("Paid.", metadata={})
    assert bare not in ids and memory.remember("Paid.") == bare, "of so many alike, the one with the same metadata"
    assert memory.count() == 101


def test_what_one_call_says_contradicts_what_it_has_said_before(memory: byheart.Memory) -> None:
    first = memory.remember("Paid.")
    ids = memory.remember_many([{"text": "Paid.", "metadata": {"invoice": number}} for number in (1, 2, 1)])
    assert ids == [first, ids[1], first] and ids[1] != first
    assert [memory.get(id).metadata["invoice"] for id in ids[:2]] == [1, 2]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Wifi password: Sommer2024", "Wifi password: sommer2024"),
        ("if x:\n    y()\nz()", "if x:\n    y()\n    z()"),
        ("The code is \uff21\uff22", "The code is AB"),
        ("The code is 1 2", "The code is 1  2"),
    ],
)
def test_another_letter_or_other_white_space_within_is_another_text(
    memory: byheart.Memory, one: str, other: str
) -> None:
    ids = [memory.remember(text) for text in (one, other, f"  {one}\n")]
    assert ids[0] == ids[2] != ids[1] and [memory.get(id).text for id in ids[:2]] == [one, other]
    found = [hit.text for hit in memory.recall(one, min_strength=0.0)]
    assert {one, other} <= set(found), "no answer hides the one behind the other"


def test_facts_whose_objects_differ_in_a_letter_are_two(memory: byheart.Memory) -> None:
    fact = {"subject": "Wifi", "relation": "about"}
    ids = [memory.remember("It is set.", **fact, object=each) for each in ("Sommer2024", "sommer2024")]
    assert ids[0] != ids[1] and memory.remember("So it is.", **fact, object="Sommer2024") == ids[0]


@pytest.mark.parametrize("embedder", [None, HashingEmbedder(64)])
@pytest.mark.parametrize("how", ["remembered", "turns", "kept for good"])
@pytest.mark.parametrize("stages", [False, True])
def test_the_newer_one_is_what_was_said_last(embedder: HashingEmbedder | None, how: str, stages: bool) -> None:
    memory = byheart.Memory(embedder=embedder)
    for at, name in enumerate(["Ada", "Bo", "Ada"]):
        text, now = f"My boss is {name}.", 1e9 + at * 86_400.0
        if how == "remembered":
            memory.remember(text, user_id="ann", created_at=now)
        else:
            memory.ingest_turn(text, session_id=f"s{at}", user_id="ann", now=now,
                               durable="none" if how == "turns" else "all")  # fmt: skip
    if stages:  # in place of the pass of the core
        with patch.object(run, "fused", lambda *given: None):
            answer = memory.recall("who is my boss?", user_id="ann", now=2e9)
    else:
        answer = memory.recall("who is my boss?", user_id="ann", now=2e9)
    assert [hit.text for hit in answer] == ["My boss is Ada.", "My boss is Bo."]


@pytest.mark.parametrize("embedder", [None, HashingEmbedder(64)])
def test_what_a_user_says_in_three_sessions_is_shown_once_and_outlives_each(embedder: HashingEmbedder | None) -> None:
    memory, text = byheart.Memory(embedder=embedder), "My dog Rex likes walks by the river."
    turns = [memory.ingest_turn(text, session_id=f"s{at}", user_id="ann", now=at, durable="all") for at in (1, 2, 3)]
    assert [hit.text for hit in memory.recall("what does my dog like?", user_id="ann", now=9)] == [text]
    for session in ("s1", "new"):
        block = memory.context("what does my dog like?", 500, user_id="ann", session_id=session, now=9)
        assert block.text.count("Rex") == 1
    memory.forget([str(turn.id) for turn in turns[:2]])
    assert [record.id for record in memory.records({"kind": "memory"})] == [turns[2].durable_id]
    memory.forget(str(turns[2].id))
    assert memory.count() == 0
