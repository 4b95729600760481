"""A turn that names no user is its session's user's, where there is one; it is guarded as what else is read for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import byheart
from byheart.conversation import turns
from byheart.embedding import HashingEmbedder
from byheart.storage import InProcessStore


@pytest.fixture(params=["in process", "memory.jsonl", "memory.db"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], byheart.Memory]]:
    store, memories = InProcessStore(), list[byheart.Memory]()

    def open() -> byheart.Memory:
        where: dict[str, Any] = (
            {"store": store} if request.param == "in process" else {"path": tmp_path / request.param}
        )
        memories.append(byheart.Memory(**where, embedder=HashingEmbedder(64)))
        return memories[-1]

    yield open
    for memory in memories:
        memory.close()


def said(memory: byheart.Memory, text: str, user: str | None = None, session: str = "s", **how: Any) -> str | None:
    role = how.pop("role", "user" if user else "assistant")
    done = memory.ingest_turn(text, session_id=session, user_id=user, role=role, **how)
    assert done.user_id == memory.get(done.id or "").user_id
    return done.user_id


def test_an_answer_is_of_the_user_of_its_session_and_goes_with_them(opened: Callable[[], byheart.Memory]) -> None:
    memory = opened()
    said(memory, "My salary is 84000 euros.", "ann")
    assert said(memory, "Noted, Ann: your salary is 84,000 euros.") == "ann"
    assert [hit.text for hit in memory.recall("what is my salary?", user_id="bob")] == []
    assert memory.forget(where={"user_id": "ann"}).untouched == () and memory.count() == 0


def test_what_a_user_says_there_without_a_name_is_theirs_and_may_be_kept(
    opened: Callable[[], byheart.Memory],
) -> None:
    memory = opened()
    said(memory, "Hello, I am Ann.", "ann")
    done = memory.ingest_turn("My dog is called Rex.", session_id="s", durable="all")
    assert done.user_id == "ann" and memory.get(done.durable_id or "").user_id == "ann"


def test_several_users_or_none_leave_it_nobodys(opened: Callable[[], byheart.Memory]) -> None:
    memory = opened()
    assert said(memory, "Hello.") is None
    said(memory, "My name is Ann.", "ann")
    assert said(memory, "Hello, Ann.") == "ann"
    assert memory.count({"user_id": {"exists": False}}) == 1, "what was said before stays as it is"
    said(memory, "And mine is Bob.", "bob")
    assert said(memory, "Hello, both.") is None
    assert said(memory, "Hello.", session="another") is None
    for where in ({"scope": "work"}, {"boundary_class": "public"}):
        assert said(memory, "Hello.", **where) is None, "another cell is another session"
    memory.remember("Bob's note", session_id="notes", user_id="bob")
    assert said(memory, "Hello.", session="notes") is None, "turns alone count"


@pytest.mark.parametrize("between", ["bob comes", "ann comes", "ann is forgotten"])
def test_what_was_read_still_stands_when_it_is_written(opened: Callable[[], byheart.Memory], between: str) -> None:
    memory, other = opened(), opened()
    if between != "ann comes":
        said(memory, "My name is Ann.", "ann", id="ann")
    found, looked = turns.session_user, list[str | None]()

    def meanwhile(*given: Any) -> Any:
        user = found(*given)
        looked.append(user.id)
        if len(looked) == 1:
            if between == "ann is forgotten":
                other.forget("ann")
            else:
                said(other, "Here I am.", between.split()[0])
        return user

    with patch.object(turns, "session_user", meanwhile):
        done = memory.ingest_turn("Noted.", session_id="s", role="assistant")
    expected = "ann" if between == "ann comes" else None
    assert (done.user_id, looked[-1], len(looked)) == (expected, expected, 2)
