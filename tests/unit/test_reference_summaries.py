"""Summaries in the reference, with numbers worked out by hand."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from byheart.reference.summaries import (
    centroid,
    confidence,
    extract,
    extractive_count,
    greedy,
    likeness,
    log_softmax,
    preservation,
)


@pytest.mark.parametrize("density", ["0.1", "0.2", "0.25", "0.3", "0.4", "0.6", "0.7"])
def test_the_count_is_exact_arithmetic_up_to_2000(density: str) -> None:
    for turns in range(1, 2000):
        assert extractive_count(turns, float(density)) == max(1, math.ceil(turns * Fraction(density)))


@pytest.mark.parametrize("density", [0.0, -1.0, 1.0000001, math.nan, math.inf])
def test_what_is_no_share_counts_as_the_default(density: float) -> None:
    assert [extractive_count(turns, density) for turns in (1, 5, 6)] == [1, 2, 3]


def test_all_are_kept_at_a_density_of_one() -> None:
    assert extractive_count(7, 1.0) == 7


def test_the_centroid_is_of_those_that_are_like_the_first() -> None:
    assert centroid([None, [1.0, 3.0], [5.0], [3.0, -1.0]]) == [2.0, 1.0]
    assert centroid([None]) is None


def test_likeness_is_never_undefined() -> None:
    assert likeness([3.0, 4.0], [3.0, 4.0]) == 1.0
    assert likeness([3.0, 4.0], [0.0, 0.0]) == likeness([3.0], [3.0, 4.0]) == likeness(None, None) == 0.0


def test_the_nearest_to_the_middle_are_kept_in_their_order() -> None:
    # The centroid is (3/4, 1/2); cosines to it are 3/sqrt(13), 2/sqrt(13), 5/sqrt(26).
    kept, sure = extract([[1.0, 0.0], [0.0, 1.0], [1.25, 0.5]], 0.5)
    assert kept == [0, 2]
    middle = (Fraction(3, 4), Fraction(1, 2))
    first = float(middle[0]) / math.hypot(*middle)
    third = float(middle[0] * Fraction(5, 4) + middle[1] / 2) / (math.hypot(*middle) * math.hypot(1.25, 0.5))
    assert sure == pytest.approx((first + third) / 2, abs=1e-15)


def test_equal_scores_go_by_place_and_opposites_have_no_middle() -> None:
    assert extract([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0], [1.0, 0.0]], 0.5)[0] == [0, 1]
    assert extract([[1.0, 0.0], [-1.0, 0.0]]) == ([0], 0.0)


def test_a_negative_mean_is_no_confidence() -> None:
    assert extract([[-1.0, 0.0], [9.0, 0.0]], 1.0) == ([0, 1], 0.0)
    assert extract([[-1.0], [-1.0], [9.0]], 1.0) == ([0, 1, 2], 0.0)  # (-1 - 1 + 1) / 3


def test_confidence_is_the_geometric_mean() -> None:
    assert confidence([]) == 0.0
    assert confidence([0.0, 0.0]) == 1.0
    assert confidence([math.log(0.5), math.log(0.125)]) == pytest.approx(0.25, abs=1e-15)
    assert confidence([-math.inf, 0.0]) == 0.0


def test_preservation_by_hand() -> None:
    assert preservation([0.8, 0.6], [[1.0, 0.0], [1.0, 0.0]]) == (0.8, 0.8, 0.8)
    alignment, coverage, sure = preservation([1.0, 0.0], [[-1.0, 0.0], [0.0, 0.5]])
    assert (alignment, coverage) == (-0.5 / math.hypot(0.5, 0.25), 0.0)
    assert sure == 0.0


def test_a_softmax_of_large_logits_does_not_overflow() -> None:
    assert log_softmax([1000.0, 1000.0, -1000.0])[:2] == [-math.log(2.0)] * 2
    assert sum(map(math.exp, log_softmax([3.0, 1.0, -2.0]))) == pytest.approx(1.0, abs=1e-15)


def test_greedy_takes_the_lower_of_equal_ones_and_stops() -> None:
    table = [[0.0, 2.0, 2.0, 0.0], [5.0, 0.0, 0.0, 6.0], [0.0] * 4, [9.0, 0.0, 0.0, 0.0]]
    made, logprobs = greedy(lambda tokens: table[tokens[-1]], [0], [0], 9)
    assert made == [1, 3]
    assert logprobs == [log_softmax(table[0])[1], log_softmax(table[1])[3]]
    assert greedy(lambda tokens: table[tokens[-1]], [0], [7], 4)[0] == [1, 3, 0, 1]
    assert greedy(lambda tokens: table[tokens[-1]], [3], [0], 4) == ([], [])
