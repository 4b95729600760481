"""Answers to the assistant's questions, once the session is compacted: short, and kept by no words of their own."""

from __future__ import annotations

import pytest

from byheart import Memory

DAY = 86_400.0
BESIDE = (
    "I bought a green bicycle for 400 euros.",
    "We painted the kitchen yellow last weekend.",
    "The plumber comes on Thursday at noon.",
)


@pytest.mark.parametrize(
    ("asked", "said", "question"),
    [
        ("When is your birthday?", "4 August 1990", "When is my birthday?"),
        ("What is your phone number?", "0171 5556677", "What is my phone number?"),
        ("What is your email?", "ann@example.org", "What is my email?"),
    ],
)
def test_the_context_reaches_a_value_that_the_summary_stands_for(asked: str, said: str, question: str) -> None:
    """No word of the summary says a birthday: what those say that it stands for counts, too."""
    with Memory() as memory:
        turns = [("assistant", asked), ("user", said), *(("user", text) for text in BESIDE)]
        for place, (role, text) in enumerate(turns):
            memory.ingest_turn(text, session_id="s", user_id="u", role=role, created_at=DAY + place, now=DAY)
        memory.compact("s", force=True, now=2 * DAY)
        assert memory.recall(question, user_id="u", now=9 * DAY).sufficient
        assert said in memory.context(question, budget=300, user_id="u", now=9 * DAY).text
