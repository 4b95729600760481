"""Measures agree with their definitions, and with numbers that others published."""

import json
import math
from pathlib import Path

import pytest

from byheart.errors import InvalidArgument
from byheart.evaluation import metrics

GRADES = {"b": 3, "d": 2, "x": 1}
RANKING = ["a", "b", "c", "d"]
ROUNDING = 1e-12  # absolute; sums of a few quotients of doubles in [0, 1]


def test_ndcg_by_hand() -> None:
    gained = 3 / math.log2(3) + 2 / math.log2(5)
    ideal = 3 / math.log2(2) + 2 / math.log2(3) + 1 / math.log2(4)
    assert metrics.ndcg(RANKING, GRADES, 4) == pytest.approx(gained / ideal, abs=ROUNDING)


def test_ndcg_cuts_the_ideal_too() -> None:
    assert metrics.ndcg(["b"], GRADES, 1) == 1.0
    assert metrics.ndcg(["b", "d", "x"], GRADES, 3) == 1.0


def test_exponential_gain_stresses_high_grades() -> None:
    gained = 7 / math.log2(3) + 3 / math.log2(5)
    ideal = 7 / math.log2(2) + 3 / math.log2(3) + 1 / math.log2(4)
    assert metrics.ndcg(RANKING, GRADES, 4, gain="exponential") == pytest.approx(gained / ideal, abs=ROUNDING)


def test_grade_zero_is_not_relevant() -> None:
    grades = {"a": 0, "b": 1}
    assert metrics.recall(["a"], grades, 1) == metrics.precision(["a"], grades, 1) == 0.0
    assert metrics.reciprocal_rank(["a", "b"], grades) == 0.5


def test_a_repeated_id_counts_once_and_those_behind_move_up() -> None:
    repeated = ["x", "x", "x", "a"]
    assert metrics.precision(repeated, {"a": 1}, 2) == 0.5
    assert metrics.recall(repeated, {"a": 1}, 2) == 1.0
    assert metrics.reciprocal_rank(repeated, {"a": 1}, 2) == 0.5
    assert metrics.ndcg(repeated, {"a": 1}, 2) == pytest.approx(1 / math.log2(3), abs=ROUNDING)


@pytest.mark.parametrize("measure", [metrics.ndcg, metrics.recall, metrics.precision, metrics.reciprocal_rank])
def test_nothing_found_and_nothing_relevant_measure_zero(measure: metrics.Measure) -> None:
    assert measure([], {"a": 1}, 10) == 0.0
    assert measure(["a"], {}, 10) == 0.0
    assert measure(["a"], {"a": 0}, 10) == 0.0


def test_reciprocal_rank_of_an_empty_ranking_needs_no_k() -> None:
    assert metrics.reciprocal_rank([], {"a": 1}) == 0.0


@pytest.mark.parametrize("measure", [metrics.ndcg, metrics.recall, metrics.precision, metrics.reciprocal_rank])
def test_k_below_one_is_refused(measure: metrics.Measure) -> None:
    with pytest.raises(InvalidArgument, match="k: is 0"):
        measure(["a"], {"a": 1}, 0)


def test_unknown_gains_and_negative_grades_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="gain: 'log' does not exist"):
        metrics.ndcg(["a"], {"a": 1}, 1, gain="log")
    with pytest.raises(InvalidArgument, match="below 0"):
        metrics.ndcg(["a"], {"a": -1}, 1)


def test_an_estimate_is_the_mean_and_its_standard_error() -> None:
    found = metrics.estimate([1.0, 2.0, 3.0, 6.0])
    assert found.mean == 3.0
    assert found.standard_error == pytest.approx(math.sqrt((4 + 1 + 0 + 9) / 3 / 4), abs=ROUNDING)
    assert metrics.estimate([0.25]) == (0.25, 0.0)
    with pytest.raises(InvalidArgument):
        metrics.estimate([])


def test_published_cases(shared: Path) -> None:
    checked = 0
    for case in json.loads((shared / "vectors" / "metric.json").read_text(encoding="utf-8")):
        given, kind = case["input"], case["feature"].removeprefix("metric.")
        if kind == "ndcg":
            gain = {"exp": "exponential", "linear": "linear"}[given["gain"]]
            found = metrics.ndcg(given["ranking"], given["grades"], given["k"], gain=gain)
        elif kind == "recall":
            found = metrics.recall(given["ranking"], dict.fromkeys(given["relevant"], 1), given["k"])
        elif kind == "mrr":
            found = metrics.reciprocal_rank(given["ranking"], dict.fromkeys(given["relevant"], 1))
        else:
            continue
        assert found == pytest.approx(case["expected"], abs=1e-9), case["id"]
        checked += 1
    for case in json.loads((shared / "vectors" / "metrics.json").read_text(encoding="utf-8")):
        if case["feature"] != "metrics.score":
            continue
        given, expected = case["input"], case["expected"]
        grades, ranking, k = dict.fromkeys(given["relevant"], 1), given["retrieved"], given["k"]
        for name, measure in (
            ("precision", metrics.precision),
            ("recall", metrics.recall),
            ("mrr", metrics.reciprocal_rank),
            ("ndcg", metrics.ndcg),
        ):
            assert measure(ranking, grades, k) == pytest.approx(expected[name], abs=1e-9), (case["id"], name)
        checked += 1
    assert checked >= 10, "the scan found too few cases to mean anything"
