"""The sessions and users of a memory: counts, first and last times, of what the handle may see and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import byheart
from byheart.errors import BoundaryViolation, InvalidArgument, UnknownField
from byheart.memory.owners import Session, User

WORDS = st.sampled_from(["ann", "bob", "cy"])
RECORDS = st.lists(
    st.fixed_dictionaries(
        {
            "created_at": st.floats(0, 9),
            "boundary_class": st.sampled_from(["public", "internal", "secret"]),
            "scope": st.sampled_from(["s", "t"]),
            "tenant": st.sampled_from(["default", "rival"]),
        },
        optional={
            "session_id": WORDS, "user_id": WORDS, "archived_by": st.just("x"), "category": st.just("food"),
            "id": st.sampled_from(["same", "other"]),
        },
    ),
    max_size=12,
)  # fmt: skip
BOUNDARIES = st.sampled_from([None, {"scopes": ["s"]}, {"classes": ["secret"]}, {"tenant": "rival"}])


def slowly(records: list[byheart.Record], field: str, other: str) -> list[tuple[Any, ...]]:
    """Return what `sessions` or `users` should say, by reading every record."""
    found = []
    for id in {getattr(record, field) for record in records} - {None}:
        own = [record for record in records if getattr(record, field) == id]
        times = [record.created_at for record in own]
        beside = tuple(sorted({getattr(record, other) for record in own} - {None}))
        found.append((id, len(own), min(times), max(times), beside))
    return sorted(found, key=lambda each: (-each[3], each[0]))


@given(RECORDS, BOUNDARIES, st.sampled_from([None, {"category": "food"}]))
def test_they_are_what_a_look_at_every_record_says(
    records: list[dict[str, Any]], boundary: dict[str, Any] | None, where: dict[str, Any] | None
) -> None:
    with byheart.Memory() as memory:
        for number, fields in enumerate(records):
            named = {"id": str(number), **fields}
            own = {"archived_by": named["id"]} if "archived_by" in named else {}
            memory.remember(f"text {number}", **{**named, **own})
        inside = memory.records(where, boundary=boundary)
        assert memory.sessions(where, boundary=boundary) == tuple(
            Session(*each) for each in slowly(inside, "session_id", "user_id")
        )
        assert memory.users(where, boundary=boundary) == tuple(
            User(*each) for each in slowly(inside, "user_id", "session_id")
        )


def test_a_memory_without_any_has_none_and_a_bounded_one_sees_no_others() -> None:
    with byheart.Memory() as memory:
        assert memory.sessions() == () == memory.users()
        memory.remember("secret tea", session_id="s", user_id="ann", boundary_class="secret", created_at=1)
        memory.remember("tea", session_id="s", user_id="bob", created_at=2)
        bounded = byheart.Memory(store=memory._engine.store, boundary={"classes": ["public", "internal"]})
        assert bounded.sessions() == (Session("s", 1, 2.0, 2.0, ("bob",)),)
        assert [user.id for user in bounded.users()] == ["bob"]
        with pytest.raises(BoundaryViolation):
            bounded.users(boundary={"classes": ["secret"]})


@pytest.mark.parametrize("verb", ["sessions", "users"])
def test_bad_input_is_one_typed_error(verb: str) -> None:
    with byheart.Memory() as memory:
        with pytest.raises(UnknownField, match="did you mean 'user_id'"):
            getattr(memory, verb)({"usr_id": "ann"})
        with pytest.raises(TypeError, match="where must be a mapping"):
            getattr(memory, verb)("ann")
        with pytest.raises(InvalidArgument):
            getattr(memory, verb)(boundary={"scope": "s"})


def test_what_others_write_counts_at_once(tmp_path: Any) -> None:
    path = tmp_path / "memory.db"
    with byheart.Memory(path) as memory, byheart.Memory(path) as other:
        other.remember("tea", session_id="s", user_id="ann", created_at=1)
        assert [each.id for each in (*memory.sessions(), *memory.users())] == ["s", "ann"]
        other.forget(where={"user_id": "ann"})
        assert memory.sessions() == () == memory.users()
