"""The profile `router` over a memory: stages that are recorded, slow, failing or absent; what it tells of each."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import InvalidArgument
from byheart.profiles import Profile
from byheart.profiles.router import RouterConfig
from byheart.ranking.rerank import CallableReranker, Reranker
from byheart.ranking.rerank.protocol import Scored
from byheart.recall.routing import Latencies
from byheart.retrieval import protocol
from byheart.retrieval.protocol import Found, LegQuery, register, unregister
from byheart.retrieval.qmd import Qmd, Variant
from byheart.retrieval.recorded import Recorded

TEXTS = {
    "spring": "The kettle is descaled every spring.",
    "blue": "A blue kettle stands on the stove.",
    "flag": "The switch snake_case_flag is set in a.b.c and in state-of-the-art tools.",
    "tea": "Ada drinks tea.",
    "beans": "The garden has beans.",
}


class Fake:
    """A source that gives what it is told to."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.ids: Sequence[str] = ()
        self.took: float | None = 1.0
        self.error: Exception | None = None
        self.calls = 0

    def search(self, asked: LegQuery) -> Found:
        self.calls += 1
        if self.error is not None:
            raise self.error
        return Found([(id, 1.0 / rank) for rank, id in enumerate(self.ids, 1)], latency_ms=self.took)


@pytest.fixture
def sources() -> Iterator[tuple[Fake, Fake]]:
    pair = Fake("near"), Fake("far")
    for each in pair:
        register(each)
    yield pair
    for each in pair:
        unregister(each.name)


@pytest.fixture
def filled() -> byheart.Memory:
    memory = byheart.Memory()
    for id, text in TEXTS.items():
        memory.remember(text, id=id)
    return memory


def routed(**settings: Any) -> Profile:
    return RouterConfig(**{"stage1": "near", "stage2": "far", **settings}).profile()


def ids(answer: byheart.Recall) -> list[str]:
    return [hit.id for hit in answer]


# ---- by name


def test_by_name_without_an_embedder_words_answer_and_the_answer_says_so(filled: byheart.Memory) -> None:
    answer = filled.recall("when is the kettle descaled?", profile="router")
    assert ids(answer) == ["spring", "blue"]
    assert answer.routing is not None and answer.routing["reason"] == "error"
    assert any(said.startswith("dense:") for said in answer.degraded)


def test_by_name_with_an_embedder_vectors_fill_up() -> None:
    memory = byheart.Memory(embedder=HashingEmbedder())
    for id, text in TEXTS.items():
        memory.remember(text, id=id)
    answer = memory.recall("lex: kettle", profile="router")
    assert ids(answer)[:2] == ["blue", "spring"] or ids(answer)[:2] == ["spring", "blue"]
    assert len(answer) == 5 and answer.degraded == ()
    assert answer.receipt.routing == {
        "stage2_should_trigger": True, "stage2_used": True, "stage2_skipped_budget": False, "reason": "used",
        "estimate_ms": None, "errors": {},
    }  # fmt: skip
    assert set(answer.routing["latency_ms"]) == {"stage1", "stage2", "fusion", "total"}
    assert memory.recall("when is the kettle descaled?", profile="router").routing["reason"] == "not_triggered"


def test_a_typed_line_is_searched_by_its_own_vector() -> None:
    memory = byheart.Memory(embedder=HashingEmbedder())
    for id, text in TEXTS.items():
        memory.remember(text, id=id)
    nearest = ids(memory.recall("drinks tea", profile="dense", k=1))
    for options in ({}, {"vector": HashingEmbedder().embed_queries(["kettle"])[0]}):
        answer = memory.recall("vec: drinks tea\nintent: kettle", profile="router", **options)
        assert ids(answer)[:1] == nearest == ["tea"]
    both = memory.recall("lex: beans\nvec: drinks tea", profile="router", explain=True)
    told = {hit.id: str(hit.explanation) for hit in both}
    assert "2 / (60 + rank 1)" in told["beans"], "the first line weighs twice"
    assert "1 / (60 + rank 1)" in told["tea"] and "2 / (60" not in told["tea"]


def test_other_profiles_tell_of_no_routing(filled: byheart.Memory) -> None:
    answer = filled.recall("kettle")
    assert answer.routing is None and answer.receipt.routing is None


@pytest.mark.parametrize("name", ["snake_case_flag", "a.b.c", "state-of-the-art"])
def test_names_with_marks_in_them_are_found(filled: byheart.Memory, name: str) -> None:
    assert ids(filled.recall(name, profile="router")) == ["flag"]
    assert ids(filled.recall(f"lex: {name}", profile="router")) == ["flag"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("kettle -blue", ["spring"]),
        ('"blue kettle"', ["blue"]),
        ('where is the "kettle blue"', []),
        ("kettle +stove", ["blue"]),
        ("lex: kettle -blue", ["spring"]),
        ("-blue", []),
    ],
)
def test_marks_of_a_question(filled: byheart.Memory, query: str, found: list[str]) -> None:
    assert ids(filled.recall(query, profile="router")) == found


def test_marks_hold_for_the_second_source_too(filled: byheart.Memory, sources: tuple[Fake, Fake]) -> None:
    sources[1].ids = ["blue", "tea"]
    profile = RouterConfig(stage2="far").profile()
    answer = filled.recall("kettle -blue", profile=profile)
    assert ids(answer) == ["spring", "tea"]
    assert ("blue", "the marks of the question do not admit it") in answer.dropped


def test_the_gate_counts_what_the_marks_admit(filled: byheart.Memory, sources: tuple[Fake, Fake]) -> None:
    for number in range(3):
        filled.remember(f"A blue kettle {number}.", id=f"b{number}")
    answer = filled.recall("kettle -blue", profile=RouterConfig(stage2="far").profile())
    assert ids(answer) == ["spring"] and answer.routing["stage2_should_trigger"]


def test_marks_are_looked_for_behind_the_first_candidates() -> None:
    memory = byheart.Memory()
    for number in range(90):
        memory.remember("kettle blue", id=f"b{number:02}")
    memory.remember("one kettle among many other words that make this text long", id="z")
    assert ids(memory.recall("kettle -blue", profile="router")) == ["z"]


# ---- gate and budget, with recorded times


@pytest.mark.parametrize(("first", "filled_up"), [(0, True), (2, True), (3, False)])
def test_the_gate(filled: byheart.Memory, sources: tuple[Fake, Fake], first: int, filled_up: bool) -> None:
    near, far = sources
    near.ids, far.ids = list(TEXTS)[:first], ["beans", "spring"]
    answer = filled.recall("x", profile=routed())
    assert ids(answer) == list(dict.fromkeys([*near.ids, *(far.ids if filled_up else [])]))
    assert far.calls == filled_up
    assert answer.routing["latency_ms"]["stage2"] == (1.0 if filled_up else 0.0)


def test_a_filter_does_not_open_the_gate(filled: byheart.Memory, sources: tuple[Fake, Fake]) -> None:
    near, far = sources
    near.ids, far.ids = ["spring", "blue", "tea"], ["beans"]
    answer = filled.recall("x", profile=routed(), exclude=["blue"])
    assert ids(answer) == ["spring", "tea"] and far.calls == 0


def test_no_filter_opens_the_gate_behind_the_first_stage_of_words() -> None:
    memory = byheart.Memory()
    for number in range(4):
        memory.remember(f"kettle number {number}", id=f"k{number}", kind="pot" if number else "cup")
    answer = memory.recall("kettle", profile="router", where={"kind": "cup"})
    assert ids(answer) == ["k0"] and answer.routing["reason"] == "not_triggered"


@pytest.mark.parametrize(("took", "used"), [(600.0, True), (600.5, False)])
def test_what_took_too_long_is_left_out(
    filled: byheart.Memory, sources: tuple[Fake, Fake], took: float, used: bool
) -> None:
    near, far = sources
    near.ids, far.ids, far.took = ["tea"], ["beans"], took
    answer = filled.recall("x", profile=routed())
    assert ids(answer) == (["tea", "beans"] if used else ["tea"])
    assert answer.receipt.routing["stage2_skipped_budget"] is not used
    assert answer.routing["latency_ms"]["stage2"] == took, "what was measured stays in the split"
    assert bool(answer.degraded) is not used


def test_a_constant_estimate_above_the_cap_asks_nobody(filled: byheart.Memory, sources: tuple[Fake, Fake]) -> None:
    sources[0].ids = ["tea"]
    answer = filled.recall("x", profile=routed(estimate=601.0))
    assert (ids(answer), sources[1].calls) == (["tea"], 0)
    assert answer.receipt.routing["reason"] == "estimated_over_cap"
    assert answer.receipt.routing["estimate_ms"] == 601.0


def test_a_running_estimate_skips_a_slow_source_and_tries_it_again(
    filled: byheart.Memory, sources: tuple[Fake, Fake]
) -> None:
    near, far = sources
    near.ids, far.ids, far.took = ["tea"], ["beans"], 900.0
    profile = routed(estimate="p95")
    reasons = [filled.recall("x", profile=profile).routing["reason"] for _ in range(2)]
    assert reasons == ["observed_over_cap", "estimated_over_cap"] and far.calls == 1
    far.took = 2.0
    answer = filled.recall("x", profile=profile)
    assert answer.routing["reason"] == "used" and answer.routing["estimate_ms"] is None
    assert filled.recall("x", profile=profile).receipt.routing["estimate_ms"] == 2.0


def test_the_running_estimate_is_the_95th_of_100_of_the_last() -> None:
    latencies = Latencies(kept=5)
    for took in (9000.0, 100.0, 200.0, 300.0, 400.0, 1500.0):
        latencies.took("far", took)
    assert latencies.p95("far") == pytest.approx(1280.0) and latencies.p95("near") is None


def test_both_sources_are_asked_where_that_is_wanted(filled: byheart.Memory, sources: tuple[Fake, Fake]) -> None:
    near, far = sources
    near.ids, far.ids = ["tea", "blue", "spring"], ["beans", "spring"]
    answer = filled.recall("x", profile=routed(always_stage2=True, mode="rrf_fusion"), explain=True)
    assert ids(answer) == ["spring", "tea", "beans", "blue"]
    assert answer.hits[0].score == 1 / 63 + 1 / 62
    assert all(hit.explanation.recomputed() == hit.score for hit in answer)
    assert answer.table.columns["stage2"][0] == 1 / 62 and answer.table.columns["far"][2] == 1.0


def test_filling_ends_at_its_cap_and_tells_what_is_beyond(filled: byheart.Memory, sources: tuple[Fake, Fake]) -> None:
    near, far = sources
    near.ids, far.ids = ["tea"], ["beans", "blue", "spring"]
    answer = filled.recall("x", profile=routed(max_append=1))
    assert ids(answer) == ["tea", "beans"]
    assert {row.id for row in answer.dropped} == {"blue", "spring"}
    assert ids(filled.recall("x", profile=routed(top_k=2))) == ["tea", "beans"]


# ---- failures


def test_a_first_stage_that_fails_opens_the_gate(filled: byheart.Memory, sources: tuple[Fake, Fake]) -> None:
    near, far = sources
    near.error, far.ids = OSError("secret words"), ["beans"]
    answer = filled.recall("x", profile=routed())
    assert ids(answer) == ["beans"] and answer.receipt.routing["errors"] == {"stage1": "OSError"}
    assert "secret" not in json.dumps(answer.receipt.to_dict()) and "OSError" in answer.degraded[0]


def test_a_second_stage_that_fails_leaves_the_first_alone(filled: byheart.Memory, sources: tuple[Fake, Fake]) -> None:
    near, far = sources
    near.ids, far.error = ["tea"], TimeoutError()
    answer = filled.recall("x", profile=routed())
    assert ids(answer) == ["tea"] and answer.receipt.routing["reason"] == "error"
    assert answer.receipt.routing["errors"] == {"stage2": "TimeoutError"}
    assert not answer.receipt.routing["stage2_used"] and answer.degraded


def test_without_a_gate_a_source_that_fails_is_an_error_as_before(
    filled: byheart.Memory, sources: tuple[Fake, Fake]
) -> None:
    sources[0].error = OSError()
    with pytest.raises(OSError):
        filled.recall("x", profile=Profile("near", (byheart.profiles.Leg("near"),), ()))


# ---- recorded reports


def test_two_recorded_reports_are_replayed_with_their_times(filled: byheart.Memory) -> None:
    def report(found: list[str], took: float) -> dict[str, Any]:
        entry = {"question": "kettle?", "retrieved_session_ids": found, "latency_ms": took}
        return {"results": [entry], "failures": [{"question": "tea?", "error_code": "TIMEOUT"}]}

    first = Recorded("first report", report(["tea", "tea", "blue"], 40.0))
    second = Recorded("second report", report(["tea", "beans", "unknown"], 599.5))
    for each in (first, second):
        register(each)
    try:
        profile = RouterConfig(stage1="first report", stage2="second report", n1=2).profile()
        answers = [filled.recall("kettle?", profile=profile, now=0) for _ in range(2)]
        assert answers[0] == answers[1] and ids(answers[0]) == ["tea", "beans"]
        assert answers[0].routing["latency_ms"]["stage1"] == 40.0
        assert answers[0].routing["latency_ms"]["stage2"] == 599.5
        failed = filled.recall("tea?", profile=profile)
        assert set(failed.receipt.routing["errors"]) == {"stage1", "stage2"} and not failed.hits
        assert "no such question" in " ".join(filled.recall("other?", profile=profile).degraded)
    finally:
        unregister("first report")
        unregister("second report")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({}, "results"),
        ({"results": [{}]}, r"results\[0\]: needs a \"question\""),
        ({"results": [{"question": "x"}]}, "retrieved_session_ids"),
        ({"results": [{"question": "x", "retrieved_session_ids": [], "latency_ms": -1}]}, "latency_ms"),
    ],
)
def test_what_is_no_report_is_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        Recorded("report", wrong)


# ---- the third stage


def test_a_reranker_reads_the_merged_list_and_finds_nothing_new(
    filled: byheart.Memory, sources: tuple[Fake, Fake]
) -> None:
    near, far = sources
    near.ids, far.ids = ["tea", "blue"], ["beans", "spring"]
    read: list[str] = []

    def judge(query: str, texts: Sequence[str]) -> list[float]:
        read.extend(texts)
        return [float("beans" in text) for text in texts]

    profile = RouterConfig(stage1="near", stage2="far").profile(judge)
    answer = filled.recall("x", profile=profile, explain=True)
    assert sorted(read) == sorted(TEXTS[id] for id in ("tea", "blue", "beans", "spring"))
    assert ids(answer) == ["tea", "beans", "blue", "spring"], "the first keeps 0.75; the third has 0.25 + 0.25"
    assert [hit.score for hit in answer] == [0.75, 0.75 / 3 + 0.25, 0.75 / 2, 0.6 / 4]
    assert answer.table.columns["reranked"] == (0.0, 1.0, 0.0, 0.0)
    assert all(hit.explanation.recomputed() == hit.score for hit in answer)


def test_a_reranker_that_is_an_object_is_asked_as_it_is() -> None:
    reranker = CallableReranker(lambda query, texts: [0.0] * len(texts), name="own")
    assert RouterConfig().profile(reranker).stages[-1].reranker is reranker


def test_a_reranker_that_fails_changes_nothing(filled: byheart.Memory, sources: tuple[Fake, Fake]) -> None:
    def judge(query: str, texts: Sequence[str]) -> list[float]:
        raise OSError("no model")

    sources[0].ids = ["tea", "blue", "spring"]
    answer = filled.recall("x", profile=RouterConfig(stage1="near", stage2="far").profile(judge))
    assert ids(answer) == ["tea", "blue", "spring"] and "OSError" in answer.degraded[0]
    assert [hit.score for hit in answer] == [1 / 61, 1 / 62, 1 / 63]


# ---- the first stage by itself


class Wordings:
    def __init__(self) -> None:
        self.asked: list[str] = []

    def expand(self, query: str, intent: str | None, *, temperature: float, max_tokens: int) -> list[Variant]:
        self.asked.append(query)
        return [Variant("lex", "beans")]


def test_an_expander_is_asked_only_where_words_are_not_sure() -> None:
    memory = byheart.Memory()
    memory.remember("beans", id="beans")
    memory.remember("zanzibar zanzibar zanzibar", id="sure")
    for number in range(400):
        memory.remember(f"filler words {number} here", id=f"f{number}")
    model = Wordings()
    register(Qmd("wordy", model))
    try:
        profile = RouterConfig(stage1="wordy").profile()
        assert ids(memory.recall("zanzibar", profile=profile)) == ["sure"] and model.asked == []
        assert ids(memory.recall("zanzibar\nintent: places", profile=profile)) == ["sure", "beans"]
        assert ids(memory.recall("lex: zanzibar", profile=profile)) == ["sure"], "the asker chose the searches"
        assert "beans" in ids(memory.recall("words", profile=profile, k=20)) and model.asked == ["zanzibar", "words"]
    finally:
        unregister("wordy")


def test_words_alone_and_a_lowest_score(filled: byheart.Memory) -> None:
    leg = byheart.profiles.Leg
    plain = Profile("words", (leg("qmd", settings={"mode": "words"}),), RouterConfig().profile().stages[1:])
    answer = filled.recall("kettle", profile=plain)
    assert set(ids(answer)) == {"blue", "spring"} and answer.degraded == ()
    cut = Profile("words", (leg("qmd", settings={"mode": "words", "min_score": 0.06}),), plain.stages)
    assert len(filled.recall("kettle", profile=cut)) == 1
    with pytest.raises(InvalidArgument, match="mode"):
        filled.recall("kettle", profile=Profile("odd", (leg("qmd", settings={"mode": "odd"}),), plain.stages))


def test_the_name_is_not_free() -> None:
    with pytest.raises(InvalidArgument, match="taken"):
        register(Qmd())
    assert "qmd" in protocol.retriever_names() and not protocol.has_index("qmd")


def test_a_memory_that_never_asks_it_does_not_load_it() -> None:
    program = "import byheart, sys; byheart.Memory().recall('x'); print('byheart.retrieval.qmd' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_third_stage_that_fails_leaves_what_there_was(filled: byheart.Memory) -> None:
    class Broken(Reranker):
        name = "broken"

        def scores(self, query: str, documents: Sequence[str], *, deadline: float | None = None) -> list[Scored]:
            raise OSError("gone")

    before = filled.recall("lex: kettle", profile=RouterConfig().profile())
    after = filled.recall("lex: kettle", profile=RouterConfig().profile(Broken()))
    assert before.hits and [(hit.id, hit.score) for hit in after] == [(hit.id, hit.score) for hit in before]
    assert "rerank by broken failed (raised OSError): scores and order as before" in after.degraded
