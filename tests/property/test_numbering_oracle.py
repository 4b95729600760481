"""The numbers of keys, against a dictionary; and vectors that are read in parts, against the rows of their model."""

import sqlite3
from array import array
from collections.abc import Iterator
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

import byheart
from byheart._core import Numbering
from byheart.errors import LimitExceeded
from byheart.index.ahead import Ahead
from byheart.index.comparing import journal_of, missing_of
from byheart.storage import JOURNAL, Key
from byheart.storage.numbering import NumberedKeys, part_of
from byheart.storage.rows import EMPTY, total

NAMES = st.sampled_from(("", "a", "aa", "ab", ":", "1:a", "é\x00", "\x1f", "b\x1fc"))
KEYS = st.builds(Key, NAMES, NAMES, NAMES, st.sampled_from(("x", "y", "xy", "\x00")))
NUMBERS = st.integers(-(2**63), 2**63 - 1)


@given(st.lists(st.tuples(st.booleans(), KEYS, NUMBERS), max_size=60), st.lists(NUMBERS, max_size=5))
def test_the_numbering_agrees_with_a_dictionary(steps: list[tuple[bool, Key, int]], others: list[int]) -> None:
    numbering, held = Numbering(), dict[Key, int]()
    before, kept = numbering.copy(), dict(held)
    for place, (puts, key, number) in enumerate(steps):
        if place == len(steps) // 2:
            before, kept = numbering.copy(), dict(held)
        if puts:
            assert numbering.put(key, number) == held.get(key)
            held[key] = number
        else:
            assert numbering.take(key) == held.pop(key, None)
        assert numbering.get(key) == held.get(key)
    for found, expected in ((numbering, held), (before, kept)):  # what was copied stays as it was
        assert len(found) == len(expected) <= found.places
        assert {Key(*key): number for key, number in found.items()} == expected
        keys = NumberedKeys(found)
        assert keys == expected.keys() and keys - {next(iter(expected), None)} == set(list(expected)[1:])
        for tenant in {key.tenant for key in expected} | {"nobody"}:
            assert keys.of_tenant(tenant) == {key for key in expected if key.tenant == tenant}
        named = found.named([*others, *expected.values()])
        assert named.keys() == set(expected.values())
        assert all(expected[Key(*key)] == number for number, key in named.items())


@given(st.dictionaries(KEYS, st.tuples(NUMBERS, st.binary(min_size=16, max_size=16)), max_size=20))
def test_rows_are_learnt_with_the_sum_of_their_checksums(rows: dict[Key, tuple[int, bytes]]) -> None:
    numbering = Numbering()
    asked = [(number, *(name.encode() for name in key), checksum) for key, (number, checksum) in rows.items()]
    assert numbering.learn(iter(asked)) == (len(asked), total([checksum for _, checksum in rows.values()]))
    assert {Key(*key): number for key, number in numbering.items()} == {key: row[0] for key, row in rows.items()}


NOT_TEXT = (1, b"t", b"s", b"c", b"\xff", bytes(16))
NO_CHECKSUM = (1, b"t", b"s", b"c", b"x", b"short")
NOT_BYTES = (1, b"t", 2, b"c", b"x", bytes(16))


@pytest.mark.parametrize("row", [NOT_TEXT, NO_CHECKSUM, NOT_BYTES, (1,)])
def test_a_row_that_is_none_is_refused(row: tuple[object, ...]) -> None:
    numbering = Numbering()
    with pytest.raises((byheart.ByheartError, TypeError, ValueError)):
        numbering.learn([(1, b"t", b"s", b"c", b"x", bytes(16)), row])
    assert len(numbering) == 0  # nor is anything that came before it


def test_rows_that_fail_as_they_are_read_are_told_of_and_none_is_learnt() -> None:
    def rows() -> Iterator[tuple[int, bytes, bytes, bytes, bytes, bytes]]:
        yield 1, b"t", b"s", b"c", b"x", bytes(16)
        assert len(numbering) == 0  # others are not kept waiting meanwhile
        raise sqlite3.DatabaseError("database disk image is malformed")

    numbering = Numbering()
    with pytest.raises(sqlite3.DatabaseError, match="malformed"):
        numbering.learn(rows())
    assert len(numbering) == 0


def test_what_is_no_key_has_no_number_and_names_that_are_too_long_get_none() -> None:
    numbering = Numbering()
    for key in ("abc", ("a", "b", "c"), ("a", "b", "c", 4), ("a", "b", "c", "\ud800"), None):
        assert numbering.get(key) is None and key not in numbering and numbering.take(key) is None
    with pytest.raises(LimitExceeded):
        numbering.put(Key("t", "s", "c", "x" * 60_000), 1)
    assert len(numbering) == 0


@given(st.sets(st.sampled_from([Key(t, "project", "internal", id) for t in ("a", "b", JOURNAL) for id in "xyz"])))
def test_what_is_missing_is_the_same_of_numbered_keys(stored: set[Key]) -> None:
    memory = byheart.Memory()
    for tenant in ("a", "b"):
        memory.remember("red fox", id="x", tenant=tenant)
    partitions = {tenant: memory._engine.indexes[tenant] for tenant in ("a", "b")}
    numbering = Numbering()
    for number, key in enumerate(stored):
        numbering.put(key, number)
    for some in (partitions, {"a": partitions["a"]}, {}):
        assert missing_of(some, NumberedKeys(numbering)) == missing_of(some, frozenset(stored))
    assert journal_of(NumberedKeys(numbering)) == journal_of(frozenset(stored))


VECTORS = st.one_of(
    st.binary(min_size=8, max_size=8), st.sampled_from((bytes(8), bytes(12), b"\xff" * 8, None, 7, "text"))
)


@given(st.lists(st.tuples(st.sampled_from((1, 2)), st.integers(0, 9), VECTORS, st.booleans()), max_size=30))
def test_vectors_come_in_parts_as_the_rows_of_their_model(rows: list[tuple[int, int, object, bool]]) -> None:
    connection = sqlite3.connect(":memory:")
    connection.text_factory = bytes
    connection.execute("CREATE TABLE claim_vectors (number INTEGER PRIMARY KEY, claim, model, embedding, checksum)")
    filled = rows * 2
    for number, (model, claim, embedding, blank) in enumerate(filled, start=1):
        values = (number, claim, model, embedding, EMPTY if blank else b"c" * 16)
        connection.execute("INSERT INTO claim_vectors VALUES (?, ?, ?, ?, ?)", values)
    found: list[tuple[object, ...]] = []
    last: int | None = 0
    with patch("byheart.storage.numbering._PART", 7):  # fewer than there are
        while last is not None:
            part = list(part_of(connection, 1, last))
            assert len(part) <= 7
            found += part
            last = part[-1][0] if part else None
    numbered = enumerate(filled, start=1)
    assert [(number, claim) for number, claim, _ in found] == [
        (number, claim) for number, (model, claim, _, blank) in numbered if model == 1 and not blank
    ]


def test_vectors_that_are_none_are_passed_over() -> None:
    memory = byheart.Memory(vectors="own:2")
    memory.remember_many([{"id": id, "text": f"tea {id}", "vector": [1.0, 0.0]} for id in "abcde"])
    partition, numbering = memory._engine.indexes["default"], Numbering()
    for number, id in enumerate("abcde", start=1):
        numbering.put(("default", "project", "internal", id), number)
    waiting = memory._engine.new_partition()
    waiting.restore(dict(partition.sections(vectors=False)))
    good = array("f", [1.0, 0.0]).tobytes()
    odd = [(3, 2, b"\xff" * 8), (4, 3, None), (5, 4, b"text"), (6, "5", good), (7, 9, good), (8, 2), (9, 2**70, good)]
    awaiting = numbering.awaiting({"default": waiting.core})
    assert awaiting.bring(iter([(1, 1, good), *odd])) == 9 and awaiting.bring([]) is None
    assert sorted(id for id, _ in waiting.wait_no_longer()) == ["b", "c", "d", "e"]


def test_what_fails_in_work_that_goes_ahead_is_told() -> None:
    with pytest.raises(ZeroDivisionError):
        Ahead(lambda: 1 / 0).result()


def test_without_threads_it_is_done_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(thread: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("byheart.index.ahead.Thread.start", none)
    assert Ahead(lambda: 42).result() == 42


def test_many_vectors_come_in_any_order_and_those_that_came_before_an_error_stay() -> None:
    memory, numbering, width = byheart.Memory(vectors="own:4096"), Numbering(), 4_096
    for tenant in "ab":
        for n in range(9):
            memory.remember(f"tea {n}", id=f"r{n}", tenant=tenant, vector=[1.0 + n] + [0.5] * (width - 1))
    partitions = {tenant: memory._engine.indexes[tenant] for tenant in "ab"}
    waiting = {tenant: memory._engine.new_partition() for tenant in "ab"}
    rows = []
    for tenant, partition in partitions.items():
        waiting[tenant].restore(dict(partition.sections(vectors=False)))
        for name in partition.rows():
            [vector] = partition.vectors([name])
            assert vector is not None
            numbering.put((tenant, "project", "internal", name), 100 - len(rows))
            rows.append((len(rows), 100 - len(rows), vector.tobytes()))
    rows = rows[::2] + rows[1::2]

    def broken() -> Iterator[tuple[int, int, bytes]]:
        yield from rows[:12]
        raise sqlite3.DatabaseError("database disk image is malformed")

    awaiting = numbering.awaiting({tenant: partition.core for tenant, partition in waiting.items()})
    with pytest.raises(sqlite3.DatabaseError, match="malformed"):
        awaiting.bring(broken())
    assert awaiting.bring(rows[8:]) == rows[-1][0]  # some of them for the second time
    for tenant, partition in waiting.items():
        assert list(partition.wait_no_longer()) == []
        names = partition.rows()
        for found, held in zip(partition.vectors(names), partitions[tenant].vectors(names), strict=True):
            assert found is not None and held is not None and found.tobytes() == held.tobytes()
