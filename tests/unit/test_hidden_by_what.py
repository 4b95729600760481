"""What hides a record is there, its owner's, and not hidden by it in turn, however the mark came in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from byheart import Memory, Record
from byheart.errors import ByheartError, InvalidArgument
from byheart.storage.exchange import write_jsonl

PLACE: dict[str, Any] = {"tenant": "default", "scope": "project", "boundary_class": "internal", "created_at": 1.0}


@pytest.fixture(params=["in process", "memory.jsonl", "memory.db"])
def memory(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Memory]:
    with Memory(None if request.param == "in process" else tmp_path / request.param) as memory:
        for owner in ("ann", "bob", None):
            memory.remember(f"The tea of {owner}.", id=f"{owner}'s", user_id=owner)
        yield memory


@pytest.fixture
def imported(tmp_path: Path) -> Callable[..., int]:
    """Import records as they are."""

    def into(memory: Memory, *given: dict[str, Any]) -> int:
        (tmp_path / "in.jsonl").unlink(missing_ok=True)
        write_jsonl([Record(**{**PLACE, **each}) for each in given], tmp_path / "in.jsonl")
        return memory.import_from(tmp_path / "in.jsonl")

    return into


MARKS = ("archived_by", "superseded_by")
GIVEN: dict[str, Callable[[Memory, dict[str, Any]], object]] = {
    "remember": lambda memory, given: memory.remember(given),
    "remember_many": lambda memory, given: memory.remember_many([given]),
    "replace_sources": lambda memory, given: memory.replace_sources(
        {"s": [Record(**given, provenance={"source_name": "s"})]}
    ),
    "update": lambda memory, given: memory.update(
        memory.remember({name: value for name, value in given.items() if name not in MARKS}),
        **{name: value for name, value in given.items() if name in MARKS},
    ),
}


@pytest.mark.parametrize("way", [*GIVEN, "import"])
@pytest.mark.parametrize(("owner", "by"), [("ann", "bob's"), ("ann", "None's"), (None, "nobody"), ("ann", "nobody")])
def test_a_record_is_archived_for_what_is_its_owners_alone(
    memory: Memory, imported: Callable[..., int], way: str, owner: str | None, by: str
) -> None:
    given: dict[str, Any] = {"text": "Green tea.", "id": "x", "user_id": owner, "archived_by": by}
    if (way, by) == ("import", "nobody"):
        assert imported(memory, given) == 1 and memory.get("x").archived_by is None, "as if that had been forgotten"
        return
    with pytest.raises(InvalidArgument, match=f"archived_by: .*{by!r}"):
        imported(memory, given) if way == "import" else GIVEN[way](memory, given)
    assert "x" not in memory or memory.get("x").archived_by is None


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("way", [*GIVEN])
@pytest.mark.parametrize("place", [{"user_id": None}, {"scope": "session"}, {"boundary_class": "public"}], ids=str)
def test_both_marks_refuse_what_is_another_users_or_elsewhere(
    memory: Memory, way: str, place: dict[str, Any], mark: str
) -> None:
    given: dict[str, Any] = {"text": "Green tea.", "id": "x", "user_id": "ann", **place, mark: "ann's"}
    with pytest.raises(InvalidArgument, match=f"{mark}: .*ann's"):
        GIVEN[way](memory, given)
    assert "x" not in memory or (memory.get("x").archived_by, memory.get("x").superseded_by) == (None, None)


def test_what_was_compacted_is_exported_and_imported_as_it_is(memory: Memory, tmp_path: Path) -> None:
    for at, (user, text) in enumerate(
        [("ann", "I live in Rome."), (None, "Rome is warm."), ("bob", "Oslo is cold."), (None, "So it is.")], 1
    ):
        memory.ingest_turn(text, session_id="s", user_id=user, id=f"t{at}", created_at=at)
    assert memory.compact("s", force=True, now=9).summaries
    memory.remember("The tea is at three.", id="old", created_at=1)
    memory.remember("The tea is at four.", id="new", created_at=5, supersedes=["old"])
    memory.export_to(tmp_path / "out.jsonl")
    other = Memory()
    assert other.import_from(tmp_path / "out.jsonl") == memory.count() and other.records() == memory.records()
    old = other.get("old")
    assert (old.superseded_by, old.superseded_at, old.superseded_from) == ("new", 5.0, None)


@pytest.mark.parametrize("place", [{}, {"user_id": "bob"}, {"boundary_class": "public"}])
def test_what_comes_as_it_is_is_superseded_by_what_is_there(
    memory: Memory, imported: Callable[..., int], place: dict[str, str]
) -> None:
    marked = {"text": "Green tea.", "id": "x", "superseded_by": "y", "superseded_at": 2.0}
    memory.remember("White tea.", id="y", **place)
    if place:
        with pytest.raises(InvalidArgument, match="superseded_by: 'y'"):
            imported(memory, marked)
    else:
        assert imported(memory, marked) == 1 and memory.get("x").superseded_at == 2.0


def test_a_part_that_was_exported_comes_back_to_where_it_stands_so(
    memory: Memory, imported: Callable[..., int], tmp_path: Path
) -> None:
    memory.remember("A secret tea.", id="y", boundary_class="secret")
    imported(memory, {"text": "Green tea.", "id": "x", "archived_by": "y"})
    memory.export_to(tmp_path / "part.jsonl", where={"id": "x"})
    memory.remember("Black tea.", id="z")
    assert memory.import_from(tmp_path / "part.jsonl") == 1 and memory.get("x").archived_by == "y"
    other = Memory()
    assert other.import_from(tmp_path / "part.jsonl") == 1 and other.get("x").archived_by is None
    for file in filter(Path.is_file, (tmp_path / "memory.jsonl", tmp_path / "memory.db")):
        with Memory(file, boundary={"classes": ["internal"]}) as part:
            assert part.import_from(tmp_path / "part.jsonl") == 1, "who sees a part brings nothing new"


@pytest.mark.parametrize("users", [("ann", "ann"), ("ann", "bob")], ids=str)
def test_what_stood_in_its_place_where_a_file_comes_from_stands_there_no_more(
    memory: Memory, imported: Callable[..., int], tmp_path: Path, users: tuple[str, str]
) -> None:
    memory.remember("The tea is at three.", id="old", topic="tea", created_at=1, user_id="ann")
    memory.remember("The tea is at four.", id="new", created_at=5, user_id="ann", supersedes=["old"])
    memory.export_to(tmp_path / "part.jsonl", where={"topic": "tea"})
    other = Memory()
    assert other.import_from(tmp_path / "part.jsonl") == 1
    old = other.get("old")
    assert (old.superseded_by, old.superseded_at) == (None, None) and [hit.id for hit in other.recall("tea")] == ["old"]
    assert memory.import_from(tmp_path / "part.jsonl") == 1 and memory.get("old").superseded_by == "new"
    later = {"text": "The tea is at five.", "id": "later", "created_at": 7.0, "supersedes": ["old"]}
    third = Memory()
    marked = {"text": "At three.", "id": "old", "user_id": "ann", "superseded_by": "new", "superseded_at": 5.0}
    imported(third, marked, {**later, "user_id": users[1]})
    expected = ("later", 7.0) if users[0] == users[1] else (None, None)
    assert (third.get("old").superseded_by, third.get("old").superseded_at) == expected, "the next one stands there"


RINGS: dict[str, list[dict[str, Any]]] = {
    "alone": [{"superseded_by": 0}],
    "of two": [{"superseded_by": 1}, {"superseded_by": 0}],
    "of three": [{"superseded_by": 1}, {"superseded_by": 2}, {"superseded_by": 0}],
    "archived": [{"archived_by": 1}, {"archived_by": 0}],
    "of both marks": [{"archived_by": 1}, {"superseded_by": 2}, {"archived_by": 0}],
    "by those in whose place they stand": [{"supersedes": 1}, {"supersedes": 2}, {"supersedes": 0}],
    "of what stands there and what is named": [{"supersedes": 1, "superseded_by": 1}, {}],
}


@pytest.mark.parametrize("ring", RINGS)
@pytest.mark.parametrize("way", ["remember_many", "remember", "update", "import", "import of half"])
def test_no_records_hide_each_other_in_a_ring(
    memory: Memory, imported: Callable[..., int], ring: str, way: str
) -> None:
    marks = [{name: f"tea {number}" for name, number in each.items()} for each in RINGS[ring]]
    records: list[dict[str, Any]] = [
        {"text": f"Tea number {number}.", "id": f"tea {number}", "created_at": 1.0} for number in range(len(marks))
    ]
    told = 0
    if way == "remember_many":
        with pytest.raises(ByheartError):
            memory.remember_many([{**record, **mark} for record, mark in zip(records, marks, strict=True)])
        assert "tea 0" not in memory
        return
    if "supersedes" in marks[0] and way != "remember":
        pytest.skip("no way to say it")
    if way.startswith("import"):
        both = [{**record, **mark} for record, mark in zip(records, marks, strict=True)]
        if way == "import of half":  # the first is there already, with what it says
            memory.remember_many(records)
            if len(marks) > 1:
                memory.update("tea 0", **marks[0])
            both = both[1:] or both
        with pytest.raises(InvalidArgument, match="ring of"):
            imported(memory, *both)
        return
    memory.remember_many(records)
    for record, mark in zip(records, marks, strict=True):
        try:
            told_anew = {**record, **mark, "text": f"{record['text']} It is hot."}
            memory.update(record["id"], **mark) if way == "update" else memory.remember(told_anew)
        except InvalidArgument:
            told += 1
    assert {hit.id for hit in memory.recall("tea number").hits} & {record["id"] for record in records}
    assert told or way == "remember", "another text in its place is a new statement, that stands behind nothing"


def test_nothing_but_what_stands_there_says_since_when(memory: Memory) -> None:
    memory = Memory(single_valued=["lives_in"])
    memory.remember("Ann lives in Rome.", id="rome", created_at=1, superseded_at=5, superseded_from=2, superseded_to=3)
    old = memory.get("rome")
    assert (old.superseded_at, old.superseded_from, old.superseded_to) == (None, None, None)
    assert memory.remember("Ann lives in Oslo.", created_at=2, receipt=True).superseded == ("rome",)


HOME: dict[str, dict[str, Any]] = {
    "kiel": {"text": "I live in Kiel.", "created_at": 3}, "oslo": {"text": "I live in Oslo.", "created_at": 2},
    "rome": {"text": "I live in Rome.", "created_at": 1, "supersedes": ["kiel"]},
}  # fmt: skip
CLOSING: dict[str, Callable[[Memory], object]] = {
    "remember": lambda memory: [memory.remember({"id": id, **HOME[id]}) for id in ("kiel", "rome", "oslo")],
    "remember_many": lambda memory: memory.remember_many([{"id": id, **HOME[id]} for id in ("kiel", "rome", "oslo")]),
    "upsert": lambda memory: [
        *(memory.remember({"id": id, **HOME[id]}) for id in ("kiel", "rome")),
        memory.upsert("I live in Oslo.", provenance={"at": 2}, boundary_class="internal", now=2),
    ],
    "another text under its id": lambda memory: [
        memory.remember({"id": id, **HOME[id], **more})
        for id, more in [("kiel", {}), ("rome", {"text": "Rome it is."}), ("oslo", {}), ("rome", {})]
    ],
    "update": lambda memory: [
        *(memory.remember({"id": id, **HOME[id], "text": f"{id}, so it is."}) for id in ("kiel", "rome", "oslo")),
        *(memory.update(id, text=HOME[id]["text"]) for id in ("oslo", "kiel", "rome")),
    ],
    "update of what is hidden": lambda memory: [
        memory.remember({"id": "kiel", **HOME["kiel"], "text": "Kiel it is."}),
        *(memory.remember({"id": id, **HOME[id]}) for id in ("rome", "oslo")),
        memory.update("kiel", text=HOME["kiel"]["text"]),
    ],
    "archived": lambda memory: [
        memory.remember("I live in Kiel.", id="kiel", created_at=3),
        memory.remember("Rome it is.", id="rome", created_at=1),
        memory.update("kiel", archived_by="rome"),
        memory.update("rome", text="I live in Rome."),
        memory.remember({"id": "oslo", **HOME["oslo"]}),
    ],
}  # fmt: skip


@pytest.fixture(params=["in process", "memory.jsonl", "memory.db"])
def homes(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Memory]:
    file = None if request.param == "in process" else tmp_path / request.param
    with Memory(file, single_valued=["lives_in"]) as memory:
        yield memory


@pytest.mark.parametrize("way", CLOSING)
def test_no_fact_closes_a_ring_by_its_time(homes: Memory, way: str, tmp_path: Path) -> None:
    CLOSING[way](homes)
    standing = [record.id for record in homes.records() if record.superseded_by is None and record.archived_by is None]
    assert len(standing) == 1 and [hit.id for hit in homes.recall("where do I live?")] == standing
    homes.export_to(tmp_path / "out.jsonl")
    assert Memory().import_from(tmp_path / "out.jsonl") == 3


@pytest.mark.parametrize("change", [{"text": "The kettle leaks."}, {"user_id": "bob"}])
def test_what_closed_no_ring_stands_by_its_time_once_there_is_none(homes: Memory, change: dict[str, Any]) -> None:
    CLOSING["remember"](homes)
    assert (homes.get("rome").superseded_by, homes.get("oslo").superseded_by) == (None, "kiel")
    homes.update("kiel", **change)
    both = {id: homes.get(id).superseded_by for id in ("rome", "oslo")}
    assert list(both.values()).count(None) == 1, both
