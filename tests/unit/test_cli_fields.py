"""The fields of a record as options: how each is spelled, and what is read from it."""

from __future__ import annotations

import argparse
from dataclasses import fields

import pytest

from byheart.cli.fields import CELL, FIXED, MAPPINGS, UNKEPT, add_fields, as_json, cleared, emptied, fields_of
from byheart.knowledge import ACTS, UNIT_TYPES
from byheart.records import Record

TIMES = (
    "created_at", "updated_at", "expires_at", "accessed_at", "superseded_at", "superseded_from", "superseded_to",
    "seen_at", "valid_from", "valid_to", "recency_anchor", "decayed_at",
)  # fmt: skip
NUMBERS = ("importance", "confidence", "quality", "authority", "decay_rate", "utility")
COUNTS = ("access_count", "seen_count")
LISTS = (
    "contradicts", "supersedes", "near_duplicates", "tags", "entities", "links", "source_ids", "parent_unit_ids",
    "child_unit_ids", "derived_from_unit_ids",
)  # fmt: skip
SHORT = {"utility_acts": "--act", "session_id": "--session", "user_id": "--user", "tags": "--tag"}


@pytest.fixture
def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="byheart", exit_on_error=False)
    add_fields(made, ("text",))
    return made


def option(parser: argparse.ArgumentParser, name: str) -> argparse.Action:
    (found,) = (each for each in parser._actions if each.dest == name)
    return found


def test_fields_that_stand_for_a_place_or_stay_as_they_are() -> None:
    assert CELL == ("tenant", "scope", "boundary_class")
    assert FIXED == ("id", "created_at", "supersedes", "contradicts", "near_duplicates")
    assert (MAPPINGS, UNKEPT) == (("metadata", "provenance"), ("invariant", "revisions"))


def test_each_field_has_one_option_named_after_it(parser: argparse.ArgumentParser) -> None:
    wanted = {spec.name for spec in fields(Record)} - {"text", *UNKEPT}
    assert {each.dest for each in parser._actions} - {"help"} == wanted
    for name in wanted:
        own = "--" + name.replace("_", "-")
        assert option(parser, name).option_strings == ([SHORT[name], own] if name in SHORT else [own])


def test_how_the_value_of_each_field_is_typed(parser: argparse.ArgumentParser) -> None:
    kinds = {**dict.fromkeys(TIMES, "TIME"), **dict.fromkeys(NUMBERS, "NUMBER"), **dict.fromkeys(COUNTS, "N")}
    kinds |= {**dict.fromkeys(MAPPINGS, "KEY=VALUE"), "utility_acts": None, "ku_type": None}
    for spec in fields(Record):
        if spec.name not in ("text", *UNKEPT):
            assert option(parser, spec.name).metavar == kinds.get(spec.name, "TEXT"), spec.name
    assert (option(parser, "utility_acts").choices, option(parser, "ku_type").choices) == (ACTS, UNIT_TYPES)


@pytest.mark.parametrize("name", LISTS)
def test_what_may_be_repeated_is_collected_and_says_so(parser: argparse.ArgumentParser, name: str) -> None:
    own = "--" + name.replace("_", "-")
    assert fields_of(parser.parse_args([own, "a", own, "b"]), parser) == {name: ["a", "b"]}
    assert "may be repeated" in str(option(parser, name).help)


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        (["--created-at", "1970-01-02T00:00Z"], {"created_at": "1970-01-02T00:00Z"}),
        (["--created-at", "86400"], {"created_at": 86400.0}),
        (["--importance", "0.5"], {"importance": 0.5}),
        (["--access-count", "3"], {"access_count": 3}),
        (["--topic", "3"], {"topic": "3"}),
        (["--metadata", "a=3", "--metadata", '{"b": [1]}'], {"metadata": {"a": 3, "b": [1]}}),
        (["--metadata", "a=1.10", "--metadata", "b=null"], {"metadata": {"a": "1.10", "b": None}}),
        (["--provenance", "page=a=b"], {"provenance": {"page": "a=b"}}),
        ([], {}),
    ],
)
def test_only_what_is_given_is_read(parser: argparse.ArgumentParser, typed: list[str], read: dict[str, object]) -> None:
    assert fields_of(parser.parse_args(typed), parser) == read
    assert fields_of(parser.parse_args(typed), parser, without=tuple(read)) == {}


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["--metadata", "{a"], "--metadata: '{a' is no JSON"),
        (["--metadata", "a"], "--metadata: 'a' is neither KEY=VALUE nor an object of JSON"),
        (["--metadata", " =1"], "--metadata: ' =1' names no key; give KEY=VALUE"),
        (["--metadata", "a=1", "--metadata", "a=2"], "'a' is given twice; for several values give a list of JSON"),
    ],
)
def test_what_is_no_mapping_is_one_error(
    parser: argparse.ArgumentParser, typed: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    args = parser.parse_args(typed)
    with pytest.raises(SystemExit):
        fields_of(args, parser)
    assert said in capsys.readouterr().err


def test_what_is_emptied_holds_what_a_new_record_does(
    parser: argparse.ArgumentParser, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ["topic", "session-id", "tags", "metadata", "seen_count"]
    empty = {"topic": None, "session_id": None, "tags": (), "metadata": {}, "seen_count": Record(text="x").seen_count}
    assert emptied(names, parser) == empty
    for name in (*FIXED, *CELL, *UNKEPT, "topc"):
        with pytest.raises(SystemExit):
            emptied([name], parser)
        assert f"--clear: there is no field {name!r}" in capsys.readouterr().err


def test_single_names_are_cleared_of_mappings_alone() -> None:
    assert cleared(["topic", "metadata.a.b", "metadata.c", "provenance.d", "topic.e", "metadata"]) == (
        ["topic", "topic.e", "metadata"],
        {"metadata": ["a.b", "c"], "provenance": ["d"]},
    )


@pytest.mark.parametrize(
    ("typed", "loose", "exact"),
    [("3", 3, 3), ("1.10", 1.1, None), ("01", None, None), ("1e2", 100.0, None), ("NaN", None, None)],
)
def test_a_number_is_exact_only_as_json_would_write_it(typed: str, loose: object, exact: object) -> None:
    assert (as_json(typed), as_json(typed, exact=True)) == (loose, exact)
