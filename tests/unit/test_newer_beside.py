"""Contexts with little room: what a hit says anew with another value is not left out of one that tells the old one."""

import pytest

from byheart import Memory

PAIRS = (
    ("Feature flag new-invoice is enabled for acme.", "Feature flag new-invoice is disabled for acme."),
    ("SSH root login is allowed on bastion.", "SSH root login is forbidden on bastion."),
    ("The deploy freeze is active.", "The deploy freeze is lifted."),
)
QUESTIONS = (
    "is feature new-invoice enabled for acme?",
    "is ssh root login allowed on bastion?",
    "is the deploy freeze active?",
)


@pytest.mark.parametrize(("pair", "question"), list(zip(PAIRS, QUESTIONS, strict=True)))
def test_the_older_one_is_never_told_alone(pair: tuple[str, str], question: str) -> None:
    older, newer = pair
    memory = Memory()
    for at, text in enumerate(pair):
        memory.remember(text, created_at=at + 1)
    held = []
    for budget in range(4, 40):
        context = memory.context(question, budget, now=10)
        assert newer in context.text or older not in context.text, budget
        assert (older in context.text) == (not any("newer one" in note for note in context.degraded)), budget
        held.append((newer in context.text, older in context.text))
    assert held[0] == (False, False) and (True, False) in held and held[-1] == (True, True)


def test_a_change_of_something_beside_the_answer_takes_no_room_from_it() -> None:
    memory = Memory()
    memory.remember("My landlord is Mr. Patel.", created_at=1)
    memory.remember("The landlord raised the rent to 950.", created_at=2)
    assert "Patel" in memory.context("Who is my landlord?", 10, now=10).text
