"""What speaks of the contrary way stands behind what speaks of the way that is asked for."""

from __future__ import annotations

import pytest

from byheart import Memory
from byheart.patterns.opposites import answers_rather

START, DAY = 1.7e9, 86_400.0
PAIRS = [
    ("The train to Rome leaves at 9.", "The train from Rome leaves at 17.", "When does the train to Rome leave?"),
    ("The flight to Oslo is at 20:15.", "The flight from Oslo lands at 8.", "When is the flight to Oslo?"),
    ("I take the white pill after lunch.", "I take the blue pill before lunch.", "Which pill do I take after lunch?"),
    ("Papa takes his coffee without milk.", "Emma takes her coffee with milk.", "Who takes coffee without milk?"),
    ("Der Zug von Köln fährt um 19.", "Der Zug nach Köln fährt um 8.", "Wann fährt der Zug von Köln?"),
    ("The bus to school is the 15.", "The bus from my school is the 12.", "Which bus goes to school?"),
]


@pytest.mark.parametrize("newest", [0, 1])
@pytest.mark.parametrize(("same", "contrary", "question"), PAIRS)
def test_the_way_that_is_asked_for_comes_first(same: str, contrary: str, question: str, newest: int) -> None:
    memory = Memory()
    for day, text in enumerate((same, contrary) if newest else (contrary, same)):
        memory.remember(text, created_at=START + day * DAY)
    assert memory.recall(question, now=START + 9 * DAY)[0].text == same


@pytest.mark.parametrize(
    ("one", "other", "question"),
    [
        ("The train to Rome is red.", "The train leaves for Rome at 9.", "When does the train to Rome leave?"),
        ("The train to Bari is red.", "The train from Rome leaves at 17.", "When does the train to Rome leave?"),
        ("The train to Rome is red.", "The train to Rome and from Rome is late.", "Is the train to Rome late?"),
    ],
)
def test_what_says_no_contrary_keeps_its_place(one: str, other: str, question: str) -> None:
    rather = answers_rather(question)
    assert rather is not None and not rather(one, other)


@pytest.mark.parametrize("question", ["When does the train leave?", "How are you?", "What is it from?"])
def test_a_question_without_a_way_tells_nothing_apart(question: str) -> None:
    assert answers_rather(question) is None
