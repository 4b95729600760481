"""The directory of records: what it refuses, and that it refuses it whole."""

import pickle

import pytest

from byheart._core import HypervectorIndex, LexicalIndex, Partition
from byheart.errors import CorruptIndex, InvalidArgument, LimitExceeded, UnsupportedFormat

ALL = ("and", ())


def new(columns=("length",), ordered=("expires_at",)):
    """Return an empty partition: its directory is what is looked at here."""
    return Partition(LexicalIndex(), HypervectorIndex(), columns=list(columns), ordered=list(ordered))


@pytest.fixture
def directory():
    directory = new()
    fields = [{"tags": ["x", "y"]}, {"tags": "y", "length": 3}, {}]
    directory.put(["a", "b", "a"], [""] * 3, fields, ["one", "one", "two"])
    return directory


def test_an_id_may_stand_in_two_cells(directory):
    assert directory.places(directory.rows(ALL)) == [("a", "one"), ("a", "two"), ("b", "one")]
    assert directory.rows(("in", "id", ("a",)), ["two"]) == ["a\x1ftwo"]
    assert "a" in directory
    assert directory.remove(["a"]) == 2
    assert "a" not in directory
    assert repr(directory) == "Partition(1 records)"


def test_a_replacement_says_something_else(directory):
    directory.put(["a"], [""], [{"tags": None, "expires_at": 5.0}], ["one"])

    assert directory.rows(("exists", "tags", True)) == ["b"]
    assert directory.column("expires_at", ["a", "b", "never"], "one") == [5.0, None, None]


@pytest.mark.parametrize(
    ("ids", "fields", "cells", "error"),
    [
        (["c"], [{"length": "long"}], None, InvalidArgument),
        (["c"], [{"length": True}], None, InvalidArgument),
        (["c"], [{"length": [1, 2]}], None, InvalidArgument),
        (["c"], [{"length": float("nan")}], None, InvalidArgument),
        (["c"], [{"score": float("inf")}], None, InvalidArgument),
        (["c"], [{"score": 10**400}], None, InvalidArgument),
        (["c"], [{"id": "d"}], None, InvalidArgument),
        (["c"], [{"": 1}], None, InvalidArgument),
        (["c"], [{"user_id": "\ud800"}], None, InvalidArgument),
        (["c"], [{"tags": list(range(1_000_001))}], None, LimitExceeded),
        (["c"], [{"n" * 4_097: 1}], None, LimitExceeded),
        (["c"], [{"tags": {"a": 1}}], None, TypeError),
        (["c"], [{"tags": [None]}], None, TypeError),
        (["c"], [{1: "a"}], None, TypeError),
        (["c"], ["tags"], None, TypeError),
        (["c"], [], None, InvalidArgument),
        (["c", "c"], [{}, {}], None, InvalidArgument),
        (["c", "d"], [{}, {}], ["one"], InvalidArgument),
        ([""], [{}], None, InvalidArgument),
        (["c"], [{}], "k" * 513, LimitExceeded),
    ],
)
def test_what_is_refused_changes_nothing(directory, ids, fields, cells, error):
    before = directory.to_bytes()

    with pytest.raises(error):
        directory.put(ids, [""] * len(ids), fields, cells)
    assert directory.to_bytes() == before


@pytest.mark.parametrize(
    "form",
    [
        "and",
        (),
        ("and",),
        ("and", ALL, ALL),
        ("or", [ALL]),
        ("not", None),
        ("in", "tags", ["x"]),
        ("in", "tags", (None,)),
        ("in", 3, ("x",)),
        ("range", "tags", 1, True, None),
        ("range", "tags", 1, "yes", None, False),
        ("exists", "tags", 1),
        ("like", "tags", "x"),
        (3, 4),
    ],
)
def test_what_is_no_filter_is_a_type_error(directory, form):
    with pytest.raises(TypeError):
        directory.rows(form)


def test_the_limits_of_a_filter_are_told(directory):
    deep = ALL
    for _ in range(31):
        deep = ("not", deep)
    assert directory.rows(deep) == []
    for form in (("not", deep), ("in", "tags", ("x",) * 10_001), ("or", (ALL,) * 10_000)):
        with pytest.raises(LimitExceeded):
            directory.rows(form)
    endless = ALL
    for _ in range(100_000):
        endless = ("not", endless)
    with pytest.raises(LimitExceeded):
        directory.rows(endless)
    with pytest.raises(InvalidArgument, match="no bound"):
        directory.rows(("range", "tags", None, True, None, True))


def test_columns_are_declared_once(directory):
    for columns, ordered in ((["a", "a"], []), (["a"], ["a"]), ([""], []), ([], ["id"])):
        with pytest.raises(InvalidArgument):
            new(columns, ordered)
    with pytest.raises(InvalidArgument, match="no column"):
        directory.column("tags", ["a"])


def test_damaged_bytes_are_refused(directory):
    good = directory.to_bytes()

    for at in range(len(good)):
        with pytest.raises((CorruptIndex, UnsupportedFormat)):
            Partition.from_bytes(good[:at] + bytes([good[at] ^ 4]) + good[at + 1 :])
    with pytest.raises(TypeError, match="to_bytes"):
        pickle.dumps(directory)
