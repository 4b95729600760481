"""A turn and its durable copy are superseded together, whichever is named, and come back together."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byheart import Memory
from byheart.conversation.turn_names import durable_id
from byheart.errors import InvalidArgument, RecordNotFound

from ..counts import examples

OLD, NEW = "My locker code is 4417.", "Locker code of Ann is 9902."
COPY = durable_id("t")
BOTH = pytest.mark.parametrize("named", ["t", COPY])


@pytest.fixture(params=["in process", "memory.jsonl", "memory.db"])
def memory(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Memory]:
    with Memory(None if request.param == "in process" else tmp_path / request.param) as memory:
        memory.ingest_turn(OLD, session_id="s", user_id="ann", id="t", created_at=1)
        memory.ingest_turn("My office is in room 12.", session_id="s", user_id="ann", id="u", created_at=1.5)
        assert COPY in memory
        yield memory


def say(memory: Memory, *named: str) -> tuple[str, ...]:
    return memory.remember(NEW, id="n", user_id="ann", supersedes=named, created_at=2, receipt=True).superseded


def found(memory: Memory, **asked: object) -> list[str]:
    hits = memory.recall("locker code", user_id="ann", **{"now": 99, **asked})  # type: ignore[arg-type]
    return [hit.text for hit in hits if "ocker" in hit.text]


@BOTH
def test_what_is_superseded_takes_copy_or_turn_along(memory: Memory, named: str) -> None:
    assert set(say(memory, named)) == {"t", COPY}
    assert found(memory) == [NEW]
    assert set(memory.get("n").supersedes) == {"t", COPY}
    assert {memory.get(id).superseded_by for id in ("t", COPY)} == {"n"}
    assert found(memory, as_of=1.7) == [OLD]
    assert found(memory, include_superseded=True)[0] == NEW and OLD in found(memory, include_superseded=True)
    for id in ("t", COPY):
        assert [(each.at, each.what, each.by) for each in memory.history(id)][-1] == (2.0, "superseded", "n")
    assert found(memory, profile="scoped", session_id="s") == [NEW]
    assert memory.check() == []


@BOTH
def test_both_come_back_once_it_is_forgotten(memory: Memory, named: str) -> None:
    before = [record.to_dict() for record in memory.records()]
    say(memory, named)
    memory.forget("n")
    assert [record.to_dict() for record in memory.records()] == before


@BOTH
@pytest.mark.parametrize("first", [True, False])
def test_after_a_compaction_neither_is_told(memory: Memory, named: str, first: bool) -> None:
    for step in ("compact", "say") if first else ("say", "compact"):
        if step == "say":
            say(memory, named)
        else:
            memory.compact("s", force=True, now=3)
    assert found(memory)[0] == NEW and OLD not in found(memory)


def test_what_else_a_summary_stood_for_is_found_again(memory: Memory) -> None:
    [summary] = memory.compact("s", force=True, now=3).summaries
    say(memory, "t")
    assert summary not in memory
    assert {id: memory.get(id).archived_by for id in ("t", "u")} == {"t": None, "u": None}
    memory.forget("n")
    assert found(memory) and memory.check() == []


@BOTH
def test_an_update_says_so_of_both(memory: Memory, named: str) -> None:
    memory.remember(NEW, id="n", user_id="ann", created_at=2)
    memory.update(named, superseded_by="n", updated_at=5)
    assert found(memory) == [NEW] and set(memory.get("n").supersedes) == {"t", COPY}
    assert {memory.get(id).superseded_at for id in ("t", COPY)} == {5.0}
    assert OLD in found(memory, as_of=4)
    memory.update(named, superseded_by=None)
    assert OLD in found(memory) and memory.get("n").supersedes == ()
    assert {memory.get(id).superseded_by for id in ("t", COPY)} == {None}


def test_another_statement_under_the_id_of_a_turn_frees_both(memory: Memory) -> None:
    say(memory, "t")
    memory.remember("My locker is blue.", id="t", kind="turn", session_id="s", user_id="ann", created_at=3)
    assert {memory.get(id).superseded_by for id in ("t", COPY)} == {None}
    assert memory.get("n").supersedes == ()
    assert memory.check() == []


def test_records_that_come_in_one_call_are_taken_along(memory: Memory) -> None:
    lines = [record.to_dict() for record in memory.records() if record.id in ("t", COPY)]
    other = Memory()
    new = {"text": NEW, "id": "n", "user_id": "ann", "supersedes": ["t"], "created_at": 2}
    other.remember_many([*lines, new])
    assert found(other) == [NEW]
    again = Memory()
    again.remember_many([new, *lines])
    assert found(again) == [NEW]


@pytest.mark.parametrize("text", [OLD, "My locker is blue."])
def test_a_copy_that_is_made_later_stands_as_its_turn_does(text: str) -> None:
    memory = Memory()
    said = {"session_id": "s", "user_id": "ann", "id": "t", "created_at": 1}
    memory.ingest_turn(OLD, durable="none", **said)
    say(memory, "t")
    memory.remember("My locker was given up.", id="o", user_id="ann", supersedes="t", created_at=3)
    memory.ingest_turn(text, durable="all", **said)
    by = "n" if text == OLD else None
    assert {memory.get(id).superseded_by for id in ("t", COPY)} == {by}
    for id in ("n", "o"):
        memory.forget(id)
        by = "o" if id == "n" and text == OLD else None
        assert {memory.get(id).superseded_by for id in ("t", COPY)} == {by}


def test_a_copy_of_another_user_or_cell_stays(memory: Memory) -> None:
    memory.update(COPY, scope="elsewhere")
    say(memory, "t")
    assert memory.get(COPY).superseded_by is None
    memory.forget("n")
    memory.update(COPY, scope="project", user_id="bob")
    say(memory, "t")
    assert memory.get(COPY).superseded_by is None and memory.get("t").superseded_by == "n"


DURABLE = st.sampled_from(["all", "all", "none"])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("say"), st.sampled_from(["n", "o"]), st.sampled_from(["t", COPY, "n", "o"])),
        st.tuples(st.just("name"), st.sampled_from(["t", COPY]), st.sampled_from(["n", "o", None])),
        st.tuples(st.just("turn"), st.sampled_from([OLD, "My locker is blue."]), DURABLE),
        st.tuples(st.just("forget"), st.sampled_from(["n", "o"])),
        st.tuples(st.just("compact")),
    ),
    max_size=6,
)


@settings(max_examples=examples(400))
@given(STEPS)
def test_whatever_happens_both_stand_alike(steps: list[tuple[str | None, ...]]) -> None:
    memory = Memory(noise=None)
    for at, (what, *how) in enumerate([("turn", OLD, "all"), *steps], 1):
        try:
            if what == "say":
                text = f"{how[0]}: my code is {at}"
                memory.remember(text, id=how[0], user_id="ann", supersedes=how[1] or "", created_at=at)
            elif what == "name":
                memory.update(how[0] or "", superseded_by=how[1], updated_at=at)
            elif what == "turn":
                memory.ingest_turn(how[0] or "", session_id="s", user_id="ann", id="t", created_at=at, durable=how[1])
            elif what == "forget":
                memory.forget(how[0] or "")
            else:
                memory.compact("s", force=True, now=at)
        except (InvalidArgument, RecordNotFound):
            pass
        turn, copy = memory.get("t"), memory.get([COPY])[0]
        if copy is None:
            continue
        for name in ("superseded_by", "superseded_at", "superseded_from", "superseded_to"):
            assert getattr(turn, name) == getattr(copy, name)
        assert memory.check() == []
