"""What is archived for a record is found again once that goes or lies elsewhere, whoever said that it stands for it.

A record that `update(archived_by=)` had put behind another one stayed there when that was forgotten, and was found by
nobody; so did the turns of a summary that was moved, or whose place another record took.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from byheart import Memory
from byheart.storage.exchange import write_jsonl

EVERY: dict[str, Any] = {"classes": ["internal", "pii"]}
LEAVING: dict[str, Callable[[Memory], object]] = {
    "forgotten": lambda memory: memory.forget("a"),
    "forgotten by a filter": lambda memory: memory.forget(where={"tags": ["gone"]}),
    "over": lambda memory: (memory.update("a", expires_at=5), memory.purge(now=9)),
    "in another scope": lambda memory: memory.update("a", scope="session"),
    "in another class": lambda memory: memory.update("a", boundary_class="pii"),
    "another user's": lambda memory: memory.update("a", user_id="bob"),
    "another record elsewhere": lambda memory: memory.remember("The pump is old.", id="a", scope="session"),
    "said by a source no more": lambda memory: memory.replace_sources({"tea.md": []}),
}


@pytest.fixture(params=["in process", "memory.jsonl", "memory.db"])
def memory(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Memory]:
    with Memory(None if request.param == "in process" else tmp_path / request.param) as memory:
        yield memory


def put_behind(memory: Memory, id: str, by: str, folder: Path) -> None:
    """Have a record be archived for another one wherever that lies and whose ever it is, as an import may say."""
    (folder / "behind.jsonl").unlink(missing_ok=True)
    write_jsonl([memory.get(id, boundary=EVERY).completed(archived_by=by)], folder / "behind.jsonl")
    memory.import_from(folder / "behind.jsonl")
    assert memory.get(id, boundary=EVERY).archived_by == by


@pytest.mark.parametrize("how", LEAVING)
@pytest.mark.parametrize("sources", [(), ("b",)], ids=["by hand", "of a summary"])
@pytest.mark.parametrize("scope", ["project", "session"])
def test_it_is_found_again(memory: Memory, how: str, sources: tuple[str, ...], scope: str, tmp_path: Path) -> None:
    source = {"provenance": {"source_name": "tea.md"}, "tags": ["gone"], "created_at": 1}
    memory.remember("All of it is about tea.", id="a", user_id="ann", source_ids=sources, **source)
    memory.remember("Green tea is kept in the tin.", id="b", user_id="ann", scope=scope, created_at=1)
    memory.remember("Black tea is kept in the jar.", id="c", user_id="ann", created_at=1)
    put_behind(memory, "b", "a", tmp_path)
    put_behind(memory, "c", "b", tmp_path)
    assert "b" not in {hit.id for hit in memory.recall("green tea tin", now=3)}
    LEAVING[how](memory)
    assert memory.get("b", boundary=EVERY).archived_by is None
    assert memory.get("c", boundary=EVERY).archived_by == "b", "that one is there"
    assert "b" in {hit.id for hit in memory.recall("green tea tin", now=3)} and memory.check() == []


def test_a_receipt_names_it_before_and_after(memory: Memory) -> None:
    memory.remember("All of it is about tea.", id="a")
    memory.remember("Green tea is kept in the tin.", id="b")
    memory.update("b", archived_by="a")
    assert memory.forget("a", dry_run=True).released == memory.forget("a").released == ("b",)


def test_what_is_archived_as_its_own_or_for_what_stays_is_not_released(memory: Memory) -> None:
    noise = memory.ingest_turn("ok", session_id="s", user_id="ann", created_at=1).id or ""
    memory.remember("All of it is about tea.", id="a", source_ids=["b"])
    memory.remember("Green tea is kept in the tin.", id="b")
    memory.update("b", archived_by="a")
    memory.update("a", text="All of it is about green tea.")
    memory.update(noise, importance=0.5)
    assert (memory.get("b").archived_by, memory.get(noise).archived_by) == ("a", noise)


@pytest.mark.parametrize("move", [{"scope": "session"}, {"user_id": "bob"}])
def test_the_turns_of_a_summary_that_leaves_are_found_again(memory: Memory, move: dict[str, Any]) -> None:
    for at, text in enumerate(("I live in Rome.", "My rent is 900 euros."), 1):
        memory.ingest_turn(text, session_id="s", user_id="ann", id=f"t{at}", created_at=at)
    [summary] = memory.compact("s", force=True, now=5).summaries
    memory.update(summary, **move)
    assert {memory.get(id).archived_by for id in ("t1", "t2")} == {None} and memory.check() == []


def test_the_turns_of_a_summary_whose_place_another_record_takes_are_found_again(memory: Memory) -> None:
    for at, text in enumerate(("I live in Rome.", "My rent is 900 euros."), 1):
        memory.ingest_turn(text, session_id="s", user_id="ann", id=f"t{at}", created_at=at)
    [summary] = memory.compact("s", force=True, now=5).summaries
    memory.remember("The kettle leaks.", id=summary)
    assert {memory.get(id).archived_by for id in ("t1", "t2")} == {None} and memory.check() == []


def test_what_is_archived_for_a_turn_that_a_compaction_deletes_is_found_again(memory: Memory) -> None:
    for at, text in enumerate(("I live in Rome.", "My rent is 900 euros."), 1):
        memory.ingest_turn(text, session_id="s", user_id="ann", id=f"t{at}", created_at=at)
    memory.remember("The kettle leaks.", id="b", user_id="ann")
    memory.update("b", archived_by="t1")
    memory.compact("s", force=True, sources="delete", now=5)
    assert "t1" not in memory and memory.get("b").archived_by is None


def test_a_turn_that_is_superseded_releases_what_its_summary_stood_for_alone(memory: Memory) -> None:
    for at, text in enumerate(("I live in Rome.", "My rent is 900 euros."), 1):
        memory.ingest_turn(text, session_id="s", user_id="ann", id=f"t{at}", created_at=at)
    memory.remember("The kettle leaks.", id="b", user_id="ann")
    memory.update("b", archived_by="t1")
    memory.compact("s", force=True, now=5)
    memory.remember("My home is Oslo.", id="o", user_id="ann", supersedes="t1")
    assert (memory.get("t2").archived_by, memory.get("b").archived_by) == (None, "t1")


def test_who_sees_a_part_changes_nothing_outside(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory(path) as whole:
        whole.remember("All of it is about tea.", id="a")
        whole.remember("Green tea is kept in the tin.", id="b", boundary_class="pii")
        put_behind(whole, "b", "a", tmp_path)
    with Memory(path, boundary={"classes": ["internal"]}) as part:
        assert part.forget("a").released == ()
    with Memory(path) as whole:
        assert whole.get("b", boundary=EVERY).archived_by == "a"


DROPPING: dict[str, Callable[[Memory], object]] = {
    "a turn is superseded": lambda memory: memory.remember("My home is Oslo.", id="o", user_id="ann", supersedes="t1"),
    "a turn superseded by an update": lambda memory: memory.update("t1", superseded_by="n"),
    "a turn that says something else": lambda memory: memory.update("t1", text="I live in Oslo now."),
    "a turn that moves": lambda memory: memory.update("t1", scope="session"),
    "a turn told anew": lambda memory: memory.remember("The pump is old.", id="t1", user_id="ann"),
    "a turn taken in anew": lambda memory: memory.ingest_turn(
        "I live in Oslo now.", session_id="s", user_id="ann", id="t1", created_at=8
    ),
    "a turn that is forgotten": lambda memory: memory.forget("t1"),
    "several at once": lambda memory: memory.remember_many(
        [{"text": "Late tea.", "id": "late", "user_id": "ann", "archived_by": memory.get("b").archived_by},
         {"text": "My home is Oslo.", "id": "o", "user_id": "ann", "supersedes": ["t1"]}]
    ),
}  # fmt: skip


@pytest.mark.parametrize("how", DROPPING)
def test_what_stands_behind_a_summary_is_found_again_once_that_goes_by_itself(memory: Memory, how: str) -> None:
    for at, text in enumerate(("I live in Rome.", "My rent is 900 euros.", "The dog is Rex."), 1):
        memory.ingest_turn(text, session_id="s", user_id="ann", id=f"t{at}", created_at=at)
    [summary] = memory.compact("s", force=True, now=5).summaries
    memory.remember("It is about Oslo.", id="n", user_id="ann", created_at=6)
    memory.remember("Green tea is kept in the tin.", id="b", user_id="ann", archived_by=summary, created_at=6)
    memory.remember("Rice is kept in the box.", id="c", user_id="ann", superseded_by=summary, created_at=6)
    DROPPING[how](memory)
    assert summary not in memory
    for record in memory.records():
        assert summary not in (record.archived_by, record.superseded_by, *record.near_duplicates), record
    assert {"b", "c"} <= {hit.id for hit in memory.recall("kept in the tin, the box", user_id="ann", now=9)}
    assert memory.check() == []


@pytest.mark.parametrize("by", ["a", "t1"], ids=["a record", "a turn"])
@pytest.mark.parametrize(
    "move", [{"user_id": "bob"}, {"user_id": None}, {"scope": "session"}, {"boundary_class": "pii"}], ids=str
)
def test_what_leaves_what_it_is_archived_for_is_found_again(memory: Memory, move: dict[str, Any], by: str) -> None:
    memory.remember("All of it is about tea.", id="a", user_id="ann")
    memory.ingest_turn("Tea is what I like.", session_id="s", user_id="ann", id="t1", created_at=1)
    memory.remember("Green tea is kept in the tin.", id="b", user_id="ann", archived_by=by)
    memory.update("b", boundary=EVERY, importance=0.5)
    assert memory.get("b", boundary=EVERY).archived_by == by, "it stays"
    memory.update("b", boundary=EVERY, **move)
    assert memory.get("b", boundary=EVERY).archived_by is None and memory.check() == []
    assert "b" in {hit.id for hit in memory.recall("green tea tin", boundary=EVERY)}


def test_what_comes_to_what_it_is_archived_for_stays_there(memory: Memory) -> None:
    memory.remember("All of it is about tea.", id="a", user_id="ann")
    memory.remember("Green tea is kept in the tin.", id="b", user_id="ann", archived_by="a")
    memory.update("b", user_id="ann", text="Black tea is kept in the tin.")
    assert memory.get("b").archived_by == "a"
