"""What became of a ticket, an issue or an invoice goes before what it was, where somebody asks how it stands."""

from __future__ import annotations

import pytest

from byheart import Memory
from byheart.patterns.code_states import answers_rather, may_decide

DAY = 86_400.0
OPEN = "Ticket 5120 (Zenit): printer offline. Status: open."
CLOSED = "Ticket 5120 (Zenit) was closed on Friday."


def told(*texts: str) -> Memory:
    memory = Memory()
    for at, text in enumerate(texts):
        memory.remember(text, id=f"t{at}", created_at=1.75e9 + 20 * DAY * at)
    memory.remember_many([f"Module m{number} belongs to squad {number % 5}." for number in range(9)])
    return memory


@pytest.mark.parametrize(
    ("texts", "asked", "first"),
    [
        ((OPEN, CLOSED), "what is the status of ticket 5120?", "t1"),
        ((OPEN, CLOSED), "is ticket 5120 still open?", "t1"),
        ((OPEN, CLOSED, "Ticket 5120 was reopened by Jonas."), "status of ticket 5120", "t2"),
        (("Invoice INV-88 is overdue since 25 September.", "Zenit paid invoice INV-88."), "is INV-88 overdue?", "t1"),
        (("Issue #240 about the login is open.", "Issue #240 is closed: fixed by 5be0d12."),
         "Is issue #240 still open?", "t1"),
        ((OPEN, "Ticket 5121 (Zenit) was closed on Friday."), "what is the status of ticket 5120?", "t0"),
        ((OPEN, "Ticket 5120 is about the printer on floor 3."), "what is the status of ticket 5120?", "t0"),
    ],
)  # fmt: skip
def test_what_became_of_it_goes_first(texts: tuple[str, ...], asked: str, first: str) -> None:
    memory = told(*texts)
    found = memory.recall(asked, now=1.76e9)
    assert found[0].id == first
    assert [hit.id for hit in memory.recall(asked, now=1.76e9, explain=True)] == [hit.id for hit in found]
    held = [entry.id for entry in memory.context(asked, 16, now=1.76e9).entries]
    assert not held or held[0] == first


def test_the_explanation_says_so() -> None:
    memory, asked = told(OPEN, CLOSED), "what is the status of ticket 5120?"
    said = str(memory.explain(asked, "t1", now=1.76e9))
    assert "stands before t0" in said and "was said later, and says what became of that" in said


@pytest.mark.parametrize(
    "question",
    ["what is ticket 5120 about?", "when was ticket 5120 closed?", "who closed ticket 5120?", "was it open before?"],
)
def test_who_asks_for_something_else_is_told_that(question: str) -> None:
    assert answers_rather(question) is None


def test_what_may_decide() -> None:
    assert may_decide("INV-88 was paid") and not may_decide("It was paid.")
    rather = answers_rather("status of INV-88")
    assert rather is not None
    assert rather("INV-88 was paid.", "INV-88 is overdue.") and not rather("INV-88 is blue.", "INV-88 is overdue.")
    assert not rather("It was paid.", "INV-88 is overdue.") and not rather("v3.4.0 was released.", "v3.4.0 is open.")
