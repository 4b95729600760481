"""Faults of what people write by hand or keep in files: tables of TOML and receipts of the wrong shape are refused by
name, and what is no settings file at all is not read to its end."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byheart import Memory
from byheart.boundary.policy import load_policy
from byheart.errors import ByheartError, InvalidArgument, StoreError
from byheart.evaluation.receipt_replay import replay
from byheart.ingestion.ignoring import Rule
from byheart.memory.settings import Settings
from byheart.profiles.profile import Leg, Profile
from byheart.rules import load_toml
from byheart.validation import bytes_of

DEEP = "[" * 3000 + "]" * 3000
OF_AUTO = "[profiles.a]\nbase = 'auto'\n"
LEG = OF_AUTO + "legs = [{retriever = 'lexical', %s}]\n"
HOSTILE = {
    f"{OF_AUTO}legs = {DEEP}": "too deep",
    f"{OF_AUTO}legs = 'x'": "legs must be a list",
    f"{OF_AUTO}legs = 3": "legs must be a list",
    f"{OF_AUTO}legs = [3]": "leg must be a mapping",
    f"{OF_AUTO}legs = [{{pool = 3}}]": "lacks 'retriever'",
    f"{OF_AUTO}legs = [{{retriever = ['lexical']}}]": "retriever must be str",
    f"{OF_AUTO}stages = 3": "stages must be a list",
    f"{OF_AUTO}stages = [{{stage = 'AbsoluteFusion', floor = 'x'}}]": "AbsoluteFusion",
    f"{OF_AUTO}max_results = 'x'": "max_results must be int",
    f"{OF_AUTO}max_results = 2.5": "max_results must be int",
    f"{OF_AUTO}max_results = 0": "between 1 and 100000",
    f"{OF_AUTO}pool = 100001": "between 1 and 100000",
    f"{OF_AUTO}name = 3": "name must be str",
    f"{OF_AUTO}notes = 'abc'": "notes must be a list",
    f"{OF_AUTO}notes = [1]": "notes must be str",
    f"{OF_AUTO}users = ['x']": "users: ",
    f"{OF_AUTO}set = 3": "set: is 3; give a table",
    f"{OF_AUTO}set = ['a']": "set: is",
    f"{OF_AUTO}set = {{'legs.0.pool' = {DEEP}}}": "too deep",
    LEG % "pool = 'x'": "pool must be int",
    LEG % "within = ['x']": "within: ",
    LEG % "optional = 3": "optional must be bool",
    LEG % "settings = 3": "settings must be a mapping",
    LEG % "when = 'if_fewer'": "lacks 'than'",
    LEG % "when = 'if_fewer', than = 'x'": "than must be int",
    LEG % "when = 'if_fewer', than = -1": "at least 0",
    LEG % "when = ['x']": "when: ",
    "[profiles.a]\nbase = ['hybrid']\nsettings = {a = 1}": "base: is",
    "[profiles.a]\nbase = 'hybrid'\nsettings = 3": "settings: is 3",
    "[recall]\nk = 1.5": "k: is 1.5; give a whole number",
    "[recall]\nk = inf": "k: is Infinity; give a whole number",
    "[recall]\ndeadline = 'x'": "give a number",
    ".".join("a" * 101) + " = 1": "more than 100 parts",
    "k = " + "9" * 5_000: "too many digits",
    "# " + "k" * 262_143: "longer than 262144 bytes",
}


@pytest.mark.parametrize("text", HOSTILE, ids=[f"{number}" for number in range(len(HOSTILE))])
def test_a_file_of_settings_of_a_wrong_shape_is_refused_by_name(tmp_path: Path, text: str):
    file = tmp_path / "byheart.toml"
    file.write_text(text)
    with pytest.raises(InvalidArgument) as told:
        Settings.read(file)
    assert str(file) in str(told.value) and HOSTILE[text] in str(told.value)


@pytest.mark.parametrize(
    "text", ["", "# " + "." * 200, "# " + "k" * 262_142, ".".join("a" * 100) + " = 1", "[recall]\r\nk = 3\r\n"]
)
def test_the_longest_file_and_the_longest_name_are_read(tmp_path: Path, text: str):
    file = tmp_path / "byheart.toml"
    file.write_bytes(text.encode())
    try:
        Settings.read(file)
    except ByheartError as error:
        assert "there is no 'a'" in str(error)  # it was parsed


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no endless device")
def test_what_is_no_file_is_not_read(tmp_path: Path):
    with pytest.raises(InvalidArgument, match="no regular file"):
        Settings.read("/dev/zero")
    os.mkfifo(tmp_path / "byheart.toml")  # nobody writes to it
    with pytest.raises(InvalidArgument, match="no regular file"):
        Settings.read(tmp_path / "byheart.toml")
    with pytest.raises(InvalidArgument, match=r"/dev/zero is no regular file"):
        Memory().import_from("/dev/zero")
    with pytest.raises(InvalidArgument, match="no regular file"):
        load_toml("/dev/zero")
    with pytest.raises(InvalidArgument, match="no regular file"):
        load_policy("/dev/zero")
    with pytest.raises(InvalidArgument, match=r"/dev/zero: is longer than 9 bytes"):
        bytes_of(Path("/dev/zero"), 9, piped=True)


def test_what_comes_out_of_a_pipe_is_read_where_it_may():
    out, into = os.pipe()
    os.write(into, b"[1.0]")
    os.close(into)
    with os.fdopen(out):
        assert bytes_of(Path(f"/dev/fd/{out}"), 5, piped=True) == b"[1.0]"


@pytest.mark.parametrize("given", [None, 3, "x", [], [1], {"legs": "x"}, {"name": "a", "legs": [{}]}])
def test_what_is_no_profile_is_refused(given: Any):
    for kind in (Profile, Leg):
        with pytest.raises((ByheartError, TypeError), match=r"must be|lacks|unknown name"):
            kind.from_dict(given)


# ---- receipts


def _deep() -> list[Any]:
    deep: list[Any] = []
    for _ in range(3000):
        deep = [deep]
    return deep


ODD: list[Any] = [None, 3, -1, 1.5, "x", "", [], {}, [1], {"a": 1}, True, float("nan"), float("inf"), 10**400, [None]]
ODD += [[[]], "a" * 300_000, _deep()]


def _places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to each value in a receipt."""
    yield way
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from _places(value[key], (*way, key))


def test_a_receipt_with_an_odd_value_anywhere_is_replayed_or_refused():
    memory = Memory()
    memory.remember_many(["The cat sat.", "Dogs bark."])
    receipt = memory.recall("cat").receipt.to_dict()
    ways = list(_places(receipt))
    assert len(ways) > 100 and ("hits", 0, 1) in ways and ("settings", "stages", 0, "floor") in ways
    for way in ways:
        for odd in ODD:
            given: Any = copy.deepcopy(receipt) if way else odd
            at = given
            for step in way[:-1]:
                at = at[step]
            if way:
                at[way[-1]] = odd
            try:
                replay(memory, given)
            except ByheartError as error:
                assert str(error), way


# ---- others


def test_a_path_without_a_name_is_refused():
    with pytest.raises(StoreError, match="names no file"):
        Memory("/")


def test_what_is_no_hit_and_no_id_is_in_no_answer():
    memory = Memory()
    memory.remember_many(["The cat sat.", "Dogs bark."])
    found = memory.recall("cat")
    assert found.hits[0] in found and np.array([1, 2]) not in found and None not in found


@pytest.mark.parametrize(
    ("rule", "fits", "not_fits"),
    [
        ("[a--0]", "a0", "-b"),  # from "a" to "-" there is nothing
        ("[a-c]", "abc", "d-"),
        ("[+--]", "+,-", "."),
        ("[z-a]", "z", "am"),
        ("[a-\\c]", "abc", "\\d"),
        ("[a-", "", "a-"),
        ("[a-\\", "", "a-\\"),
        ("[[:digit:]-z]", "5-z", "a"),
        ("[!a-c]", "dz", "abc"),
        ("[a-c-z]", "abc-z", "d"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_a_set_of_letters_holds_what_version_control_says(rule: str, fits: str, not_fits: str):
    made = Rule.parse(rule)
    assert made is not None
    assert [name for name in fits if not made.fits(name, folder=False)] == []
    assert [name for name in not_fits if made.fits(name, folder=False)] == []
