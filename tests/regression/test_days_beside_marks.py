"""A day of digits was not read in a record where a mark stood beside it, and so no question found it."""

from __future__ import annotations

import pytest

from byheart import Memory
from byheart.patterns.calendar_days_said import Day
from byheart.patterns.values_said import values_said

SEPTEMBER, MAY, LAST = Day(15, 9, 2026), Day(9, 5, 2026), Day(31, 12, 2026)


@pytest.mark.parametrize(
    ("said", "questions"),
    [
        ("Der TÜV ist fällig am 15.09.2026.", ("15.09.2026", "was ist am 15. September?", "+15.09.2026", "2026-09-15")),
        ("2026-05-09: deployed billing.", ("2026-05-09", "what happened on 9 May 2026?", "9.5.2026")),
        ("2026/05/09: deployed billing.", ("2026/05/09", "what happened on 9 May 2026?", "2026-05-09")),
        ("due:2026-05-09 pay the rent", ("2026-05-09", "what is due on 9 May 2026?", "due:2026-05-09")),
        ("See notes-2026-05-09.md for it", ("2026-05-09", "notes of 9 May 2026", "notes-2026-05-09.md")),
        ("See 2026-05-09_notes.md for it", ("2026-05-09", "notes of 9 May 2026", "2026-05-09_notes.md")),
        ("The lease ends 31/12/2026.", ("31/12/2026", "what ends on 31 December 2026?", "31.12.2026")),
        ("The lease ends 12/31/2026.", ("12/31/2026", "what ends on 31 December 2026?", "31.12.2026", "31/12/2026")),
        ("Log 2026-05-09T18:30 started", ("2026-05-09T18:30", "2026-05-09", "9 May 2026")),
        ("Build 2026-05-09-1 is broken", ("2026-05-09-1",)),
        ("Version 12.10.2026.3 is out", ("12.10.2026.3",)),
    ],
)
def test_a_day_is_found_whatever_mark_stands_beside_it(said: str, questions: tuple[str, ...]) -> None:
    with Memory() as memory:
        memory.remember(said, id="day")
        memory.remember("The boiler was cleaned on 10.05.2026, 2026-05-08 and 14/12/2026.", id="other")
        found = {question: [hit.record.id for hit in memory.recall(question).hits[:1]] for question in questions}
    assert found == {question: ["day"] for question in questions}


@pytest.mark.parametrize("end", [*"\n.:,;!?)]\"'…|", "", ".\nNext", ": next", ",4711"])
@pytest.mark.parametrize("begin", ["", "(", "[", '"', "'", "due:", "notes-", "Anna,"])
def test_a_day_is_read_alike_in_a_question_and_in_a_record(begin: str, end: str) -> None:
    ways = {"15.09.2026": SEPTEMBER, "2026-05-09": MAY, "2026/05/09": MAY, "31/12/2026": LAST, "12/31/2026": LAST}
    for way, day in ways.items():
        assert [each.value for each in values_said(f"{begin}{way}{end}")][:1] == [day], way


@pytest.mark.parametrize(
    "text",
    ["1.2.3.4", "12.10.2026.3", "1.12.10.2026", "10.05.20.26", "2026-05-09-1", "8-2026-05-09", "05/03/2026",
     "2026-05-091", "2026-05-09x", "31/12/2026/4"],
)  # fmt: skip
def test_a_version_and_a_part_of_a_longer_number_are_no_day(text: str) -> None:
    assert not [each for each in values_said(text) if isinstance(each.value, Day)]


def test_the_year_of_a_day_before_a_colon_is_read() -> None:
    texts = ("3 May 2026: party", "May 3, 2026: party", "May 3, 2026- party")
    assert [values_said(text)[0].value for text in texts] == [Day(3, 5, 2026)] * 3


def test_both_days_of_a_span_are_read() -> None:
    assert [each.value for each in values_said("3.5.2026-4.5.2026")] == [Day(3, 5, 2026), Day(4, 5, 2026)]
