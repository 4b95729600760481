"""Sessions compacted: what is summarised, what is left alone, what a recall finds afterwards."""

from __future__ import annotations

from typing import Any

import pytest

import byheart
from byheart.conversation.context import Recent
from byheart.conversation.receipts import CompactReceipt, Declined
from byheart.conversation.recent_tail import RecentTail
from byheart.embedding import HashingEmbedder
from byheart.errors import (
    RecordNotFound,
)
from byheart.storage import InProcessStore, Key

from .sessions import JOINED, SHORT, WHOLE, stored, turns

# ---- what is made


def test_a_summary_says_what_it_is_made_of(memory: byheart.Memory) -> None:
    memory.remember_many(turns(5))
    memory.update("t01", user_id="u7", updated_at=150)
    done = memory.compact("s1", target=3, summariser=JOINED, now=500)
    first, second = done.summaries
    assert done == CompactReceipt(
        session_id="s1", did_compact=True, clusters_formed=2, turns_removed=5, summary_method="joined",
        mean_confidence=0.75, summaries=(first, second), sources="archive", declined=(), degraded=(),
    )  # fmt: skip
    record = stored(memory)[first]
    assert record.text == " / ".join(turn["text"] for turn in turns(3))
    assert (record.kind, record.session_id, record.user_id) == ("summary", "s1", "u7")
    assert record.source_ids == ("t00", "t01", "t02")
    assert (record.created_at, record.confidence, record.decay_rate) == (102.0, 0.75, 0.25)
    assert record.metadata == {"method": "joined", "token_count": 17, "compacted_at": 500.0}
    assert (record.scope, record.boundary_class) == ("project", "internal")
    assert stored(memory)[second].source_ids == ("t03", "t04")


def test_turns_are_kept_archived_and_found_no_more(memory: byheart.Memory) -> None:
    memory.remember_many([*turns(4), {"id": "other", "text": "the kettle of another session", "session_id": "s2"}])
    before = stored(memory)
    vectors = dict(memory._engine.store.vectors(memory._engine.indexes.model))
    [summary] = memory.compact("s1", target=4, summariser=JOINED).summaries
    after = stored(memory)
    for id in ("t00", "t01", "t02", "t03"):
        assert after[id].completed(archived_by=None) == before[id]
        assert after[id].archived_by == summary
    assert after["other"] == before["other"]
    for profile in ("kb-fast", "kb-balanced", "kb-thinkingdb", "dense"):
        found = {hit.id for hit in memory.recall("kettle tea", 20, profile)}
        assert found <= {"other", summary} and summary in found, profile
    now = dict(memory._engine.store.vectors(memory._engine.indexes.model))
    assert {key: row for key, row in now.items() if key in vectors} == vectors, "vectors of archived turns are kept"
    assert Key("default", "project", "internal", summary) in now
    assert memory.check() == []


def test_compacting_again_changes_nothing(memory: byheart.Memory) -> None:
    memory.remember_many(turns(5))
    memory.compact("s1", target=2)
    before = stored(memory)
    again = memory.compact("s1", target=2, force=True)
    assert (again.did_compact, again.clusters_formed, again.turns_removed, again.summary_method) == (False, 0, 0, "")
    assert stored(memory) == before


@pytest.mark.parametrize(
    ("count", "target", "force", "clusters"),
    [(0, 20, True, 0), (1, 1, True, 0), (19, 20, False, 0), (2, 20, True, 1), (20, 0, False, 1), (5, 2, False, 3)],
)
def test_when_a_session_is_due(count: int, target: int, force: bool, clusters: int) -> None:
    memory = byheart.Memory()
    memory.remember_many(turns(count))
    done = memory.compact("s1", target=target, force=force)
    assert (done.did_compact, done.clusters_formed) == (clusters > 0, clusters)
    assert len(stored(memory)) == count + clusters


def test_the_time_of_a_summary_may_be_that_of_its_making() -> None:
    memory = byheart.Memory()
    memory.remember_many(turns(2))
    [summary] = memory.compact("s1", force=True, summary_time="compaction", now=900).summaries
    assert stored(memory)[summary].created_at == 900


def test_a_summary_has_a_vector_though_its_turns_have_none() -> None:
    store = InProcessStore()
    byheart.Memory(store=store).remember_many(turns(4))
    with_vectors = byheart.Memory(store=store, embedder=HashingEmbedder(16))
    [summary] = with_vectors.compact("s1", target=4, summariser=JOINED).summaries
    vectors = dict(with_vectors._engine.store.vectors(with_vectors._engine.indexes.model))
    assert [key.id for key in vectors] == [summary]


def test_without_an_embedder_the_receipt_says_how_turns_were_chosen(memory: byheart.Memory) -> None:
    bare = byheart.Memory()
    bare.remember_many(turns(4))
    done = bare.compact("s1", target=4)
    assert done.degraded == ("no embedder: turns were chosen by their words, hashed",)
    assert done.summary_method == "extractive"
    memory.remember_many(turns(4))
    assert memory.compact("s1", target=4).degraded == ()


def test_a_session_that_no_record_names_is_named(memory: byheart.Memory) -> None:
    memory.remember_many(turns(1))
    assert memory.compact("s1").degraded == ()
    done = memory.compact("nosuch")
    assert not done.did_compact and done.degraded == ("session 'nosuch': no record that can be seen here is of it",)
    assert memory.compact("s1", boundary={"classes": ["public"]}).degraded, "nothing is told of what lies outside"


# ---- what is left alone


def test_what_expires_and_what_is_invariant_is_left_alone() -> None:
    store = InProcessStore()
    memory = byheart.Memory(store=store)
    memory.remember_many(turns(4))
    memory.update("t01", expires_at=4e9)
    store.write([stored(memory)["t02"].completed(invariant=True)], [])  # a memory itself stores none
    done = memory.compact("s1", force=True)
    assert [(each.source_ids, each.reason.split(",")[0].split(":")[0]) for each in done.declined] == [
        (("t01",), "it expires"),
        (("t02",), "it is an invariant"),
    ]
    assert stored(memory)[done.summaries[0]].source_ids == ("t00", "t03")


def test_cells_do_not_share_a_summary() -> None:
    memory = byheart.Memory()
    classes = ("internal", "pii", "internal", "pii", "secret")
    memory.remember_many(
        turn | {"boundary_class": name, "text": f"{name} {turn['text']}"}
        for turn, name in zip(turns(5), classes, strict=True)
    )
    done = memory.compact("s1", force=True, boundary=WHOLE, summariser=JOINED)
    records = stored(memory)
    assert [(records[id].boundary_class, records[id].source_ids) for id in done.summaries] == [
        ("internal", ("t00", "t02")),
        ("pii", ("t01", "t03")),
    ]
    assert records["t04"].archived_by is None
    assert [record.id for record in memory.expand(done.summaries[0])] == ["t00", "t02"]
    with pytest.raises(RecordNotFound):
        memory.expand(done.summaries[1])


def test_turns_outside_the_boundary_change_nothing() -> None:
    inside = turns(4)
    outside = [turn | {"id": f"x{turn['id']}", "boundary_class": "pii"} for turn in turns(30)]
    receipts = []
    for records in (inside, inside + outside):
        memory = byheart.Memory()
        memory.remember_many(records)
        receipts.append(memory.compact("s1", target=2, now=7))
    assert receipts[0] == receipts[1]
    assert sum(record.archived_by is not None for record in stored(memory).values()) == 4


def test_the_last_turns_may_stay(memory: byheart.Memory) -> None:
    memory.remember_many(turns(8, text="x" * 120))
    done = memory.compact("s1", force=True, keep_recent=2)
    left = [id for id, record in stored(memory).items() if record.archived_by is None and record.kind == "turn"]
    assert left == ["t04", "t05", "t06", "t07"], "four times thirty tokens are within 128"
    assert done.turns_removed == 4
    assert not memory.compact("s1", force=True, keep_recent=Recent(0, budget=120)).did_compact
    kept = RecentTail(("t04",), ("t05",), ("t05", "t06", "t07"))
    assert not memory.compact("s1", force=True, keep_recent=kept).did_compact
    assert memory.compact("s1", force=True, keep_recent=0).did_compact is False


def test_a_bundle_is_not_parted() -> None:
    memory = byheart.Memory()
    memory.remember_many(turns(6, text="x" * 4_000))
    for id in ("t02", "t03"):
        memory.update(id, metadata={"bundle": "call"})
    done = memory.compact("s1", force=True, keep_recent=3)
    assert stored(memory)[done.summaries[0]].source_ids == ("t00", "t01")


def test_a_cluster_of_one_turn_may_be_declined() -> None:
    memory = byheart.Memory()
    memory.remember_many(turns(5))
    done = memory.compact("s1", target=2, trivial="decline")
    assert done.clusters_formed == 2
    assert done.declined == (Declined(("t04",), "a single turn"),)


def test_a_summary_has_to_be_shorter_where_that_is_asked_for() -> None:
    memory = byheart.Memory()
    memory.remember_many(turns(4))
    done = memory.compact("s1", target=4, summariser=JOINED, strict_progress=True)
    [summary] = done.summaries
    assert done.summary_method == "extractive", "a quarter of the turns stands in for what was too long"
    assert stored(memory)[summary].metadata["token_count"] == 5
    memory.remember_many([turn | {"session_id": "s2", "id": f"x{turn['id']}"} for turn in turns(2)])
    done = memory.compact("s2", target=1, strict_progress=True)
    assert not done.did_compact
    assert [each.reason for each in done.declined] == [
        "its summary has 7 tokens, no fewer than its turns with 7",
        "its summary has 6 tokens, no fewer than its turns with 6",
    ]


# ---- deleting


def test_turns_are_deleted_where_that_is_asked_for(memory: byheart.Memory) -> None:
    memory.remember_many(turns(4))
    done = memory.compact("s1", target=4, sources="delete", summariser=JOINED)
    assert (done.sources, done.turns_removed) == ("delete", 4)
    assert list(stored(memory)) == list(done.summaries)
    assert memory.expand(done.summaries[0]) == []
    assert memory.check() == []


# ---- what a summary leaves out

PLANS = (
    "I need to plan my week.", "Your dentist appointment is on Thursday at 9.", "Then I go hiking on Saturday.",
    "It will rain, take the yellow umbrella from the hallway.", "I bought new boots.", "Waterproof ones are best.",
)  # fmt: skip


def planned(memory: byheart.Memory, **how: Any) -> str:
    """Tell a session and compact it; return the id of its one summary, which keeps the first turn."""
    for number, text in enumerate(PLANS):
        said = "user" if number % 2 == 0 else "assistant"
        memory.ingest_turn(text, session_id="w", user_id="ann", role=said, created_at=100 + number, durable="none")
    [summary] = memory.compact("w", force=True, summariser=SHORT, now=500, **how).summaries
    return summary


def test_what_a_summary_leaves_out_is_found_through_it(memory: byheart.Memory) -> None:
    summary = planned(memory)
    text = stored(memory)[summary].text
    assert "umbrella" not in text and "umbrella" in (stored(memory)[summary].source_words or "").split()
    for question, said in [("which umbrella should I take?", PLANS[3]), ("what about boots?", PLANS[4])]:
        found = memory.recall(question, user_id="ann")
        assert found.sufficient and [hit.id for hit in found] == [summary]
        assert found.hits[0].score == pytest.approx(memory.explain(question, summary, user_id="ann").score)
        assert said in memory.context(question, 200, user_id="ann").text
    for profile in ("kb-fast", "kb-balanced", "dense"):
        assert all(hit.score < 0.5 for hit in memory.recall("umbrella", 5, profile)), "others score the text alone"
    assert not memory.recall("umbrella", profile="kb-fast")


def test_words_of_what_is_deleted_or_forgotten_are_not_kept(memory: byheart.Memory) -> None:
    summary = planned(memory, sources="delete")
    assert stored(memory)[summary].source_words is None
    assert not memory.recall("which umbrella should I take?", user_id="ann").sufficient
    memory.forget(where={"session_id": "w"})
    summary = planned(memory)
    turn = next(id for id, record in stored(memory).items() if "umbrella" in record.text)
    memory.forget(ids=[turn])
    assert all("umbrella" not in str(record.to_dict()) for record in stored(memory).values())
    assert not memory.recall("which umbrella should I take?", user_id="ann").sufficient
