"""Verbs of two handles on the same records, one acting between the other's look and its write: nothing is lost.

One rule for every store that several handles may share: in this process, in a text file, in a database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import DuplicateId, RecordNotFound
from byheart.records import Record
from byheart.storage import InProcessStore
from byheart.storage.sqlite import SqliteStore
from byheart.summarising import FunctionSummariser, Turn

EVERYTHING = {"classes": ["public", "internal", "pii", "secret"]}
OPEN = {"classes": ["internal", "public"]}
Opener = Callable[..., byheart.Memory]


@pytest.fixture(params=["in process", "memory.jsonl", "memory.db"])
def opened(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Opener]:
    """Return what opens a handle on the same records."""
    store, handles = InProcessStore(), list[byheart.Memory]()

    def open_one(**how: Any) -> byheart.Memory:
        where = {"store": store} if request.param == "in process" else {"path": tmp_path / request.param}
        handles.append(byheart.Memory(**where, noise=None, **how))
        return handles[-1]

    yield open_one
    if request.param != "in process":
        for handle in handles:
            handle.close()


def before_the_write(memory: byheart.Memory, act: Callable[[], object]) -> None:
    """Have something happen between the next look of a memory and its write."""
    store: Any = memory._engine.store
    write_if = store.write_if

    def acted(*args: Any) -> bool:
        store.write_if = write_if
        act()
        done: bool = write_if(*args)
        return done

    store.write_if = acted


def before_read(memory: byheart.Memory, number: int, act: Callable[[], object]) -> None:
    """Have something happen before the next-but-so-many reading of records by a memory: between two looks of a call."""
    store: Any = memory._engine.store
    get, left = store.get, [number]

    def acted(*args: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            store.get = get
            act()
        return get(*args)

    store.get = acted


def retell(turns: Sequence[Turn]) -> tuple[str, float]:
    return " and ".join(turn.text for turn in turns), 0.5


RETOLD = FunctionSummariser(retell, "retold")


def stored(memory: byheart.Memory) -> list[tuple[str | None, str | None, str]]:
    return [(one.id, one.boundary_class, one.text) for one in memory.records(boundary=EVERYTHING)]


def test_one_text_of_two_users_is_two_records(opened: Opener) -> None:
    one, two = opened(), opened()
    ids = []
    before_the_write(one, lambda: ids.append(two.remember("the standup is at nine", user_id="bob")))
    ids.append(one.remember("the standup is at nine", user_id="ann"))
    assert {(one.id, one.user_id) for one in opened().records()} == set(zip(ids, ["bob", "ann"], strict=True))


def test_what_another_has_forgotten_does_not_come_back(opened: Opener) -> None:
    one, two = opened(), opened()
    one.remember("the PIN is 4711", id="k")
    before_the_write(one, lambda: two.forget("k"))
    with pytest.raises(RecordNotFound):
        one.update("k", category="numbers")
    assert stored(opened()) == []


@pytest.mark.parametrize("verb", ["touch", "expand"])
def test_a_use_brings_nothing_back(opened: Opener, verb: str) -> None:
    one, two = opened(), opened()
    for number in range(2):
        one.remember(f"we meet at {number}", id=f"t{number}", session_id="s", created_at=number)
    [summary] = one.compact("s", force=True).summaries
    before_the_write(one, lambda: two.forget(summary, sources="forget"))
    if verb == "touch":
        assert one.touch(summary) == 0
    else:
        one.expand(summary)  # what was seen is told; nothing is written
    assert stored(opened()) == []


def test_a_purge_spares_what_was_given_more_time(opened: Opener) -> None:
    one, two = opened(), opened()
    one.remember("renew the passport", id="k", expires_at=100)
    before_the_write(one, lambda: two.update("k", expires_at=9e9))
    assert one.purge(now=200).ids == ()
    assert [record.id for record in opened().records()] == ["k"]


def test_a_filter_spares_what_left_it(opened: Opener) -> None:
    one, two = opened(), opened()
    one.remember("tea for the archive", id="k", category="trash")
    before_the_write(one, lambda: two.update("k", category="keep"))
    assert one.forget(where={"category": "trash"}).ids == ()
    assert [record.category for record in opened().records()] == ["keep"]


@pytest.mark.parametrize("verb", ["remember", "import"])
def test_an_id_is_one_record_also_where_two_give_it_two_cells_at_once(
    opened: Opener, verb: str, tmp_path: Path
) -> None:
    """Within what a handle sees an id is one record: the later one moves what the earlier one kept."""
    one, two = opened(), opened()
    before_the_write(one, lambda: two.remember("rice at two", id="k", boundary_class="public"))
    if verb == "remember":
        one.remember("tea at four", id="k")
    else:
        with byheart.Memory(noise=None) as other:
            other.remember("tea at four", id="k")
            other.export_to(tmp_path / "tea.jsonl")
        one.import_from(tmp_path / "tea.jsonl")
    assert stored(opened()) == [("k", "internal", "tea at four")]
    assert one.get("k").text == two.get("k").text == "tea at four"


def test_a_turn_takes_no_record_s_place_that_came_meanwhile(opened: Opener) -> None:
    one, two = opened(), opened()
    before_the_write(one, lambda: two.remember("rice at two", id="k", boundary_class="public"))
    with pytest.raises(DuplicateId, match="of a record that is no turn"):
        one.ingest_turn("tea at four", id="k", session_id="s", now=5)
    assert stored(opened()) == [("k", "public", "rice at two")]


def test_what_cannot_be_seen_holds_nobody_up(opened: Opener) -> None:
    bounded, owner = opened(boundary=OPEN), opened()
    looked = list[int]()
    before_the_write(bounded, lambda: owner.remember("rice", id="k", boundary_class="secret"))
    store: Any = bounded._engine.store
    write_if = store.write_if
    store.write_if = lambda *args: looked.append(1) or write_if(*args)
    bounded.remember("tea", id="k")
    assert stored(opened()) == [("k", "internal", "tea"), ("k", "secret", "rice")]
    assert len(looked) == 1, "it wrote at once"


def test_a_copy_that_came_meanwhile_says_what_the_turn_says_now(opened: Opener) -> None:
    one, two = opened(), opened()
    said = {"session_id": "s", "user_id": "u", "id": "t", "created_at": 1, "now": 1}
    one.ingest_turn("I prefer the window seat", **said, durable="none")
    before_the_write(one, lambda: two.ingest_turn("I prefer the window seat", **said, durable="all"))
    one.remember({**one.get("t").to_dict(), "text": "I prefer the aisle seat"})
    texts = {record.kind: record.text for record in opened().records()}
    assert texts == {"turn": "I prefer the aisle seat", "memory": "I prefer the aisle seat"}


def test_a_forget_through_an_older_handle_takes_the_summary(opened: Opener) -> None:
    older = opened()
    for number, text in enumerate(["The codename is zebra", "We meet at the pier", "Bring the zebra map"]):
        older.remember(text, id=f"t{number}", session_id="s", created_at=number)
    newer = opened()
    newer.recall("zebra")
    [summary] = older.compact("s", force=True).summaries
    receipt = newer.forget(["t0", "t2"])
    assert (receipt.ids, receipt.summaries, receipt.released) == (("t0", "t2"), (summary,), ("t1",))
    assert stored(opened()) == [("t1", "internal", "We meet at the pier")]
    assert [hit.id for hit in older.recall("zebra pier")] == ["t1"]


def test_a_turn_that_is_said_anew_through_an_older_handle_takes_the_summary_too(opened: Opener) -> None:
    older = opened(embedder=HashingEmbedder(16))
    for number, text in enumerate(["my PIN is 4711", "we meet at the pier"]):
        older.ingest_turn(text, session_id="s", id=f"t{number}", now=number)
    newer = opened(embedder=HashingEmbedder(16))
    newer.recall("PIN")
    older.compact("s", force=True)
    newer.ingest_turn("never mind", session_id="s", id="t0", now=5)
    assert {record.text for record in opened().records()} == {"never mind", "we meet at the pier"}


def test_every_handle_finds_what_the_others_wrote(opened: Opener) -> None:
    one, two = opened(embedder=HashingEmbedder(16)), opened(embedder=HashingEmbedder(16))
    one.remember("tea is at four", id="k")
    assert [hit.text for hit in two.recall("tea")] == ["tea is at four"]
    two.update("k", text="tea is at five")
    assert [hit.text for hit in one.recall("tea")] == ["tea is at five"]
    two.forget("k")
    assert not one.recall("tea").hits and one.count() == 0 and one.stats()["records"] == 0
    assert one.check() == two.check() == []


def test_a_vector_is_of_the_text_that_is_stored(opened: Opener) -> None:
    """Where vectors live in each handle alone, one of a text that another has changed is none."""
    one, two = opened(embedder=HashingEmbedder(64)), opened(embedder=HashingEmbedder(64))
    one.remember("green tea in the morning", id="k")
    two.update("k", text="boats on the river")
    one.embed()
    best = one.recall("boats on the river", profile="dense", mode="exact").hits[0]
    assert best.score > 0.99


def test_what_was_put_again_and_removed_between_two_looks_is_gone(opened: Opener) -> None:
    one, two = opened(), opened()
    one.remember_many([{"id": "k", "text": "green tea at four"}, {"id": "j", "text": "green rice"}])
    one.recall("green tea")
    two.touch("k")
    two.forget("k")
    assert [hit.id for hit in one.recall("green tea")] == ["j"]
    assert (one.stats()["records"], one.check(), one.forget("k").missing) == (1, [], ("k",))
    one.remember("new tea", id="k")
    two.touch("k")
    two.forget("k")
    two.remember("other tea", id="k")
    assert sorted(hit.text for hit in one.recall("green tea")) == ["green rice", "other tea"]


@pytest.mark.parametrize("look", range(3))
def test_what_is_forgotten_between_two_looks_of_an_update_stays_forgotten(opened: Opener, look: int) -> None:
    one, two = opened(), opened()
    one.remember("the PIN is 4711", id="k")
    gone = list[byheart.ForgetReceipt]()
    before_read(one, look, lambda: gone.append(two.forget("k")))
    try:
        one.update("k", category="numbers")
    except RecordNotFound:
        assert gone
    assert not gone or stored(opened()) == []


@pytest.mark.parametrize("opened", ["in process", "memory.jsonl"], indirect=True)  # else they wait for each other
@pytest.mark.parametrize("look", range(4))
def test_of_two_that_forget_one_record_the_later_one_says_that_it_was_missing(opened: Opener, look: int) -> None:
    one, two = opened(), opened()
    for number in range(2):
        one.remember(f"we meet at {number}", id=f"t{number}", session_id="s", created_at=number)
    one.compact("s", force=True)
    receipts = list[byheart.ForgetReceipt]()
    before_read(one, look, lambda: receipts.append(two.forget("t0")))
    receipts.append(one.forget("t0"))
    told = sorted((receipt.ids, receipt.missing) for receipt in receipts)
    assert told in ([((), ("t0",)), (("t0",), ())], [(("t0",), ())])  # alone, if the first one has read less often


@pytest.mark.parametrize("opened", ["in process", "memory.jsonl"], indirect=True)  # else they wait for each other
def test_of_two_that_forget_one_note_the_later_one_says_so_too(opened: Opener) -> None:
    one, two = opened(), opened()
    one.remember("the PIN is 4711", id="k")
    two.recall("PIN")
    receipts = list[byheart.ForgetReceipt]()
    before_read(one, 0, lambda: receipts.append(two.forget("k")))
    assert one.forget("k").missing == ("k",)
    assert receipts[0].ids == ("k",)


def test_a_summary_is_expanded_as_it_was_at_one_moment(opened: Opener) -> None:
    one, two = opened(), opened()
    for number in range(2):
        one.remember(f"we meet at {number}", id=f"t{number}", session_id="s", created_at=number)
    [summary] = one.compact("s", force=True).summaries
    before_read(one, 1, lambda: two.forget(summary, sources="forget"))
    with pytest.raises(RecordNotFound):
        one.expand(summary)


def test_a_context_says_no_turn_twice_when_it_is_compacted_meanwhile(opened: Opener) -> None:
    one, two = opened(), opened()
    for number in range(2):
        one.remember(f"we meet at pier {number}", id=f"t{number}", session_id="s", kind="turn", created_at=number)
    recaller: Any = one._engine.recaller
    recall = recaller.recall

    def late(*args: Any, **how: Any) -> Any:
        recaller.recall = recall
        two.compact("s", force=True, summariser=RETOLD)
        return recall(*args, **how)

    recaller.recall = late
    text = one.context("which pier", 200, session_id="s", recent=True, now=9.0).text
    assert text.count("we meet at pier 0") == 1


@pytest.mark.parametrize("opened", ["in process", "memory.jsonl"], indirect=True)  # else they wait for each other
def test_of_two_that_replace_a_source_the_later_one_stands(opened: Opener) -> None:
    """Also where the source had said nothing before, so that neither has a record of it to compare."""

    def said(id: str) -> list[Record]:
        return [Record(id=id, text=f"what {id} says", provenance={"source_name": "doc"})]

    one, two = opened(), opened()
    before_the_write(one, lambda: two.replace_sources({"doc": said("first")}))
    one.replace_sources({"doc": said("second")})
    assert [record.id for record in opened().records()] == ["second"]


def test_an_id_that_is_remembered_meanwhile_is_no_sources(opened: Opener) -> None:
    one, two = opened(), opened()
    before_the_write(one, lambda: two.remember("mine", id="x"))
    with pytest.raises(DuplicateId, match="remembered by hand"):
        one.replace_sources({"doc": [Record(id="x", text="theirs", provenance={"source_name": "doc"})]})
    assert [record.text for record in opened().records()] == ["mine"]


def test_of_two_that_say_the_same_at_once_one_is_remembered_for_good(opened: Opener) -> None:
    one, two = (opened(embedder=HashingEmbedder(64)) for _ in range(2))
    how: dict[str, Any] = {"user_id": "ann", "durable": "all", "durable_duplicates": "refuse", "now": 5.0}
    text = "my dog is called Rex"
    first = list[Any]()
    before_the_write(one, lambda: first.append(two.ingest_turn(text, session_id="x", **how)))
    second = one.ingest_turn(text, session_id="y", **how)
    if isinstance(one._engine.store, (InProcessStore, SqliteStore)):  # beside a text file each handle has its vectors
        assert (second.durable_id, second.duplicate_of) == (None, first[0].durable_id)
        assert second.id == "y:0000000005000", "nobody has taken its name"
        assert len(opened().records()) == 3


def test_what_a_turn_was_compared_with_is_still_there_when_it_is_refused_for_it(opened: Opener) -> None:
    one = opened(embedder=HashingEmbedder(64))
    how: dict[str, Any] = {"user_id": "ann", "durable": "all", "durable_duplicates": "refuse", "now": 5.0}
    text = "my dog is called Rex"
    known = one.ingest_turn(text, session_id="x", **how).durable_id
    before_the_write(one, lambda: opened().forget([known]))
    assert one.ingest_turn(text, session_id="y", **how).duplicate_of is None
    assert sum(record.kind == "memory" for record in opened().records()) == 1


class Guarded:
    """A store that compares, and does not say what others have changed."""

    def __init__(self) -> None:
        inner = InProcessStore()
        self.load, self.get, self.close, self._inner = inner.load, inner.get, inner.close, inner

    def write(self, put: Any, remove: Any) -> None:
        self._inner.write(put, remove)

    def write_if(self, expected: Any, put: Any, remove: Any, vectors: Any = None, absent: Any = ()) -> bool:
        return self._inner.write_if(expected, put, remove, None, absent)


def test_a_store_that_says_nothing_of_others_is_compared_with_all_the_same() -> None:
    """Nothing is put over what somebody has written since under the same key; what was met is known from then on."""
    store: Any = Guarded()
    one, two = (byheart.Memory(store=store, noise=None) for _ in range(2))
    one.ingest_turn("we meet at the pier", session_id="s", now=1.0)
    assert two.ingest_turn("the boat leaves at nine", session_id="s", now=1.0).id == "s:0000000001001"
    one.remember("tea at four", id="k", category="first")
    two.remember("rice at two", id="k")
    assert [record.text for record in two.records()] == [
        "rice at two",
        "we meet at the pier",
        "the boat leaves at nine",
    ]
    assert len(list(store.load())) == 3


def test_what_is_to_go_is_compared_in_such_a_store_too() -> None:
    store: Any = Guarded()
    one = byheart.Memory(store=store, noise=None)
    one.remember("tea at four", id="k", created_at=0.0, expires_at=10.0)
    two = byheart.Memory(store=store, noise=None)
    before_the_write(two, lambda: one.update("k", expires_at=1e11))
    assert two.purge(now=20.0).ids == ()
    assert [record.id for record in store.load()] == ["k"]
