"""A fact that comes and goes again leaves the others standing as they stood, whatever their ids and times.

Before it come facts of one subject at equal times and others, for some time or until they are over; some are changed to
say something else, to stand in the place of one that a caller names, or of no one; some are forgotten, or purged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

import byheart
from byheart.errors import InvalidArgument, RecordNotFound

from ..counts import examples

IDS = "abcdef"
ABOUT = {"subject": "ann", "relation": "lives_in"}
START = 4e9  # nothing is over yet
TOWNS = st.sampled_from(["Rome", "Paris", "Lima"])
TIMES = st.integers(1, 3).map(float)
FROM = st.none() | st.integers(1, 4).map(float)
END = st.none() | st.integers(5, 8).map(lambda end: START + end)
SPANS = st.fixed_dictionaries({"valid_from": FROM, "valid_to": END, "expires_at": END})
FACTS = st.fixed_dictionaries({"object": TOWNS, "created_at": TIMES, "valid_from": FROM, "valid_to": END,
                               "expires_at": END})  # fmt: skip
WHICH = st.integers(0, 3)
SAID = st.tuples(st.just("say"), FACTS)
NAMED = st.tuples(st.just("name"), WHICH, WHICH)
LATER = st.one_of(
    NAMED, NAMED, SAID,
    st.tuples(st.just("name"), WHICH, st.none()),
    st.tuples(st.just("change"), WHICH, TOWNS.map(lambda town: {"object": town})),
    st.tuples(st.just("change"), WHICH, SPANS),
    st.tuples(st.just("forget"), WHICH),
)  # fmt: skip
STEPS = st.tuples(st.lists(SAID, min_size=3, max_size=4), st.lists(LATER, max_size=4)).map(
    lambda two: [*two[0], *two[1]]
)


def marks(memory: byheart.Memory) -> dict[str, Any]:
    """Return how records stand. Of several that came in a place at one time it is not said which is named."""
    records = {record.id or "": record for record in memory.records()}
    for record in records.values():
        named = {record.superseded_by} - {None} | {*record.supersedes, *record.near_duplicates}
        assert named <= records.keys(), "the name of what is gone"
        assert record.id not in named
        assert {*record.contradicts} <= {*record.supersedes}
    return {id: (each.superseded_by is None, each.superseded_at, each.superseded_from, each.superseded_to)
            for id, each in records.items()}  # fmt: skip


def contradicted(record: byheart.Record, others: Iterable[byheart.Record]) -> bool:
    """Return whether a fact that is no earlier says something else for a time when this one holds, too."""
    return any(
        each.object != record.object
        and (each.created_at or 0.0) >= (record.created_at or 0.0)
        and not any(
            one.valid_to is not None and two.valid_from is not None and one.valid_to <= two.valid_from
            for one, two in ((record, each), (each, record))
        )
        for each in others
    )


def tell(memory: byheart.Memory, ids: Sequence[str], steps: Sequence[tuple[Any, ...]], *, freely: bool) -> None:
    """Tell a memory what happens. Not `freely`: nobody says of a fact that what contradicts it does not stand there."""
    said = iter(ids[:-1])
    for what, *how in steps:
        if what == "say":
            if (id := next(said, None)) is not None:
                memory.remember(f"Note {id}", id=id, **ABOUT, **how[0])
        elif what == "forget":
            memory.forget(ids[how[0]])
        elif (id := ids[how[0]]) in memory and what == "change":
            memory.update(id, **how[1], updated_at=9.0)
        elif id in memory and (freely or not contradicted(memory.get(id), memory.records())):
            by = None if how[1] is None else ids[how[1]]
            # Since when it was said is kept of the first that stands there alone: of others, that they were made.
            since = memory.get(by).created_at if by is not None and by in memory else 9.0
            with suppress(InvalidArgument, RecordNotFound):
                memory.update(id, superseded_by=by, updated_at=since)
        marks(memory)


@settings(max_examples=examples(2_000))
@given(st.permutations(IDS), STEPS, FACTS)
@example(  # what is named by the one that stays is not given what the one that goes stood for
    ["a", "c", "d", "b", "e", "f"],
    [
        ("say", {"object": "Rome", "created_at": 1.0}),
        ("say", {"object": "Rome", "created_at": 2.0}),
        ("say", {"object": "Rome", "created_at": 1.0}),
        ("say", {"object": "Rome", "created_at": 2.0, "expires_at": 4000000005.0}),
        ("name", 1, 2),
        ("change", 2, {"object": "Paris"}),
    ],
    {"object": "Lima", "created_at": 1.0},
)
@example(  # what stands behind several takes the place of none that one of them stands behind
    ["b", "c", "a", "d", "e", "f"],
    [
        ("say", {"object": "Paris", "created_at": 2.0, "expires_at": 4000000006.0}),
        ("say", {"object": "Rome", "created_at": 1.0}),
        ("say", {"object": "Paris", "created_at": 2.0, "expires_at": 4000000005.0}),
        ("say", {"object": "Paris", "created_at": 1.0, "expires_at": 4000000005.0}),
        ("name", 0, 3),
        ("say", {"object": "Rome", "created_at": 1.0}),
    ],
    {"object": "Rome", "created_at": 2.0},
)
@example(  # a way to one that is not said by its marks leads to a ring, too
    ["a", "b", "c", "d", "e", "f"],
    [
        ("say", {"object": "Rome", "created_at": 1.0}),
        ("say", {"object": "Rome", "created_at": 1.0}),
        ("say", {"object": "Rome", "created_at": 3.0}),
        ("say", {"object": "Rome", "created_at": 3.0}),
        ("name", 3, 0),
        ("say", {"object": "Paris", "created_at": 2.0}),
    ],
    {"object": "Rome", "created_at": 2.0},
)
@example(  # a fact that stands behind no one any more has what it contradicts behind it
    ["a", "b", "c", "d", "e", "f"],
    [
        ("say", {"object": "Paris", "created_at": 2.0}),
        ("say", {"object": "Paris", "created_at": 3.0}),
        ("say", {"object": "Rome", "created_at": 1.0}),
        ("name", 1, 0),
        ("change", 0, {"object": "Rome"}),
        ("name", 1, None),
    ],
    {"object": "Rome", "created_at": 3.0},
)
@example(  # while it takes several places, what follows for one of them leaves the others behind it
    ["a", "b", "c", "d", "e", "f"],
    [
        ("say", {"object": "Rome", "created_at": 1.0}),
        ("say", {"object": "Rome", "created_at": 1.0}),
        ("say", {"object": "Rome", "created_at": 2.0, "expires_at": 4000000005.0}),
        ("name", 2, 0),
        ("change", 2, {"object": "Lima"}),
        ("change", 0, {"expires_at": 4000000005.0}),
    ],
    {"object": "Lima", "created_at": 1.0},
)
def test_a_fact_that_comes_and_goes_leaves_the_others_as_they_stood(
    ids: list[str], steps: list[tuple[Any, ...]], coming: dict[str, Any]
) -> None:
    memory = byheart.Memory(single_valued=["lives_in"], noise=None)
    tell(memory, ids, steps, freely=False)
    before = marks(memory)
    memory.remember("Note of what comes", id=ids[-1], **ABOUT, **coming)
    marks(memory)
    memory.forget(ids[-1])
    assert marks(memory) == before


@settings(max_examples=examples(2_000))
@given(st.permutations(IDS), STEPS)
def test_whoever_says_what_stands_where_no_record_names_what_is_gone(
    ids: list[str], steps: list[tuple[Any, ...]]
) -> None:
    memory = byheart.Memory(single_valued=["lives_in"], noise=None)
    tell(memory, ids, steps, freely=True)
    for id in ids:
        memory.forget(id)
        marks(memory)
