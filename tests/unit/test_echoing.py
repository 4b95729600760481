"""What a user said comes before an assistant's turn that only repeats it; what an assistant adds keeps its place."""

from __future__ import annotations

import pytest

from byheart import Memory
from byheart.patterns.echoing import says_less

START, DAY = 1.78e9, 86_400.0
DENTIST = "My dentist is Dr. Weber, the appointment is on March 19th at 10:30."
EXAM = "Clara passed her anatomy exam with a 1.3!"
CLARA = "How did Clara do in her anatomy exam?"
WHEN = "When is my dentist appointment?"
ECHOES = [
    (DENTIST, "Noted: dentist appointment.", WHEN),
    (DENTIST, "Shall I remind you of the dentist appointment?", WHEN),
    (EXAM, "Wonderful! Tell Clara congratulations on the anatomy exam.", CLARA),
]
ADDING = [
    ("We need a name for the boat.", "A good name for the boat would be Pelikan.", "Which name for the boat was it?"),
    ("I have a dentist appointment.", "The dentist appointment is at 10:30.", WHEN),
]


def first(own: str, answer: str, question: str, **fields: str) -> str:
    memory = Memory()
    memory.ingest_turn(own, session_id="s", user_id="ann", created_at=START, now=START)
    memory.ingest_turn(answer, session_id="s", created_at=START + 60, now=START, **{"user_id": "ann", **fields})  # type: ignore[arg-type]
    return memory.recall(question, user_id="ann", now=START + DAY)[0].text


@pytest.mark.parametrize(("own", "echo", "question"), ECHOES)
def test_what_the_user_said_comes_before_its_echo(own: str, echo: str, question: str) -> None:
    assert first(own, echo, question, role="assistant") == own


@pytest.mark.parametrize(("own", "answer", "question"), ADDING)
def test_what_an_assistant_adds_is_no_echo(own: str, answer: str, question: str) -> None:
    assert not says_less(answer, own, question)


def test_of_two_users_turns_neither_is_an_echo() -> None:
    """Both may be of one mind; and the words of the question are most of the shorter one."""
    own, echo, question = ECHOES[2]
    assert first(own, echo, question, role="user") == echo
