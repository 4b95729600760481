"""Nothing outside a boundary changes what any verb does or tells, writes and receipts included.

Two memories, one with an outside that others write to all the while and one without (`two_memories`): whatever is
done inside, both say the same, hold the same, and give their embedder the same texts.
"""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import byheart

from .two_memories import KINDS, OTHERS, inside_steps, outside_steps, pair
from .verbs import VERBS

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
STEPS = 8  # at least so many pairs of answers an example

Step = tuple[Any, ...]
steps = st.lists(
    st.tuples(
        st.lists(outside_steps(), max_size=3), inside_steps(), st.sampled_from(["no", "no", "no", "keep", "anew"])
    ),
    min_size=STEPS,
    max_size=STEPS + 4,
)
furnished = st.tuples(VERBS["remember_many"].arguments("inside"), VERBS["remember_many"].arguments("inside"))


def run(kind: str, first: tuple[dict[str, Any], ...], more: list[Step]) -> None:
    with pair(kind) as two:
        for arguments in first:
            assert len(set(two.both("remember_many", arguments))) == 1
        for outside, (verb, arguments), reopened in more:
            for who, what, its, plain in outside:
                two.outside(who, what, its, plain=plain)
            if reopened != "no" and kind != "in process":
                two.reopen(reopened == "keep")
            whole, alone = two.both(verb, arguments)
            assert whole == alone, verb


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=450 if LONG else 30)
@given(furnished, steps)
def test_nothing_outside_changes_what_a_verb_does_or_tells(
    kind: str, first: tuple[dict[str, Any], ...], more: list[Step]
) -> None:
    run(kind, first, more)


def test_every_public_verb_is_asked() -> None:
    public = {
        name
        for name, value in vars(byheart.Memory).items()
        if not name.startswith("_") and (callable(value) or isinstance(value, property))
    }
    verbs = {name for name in public if not (name[0] == "a" and name[1:] in public)}  # asyncio's are the same verbs
    assert len(verbs) >= 25, "the scan found nothing to check"
    assert verbs - {"close"} <= VERBS.keys(), "a verb that the two memories are never asked"
    assert len(OTHERS) == 3
