"""Defaults of what a caller gets or leaves out, and what is refused or waits at a bound."""

from __future__ import annotations

from pathlib import Path

import pytest

from byheart.boundary.policy.allowing import MAX_TAG, check_pattern
from byheart.errors import InvalidPolicy, UnknownField
from byheart.recall.routing import Latencies, Routing
from byheart.records import Record
from byheart.retrieval.protocol import Found
from byheart.storage import InProcessStore, Write, key_of
from byheart.storage.delay import Delay, Durability
from byheart.storage.encoding import encode, restore
from byheart.storage.jsonl import JsonlStore
from byheart.storage.opening import open_store
from byheart.storage.sqlite import SqliteStore
from byheart.writing.lineage import Removal
from byheart.writing.receipts import ForgetReceipt, RememberReceipt
from byheart.writing.said import said

RECORD = Record(text="Tea.", id="a", tenant="t", scope="s", boundary_class="internal")
KEY = key_of(RECORD)


def test_a_receipt_of_what_was_remembered_says_once_and_nothing_besides() -> None:
    receipt = RememberReceipt("a", "new")
    assert (receipt.seen_count, receipt.superseded, receipt.superseded_by, receipt.near_duplicates) == (1, (), None, ())


@pytest.mark.parametrize(
    "name", ["missing", "files", "summaries", "released", "copies", "several", "untouched", "reinstated", "damaged"]
)
def test_a_receipt_of_what_was_removed_names_nothing_besides(name: str) -> None:
    assert getattr(ForgetReceipt(("a",)), name) == ()


@pytest.mark.parametrize("pattern", ["a", "*", "a" * 256])
def test_a_pattern_of_a_length_within_the_bounds_is_taken(pattern: str) -> None:
    check_pattern(pattern)


@pytest.mark.parametrize("pattern", ["", "a" * 257])
def test_a_pattern_of_a_length_outside_the_bounds_is_refused_with_the_bound(pattern: str) -> None:
    assert MAX_TAG == 256
    with pytest.raises(InvalidPolicy, match="1 to 256 characters"):
        check_pattern(pattern)


def test_a_removal_names_nothing_that_stays_or_is_damaged() -> None:
    removal = Removal((), (), (), ())
    assert (removal.untouched, removal.damaged) == ((), ())


def test_a_routing_begins_undecided() -> None:
    routing = Routing()
    assert (routing.decision, routing.latency_ms, routing.asked, routing.failures) == (None, {}, False, [])
    assert routing.figures() == {}
    assert routing.note("near", 2.5) == 2.5 and routing.note("near", 1.0) == 1.0
    assert routing.latency_ms == {"near": 3.5}


def test_the_next_search_is_judged_by_a_hundred() -> None:
    latencies = Latencies()
    for took in (9.0, *[1.0] * 99, 2.0):
        latencies.took("far", took)
    for _ in range(99):
        latencies.skipped("far")
    assert latencies.p95("far") == 2.0
    latencies.skipped("far")
    assert latencies.p95("far") is None


def test_a_store_is_opened_for_writing_and_durably_unless_something_else_is_said(tmp_path: Path) -> None:
    assert isinstance(open_store(), InProcessStore)
    assert isinstance(open_store(":memory:"), InProcessStore)
    for name in ("m.db", "m.jsonl"):
        store = open_store(tmp_path / name)
        assert (tmp_path / name).exists() and store.durability == "full"


@pytest.mark.parametrize(
    ("durability", "write", "waits"),
    [
        ("normal", Write(put=(RECORD,), absent=(KEY,)), True),
        ("normal", Write(put=(RECORD,)), False),  # what it may replace has to be gone
        ("normal", Write(remove=(KEY,)), False),
        ("full", Write(put=(RECORD,), absent=(KEY,)), False),
        ("full", Write(remove=(KEY,)), False),
    ],
)
def test_a_write_waits_only_where_it_may_and_takes_nothing_away(
    tmp_path: Path, durability: Durability, write: Write, waits: bool
) -> None:
    assert SqliteStore(tmp_path / "m.db", durability=durability).delays(write) is waits
    assert JsonlStore(tmp_path / "m.jsonl", durability=durability).delays(write) is waits


def test_what_was_removed_before_a_store_is_first_read_cannot_be_named(tmp_path: Path) -> None:
    first = SqliteStore(tmp_path / "m.db")
    first.keys()
    assert first.write_each([Write(put=(RECORD,))]) == [True]
    since = first.keys().sequence
    assert first.write_each([Write(remove=(KEY,))]) == [True]
    removed = first.keys().sequence
    assert first.changes(since).keys == frozenset({KEY})
    again = SqliteStore(tmp_path / "m.db")
    assert again.keys().sequence == removed > since
    assert again.changes(since).keys is None
    assert again.changes(removed).keys == frozenset()


def test_a_line_of_a_store_is_read_as_the_record_it_is() -> None:
    changed = RECORD.completed(tags=("x", "y"), revisions=((1.0, "update", ("text", "topic")),), metadata={"n": 1})
    for record in (RECORD, changed, RECORD.completed(text="\ud800")):
        assert restore(encode(record).encode("utf-8", "surrogatepass")) == record
    with pytest.raises(UnknownField, match="mood"):
        restore(b'{"id": "a", "mood": "good", "text": "Tea."}')


def test_a_file_says_of_a_record_only_what_a_hand_may_change() -> None:
    marked = RECORD.completed(
        provenance={"source_name": "a.md"}, metadata={"room": 1}, revisions=((1.0, "update", ("text",)),),
        superseded_by="b", superseded_at=1.0, seen_count=2, seen_at=2.0, near_duplicates=("c",),
    )  # fmt: skip
    assert set(said(marked)) == {"text", "metadata.room"}


def test_the_first_write_of_a_file_stands_though_its_caller_is_interrupted_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqliteStore(tmp_path / "m.db", durability="normal")
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Delay, "acknowledge", interrupted)
        store.write_each([Write(put=(RECORD,), absent=(KEY,))])
    store.flush()
    assert (list(store.keys().keys), store.keys().sequence) == ([KEY], 1)
    assert list(SqliteStore(tmp_path / "m.db").keys().keys) == [KEY]


def interrupted(self: Delay) -> None:
    raise KeyboardInterrupt


def test_what_a_step_took_is_what_its_searches_recorded_or_else_what_was_measured() -> None:
    routing = Routing()
    assert routing.note("stage1", 9.0, [Found(()), Found((), latency_ms=2.0), Found((), latency_ms=0.5)]) == 2.5
    assert routing.note("stage1", 9.0, [Found(())]) == 9.0
    told = routing.told({"route": 2_000.0})["latency_ms"]
    assert told == {"stage1": 11.5, "stage2": 0.0, "fusion": 2.0, "total": 13.5}
    assert Routing().told({})["latency_ms"]["fusion"] == 0.0


def test_ninety_five_of_a_hundred_searches_stay_below() -> None:
    latencies = Latencies()
    for took in range(1, 101):
        latencies.took("far", float(took))
    assert latencies.p95("far") == 95.05
