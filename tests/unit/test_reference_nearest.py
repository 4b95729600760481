"""Scores of records of hypervectors in the reference, with numbers worked out by hand."""

from __future__ import annotations

import pytest

from byheart.reference.hypervector import HyperVector
from byheart.reference.nearest import Entry, field_score, reach, record_score, search, weighted_sum

WEIGHTS = {"topic": 0.35, "claim": 0.35, "role": 0.20, "acts": 0.10}
ZERO = HyperVector(0)
QUERY = HyperVector((1 << 4096) - 1)


def near(similarity: float, parts: int = 1) -> HyperVector:
    """A vector of this similarity to QUERY."""
    return HyperVector((1 << int(similarity * 4096)) - 1, parts)


@pytest.mark.parametrize(
    ("similarity", "score"), [(0.5, 0.0), (0.75, 0.5), (1.0, 1.0), (0.625, 0.25), (0.4, 0.0), (0.0, 0.0)]
)
def test_field_score(similarity: float, score: float) -> None:
    assert field_score(similarity) == score


def test_reach() -> None:
    assert reach(7, 7) == reach(0, 1) == reach(0, 0) == 1.0
    assert reach(1, 2) == reach(2, 1) == 0.5000000000000001  # asin(sqrt(1/2)) is a quarter of pi
    assert abs(reach(1, 4) - 1 / 3) < 1e-15  # asin(1/2) is a sixth of pi
    assert abs(reach(3, 4) - 2 / 3) < 1e-15


def test_weighted_sum_adds_in_declared_order() -> None:
    ones = dict.fromkeys(["acts", "role", "claim", "topic"], 1.0)
    assert weighted_sum(ones, WEIGHTS) == 0.9999999999999999
    assert weighted_sum({"topic": 0.5, "claim": 0.25, "role": 1.0, "acts": None}, WEIGHTS) == 0.46249999999999997


def test_weighted_sum_over_the_fields_that_are_there() -> None:
    scores = {"topic": 0.5, "claim": 0.25, "role": 1.0, "acts": None}
    assert weighted_sum(scores, WEIGHTS, renormalise=True) == 0.46249999999999997 / 0.8999999999999999
    assert weighted_sum({"x": 0.5}, {"x": 0.01}, renormalise=True) == 0.5
    assert weighted_sum({}, WEIGHTS, renormalise=True) == 0.0
    assert weighted_sum({}, WEIGHTS) == 0.0


def test_one_vector_a_record() -> None:
    assert record_score(QUERY, near(0.25), None) == 0.25
    assert record_score(QUERY, ZERO, None) is None
    assert record_score(ZERO, near(0.25), None) is None


def test_sum_over_the_fields_that_both_have() -> None:
    query = {"topic": QUERY, "claim": QUERY, "role": ZERO}
    record = {"topic": near(0.75), "role": QUERY, "acts": QUERY}
    assert record_score(query, record, WEIGHTS) == 0.35 * 0.5
    assert record_score(query, record, WEIGHTS, floor=0.174) == 0.35 * 0.5
    assert record_score(query, record, WEIGHTS, floor=0.175) is None
    assert record_score(query, {"role": QUERY}, WEIGHTS) is None


def test_adaptive_sums_a_record_that_has_all_fields() -> None:
    record = dict.fromkeys(WEIGHTS, near(0.75, parts=9))
    assert record_score({"topic": QUERY}, record, WEIGHTS, "adaptive", 0.05) == 0.35 * 0.5
    assert record_score({"topic": QUERY}, record, WEIGHTS, "adaptive", 0.2) is None


def test_adaptive_scales_what_is_there() -> None:
    query = {"topic": QUERY, "claim": QUERY, "role": QUERY}
    record = {"topic": near(0.625, parts=2), "claim": near(0.75), "acts": near(1.0)}
    # topic 0.25 of the half that a part of two can reach, claim 0.5 of the whole; role and acts are not in both.
    expected = (0.35 * (0.25 / 0.5000000000000001) + 0.35 * 0.5) / (0.35 + 0.35)
    assert record_score(query, record, WEIGHTS, "adaptive", 0.05) == expected
    # At the floor a field counts as 0, and still weighs.
    assert record_score(query, record, WEIGHTS, "adaptive", 0.25) == (0.35 * 0.0 + 0.35 * 0.5) / 0.7
    assert record_score(query, record, WEIGHTS, "adaptive", 0.5) is None
    assert record_score(query, {"role": near(0.9, parts=100)}, WEIGHTS, "adaptive") == 1.0  # never above 1
    assert record_score(query, {"acts": QUERY}, WEIGHTS, "adaptive") is None


def test_a_low_score_is_a_score() -> None:
    low = near(0.5 + 1 / 4096)
    assert record_score({"topic": QUERY}, {"topic": low}, WEIGHTS) == 0.35 * (2 / 4096)
    assert record_score({"topic": QUERY}, {"topic": low}, WEIGHTS, "adaptive") == 0.35 * (2 / 4096) / 0.35
    assert search({"a": Entry({"topic": low})}, {"topic": QUERY}, WEIGHTS) == [("a", 0.35 * (2 / 4096))]


def test_what_does_not_go_together_is_refused() -> None:
    with pytest.raises(ValueError, match="combine"):
        record_score(QUERY, QUERY, None, combine="mean")
    with pytest.raises(ValueError, match="mappings"):
        record_score(QUERY, {"topic": QUERY}, WEIGHTS)
    with pytest.raises(ValueError, match="mappings"):
        record_score({"topic": QUERY}, {"topic": QUERY}, None)


def test_search_orders_by_score_then_id_inside_the_cells() -> None:
    index = {
        "b": Entry(near(0.75), "x"),
        "é": Entry(near(0.75), "x"),
        "a": Entry(near(0.75), "y"),
        "c": Entry(near(0.875), "y"),
        "d": Entry(near(0.9), "z"),
    }
    assert search(index, QUERY, cells={"x", "y"}) == [("c", 0.875), ("a", 0.75), ("b", 0.75), ("é", 0.75)]
    assert search(index, QUERY, cells={"x", "y"}, k=2) == [("c", 0.875), ("a", 0.75)]
    assert [name for name, _ in search(index, QUERY)] == ["d", "c", "a", "b", "é"]
    assert search(index, QUERY, cells=set()) == []
