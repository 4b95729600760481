"""The end of a conversation is that of all its turns, whatever was looked at: against a context that looks at all."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

import byheart
from byheart.boundary import Boundary
from byheart.conversation.context import Recent
from byheart.index.turns import bundle_of, last_turns

from ..counts import examples

turns = st.fixed_dictionaries(
    {
        "text": st.sampled_from(["tea", "rice is ready", "the kettle is on and the boat is away"]),
        "created_at": st.sampled_from([-5.0, 0.0, 1.0, 2.0, 2.5, 1e6, 1e6 + 1e-4, 4e9, 4e9 + 1]),
        "session_id": st.sampled_from(["s", "s", "s", "s", "t"]),
    },
    optional={
        "metadata": st.sampled_from([{"bundle": "b"}, {"bundle": "c"}, {"bundle": ["b"]}]),
        "kind": st.sampled_from(["turn", "summary"]),
        "expires_at": st.sampled_from([0.5, 5e9]),
        "archived_by": st.just("summary:1"),
        "boundary_class": st.just("secret"),
    },
)


def remembered(given: list[dict[str, Any]]) -> byheart.Memory:
    memory = byheart.Memory(noise=None)
    named = [{"id": f"t{number:02}", **turn} for number, turn in enumerate(given)]
    memory.remember_many([{**each, **({"archived_by": each["id"]} if "archived_by" in each else {})} for each in named])
    return memory


@settings(max_examples=examples(500))
@given(st.lists(turns, max_size=30), st.integers(1, 8), st.sampled_from([0.0, 3.0, 1e6, 4.5e9]))
def test_they_are_the_last_of_all(given: list[dict[str, Any]], wanted: int, now: float) -> None:
    memory = remembered(given)
    spoken = [
        record
        for record in memory.records({"session_id": "s"})
        if record.kind != "summary" and record.archived_by is None and (record.expires_at or now + 1) > now
        and record.id != "t03"
    ]  # fmt: skip
    spoken.sort(key=lambda record: (record.created_at, record.id))
    told = last_turns(memory._engine.indexes, Boundary(), "s", wanted, now, ["t03"])
    assert told.total == len(spoken)
    assert list(told.turns) == spoken[len(spoken) - len(told.turns) :]
    assert len(told.turns) >= min(wanted, len(spoken)) and (told.whole or len(told.turns) <= 4 * wanted)
    before = list(map(bundle_of, spoken[: len(spoken) - len(told.turns)]))
    assert {bundle for turn in told.turns if (bundle := bundle_of(turn)) in before and bundle} <= told.begun_before


@settings(max_examples=examples(500))
@given(st.lists(turns, max_size=30), st.integers(0, 6), st.sampled_from([0, 6, 30, 500]), st.booleans())
def test_a_context_that_looks_at_few_is_one_that_looks_at_all(
    given: list[dict[str, Any]], least: int, budget: int, count_frame: bool
) -> None:
    memory = remembered(given)
    recent = Recent(least=least, budget=budget)

    def context() -> object:
        found = memory.context("kettle", 40, session_id="s", recent=recent, count_frame=count_frame, now=3.0)
        return found.text, found.entries, found.receipt

    with patch("byheart.conversation.context._LOOK", 10**6):
        whole = context()
    for look in (1, 2, 5):
        with patch("byheart.conversation.context._LOOK", look):
            assert context() == whole
