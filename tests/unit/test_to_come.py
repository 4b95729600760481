"""What is announced for a later day is not what is so: before that day it stands behind what is, and then before it."""

from __future__ import annotations

import pytest

import byheart
from byheart.evaluation.receipt_replay import replay
from byheart.patterns.to_come import ToCome, may_announce

PAIRS = [
    ("My rent is 1,120 euros.", "From 1 January 2027 the rent will be 1,180 euros.", "What is my rent?"),
    ("Priya is the team lead.", "Aisha will be the team lead from 1 February.", "Who is the team lead?"),
    ("Priya is the team lead.", "As of 1 February Aisha is the team lead.", "Who is currently the team lead?"),
    ("The pool closes at 20:00.", "Starting next month the pool closes at 18:00.", "When does the pool close?"),
    ("The dentist is Dr. Weiss.", "From March the dentist is Dr. Osei.", "Who is the dentist?"),
    ("The gym costs 29 euros a month.", "From next year the gym will cost 35 euros.", "How much does the gym cost?"),
]


@pytest.mark.parametrize(("present", "announced", "question"), PAIRS)
@pytest.mark.parametrize("told_as", ["notes", "turns"])
def test_what_is_so_stands_first_until_the_day(present: str, announced: str, question: str, told_as: str) -> None:
    memory = byheart.Memory()
    for day, text in (("2026-05-01", present), ("2026-11-10", announced)):
        if told_as == "notes":
            memory.remember(text, created_at=day)
        else:
            memory.ingest_turn(text, session_id=day, created_at=day)

    def first(**options: str) -> str:
        return memory.recall(question, **options)[0].text  # type: ignore[arg-type]

    assert first(now="2026-11-20") == present
    assert first(as_of="2026-11-20") == present
    assert first(now="2027-04-01") == announced
    explained = memory.recall(question, now="2026-11-20", explain=True)
    assert explained[0].text == present


@pytest.mark.parametrize(
    "question", ["What will my rent be?", "What is my new rent?", "What is my rent from January 2027?"]
)
def test_who_asks_for_what_is_to_come_gets_that(question: str) -> None:
    memory = byheart.Memory()
    memory.remember(PAIRS[0][0], created_at="2026-05-01")
    memory.remember(PAIRS[0][1], created_at="2026-11-10")
    assert memory.recall(question, now="2026-11-20")[0].text == PAIRS[0][1]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("From May to July the pool closes at 22:00.", False),
        ("I got a letter from March & Sons.", False),
        ("The train from Graz is late.", False),
        ("It is open from 9 to 5.", False),
        ("The post comes from Monday to Friday.", False),
        ("From Monday the post comes at 9.", True),
        ("From Jan 1 the post comes at 10.", True),
        ("The course costs 250 euros, starting on 8 January.", False),
        ("From January the rent was 1,080 euros.", False),
        ("Effective 2027-03-01 the fee is 12 euros.", True),
        ("Zum 1. März kostet es 12 Euro.", True),
    ],
)
def test_what_says_when_something_begins(text: str, says: bool) -> None:
    assert may_announce(text) is says


def test_days_are_reckoned_from_when_that_was_told() -> None:
    day = 86_400.0
    told = 1763942400.0  # Monday, 24 November 2025
    for text, starts in (("From Wednesday it is 5.", 2), ("From tomorrow it is 5.", 1), ("From next week it is 5.", 7),
                         ("From next month it is 5.", 7), ("From next year it is 5.", 38),
                         ("From 3 July it is 5.", 221), ("As of 31 February it is 5.", -1)):  # fmt: skip
        assert ToCome.is_announced(text, told, told + (starts - 1) * day) is (starts > 0)
        assert not ToCome.is_announced(text, told, told + starts * day)


def test_the_receipt_says_the_time_that_mattered() -> None:
    memory = byheart.Memory()
    memory.remember(PAIRS[0][0], created_at="2026-05-01")
    memory.remember("The rent is paid on the first.", created_at="2026-05-01")
    assert memory.recall("What is my rent?").receipt.now is None
    memory.remember("From 1 January 2039 the rent will be 1,180 euros.", created_at="2026-11-10")
    recall = memory.recall("What is my rent?")
    assert recall.receipt.now is not None
    assert recall[0].text == PAIRS[0][0]
    assert replay(memory, recall.receipt.to_dict()).same
