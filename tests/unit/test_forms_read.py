"""Forms that were damaged on their way: each is refused where it is read, and nothing that is read fails later."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from byheart import ByheartError, Memory, Part
from byheart.errors import InvalidArgument
from byheart.ranking.candidates import Candidates

BAD = (float("nan"), float("inf"), -float("inf"), 10**30, -1, "x", "", None, [], {}, True, 1.5)


def _documents() -> list[Any]:
    memory = Memory()
    memory.remember("The kettle is red and stands in Lisbon.", id="red")
    memory.remember("The other kettle is blue.", id="blue", topic="colours")
    turn = memory.ingest_turn("I moved to Porto last week.", session_id="s", user_id="u")
    answer = memory.recall("kettle red", explain=True)
    explained = memory.explain("kettle", "red")
    return [
        answer, answer.receipt, answer[0], explained, turn, memory.context("kettle", 200), memory.stats(),
        memory.history("red")[0], memory.sessions()[0], memory.users()[0], memory.records(limit=2),
        memory.remember("A new kettle.", receipt=True), memory.forget("blue"), memory.compact(session_id="s"),
    ]  # fmt: skip


def _places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*way, key)
        yield from _places(each, (*way, key))


def _with(form: dict[str, Any], way: tuple[Any, ...], value: Any) -> dict[str, Any]:
    form = copy.deepcopy(form)
    within: Any = form
    for key in way[:-1]:
        within = within[key]
    within[way[-1]] = value
    return form


@pytest.mark.parametrize("document", _documents(), ids=lambda each: type(each).__name__)
def test_what_is_read_is_a_form_again(document: Any) -> None:
    form, refused, read = document.to_dict(), 0, 0
    for way in _places(form):
        for value in BAD:
            try:
                again = type(document).from_dict(_with(form, way, value))
            except (ByheartError, TypeError):
                refused += 1
                continue
            read += 1
            assert type(again).from_dict(json.loads(json.dumps(again.to_dict()))) == again
            assert repr(again) and isinstance(str(again), str)
    assert refused > 5 and read > 0


@pytest.mark.parametrize("number", [float("nan"), 10**400, -(10**5000)], ids=["none", "large", "larger"])
def test_a_number_that_is_none_is_named(number: float) -> None:
    document = _documents()[0]
    with pytest.raises(InvalidArgument, match=r"Recall\.hits\[0\]\.score: must be a number that a float can hold"):
        type(document).from_dict(_with(document.to_dict(), ("hits", 0, "score"), number))


def test_a_stage_of_ones_own_may_have_infinite_numbers() -> None:
    table = Candidates(("a", "b"), {"distance": (math.inf, 0.5)}, figures={"far": np.float64(-math.inf)})
    for document in (table, Part("far", -math.inf, "")):
        form = document.to_dict()
        assert type(document).from_dict(form) == document
        assert type(document).from_dict(json.loads(json.dumps(form))) == document
