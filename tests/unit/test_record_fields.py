"""Fields that came later: tags, times of validity, what supersedes, who said it; and records without a text."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import InvalidArgument, LimitExceeded
from byheart.records import _CHECKS, DEFAULTS, Record
from byheart.storage.encoding import encode, restore

FULL = {
    "tags": ("tea", "green"),
    "valid_from": 5.0,
    "valid_to": 9.5,
    "superseded_by": "b",
    "speaker": "Ann",
}


def test_they_are_kept_and_come_back(tmp_path: Path) -> None:
    for name in ("memory.db", "memory.jsonl"):
        with byheart.Memory(tmp_path / name, noise=None) as memory:
            memory.remember("more tea", id="b", created_at=1)
            memory.remember("tea", id="a", created_at=1, **FULL)
            record = memory.get("a")
        assert restore(encode(record).encode()) == record
        with byheart.Memory(tmp_path / name) as memory:
            [again] = memory.records({"tags": "green", "valid_to": {">": 9}, "superseded_by": "b", "speaker": "Ann"})
            assert again == record and {name: getattr(again, name) for name in FULL} == FULL
        with byheart.Memory() as other:
            memory = byheart.Memory(tmp_path / name)
            memory.export_to(tmp_path / f"{name}.out.jsonl")
            other.import_from(tmp_path / f"{name}.out.jsonl")
            assert [each for each in other.records() if each.id == "a"] == [record]


def test_names_may_be_camel_case() -> None:
    given = {"text": "x", "validFrom": datetime(2026, 1, 1, tzinfo=UTC), "supersededBy": "b", "tags": ["t"]}
    assert Record.from_dict(given) == Record(text="x", valid_from=1767225600, superseded_by="b", tags=["t"])


LARGE = {
    "role": {"role": "r" * 600},
    "text and claim": {"claim": "b " * 3_000_000},
    "acts": {"utility_acts": [f"{'x' * 1_000_000}{number}" for number in range(12)]},
    "lists": {name: [str(number) for number in range(4_096)] for name in ("links", "entities", "source_ids")},
    "values": {"metadata": {"list": list(range(20_000))}},
    "a long key": {"metadata": {"k" * 5_000: 1, "room": "hall"}},
    "an odd key": {"metadata": {"": 1, "\0": "\0"}},
    "a large number": {"metadata": {"n": 10**400}},
}


@pytest.mark.parametrize("what", LARGE)
def test_what_was_stored_can_be_indexed(tmp_path: Path, what: str) -> None:
    fields: dict[str, Any] = LARGE[what]
    text = "a " * 3_000_000 if what == "text and claim" else "the tea is ready"
    with byheart.Memory(tmp_path / "memory.db") as memory:
        memory.remember("the kettle leaks", id="kettle")
        refused = False
        try:
            memory.remember(text, id="large", **fields)
        except LimitExceeded:
            refused = True
        assert refused == (what in ("role", "text and claim", "acts"))
        assert memory.count() == 2 - refused
        assert [hit.id for hit in memory.recall("kettle")] == ["kettle"]
    with byheart.Memory(tmp_path / "memory.db") as memory:
        assert memory.count() == 2 - refused
        if "metadata" in fields and "room" in fields["metadata"]:
            assert [hit.id for hit in memory.recall("tea", where={"metadata.room": "hall"})] == ["large"]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ({"tags": ["x"] * 3 + [f"t{n}" for n in range(64)]}, LimitExceeded),
        ({"tags": ["x" * 65]}, LimitExceeded),
        ({"tags": [""]}, InvalidArgument),
        ({"tags": ["a\nb"]}, InvalidArgument),
        ({"tags": "tea"}, TypeError),
        ({"tags": [1]}, TypeError),
        ({"valid_from": "March"}, InvalidArgument),
        ({"valid_from": 2, "valid_to": 1}, InvalidArgument),
        ({"superseded_by": ""}, InvalidArgument),
        ({"superseded_by": "x" * 513}, LimitExceeded),
        ({"speaker": 7}, TypeError),
        ({"metadata": {"a": "x" * 1_000_000}}, LimitExceeded),
    ],
)
def test_what_they_cannot_be_is_refused(values: dict[str, Any], kind: type[Exception]) -> None:
    with pytest.raises(kind):
        Record(text="x", **values)


def test_the_same_tag_twice_is_one() -> None:
    assert Record(text="x", tags=["a", "b", "a"]).tags == ("a", "b")


def test_metadata_may_be_large() -> None:
    memory = byheart.Memory()
    memory.remember("a large one", id="a", metadata={"pages": ["x" * 1_000] * 900})
    assert len(memory.get("a").metadata["pages"]) == 900


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ann: hi", "Ann"),
        ("Ann Smith: hi: there", "Ann Smith"),
        ("Ann:hi", None),
        ("https://example.org", None),
        ("12:30 is fine", None),
        (": hi", None),
        ("no name", None),
        ("a\nb: hi", None),
        ("X" * 64 + ": hi", "X" * 64),
        ("X" * 65 + ": hi", None),
        ("Ann Lee Orr: hi", "Ann Lee Orr"),
        ("Ann Lee Orr Bo: hi", None),
        ("redis: connection refused", None),
        ("Feature flags on Windows: off", None),
        ("\u7f8e\u54b2: hi", "\u7f8e\u54b2"),
        ("Ann:", None),
    ],
)
def test_who_said_it_may_stand_before_a_colon(text: str, name: str | None) -> None:
    assert Record(text=text).said_by() == name
    assert Record(text=text, speaker="Bob").said_by() == "Bob"


NO_TEXT: dict[str, dict[str, Any]] = {
    "a title": {"topic": "Kettle"},
    "data": {"metadata": {"room": "kitchen"}},
    "a fact": {"subject": "kettle", "relation": "part_of", "object": "kitchen"},
    "both": {"topic": "Kettle", "metadata": {"room": "kitchen"}},
}


@pytest.mark.parametrize("what", NO_TEXT)
@pytest.mark.parametrize("name", ["memory.db", "memory.jsonl"])
def test_a_record_may_have_no_text(tmp_path: Path, name: str, what: str) -> None:
    with byheart.Memory(tmp_path / name, embedder=HashingEmbedder(32)) as memory:
        memory.remember({"id": "a", **NO_TEXT[what]})
        memory.remember("steep the tea for three minutes", id="b")
        assert memory.get("a").text == ""
    with byheart.Memory(tmp_path / name, embedder=HashingEmbedder(32)) as memory:
        assert memory.check() == [] and memory.get("a").text == ""
        for profile in ("kb-fast", "kb-balanced", "kb-thinkingdb", "dense", "hybrid"):
            found = memory.recall("Kettle", profile=profile, explain=True)
            known = "topic" in NO_TEXT[what] or ("subject" in NO_TEXT[what] and profile == "kb-thinkingdb")
            assert ("a" in [hit.id for hit in found]) == known, profile
        if "topic" in NO_TEXT[what]:
            assert memory.context("Kettle", 50).entries[0].text == "Kettle"
        memory.update("a", text="now it has one")
        assert memory.get("a").text == "now it has one"
        memory.update("a", text="", topic="none again")
        assert memory.get("a").text == ""


def test_a_record_of_nothing_is_refused() -> None:
    for values in ({}, {"tags": ["x"]}, {"speaker": "Ann"}, {"topic": ""}):
        with pytest.raises(InvalidArgument, match="a record needs a text, or at least"):
            Record(**values)


@pytest.mark.parametrize(
    "given",
    [
        {"text": "x", "utility_acts": ["a" * 9_000_000, "b" * 2_000_000]},
        {"text": "x" * 6_000_000, "claim": "y" * 6_000_000},
    ],
)
def test_fields_that_are_searched_as_one_are_limited_as_one(given: dict[str, Any]) -> None:
    with pytest.raises(LimitExceeded, match=r"as it is searched length in bytes: 1\d{7} or more is over the limit"):
        Record(**given)


def test_each_field_has_a_check_and_what_it_is_by_default_passes() -> None:
    """Of a record, the fields that are given are checked: the others are as they would be after it."""
    assert set(_CHECKS) == set(DEFAULTS) and len(DEFAULTS) > 50
    for name, default in DEFAULTS.items():
        assert default is None or _CHECKS[name](name, default) == default, name
    for name, check in _CHECKS.items():
        with pytest.raises((TypeError, InvalidArgument)):
            check(name, object())


def test_a_title_stands_beside_its_text_in_400_characters_at_most() -> None:
    assert Record(topic="x" * 400, text="tea").titled() == "x" * 400
    assert Record(topic=f" {'x' * 399}\n{'y' * 9}", text="tea").titled() == "x" * 399, "no blank at its end"
    assert Record(topic="x" * 401, text="tea").titled() == "x" * 400


def test_uses_are_counted_as_far_as_a_number_has_no_neighbour() -> None:
    memory, most = byheart.Memory(), 2**53 - 1
    for id, count in (("one", most - 1), ("full", most)):
        memory.remember(f"The tea of {id}.", id=id, access_count=count)
    assert memory.touch(["one", "full"], now=5.0) == 2
    assert [memory.get(id).access_count for id in ("one", "full")] == [most, most]


@pytest.mark.parametrize("given", [None, [], "x", 3])
def test_what_is_no_mapping_is_no_record(given: object) -> None:
    with pytest.raises(TypeError, match=f"record: must be read from a mapping, not {type(given).__name__}"):
        Record.from_dict(given)  # type: ignore[arg-type]
