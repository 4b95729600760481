"""A question about a thing that has a number for a name is answered by no text about another one."""

from __future__ import annotations

import pytest

import byheart
from byheart.patterns.numbered_things import says_thing, things_asked, things_in

NOTES = (
    "Flight KL 1834 to Porto leaves at 7:05.", "Postgres listens on port 5433.", "Room 21 has the good projector.",
    "Gate D8 is the one with the long queue.", "Chapter 5 explains the ledger.", "Revenue in Q4 was 92k.",
    "Tram 60 stops at the library.", "Phase 1 ends in March.", "Lesson four is about adverbs.",
    "Step 3: rinse the rice.", "Locker 17 holds the tent.", "Rooms 30 and 31 are being painted.",
    "Chapters 7-9 are about audits.",
    "We paid 640 euros for the stove.", "Order 14 chairs for Monday.", "The pharmacy opens at 8.",
)  # fmt: skip


@pytest.fixture(scope="module")
def memory() -> byheart.Memory:
    memory = byheart.Memory()
    for note in NOTES:
        memory.remember(note)
    return memory


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("When does flight KL 1834 leave?", "Flight"),
        ("What listens on port 5433?", "Postgres"),
        ("What does room 21 have?", "Room 21"),
        ("What does gate D8 have?", "Gate D8"),
        ("What does chapter 5 explain?", "Chapter 5"),
        ("What was revenue in Q4?", "Revenue"),
        ("Where does tram 60 stop?", "Tram"),
        ("What is lesson 4 about?", "Lesson"),
        ("What is step 3?", "Step 3"),
        ("What is being painted in room 31?", "Rooms 30"),
        ("What is chapter 8 about?", "Chapters 7"),
        ("What did we pay 640 euros for?", "We paid"),
        ("What opens at 8?", "The pharmacy"),
    ],
)
def test_what_is_said_is_answered(memory: byheart.Memory, question: str, first: str) -> None:
    recall = memory.recall(question)
    assert recall.sufficient
    assert recall[0].text.startswith(first)


@pytest.mark.parametrize(
    "question",
    [
        "When does flight KL 1836 leave?", "What listens on port 6000?", "What does room 22 have?",
        "Is there a queue at gate D3?", "What does chapter 12 explain?", "What was revenue in Q2?",
        "Where does tram 67 stop?", "When does phase 6 end?", "What is lesson 11 about?", "What is step 6?",
        "What is in locker 19?",
    ],
)  # fmt: skip
def test_another_one_is_no_answer(memory: byheart.Memory, question: str) -> None:
    recall = memory.recall(question)
    assert not recall.sufficient
    assert not recall.hits


@pytest.mark.parametrize(
    "text",
    [
        "It costs 40 euros.", "We meet at 9 or 10.", "Since 2019 we have 12 hens.", "On 3 May, or May 3, by 5 pm.",
        "It weighs about 80 kg, 1.5 more.", "Add 500 ml, in 20 minutes.", "The score was 3:2.",
    ],
)  # fmt: skip
def test_amounts_and_times_are_no_names(text: str) -> None:
    assert things_in(text) == ()


def test_a_thing_is_said_in_other_words() -> None:
    assert says_thing("the second floor", ("floor", "2"))
    assert says_thing("In the fourth quarter", ("q", "4"))
    assert says_thing("q4", ("q", "4"))
    assert not says_thing("room 120", ("room", "12"))
    assert not says_thing("room 1.12", ("room", "12"))
    assert not says_thing("room twenty-one", ("room", "1"))
    assert things_asked("Where is the box no. 9?") == (("box no. 9", ("box", "9")),)


@pytest.mark.parametrize(
    ("notes", "question"),
    [
        (["The train to Graz leaves from platform 3."], "Does the train to Graz leave from platform 5?"),
        (["Our web app runs on port 8080."], "Does our web app run on port 9000?"),
        (["The app needs Windows 10 or later."], "Does the app run on Windows 11?"),
        (["All rooms are free except room 7."], "Is room 14 free?"),
        (["Ab Klasse 5 gibt es Französisch."], "Gibt es Französisch in Klasse 6?"),
        (["Room-14 has the projector.", "Room 7 has the whiteboard."], "What is in room 14?"),
        (["Python 3.12 is on the server.", "Python 2 is on the old laptop."], "Where is Python 3?"),
        (["HW4 is due on Friday.", "HW 3 was easy."], "When is HW 4 due?"),
    ],
)
def test_what_answers_by_another_number_or_says_it_otherwise_is_found(notes: list[str], question: str) -> None:
    memory = byheart.Memory()
    memory.remember_many(notes)
    recall = memory.recall(question)
    assert recall.sufficient
    assert notes[0] in [hit.text for hit in recall]
