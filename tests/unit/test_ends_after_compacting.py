"""A turn that is given an end after it was summarised: nothing tells it beyond that end, and no other turn is lost."""

from typing import Any

import pytest

from byheart import Memory

TEXTS = ("The gate opens with the word amber.", "The garden gets its water on Mondays.", "Ann takes her tea green.")
CHANGES: dict[str, dict[str, Any]] = {"expires": {"expires_at": 50.0}, "holds until": {"valid_to": 50.0}}


def compacted(**changes: Any) -> Memory:
    """Return a memory of a session that was compacted, the first turn with these fields before that."""
    memory = Memory()
    for at, text in enumerate(TEXTS):
        memory.ingest_turn(text, session_id="s", user_id="ann", id=f"t{at}", now=at)
    if changes:
        memory.update("t0", **changes)
    memory.compact("s", force=True, now=10)
    return memory


def told(memory: Memory, now: float) -> str:
    return " ".join(hit.record.text for hit in memory.recall("gate word amber garden tea", user_id="ann", now=now))


@pytest.mark.parametrize("change", CHANGES)
def test_no_summary_outlives_what_it_tells(change: str) -> None:
    memory = compacted()
    assert any("amber" in record.text for record in memory.records() if record.kind == "summary")
    memory.update("t0", **CHANGES[change])
    assert not [record for record in memory.records() if record.kind == "summary"]
    assert not [record for record in memory.records() if record.archived_by is not None]
    assert "amber" in told(memory, 20.0)
    assert "amber" not in told(memory, 60.0)
    assert "garden" in told(memory, 60.0) and "tea" in told(memory, 60.0)


@pytest.mark.parametrize("change", CHANGES)
def test_what_ends_is_not_summarised(change: str) -> None:
    memory = compacted(**CHANGES[change])
    assert memory.get("t0").archived_by is None and memory.get("t1").archived_by is not None
    [summary] = [record.text for record in memory.records() if record.kind == "summary"]
    assert "amber" not in summary
    assert "amber" not in told(memory, 60.0)


def test_other_changes_leave_the_summary() -> None:
    memory = compacted()
    memory.update("t1", topic="water", importance=0.9)
    [summary] = [record.id for record in memory.records() if record.kind == "summary"]
    assert memory.get("t1").archived_by == summary
