"""A text said again: the same record, seen once more, where nothing would be lost: to the letter, and in metadata."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.recall import run

from .reopened import Place, found


@pytest.fixture(params=["in process", "memory.jsonl", "memory.db"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[byheart.Memory]:
    where = () if request.param == "in process" else (tmp_path / request.param,)
    with byheart.Memory(*where) as opened:
        yield opened


def test_the_same_text_of_the_same_owner_is_one_record_seen_again(place: Place) -> None:
    with place.open() as memory:
        first = memory.remember("I like tea.", user_id="ann", created_at=1, metadata={"room": "hall"}, receipt=True)
        again = memory.remember(" I like tea.\n", user_id="ann", created_at=5, metadata={"n": 2}, receipt=True)
        assert (first.status, again.status, again.id, again.seen_count) == ("new", "same", first.id, 2)
        for who in ({"user_id": "bob"}, {}, {"user_id": "ann", "scope": "work"}, {"user_id": "ann", "kind": "note"}):
            other = memory.remember("I like tea.", **who, receipt=True)
            assert other.status == "new" and not other.id.endswith("-2"), who
        assert memory.remember("I like tea.", user_id="ann", topic="drinks", receipt=True).status == "new"
    with place.open() as memory:
        assert memory.remember("I like tea.", user_id="ann", created_at=3) == first.id, "no third copy"
        record = memory.get(first.id)
        assert (record.text, record.created_at, record.seen_count, record.seen_at) == ("I like tea.", 1.0, 3, 5.0)
        assert record.metadata == {"room": "hall", "n": 2}
        assert memory.count({"seen_count": {">": 1}}) == 1 and memory.check() == []


def test_one_call_may_say_it_twice_and_a_recall_gives_one_hit(place: Place) -> None:
    with place.open() as memory:
        ids = memory.remember_many(["green tea", {"text": " green tea"}, "black tea"])
        assert ids[0] == ids[1] != ids[2] and memory.get(ids[0]).seen_count == 2
        assert found(memory, "green") == [ids[0]]


def test_an_equal_fact_is_one_record_too_and_another_time_another_fact(place: Place) -> None:
    fact = {"subject": "Ann", "relation": "uses", "object": "Vim"}
    with place.open() as memory:
        first = memory.remember("Ann uses Vim.", **fact)
        assert memory.remember("It is Vim that Ann uses.", **fact, receipt=True).status == "same"
        assert memory.remember("Ann uses Vim.", **fact, valid_to=9, receipt=True).status == "new"
        assert memory.get(first).seen_count == 2


def test_what_was_said_before_and_is_over_archived_or_superseded_is_said_anew(place: Place) -> None:
    with place.open(noise=None) as memory:
        memory.remember("one thing", id="over", expires_at=1)
        memory.remember("two things", id="archived", archived_by="archived")
        memory.remember("three things", id="old")
        memory.remember("four things", id="new", supersedes="old")
        for text in ("one thing", "two things", "three things"):
            assert memory.remember(text, receipt=True).status == "new", text


def test_turns_of_a_conversation_are_kept_each(place: Place) -> None:
    with place.open() as memory:
        for at in (1, 2):
            memory.ingest_turn("My flight is on Tuesday.", session_id="s", user_id="ann", now=at)
            memory.remember("Fine, then.", session_id="s", created_at=at)
        assert memory.count({"session_id": "s"}) == 4


def test_a_title_without_a_text_is_remembered_found_and_one(place: Place) -> None:
    with place.open() as memory:
        first = memory.remember({"topic": "Kettle descaling"}, receipt=True)
        assert memory.remember("", topic=" Kettle descaling ", receipt=True).id == first.id
        assert found(memory, "kettle") == [first.id]
        data = [memory.remember({"topic": "Kettle", "metadata": {"litres": n}}) for n in (1, 2)]
        assert data[0] != data[1], "of a record without a text the data is what it says"


@pytest.mark.parametrize("scope", ["project", "other"])
@pytest.mark.parametrize("order", [1, -1])
def test_what_another_of_the_call_replaces_is_not_said_again(scope: str, order: int) -> None:
    with byheart.Memory() as memory:
        memory.remember("Rice is in the jar.", id="r", scope="project")
        batch = [{"text": "Rice is in the jar."}, {"text": "Tea is in the tin.", "id": "r", "scope": scope}][::order]
        told = {each.id: each.status for each in memory.remember_many(batch, receipt=True)}
        assert sorted(told.values()) == ["new", "replaced"] and told["r"] == "replaced"
        assert {record.id: record.text for record in memory.records()}["r"] == "Tea is in the tin."
        assert sorted(record.text for record in memory.records()) == ["Rice is in the jar.", "Tea is in the tin."]


@pytest.mark.parametrize("remembered", [False, True])
def test_a_source_that_says_the_same_as_before_says_nothing_again(place: Place, remembered: bool) -> None:
    def said(source: str) -> list[byheart.Record]:
        return [byheart.Record(text=text, provenance={"source_name": source}) for text in ("green tea", "black tea")]

    with place.open() as memory:
        if remembered:
            memory.remember("green tea")
        for _ in range(3):
            ids = memory.replace_sources({"a.md": said("a.md"), "b.md": said("b.md")})
            held = {record.id: record for record in memory.records()}
            assert len(set(ids)) == 4 == len(held) - remembered and set(ids) <= held.keys()
            assert {record.seen_count for record in held.values()} == {1}
        memory.replace_sources({"a.md": []})
        assert memory.count({"source": "b.md"}) == 2 and memory.check() == []


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


@pytest.mark.parametrize("fact", [{}, {"subject": "Ann", "relation": "uses", "object": "a kettle"}])
def test_what_one_call_says_twice_is_one_as_what_is_said_one_by_one(
    memory: byheart.Memory, fact: dict[str, str]
) -> None:
    given = [{"text": "Paid.", **fact, "metadata": more} for more in ({"by": "Ann"}, {"on": 3})]
    first, again = memory.remember_many(given)
    assert first == again and memory.count() == 1
    other = byheart.Memory()
    [same] = {other.remember(each) for each in given}
    assert memory.get(first).metadata == other.get(same).metadata == {"by": "Ann", "on": 3}


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


@pytest.mark.parametrize("kind", ["turn", "summary"])
def test_turns_and_summaries_that_say_the_same_are_all_kept(memory: byheart.Memory, kind: str) -> None:
    said = [memory.remember("Fine, see you then.", kind=kind, session_id="s", receipt=True) for _ in range(2)]
    assert [each.status for each in said] == ["new", "new"] and memory.count() == 2
