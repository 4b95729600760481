"""The history of a record: what happened to it, when and by whom, and none of its texts."""

from __future__ import annotations

from typing import Any

import pytest

import byheart
from byheart.errors import InvalidArgument, RecordNotFound

from .reopened import Place


def test_history_tells_what_happened_and_no_text(place: Place) -> None:
    with place.open() as memory:
        memory.remember("We meet at noon.", id="a", user_id="ann", session_id="s", created_at=1)
        memory.remember("We meet at one, secretly.", id="a", user_id="ann", session_id="s", created_at=2)
        memory.update("a", topic="meeting", updated_at=3)
        memory.feedback("a", "helpful", now=120)
        memory.remember("We do not meet.", id="b", user_id="ann", session_id="s", created_at=200, supersedes="a")
    with place.open() as memory:
        told = memory.history("a")
        assert [(each.at, each.what, each.by) for each in told] == [
            (1.0, "remembered", None), (2.0, "replaced", None), (3.0, "updated", None), (120, "helpful", None),
            (200.0, "superseded", "b"),
        ]  # fmt: skip
        assert (told[0].user_id, told[0].session_id, told[2].fields) == ("ann", "s", ("topic",))
        assert [(each.what, each.by) for each in memory.history("b")] == [("remembered", None), ("supersedes", "a")]
        assert "noon" not in repr(told) and "secretly" not in repr(told)
        memory.forget("b")
        assert "superseded" not in [each.what for each in memory.history("a")]
        memory.forget("a")
        with pytest.raises(RecordNotFound):
            memory.history("a")
        if place.path is not None:
            assert b"noon" not in place.path.read_bytes() and b"secretly" not in place.path.read_bytes()


def test_history_of_what_was_said_again_compacted_and_taken_over(place: Place) -> None:
    with place.open() as memory:
        tea = memory.remember("green tea", created_at=1)
        memory.remember("green tea ", created_at=8)
        [_, again] = memory.history(tea)
        assert (again.at, again.what, again.count) == (8.0, "said again", 2)
        for number in range(3):
            memory.remember(f"turn {number}", id=f"t{number}", session_id="s", created_at=number)
        [summary] = memory.compact("s", force=True, now=50).summaries
        assert [(each.at, each.what, each.by) for each in memory.history("t0")][-1] == (50, "compacted", summary)
        memory.remember("mine", id="x", user_id="ann", created_at=1)
        memory.remember("yours", id="x", user_id="bob", created_at=2)
        assert [(each.at, each.what, each.user_id) for each in memory.history("x")] == [(2.0, "remembered", "bob")]


def test_of_many_changes_the_last_are_kept() -> None:
    memory = byheart.Memory()
    memory.remember("tea", id="a", created_at=0)
    for at in range(1, 100):
        memory.update("a", importance=at / 100, updated_at=at)
    told = memory.history("a")
    assert (len(told), told[-1].at) == (64, 99.0)


@pytest.mark.parametrize(
    ("revision", "error", "said"),
    [
        ("x", InvalidArgument, "revisions: 'x' is none; one is a time, a word and names of fields"),
        ((1.0, 3, ["text"]), TypeError, "revisions must be str, not int"),
        ((None, "updated", ["text"]), InvalidArgument, "revisions: one says no time"),
        ((1.0, "updated", [3]), TypeError, "revisions must be str, not int"),
        ((1.0, "updated", "text"), TypeError, "revisions must be a list of str, not str"),
    ],
)
def test_what_is_no_revision_is_refused_by_name(revision: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error) as caught:
        byheart.Record(text="tea", revisions=[revision])
    assert str(caught.value) == said
