"""A sale stood before the only record that answers: what was sold is gone, but who asks for its plate asks for that."""

from __future__ import annotations

import pytest

from byheart import Memory

DETAILS = [
    ("We have a green Fiat Panda, licence plate W-7731 K.", "We sold the Panda.", "What is our licence plate?"),
    ("I ride a Brompton, lock combination 4-4-1-9.", "I sold the Brompton.", "What is the lock combination?"),
    ("Our dog is called Balu, chip number 9560000.", "Balu died.", "What is the chip number of our dog?"),
    ("I live in Kassel, intercom code 22B.", "I moved to Bremen.", "What is the intercom code?"),
    ("I work at Siemens, badge number 30771.", "I work at Bosch now.", "What is my badge number?"),
    ("I drive a red Dacia Duster.", "I sold the Duster.", "What colour is the Duster?"),
    ("The loft in Linz has a balcony.", "We sold the loft in Linz and bought a house in Wels.", "Is there a balcony?"),
    ("Wir haben einen Wohnwagen, Stellplatz 12.", "Wir haben den Wohnwagen verkauft.", "Welchen Stellplatz haben wir?"),
]
STATES = [
    ("We drive a green Fiat Panda, licence plate W-7731 K.", "We sold the Panda.", "What do we drive?"),
    ("I live in Kassel, intercom code 22B.", "I moved to Bremen.", "Where do I live?"),
    ("My cat is called Pepper.", "Pepper died.", "What is my cat called?"),
    ("We have a sailing boat.", "We sold the boat.", "Do we still have the boat?"),
]


def remembered(older: str, newer: str) -> Memory:
    memory = Memory()
    memory.remember(older, id="older", created_at="2025-06-22")
    memory.remember("The soup is ready and the table is set.", created_at="2025-07-22")
    memory.remember(newer, id="newer", created_at="2026-04-18")
    return memory


@pytest.mark.parametrize(("older", "newer", "question"), DETAILS)
def test_who_asks_for_a_detail_of_what_is_gone_gets_the_record_that_says_it(
    older: str, newer: str, question: str
) -> None:
    assert remembered(older, newer).recall(question, now="2026-06-01")[0].id == "older"


@pytest.mark.parametrize(("older", "newer", "question"), STATES)
def test_who_asks_for_the_state_gets_what_became_of_it(older: str, newer: str, question: str) -> None:
    assert remembered(older, newer).recall(question, now="2026-06-01")[0].id == "newer"


def test_the_explanation_says_why_what_no_word_finds_stands_before_what_is_found() -> None:
    memory = remembered("We drive a green Fiat Panda, licence plate W-7731 K.", "We sold the Panda.")
    told = str(memory.explain("What do we drive?", "newer", now="2026-06-01"))
    assert "stands before older, which says nearly the same: was said later, and says plainly what has changed" in told
