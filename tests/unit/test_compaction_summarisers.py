"""Who summarises a session: models and extracts, what is not accepted, what fails."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import byheart
from byheart.conversation.compaction import summary_id
from byheart.embedding import HashingEmbedder
from byheart.errors import (
    DuplicateId,
    InvalidArgument,
    LimitExceeded,
    ModelError,
    SummaryError,
)
from byheart.summarising import FunctionSummariser, OnnxSummariser, Summary, Turn

from ..models import tiny
from .sessions import JOINED, stored, turns

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
        ({"now": "today"}, InvalidArgument),
        ({"now": [1]}, TypeError),
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
