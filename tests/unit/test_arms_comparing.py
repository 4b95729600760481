"""Comparisons of arms: paired and with an interval, who wins, what is lost by keeping less, and several seeds."""

from __future__ import annotations

from typing import Any

import pytest

from byheart.errors import InvalidArgument
from byheart.evaluation.arms import comparing, receipts
from byheart.evaluation.arms.histories import Dataset, read
from byheart.evaluation.arms.receipts import Sampling
from byheart.evaluation.resampling import bootstrap, paired

from . import bench_files
from .router_runs import METRICS, routed


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return read(bench_files.write(tmp_path_factory.mktemp("bench")))


@pytest.fixture(scope="module")
def told(asked: Dataset) -> receipts.Told:
    return routed(asked)


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


def test_what_cannot_be_compared_is_told(told: receipts.Told) -> None:
    reports = dict(told.reports)
    with pytest.raises(InvalidArgument, match="'best' is no arm"):
        comparing.compare(reports, "best")
    with pytest.raises(InvalidArgument, match="hybrid: top_k is 5"):
        comparing.compare({**reports, "hybrid": {**reports["hybrid"], "top_k": 5}}, "lancedb-only")
    failed = {"results": [], "failures": [{"error_code": "TIMEOUT", "error": "late"}] * 5}
    with pytest.raises(InvalidArgument, match=r"hybrid: answered no question .*5 failures, first by TIMEOUT: late"):
        comparing.compare({**reports, "hybrid": {**reports["hybrid"], **failed}}, "lancedb-only")
