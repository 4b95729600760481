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
    ("Ben has a dog.", "Anna's dog died.", "Does Ben have a dog?"),
    ("Tom has the flu.", "Anna recovered from the flu.", "Does Tom have the flu?"),
    ("Ben smokes.", "Anna stopped smoking.", "Does Ben smoke?"),
    ("I am allergic to nuts.", "We finished the nuts.", "Am I allergic to nuts?"),
    ("I'm allergic to cats.", "Our cat died.", "Am I allergic to cats?"),
    ("I live in Berlin.", "I left Berlin this morning for a trip.", "Do I live in Berlin?"),
    ("I drink coffee every morning.", "I finished my coffee.", "Do I drink coffee?"),
    ("I use Slack at work.", "I deleted a message in Slack.", "Do I use Slack?"),
    ("I have two cats.", "One of my cats died.", "Do I have cats?"),
    ("I play chess.", "I finished a game of chess.", "Do I play chess?"),
    ("I have a dog called Rex.", "My dog left hair on the sofa.", "Do I have a dog?"),
    ("Ich trinke Kaffee.", "Ich habe den Kaffee weg gestellt.", "Trinke ich Kaffee?"),
    ("I play the piano.", "I sold my piano stool.", "Do I play the piano?"),
    ("Tom is married to Lena.", "Ben and Ann broke up.", "Is Tom married?"),
    ("Our dishwasher is a Miele.", "We bought a new Bosch dishwasher filter.", "Which dishwasher do we have?"),
    ("My bike is a Trek.", "I bought a new Abus bike lock.", "Which bike do I have?"),
    ("My phone is a Nokia.", "I bought a new Sony phone charger.", "Which phone do I have?"),
    ("My teacher is Ms. Blum.", "I have a new French teacher, Mr. Petit.", "Who is my teacher?"),
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
