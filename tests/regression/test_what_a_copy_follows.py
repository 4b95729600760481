"""What a turn's durable copy follows: user, tags, metadata, times; and nothing that it was given by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from byheart import Memory, Record
from byheart.embedding import HashingEmbedder
from byheart.writing.copies import FOLLOWED, STAYS

SALARY = "My salary is 4,200 euros a month."


@pytest.fixture(params=["in process", "memory.jsonl", "memory.db", "two handles"])
def handles(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[tuple[Memory, Memory]]:
    """Give a memory that was told the turn, and one that changes it: the same, or another one of the file."""
    path = {"in process": None, "two handles": tmp_path / "two.db"}.get(request.param, tmp_path / request.param)
    with Memory(path, embedder=HashingEmbedder(16)) as told:
        done = told.ingest_turn(SALARY, session_id="s", user_id="ann", id="t", created_at=1, metadata={"room": "hall"})
        assert done.durable_id is not None
        if request.param != "two handles":
            yield told, told
        else:
            with Memory(path, embedder=HashingEmbedder(16)) as other:
                yield told, other


def copy(memory: Memory) -> Record:
    [found] = memory.records({"kind": "memory"})
    return found


def found(memory: Memory, user: str) -> list[str]:
    return [hit.text for hit in memory.recall("what is my salary?", user_id=user, now=9)]


def test_a_copy_is_the_user_s_whose_the_turn_is_now(handles: tuple[Memory, Memory]) -> None:
    told, changes = handles
    changes.update("t", user_id="bob", updated_at=2)
    assert {record.user_id for record in told.records()} == {"bob"}
    assert found(told, "ann") == [] and SALARY in found(told, "bob")
    assert copy(told).revisions[-1] == (2.0, "updated", ("user_id",))
    assert told.stats()["vectors"] == 2
    assert told.check() == []


def test_no_user_keeps_a_summary_of_what_is_another_s_now(handles: tuple[Memory, Memory]) -> None:
    told, changes = handles
    told.ingest_turn("My office is in room 4.", session_id="s", user_id="ann", id="u", created_at=2, durable="none")
    [summary] = told.compact("s", force=True, now=3).summaries
    changes.update("t", user_id="bob")
    assert summary not in told
    assert found(told, "ann") == [] and SALARY in found(told, "bob")
    assert told.get("u").archived_by is None and told.get("t").archived_by is None
    assert told.check() == []


def test_a_turn_in_whose_place_another_user_s_is_put_takes_its_copy_along(handles: tuple[Memory, Memory]) -> None:
    told, changes = handles
    changes.remember("My salary is 5,000 euros a month.", id="t", kind="turn", session_id="s", user_id="bob")
    assert found(told, "ann") == []
    assert {record.user_id for record in told.records()} == {"bob"}


def test_a_filter_finds_the_copy_as_it_finds_the_turn(handles: tuple[Memory, Memory]) -> None:
    told, changes = handles
    changes.update(
        "t", tags=["private"], topic="money", category="work", metadata={**told.get("t").metadata, "room": "x"}
    )
    for where in ({"tags": "private"}, {"topic": "money"}, {"category": "work"}, {"metadata.room": "x"}):
        assert told.count(where) == 2 and told.count({"not": where}) == 0
    assert copy(told).metadata["gating_score"] == told.get("t").metadata["gating_score"]
    assert told.stats()["vectors"] == 2


def test_a_copy_ends_and_holds_with_its_turn(handles: tuple[Memory, Memory]) -> None:
    told, changes = handles
    changes.update("t", valid_from=2, valid_to=5)
    assert (copy(told).valid_from, copy(told).valid_to) == (2.0, 5.0)
    assert found(told, "ann") == [] and told.recall("salary", now=3)
    told.update(copy(told).id or "", valid_to=4)
    changes.update("t", valid_to=7)
    assert copy(told).valid_to == 4.0, "an end of its own that comes before"
    changes.update("t", valid_to=1, valid_from=None)
    assert (copy(told).valid_from, copy(told).valid_to) == (None, 1.0)


def test_what_a_copy_was_given_by_itself_stays(handles: tuple[Memory, Memory]) -> None:
    told, changes = handles
    id = copy(told).id or ""
    told.update(id, tags=["own"], topic="mine", metadata={**copy(told).metadata, "k": 1}, valid_from=3, importance=0.5)
    changes.update("t", tags=["private"], topic="money", metadata={"room": "x"}, valid_to=2, importance=0.1)
    kept = copy(told)
    assert (kept.tags, kept.topic, kept.importance) == (("own", "private"), "mine", 0.5)
    assert (kept.metadata["k"], kept.metadata["room"], "role" in kept.metadata) == (1, "x", False)
    assert (kept.valid_from, kept.valid_to) == (2.0, 2.0), "it holds at no time"
    changes.update("t", tags=[])
    assert copy(told).tags == ("own",)


def test_every_field_is_followed_or_stays() -> None:
    assert set(FOLLOWED).isdisjoint(STAYS)
    assert {*FOLLOWED, *STAYS} == set(Record.__dataclass_fields__)


def test_each_field_that_is_followed_is(tmp_path: Path) -> None:
    values: dict[str, Any] = {name: [name] for name in ("utility_acts", "entities", "links", "tags")}
    values |= {"valid_from": 2.0, "valid_to": 3.0, "expires_at": 4e9, "metadata": {"a": 1}, "relation": "uses"}
    given = {name: values.get(name, name) for name in FOLLOWED}
    memory = Memory()
    memory.ingest_turn(SALARY, session_id="s", user_id="ann", id="t", created_at=1)
    memory.update("t", **given)
    turn, kept = memory.get("t"), copy(memory)
    assert {name: getattr(turn, name) for name in FOLLOWED} == {name: getattr(kept, name) for name in FOLLOWED}
    assert len(FOLLOWED) >= 20


def test_a_copy_with_a_text_of_its_own_keeps_it_until_the_turn_says_something_else() -> None:
    memory = Memory()
    memory.ingest_turn(SALARY, session_id="s", user_id="ann", id="t", created_at=1)
    memory.update(copy(memory).id or "", text="Ann earns 4,200.")
    memory.update("t", tags=["money"], expires_at=4e9)
    assert (copy(memory).text, copy(memory).tags) == ("Ann earns 4,200.", ("money",))
    memory.update("t", text="My salary is 5,000 euros a month.")
    assert copy(memory).text == memory.get("t").text


def test_a_turn_says_what_its_copy_is_changed_to(handles: tuple[Memory, Memory]) -> None:
    told, changes = handles
    durable = copy(told)
    changes.update(durable.id or "", text="My salary is 4,400 euros a month.", topic="pay")
    assert {record.text for record in told.records()} == {"My salary is 4,400 euros a month."}
    assert copy(told).topic == "pay" and told.get("t").topic is None
    assert told.get("t").revisions[-1][2] == ("text",)
    assert SALARY not in found(told, "ann") and found(told, "ann")
    assert told.stats()["vectors"] == 2 and told.check() == []


@pytest.mark.parametrize("changes", [{"text": ""}, {"text": "x y z", "user_id": "bob"}, {"text": "x", "scope": "o"}])
def test_a_turn_stays_whose_copy_says_nothing_or_goes_elsewhere(changes: dict[str, Any]) -> None:
    with Memory() as memory:
        done = memory.ingest_turn(SALARY, session_id="s", user_id="ann", id="t", created_at=1)
        memory.update(done.durable_id or "", topic="pay", **changes)
        assert memory.get("t").text == SALARY


def test_a_turn_that_says_something_else_than_its_copy_stays_as_it_is(handles: tuple[Memory, Memory]) -> None:
    told, changes = handles
    changes.update(copy(told).id or "", text="My salary is 4,400 euros a month.")
    other = Record(text=SALARY, id="x", kind="memory", user_id="ann", provenance={"source_id": "t"}, created_at=3)
    told.remember(other)
    changes.update("x", text="My salary is 5,000 euros a month.")
    assert told.get("t").text == "My salary is 4,400 euros a month."


@pytest.mark.parametrize("name", [":memory:", "m.db", "m.jsonl"])
@pytest.mark.parametrize("how", ["forget", "update"])
def test_a_summary_goes_with_the_copy_of_a_deleted_turn(name: str, how: str, tmp_path: Path) -> None:
    with Memory(name if name == ":memory:" else tmp_path / name) as memory:
        told = memory.ingest_turn(
            "I prefer green tea, and I live in Turku.", session_id="s", user_id="ann", created_at=0
        )
        memory.ingest_turn("Our flat costs 900 euros a month.", session_id="s", user_id="ann", created_at=1)
        [summary] = memory.compact("s", force=True, sources="delete").summaries
        assert told.durable_id is not None and "Turku" in memory.get(summary).text
        if how == "forget":
            assert memory.forget(ids=told.durable_id).summaries == (summary,)
        else:
            memory.update(told.durable_id, text="I prefer green tea, and I live in Oulu.")
        assert not any("Turku" in record.text for record in memory.records())
        assert "Turku" not in memory.context("where do I live?", 200, user_id="ann").text


def test_a_copy_whose_turn_stays_leaves_no_summary_behind_and_an_expired_one_leaves_it() -> None:
    memory = Memory()
    told = memory.ingest_turn("I prefer green tea, and I live in Turku.", session_id="s", user_id="ann", created_at=0)
    memory.ingest_turn("Our flat costs 900 euros a month.", session_id="s", user_id="ann", created_at=1)
    [summary] = memory.compact("s", force=True, sources="delete").summaries
    memory.update(told.durable_id, expires_at=10)
    memory.purge(now=20)
    assert memory.get(summary) is not None, "its end is the copy's own"
