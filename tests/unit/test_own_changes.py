"""What a store has written itself it knows without reading the file again, and says as another one that reads it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from byheart import Memory
from byheart.storage import InProcessStore, Vectors, key_of
from byheart.storage.connection import _Connection
from byheart.storage.kept import Kept
from byheart.storage.sqlite import SqliteStore

from .store_files import key, keys, record, vector

Write = Callable[[SqliteStore], None]

WRITES: dict[str, Write] = {
    "puts": lambda store: store.write([record("a", "new"), record("d")], []),
    "removes": lambda store: store.write([], [key("a"), key("none")]),
    "puts and removes": lambda store: store.write([record("d")], [key("a"), key("b")]),
    "removes and puts again": lambda store: store.write([record("a", "again")], [key("a")]),
    "keeps vectors": lambda store: store.write([], [], Vectors("m", {key("a"): vector(1.0), key("none"): vector(2.0)})),
    "adopts a model": lambda store: store.adopt("other"),
    "nothing": lambda store: store.write([], []),
}


@pytest.fixture(params=["full", "normal"])
def store(tmp_path: Path, request: pytest.FixtureRequest) -> SqliteStore:
    store = SqliteStore(tmp_path / "memory.db", durability=request.param)
    store.write([record("a"), record("b"), record("c")], [])
    store.adopt("m")
    store.keys()
    return store


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_own_changes_are_those_that_another_store_reads(store: SqliteStore, write: Write) -> None:
    with store, SqliteStore(store.path) as other:
        other.keys()
        since = store.sequence()
        write(store)
        store._delay.settle()
        store.sequence()  # the look after which what was noted is believed
        assert store.changes(since) == other.changes(since)
        ids = keys(["a", "b", "c", "d", "none"])
        assert store.get(ids) == other.get(ids)
        assert store.changes(since - 1).keys == other.changes(since - 1).keys or since == store.sequence()


def test_changes_of_others_are_read(store: SqliteStore) -> None:
    with store, SqliteStore(store.path) as other:
        since = store.sequence()
        store.write([record("a", "mine")], [])
        store._delay.settle()
        other.write([record("b", "theirs")], [])
        assert store.changes(since).keys == {key("a"), key("b")}
        assert [found and found.text for found in store.get(keys(["a", "b"]))] == ["mine", "theirs"]


def test_what_was_put_is_at_hand_until_it_goes(store: SqliteStore) -> None:
    with store:
        store.write([record("a", "put")], [])
        number = store._known.directory.numbers.get(key("a"))  # type: ignore[union-attr]
        assert store._known.kept.records[number or 0].text == "put"
        store.write([], [key("a")])
        assert number not in store._known.kept.records, "what is erased stays nowhere"
        assert store.get([key("a")]) == [None]


def test_a_change_that_is_undone_is_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with SqliteStore(tmp_path / "memory.db") as store:
        store.write([record("a")], [])
        since = store.sequence()
        monkeypatch.setattr(Kept, "keep", lambda *_: pytest.fail("it was not committed"))

        def broken(self: _Connection, statement: str, *values: object) -> object:
            if statement == "COMMIT":
                raise KeyboardInterrupt
            return original(self, statement, *values)

        original = _Connection.execute
        monkeypatch.setattr(_Connection, "execute", broken)
        with pytest.raises(KeyboardInterrupt):
            store.write([record("a", "new")], [])
        monkeypatch.undo()
        assert store.changes(since).keys == frozenset()
        [found] = store.get([key("a")])
        assert found is not None and (key_of(found), found.text) == (key("a"), "some text")


def test_a_record_takes_few_statements(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes a look at the file, microseconds that come on top of what the medium takes."""
    ran: list[str] = []
    original = _Connection.execute

    def counted(self: _Connection, statement: str, *values: object) -> object:
        ran.append(statement)
        return original(self, statement, *values)

    with Memory(tmp_path / "memory.db", noise=None) as memory:
        memory.remember("Steep the tea for three minutes.")
        monkeypatch.setattr(_Connection, "execute", counted)
        memory.remember("Rinse the rice twice.")
    reads = [statement for statement in ran if not statement.startswith("PRAGMA data_version")]
    assert len(reads) <= 8, reads
    assert len(ran) <= 10, ran


def test_what_others_write_right_after_an_own_write_is_seen(tmp_path: Path) -> None:
    with Memory(tmp_path / "memory.db", noise=None) as one, Memory(tmp_path / "memory.db", noise=None) as other:
        for number in range(3):
            one.remember(f"The kettle is in room {number}.", id=f"mine{number}")
            other.remember(f"The teapot is in room {number}.", id=f"theirs{number}")
            assert one.get(f"theirs{number}").text == f"The teapot is in room {number}."
            assert len(one) == len(other) == 2 * number + 2
        other.forget("mine0")
        one.remember("The cup is there.", id="cup")
        assert len(one) == len(other) == 6
        assert one.check() == other.check() == []


def test_own_writes_need_no_look_at_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with SqliteStore(tmp_path / "memory.db") as store, SqliteStore(tmp_path / "memory.db") as other:
        store.write([record("a")], [])
        looked: list[object] = []
        monkeypatch.setattr(SqliteStore, "_look", lambda self, connection: looked.append(connection))
        since = store.sequence()
        store.write([record("b")], [])
        assert store.changes(since).keys == {key("b")} and store.sequence() > since
        assert store.own_changes(since) == store.changes(since)
        assert looked == []
        monkeypatch.undo()
        other.write([record("c")], [])
        assert store.own_changes(since) is not None, "it was the last own one"
        assert store.changes(since).keys == {key("b"), key("c")}
        assert store.own_changes(since - 1) is None


def test_a_store_in_this_process_knows_its_last_change_as_its_own_if_no_other_came() -> None:
    store = InProcessStore()
    since = store.sequence()
    store.write([record("a")], [])
    assert store.own_changes(since) == store.changes(since) and store.changes(since).keys == {key("a")}
    assert store.get_as_of(since + 1, [key("a")]) == store.get([key("a")])
    store.write([record("a", "of another memory")], [])
    assert store.own_changes(since) is None and store.get_as_of(since + 1, [key("a")]) is None
    assert store.own_changes(since + 2) is None, "nothing has come since"


def test_two_memories_of_one_store_in_this_process_see_what_the_other_writes_at_once() -> None:
    store = InProcessStore()
    one, other = Memory(store=store), Memory(store=store)
    write_if = store.write_if

    def amid(*args: Any) -> bool:
        """Write, and have the other memory write, the same record too, before the first one looks."""
        done = write_if(*args)
        if store.write_if is amid:
            store.write_if = write_if
            other.remember("the kettle is blue", id="a")
            other.remember("the spoon is green", id="c")
        return done

    one.remember("the teapot is white", id="b")
    store.write_if = amid
    one.remember("the kettle is red", id="a")
    store.write_if = write_if
    for memory in (one, other):
        assert [hit.id for hit in memory.recall("blue kettle").hits][:1] == ["a"]
        assert memory.get("a").text == "the kettle is blue" and memory.get("c").text == "the spoon is green"
        assert memory.check() == []
