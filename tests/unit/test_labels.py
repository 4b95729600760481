"""What a caller gives beside a request: ids and names are texts, and what cannot be kept harms nobody else's write."""

from __future__ import annotations

import threading
import uuid
from decimal import Decimal

import numpy as np
import pytest

import byheart
from byheart.errors import ByheartError, InvalidArgument
from byheart.storage import InProcessStore, Key, Write, key_of
from byheart.storage.jsonl import JsonlStore
from byheart.storage.sqlite import SqliteStore

NO_LABELS = [uuid.UUID(int=1), b"a", object(), {1}, 5, float("nan"), {1: "x"}, ["a"], 10**5000, "\ud800", "x" * 4097]


def _memory(tmp_path, kind):
    memory = byheart.Memory() if kind is None else byheart.Memory(tmp_path / f"m.{kind}")
    memory.remember("The kettle is hot.", id="t", created_at=0)
    return memory


@pytest.mark.parametrize("kind", [None, "db", "jsonl"])
@pytest.mark.parametrize("value", NO_LABELS, ids=lambda value: type(value).__name__)
def test_a_label_is_a_short_text_for_every_verb_and_in_every_store(tmp_path, kind, value):
    with _memory(tmp_path, kind) as memory:
        for name in ("request_id", "trace_id"):
            for call in (
                lambda label: memory.feedback("t", "helpful", now=1, **label),
                lambda label: memory.activate("kettle", now=1, **label),
                lambda label: memory.search("kettle", now=1, **label),
                lambda label: memory.observe("chat", "hello", now=1, **label),
                lambda label: memory.upsert(
                    "Ann drinks tea.", provenance={"at": 0}, boundary_class="internal", now=1, **label
                ),
            ):
                with pytest.raises((TypeError, ByheartError), match=name):
                    call({name: value})
        for call in (lambda: memory.activate("kettle", actor=value), lambda: memory.observe("chat", "x", actor=value)):
            with pytest.raises((TypeError, ByheartError), match="actor"):
                call()
        assert not len(memory.events()) and memory.get("t").utility is None
        assert memory.recall("kettle").hits[0].id == "t"


@pytest.mark.parametrize("score", [np.int64(1), np.float32(0.5), 1, -1.0])
def test_a_score_is_a_number_of_any_kind(score):
    memory = byheart.Memory()
    memory.remember("The kettle is hot.", id="t")
    assert memory.feedback("t", "helpful", score=score, now=1).new and memory.get("t").utility == 0.1


@pytest.mark.parametrize("score", [Decimal(1), True, "1", float("nan"), 1.5, np.array([1.0, 2.0])], ids=repr)
def test_a_score_that_is_no_number_of_the_range_is_refused(score):
    memory = byheart.Memory()
    memory.remember("The kettle is hot.", id="t")
    with pytest.raises((TypeError, InvalidArgument), match="score"):
        memory.feedback("t", "helpful", score=score, now=1)
    assert memory.get("t").utility is None


def _unsayable(record):
    return record.completed(ku_type=object(), id="bad")  # no verb lets it through; a store is given it all the same


def test_a_record_that_json_cannot_say_is_refused_once_in_process():
    store = InProcessStore()
    memory = byheart.Memory(store=store)
    memory.remember("The kettle is hot.", id="t")
    record = memory.get("t")
    with pytest.raises(InvalidArgument, match="record 'bad': holds what JSON cannot say"):
        store.write([_unsayable(record)], [])
    assert memory.get("t") == record and [each.id for each in store.load()] == ["t"]


@pytest.mark.parametrize("made", [SqliteStore, JsonlStore])
def test_of_several_writes_only_that_one_fails_which_json_cannot_say(tmp_path, made):
    with byheart.Memory() as memory:
        memory.remember("The kettle is hot.", id="t")
        good = memory.get("t")
    store = made(tmp_path / "m")
    outcomes = store.write_each([Write(put=[good]), Write(put=[_unsayable(good)]), Write(put=[good.completed(id="u")])])
    assert outcomes[0] is True and isinstance(outcomes[1], InvalidArgument) and outcomes[2] is True
    assert sorted(each.id for each in store.load()) == ["t", "u"]
    store.close()


def test_nobody_elses_write_fails_of_a_label(tmp_path):
    with _memory(tmp_path, "db") as memory:
        failed = []

        def write(number):
            for at in range(8):
                try:
                    memory.remember(f"note {number} {at}")
                except Exception as error:
                    failed.append(error)

        threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
        for each in threads:
            each.start()
        for at in range(8):
            with pytest.raises(TypeError):
                memory.feedback("t", "helpful", request_id=object(), now=at * 100)
        for each in threads:
            each.join()
        assert not failed and memory.count() == 33


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda memory: memory.replace_sources([]), "sources must be a mapping"),
        (lambda memory: memory.replace_sources({"a": ["x"]}), "records must be Record"),
        (lambda memory: memory.ingest_turn("I like tea", session_id="x", metadata="ab"), "metadata must be a mapping"),
        (lambda memory: memory.validate("x", values=True), "values must be a mapping"),
        (lambda memory: memory.recall_many(["k"], vectors=5), "vectors must be a list"),
        (
            lambda memory: memory.upsert("x y", provenance={"a": 1}, boundary_class="internal", kind=False),
            "kind must be str",
        ),
    ],
)
def test_what_is_no_mapping_or_list_is_told_so(call, says):
    memory = byheart.Memory()
    with pytest.raises(TypeError, match=says):
        call(memory)
    assert memory.count() == 0


def test_records_are_packed_one_after_the_other(monkeypatch):
    """Who packs numbers the shapes of records: two handles that did so at once would give one number to two shapes."""
    store, free = InProcessStore(), []
    packed = store._records.packed

    def look():
        free.append(store._turn.acquire(blocking=False))
        if free[-1]:
            store._turn.release()

    def looked_at(record):
        other = threading.Thread(target=look)
        other.start()
        other.join()
        return packed(record)

    monkeypatch.setattr(store._records, "packed", looked_at)
    with byheart.Memory() as memory:
        memory.remember("The kettle is hot.", id="t")
        store.write([memory.get("t")], [])
    assert free == [False]


def test_a_write_that_json_cannot_say_fails_alone_though_another_process_wrote(tmp_path):
    path = tmp_path / "m.jsonl"
    with byheart.Memory(path) as memory:
        memory.remember("The kettle is hot.", id="t")
        good = memory.get("t")
    store = JsonlStore(path)
    with byheart.Memory(path) as other:
        other.remember("The bath leaks.", id="b")
    outcomes = store.write_each([Write(put=[good.completed(id="u")]), Write(put=[_unsayable(good)])])
    assert outcomes[0] is True and isinstance(outcomes[1], InvalidArgument)
    assert sorted(key.id for key in map(key_of, JsonlStore(path).load())) == ["b", "t", "u"]
    store.close()


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("active_context_id", lambda memory, value: memory.feedback("t", "helpful", active_context_id=value)),
        ("duplicate_of", lambda memory, value: memory.feedback("t", "duplicate", duplicate_of=value)),
        ("source_id", lambda memory, value: memory.observe("chat", "x", source_id=value)),
        (
            "observation_id",
            lambda memory, value: memory.upsert(
                "x y", provenance={"at": 1}, boundary_class="internal", observation_id=value
            ),
        ),
        ("approver", lambda memory, value: memory.apply_policy({}, approver=value)),
    ],
)
@pytest.mark.parametrize("value", [5, b"a"])
def test_what_else_is_kept_beside_a_request_is_a_text(name, call, value):
    memory = byheart.Memory()
    memory.remember("The kettle is hot.", id="t")
    with pytest.raises(TypeError, match=f"{name} must be str"):
        call(memory, value)


def test_a_record_is_kept_as_it_was_given():
    store = InProcessStore()
    with byheart.Memory() as memory:
        memory.remember("The kettle is hot.", id="t")
        record = memory.get("t")
    store.write([record], [])
    assert store.get([Key(record.tenant, record.scope, record.boundary_class, "t")]) == [record]
