"""What is over: a later text that ends what an older one says goes before it, where somebody asks whether it is so."""

from __future__ import annotations

import pytest

from byheart import Memory
from byheart.patterns.ended import may_decide

AROUND = ["Buy flour and eggs on Saturday.", "The office closes at six.", "Mum likes yellow tulips."]
OVER = [
    ("Anna works at Siemens.", "Anna quit Siemens.", "Does Anna work at Siemens?"),
    ("Tom is married to Lena.", "Tom and Lena got divorced.", "Is Tom married?"),
    ("I play tennis on Mondays.", "I gave up tennis.", "Do I play tennis?"),
    ("I play tennis on Mondays.", "I gave up tennis last year.", "Do I still play tennis?"),
    ("Ben is allergic to nuts.", "Ben's nut allergy is gone.", "Is Ben allergic to nuts?"),
    ("The heating is broken.", "The heating was repaired.", "Is the heating broken?"),
    ("The build server is down.", "The build server works again.", "Is the build server down?"),
    ("I own a motorbike.", "I sold the motorbike.", "Do I have a motorbike?"),
    ("Die Heizung ist kaputt.", "Die Heizung wurde repariert.", "Ist die Heizung kaputt?"),
]
NOT_OVER = [
    ("I play tennis on Mondays.", "Ben gave up tennis.", "Do I play tennis?"),
    ("I play tennis on Mondays.", "I sold my tennis racket.", "Do I play tennis?"),
    ("I play tennis on Mondays.", "I will give up tennis.", "Do I play tennis?"),
    ("I play table tennis.", "I gave up tennis.", "Do I play table tennis?"),
    ("The heating is broken.", "The window in the bath was repaired.", "Is the heating broken?"),
    ("Anna works at Siemens.", "Anna left the Siemens canteen early.", "Does Anna work at Siemens?"),
    ("Tom is married to Lena.", "Ines and Karl got divorced.", "Is Tom married?"),
    ("I have a dog.", "The dog of my neighbour died.", "Do I have a dog?"),
    ("We have a printer.", "The printer was fixed.", "Do we have a printer?"),
    ("I own a bike.", "My bike was repaired.", "Do I own a bike?"),
    ("The library is open on Sundays.", "I returned the books to the library.", "Is the library open on Sundays?"),
    ("I have a flat in Rome.", "I sold my flat in Turin.", "Do I have a flat in Rome?"),
    ("I take vitamin D.", "I stopped taking vitamin B.", "Do I take vitamin D?"),
    ("I play tennis on Mondays.", "I gave up tennis.", "When do I play tennis?"),
]


def first(old: str, new: str, question: str, *, later: float = 1e7) -> str:
    memory = Memory()
    for number, text in enumerate(AROUND):
        memory.remember(text, created_at=1.7e9 + number, user_id="u")
    memory.remember(old, id="old", created_at=1.7e9, user_id="u")
    memory.remember(new, id="new", created_at=1.7e9 + later, user_id="u")
    plain = memory.recall(question, user_id="u", now=1.72e9)
    explained = memory.recall(question, user_id="u", now=1.72e9, explain=True)
    assert [hit.id for hit in plain] == [hit.id for hit in explained]
    return plain[0].id


@pytest.mark.parametrize(("old", "new", "question"), OVER)
def test_what_ends_it_goes_before_what_says_it(old: str, new: str, question: str) -> None:
    assert first(old, new, question) == "new"
    assert first(old, new, question, later=-1e7) == "old", "it was said before"


@pytest.mark.parametrize(("old", "new", "question"), NOT_OVER)
def test_what_ends_something_else_does_not(old: str, new: str, question: str) -> None:
    assert first(old, new, question) == "old"


@pytest.mark.parametrize(
    "text",
    [
        "I never gave up tennis.", "If I gave up tennis, I would swim.", "Has the heating been fixed?",
        "The heating is not fixed yet.", "The heating has to be repaired.", "Anna wants to quit Siemens.",
    ],
)  # fmt: skip
def test_what_is_not_so_yet_ends_nothing(text: str) -> None:
    assert not may_decide(text)


def test_both_are_shown_with_the_reason() -> None:
    memory = Memory()
    memory.remember("I play tennis on Mondays.", id="old", created_at=1.7e9)
    memory.remember("I gave up tennis.", id="new", created_at=1.71e9)
    answer = memory.recall("Do I play tennis?", now=1.72e9, explain=True)
    assert [hit.id for hit in answer] == ["new", "old"]
    assert "says that what that one says is over" in str(answer[0].explanation)


def test_who_made_a_new_thing_makes_it_no_other_kind() -> None:
    assert (
        first("Our dishwasher is a Miele.", "We bought a new Bosch dishwasher.", "Which dishwasher do we have?")
        == "new"
    )
    assert (
        first("Our dishwasher is a Miele.", "We bought a new dishwasher filter.", "Which dishwasher do we have?")
        == "old"
    )
