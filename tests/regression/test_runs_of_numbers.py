"""Long runs of numbers and of days: what they cost grows with their length, by counts of calls and of steps."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from byheart import Memory
from byheart.retrieval.identifiers import parts_plainly
from byheart.retrieval.operators import opened_plainly
from byheart.retrieval.spellings import _words

KINDS: dict[str, Callable[[int], str]] = {
    "ideographic commas": lambda n: "1、" * n,
    "days": lambda n: "今日は雨" * n,
    "commas": lambda n: ",".join(str(100 + at % 900) for at in range(n)),
    "times": lambda n: "12:" * n,
}


def calls_of(run: Callable[[], object]) -> int:
    """How many functions are called, those of C too."""
    count = 0

    def counted(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counted)
    try:
        run()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("kind", ["ideographic commas", "commas", "times"])
@pytest.mark.parametrize("of", [parts_plainly, opened_plainly])
def test_reading_a_run_takes_steps_for_its_length(kind: str, of: Callable[[str], object]) -> None:
    once, thrice = (calls_of(lambda n=n: of(KINDS[kind](n))) for n in (400, 1_200))  # type: ignore[misc]
    assert thrice <= 3.5 * once + 100


def test_no_number_is_longer_than_what_is_looked_through_for_its_unit() -> None:
    assert _words().findall("1," * 100 + "5kg")[-1] == "5kg", "from each digit on the whole rest was looked through"
    assert _words().findall("10,000.5kg") == ["10,000.5kg"]


@pytest.mark.parametrize("kind", ["ideographic commas", "days"])
def test_asking_with_a_run_takes_steps_for_its_length(kind: str) -> None:
    memory = Memory()
    memory.remember("The kettle costs 37 euros in Rome.", user_id="ann")

    def ask(n: int) -> int:
        return calls_of(lambda: memory.recall(KINDS[kind](n), operators=False, user_id="ann", now=1.79e9))

    ask(100)  # what is made once
    once, thrice = ask(400), ask(1_200)
    assert thrice <= 3.5 * once + 2_000
