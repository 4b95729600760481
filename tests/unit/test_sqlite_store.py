"""The store file: what is put comes back, and what others see of it."""

import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from byheart.errors import (
    InvalidArgument,
)
from byheart.frozen.read_only import ReadOnlyDict
from byheart.storage import Vectors, key_of
from byheart.storage.exchange import export_jsonl, import_jsonl
from byheart.storage.sqlite import SqliteStore

from .store_files import key, keys, record, texts, vector

HEADER = 100  # bytes of SQLite's own, in which it counts its writes


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


# ---- records


def test_what_is_written_is_there_when_the_file_is_opened_again(path: Path) -> None:
    odd = record("b\0ö", "naïve 好 \u2028 line\nbreak \0", topic="T", metadata={"x": [1, 2.5, None]}, entities=["e"],
                 importance=1, created_at=2.5, expires_at=7)  # fmt: skip
    with SqliteStore(path) as store:
        store.write([odd, record("a")], [])
        assert store.get(keys(["b\0ö", "none", "a", "a"])) == [odd, None, record("a"), record("a")]
    with SqliteStore(path) as store:
        assert sorted(store.load(), key=lambda found: str(found.id)) == [record("a"), odd]
        assert store.get(keys(["b\0ö"])) == [odd], "before or after loading"
        assert store.check() == []
    with SqliteStore(path) as store:
        (found,) = store.get(keys(["b\0ö"]))
        assert found is not None
        assert type(found.entities) is tuple
        assert type(found.provenance) is type(store.load()[0].metadata) is ReadOnlyDict


def test_a_change_that_was_read_from_the_file_meanwhile_is_not_taken_in_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with SqliteStore(path) as store:
        store.write([record("a", "old")], [])
        store.load()
        before, take_in, changes = store.sequence(), store._known.take_in, []
        monkeypatch.setattr(store._known, "take_in", changes.append)
        store.write([record("a", "new")], [])
        take_in(changes[0])
        own, kept = store._known.own_since(before), dict(store._known.kept.records)
        assert own is not None and [each.text for each in kept.values()] == ["new"]
        take_in(changes[0])
        assert (store._known.own_since(before), store._known.kept.records) == (own, kept)
        assert texts(store) == {"a": "new"}


def test_a_record_is_replaced_by_its_key_and_removed_by_it(path: Path) -> None:
    with SqliteStore(path) as store:
        store.write([record("a", "old"), record("a", "two", "u"), record("b"), record("c")], [])
        store.write([record("a", "new"), record("d", "1"), record("d", "2")], [key("b"), key("no"), key("c", "u")])
        assert texts(store) == {"a": "two", "c": "some text", "d": "2"} or texts(store)["d"] == "2"
        assert [found and found.text for found in store.get(keys(["a", "b", "c", "d"]))] == [
            "new",
            None,
            "some text",
            "2",
        ]
        store.write([record("a", "put")], [key("a")])
        assert [found and found.text for found in store.get(keys(["a"]))] == ["put"], "removed and put is put"
        assert store.check() == []


def test_many_records_are_read_as_of_one_moment(path: Path) -> None:
    with SqliteStore(path) as store:
        store.write([record(f"r{n}", f"text {n}") for n in range(2_000)], [])
        found = store.get(keys([f"r{n}" for n in range(2_000)]))
        assert [one and one.text for one in found] == [f"text {n}" for n in range(2_000)]


def test_a_write_of_nothing_is_no_change(path: Path) -> None:
    with SqliteStore(path) as store:
        store.write([record("a")], [])
        before = store.sequence()
        store.write([], [])
        store.write([], [key("unknown")])
        store.write([], [], Vectors("m", {key("unknown"): vector(1.0)}))
        assert store.sequence() == before
        assert store.changes(before).keys == frozenset()


def test_a_write_that_fails_within_leaves_nothing(path: Path) -> None:
    with SqliteStore(path) as store:
        store.write([record("a")], [])
        before = store.sequence()
        with pytest.raises(InvalidArgument, match="'a' is not bytes of float32s"):
            store.write([record("b")], [key("a")], Vectors("m", {key("a"): b"", key("b"): b"123"}))
        assert texts(store) == {"a": "some text"}
        assert store.sequence() == before
        assert store.check() == []


def test_ends_are_found_in_order_of_keys(path: Path) -> None:
    with SqliteStore(path) as store:
        store.write([record("b", expires_at=5), record("a", expires_at=5), record("c", expires_at=6), record("d")], [])
        store.write([record("e", expires_at=1), record("f", expires_at=1)], [])
        store.write([record("e")], [key("f")])
        assert store.expired(4.9) == []
        assert store.expired(5.0) == [key("a"), key("b")]
        store.write([], store.expired(5.0))
        assert store.expired(9.0) == [key("c")]
        assert store.check() == []


def test_what_was_read_is_at_hand_until_something_changes(path: Path) -> None:
    with SqliteStore(path) as store, SqliteStore(path) as another:
        another.write([record("a", "old"), record("b")], [])
        store.sequence()
        first = store.get(keys(["a", "b", "none"]))
        assert all(one is two for one, two in zip(first, store.get(keys(["a", "b", "none"])), strict=True))
        another.write([record("a", "new")], [key("b")])
        assert store.get(keys(["a", "b"])) == [record("a", "new"), None]
        assert [one.text for one in store._known.kept.records.values()] == ["new"], "what was erased is not kept"


# ---- vectors


def test_what_was_stored_as_of_a_change_is_not_what_is_stored_now(path: Path) -> None:
    with SqliteStore(path) as store, SqliteStore(path) as other:
        store.write([record("a")], [])
        at = other.keys().sequence
        assert [found.text for found in other.get_as_of(at, [key("a")])] == [record("a").text]
        store.write([replace(record("a"), text="of later")], [])
        assert other.get_as_of(at, [key("a")]) in (None, [record("a")])
        assert other.get_as_of(at, [key("b")]) in (None, [None])
        fresh = SqliteStore(path)
        assert fresh.get_as_of(at, [key("a")]) is None, "nobody has kept it"
        assert fresh.get_as_of(fresh.sequence(), [key("a")])[0].text == "of later"
        fresh.close()


def test_a_record_that_is_put_loses_its_old_vectors(path: Path) -> None:
    with SqliteStore(path) as store:
        both = {key("a"): vector(1.0), key("b"): vector(2.0)}
        store.write([record("a"), record("b")], [], Vectors("m", both))
        store.write([], [], Vectors("n", both))
        store.write([record("a", "new")], [])
        assert store.vectors("m") == store.vectors("n") == [(key("b"), vector(2.0))]
        store.write([record("b", "new")], [], Vectors("n", {key("b"): vector(3.0)}))
        assert (store.vectors("m"), store.vectors("n")) == ([], [(key("b"), vector(3.0))])
        store.write([], [key("b")])
        assert store.vectors("n") == store.vectors("unknown") == []
        assert store.check() == []


def test_adopting_a_model_drops_the_vectors_of_others(path: Path) -> None:
    with SqliteStore(path) as store:
        assert store.model() is None
        store.write([record("a")], [], Vectors("old", {key("a"): vector(1.0)}))
        store.adopt("old")
        store.write([], [], Vectors("new", {key("a"): vector(2.0)}))
        assert store.model() == "old"
        before = store.sequence()
        store.adopt("new")
        assert store.changes(before).keys is None
        store.adopt("new")
        assert store.sequence() == store.changes(before).sequence, "a second time, nothing happens"
    with SqliteStore(path) as store:
        assert store.model() == "new"
        assert (store.vectors("old"), store.vectors("new")) == ([], [(key("a"), vector(2.0))])
        assert store.check() == []


def test_a_vector_of_an_older_text_is_not_kept(path: Path) -> None:
    with SqliteStore(path) as embedding, SqliteStore(path) as writing:
        writing.write([record("a", "old"), record("b")], [])
        read_at = embedding.sequence()
        writing.write([record("a", "new")], [])
        rows = {key("a"): vector(1.0), key("b"): vector(2.0), key("c"): vector(3.0)}
        embedding.write([record("c")], [], Vectors("m", rows, as_of=read_at))
        assert sorted(writing.vectors("m")) == [(key("b"), vector(2.0)), (key("c"), vector(3.0))]


# ---- text


def test_a_store_goes_through_text_and_back(path: Path, tmp_path: Path) -> None:
    with SqliteStore(path) as store, SqliteStore(tmp_path / "other.db") as other:
        store.write(
            [record("b", "naïve \u2028 好", metadata={"x": 1}), record("a", expires_at=3), record("a", "x", "u")], []
        )
        assert export_jsonl(store, tmp_path / "1.jsonl") == 3
        assert import_jsonl(other, tmp_path / "1.jsonl") == 3
        export_jsonl(other, tmp_path / "2.jsonl")
        assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()
        assert sorted(map(repr, store.load())) == sorted(map(repr, other.load()))
        assert not list(tmp_path.glob("*.jsonl.*"))
        with pytest.raises(InvalidArgument, match="exists"):
            export_jsonl(store, tmp_path / "1.jsonl")
        with pytest.raises(InvalidArgument, match="does not exist"):
            import_jsonl(store, tmp_path / "3.jsonl")


# ---- changes


def test_each_store_follows_the_others(path: Path) -> None:
    with SqliteStore(path) as one, SqliteStore(path) as two:
        start = one.sequence()
        two.load()
        one.write([record("a"), record("b"), record("c")], [])
        at = two.sequence()
        assert at == one.sequence() > start
        assert two.changes(start) == one.changes(start)
        assert two.changes(start).keys == {key("a"), key("b"), key("c")}
        one.write([record("b", "new")], [key("a")], Vectors("m", {key("c"): vector(1.0)}))
        assert two.get(keys(["a", "b"])) == [None, record("b", "new")]
        changed = two.changes(at)
        assert changed.keys == {key("a"), key("b"), key("c")}
        assert two.changes(at) == changed, "asked again, answered again"
        assert two.changes(changed.sequence).keys == frozenset()
        assert two.changes(changed.sequence + 1).keys is None, "of the future nothing is known"


def test_of_too_many_removals_the_newer_half_can_be_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("byheart.storage.reading._KEPT", 4)
    with SqliteStore(path) as store:
        store.write([record(name) for name in "abcde"], [])
        before: dict[str, int] = {}
        for name in "abcde":
            before[name] = store.sequence()
            store.write([], [key(name)])
        assert store.changes(before["d"]).keys == {key("d"), key("e")}
        assert store.changes(before["c"]).keys is None


def test_a_removal_that_was_never_seen_cannot_be_named(path: Path) -> None:
    with SqliteStore(path) as one:
        one.write([record("a"), record("b")], [])
        at = one.sequence()
        one.write([], [key("a")])
        with SqliteStore(path) as two:
            assert two.changes(at).keys is None
            one.write([], [key("b")])
            assert two.changes(one.sequence() - 1).keys == {key("b")}
        one.compact()
        assert one.changes(at).keys is None, "nor one before the file was compacted"
        one.write([record("c")], [])
        assert texts(one) == {"c": "some text"}


def test_a_compaction_rewrites_the_file_once(path: Path) -> None:
    ran: list[str] = []
    with SqliteStore(path) as store:
        store.write([record("a"), record("b")], [])
        with store._session.written() as connection:
            connection.set_trace_callback(ran.append)
        store.compact()
        store.write([record("c")], [])
        store.write([], [key("a")])
    assert ran.count("VACUUM") == 1


def test_a_store_follows_past_a_compaction_and_an_older_copy(path: Path, tmp_path: Path) -> None:
    with SqliteStore(path) as one, SqliteStore(path) as two:
        one.write([record("a"), record("b")], [])
        shutil.copy(path, tmp_path / "copy")
        two.load()
        one.write([record("c")], [key("a")])
        one.compact()
        assert texts(two) == {"b": "some text", "c": "some text"}
        assert two.get(keys(["a", "c"])) == [None, record("c")]
    with SqliteStore(path) as two:
        two.load()
        with SqliteStore(tmp_path / "copy") as copy:
            assert copy.sequence() < two.sequence()
        path.write_bytes((tmp_path / "copy").read_bytes())
        two._session.pair.drop_reader()
        assert two.get(keys(["a", "c"])) == [record("a"), None]


class Interrupted:
    """A turn to write whose second taking is interrupted."""

    def __init__(self, turn: Any) -> None:
        self.turn, self.taken = turn, 0

    def acquire(self, timeout: float) -> bool:
        self.taken += 1
        if self.taken == 2:
            raise KeyboardInterrupt
        return bool(self.turn.acquire(timeout=timeout))

    def release(self) -> None:
        self.turn.release()

    def _is_owned(self) -> bool:
        return bool(self.turn._is_owned())


def test_a_signals_handler_that_is_interrupted_leaves_the_turn_to_the_write_below_it(path: Path) -> None:
    with SqliteStore(path) as store:
        session = store._session
        turn = session._writing
        session._writing = Interrupted(turn)
        with session.written():
            with pytest.raises(KeyboardInterrupt), session.written():
                pass
            assert turn._is_owned()
        assert not turn._is_owned()
        session._writing = turn
        store.write([record("a")], [])


def test_what_was_read_is_kept_until_its_row_goes(tmp_path: Path) -> None:
    with_word = [record("a", "amber"), record("b", "bronze"), record("c", "coral")]
    with closing(SqliteStore(tmp_path / "memory.db")) as store, closing(SqliteStore(tmp_path / "memory.db")) as other:
        store.write(with_word, [])
        store.get([key_of(each) for each in with_word])
        assert {each.id for each in store._known.kept.records.values()} == {"a", "b", "c"}
        other.write([record("a", "azure")], [key_of(with_word[1])])
        assert store.get([key_of(with_word[2])]) == [with_word[2]]
        assert {each.text for each in store._known.kept.records.values()} == {"coral"}, "nothing that went"
        assert [each and each.text for each in store.get([key_of(each) for each in with_word])] == [
            "azure",
            None,
            "coral",
        ]
        assert not store.write_if(with_word[:1], [record("d", "denim")], []), "it says something else now"
        assert store.write_if(with_word[2:], [record("d", "denim")], [])
        assert not store.write_if(with_word[1:2], [record("e", "emerald")], []), "it is gone"
