"""Runs of arms: what is found, what fails and where, the reports of it, and the acceptance of the router."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.errors import InvalidArgument
from byheart.evaluation import bench_metrics
from byheart.evaluation.arms import comparing, receipts, retrieval_report, router_run, running
from byheart.evaluation.arms.histories import Dataset, read
from byheart.evaluation.arms.receipts import Sampling
from byheart.evaluation.arms.remembering import remember
from byheart.evaluation.arms.running import Arm
from byheart.evaluation.converters.conversations import Session, Turn
from byheart.evaluation.resampling import bootstrap, paired
from byheart.profiles import Leg, Profile
from byheart.profiles.router import RouterConfig
from byheart.ranking.router.stage import Route
from byheart.retrieval.protocol import Found, LegQuery, register, retriever_names, unregister
from byheart.retrieval.recorded import Recorded

from . import bench_files

METRICS = ("hit_at_k", "precision_at_k", "recall_at_k", "mrr", "ndcg_at_k")
NEAR = Profile("near", (Leg("qmd", 20),), (Route("qmd", "nobody", top_k=20),), pool=20, max_results=20)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return read(bench_files.write(tmp_path_factory.mktemp("bench")))


@pytest.fixture(scope="module")
def told(asked: Dataset) -> receipts.Told:
    return routed(asked)


def routed(asked: Dataset, **settings: Any) -> receipts.Told:
    config = RouterConfig(cap_ms=settings.pop("cap_ms", 60_000.0), top_k=3)
    return receipts.router_run_of(asked, config, run_group="run", created="then", **settings)


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


# ---- retrieval reports


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


# ---- the router


def test_the_arms_are_of_one_run_and_the_receipt_counts_them(told: receipts.Told) -> None:
    assert list(told.reports) == ["qmd-only", "lancedb-only", "hybrid"]
    receipt = told.receipt
    stages = receipt["stages"]
    assert stages == {
        "stage2_should_trigger": 4, "stage2_used": 4, "stage2_skipped_budget": 0, "stage2_not_triggered": 1,
        "stage2_errors": 0, "stage1_errors": 0,
    }  # fmt: skip
    assert receipt["config"] | {"stage2_estimate": None} == {
        "mode": "hybrid_router", "fusion": "append_fill", "top_k": 3, "n1": 20, "n2": 20, "max_stage2_append": 10,
        "min_must_count": 3, "k_rrf": 60, "stage2_cap_ms": 60_000.0, "p95_target_ms": 1500.0, "always_stage2": False,
        "stage2_estimate": None, "stage3": "off",
    }  # fmt: skip
    assert receipt["dataset"]["name"] == "tea time" and len(receipt["dataset"]["sha256"]) == 64
    for name, metric in zip(("hit", "precision", "recall", "mrr", "ndcg"), METRICS, strict=True):
        ours, theirs = (told.reports[arm]["summary"][metric] for arm in ("hybrid", "lancedb-only"))
        assert (receipt["summary"][name], receipt["baseline"][name]) == (ours, theirs)
        assert receipt["deltas"][name] == ours - theirs
    for result in told.reports["hybrid"]["results"]:
        took = result["routing"]["latency_ms"]
        assert took["total"] == result["latency_ms"] >= took["stage1"] + took["stage2"], (
            "all that a recall takes counts"
        )
    assert receipt["latency"]["total"]["p95"] == told.reports["hybrid"]["latency"]["search_ms_p95"]
    assert receipt["baseline_questions"] == 5 == receipt["questions"]["succeeded"]
    kept = receipt["summary"]["recall"] >= receipt["baseline"]["recall"]
    assert receipt["acceptance"] == {"p95_ok": True, "recall_non_degrading": kept, "accepted": kept}


def test_the_hybrid_is_what_the_reports_of_its_stages_come_to(told: receipts.Told) -> None:
    config = RouterConfig(cap_ms=60_000.0, top_k=3)
    again = receipts.router_replay_of(told.reports["qmd-only"], told.reports["lancedb-only"], config)
    for live, replayed in zip(told.reports["hybrid"]["results"], again.reports["hybrid"]["results"], strict=True):
        for field in ("question_id", "retrieved_session_ids", "metrics", "relevant_session_ids", "question"):
            assert live[field] == replayed[field]
        assert live["routing"]["reason"] == replayed["routing"]["reason"]
    assert again.receipt["stages"] == told.receipt["stages"] and again.receipt["run"]["recorded"] is True
    twice = receipts.router_replay_of(told.reports["qmd-only"], told.reports["lancedb-only"], config)
    assert twice.files() == again.files(), "times are those of the reports, so that all bytes are the same"
    took = again.reports["hybrid"]["results"][0]["routing"]["latency_ms"]
    one, two = (told.reports[arm]["results"][0]["latency_ms"] for arm in ("qmd-only", "lancedb-only"))
    used = again.reports["hybrid"]["results"][0]["routing"]["stage2_used"]
    assert took["stage1"] == one and took["stage2"] == (two if used else 0.0)


def test_a_stage_of_the_profile_replays_a_written_report(told: receipts.Told, tmp_path: Path, asked: Dataset) -> None:
    for arm in ("qmd-only", "lancedb-only"):
        path = tmp_path / f"{arm}.json"
        path.write_text(retrieval_report.as_json(told.reports[arm]), encoding="utf-8")
        register(Recorded(f"{arm}-report", path))
    try:
        config = RouterConfig("qmd-only-report", "lancedb-only-report", cap_ms=60_000.0, top_k=3)
        for history in (0, 1):
            memory = byheart.Memory()
            remember(memory, asked.histories[history])
            questions = [each.id for each in asked.questions if each.history == history]
            for live in told.reports["hybrid"]["results"]:
                if live["question_id"] in questions:
                    found = memory.recall(live["question"], profile=config.profile(), now=0)
                    assert [hit.id for hit in found] == live["retrieved_session_ids"]
                    assert found.routing["stage2_used"] == live["routing"]["stage2_used"]
    finally:
        unregister("qmd-only-report")
        unregister("lancedb-only-report")


def test_a_question_that_failed_then_fails_that_stage_again(told: receipts.Told) -> None:
    def without(report: dict[str, Any], *ids: str) -> dict[str, Any]:
        failed = [{"question_id": id, "question": id, "phase": "search", "error_code": "TIMEOUT"} for id in ids]
        return {**report, "results": [r for r in report["results"] if r["question_id"] not in ids], "failures": failed}

    first, second = (dict(told.reports[arm]) for arm in ("qmd-only", "lancedb-only"))
    config = RouterConfig(cap_ms=60_000.0, top_k=3)
    again = router_run.replayed(without(first, "q1", "q2"), without(second, "q2", "q3"), config)
    assert [failed["question_id"] for failed in again.failures] == ["q2"]
    got = {each.asked.id: each for each in again.retrieved}
    assert got["q1"].routing["errors"] == {"stage1": "TIMEOUT"} and got["q1"].routing["stage2_used"]
    assert list(got["q1"].ids) == second["results"][0]["retrieved_session_ids"][:3]
    assert got["q3"].routing["reason"] == "error" and list(got["q3"].ids)


def test_a_cap_and_an_estimate_are_kept_to_in_a_replay(told: receipts.Told) -> None:
    first, second = told.reports["qmd-only"], dict(told.reports["lancedb-only"])
    second["results"] = [{**result, "latency_ms": 700.0} for result in second["results"]]
    observed = router_run.replayed(first, second, RouterConfig(top_k=3))
    assert {each.routing["reason"] for each in observed.retrieved} == {"observed_over_cap", "not_triggered"}
    running_estimate = router_run.replayed(first, second, RouterConfig(top_k=3, estimate="p95"))
    reasons = [each.routing["reason"] for each in running_estimate.retrieved if each.routing["stage2_should_trigger"]]
    assert reasons[:2] == ["observed_over_cap", "estimated_over_cap"]
    fixed = router_run.replayed(first, second, RouterConfig(top_k=3, estimate=601.0))
    assert {each.routing["latency_ms"]["stage2"] for each in fixed.retrieved} == {0.0}


def test_reports_of_two_datasets_or_another_k_are_not_joined(told: receipts.Told) -> None:
    first, second = told.reports["qmd-only"], dict(told.reports["lancedb-only"])
    with pytest.raises(InvalidArgument, match="top_k: is 10"):
        router_run.replayed(first, second, RouterConfig())
    other = {**second["manifest"], "dataset": {**second["manifest"]["dataset"], "sha256": "0" * 64}}
    with pytest.raises(InvalidArgument, match="two datasets"):
        router_run.replayed(first, {**second, "manifest": other}, RouterConfig(top_k=3))


def test_two_runs_differ_in_times_alone(asked: Dataset, told: receipts.Told) -> None:
    again = routed(asked)
    assert list(again.files()) == list(told.files()) and len(told.files()) == 7
    compared = 0
    for name, text in told.files().items():
        if name.endswith(".json"):
            one, two = (json.loads(each) for each in (text, again.files()[name]))
            plain = [retrieval_report.as_json(retrieval_report.without_timings(each)) for each in (one, two)]
            assert plain[0] == plain[1], name
            assert len(plain[0]) > len(text) / 3, "most of a file is no time"
            compared += 1
    assert compared == 5


def test_receipts_hold_no_text_of_anybody(told: receipts.Told) -> None:
    looked = 0
    for name, text in told.files().items():
        report = name.endswith("retrieval-report.json")
        for said in bench_files.SAID.values():
            assert said not in text and said[:20] not in text, name
        for _, question, _, answer, _ in bench_files.ASKED:
            if question != "Turku":
                assert (question in text, answer in text) == (report, report), name
                looked += 1
    assert looked == 4 * 7 and bench_files.SECRET in told.files()["hybrid.retrieval-report.json"]


def test_the_page_tells_stages_arms_and_the_run(told: receipts.Told) -> None:
    page = told.files()["receipt.md"]
    for line in ("| used | 4 |", "| not triggered | 1 |", "| min_must_count | 3 |", "| sample_size | None |"):
        assert line in page.splitlines(), line
    for name in ("qmd-only", "lancedb-only", "hybrid", "p50 ms", "p95 ms", told.receipt["dataset"]["sha256"]):
        assert name in page


def test_arms_that_found_the_same_differ_by_nothing_at_all(told: receipts.Told) -> None:
    [one, *_] = told.reports["hybrid"]["results"]
    found = {"retrieved_session_ids": ["a"], "relevant_session_ids": list("abcdefghij")}
    metrics = dict(zip(METRICS, bench_metrics.score(["a"], "abcdefghij", 3), strict=True))
    results = [{**one, **found, "metrics": metrics, "question_id": f"q{at}"} for at in range(10)]
    reports = {name: {**report, "results": results} for name, report in told.reports.items()}
    made = router_run.receipt(reports, told.compared, RouterConfig(top_k=3))
    assert sum([0.1] * 10) != 1.0, "a sum that is not exact would lose the last bit"
    assert set(made["deltas"].values()) == {0.0} and made["acceptance"]["accepted"]


def test_a_loss_of_recall_is_refused_unless_it_is_accepted_as_told(told: receipts.Told) -> None:
    worse = dict(told.reports["hybrid"])
    worse["results"] = [
        {**result, "retrieved_session_ids": [], "metrics": dict.fromkeys(METRICS, 0.0)} for result in worse["results"]
    ]
    reports = {**told.reports, "hybrid": worse, "qmd-only": worse}
    for accepted in (False, True):
        made = router_run.receipt(reports, told.compared, RouterConfig(top_k=3), accept_loss=accepted)
        assert made["acceptance"] == {"p95_ok": True, "recall_non_degrading": False, "accepted": accepted}
        assert made["baseline"]["recall"] == told.reports["lancedb-only"]["summary"]["recall_at_k"] > 0
        assert made["deltas"]["recall"] == -made["baseline"]["recall"] and made["degradation_quantified"] is accepted


def test_a_judged_collection_is_run_replayed_and_judged(shared: Path) -> None:
    folder = shared / "data" / "locomo-dev"
    if not folder.is_dir():
        pytest.skip(f"needs a judged collection: {folder} is not there")
    config, sampling = RouterConfig(cap_ms=60_000.0), Sampling(6, 7)
    made = receipts.router_run_of(read(folder), config, sampling=sampling, run_group="run", created="then")
    live, again = made.reports["hybrid"], receipts.router_replay_of(*list(made.reports.values())[:2], config)
    assert live["summary"]["questions_succeeded"] == 6 and live["summary"]["recall_at_k"] > 0.5
    found = [
        [each["retrieved_session_ids"] for each in report["results"]] for report in (live, again.reports["hybrid"])
    ]
    assert found[0] == found[1] and all(":" not in id for ids in found[0] for id in ids), "sessions, not turns"
    assert again.receipt["summary"] == made.receipt["summary"] and made.receipt["acceptance"]["p95_ok"]


# ---- comparisons


def test_a_comparison_is_paired_and_has_an_interval(told: receipts.Told) -> None:
    compared = told.compared
    assert compared["baseline"] == "lancedb-only" and set(compared["deltas"]) == {"qmd-only", "hybrid"}
    assert compared["intervals"]["resamples"] == 20_000
    base, other = (told.reports[arm]["results"] for arm in ("lancedb-only", "hybrid"))
    for metric in METRICS:
        values = [[result["metrics"][metric] for result in results] for results in (base, other)]
        expected = paired(*values)
        assert compared["deltas"]["hybrid"]["intervals"][metric] == expected._asdict()
        assert compared["deltas"]["hybrid"]["mean"][metric] == expected.mean
    assert {row["arm"] for row in compared["win_rule"]["results"]} == {"qmd-only", "hybrid"}
    assert compared["win_rule"]["rule"]["recall_drop_at_most"] == 0.03


def test_questions_that_one_arm_did_not_answer_count_for_neither(told: receipts.Told) -> None:
    base, fewer = dict(told.reports["lancedb-only"]), dict(told.reports["hybrid"])
    fewer["results"] = fewer["results"][:2]
    base["results"] = [
        {**each, "metrics": {**each["metrics"], "mrr": at / 4}} for at, each in enumerate(base["results"])
    ]
    row = comparing.compare({"a": base, "b": fewer}, "a")["deltas"]["b"]
    assert row["questions"] == 2 and row["baseline"]["mrr"] == 0.125


@pytest.mark.parametrize(
    ("p95", "drop", "ndcg", "win"),
    [(0.8, 0.029, 0.0, True), (0.81, 0.0, 0.1, False), (0.5, 0.031, 0.0, False), (0.5, 0.0, -0.001, False)],
)
def test_who_wins(told: receipts.Told, p95: float, drop: float, ndcg: float, win: bool) -> None:
    base = dict(told.reports["lancedb-only"])

    def with_values(took: float, recall: float, ndcg: float) -> dict[str, Any]:
        metrics = {**dict.fromkeys(METRICS, 0.5), "recall_at_k": recall, "ndcg_at_k": ndcg}
        return {**base, "results": [{**each, "latency_ms": took, "metrics": metrics} for each in base["results"]]}

    reports = {"old": with_values(100.0, 0.5, 0.5), "new": with_values(100.0 * p95, 0.5 - drop, 0.5 + ndcg)}
    compared = comparing.compare(reports, "old")
    [row] = compared["win_rule"]["results"]
    assert row["win"] is win and row["p95_gain_ratio"] == pytest.approx(1.0 - p95)
    cells = [cell.strip() for cell in comparing.as_markdown(compared).splitlines()[-1].strip("|").split("|")]
    assert (cells[0], cells[-1]) == ("new", "yes" if win else "no")


def test_policies_of_keeping_make_a_curve_and_lost_answers_count_as_lost(asked: Dataset) -> None:
    made = routed(asked, policies=["must", "observations"])
    curve = made.compared["tradeoff_curve"]
    assert [row["policy"] for row in curve] == ["must", "all", "all", "observations", "all"]
    must = made.reports["lancedb-only, must"]
    assert must["summary"]["questions_succeeded"] == 5 and must["compression"]["sessions_kept"] == 3
    kept = {id for result in must["results"] for id in result["retrieved_session_ids"]}
    assert kept <= {"tea", "violin"}
    lost = [result for result in must["results"] if result["question_id"] in ("q2", "q4", "q5")]
    assert [result["metrics"]["recall_at_k"] for result in lost] == [0.0, 0.0, 0.0]
    assert [result["relevant_session_ids"] for result in lost] == [["train"], ["garden", "train"], ["kettle"]]
    assert "lancedb-only-must.retrieval-report.json" in made.files()


def test_several_seeds_have_an_interval_over_them(asked: Dataset) -> None:
    runs = [routed(asked, sampling=Sampling(3, seed)).compared for seed in (1, 2, 3)]
    over = comparing.over_seeds(runs)
    assert over["seeds"] == [1, 2, 3] and over["wins"].keys() == {"qmd-only", "hybrid"}
    for run, mean in zip(runs, (0.1, 0.2, 0.6), strict=True):
        run["deltas"]["hybrid"]["mean"]["recall_at_k"] = mean
    found = comparing.over_seeds(runs)["deltas"]["hybrid"]["recall_at_k"]
    assert found == bootstrap([0.1, 0.2, 0.6])._asdict() and found["mean"] == pytest.approx(0.3)
    assert "over seeds 1, 2, 3" in comparing.seeds_as_markdown(over)
    for wrong in (runs[:1], []):
        with pytest.raises(InvalidArgument, match="two comparisons at least"):
            comparing.over_seeds(wrong)


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


def test_what_cannot_be_compared_is_told(told: receipts.Told) -> None:
    reports = dict(told.reports)
    with pytest.raises(InvalidArgument, match="'best' is no arm"):
        comparing.compare(reports, "best")
    with pytest.raises(InvalidArgument, match="hybrid: top_k is 5"):
        comparing.compare({**reports, "hybrid": {**reports["hybrid"], "top_k": 5}}, "lancedb-only")
    failed = {"results": [], "failures": [{"error_code": "TIMEOUT", "error": "late"}] * 5}
    with pytest.raises(InvalidArgument, match=r"hybrid: answered no question .*5 failures, first by TIMEOUT: late"):
        comparing.compare({**reports, "hybrid": {**reports["hybrid"], **failed}}, "lancedb-only")
