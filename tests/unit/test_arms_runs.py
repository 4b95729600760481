"""Runs of arms: what is found, what fails and where, and the reports of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.errors import InvalidArgument
from byheart.evaluation import bench_metrics
from byheart.evaluation.arms import receipts, retrieval_report, router_run, running
from byheart.evaluation.arms.histories import Dataset, read
from byheart.evaluation.arms.receipts import Sampling
from byheart.evaluation.arms.remembering import remember
from byheart.evaluation.arms.running import Arm
from byheart.evaluation.converters.conversations import Session, Turn
from byheart.profiles import Leg, Profile
from byheart.ranking.router.stage import Route
from byheart.retrieval.protocol import Found, LegQuery, register, retriever_names, unregister
from byheart.retrieval.recorded import Recorded

from . import bench_files
from .router_runs import METRICS, routed

NEAR = Profile("near", (Leg("qmd", 20),), (Route("qmd", "nobody", top_k=20),), pool=20, max_results=20)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return read(bench_files.write(tmp_path_factory.mktemp("bench")))


@pytest.fixture(scope="module")
def told(asked: Dataset) -> receipts.Told:
    return routed(asked)


def reported(asked: Dataset, *arms: Arm, **settings: Any) -> dict[str, dict[str, Any]]:
    made = receipts.reported(asked, arms, run_group="run", created="then", **settings)
    for report in made.values():
        assert not list(retrieval_report.problems(report))
    return made


class Failing:
    """A source that raises for some questions, and finds one session otherwise."""

    name = "failing"

    def __init__(self, errors: dict[str, Exception]) -> None:
        self._errors = errors

    def search(self, query: LegQuery) -> Found:
        text = query.question.text
        for word, error in self._errors.items():
            if word in text:
                raise error
        return Found([("tea", 1.0)])


@pytest.fixture
def failing() -> Iterator[Callable[..., Arm]]:
    def made(**errors: Exception) -> Arm:
        register(Failing(errors), replace=True)
        route = Route("failing", "nobody")
        return Arm("failing", lambda: Profile("failing", (Leg("failing", 20),), (route,)), 3)

    yield made
    if "failing" in retriever_names():
        unregister("failing")


def test_a_report_has_every_field_and_is_read_back(asked: Dataset, tmp_path: Path) -> None:
    report = reported(asked, Arm("near", lambda: NEAR, 3, mode="qmd"), sampling=Sampling(4, 7))["near"]
    assert set(report) >= {
        "schema", "run_id", "provider", "dataset", "top_k", "created_at_utc", "config", "manifest", "summary",
        "latency", "results", "failures",
    }  # fmt: skip
    assert report["schema"].endswith("/retrieval-report/v0.2") and report["dataset"] == "tea time"
    assert set(report["config"]) >= {"skip_ingest", "preindex_once", "sample_size", "sample_seed"}
    assert (report["config"]["sample_size"], report["config"]["sample_seed"]) == (4, 7)
    assert set(report["latency"]) == {"search_ms_p50", "search_ms_p95", "search_ms_mean"}
    assert set(report["summary"]) >= {
        "questions_total", "questions_succeeded", "questions_failed", *METRICS, "by_question_type", "failure_breakdown",
    }  # fmt: skip
    assert set(report["summary"]["failure_breakdown"]) == {"by_code", "by_category", "by_phase"}
    for result in report["results"]:
        assert set(result) >= {
            "question_id", "question", "question_type", "ground_truth", "relevant_session_ids",
            "retrieved_session_ids", "retrieved_observation_ids", "retrieved_sources", "ingest_result", "latency_ms",
            "metrics",
        }  # fmt: skip
        expected = bench_metrics.score(result["retrieved_session_ids"], result["relevant_session_ids"], 3)
        assert tuple(result["metrics"].values()) == expected
        assert set(result["retrieved_sources"]) == {"qmd"}
    path = tmp_path / "report.json"
    path.write_text(retrieval_report.as_json(report), encoding="utf-8")
    assert retrieval_report.read(path) == report
    assert Recorded("old", path).answer(report["results"][0]["question"])[0][0] == "tea"


def test_types_stand_by_their_number_and_means_beside_those_with_failures(
    asked: Dataset, failing: Callable[..., Arm]
) -> None:
    arm = failing(violin=TimeoutError("late"), Turku=KeyError("x"))
    report = reported(asked, arm)["failing"]
    summary = report["summary"]
    assert (summary["questions_total"], summary["questions_succeeded"], summary["questions_failed"]) == (5, 2, 3)
    assert summary["hit_at_k"] == 0.5 and summary["failures_as_zero"]["hit_at_k"] == 0.2
    assert summary["failure_breakdown"] == {
        "by_code": {"TIMEOUT": 1, "UNEXPECTED_ERROR": 2},
        "by_category": {"timeout": 1, "unknown": 2},
        "by_phase": {"search": 3},
    }
    assert [failed["question_id"] for failed in report["failures"]] == ["q2", "q3", "q4"]
    assert report["failures"][1]["error"] == "late" and report["failures"][1]["retryable"] is True
    page = retrieval_report.as_markdown(report)
    assert "Failed: 1 TIMEOUT, 2 UNEXPECTED_ERROR." in page and "| failures as 0 |" in page
    whole = reported(asked, Arm("near", lambda: NEAR, 3))["near"]["summary"]["by_question_type"]
    assert [(name, row["questions"]) for name, row in whole.items()] == [("facts", 2), ("times", 2), ("places", 1)]
    assert set(whole["facts"]) == {"questions", *METRICS, "search_ms_p50", "search_ms_p95", "search_ms_mean"}


@pytest.mark.parametrize(
    ("place", "name", "phase", "ids"),
    [
        (running, "remember", "ingest", ["q1", "q2", "q3", "q4", "q5"]),
        (running, "_sources", "await_indexing", ["q1", "q2", "q3", "q4", "q5"]),
        (bench_metrics, "score", "score", ["q1", "q2", "q3", "q4", "q5"]),
    ],
)
def test_what_fails_fails_in_its_phase(
    asked: Dataset, monkeypatch: pytest.MonkeyPatch, place: Any, name: str, phase: str, ids: list[str]
) -> None:
    def fails(*arguments: object) -> None:
        raise OSError("disk")

    monkeypatch.setattr(place, name, fails)
    [ran] = running.run(asked, [Arm("near", lambda: NEAR, 3)])
    assert [(told["question_id"], told["phase"]) for told in ran.failures] == [(id, phase) for id in ids]
    assert {told["error_code"] for told in ran.failures} == {"ADAPTER_COMMAND_FAILED"} and not ran.retrieved


def test_an_arm_that_cannot_be_made_fails_alone(asked: Dataset) -> None:
    def fails() -> Profile:
        raise InvalidArgument("no such retriever")

    other, near = running.run(asked, [Arm("other", fails), Arm("near", lambda: NEAR, 3)])
    assert len(near.retrieved) == 5 and not near.failures
    told = {(each["phase"], each["error_code"]) for each in other.failures}
    assert told == {("await_indexing", "DATA_VALIDATION_ERROR")} and len(other.failures) == 5


def test_a_session_that_says_nothing_is_not_remembered(tmp_path: Path) -> None:
    blank = Session("blank", None, (Turn("blank/1", "", " "),))
    dated = Session("dated", "2026-05-01T10:00:00Z", (Turn("dated/1", "user", "Tea."),), {"title": "drinks"})
    memory = byheart.Memory()
    assert remember(memory, [blank, dated]) == 1_777_629_600.0
    [record] = memory.records()
    assert (record.id, record.text, record.topic, record.session_id) == ("dated", "user: Tea.", "drinks", "dated")


def test_a_history_that_all_share_is_indexed_before(asked: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = asked.sampled(None, None, 4)
    report = reported(shared, Arm("near", lambda: NEAR, 3))["near"]
    assert report["config"]["preindex_once"] is True
    assert report["results"][0]["ingest_result"] == {"ingest": "preindexed", "sessions": 5}

    def fails(*arguments: object) -> None:
        raise MemoryError

    monkeypatch.setattr(running, "remember", fails)
    [ran] = running.run(shared, [Arm("near", lambda: NEAR, 3)])
    assert {told["phase"] for told in ran.failures} == {"preindex"} and len(ran.failures) == 4


def test_arms_need_names_of_their_own_and_lancedb_s_name_to_be_free(asked: Dataset) -> None:
    arm = Arm("near", lambda: NEAR)
    with pytest.raises(InvalidArgument, match="two have one name"):
        running.run(asked, [arm, arm])
    with pytest.raises(InvalidArgument, match="judge at least the first place"):
        running.run(asked, [Arm("near", lambda: NEAR, 0)])
    with pytest.raises(InvalidArgument, match="lancedb: is 'both'"):
        running.run(asked, [arm], lancedb="both")
    mine = Failing({})
    mine.name = "lancedb"
    register(mine)
    try:
        with pytest.raises(InvalidArgument, match="'lancedb' is registered already"):
            running.run(asked, router_run.router_arms())
    finally:
        unregister("lancedb")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": "x"}, "schema: is 'x'"),
        ({"summary": []}, "summary: is missing, or of another kind"),
        ({"results": [{"question_id": "q"}]}, r"results\[0\].question: is missing"),
        ({"failures": [{"question_id": "q"}]}, r"failures\[0\].phase: is missing"),
    ],
)
def test_what_is_no_report_is_told(told: receipts.Told, tmp_path: Path, change: dict[str, Any], message: str) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps({**told.reports["hybrid"], **change}), encoding="utf-8")
    with pytest.raises(InvalidArgument, match=message):
        retrieval_report.read(path)
    twice = {**told.reports["hybrid"], "results": [*told.reports["hybrid"]["results"]] * 2}
    assert next(retrieval_report.problems(twice)) == "results[5].question_id: 'q1' is there twice"


@pytest.mark.parametrize(
    ("content", "said"), [(None, "cannot be read (["), (b"{", "cannot be read ("), (b"[]", "is no retrieval report; ")]
)
def test_a_report_that_cannot_be_used_is_named(tmp_path: Path, content: bytes | None, said: str) -> None:
    path = tmp_path / "report.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InvalidArgument) as caught:
        retrieval_report.read(path)
    assert str(caught.value).startswith(f"{path}: {said}")


def test_what_failed_counts_as_nothing_in_every_figure() -> None:
    assert retrieval_report.mean_with([], 2) == (0.0,) * 5
