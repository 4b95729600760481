"""Sessions compacted, expanded and touched: what is summarised, what is kept, what a recall finds afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.conversation.compaction import summary_id
from byheart.conversation.context import Recent
from byheart.conversation.receipts import CompactReceipt, Declined
from byheart.conversation.recent_tail import RecentTail
from byheart.embedding import HashingEmbedder
from byheart.errors import (
    DuplicateId,
    InvalidArgument,
    LimitExceeded,
    ModelError,
    RecordNotFound,
    StoreBusy,
    SummaryError,
)
from byheart.storage import InProcessStore, Key
from byheart.summarising import FunctionSummariser, OnnxSummariser, Summary, Turn

from ..models import tiny

WHOLE = {"classes": ("public", "internal", "pii", "secret")}


@pytest.fixture(params=["in process", "memory.jsonl", "memory.db"])
def memory(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[byheart.Memory]:
    path = None if request.param == "in process" else tmp_path / request.param
    with byheart.Memory(path, embedder=HashingEmbedder(16)) as opened:
        yield opened


def turns(count: int, **fields: object) -> list[dict[str, object]]:
    words = ("kettle", "tea", "cake", "garden", "bicycle")
    return [
        {
            "id": f"t{number:02}",
            "text": f"Turn {number}: the {words[number % 5]} again.",
            "session_id": "s1",
            "kind": "turn",
            "created_at": 100.0 + number,
            **fields,
        }
        for number in range(count)
    ]


def joined(asked: Sequence[Turn]) -> tuple[str, float]:
    return " / ".join(turn.text for turn in asked), 0.75


JOINED = FunctionSummariser(joined, "joined")


def stored(memory: byheart.Memory) -> dict[str, byheart.Record]:
    return {str(record.id): record for record in memory.records(boundary=WHOLE)}


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


def test_without_an_embedder_the_receipt_says_how_turns_were_chosen(memory: byheart.Memory) -> None:
    bare = byheart.Memory()
    bare.remember_many(turns(4))
    done = bare.compact("s1", target=4)
    assert done.degraded == ("no embedder: turns were chosen by their words, hashed",)
    assert done.summary_method == "extractive"
    memory.remember_many(turns(4))
    assert memory.compact("s1", target=4).degraded == ()


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


# ---- who summarises


def gated(count: int, scores: Sequence[object]) -> list[dict[str, object]]:
    return [
        turn | {"metadata": {"gating_score": score} if score is not None else {}}
        for turn, score in zip(turns(count), scores, strict=True)
    ]


def test_clusters_worth_it_are_written_and_others_extracted() -> None:
    memory = byheart.Memory(embedder=HashingEmbedder())
    memory.remember_many(gated(6, [0.6, "0.6", 1.0, 0.19, None, None]))
    done = memory.compact("s1", target=2, abstractive=JOINED)
    methods = [stored(memory)[id].metadata["method"] for id in done.summaries]
    assert methods == ["joined", "extractive", "extractive"]
    assert done.summary_method == "mixed"


def test_a_summary_that_drifts_is_not_accepted() -> None:
    drifting = FunctionSummariser(lambda asked: ("A submarine dives below the ice.", 0.9), "dreamer")
    memory = byheart.Memory(embedder=HashingEmbedder())
    memory.remember_many(gated(4, [0.9] * 4))
    plain = memory.compact("s1", target=2, abstractive=drifting, preservation=True)
    records = stored(memory)
    assert plain.summary_method == "extractive"
    assert len(plain.degraded) == 2 and "dreamer drifted" in plain.degraded[0]
    noted = records[plain.summaries[0]].metadata
    assert 0 < noted["alignment"] <= 1 and 0 < noted["coverage"] <= 1
    assert noted["preserved_confidence"] == pytest.approx((noted["alignment"] + noted["coverage"]) / 2)
    assert records[plain.summaries[0]].confidence != noted["preserved_confidence"], "seed 000's own is what is stored"

    memory = byheart.Memory(embedder=HashingEmbedder())
    memory.remember_many(gated(4, [0.9] * 4))
    done = memory.compact("s1", target=4, abstractive=JOINED, preservation=True)
    [record] = [stored(memory)[id] for id in done.summaries]
    noted = record.metadata
    assert (done.summary_method, done.degraded, record.confidence) == ("joined", (), 0.75)
    shares = (noted["alignment"] + noted["coverage"]) / 2
    assert noted["preserved_confidence"] == pytest.approx(0.8 * shares + 0.2 * 0.75)


class Failing:
    """Fails in one way of many."""

    name = "failing"

    def __init__(self, way: object) -> None:
        self.way = way

    def summarise(self, asked: Sequence[Turn]) -> Summary:
        if isinstance(self.way, Exception):
            raise self.way
        return self.way(asked)


FAILURES = {
    "raises": (Failing(ZeroDivisionError("by zero")), SummaryError, "failing: failed with ZeroDivisionError: by zero"),
    "a model": (Failing(ModelError("no file")), ModelError, "no file"),
    "blank": (FunctionSummariser(lambda asked: (" ", 0.5), "blank"), SummaryError, "blank: gave a blank text"),
    "no summary": (Failing(lambda asked: "text"), SummaryError, "failing: gave str; it must give a Summary"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failing_summariser_changes_nothing(memory: byheart.Memory, name: str) -> None:
    summariser, kind, message = FAILURES[name]
    memory.remember_many(gated(4, [0, 0, 1, 1]))
    before = stored(memory)
    with pytest.raises(kind, match=message):
        memory.compact("s1", target=2, abstractive=summariser)
    assert stored(memory) == before, "the first cluster was fine, and is not written alone"
    done = memory.compact("s1", target=2, abstractive=summariser, fallback=True)
    assert done.summary_method == "extractive" and done.clusters_formed == 2
    assert len(done.degraded) == 1 and message in done.degraded[0] and done.degraded[0].startswith("t02...")


def test_a_model_writes_for_clusters_that_are_worth_it(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")
    folder = tiny.write_summariser(tmp_path / "model", tiny.summariser())
    said = ("the kettle is hot.", "hot", "the kettle", "is hot.")
    memory = byheart.Memory(embedder=HashingEmbedder())
    memory.remember_many(turn | {"text": text} for turn, text in zip(gated(4, [0.9, 0.9, 0.1, 0.1]), said, strict=True))
    done = memory.compact("s1", target=2, abstractive=OnnxSummariser(folder, prefix=""), preservation=True)
    written, extracted = (stored(memory)[id] for id in done.summaries)
    assert (written.metadata["method"], extracted.metadata["method"]) == ("onnx-t5", "extractive")
    assert written.text == "the kettle is hot. hot"
    assert written.confidence is not None and 0.98 < written.confidence < 1.0
    assert written.decay_rate == 1.0 - written.confidence
    assert written.metadata["alignment"] >= 0.65
    assert done.degraded == ()


def test_a_summariser_that_could_not_read_all_says_so() -> None:
    cut = Failing(lambda asked: Summary("short", 0.5, "cut", tuple(turn.id for turn in asked), truncated=True))
    memory = byheart.Memory()
    memory.remember_many(turns(2))
    done = memory.compact("s1", force=True, summariser=cut)
    assert done.degraded == ("t00...: cut could not read all of the turns",)
    assert stored(memory)[done.summaries[0]].metadata["truncated"] is True


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ({"session_id": " "}, InvalidArgument),
        ({"session_id": 7}, TypeError),
        ({"target": True}, TypeError),
        ({"target": 2.0}, TypeError),
        ({"target": 4_097}, LimitExceeded),
        ({"sources": "keep"}, InvalidArgument),
        ({"summary_time": "oldest"}, InvalidArgument),
        ({"trivial": ""}, InvalidArgument),
        ({"keep_recent": -1}, InvalidArgument),
        ({"force": "no"}, TypeError),
        ({"fallback": 1}, TypeError),
        ({"keep_recent": 1.5}, TypeError),
        ({"summariser": len}, TypeError),
        ({"abstractive": "t5"}, TypeError),
        ({"now": "today"}, TypeError),
        ({"boundary": {"class": "pii"}}, InvalidArgument),
    ],
    ids=lambda value: str(value),
)
def test_arguments_that_cannot_be_taken(arguments: dict[str, object], kind: type[Exception]) -> None:
    memory = byheart.Memory()
    memory.remember_many(turns(2))
    before = stored(memory)
    with pytest.raises(kind):
        memory.compact(**{"session_id": "s1", "force": True, **arguments})
    assert stored(memory) == before


def test_an_id_that_is_taken_is_refused(memory: byheart.Memory) -> None:
    memory.remember_many(turns(2))
    taken = summary_id("s1", ["t00", "t01"])
    memory.remember("Something of my own.", id=taken)
    before = stored(memory)
    with pytest.raises(DuplicateId, match=taken):
        memory.compact("s1", force=True)
    assert stored(memory) == before


# ---- while others write


def test_turns_that_arrive_meanwhile_wait_for_the_next_time(memory: byheart.Memory) -> None:
    memory.remember_many(turns(4))
    late = {"id": "late", "text": "One more thing.", "session_id": "s1", "created_at": 50.0}

    def slow(asked: Sequence[Turn]) -> tuple[str, float]:
        memory.remember(late)
        return joined(asked)

    done = memory.compact("s1", target=4, summariser=FunctionSummariser(slow, "slow"))
    assert stored(memory)[done.summaries[0]].source_ids == ("t00", "t01", "t02", "t03")
    assert stored(memory)["late"].archived_by is None
    assert [hit.id for hit in memory.recall("one more thing", 1)] == ["late"]


def test_a_turn_that_changes_meanwhile_is_summarised_as_it_is_now(memory: byheart.Memory) -> None:
    memory.remember_many(turns(4))
    calls: list[tuple[str, ...]] = []

    def slow(asked: Sequence[Turn]) -> tuple[str, float]:
        calls.append(tuple(turn.id for turn in asked))
        if len(calls) == 1:
            memory.update("t01", text="I take that back.")
        return joined(asked)

    done = memory.compact("s1", target=2, summariser=FunctionSummariser(slow, "slow"))
    first, _ = done.summaries
    assert "I take that back." in stored(memory)[first].text
    assert calls == [("t00", "t01"), ("t02", "t03"), ("t00", "t01")], "what is still true is not made again"
    assert done.clusters_formed == 2


def test_a_turn_that_is_forgotten_meanwhile_is_in_no_summary(memory: byheart.Memory) -> None:
    memory.remember_many(turns(3))

    def slow(asked: Sequence[Turn]) -> tuple[str, float]:
        memory.forget("t01")
        return joined(asked)

    done = memory.compact("s1", target=3, force=True, summariser=FunctionSummariser(slow, "slow"))
    assert stored(memory)[done.summaries[0]].source_ids == ("t00", "t02")
    assert "Turn 1" not in stored(memory)[done.summaries[0]].text


def test_a_session_that_never_rests_is_an_error(memory: byheart.Memory) -> None:
    memory.remember_many(turns(2))
    calls: list[int] = []

    def slow(asked: Sequence[Turn]) -> tuple[str, float]:
        calls.append(1)
        memory.update("t00", text=f"Again {len(calls)}.")
        return joined(asked)

    with pytest.raises(StoreBusy, match="during each of 64 attempts"):
        memory.compact("s1", force=True, summariser=FunctionSummariser(slow, "slow"))
    assert len(calls) == 64
    assert {record.archived_by for record in stored(memory).values()} == {None}


@pytest.mark.parametrize("sources", ["archive", "delete"])
def test_after_every_write_each_turn_is_said_once(
    memory: byheart.Memory, sources: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = memory.remember_many(turns(6))
    store, write_if = memory._engine.store, memory._engine.store.write_if
    moments: list[list[str]] = []

    def watched(*arguments: Any, **named: Any) -> bool:
        done = write_if(*arguments, **named)
        records = list(store.load())
        live = [str(record.id) for record in records if record.kind == "turn" and record.archived_by is None]
        moments.append(sorted([*live, *(source for record in records for source in record.source_ids)]))
        return done

    monkeypatch.setattr(store, "write_if", watched)
    assert len(memory.compact("s1", target=3, summariser=JOINED, sources=sources).summaries) == 2
    assert moments and moments == [ids] * len(moments), "by itself, or by a summary, and never by both"


def test_an_embedder_that_changes_meanwhile_makes_the_vectors() -> None:
    memory = byheart.Memory(embedder=HashingEmbedder(16))
    memory.remember_many(turns(2))
    wider = HashingEmbedder(32)

    def slow(asked: Sequence[Turn]) -> tuple[str, float]:
        memory.embed(wider)
        return joined(asked)

    [summary] = memory.compact("s1", force=True, summariser=FunctionSummariser(slow, "slow")).summaries
    found = dict(memory._engine.store.vectors(str(wider.fingerprint)))
    assert {key.id: len(row) for key, row in found.items()} == {"t00": 128, "t01": 128, summary: 128}


def test_two_memories_of_one_store_compact_once() -> None:
    store = InProcessStore()
    first = byheart.Memory(store=store)
    first.remember_many(turns(4))
    second = byheart.Memory(store=store)

    def slow(asked: Sequence[Turn]) -> tuple[str, float]:
        second.compact("s1", target=2, summariser=JOINED)
        return joined(asked)

    summariser = FunctionSummariser(slow, "joined")
    assert not first.compact("s1", target=2, summariser=summariser).did_compact
    assert sum(record.kind == "summary" for record in store.load()) == 2


# ---- deleting


def test_turns_are_deleted_where_that_is_asked_for(memory: byheart.Memory) -> None:
    memory.remember_many(turns(4))
    done = memory.compact("s1", target=4, sources="delete", summariser=JOINED)
    assert (done.sources, done.turns_removed) == ("delete", 4)
    assert list(stored(memory)) == list(done.summaries)
    assert memory.expand(done.summaries[0]) == []
    assert memory.check() == []


# ---- expand and touch


def test_expanding_gives_the_turns_and_counts_the_use(memory: byheart.Memory) -> None:
    memory.remember_many(reversed(turns(3)))
    before = memory.records()
    [summary] = memory.compact("s1", target=3).summaries
    found = memory.expand(summary)
    assert [record.completed(archived_by=None) for record in found] == before
    assert {record.archived_by for record in found} == {summary}
    assert stored(memory)[summary].access_count == 1
    with pytest.raises(InvalidArgument, match="'t00' is no summary, but of kind 'turn'"):
        memory.expand("t00")
    with pytest.raises(RecordNotFound):
        memory.expand("t99")
    with pytest.raises(InvalidArgument):
        memory.expand("")


def test_a_summary_of_summaries_expands_to_their_turns() -> None:
    memory = byheart.Memory()
    memory.remember_many(turns(4))
    first, second = memory.compact("s1", target=2).summaries
    memory.remember("All of it.", id="top", kind="summary", source_ids=[first, second, "top"])
    assert [record.id for record in memory.expand("top")] == ["t00", "t01", "t02", "t03"]


def test_a_memory_that_is_only_read_expands_without_counting(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with byheart.Memory(path) as memory:
        memory.remember_many(turns(2))
        [summary] = memory.compact("s1", force=True).summaries
    from byheart.storage.sqlite import SqliteStore

    with SqliteStore(path, read_only=True) as store:
        reader = byheart.Memory(store=store)
        assert [record.id for record in reader.expand(summary)] == ["t00", "t01"]
        assert stored(reader)[summary].access_count == 0


def test_a_touch_counts_and_changes_nothing_else(memory: byheart.Memory) -> None:
    memory.remember_many(turns(2))
    before, vectors = stored(memory), dict(memory._engine.store.vectors(memory._engine.indexes.model))
    assert memory.touch(["t00", "t00", "absent"], now=700) == 1
    assert memory.touch("t00", now=800) == 1
    after = stored(memory)
    assert after["t00"] == before["t00"].completed(access_count=2, accessed_at=800.0)
    assert after["t01"] == before["t01"]
    assert dict(memory._engine.store.vectors(memory._engine.indexes.model)) == vectors
    assert memory.touch([], now=1) == memory.touch("t00", boundary={"classes": ["pii"]}) == 0
    assert memory.recall("kettle").hits
    assert stored(memory)["t00"].access_count == 2, "a recall is no use"


def test_the_verbs_for_asyncio() -> None:
    async def run() -> tuple[CompactReceipt, list[str | None], int]:
        memory = byheart.Memory()
        memory.remember_many(turns(2))
        done = await memory.acompact("s1", force=True)
        found = await memory.aexpand(done.summaries[0])
        return done, [record.id for record in found], await memory.atouch("t00")

    done, ids, touched = asyncio.run(run())
    assert done.did_compact and ids == ["t00", "t01"] and touched == 1


# ---- forgetting


def test_a_summary_goes_with_any_of_its_turns(memory: byheart.Memory) -> None:
    memory.remember_many(turns(4))
    first, second = memory.compact("s1", target=2, summariser=JOINED).summaries
    vectors = dict(memory._engine.store.vectors(memory._engine.indexes.model))
    plan = memory.forget("t01", dry_run=True)
    assert first in stored(memory)
    gone = memory.forget("t01")
    assert (gone.ids, gone.missing, gone.summaries, gone.released) == (("t01",), (), (first,), ("t00",))
    assert (plan.ids, plan.summaries, plan.released) == (gone.ids, gone.summaries, gone.released)
    assert stored(memory)["t00"].archived_by is None
    assert stored(memory)["t02"].archived_by == second
    assert {hit.id for hit in memory.recall("turn again", 9)} == {"t00", second}
    after = dict(memory._engine.store.vectors(memory._engine.indexes.model))
    assert after == {key: row for key, row in vectors.items() if key.id not in ("t01", first)}
    assert memory.check() == []


def test_the_turns_of_a_forgotten_summary_are_found_again(memory: byheart.Memory) -> None:
    memory.remember_many(turns(2))
    before = stored(memory)
    [summary] = memory.compact("s1", force=True).summaries
    gone = memory.forget(summary)
    assert (gone.ids, gone.summaries, gone.released) == ((summary,), (), ("t00", "t01"))
    assert stored(memory) == before
    assert memory.compact("s1", force=True).summaries == (summary,)


def test_the_turns_of_a_summary_may_be_forgotten_with_it(memory: byheart.Memory) -> None:
    memory.remember_many(turns(4))
    first, second = memory.compact("s1", target=2).summaries
    gone = memory.forget(first, sources="forget")
    assert gone.ids == (first, "t00", "t01") and gone.released == gone.summaries == ()
    assert sorted(stored(memory)) == sorted([second, "t02", "t03"])
    with pytest.raises(InvalidArgument, match="sources: is 'keep'"):
        memory.forget(second, sources="keep")


def test_a_deleted_turn_that_is_forgotten_takes_its_summary(memory: byheart.Memory) -> None:
    memory.remember_many(turns(4))
    first, second = memory.compact("s1", target=2, sources="delete", summariser=JOINED).summaries
    gone = memory.forget(["t01", "unknown"])
    assert (gone.ids, gone.missing, gone.summaries) == ((), ("t01", "unknown"), (first,))
    assert list(stored(memory)) == [second]


def test_a_whole_session_is_forgotten_at_once(memory: byheart.Memory) -> None:
    memory.remember_many(turns(4))
    memory.compact("s1", target=2)
    gone = memory.forget(where={"session_id": "s1"})
    assert len(gone.ids) == 6 and gone.summaries == gone.released == ()
    assert stored(memory) == {}


def test_an_archived_turn_that_ends_takes_its_summary() -> None:
    memory = byheart.Memory()
    memory.remember_many(turns(2))
    [summary] = memory.compact("s1", force=True).summaries
    memory.update("t00", expires_at=5_000.0)
    gone = memory.purge(now=5_000)
    assert (gone.ids, gone.summaries, gone.released) == (("t00",), (summary,), ("t01",))


def test_forgetting_stays_inside_the_boundary() -> None:
    memory = byheart.Memory()
    memory.remember_many(turns(2, boundary_class="pii"))
    memory.remember("In other words.", id="words", kind="summary", source_ids=["t00"], boundary_class="public")
    narrow = {"classes": ["pii"]}
    assert memory.forget("t00", boundary=narrow).summaries == ()
    assert memory.forget("t00", boundary=narrow).missing == ("t00",)
    assert "words" in stored(memory)
    assert memory.forget("t00").summaries == ("words",)


def test_a_summary_that_is_replaced_is_of_its_new_turns_alone() -> None:
    memory = byheart.Memory()
    memory.remember_many(turns(2))
    for source in ("t00", "t01"):
        memory.remember("In other words.", id="words", kind="summary", source_ids=[source])
    assert memory.forget("t00").summaries == ()
    assert memory.forget("t01").summaries == ("words",)


def test_what_is_known_of_summaries_outlives_a_generation(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with byheart.Memory(path) as memory:
        memory.remember_many(turns(4))
        first, _ = memory.compact("s1", target=2, sources="delete").summaries
        assert memory._engine.indexes.save(at_least=0)
    with byheart.Memory(path) as memory:
        assert memory.opened.startswith("opened generation")
        assert memory.forget("t00").summaries == (first,)


def test_turns_that_moved_to_another_cell_are_compacted_there() -> None:
    memory = byheart.Memory()
    memory.remember_many(turns(2, boundary_class="pii"))
    [summary] = memory.compact("s1", force=True, boundary=WHOLE).summaries
    old = stored(memory)[summary]
    memory.remember_many(turns(2))
    assert summary not in stored(memory), "it would tell of them where they were"
    memory.remember(old)  # as if it had been kept there
    before = stored(memory)
    with pytest.raises(DuplicateId):
        memory.compact("s1", force=True)
    assert stored(memory) == before, "what lies outside the boundary stays"
    assert memory.compact("s1", force=True, boundary=WHOLE).summaries == (summary,)
    after = stored(memory)
    assert after[summary].boundary_class == "internal" and memory.check() == []
    assert after["t00"].archived_by == after["t01"].archived_by == summary
