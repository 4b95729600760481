"""What a verb takes for a record by itself is its owner's, and holds now: nothing said is lost in another one's record.

A duplicate was merged into another user's or session's record, or behind one that was over; a claim was taken for a
user's record, which was forgotten later; a fact for the copy of a turn; and a message for what was over. Each was found
by nobody then.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from byheart import Memory
from byheart.conversation.turn_names import durable_id
from byheart.embedding import HashingEmbedder
from byheart.errors import InvalidArgument

ROOM = "The meeting room is on the third floor."
GYM = "The gym opens at six."
SEAT = "I prefer the window seat."
SAID: dict[str, Any] = {"provenance": {"at": 0}, "boundary_class": "internal"}
EVERY: dict[str, Any] = {"classes": ["public", "internal", "pii"]}
ROME: dict[str, Any] = {"user_id": "ann", "subject": "Ann", "relation": "lives_in", "object": "Rome"}
OTHERS: list[dict[str, Any]] = [{"user_id": "ann"}, {"user_id": None}, {"user_id": "bob", "session_id": "mon"}]
NOT_NOW: list[dict[str, Any]] = [{"valid_to": 50}, {"expires_at": 50}, {"valid_from": 500}, {"archived_by": "x"}]
OWN_END: list[dict[str, Any]] = [
    {"user_id": "ann"}, {"session_id": "s"}, {"kind": "turn", "user_id": "ann", "session_id": "s"}, {"kind": "summary"},
    {"kind": "memory", "provenance": {"source_id": "t"}}, {"provenance": {"source_name": "gym.md"}}, {"valid_to": 50},
    {"valid_to": 500}, {"valid_from": 500},
]  # fmt: skip


@pytest.fixture(params=["in process", "memory.jsonl", "memory.db"])
def memory(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Memory]:
    where = None if request.param == "in process" else tmp_path / request.param
    with Memory(where, embedder=HashingEmbedder(64), relations=["lives_in"]) as memory:
        yield memory


def found(memory: Memory, question: str, **asked: Any) -> set[str]:
    return {hit.id for hit in memory.recall(question, **{"now": 200, **asked})}


# ---- duplicates


@pytest.mark.parametrize("text", [ROOM, "The meeting room is on the third floor!"], ids=["text", "vector"])
@pytest.mark.parametrize("other", OTHERS)
def test_a_duplicate_repeats_nothing_of_another_owner(memory: Memory, other: dict[str, Any], text: str) -> None:
    memory.remember(text, id="a", created_at=1, **other)
    memory.remember(ROOM, id="b", user_id="bob", session_id=None, entities=["Bob's project"], created_at=2)
    before = memory.records()
    with pytest.raises(InvalidArgument, match="same owner"):
        memory.feedback("b", "duplicate", now=100)
    if other["user_id"] != "bob":
        with pytest.raises(InvalidArgument, match="its user"):
            memory.feedback("b", "duplicate", duplicate_of="a", now=100)
    assert memory.records() == before
    shown = found(memory, "where is the meeting room?", where={"user_id": "bob"})
    assert "b" in shown or (other["user_id"] == "bob" and shown == {"a"})  # what says the same is shown once


def test_those_of_others_do_not_take_the_places_of_ones_own(memory: Memory) -> None:
    others = [{"id": f"a{each:02}", "text": f"{ROOM}{'!' * each}", "user_id": "ann"} for each in range(1, 30)]
    memory.remember_many([*others, {"id": "mine", "text": f"{ROOM}?", "user_id": "bob"}])
    memory.remember(ROOM, id="z", user_id="bob", created_at=2)
    assert memory.feedback("z", "duplicate", now=100).superseded_by == "mine"
    said = memory.upsert(f"{ROOM}??", now=100, **SAID)
    assert [id for id, _ in memory.upsert(ROOM, now=100, **SAID).similar_existing] == [said.id]


@pytest.mark.parametrize("text", [ROOM, "The meeting room is on the third floor!"], ids=["text", "vector"])
@pytest.mark.parametrize("state", NOT_NOW)
def test_a_duplicate_repeats_nothing_that_does_not_hold(memory: Memory, state: dict[str, Any], text: str) -> None:
    memory.remember("Another text.", id="x")
    memory.remember(text, id="a", created_at=1, **state)
    memory.remember(ROOM, id="b", created_at=60)
    for named in ({}, {"duplicate_of": "a"}):
        with pytest.raises(InvalidArgument, match="holds now"):
            memory.feedback("b", "duplicate", now=100, **named)
    assert "b" in found(memory, "where is the meeting room?")


def test_a_duplicate_is_hidden_no_longer_than_what_it_repeats_holds(memory: Memory) -> None:
    memory.remember(ROOM, id="a", created_at=1, valid_to=150)
    memory.remember(ROOM, id="b", created_at=60)
    assert memory.feedback("b", "duplicate", now=100).superseded_by == "a"
    assert found(memory, "where is the meeting room?", now=120) == {"a"}
    assert found(memory, "where is the meeting room?", now=160) == {"b"}
    assert memory.get("a").supersedes == ("b",) and memory.get("b").superseded_at == 100.0


def test_a_turn_and_its_copy_repeat_neither_each_other_nor_others_of_their_turns(memory: Memory) -> None:
    memory.ingest_turn("My locker code is 4417.", session_id="s", user_id="ann", id="t", created_at=1)
    for id, other in (("t", durable_id("t")), (durable_id("t"), "t")):
        for named in ({}, {"duplicate_of": other}):
            with pytest.raises(InvalidArgument, match="holds now"):
                memory.feedback(id, "duplicate", now=100, **named)
    memory.ingest_turn("My locker code is 4417.", session_id="s", user_id="ann", id="u", created_at=2, durable="all")
    assert memory.feedback("u", "duplicate", now=100).superseded_by == "t"
    assert memory.get(durable_id("u")).superseded_by == "t", "they are superseded together"
    memory.forget("t")
    assert {memory.get(id).superseded_by for id in ("u", durable_id("u"))} == {None}


def test_summaries_of_a_duplicate_go_with_it(memory: Memory) -> None:
    memory.ingest_turn("My locker code is 4417.", session_id="s", user_id="ann", id="t", created_at=1)
    memory.ingest_turn("My office is in room 12.", session_id="s", user_id="ann", id="u", created_at=2)
    [summary] = memory.compact("s", force=True, now=3).summaries
    memory.ingest_turn("My locker code is 4417.", session_id="s", user_id="ann", id="v", created_at=4)
    assert memory.feedback("t", "duplicate", now=100).superseded_by == "v"
    assert summary not in memory and {memory.get(id).archived_by for id in "tu"} == {None}


@pytest.mark.parametrize(("one", "other"), [("pii", "internal"), ("internal", "pii")])
def test_a_duplicate_of_another_class_comes_back_once_what_it_repeats_is_gone(
    memory: Memory, one: str, other: str
) -> None:
    memory.remember("Ann drinks tea.", id="a", boundary_class=one, created_at=1)
    memory.remember("Ann drinks tea.", id="b", boundary_class=other, created_at=2)
    first, again = (memory.feedback("b", "duplicate", now=at, boundary=EVERY) for at in (100, 101))
    assert (first.new, first.superseded_by, again.new) == (True, "a", False)
    assert {record.boundary_class for record in memory.records(boundary=EVERY)} == {"pii"}
    memory.forget("a", boundary=EVERY)
    assert memory.get("b", boundary=EVERY).superseded_by is None and memory.check() == []


def test_the_copy_of_a_turn_becomes_as_strict_as_the_turn(memory: Memory) -> None:
    memory.ingest_turn("My locker code is 4417.", session_id="s", user_id="ann", id="t", created_at=1)
    memory.ingest_turn(
        "My locker code is 4417.", session_id="s", user_id="ann", id="u", created_at=2, boundary_class="pii"
    )
    memory.feedback("u", "duplicate", now=100, boundary=EVERY)
    assert memory.get("u", boundary=EVERY).superseded_by == "t"
    assert {record.boundary_class for record in memory.records(boundary=EVERY)} == {"pii"}


# ---- claims


@pytest.mark.parametrize("state", OWN_END)
def test_a_claim_is_nothing_that_goes_with_something_else(memory: Memory, state: dict[str, Any]) -> None:
    memory.remember(GYM, id="mine", created_at=1, **state)
    claim = memory.upsert(GYM, now=100, **SAID)
    assert claim.new and claim.id != "mine"
    assert "mine" not in dict(claim.similar_existing) or not state.keys() & {"user_id", "session_id"}
    assert claim.id in found(memory, "when does the gym open?")
    memory.forget("mine")
    assert not memory.upsert(GYM, now=101, **SAID).new and claim.id in memory


def test_a_claim_that_holds_no_more_is_taken_in_anew(memory: Memory) -> None:
    claim = memory.upsert(GYM, now=1, **SAID)
    memory.update(claim.id, valid_to=50)
    again = memory.upsert(GYM, now=100, **SAID)
    assert again.new and found(memory, "when does the gym open?") == {again.id}


def test_a_claim_that_is_taken_in_again_ends_no_sooner(memory: Memory) -> None:
    memory.remember(GYM, id="mine", created_at=1, expires_at=150)
    assert not memory.upsert(GYM, now=100, **SAID).new
    assert memory.get("mine").expires_at is None and found(memory, "when does the gym open?") == {"mine"}


def test_what_is_like_a_claim_names_nobody_elses_records(memory: Memory) -> None:
    memory.remember("The gym opens at six!", id="hers", user_id="ann")
    memory.remember("The gym opens at six!", id="over", valid_to=50)
    first = memory.upsert(GYM, now=100, **SAID)
    assert first.similar_existing == ()
    second = memory.upsert("The gym opens at six?", now=100, **SAID)
    assert [id for id, _ in second.similar_existing] == [first.id]


# ---- said again


@pytest.mark.parametrize("session", [None, "tue"])
def test_a_fact_of_another_session_is_not_said_again(memory: Memory, session: str | None) -> None:
    memory.remember("Ann lives in Rome.", id="mon", session_id="mon", created_at=1, **ROME)
    again = memory.remember("Ann is in Rome.", session_id=session, created_at=1, receipt=True, **ROME)
    assert again.status == "new"
    memory.forget(where={"session_id": "mon"})
    assert again.id in memory


@pytest.mark.parametrize("given", [{"kind": "memory", "user_id": "ann"}, ROME], ids=["words", "fact"])
def test_what_is_remembered_is_not_the_copy_of_a_turn(memory: Memory, given: dict[str, Any]) -> None:
    memory.ingest_turn("I live in Rome.", session_id="s", user_id="ann", id="t", created_at=1)
    fact = {name: ROME[name] for name in ("subject", "relation", "object")}
    memory.update("t", **fact)
    again = memory.remember("I live in Rome.", receipt=True, **given)
    assert memory.get(durable_id("t")).subject == "Ann" and again.status == "new"
    memory.forget("t")
    assert again.id in memory


def test_a_fact_that_a_file_states_is_not_said_again(memory: Memory) -> None:
    memory.remember("Ann lives in Rome.", id="file", provenance={"source_name": "ann.md"}, **ROME)
    again = memory.remember("Ann is in Rome.", receipt=True, **ROME)
    assert again.status == "new" and memory.remember("Ann is in Rome.", receipt=True, **ROME).id == again.id


# ---- kept once


@pytest.mark.parametrize(
    "state",
    [{"valid_to": 50}, {"valid_to": 500}, {"valid_from": 500}, {"expires_at": 500}, {"session_id": "mon"},
     {"kind": "summary", "session_id": "mon"}, {"superseded_by": "x"}, {"archived_by": "x"}],
)  # fmt: skip
@pytest.mark.parametrize("durable", ["all", "gate"])
def test_a_message_is_kept_for_good_beside_what_does_not_hold_as_long(
    memory: Memory, state: dict[str, Any], durable: Any
) -> None:
    memory.remember("Another text.", id="x", user_id="ann")
    memory.remember(SEAT, id="a", user_id="ann", created_at=1, **state)
    kept = memory.ingest_turn(
        SEAT, session_id="tue", user_id="ann", now=100, durable=durable, durable_duplicates="refuse"
    )
    assert kept.durable_id is not None and kept.duplicate_of is None
    memory.remember(SEAT, id="b", user_id="bob", created_at=1)
    again = memory.ingest_turn(
        SEAT, session_id="wed", user_id="bob", now=100, durable="all", durable_duplicates="refuse"
    )
    assert (again.durable_id, again.duplicate_of) == (None, "b")


# ---- contexts


@pytest.mark.parametrize(
    "other",
    [{"where": {"user_id": "bob"}}, {"k": 1}, {"boundary": EVERY}, {"as_of": 3}, {"include_superseded": True},
     {"vector": [1.0] * 64}],
)  # fmt: skip
def test_a_context_of_other_records_is_another_one(memory: Memory, other: dict[str, Any]) -> None:
    for at, (id, user) in enumerate((("a", "ann"), ("b", "bob"), ("c", "ann")), 1):
        memory.remember(f"{ROOM[:-1]}, says {id}.", id=id, user_id=user, created_at=at)
    first = memory.activate(ROOM, now=5, **({"where": {"user_id": "ann"}} if "where" in other else {}))
    second = memory.activate(ROOM, now=5, **other)
    assert first.id != second.id and first.items
    assert memory.active_context(second.id, now=6, boundary=EVERY).items == second.items
    assert memory.active_context(first.id, now=6, boundary=EVERY).items == first.items
    assert memory.activate(ROOM, now=5, **other).id == second.id


# ---- links


@pytest.mark.parametrize(
    ("said", "user", "session"),
    [("No wait, it's Thursday.", "ann", "s"), ("My dentist appointment was moved to Friday at 3pm.", "bob", "q")],
    ids=["corrected", "updated"],
)
def test_no_link_names_what_was_given_to_another_user(memory: Memory, said: str, user: str, session: str) -> None:
    text = "My dentist appointment is on Wednesday at 5pm."
    memory.ingest_turn(text, session_id="s", user_id="ann", id="t", created_at=1, durable="all")
    memory.update(durable_id("t"), user_id="bob")
    memory.ingest_turn(said, session_id=session, user_id=user, id="u", created_at=2, durable="all")
    owners = {record.id: record.user_id for record in memory.records()}
    named = [(record.user_id, owners[id]) for record in memory.records() for id in record.near_duplicates]
    assert named and all(own == other for own, other in named)
