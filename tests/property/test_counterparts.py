"""The rule of counterparts has two forms, which say the same: a filter for searches, and a look at one record.

Whatever the owner, the kind and the times are: what a verb may take for a record by itself is the same either way.
"""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from byheart import Record
from byheart.records import SUMMARY
from byheart.retrieval.filter.fields import fields_of
from byheart.retrieval.filter.matching import matches
from byheart.writing.counterparts import counterparts_of, holds, is_counterpart, lasts

from ..counts import examples

OWNERS = st.sampled_from([None, None, "ann", "bob"])
TIMES = st.sampled_from([None, None, None, 1.0, 2.0, 3.0])
MARKS = st.sampled_from([None, None, None, "x", "own"])
fields = st.fixed_dictionaries(
    {"id": st.sampled_from("ab"), "user_id": OWNERS, "session_id": OWNERS, "scope": st.sampled_from(["s", "t"]),
     "kind": st.sampled_from([None, "turn", "memory", SUMMARY, "note"]), "valid_from": TIMES, "valid_to": TIMES,
     "expires_at": TIMES, "archived_by": MARKS, "superseded_by": MARKS}
)  # fmt: skip


def record(values: dict[str, Any]) -> Record:
    begins, ends = values["valid_from"], values["valid_to"]
    if begins is not None and ends is not None and ends < begins:
        values = {**values, "valid_to": None}
    return Record(text="tea", tenant="t", boundary_class="internal", **values)


@settings(max_examples=examples(600))
@given(fields, fields, st.sampled_from([0.0, 1.0, 2.0, 3.0, 4.0]))
def test_the_filter_lets_through_what_the_look_does(one: dict[str, Any], other: dict[str, Any], now: float) -> None:
    mine, its = record(one), record(other)
    looked_at = holds(its, now) and is_counterpart(its, mine, now)
    assert matches(counterparts_of(mine, now), fields_of(its)) == looked_at


@settings(max_examples=examples(600))
@given(fields, fields)
def test_what_lasts_as_long_holds_whenever_the_other_does(one: dict[str, Any], other: dict[str, Any]) -> None:
    mine, its = (record({**each, "archived_by": None, "superseded_by": None}) for each in (one, other))
    every = [holds(its, at) for at in (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5) if holds(mine, at)]
    assert all(every) or not lasts(its, mine)
