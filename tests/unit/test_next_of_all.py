"""The next is the first of those to come, and what is yet to be has not been the last."""

from __future__ import annotations

import pytest

import byheart
from byheart.ranking.next_of_all import asks_for_the_next

NOTES = {
    "2025-10-21": "Dentist: cleaning, no cavities.",
    "2026-10-17": "Dentist: crown on the lower right molar.",
    "2026-10-20": "Dentist check-up on 8 December 2026 at 14:30.",
    "2026-11-20": "The concert is on 28 November.",
    "2026-11-21": "The concert of Elena's choir is on 12 December.",
    "2026-11-22": "The concert in the park is on 5 December.",
    "2026-11-23": "The market is on Saturdays, next to the church.",
}


@pytest.fixture(scope="module")
def memory() -> byheart.Memory:
    memory = byheart.Memory()
    for day, text in NOTES.items():
        memory.remember(text, created_at=day)
    return memory


@pytest.mark.parametrize(
    ("question", "now", "first"),
    [
        ("When is the next concert?", "2026-11-25", "The concert is on 28 November."),
        ("When is the next concert?", "2026-12-01", "The concert in the park is on 5 December."),
        ("Where is the next concert?", "2026-12-01", "The concert in the park is on 5 December."),
        ("When is the next concert?", "2026-12-06", "The concert of Elena's choir is on 12 December."),
        ("When is my next dentist appointment?", "2026-12-01", "Dentist check-up on 8 December 2026 at 14:30."),
        ("When was I last at the dentist?", "2026-12-01", "Dentist: crown on the lower right molar."),
        ("What was the last concert?", "2026-12-01", "The concert is on 28 November."),
    ],
)
def test_the_day_of_the_question_tells_which(memory: byheart.Memory, question: str, now: str, first: str) -> None:
    assert memory.recall(question, now=now)[0].text == first
    assert memory.recall(question, 1, now=now)[0].text == first
    explained = memory.recall(question, now=now, explain=True)
    assert explained[0].text == first


def test_why_is_told() -> None:
    memory = byheart.Memory()
    memory.remember("The concert is on 5 December.", created_at="2026-11-20")
    memory.remember("The concert is on 28 November.", created_at="2026-11-21")
    answer = memory.recall("When is the next concert?", now="2026-12-01", explain=True)
    assert answer[0].text == "The concert is on 5 December."
    assert "the question asks for the next" in str(answer[0].explanation)


def test_a_mark_is_not_needed(memory: byheart.Memory) -> None:
    found = memory.recall("when is the next concert", now="2026-12-01")
    assert found[0].text == "The concert in the park is on 5 December."


@pytest.mark.parametrize(
    "question",
    ["What is next to the church?", "What do I have next week?", "What is on next Tuesday?", "The next concert.",
     "What are the next steps?", "Who lives next door?"],
)  # fmt: skip
def test_next_may_mean_something_else(question: str) -> None:
    assert asks_for_the_next(question) is None


def asked(notes: dict[str, str], question: str, now: str = "2026-11-20") -> str:
    memory = byheart.Memory()
    for day, text in notes.items():
        memory.remember(text, created_at=day)
    return memory.recall(question, now=now)[0].text


@pytest.mark.parametrize(
    "change",
    ["The concert was moved to 15 December.", "The concert was cancelled.", "The concert is now on 15 December.",
     "Correction: the concert is on 16 December.", "The concert is postponed to 20 December."],
)  # fmt: skip
def test_what_was_moved_is_not_the_next(change: str) -> None:
    told = {"2026-09-01": "The concert is on 12 December.", "2026-11-10": change}
    assert asked(told, "When is the next concert?") == change


@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        ("Met Ann for coffee.", "Met Ann, she is leaving for Peru on 3 December.", "When did I last meet Ann?"),
        ("Paid the insurance.", "Paid the insurance, valid until 1 June 2027.", "When did I last pay the insurance?"),
        ("Bought milk.", "Bought milk, best before 3 December.", "When did I last buy milk?"),
    ],
)
def test_what_is_over_is_not_to_be_for_a_day_beside_it(older: str, newer: str, question: str) -> None:
    assert asked({"2026-05-03": older, "2026-11-03": newer}, question) == newer


def test_a_day_of_something_else_is_not_the_next() -> None:
    board = {"2026-11-01": "The next board meeting is on 12 December.",
             "2026-11-02": "Send the agenda of the board meeting by 5 December."}  # fmt: skip
    assert asked(board, "When is the next board meeting?") == board["2026-11-01"]
    mine = {"2026-11-01": "My concert is on 12 December.", "2026-11-02": "Tom's concert is on 1 December."}
    assert asked(mine, "When is my next concert?") == mine["2026-11-01"]
