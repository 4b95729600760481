"""Pages and counts that the directory gives alone are those of a look at every record."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import byheart
from byheart.errors import InvalidArgument
from byheart.memory.listing import ID, NAMES, TIMES
from byheart.memory.page import Order, values_of
from byheart.storage import InProcessStore, key_of

from ..counts import examples

CLASSES = ["public", "internal"]
WHERE: list[dict[str, Any] | None] = [
    None,
    {"user_id": "ann"},
    {"created_at": {">=": 1}},
    {"user_id": {"exists": False}},
]


@st.composite
def batches(draw: Any) -> list[dict[str, Any]]:
    """Return records of few times and names, of which many are the same, in two cells."""
    found = []
    names = st.tuples(st.sampled_from([f"r{n}" for n in range(8)]), st.sampled_from(CLASSES))
    for id, boundary_class in draw(st.lists(names, max_size=10, unique=True)):
        record: dict[str, Any] = {"id": id, "text": id, "created_at": draw(st.sampled_from([-1, 0, 0.5, 2]))}
        record["boundary_class"] = boundary_class
        optional = {"expires_at": st.sampled_from([5e9, 6e9]), "updated_at": st.sampled_from([3, 4]),
                    "user_id": st.sampled_from(["ann", "bob", "東"]), "session_id": st.sampled_from(["s", "t"]),
                    "kind": st.sampled_from(["note", "fact"])}  # fmt: skip
        record |= {name: draw(values) for name, values in optional.items() if draw(st.booleans())}
        found.append(record)
    return found


def filled(batch: list[dict[str, Any]]) -> byheart.Memory:
    """Return a memory with these records, of which two cells may have the same ids."""
    store = InProcessStore()
    for boundary_class in CLASSES:
        own = byheart.Memory(store=store, noise=None, boundary={"classes": [boundary_class]})
        own.remember_many(record for record in batch if record["boundary_class"] == boundary_class)
    return byheart.Memory(store=store, noise=None, boundary={"classes": CLASSES})


@settings(max_examples=examples(400))
@given(
    batch=batches(),
    field=st.sampled_from([ID, *sorted(TIMES)]),
    down=st.booleans(),
    limit=st.integers(1, 11),
    where=st.sampled_from(WHERE),
    moved=st.booleans(),
)
def test_pages_are_those_of_all_records_in_order(
    batch: list[dict[str, Any]], field: str, down: bool, limit: int, where: Any, moved: bool
) -> None:
    memory, order = filled(batch), Order(field, down)
    expected = order.sorted(memory.records(where))
    found: list[byheart.Record] = []
    cursor = None
    while True:
        page = memory.records(where, order_by=str(order), limit=limit, cursor=cursor)
        found += page
        cursor = page.cursor
        if cursor is None:
            break
        assert len(page) == limit
        if moved:  # a cursor is a place, and no record
            memory.forget(where={"id": page[-1].id, "boundary_class": page[-1].boundary_class})
            moved = False
    assert [key_of(record) for record in found] == [key_of(record) for record in expected]


@settings(max_examples=examples(200))
@given(batch=batches(), field=st.sampled_from(sorted(NAMES)), where=st.sampled_from(WHERE))
def test_counts_are_those_of_all_records(batch: list[dict[str, Any]], field: str, where: Any) -> None:
    memory = filled(batch)
    said = [next(iter(values_of(record, field)), None) for record in memory.records(where)]
    names = sorted({value for value in said if isinstance(value, str)})
    expected: dict[Any, int] = {name: said.count(name) for name in (*names, None) if name in said}
    counts = memory.count(where, by=field)
    assert counts == expected and list(counts) == list(expected)


def test_a_cursor_whose_value_is_none_of_the_field_is_a_place_all_the_same() -> None:
    memory = byheart.Memory()
    memory.remember_many([{"id": f"r{n}", "text": f"n{n}", "topic": "x", "created_at": n} for n in range(3)])
    import base64
    import json

    for kind, value in ((3, "x"), (1, True)):
        place = json.dumps(["created_at", False, kind, value, "r0", "project", "internal"]).encode()
        page = memory.records(order_by="created_at", limit=2, cursor=base64.urlsafe_b64encode(place).decode())
        assert [record.id for record in page] == ([] if kind == 3 else ["r0", "r1"])
    with pytest.raises(InvalidArgument, match="cursor"):
        memory.records(order_by="created_at", limit=2, cursor="x")


SAID: dict[str, Any] = {
    "tags": st.lists(st.sampled_from(["b", "a", "Z", "東"]), max_size=3),
    "topic": st.sampled_from(["tea", "ice"]),
    "entities": st.lists(st.sampled_from(["Ann", "Bob"]), max_size=2),
    "metadata": st.dictionaries(
        st.sampled_from(["room", "size"]),
        st.sampled_from(["hall", "7", 7, 7.5, -0.0, True, None, ["hall", 7], {"of": "ann"}, {"of": 3}]),
    ),
}


@settings(max_examples=examples(200))
@given(
    batch=st.lists(st.fixed_dictionaries({}, optional=SAID), max_size=8),
    field=st.sampled_from([*SAID, "metadata.room", "metadata.size", "metadata.room.of", "id", "scope"]),
    where=st.sampled_from([None, {"tags": "a"}, {"tags": {"exists": False}}]),
)
def test_counts_of_texts_and_metadata_are_those_of_all_records(
    batch: list[dict[str, Any]], field: str, where: Any
) -> None:
    field = "speaker" if field == "metadata" else field
    memory = byheart.Memory(noise=None)
    memory.remember_many({"id": f"r{number}", "text": f"Ann: {number}", **each} for number, each in enumerate(batch))
    places = [
        (value is None, isinstance(value, str), value)
        for record in memory.records(where)
        for value in values_of(record, field) or (None,)
    ]
    found = memory.count(where, by=field)
    assert repr(list(found.items())) == repr([(place[2], places.count(place)) for place in sorted(set(places))])


def test_what_many_have_in_a_field_is_counted_without_a_look_at_records(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = byheart.Memory()
    memory.remember_many({"text": f"tea {number}", "tags": ["hot"], "metadata": {"n": 1}} for number in range(5))
    monkeypatch.setattr(type(memory._engine.indexes), "get", None)
    assert memory.count(by="tags") == {"hot": 5} and memory.count(by="metadata.n") == {1.0: 5}
