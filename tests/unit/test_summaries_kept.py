"""Summaries afterwards: expanded, touched, and forgotten with their turns or without."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import byheart
from byheart.conversation.receipts import CompactReceipt
from byheart.errors import (
    DuplicateId,
    InvalidArgument,
    RecordNotFound,
)

from .sessions import JOINED, WHOLE, stored, turns

# ---- expand and touch


def test_expanding_gives_the_turns_and_counts_the_use(memory: byheart.Memory) -> None:
    memory.remember_many(reversed(turns(3)))
    before = memory.records()
    [summary] = memory.compact("s1", target=3).summaries
    found = memory.expand(summary)
    assert [record.completed(archived_by=None) for record in found] == before
    assert {record.archived_by for record in found} == {summary}
    assert stored(memory)[summary].access_count == 1
    with pytest.raises(InvalidArgument, match="'t00' is no summary, but of kind 'turn'"):
        memory.expand("t00")
    with pytest.raises(RecordNotFound):
        memory.expand("t99")
    with pytest.raises(InvalidArgument):
        memory.expand("")


def test_a_summary_of_summaries_expands_to_their_turns() -> None:
    memory = byheart.Memory()
    memory.remember_many(turns(4))
    first, second = memory.compact("s1", target=2).summaries
    memory.remember("All of it.", id="top", kind="summary", source_ids=[first, second, "top"])
    assert [record.id for record in memory.expand("top")] == ["t00", "t01", "t02", "t03"]


def test_a_memory_that_is_only_read_expands_without_counting(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with byheart.Memory(path) as memory:
        memory.remember_many(turns(2))
        [summary] = memory.compact("s1", force=True).summaries
    from byheart.storage.sqlite import SqliteStore

    with SqliteStore(path, read_only=True) as store:
        reader = byheart.Memory(store=store)
        assert [record.id for record in reader.expand(summary)] == ["t00", "t01"]
        assert stored(reader)[summary].access_count == 0


def test_a_touch_counts_and_changes_nothing_else(memory: byheart.Memory) -> None:
    memory.remember_many(turns(2))
    before, vectors = stored(memory), dict(memory._engine.store.vectors(memory._engine.indexes.model))
    assert memory.touch(["t00", "t00", "absent"], now=700) == 1
    assert memory.touch("t00", now=800) == 1
    after = stored(memory)
    assert after["t00"] == before["t00"].completed(access_count=2, accessed_at=800.0)
    assert after["t01"] == before["t01"]
    assert dict(memory._engine.store.vectors(memory._engine.indexes.model)) == vectors
    assert memory.touch([], now=1) == memory.touch("t00", boundary={"classes": ["pii"]}) == 0
    assert memory.recall("kettle").hits
    assert stored(memory)["t00"].access_count == 2, "a recall is no use"


def test_the_verbs_for_asyncio() -> None:
    async def run() -> tuple[CompactReceipt, list[str | None], int]:
        memory = byheart.Memory()
        memory.remember_many(turns(2))
        done = await memory.acompact("s1", force=True)
        found = await memory.aexpand(done.summaries[0])
        return done, [record.id for record in found], await memory.atouch("t00")

    done, ids, touched = asyncio.run(run())
    assert done.did_compact and ids == ["t00", "t01"] and touched == 1


# ---- forgetting


def test_a_summary_goes_with_any_of_its_turns(memory: byheart.Memory) -> None:
    memory.remember_many(turns(4))
    first, second = memory.compact("s1", target=2, summariser=JOINED).summaries
    vectors = dict(memory._engine.store.vectors(memory._engine.indexes.model))
    plan = memory.forget("t01", dry_run=True)
    assert first in stored(memory)
    gone = memory.forget("t01")
    assert (gone.ids, gone.missing, gone.summaries, gone.released) == (("t01",), (), (first,), ("t00",))
    assert (plan.ids, plan.summaries, plan.released) == (gone.ids, gone.summaries, gone.released)
    assert stored(memory)["t00"].archived_by is None
    assert stored(memory)["t02"].archived_by == second
    assert {hit.id for hit in memory.recall("turn again", 9)} == {"t00", second}
    after = dict(memory._engine.store.vectors(memory._engine.indexes.model))
    assert after == {key: row for key, row in vectors.items() if key.id not in ("t01", first)}
    assert memory.check() == []


def test_the_turns_of_a_forgotten_summary_are_found_again(memory: byheart.Memory) -> None:
    memory.remember_many(turns(2))
    before = stored(memory)
    [summary] = memory.compact("s1", force=True).summaries
    gone = memory.forget(summary)
    assert (gone.ids, gone.summaries, gone.released) == ((summary,), (), ("t00", "t01"))
    assert stored(memory) == before
    assert memory.compact("s1", force=True).summaries == (summary,)


def test_the_turns_of_a_summary_may_be_forgotten_with_it(memory: byheart.Memory) -> None:
    memory.remember_many(turns(4))
    first, second = memory.compact("s1", target=2).summaries
    gone = memory.forget(first, sources="forget")
    assert gone.ids == (first, "t00", "t01") and gone.released == gone.summaries == ()
    assert sorted(stored(memory)) == sorted([second, "t02", "t03"])
    with pytest.raises(InvalidArgument, match="sources: 'keep' is unknown"):
        memory.forget(second, sources="keep")


def test_a_deleted_turn_that_is_forgotten_takes_its_summary(memory: byheart.Memory) -> None:
    memory.remember_many(turns(4))
    first, second = memory.compact("s1", target=2, sources="delete", summariser=JOINED).summaries
    gone = memory.forget(["t01", "unknown"])
    assert (gone.ids, gone.missing, gone.summaries) == ((), ("t01", "unknown"), (first,))
    assert list(stored(memory)) == [second]


def test_a_whole_session_is_forgotten_at_once(memory: byheart.Memory) -> None:
    memory.remember_many(turns(4))
    memory.compact("s1", target=2)
    gone = memory.forget(where={"session_id": "s1"})
    assert len(gone.ids) == 6 and gone.summaries == gone.released == ()
    assert stored(memory) == {}


def test_an_archived_turn_that_ends_takes_its_summary() -> None:
    memory = byheart.Memory()
    memory.remember_many(turns(2))
    memory.update("t00", expires_at=5_000.0)
    memory.remember("In other words.", id="words", kind="summary", source_ids=["t00", "t01"])
    for id in ("t00", "t01"):
        memory.update(id, archived_by="words")
    gone = memory.purge(now=5_000)
    assert (gone.ids, gone.summaries, gone.released) == (("t00",), ("words",), ("t01",))


def test_forgetting_stays_inside_the_boundary() -> None:
    memory = byheart.Memory()
    memory.remember_many(turns(2, boundary_class="pii"))
    memory.remember("In other words.", id="words", kind="summary", source_ids=["t00"], boundary_class="public")
    narrow = {"classes": ["pii"]}
    assert memory.forget("t00", boundary=narrow).summaries == ()
    assert memory.forget("t00", boundary=narrow).missing == ("t00",)
    assert "words" in stored(memory)
    assert memory.forget("t00").summaries == ("words",)


def test_a_summary_that_is_replaced_is_of_its_new_turns_alone() -> None:
    memory = byheart.Memory()
    memory.remember_many(turns(2))
    for source in ("t00", "t01"):
        memory.remember("In other words.", id="words", kind="summary", source_ids=[source])
    assert memory.forget("t00").summaries == ()
    assert memory.forget("t01").summaries == ("words",)


def test_what_is_known_of_summaries_outlives_a_generation(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with byheart.Memory(path) as memory:
        memory.remember_many(turns(4))
        first, _ = memory.compact("s1", target=2, sources="delete").summaries
        assert memory._engine.indexes.save(at_least=0)
    with byheart.Memory(path) as memory:
        assert memory.opened.startswith("opened generation")
        assert memory.forget("t00").summaries == (first,)


def test_turns_that_moved_to_another_cell_are_compacted_there() -> None:
    memory = byheart.Memory()
    memory.remember_many(turns(2, boundary_class="pii"))
    [summary] = memory.compact("s1", force=True, boundary=WHOLE).summaries
    old = stored(memory)[summary]
    memory.remember_many(turns(2))
    assert summary not in stored(memory), "it would tell of them where they were"
    memory.remember(old)  # as if it had been kept there
    before = stored(memory)
    with pytest.raises(DuplicateId):
        memory.compact("s1", force=True)
    assert stored(memory) == before, "what lies outside the boundary stays"
    assert memory.compact("s1", force=True, boundary=WHOLE).summaries == (summary,)
    after = stored(memory)
    assert after[summary].boundary_class == "internal" and memory.check() == []
    assert after["t00"].archived_by == after["t01"].archived_by == summary
