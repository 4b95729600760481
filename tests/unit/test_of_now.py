"""What states something now stands before what asks for it, and before what tells what was."""

from __future__ import annotations

import pytest

from byheart import Memory
from byheart.patterns.of_now import answers_rather

START, DAY = 1.7e9, 86_400.0
PAIRS = [
    ("My dentist is Dr. Salis.", "Who is my dentist?", "Who is my dentist?"),
    ("The standup is at 9:30.", "Last year the standup was at 8:00.", "When is the standup?"),
    ("The team lead is Farid.", "In 2020 the team lead was Oskar.", "Who is the team lead?"),
    ("Die Miete ist 900 Euro.", "Letztes Jahr war die Miete 800 Euro.", "Wie hoch ist die Miete?"),
]


@pytest.mark.parametrize("newest", [0, 1])
@pytest.mark.parametrize(("now", "other", "question"), PAIRS)
def test_what_is_so_now_comes_first(now: str, other: str, question: str, newest: int) -> None:
    memory = Memory()
    for day, text in enumerate((now, other) if newest else (other, now)):
        memory.remember(text, created_at=START + day * DAY)
    assert memory.recall(question, now=START + 9 * DAY)[0].text == now


@pytest.mark.parametrize(
    "question", ["When was the standup last year?", "Who was the team lead in 2020?", "What did I ask?", "standup"]
)
def test_who_asks_for_the_past_or_asks_nothing_gets_no_such_order(question: str) -> None:
    assert answers_rather(question) is None


def test_a_value_is_no_time_of_day_behind_at() -> None:
    memory = Memory()
    for day, text in enumerate(("My resting heart rate is 68.", "Resting heart rate came out at 61.")):
        memory.remember(text, created_at=START + day * DAY)
    why = "holds nothing of the kind"
    for hit in memory.recall("What is my resting heart rate?", now=START + 9 * DAY):
        assert why not in str(memory.explain("What is my resting heart rate?", hit.id, now=START + 9 * DAY))
