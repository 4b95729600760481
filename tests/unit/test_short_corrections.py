"""Corrections in a few words, told by where they stand: right behind the same speaker's statement, in its session."""

from __future__ import annotations

from typing import Any

import pytest

from byheart import Memory, Record
from byheart.conversation.corrected import _is_turn
from byheart.patterns.correcting import corrects
from byheart.patterns.replacing import takes_the_place

OLD, NEW, QUESTION = "The harbour tour is on Wednesday at 5pm.", "No wait, it's Thursday.", "when is the harbour tour?"
PAIRS = [
    (OLD, NEW, QUESTION),
    ("My ferry leaves at 7:12.", "Oops, sorry, at 7:21.", "when does my ferry leave?"),
    ("My hat size is 57.", "I meant 58.", "what is my hat size?"),
    ("My niece is called Petra.", "Actually it's Petrina.", "what is my niece called?"),
    ("The workshop is in hall B.", "No, it's hall C.", "where is the workshop?"),
    ("The workshop is in room 12.", "Sorry, room 14.", "in which room is the workshop?"),
    ("Meine Miete ist 900 Euro.", "Nein, 950 Euro.", "wie hoch ist meine Miete?"),
    ("Die Probe ist am Montag.", "Nein, am Dienstag.", "wann ist die Probe?"),
    ("Mon bus part à 7h12.", "Non pardon, à 7h21.", "quand part mon bus ?"),
    ("Mi barco sale a las 7:12.", "No, perdón, a las 7:21.", "¿cuándo sale mi barco?"),
]
OTHERS = [
    (OLD, "No, thanks"),
    (OLD, "No, I walked."),
    (OLD, "Sorry, 43."),
    (OLD, "Wait 5 minutes."),
    (OLD, "Actually I love Thursday."),
    (OLD, "No, is it Thursday?"),
    (OLD, "No wait, it's Wednesday."),
    (OLD, "It's Thursday."),
    (OLD, "Sorry, my sister Petra comes on Thursday with her two dogs and all of their toys."),
    ("My hat size is 57.", "No, Thursday."),
    ("My hat is blue.", "Sorry, 58."),
    ("Notes are on the table.", "Nobody, 3 May."),
]


def told(older: str, newer: str, *, later: float = 10.0, session: str = "s", **fields: Any) -> tuple[Memory, bool]:
    """Return a memory of a talk, and whether the newer one is linked."""
    memory = Memory()
    memory.ingest_turn(older, session_id="s", user_id="u", created_at=1e9)
    memory.ingest_turn("Noted!", session_id="s", user_id="u", role="assistant", created_at=1e9 + 5)
    of = {"user_id": "u", "session_id": session, **fields}
    said = memory.ingest_turn(newer, created_at=1e9 + later, **of)
    memory.ingest_turn("I planted tulips in the garden.", session_id="t", user_id="u", created_at=1.05e9)
    return memory, bool(said.near_duplicates)


@pytest.mark.parametrize(("older", "newer", "question"), PAIRS)
def test_a_short_correction_is_linked_with_what_was_just_said_and_comes_first(
    older: str, newer: str, question: str
) -> None:
    memory, linked = told(older, newer)
    found = memory.recall(question, user_id="u", now=1.1e9)
    assert linked and [hit.text for hit in found][:2] == [newer, older]
    assert memory.check() == []
    assert newer in memory.context(question, budget=60, user_id="u", session_id="now", now=1.1e9).text


@pytest.mark.parametrize(("older", "newer"), OTHERS)
def test_what_is_no_correction_of_it_is_not_linked(older: str, newer: str) -> None:
    assert not corrects(newer, older)
    assert not told(older, newer)[1]


@pytest.mark.parametrize("other", [{"session": "x"}, {"user_id": "v"}, {"role": "assistant"}, {"later": 5_000.0}])
def test_what_another_said_or_elsewhere_or_long_ago_is_not_corrected(other: dict[str, Any]) -> None:
    assert not told(OLD, NEW, **other)[1]


def test_who_asks_for_the_value_that_was_corrected_or_something_else_gets_the_older_one() -> None:
    assert takes_the_place(NEW, OLD, QUESTION)
    assert not takes_the_place(NEW, OLD, "what is on Wednesday?")
    assert not takes_the_place(NEW, OLD, "when was the harbour tour originally?")


def test_the_last_of_several_statements_that_has_such_a_value_is_corrected() -> None:
    memory = Memory()
    for at, text in enumerate(["My hat size is 57.", OLD, "Karel brought plum cake.", NEW]):
        said = memory.ingest_turn(text, session_id="s", user_id="u", id=f"t{at}", created_at=1e9 + at)
    assert {record.text for id in said.near_duplicates if (record := memory.get(id)) is not None} == {OLD}


ECHOES = [
    (OLD, "The tour is on Wednesday then, lovely!", NEW, QUESTION),
    ("My rent is 900 euros.", "Noted: your rent is 900 euros a month.", "No, 950 euros.", "what is my rent?"),
    ("My niece is called Petra.", "Your niece is called Petra.", "Sorry, Petrina.", "what is my niece called?"),
]


@pytest.mark.parametrize(("older", "echo", "newer", "question"), ECHOES)
def test_what_somebody_repeats_before_it_is_corrected_is_corrected_too(
    older: str, echo: str, newer: str, question: str
) -> None:
    """Assistants repeat what they were told, and their words fit the question best."""
    memory = Memory()
    for at, (role, text) in enumerate((("user", older), ("assistant", echo), ("user", newer))):
        done = memory.ingest_turn(text, role=role, session_id="s", user_id="u", created_at=1e9 + 60 * at)
    assert len(done.near_duplicates) == 3, "the turn, its copy, and the echo"
    assert memory.recall(question, user_id="u", now=1.1e9)[0].text == newer


def test_what_somebody_says_of_something_else_is_not_corrected() -> None:
    memory = Memory()
    said = (("user", OLD), ("assistant", "And is the dinner on Friday at 7pm?"), ("user", NEW))
    for at, (role, text) in enumerate(said):
        done = memory.ingest_turn(text, role=role, session_id="s", user_id="u", created_at=1e9 + 60 * at)
    assert len(done.near_duplicates) == 2


def test_what_is_corrected_is_another_turn_of_the_same_user() -> None:
    turn = Record(text="No, it's Thursday.", id="b", kind="turn", user_id="ann")
    assert _is_turn(Record(text="x", id="a", kind="turn", user_id="ann"), turn)
    assert not _is_turn(turn, turn)
    assert not _is_turn(Record(text="x", id="a", kind="turn", user_id="bob"), turn)
    assert not _is_turn(Record(text="x", id="a", kind="memory", user_id="ann"), turn)
