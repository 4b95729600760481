"""Marks of no width in a word part it not from its plain spelling, and times in stamps are found by themselves."""

from __future__ import annotations

import pytest

from byheart import Analyzer, Memory
from byheart.retrieval.marked_terms import MARK, marked
from byheart.retrieval.plain_forms import clock_times, unbroken, without_unseen

MARKS = "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
MADE = ("refrig{}erator", "Kühl{}schrank", "холо{}дильник", "ψυ{}γείο")


@pytest.mark.parametrize("mark", [*MARKS, MARKS])
@pytest.mark.parametrize("made", MADE)
def test_a_mark_of_no_width_parts_no_word(mark: str, made: str) -> None:
    plain, broken = made.format(""), made.format(mark)
    for said, asked in ((plain, broken), (broken, plain), (broken, broken)):
        memory = Memory()
        memory.remember(f"Zoe {said} zum.", id="a")
        memory.remember("The car is red.", id="b")
        assert [hit.id for hit in memory.recall(asked)] == ["a"]
        for operator in (f"+{asked}", f'"{asked} zum"'):
            assert [hit.id for hit in memory.recall(operator)] == ["a"], operator
        assert memory.recall(f"zum -{asked}").hits == ()


def test_what_parts_words_elsewhere_is_left_to_analysis() -> None:
    assert unbroken("re\u00adfrig\u200berator \u200bfoo\u200b, ភាសា\u200bខ្មែរ می\u200cخواهم") == ["refrigerator"]
    assert without_unseen("नम\u200dस्ते می\u200cخواهم") == "नम\u200dस्ते می\u200cخواهم"


@pytest.mark.parametrize("size", [1_000, 100_000])
@pytest.mark.parametrize("pattern", ["a", "\u00ad", "a\u00ad", "a\u00ad\u200b ", "\u0301\u00ad"])
def test_no_text_of_marks_takes_long(size: int, pattern: str) -> None:
    text = pattern * size + "ü"
    assert len(without_unseen(text)) <= len(text) and len(unbroken(text)) <= size


@pytest.mark.parametrize(
    ("text", "times"),
    [("2024-05-03T18:30", ["18:30"]), ("[2024-05-03T18:30:59.123+02:00]", ["18:30", "18:30:59"]),
     ("at=2024-05-03T18:30Z;", ["18:30"]), ("12024-05-03T18:30", []), ("2024-05-03 18:30, 18:30", [])],
)  # fmt: skip
def test_the_times_of_stamps(text: str, times: list[str]) -> None:
    assert clock_times(text) == times
    for said in (text, f"{text} für"):
        held = marked(said, Analyzer()).split()
        assert [time for time in times if MARK + time not in held] == []


@pytest.mark.parametrize("question", ["18:30", "what happened at 18:30?", "which backup was at 18:30?"])
@pytest.mark.parametrize("more", ["", " für Zoe"])
def test_a_time_is_found_in_a_stamp(question: str, more: str) -> None:
    memory = Memory()
    for id, at in (("b", "2024-05-04T07:45:10Z"), ("a", "2024-05-03T18:30")):
        memory.remember(f"{'Backup ' if id == 'a' else 'Restart of the pump '}{at}{more}", id=id)
    memory.remember("Lunch is at noon.", id="c")
    assert memory.recall(question)[0].id == "a"
