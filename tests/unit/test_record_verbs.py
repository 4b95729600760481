"""Records as they are: read by id, listed page by page, counted, exported, changed in the version that was read."""

from __future__ import annotations

import asyncio
import base64
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart import field
from byheart.errors import InvalidArgument, LimitExceeded, RecordNotFound, UnknownField, VersionMismatch
from byheart.memory.page import Order
from byheart.records import Record


@pytest.fixture
def memory() -> byheart.Memory:
    made = byheart.Memory(noise=None)
    made.remember_many(
        [
            {"id": "tea", "text": "three minutes", "user_id": "ann", "importance": 0.5, "tags": ["hot", "drink"]},
            {"id": "ice", "text": "seven weeks", "user_id": "bob", "importance": 0.25, "tags": ["cold"]},
            {
                "id": "soup",
                "text": "an hour",
                "user_id": "ann",
                "links": ["tea", "ice"],
                "metadata": {"room": "kitchen"},
            },
            {"id": "rice", "text": "a quarter", "importance": 0.5, "metadata": {"room": 7}},
            {"id": "vault", "text": "never", "boundary_class": "secret"},
        ]
    )
    return made


def ids(records: list[Record]) -> list[str]:
    return [str(record.id) for record in records]


def test_records_are_read_by_id(memory: byheart.Memory) -> None:
    assert memory.get("tea").text == "three minutes"
    assert [one and one.id for one in memory.get(["rice", "none", "vault", "rice"])] == ["rice", None, None, "rice"]
    assert memory.get(["vault"], boundary={"classes": ["secret"]})[0].text == "never"
    assert memory.get([]) == []
    for id in ("none", "vault"):
        with pytest.raises(RecordNotFound, match=f"no record '{id}' lies inside the boundary"):
            memory.get(id)
    with pytest.raises(InvalidArgument):
        memory.get("")


def test_records_are_listed_as_a_filter_says(memory: byheart.Memory) -> None:
    assert ids(memory.records()) == ["ice", "rice", "soup", "tea"]
    assert ids(memory.records({"user_id": "ann"})) == ["soup", "tea"]
    assert ids(memory.records({"metadata.room": ["kitchen", 7]})) == ["rice", "soup"]
    assert ids(memory.records((field("importance") >= 0.5) & ~field("tags").exists())) == ["rice"]
    assert ids(memory.records({"links": "tea"})) == ["soup"]
    assert ids(memory.records({"user_id": "ann"}, boundary={"classes": ["secret"]})) == []
    with pytest.raises(UnknownField, match="user_id"):
        memory.records({"usr_id": "ann"})


@pytest.mark.parametrize(
    ("order_by", "expected"),
    [
        ("id", ["ice", "rice", "soup", "tea"]),
        ("-id", ["tea", "soup", "rice", "ice"]),
        ("importance", ["ice", "rice", "tea", "soup"]),
        ("-importance", ["rice", "tea", "ice", "soup"]),
        ("user_id", ["soup", "tea", "ice", "rice"]),
        ("-user_id", ["ice", "soup", "tea", "rice"]),
        ("metadata.room", ["rice", "soup", "ice", "tea"]),
        ("-metadata.room", ["soup", "rice", "ice", "tea"]),
    ],
)
def test_records_are_ordered_and_paged(memory: byheart.Memory, order_by: str, expected: list[str]) -> None:
    whole = memory.records(order_by=order_by)
    assert (ids(whole), whole.cursor) == (expected, None)
    for limit in (1, 2, 3, 4):
        found, cursor = [], None
        while True:
            page = memory.records(order_by=order_by, limit=limit, cursor=cursor)
            assert len(page) <= limit
            found += ids(page)
            cursor = page.cursor
            if cursor is None:
                break
            assert len(page) == limit
        assert found == expected


def test_a_cursor_holds_a_place_and_no_number(memory: byheart.Memory) -> None:
    page = memory.records(order_by="-importance", limit=2)
    assert ids(page) == ["rice", "tea"]
    memory.forget(["rice", "tea"])
    memory.remember("before", id="new", importance=0.9)
    memory.remember("after", id="later", importance=0.1)
    assert ids(memory.records(order_by="-importance", cursor=page.cursor)) == ["ice", "later", "soup"]


@pytest.mark.parametrize("cursor", ["", "x", "eA==", "WzFd", "W10=", "é", "bnVsbA=="])
def test_a_cursor_that_is_none_is_refused(memory: byheart.Memory, cursor: str) -> None:
    with pytest.raises(InvalidArgument, match="cursor: is none"):
        memory.records(cursor=cursor)


@pytest.mark.parametrize("part", range(7))
@pytest.mark.parametrize("wrong", [None, True, 7, 7.5, "x", [], {}])
def test_a_cursor_of_which_one_part_is_another_thing_is_refused(memory: byheart.Memory, part: int, wrong: Any) -> None:
    """By what it is told, and not by what comparing it runs into."""
    whole = json.loads(base64.urlsafe_b64decode(memory.records(limit=1).cursor))
    if type(wrong) is type(whole[part]) or (part == 3 and wrong == "x"):
        return
    cursor = base64.urlsafe_b64encode(json.dumps([*whole[:part], wrong, *whole[part + 1 :]]).encode()).decode()
    with pytest.raises(InvalidArgument, match="cursor: is "):
        memory.records(limit=1, cursor=cursor)


def test_an_order_that_is_none_is_refused(memory: byheart.Memory) -> None:
    page = memory.records(limit=1)
    with pytest.raises(InvalidArgument, match="is of the order 'id', and '-id' is asked for"):
        memory.records(order_by="-id", limit=1, cursor=page.cursor)
    with pytest.raises(UnknownField, match="did you mean 'importance'"):
        memory.records(order_by="-importence")
    for name in ("tags", "links", "source_ids"):
        with pytest.raises(InvalidArgument, match="holds lists"):
            memory.records(order_by=name)
    for limit in (0, -1):
        with pytest.raises(InvalidArgument, match="limit"):
            memory.records(limit=limit)
    for name in ("text", "metadata", "metadata.", "-metadata."):
        with pytest.raises(UnknownField):
            Order.parse(name)
    assert Order.parse("metadata.x") == Order("metadata.x")


def test_ids_are_looked_for_and_counted_inside_the_boundary(tmp_path: Path) -> None:
    narrow = {"tenant": "default", "classes": ["public"]}
    with byheart.Memory(tmp_path / "m.db", boundary=narrow) as memory:
        assert memory and len(memory) == 0, "an empty memory is one, too"
        memory.remember("there", id="twice", boundary_class="public")
    with byheart.Memory(tmp_path / "m.db", boundary={"tenant": "default", "classes": ["internal"]}) as memory:
        memory.remember_many([{"id": "a", "text": "tea"}, {"id": "twice", "text": "here"}])
    with byheart.Memory(tmp_path / "m.db") as memory:
        memory.remember("the code", id="s", boundary_class="secret")
        assert len(memory) == memory.count() == 3
        assert ("a" in memory, "twice" in memory, "s" in memory, "b" in memory) == (True, True, False, False)
        for wrong, error in ((memory.get("a"), TypeError), (1, TypeError), (["a"], TypeError), ("", InvalidArgument)):
            with pytest.raises(error, match=r"^id"):
                wrong in memory  # noqa: B015
    with byheart.Memory(tmp_path / "m.db", boundary=narrow) as memory:
        assert (len(memory), "twice" in memory, "a" in memory) == (1, True, False)


def test_records_are_counted(memory: byheart.Memory) -> None:
    assert memory.count() == 4 and memory.count(boundary={"classes": ["secret"]}) == 1
    assert memory.count({"user_id": "ann"}) == 2
    assert memory.count(by="user_id") == {"ann": 2, "bob": 1, None: 1}
    assert memory.count({"user_id": "ann"}, by="tags") == {"drink": 1, "hot": 1, None: 1}
    assert list(memory.count(by="importance").items()) == [(0.25, 1), (0.5, 2), (None, 1)]
    assert list(memory.count(by="metadata.room")) == [7.0, "kitchen", None]
    with pytest.raises(UnknownField, match="by: unknown field"):
        memory.count(by="room")


def test_some_records_are_exported(memory: byheart.Memory, tmp_path: Path) -> None:
    assert memory.export_to(tmp_path / "ann.jsonl", {"user_id": "ann"}) == 2
    assert memory.export_to(tmp_path / "all.jsonl") == 5
    with byheart.Memory() as other:
        assert other.import_from(tmp_path / "ann.jsonl") == 2
        assert other.records() == memory.records({"user_id": "ann"})


def test_a_list_is_forgotten_by_what_it_holds(memory: byheart.Memory) -> None:
    assert memory.forget(where={"links": ["tea"]}, dry_run=True).ids == ("soup",)
    assert memory.forget(where={"tags": ["cold", "hot"]}).ids == ("ice", "tea")
    with pytest.raises(InvalidArgument, match="name at least one field"):
        memory.forget(where={})
    with pytest.raises(LimitExceeded):
        memory.forget(where={"id": ["x"] * 3 + [f"r{n}" for n in range(10_001)]})


def test_a_record_is_remembered_with_the_fields_that_are_named_beside_it() -> None:
    memory = byheart.Memory(noise=None)
    memory.remember(Record(text="three minutes", id="tea", topic="cups", importance=0.5), topic="pots")
    kept = memory.get("tea")
    assert (kept.text, kept.topic, kept.importance) == ("three minutes", "pots", 0.5)


def test_a_record_is_changed_in_the_version_that_was_read(memory: byheart.Memory) -> None:
    version = memory.version("tea")
    assert version == memory.get("tea").version
    memory.update("tea", topic="drinks", if_version=version)
    with pytest.raises(VersionMismatch, match="read it again") as error:
        memory.update("tea", topic="food", if_version=version)
    assert memory.get("tea").topic == "drinks"
    assert (error.value.id, error.value.expected, error.value.stored) == ("tea", version, memory.version("tea"))
    assert str(pickle.loads(pickle.dumps(error.value))) == str(error.value)


def test_the_verbs_are_coroutines_too(memory: byheart.Memory, tmp_path: Path) -> None:
    async def run() -> None:
        assert (await memory.aget("tea")) == memory.get("tea")
        assert (await memory.arecords(limit=1)).cursor == memory.records(limit=1).cursor
        assert (await memory.acount()) == 4
        assert (await memory.aversion("tea")) == memory.version("tea")
        assert (await memory.aexport_to(tmp_path / "x.jsonl", where={"id": "tea"})) == 1
        assert (await memory.aimport_from(tmp_path / "x.jsonl")) == 1

    asyncio.run(run())
