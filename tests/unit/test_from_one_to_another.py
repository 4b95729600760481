"""What moved, was raised or renamed from one value to another goes before what gave the first of them."""

from __future__ import annotations

import pytest

from byheart import Memory
from byheart.patterns.from_one_to_another import is_exchanged

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
    assert not is_exchanged(newer, older, question)


@pytest.mark.parametrize(("length", "is_read"), [(400, True), (401, False)])
def test_a_text_of_more_than_400_characters_says_many_things(length: int, is_read: bool) -> None:
    newer = "parse() moved from src/a.py to src/b.py.".ljust(length, "!")
    assert is_exchanged(newer, "parse() lives in src/a.py.", "Where does parse() live?") is is_read


def test_who_asks_for_what_was_gets_the_older_one() -> None:
    memory = Memory()
    memory.remember("The backend listens on port 3000.", id="old", created_at=1.75e9)
    memory.remember("The backend was moved from 3000 to port 3100.", id="new", created_at=1.75e9 + DAY)
    assert memory.recall("What port did the backend listen on before?", now=1.76e9)[0].id == "old"


@pytest.mark.parametrize(
    ("right", "others", "asked"),
    [
        ("Brightwater contract: 200 seats, renewal on 14 January 2027.",
         "Pinecrest Law cancelled; their contract will not be renewed.", "When is the renewal of Brightwater?"),
        ("Kestrel: quarterly review on 12 August.", "Pinecrest: quarterly review moved to 20 August.",
         "When is the review with Kestrel?"),
        ("Kestrel: delivery of the scanners on 12 December.",
         "Fjord: delivery of the scanners postponed to 20 January.",
         "When is the delivery to Kestrel?"),
    ],
)  # fmt: skip
def test_another_s_change_stays_behind_what_is_asked_for(right: str, others: str, asked: str) -> None:
    memory = Memory()
    for at, text in enumerate((right, others)):
        memory.remember(text, created_at=1.75e9 + 30 * DAY * at)
    assert memory.recall(asked, now=1.76e9)[0].text == right


def test_a_change_that_names_nobody_is_of_what_is_asked_for() -> None:
    memory = Memory()
    for at, text in enumerate(("The call with Kestrel is on Monday at 9.", "The call was moved to Tuesday.")):
        memory.remember(text, created_at=1.75e9 + 30 * DAY * at)
    assert memory.recall("When is the call with Kestrel?", now=1.76e9)[0].text == "The call was moved to Tuesday."


def test_a_right_english_word_is_no_misspelling() -> None:
    memory = Memory()
    memory.remember("Tandem Bikes has 12 seats, contract ends 30 November 2027.")
    memory.remember("Marieke de Vries is operations manager at Tandem Bikes.")
    assert "read for" not in str([memory.explain("Tandem contact", hit.id) for hit in memory.recall("Tandem contact")])
    assert "read for" in str([memory.explain("the contarct", hit.id) for hit in memory.recall("the contarct")])


@pytest.mark.parametrize("asked", ["What do I have on Thursday?", "what do I have this Thursday?"])
def test_what_was_moved_is_no_longer_on_its_old_day(asked: str) -> None:
    memory = Memory()
    review = "Quarterly review with Brightwater is on 3 December at 14:00."
    memory.remember(review, created_at="2026-08-25")
    memory.remember("Lunch with Dana on Thursday 3 December at 12:30.", id="lunch", created_at="2026-11-26")
    before = memory.recall(asked, now="2026-11-30T09:00:00Z")
    assert {hit.text for hit in before} >= {review} and len(before) == 2
    memory.remember("The quarterly review with Brightwater was moved to 8 December at 10:30.", created_at="2026-11-20")
    assert [hit.id for hit in memory.recall(asked, now="2026-11-30T09:00:00Z")] == ["lunch"]
