"""Changes of two things: who asks for one of them gets that one, be the other one's the newer."""

from __future__ import annotations

import pytest

from byheart import Memory
from byheart.patterns.another import is_of_another

WEEK = 7 * 86_400.0
CHANGES = [
    (
        ("The dose of ramipril was increased to 10 mg.", "what is the dose of ramipril?"),
        ("The dose of statin was increased to 40 mg.", "what is the dose of statin?"),
    ),
    (
        ("Changed Dad's insulin to 12 units.", "how much insulin does Dad take?"),
        ("Changed Mum's insulin to 20 units.", "how much insulin does Mum take?"),
    ),
    (("Changed config key cache.ttl to 300.", "cache.ttl"), ("Changed config key cache.size to 64.", "cache.size")),
    (
        ("Changed the address of Ann Miller to 12 Oak Street.", "Ann Miller's address"),
        ("Changed the address of Bob Miller to 5 Elm Road.", "Bob Miller's address"),
    ),
    (
        ("Customer Ann Miller changed her phone to 555 1234.", "Ann Miller's phone number"),
        ("Customer Bob Miller changed his phone to 555 9876.", "Bob Miller's phone number"),
    ),
    (("Updated invoice INV-1001 for Miller.", "invoice for Miller"), ("Updated INV-1002 for Baker.", "what of Baker?")),
    (("Server alpha was upgraded to 5.1.", "server alpha"), ("Server beta was upgraded to 6.2.", "server beta")),
    (("Sold 30 shares of Apple at 190.", "Apple shares"), ("Sold 20 shares of Shell at 30.", "Shell shares")),
    (
        ("Raised the price of the basic plan to 10.", "basic plan"),
        ("Raised the price of the team plan to 30.", "team plan"),
    ),
    (
        ("Rescheduled the call with Anna to Friday.", "when is the call with Anna?"),
        ("Rescheduled the call with Ben to Monday.", "when is the call with Ben?"),
    ),
    (
        ("Der Termin mit Anna wurde auf Freitag verschoben.", "Wann ist der Termin mit Anna?"),
        ("Der Termin mit Ben wurde auf Montag verschoben.", "Wann ist der Termin mit Ben?"),
    ),
]


@pytest.mark.parametrize("newer", [0, 1])
@pytest.mark.parametrize("pair", CHANGES, ids=lambda pair: pair[0][1])
def test_who_asks_for_one_thing_gets_what_changed_of_that(pair: tuple[tuple[str, str], ...], newer: int) -> None:
    memory = Memory()
    for week, at in enumerate([1 - newer, newer]):
        memory.remember(pair[at][0], id=str(at), created_at=1.76e9 + week * WEEK)
    for at, (text, question) in enumerate(pair):
        assert memory.recall(question, now=1.79e9)[0].text == text
        assert memory.recall(question, 1, now=1.79e9)[0].id == str(at)
        assert text in memory.context(question, 24, now=1.79e9).text


def test_of_many_alike_the_one_that_is_asked_for_comes_first() -> None:
    memory = Memory()
    for number in range(9):
        memory.remember(f"Updated kill note r0-{number} gizmo0x{number}.", created_at=1.76e9 + number * WEEK)
    for number in range(9):
        assert f"gizmo0x{number}" in memory.recall(f"gizmo0x{number}", now=1.79e9)[0].text


OLD = "My flight to Oslo leaves at 7:40."


@pytest.mark.parametrize(
    ("newer", "older", "question"),
    [
        ("The flight was moved to 9:15.", OLD, "When does my flight to Oslo leave?"),
        ("The flight to Rome was moved to 9:15.", OLD, "When does my flight leave?"),
        ("The flight to Rome was moved to 9:15.", OLD, "Do I fly to Oslo or to Rome?"),
        ("The landlord raised the rent to 950.", "The rent of the flat is 900.", "What rent has the flat?"),
        ("The flight to Rome was moved to 9:15. " + "Much more was said. " * 20, OLD, "When is my flight to Oslo?"),
    ],
)
def test_a_newer_one_that_names_nothing_else_in_its_place_is_of_the_same(newer: str, older: str, question: str) -> None:
    assert not is_of_another(newer, older, question)


def test_a_name_on_either_side_of_the_same_word_is_of_another() -> None:
    assert is_of_another("The flight to Rome was moved to 9:15.", OLD, "When is my flight to Oslo?")
    assert is_of_another("The Rome flight was moved to 9:15.", "The Oslo flight leaves at 7:40.", "my Oslo flight")
