"""A code that no record says is answered by no other one: error LF-999 is not LF-207, and v3.6.0 is not v3.5.1."""

from __future__ import annotations

import pytest

from byheart import Memory
from byheart.patterns.codes_asked import code_asked, codes_in
from byheart.patterns.properties import Text

OTHERS = ["The office closes at six.", "The kettle is green.", "Lunch is at noon.", "Parking is behind the house."]
ERROR = "Error LF-207: the printer cannot be reached."


def answered(texts: list[str], question: str) -> list[str]:
    memory = Memory()
    memory.remember_many([*texts, *OTHERS])
    found = memory.recall(question)
    assert bool(found) or "no text about this says" in str(found.dropped)
    return [hit.text for hit in found]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (ERROR, "What does error LF-999 mean?"),
        (ERROR, "error lf-999"),
        ("CVE-2026-0117: a signature could be replayed.", "CVE-2026-0999"),
        ("Part E1053 is replaced by the left one.", "which part replaces E1077?"),
        ("ERR_1042: no paper is left.", "what is ERR_2000?"),
        ("Release v2.7.1 fixes the scheduler.", "what was fixed in v2.8.0?"),
        ("Release 2.7.1 fixes the scheduler.", "what does release v3.1 fix?"),
        ("SMTP_HOST is set in the chart.", "SMTP_PASSWORD"),
        ("Sample S-014: soil isolate, in box 2.", "Where is sample S-099?"),
        ("S-014 OD600 after 8 h: 1.31.", "OD600 of S-099 after 8 hours"),
        ("Ticket 4833 (Oakfield): status changed to resolved.", "What is the status of ticket 4999?"),
        ("Ticket 4833 (Oakfield): status changed to resolved.", "status of ticket #4999"),
        ("Set TIDE_LOG_LEVEL to debug.", "What is the default of TIDE_REDIS_URL?"),
    ],
)
def test_another_code_is_no_answer(text: str, asked: str) -> None:
    assert answered([text], asked) == []
    memory = Memory()
    memory.remember_many([text, *OTHERS])
    assert memory.recall(asked, min_strength=0)[0].text == text, "asked for, the nearest is there"


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (ERROR, "What does error LF-207 mean?"),
        (ERROR, "lf 207"),
        ("Error LF 207: the printer cannot be reached.", "error LF-207"),
        ("Part E1053 is replaced by the left one.", "which part replaces E-1053?"),
        ("Release v2.7.1 fixes the scheduler.", "what was fixed in 2.7.1?"),
        ("Release 2.7.1 fixes the scheduler.", "what was fixed in v2.7.1?"),
        ("Release 2.7.1 fixes the scheduler.", "what was fixed in v2.7?"),
        ("Release v2.7 fixes the scheduler.", "what was fixed in v2.7.0?"),
        ("SMTP_PASSWORD is set in the vault.", "SMTP_PASSWORD"),
        ("The SMTP password is in the vault.", "SMTP_PASSWORD"),
        ("The covid jab is on 3 May, LF-207 is printed.", "when is the COVID-19 jab?"),
        ("Ann is on the top-20 list.", "who is on the top-10 list?"),
        ("Ticket 4833 (Oakfield): status changed to resolved.", "status of ticket #4833"),
        ("#4833 (Oakfield): the ticket was resolved.", "status of ticket 4833"),
        ("We order 300 chairs in May.", "did we order 200 chairs?"),
        ("Ticket 4833 has no owner.", "does ticket 4833 has status open?"),
        ("LF-207 means that no paper is left.", "is LF-207 or LF-999 about paper?"),
    ],
)
def test_the_code_itself_is_found_however_it_is_written(text: str, asked: str) -> None:
    assert answered([text], asked)[:1] == [text]


def test_one_that_is_said_further_behind_is_said() -> None:
    texts = [ERROR, "The printer cannot be reached: error after error. See also LF-999."]
    assert len(answered(texts, "error LF-999: the printer cannot be reached")) == 2


def test_what_else_answers_stays() -> None:
    texts = ["If printing fails on Windows, reinstall the driver of the printer.", ERROR]
    assert answered(texts, "error LF-999: printing fails on Windows, which driver?")[0] == texts[0]


def test_kinds_of_codes() -> None:
    assert [kind for kind, _ in codes_in("LF-207, v3.4 and 3.4.0, MAX_SIZE, ERR_1042")] == [
        "lf", "err", "version", "version", "MAX",
    ]  # fmt: skip
    assert codes_in("on 3.5.2024, 12.30, 10.0.4.17, well-known, top-10, F-1, A4 and 750W at 10:30") == ()
    assert code_asked("Who is Ann?") is None


def test_a_long_text_is_taken_to_say_it() -> None:
    asked = code_asked("LF-999")
    assert asked is not None
    assert asked.is_unsaid([Text("LF-207 " + "x" * 19_000)])
    assert not asked.is_unsaid([Text("LF-207 " + "x" * 20_000)])
    assert not asked.is_unsaid([])
    assert asked.is_unsaid([Text("no code"), Text("LF-207")]), "nothing else is asked about"
    asked = code_asked("Why LF-999 on the printer?")
    assert asked is not None
    assert not asked.is_unsaid([Text("no code"), Text("LF-207")]), "the best one speaks of no other"
    assert asked.is_unsaid([Text("LF-207"), Text("no code")])
