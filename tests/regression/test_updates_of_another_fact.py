"""What one of two facts says newly took the place of another one: who moved no longer played the harp."""

from __future__ import annotations

import pytest

from byheart import Memory

NOW = "2026-11-29"


def first(told: dict[str, str], question: str) -> str:
    """Return what comes first of texts that were told on days of 2026."""
    with Memory() as memory:
        for day, text in told.items():
            memory.remember(text, created_at=f"2026-{day}")
        return memory.recall(question, now=NOW)[0].text


PLAYS = {"06-03": "Anna Weber plays the harp.", "08-20": "Anna Weber moved to Bonn."}
RIDES = {"01-01": "Mr Liang rides a Brompton.", "08-01": "Mr Liang moved to Hafenweg 3."}
PHONE = {"06-03": "Ms Okafor has a new phone number: 0160 4471 903.", "08-20": "Ms Okafor moved to Hafenweg 3."}
HINA = {
    "01-10": "My daughter Hina is seven and plays the violin.",
    "04-03": "Hina switched from the violin to the cello.",
}
PRICE = {"01-05": "A full service costs 89 euros.", "07-01": "From July a full service costs 99 euros."}
RENT = {"01-05": "The rent is due on the 3rd.", "04-20": "From May the rent is due on the 15th."}
PAYS = {"01-05": "Frau Kim zahlt 20 Euro.", "07-01": "Ab Juni zahlt Frau Kim 25 Euro."}
GYM = {"01-05": "The gym is open from 8 to 22.", "04-20": "The gym class runs from June to August."}
HOME = {"01-05": "Anna Weber lives in Kiel.", "04-20": "Anna Weber moved to Bonn."}


@pytest.mark.parametrize(
    ("told", "question", "answer"),
    [
        (PLAYS, "What does Anna Weber play?", "Anna Weber plays the harp."),
        (PLAYS, "Anna Weber instrument", "Anna Weber plays the harp."),
        (PLAYS, "Where does Anna Weber live?", "Anna Weber moved to Bonn."),
        (HOME, "Where does Anna Weber live?", "Anna Weber moved to Bonn."),
        (RIDES, "What does Mr Liang ride?", "Mr Liang rides a Brompton."),
        (RIDES, "Which bike does Mr Liang ride?", "Mr Liang rides a Brompton."),
        (PHONE, "Okafor phone", PHONE["06-03"]),
        (HINA, "How old is Hina?", HINA["01-10"]),
        (HINA, "How old is my daughter?", HINA["01-10"]),
        (HINA, "Which instrument does Hina play?", HINA["04-03"]),
        (PRICE, "How much is a full service?", PRICE["07-01"]),
        (PRICE, "What does a full service cost?", PRICE["07-01"]),
        (RENT, "When is the rent due?", RENT["04-20"]),
        (PAYS, "Wie viel zahlt Frau Kim?", PAYS["07-01"]),
        (GYM, "When is the gym open?", GYM["01-05"]),
    ],
)
def test_what_is_asked_for_comes_first(told: dict[str, str], question: str, answer: str) -> None:
    assert first(told, question) == answer
