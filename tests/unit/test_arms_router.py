"""The router among its arms: one run of all, the receipt of it, replays of reports, and what is accepted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.errors import InvalidArgument
from byheart.evaluation import bench_metrics
from byheart.evaluation.arms import receipts, retrieval_report, router_run
from byheart.evaluation.arms.histories import Dataset, read
from byheart.evaluation.arms.receipts import Sampling
from byheart.evaluation.arms.remembering import remember
from byheart.profiles.router import RouterConfig
from byheart.retrieval.protocol import register, unregister
from byheart.retrieval.recorded import Recorded

from . import bench_files
from .router_runs import METRICS, routed


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return read(bench_files.write(tmp_path_factory.mktemp("bench")))


@pytest.fixture(scope="module")
def told(asked: Dataset) -> receipts.Told:
    return routed(asked)


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


def test_an_answer_of_a_replay_says_that_what_it_comes_from_is_recorded(told: receipts.Told) -> None:
    again = receipts.router_replay_of(told.reports["qmd-only"], told.reports["lancedb-only"], RouterConfig(top_k=3))
    results = again.reports["hybrid"]["results"]
    assert [each["ingest_result"] for each in results] == [{"ingest": "recorded"}] * 5


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
    left = ", ".join(f"{count} {why}" for why, count in told.receipt["run"]["left_out"].items())
    assert f"| left_out | {left or 'none'} |" in page.splitlines()
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
