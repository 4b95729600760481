"""Contexts that show no older value without the newer one that a recall puts before it, linked or not."""

from __future__ import annotations

import pytest

from byheart import Memory

START, DAY = 1.78e9, 86_400.0
TOLD_ANEW = [
    ("My salary is 3400 euros.", "I got a raise, my salary is 3900 euros from April on, which is great.", "salary"),
    ("Our babysitter is Lilli.", "Lilli moved away, so our new babysitter is a student called Marek.", "babysitter"),
    ("My phone number is 0171 555.", "I have a new phone number, it is 0160 999, please use only that one.", "number"),
]
ASKED = {"salary": "What is my salary?", "babysitter": "Who is our babysitter?", "number": "What is my phone number?"}


@pytest.mark.parametrize("budget", [8, 12, 16, 20, 24, 40])
@pytest.mark.parametrize(("older", "newer", "asked"), TOLD_ANEW)
def test_no_older_value_is_shown_alone(older: str, newer: str, asked: str, budget: int) -> None:
    memory = Memory()
    for day, text in enumerate((older, newer, "The bakery sells rye bread.")):
        at = START + day * DAY
        memory.ingest_turn(text, session_id=f"s{day}", user_id="ann", created_at=at, now=at)
    assert [hit.text for hit in memory.recall(ASKED[asked], 2, user_id="ann", now=START + 9 * DAY)] == [newer, older]
    told = memory.context(ASKED[asked], budget=budget, user_id="ann", now=START + 9 * DAY)
    texts = [entry.text for entry in told.entries]
    assert (newer in texts) == (budget >= 20) and (older not in texts or texts.index(newer) < texts.index(older))
    assert newer in texts or "a newer one that says otherwise did not fit" in str(told.degraded)
