"""Claims, feedback, decay, observations and contexts through a memory: what is written, what is not, and what stays."""

from __future__ import annotations

from itertools import repeat
from pathlib import Path
from typing import Any

import pytest

from byheart import Memory
from byheart.embedding import HashingEmbedder
from byheart.errors import (
    AmbiguousId,
    BoundaryViolation,
    ContextExpired,
    InvalidArgument,
    LimitExceeded,
    NoiseRefused,
    ReadOnlyStore,
    RecordNotFound,
)
from byheart.knowledge import text_hash

DAY = 86_400.0
SAID: dict[str, Any] = {"provenance": {"at": 0}, "boundary_class": "internal"}


@pytest.fixture(params=["in process", "memory.db", "memory.jsonl"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Memory:
    where = None if request.param == "in process" else tmp_path / request.param
    return Memory(where, embedder=HashingEmbedder(64) if request.param != "memory.jsonl" else None,
                  single_valued=["lives_in"])  # fmt: skip


# ---- claims


def test_the_same_text_is_the_same_claim(memory: Memory) -> None:
    first = memory.upsert("Ann drinks green tea.", **SAID, kind="preference", entities=["Ann"], now=1)
    again = memory.upsert("  Ann drinks\n green tea. ", **SAID, now=2)
    public = memory.upsert("Ann drinks green tea.", provenance={"at": 0}, boundary_class="public", now=3)
    assert (first.new, again.new, public.new) == (True, False, True)
    assert first.id == again.id != public.id and first.content_hash == text_hash("Ann drinks green tea.")
    record = memory.get(first.id)
    assert (record.kind, record.entities, record.created_at) == ("preference", ("Ann",), 1.0)
    assert memory.count() == 2 and [event.payload["claim_id"] for event in memory.events("ingest")] == [
        first.id,
        public.id,
    ]


def test_a_claim_is_what_was_remembered_before(memory: Memory) -> None:
    memory.remember("Ann drinks green tea.", id="mine")
    assert memory.upsert("Ann drinks green tea.", **SAID).id == "mine"
    memory.update("mine", text="Ann drinks black tea.")
    assert memory.upsert("Ann drinks green tea.", **SAID).new


def test_an_id_that_says_something_else_by_now_is_not_taken(memory: Memory) -> None:
    first = memory.upsert("Ann drinks green tea.", **SAID)
    memory.update(first.id, text="Ann drinks coffee.")
    second = memory.upsert("Ann drinks green tea.", **SAID)
    assert second.new and second.id != first.id and memory.get(first.id).text == "Ann drinks coffee."


def test_a_claim_stands_in_the_place_of_what_it_contradicts(memory: Memory) -> None:
    memory.remember("Ann lives in Rome.", id="rome", created_at=1)
    memory.remember("Ann lives in Paris.", id="hers", user_id="ann", created_at=1)
    oslo = memory.upsert("Ann lives in Oslo.", **SAID, now=2)
    assert (oslo.new, oslo.superseded, oslo.superseded_by) == (True, ("rome",), None)
    assert memory.get("rome").superseded_by == oslo.id and memory.get("hers").superseded_by is None
    late = memory.upsert("Ann lives in Bern.", **SAID, now=1.5)
    assert (late.superseded, late.superseded_by) == (("rome",), oslo.id), "told late, of an earlier time"
    back = memory.upsert("Ann lives in Rome.", **SAID, now=3)
    assert back.new and back.superseded == (oslo.id,) and memory.get(back.id).superseded_by is None
    again = memory.upsert("Ann lives in Rome.", **SAID, now=4)
    assert (again.id, again.new, again.superseded) == (back.id, False, ()), "it is there, and does so already"
    assert {hit.id for hit in memory.recall("where does Ann live?").hits} == {back.id, "hers"}


def test_a_summary_that_says_what_a_claim_contradicts_goes(memory: Memory) -> None:
    for number, text in enumerate(["Ann lives in Rome.", "Ann keeps two green parrots."]):
        memory.remember(text, id=f"t{number}", session_id="s", kind="turn", created_at=number)
    [summary] = memory.compact("s", force=True, now=5).summaries
    assert memory.upsert("Ann lives in Oslo.", **SAID, now=9).superseded == ("t0",)
    assert memory.count() == 3 and memory.get("t1").archived_by is None, f"{summary} says that she lives in Rome"


def test_near_claims_are_named() -> None:
    memory = Memory(embedder=HashingEmbedder(256))
    first = memory.upsert("Ann drinks green tea every single morning at home.", **SAID)
    second = memory.upsert("Ann drinks green tea every single morning at home!", **SAID)
    other = memory.upsert("The boat leaves at nine.", **SAID)
    assert second.new and [id for id, _ in second.similar_existing] == [first.id] and not other.similar_existing
    assert second.similar_existing[0][1] > 0.85


@pytest.mark.parametrize(
    ("changes", "error"),
    [({"provenance": {}}, InvalidArgument), ({"provenance": {"at": "yesterday"}}, InvalidArgument),
     ({"boundary_class": "secret"}, BoundaryViolation), ({"boundary_class": "hidden"}, InvalidArgument),
     ({"kind": "rumour"}, InvalidArgument), ({"content_hash": "sha256:0"}, InvalidArgument),
     ({"text": "hello!"}, NoiseRefused), ({"text": 4}, TypeError)],
)  # fmt: skip
def test_a_claim_that_cannot_be_taken_in_leaves_nothing(changes: dict[str, Any], error: type[Exception]) -> None:
    memory = Memory()
    with pytest.raises(error):
        memory.upsert(**{"text": "Ann drinks green tea.", **SAID, **changes})
    assert memory.count() == 0 and not memory.events()


# ---- feedback


@pytest.mark.parametrize("signal", ["good", 3, None, ["helpful"]])
def test_a_signal_that_is_none_is_told_those_there_are(memory: Memory, signal: Any) -> None:
    memory.remember("Ann drinks green tea.", id="a")
    with pytest.raises(InvalidArgument) as caught:
        memory.feedback("a", signal)
    assert str(caught.value) == f"signal: {signal!r} is unknown; use one of helpful, harmful, outdated, duplicate"


def test_signals_add_what_they_add_and_once_a_minute(memory: Memory) -> None:
    memory.remember("Ann drinks green tea.", id="a", confidence=0.98, created_at=0)
    assert memory.feedback("a", "helpful", now=0).new and not memory.feedback("a", "helpful", now=59.9).new
    record = memory.get("a")
    assert (record.utility, record.confidence, record.access_count) == (0.1, 1.0, 1)
    assert record.recency_anchor == record.accessed_at == 0.0 and record.updated_at is None
    memory.feedback("a", "harmful", now=1)
    receipt = memory.feedback("a", "outdated", score=-1.0, now=2)
    record = memory.get("a")
    assert record.utility == pytest.approx(-0.1) and record.confidence == pytest.approx(0.7)
    assert (receipt.utility, receipt.confidence) == (record.utility, record.confidence)
    assert record.access_count == 1 and len(memory.events("critic")) == 3


def test_minutes_are_the_clocks_and_begin_with_it(memory: Memory) -> None:
    memory.remember("Ann drinks green tea.", id="a")
    assert [memory.feedback("a", "helpful", now=at).new for at in (0, 59, 61, 119.9, 120)] == [
        True, False, True, False, True,
    ]  # fmt: skip


def test_being_found_moves_nothing(memory: Memory) -> None:
    memory.remember_many([{"id": "a", "text": "Ann drinks green tea."}, {"id": "b", "text": "Green paint."}])
    before = memory.records()
    memory.activate("green tea")
    memory.search("green tea")
    memory.recall("green tea")
    assert memory.records() == before


@pytest.mark.parametrize("kept_class", ["public", "pii"])
def test_a_duplicate_is_merged_and_no_class_is_relaxed(kept_class: str, tmp_path: Path) -> None:
    memory = Memory(tmp_path / "memory.db", embedder=HashingEmbedder(64))
    memory.remember("Ann drinks green tea.", id="kept", boundary_class=kept_class, entities=["Ann"], created_at=0)
    memory.remember("Green tea is what Ann has.", id="copy", entities=["tea"], links=["x"], created_at=5)
    memory.feedback("copy", "helpful", now=100)
    whole = {"classes": ["public", "internal", "pii"]}
    done = memory.feedback("copy", "duplicate", duplicate_of="kept", now=200, boundary=whole)
    kept, copy = memory.get("kept", boundary=whole), memory.get("copy", boundary=whole)
    assert done.superseded_by == "kept" == copy.superseded_by and copy.utility == 0.05
    assert (kept.boundary_class, kept.entities, kept.links) == (
        "pii" if kept_class == "pii" else "internal",
        ("Ann", "tea"),
        ("x",),
    )
    rows = memory._engine.journal.rows("feedbacks", "default")
    assert {row.content["claim_id"] for row in rows if row.content["signal"] == "helpful"} == {"kept"}
    assert [item.claim_id for item in memory.search("green tea Ann", boundary=whole, now=300)] == ["kept"]
    assert memory.stats(boundary=whole)["vectors"] == 2 and memory.check() == []
    with pytest.raises(InvalidArgument, match="duplicate"):
        memory.feedback("kept", "duplicate", now=400, boundary=whole)


def test_feedback_on_what_is_not_there() -> None:
    memory = Memory()
    memory.remember("Ann drinks green tea.", id="a")
    with pytest.raises(RecordNotFound):
        memory.feedback("b", "helpful")
    with pytest.raises(InvalidArgument, match="helpful"):
        memory.feedback("a", "helpfull")
    with pytest.raises(InvalidArgument):
        memory.feedback("a", "helpful", score=2.0)
    with pytest.raises(RecordNotFound):
        memory.feedback("a", "helpful", active_context_id="ac_0")
    context = memory.activate("tea", now=0)
    assert memory.feedback("a", "helpful", active_context_id=context.id, now=10).new
    with pytest.raises(ContextExpired):
        memory.feedback("a", "helpful", active_context_id=context.id, now=3_600)
    store = memory._engine.store
    Memory(store=store, noise=None).remember("tea", id="b", boundary_class="pii")
    Memory(store=store, noise=None, boundary={"classes": ["internal"]}).remember("tea", id="b")
    with pytest.raises(AmbiguousId):
        memory.feedback("b", "helpful", boundary={"classes": ["pii", "internal"]})
    assert memory.feedback("b", "outdated", boundary={"classes": ["pii", "internal"]}, cell=("project", "pii")).new
    assert memory.get("b").confidence is None


def test_only_helpful_feedback_moves_the_anchor_of_recency() -> None:
    own = {
        "version": "0.1.0",
        "boundary_classes": {"internal": {"allow": ["*"]}},
        "retrieval": {"rerank": {"recency_anchor": True}},
    }
    memory = Memory(policy=own, embedder=HashingEmbedder(64))
    memory.remember_many([{"id": id, "text": f"Green tea from {id}.", "created_at": 0} for id in ("here", "there")])
    now = 60 * DAY

    def late() -> dict[str, float]:
        return {item.claim_id: item.breakdown["g"]["rec"] for item in memory.search("green tea", now=now)}

    before = late()
    memory.touch("here", now=now)
    memory.feedback("here", "outdated", now=now)
    assert late() == before
    memory.feedback("here", "helpful", now=now)
    assert late()["here"] == 1.0 and late()["there"] == before["there"]


# ---- decay


def test_decay_is_the_same_in_one_run_and_in_many(memory: Memory) -> None:
    given = {"text": "Ann drinks green tea.", "utility": 0.8, "quality": 0.6, "created_at": 0}
    memory.remember_many([{**given, "id": "often"}, {"id": "plain", "text": "no worth"}])
    for day in (3, 7, 21, 60):
        memory.decay(now=day * DAY)
    memory.decay(now=60 * DAY)
    once = Memory()
    once.remember({**given, "id": "often"})
    assert once.decay(now=60 * DAY).changed == 1
    for name, left in (("utility", 0.2), ("quality", 0.6 * 0.5**0.5)):
        assert (
            getattr(memory.get("often"), name) == pytest.approx(getattr(once.get("often"), name)) == pytest.approx(left)
        )
    assert memory.get("plain").utility is None and memory.decay(now=DAY).changed == 0
    told = {"records": 1, "changed": 0, "utility_days": 30.0, "quality_days": 120.0}
    assert memory.events("critic").events[0].payload == told


# ---- contexts


def test_a_context_expires_and_is_another_actors_own(memory: Memory) -> None:
    memory.remember_many([{"id": "a", "text": "Ann drinks green tea."}, {"id": "b", "text": "Green paint."}])
    mine, theirs = (memory.activate("green tea", actor=actor, now=0, lifetime=10) for actor in ("ann", "bob"))
    assert mine.id != theirs.id and mine.items == theirs.items and mine.texts
    assert memory.active_context(mine.id, now=9.9) == mine
    with pytest.raises(ContextExpired):
        memory.active_context(mine.id, now=10)
    with pytest.raises(RecordNotFound):
        memory.active_context("ac_0")
    memory.purge(now=10)
    with pytest.raises(RecordNotFound):
        memory.active_context(mine.id, now=5)


def test_an_empty_context_is_kept_as_any_other(memory: Memory) -> None:
    context = memory.activate("nothing of the sort")
    assert len(context) == 0 and memory.active_context(context.id) == context


def test_pages_follow_each_other() -> None:
    memory = Memory(embedder=HashingEmbedder(64))
    memory.remember_many([{"id": f"r{n:02}", "text": f"Green tea number {n}."} for n in range(20)])
    whole = memory.search("green tea", 12, now=0)
    parts = [memory.search("green tea", 5, after=after, now=0) for after in (0, 5, 10)]
    assert [item for part in parts for item in part][:12] == list(whole)
    assert [part.more for part in parts] == [True, True, True] and parts[1].items[0].rank == 6
    assert list(memory.search("green tea", 3, now=0)) == list(whole)[:3]


def test_a_memory_that_is_only_read_activates_nothing(tmp_path: Path) -> None:
    with Memory(tmp_path / "memory.db") as whole:
        whole.remember("Ann drinks green tea.")
    with Memory(tmp_path / "memory.db", read_only=True) as memory:
        for verb in (lambda: memory.activate("tea"), lambda: memory.observe("chat", "x"), lambda: memory.decay()):
            with pytest.raises(ReadOnlyStore):
                verb()
        memory.search("tea")
        assert not memory.events()


# ---- observations, and what forgetting reaches


def test_an_observation_is_kept_apart(memory: Memory) -> None:
    kept = memory.observe("tool", "mail ann@example.com", actor="crawler", tags=["mail"], now=0, ttl_days=1)
    assert memory.observation(kept.id, now=1) == kept and kept.content == "mail [email]"
    assert memory.count() == 0 and not memory.recall("mail").hits
    secret = memory.observe("chat", "my key is sk-abcdefghijklmnop", now=0)
    assert (secret.content, secret.boundary_class) == (None, "secret")
    with pytest.raises(RecordNotFound):
        memory.observation(kept.id, now=DAY)
    memory.purge(now=DAY)
    assert not memory._engine.journal.rows("observations", "default")[1:]


@pytest.mark.parametrize("name", ["memory.db", "memory.jsonl"])
def test_what_is_forgotten_is_named_by_nothing_and_is_on_no_disk(name: str, tmp_path: Path) -> None:
    embedder = HashingEmbedder(64) if name == "memory.db" else None
    memory, other = Memory(tmp_path / name, embedder=embedder), Memory(tmp_path / name, embedder=embedder)
    seen = memory.observe("chat", "Swordfish is eaten raw.")
    memory.remember("Swordfish is eaten raw, says Ann.", id="swordfish-1", created_at=0)
    claim = memory.upsert("Swordfish is eaten raw.", **SAID, observation_id=seen.id)
    memory.remember("The boat leaves at nine.", id="b")
    context = other.activate("swordfish and the boat")
    other.feedback("swordfish-1", "helpful")
    receipt = memory.forget(["swordfish-1", claim.id])
    assert set(receipt.ids) == {"swordfish-1", claim.id}
    assert all("swordfish-1" not in str(event.payload) for event in other.events())
    assert len(other.events("activate")) == 1, "what has happened has happened"
    assert {item.claim_id for item in other.active_context(context.id)} <= {"b"}
    with pytest.raises(RecordNotFound):
        other.observation(seen.id)
    memory.close()
    other.close()
    left = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert b"swordfish" not in left.lower() and claim.id.encode() not in left and b"boat" in left


def test_rows_of_the_journal_are_no_records(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "memory.db", policy="default")
    memory.remember("The boat leaves at nine.", id="b")
    memory.activate("boat")
    assert memory.count() == 1 and memory.tenants() == ["default"] and memory.stats()["records"] == 1
    assert memory.export_to(tmp_path / "out.jsonl") == 1 and memory.check() == []
    memory._engine.indexes.save(at_least=0)
    memory.close()
    again = Memory(tmp_path / "memory.db", policy="stored")
    assert "generation" in again._engine.indexes.opened and len(again.events("activate")) == 1
    again.rebuild()
    assert len(again.events("activate")) == 1 and again.count() == 1


def test_events_of_others_are_not_seen(tmp_path: Path) -> None:
    whole = Memory(tmp_path / "memory.db")
    whole.remember("The boat leaves at nine.", id="b", boundary_class="pii")
    context = whole.activate("boat", boundary={"classes": ["pii", "internal"]})
    narrow = Memory(tmp_path / "memory.db", boundary={"classes": ["internal"]})
    assert len(whole.events("activate")) == 1 and not narrow.events()
    with pytest.raises(RecordNotFound):
        narrow.active_context(context.id)
    narrow.activate("boat")
    assert len(whole.events("activate")) == 2 and len(narrow.events("activate")) == 1


def test_an_entity_is_a_name_or_a_mapping_that_has_one() -> None:
    memory = Memory(policy="default")
    ann = {"id": "e1", "type": "Actor", "name": "Ann", "mail": "ann@example.com"}
    where: dict[str, Any] = {"provenance": {"at": 0}, "boundary_class": "internal"}
    kept = memory.upsert("Ann drinks green tea.", entities=[ann, "tea"], now=0, **where)
    record = memory.get(kept.id)
    assert record.entities == ("Ann", "tea")
    assert record.metadata["entities"] == [{**ann, "mail": "[email]"}], "hidden there too"
    for bad in ({"type": "Actor"}, {"name": ""}, {"name": 3}):
        with pytest.raises(InvalidArgument, match="entities"):
            memory.upsert("Ben drinks tea.", entities=[bad], **where)
    with pytest.raises(TypeError, match="entities"):
        memory.upsert("Ben drinks tea.", entities=[3], **where)  # type: ignore[list-item]
    with pytest.raises(TypeError, match="entities"):
        memory.upsert("Ben drinks tea.", entities="Ben", **where)
    with pytest.raises(LimitExceeded, match="entities"):
        memory.upsert("Ben drinks tea.", entities=repeat("Ben"), **where)


def test_a_claim_that_is_over_is_taken_in_anew() -> None:
    with Memory() as memory:
        said = {"provenance": {"at": 0}, "boundary_class": "internal"}
        first = memory.upsert("The bicycle pump is in the shed.", **said)
        memory.update(first.id, expires_at=10)
        again = memory.upsert("The bicycle pump is in the shed.", now=11, **said)
        assert again.new and again.id != first.id
        assert [hit.id for hit in memory.recall("where is the bicycle pump?", now=12)] == [again.id]
        assert not memory.upsert("The bicycle pump is in the shed.", now=13, **said).new
