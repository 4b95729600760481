"""Statements of change that are remembered by hand: they are linked with what they update, and come first."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest

import byheart
from byheart import Memory
from byheart.patterns import updating
from byheart.storage import InProcessStore
from byheart.writing import alike

from .reopened import Place, found
from .test_guarded_verbs import Opener, before_the_write, opened

__all__ = ["opened"]  # a fixture

PAIRS = [
    ("The flight leaves at 7:40.", "The flight was moved to 9:15.", "when does my flight leave?"),
    ("Our SLA is 99.9%", "Our SLA is 99.95% since May", "what is our SLA?"),
    ("Our CTO is Paul.", "Paul was replaced by Ines as CTO.", "who is our CTO?"),
    ("The project deadline is 30 June.", "The deadline has been pushed to 15 July.", "when is the project deadline?"),
    ("standup at 9:30", "Standup moved to 10:15.", "when is the standup?"),
    ("Anna's birthday is on 4 May.", "Correction: Anna's birthday is on 14 May.", "when is Anna's birthday?"),
    ("Dinner with Tom is on Friday at 7.", "Dinner with Tom is cancelled, he is ill.", "when is dinner with Tom?"),
    ("LH123 leaves at 8:00.", "LH123 is delayed until 9:00.", "when does LH123 leave?"),
    ("The gate code is 4821.", "The gate code was changed to 9035 by the caretaker.", "what is the gate code?"),
    ("Der Zahnarzttermin ist am Montag um 10.", "Der Zahnarzttermin wurde auf Donnerstag verschoben.",
     "wann ist der Zahnarzttermin?"),
]  # fmt: skip


@pytest.mark.parametrize(("older", "newer", "question"), PAIRS)
@pytest.mark.parametrize("how", ["one by one", "at once", "by an update"])
def test_a_change_is_linked_with_what_it_updates_and_comes_first(
    older: str, newer: str, question: str, how: str
) -> None:
    memory = Memory()
    memory.remember("Oat milk is in the fridge.", created_at=0)
    if how == "at once":
        memory.remember_many([
            {"text": older, "id": "old", "created_at": 1}, {"text": newer, "id": "new", "created_at": 2}
        ])  # fmt: skip
    else:
        memory.remember(older, id="old", created_at=1)
        if how == "by an update":
            memory.remember("Snow fell.", id="new", created_at=2)
            memory.update("new", text=newer)
        else:
            done = memory.remember(newer, id="new", created_at=2, receipt=True)
            assert done.near_duplicates == ("old",)
    assert memory.get("new").near_duplicates == ("old",) and memory.get("old").near_duplicates == ("new",)
    assert found(memory, question)[:2] == ["new", "old"] and found(memory, question, k=1) == ["new"]
    assert memory.check() == []


def test_it_is_linked_in_every_store_and_stays_so(place: Place) -> None:
    older, newer, question = PAIRS[0]
    with place.open() as memory:
        memory.remember(older, id="old", user_id="ann", created_at=1)
    with place.open() as memory:
        memory.remember(newer, id="new", user_id="ann", created_at=2)
    with place.open() as memory:
        assert found(memory, question, user_id="ann") == ["new", "old"]
        memory.forget("new")
        assert memory.get("old").near_duplicates == () and memory.check() == []


def test_a_change_is_linked_with_the_copy_of_a_turn_and_with_the_turn() -> None:
    memory = Memory()
    older, newer, question = PAIRS[0]
    turn = memory.ingest_turn(older, session_id="s", user_id="ann", created_at=1)
    memory.remember(newer, id="new", user_id="ann", created_at=2)
    assert set(memory.get("new").near_duplicates) == {turn.id, turn.durable_id}
    assert found(memory, question, user_id="ann")[0] == "new"


@pytest.mark.parametrize(
    "more",
    [
        {"user_id": "bob"}, {"user_id": None}, {"scope": "other"}, {"boundary_class": "public"}, {"kind": "turn"},
        {"created_at": 3}, {"topic": "work"}, {"expires_at": 1.5}, {"text": "The wedding is at 7:40."},
    ],
)  # fmt: skip
def test_what_is_anothers_or_lies_elsewhere_or_came_later_is_not_linked(more: dict[str, Any]) -> None:
    memory = Memory(boundary=byheart.Boundary(scopes=["here", "other"], classes=["internal", "public"]))
    given = {"text": PAIRS[0][0], "id": "old", "user_id": "ann", "scope": "here", "created_at": 1, **more}
    memory.remember(given)
    memory.remember(PAIRS[0][1], id="new", user_id="ann", scope="here", topic="travel" if "topic" in more else None,
                    created_at=2)  # fmt: skip
    assert [record.near_duplicates for record in memory.records()] == [(), ()]


@pytest.mark.parametrize("more", [{"user_id": "bob"}, {"scope": "other"}, {"created_at": 3}, {"topic": "work"}])
def test_nor_is_it_if_both_come_at_once(more: dict[str, Any]) -> None:
    memory = Memory(boundary=byheart.Boundary(scopes=["here", "other"]))
    given = {"user_id": "ann", "scope": "here", "topic": "travel", "created_at": 2}
    memory.remember_many([
        {**given, "text": PAIRS[0][0], "id": "old", "created_at": 1, **more},
        {**given, "text": PAIRS[0][1], "id": "new"},
    ])  # fmt: skip
    assert [record.near_duplicates for record in memory.records()] == [(), ()]


@pytest.mark.parametrize("more", [{"claim": "The flight"}, {"metadata": {"role": "assistant"}},
                                  {"provenance": {"source_name": "notes.md"}}, {"kind": "summary"}])  # fmt: skip
def test_what_an_assistant_says_or_stands_in_a_file_changes_nothing(more: dict[str, Any]) -> None:
    memory = Memory()
    memory.remember(PAIRS[0][0], id="old", created_at=1)
    memory.remember({"text": PAIRS[0][1], "id": "new", "created_at": 2, **more})
    assert memory.get("new").near_duplicates == ()


def test_what_comes_meanwhile_is_linked_and_what_goes_meanwhile_is_not(opened: Opener) -> None:
    one, two = opened(), opened()
    older, newer, _ = PAIRS[0]
    before_the_write(one, lambda: two.remember(older, id="old", created_at=1))
    one.remember(newer, id="new", created_at=2)
    assert opened().get("new").near_duplicates == ("old",) and opened().get("old").near_duplicates == ("new",)
    before_the_write(one, lambda: two.forget("old"))
    one.remember("The flight was moved to 11:20.", id="newest", created_at=3)
    assert opened().get("newest").near_duplicates == ("new",), "a name of what is gone would say that it was there"
    assert opened().check() == []


def test_what_is_named_by_one_that_it_does_not_name_leaves_no_name_behind() -> None:
    memory = Memory()
    memory.remember("The harbour office is to be found on the very long and old pier number 20", id="n0", created_at=0)
    for at in range(1, 10):
        told = f"The harbour office was moved to pier {at} of the very long and old northern side"  # a long statement
        memory.remember(told, id=f"n{at}", created_at=at)
    assert memory.get("n0").near_duplicates == ("n1", "n2", "n3", "n4") and "n0" not in memory.get("n1").near_duplicates
    memory.forget(["n2", "n3", "n4", "n5"])
    assert memory.get("n1").near_duplicates == ()
    memory.forget("n1")
    assert memory.get("n0").near_duplicates == () and memory.check() == []


def test_a_batch_of_changes_looks_at_a_bounded_number_of_records_for_each() -> None:
    counts = []
    for size in (100, 400):
        memory = Memory(store=InProcessStore())
        with mock.patch.object(alike, "updates", wraps=updating.updates) as asked:
            memory.remember_many([f"The retro number {at} was moved to room {at * 7}." for at in range(size)])
        counts.append(asked.call_count / size)
    assert 1 < counts[1] <= alike.MOST_READ and counts[1] < 1.3 * counts[0]


def test_what_comes_meanwhile_is_compared_with_few_of_a_batch_of_changes(opened: Opener) -> None:
    changes = [{"text": f"The retro {at} was moved to room {at * 7}.", "topic": "work"} for at in range(300)]
    others = [{"text": f"The retro room {at} is cold.", "topic": "home", "created_at": 1} for at in range(20)]
    with mock.patch.object(alike, "_updates", wraps=alike._updates) as asked:
        Memory().remember_many(changes)
        planned = asked.call_count
        asked.reset_mock()
        one, two = opened(), opened()
        before_the_write(one, lambda: two.remember_many(others))
        one.remember_many(changes)
    again = planned + alike.MOST_READ * len(changes)
    assert planned < asked.call_count <= planned + again + 100, "what came is compared with few, and all is done again"


@pytest.mark.parametrize(("text", "does"), [
    (PAIRS[0][1], True), ("Was the flight moved?", False), ("I have 3 new plants now.", False),
    ("The flight was moved. The hotel was cancelled.", False), ("Update: the code is 9035.", True),
    ("訂正：誕生日は5月14日です。", True), ("The rent was raised.", False), ("The rent was raised to 950.", True),
    ("Wir nehmen den Zug statt des Autos.", True), ("Das findet in der Stadt statt.", False),
])  # fmt: skip
def test_which_statements_say_that_something_changed(text: str, does: bool) -> None:
    assert updating.states_change(text) is does
