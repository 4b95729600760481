"""What moved, was raised or renamed from one value to another goes before what gave the first of them."""

from __future__ import annotations

import pytest

from byheart import Memory
from byheart.patterns.from_one_to_another import exchanges

DAY = 86_400.0


@pytest.mark.parametrize(
    ("old", "new", "asked"),
    [
        ("parse_config() lives in src/config.py.", "parse_config() moved from src/config.py to src/settings/loader.py.",
         "In which file does parse_config live?"),
        ("Idempotency keys are kept in Redis for 24 hours.",
         "The Redis idempotency TTL was raised from 24 to 72 hours.",
         "How long are idempotency keys kept?"),
        ("The backend listens on port 3000.", "The backend was moved from 3000 to port 3100.",
         "What port does the backend listen on?"),
    ],
)  # fmt: skip
def test_the_new_value_goes_first(old: str, new: str, asked: str) -> None:
    memory = Memory()
    for at, text in enumerate((old, new)):
        memory.remember(text, created_at=1.75e9 + 40 * DAY * at)
    memory.remember_many([f"Module m{n} belongs to squad {n % 5}." for n in range(20)])
    assert [hit.text for hit in memory.recall(asked, now=1.76e9)][:2] == [new, old]


@pytest.mark.parametrize(
    ("newer", "older", "question"),
    [
        ("The train from Rome to Oslo is late.", "The train to Rome is at 7.", "When is the train?"),
        ("The call moved from 3 to 4 pm.", "Leo has 3 cats.", "How many cats has Leo?"),
        ("parse() moved from src/a.py to src/b.py.", "parse() lives in src/a.py.", "What is in src/a.py?"),
        ("parse() moved from src/a.py to src/b.py.", "parse() lives in src/a.py.old.", "Where does parse() live?"),
        ("parse() moved from src/a.py to src/b.py.", "parse() lives in src/a.py, not src/b.py.", "Where is parse()?"),
        ("x" * 400 + " moved from a1 to b1.", "parse is in a1.", "parse?"),
    ],
)
def test_what_exchanges_nothing_of_it(newer: str, older: str, question: str) -> None:
    assert not exchanges(newer, older, question)


def test_who_asks_for_what_was_gets_the_older_one() -> None:
    memory = Memory()
    memory.remember("The backend listens on port 3000.", id="old", created_at=1.75e9)
    memory.remember("The backend was moved from 3000 to port 3100.", id="new", created_at=1.75e9 + DAY)
    assert memory.recall("What port did the backend listen on before?", now=1.76e9)[0].id == "old"
