"""A session of several users that is compacted more than once: what is nobody's stays nobody's."""

import pytest

from byheart import Memory
from byheart.words import SourcesFate

SAID = (
    ("ann", "The kettle leaks."),
    ("ann", "I take green tea."),
    ("bob", "The bath leaks."),
    (None, "The wifi password is maple."),
)


def compacted(sources: SourcesFate) -> Memory:
    memory = Memory()
    for at, (user, text) in enumerate(SAID):
        memory.ingest_turn(text, id=f"t{at}", session_id="s", user_id=user, now=at)
    memory.compact("s", force=True, sources=sources)
    return memory


@pytest.mark.parametrize("sources", ["archive", "delete"])
def test_compacting_again_changes_nothing(sources: SourcesFate) -> None:
    memory = compacted(sources)
    before = list(memory.records())
    done = memory.compact("s", force=True, sources=sources)
    assert not done.did_compact and list(memory.records()) == before
    for user in ("ann", "bob", "eve"):
        assert "t3" in [hit.id for hit in memory.recall("what is the wifi password?", user_id=user)]


@pytest.mark.parametrize("sources", ["archive", "delete"])
def test_an_answer_belongs_to_none_of_two_users_afterwards(sources: SourcesFate) -> None:
    memory = compacted(sources)
    told = memory.ingest_turn("The plumber comes on Friday at nine.", session_id="s", role="assistant", id="t4")
    assert told.user_id is None
