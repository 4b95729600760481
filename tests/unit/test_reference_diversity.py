"""Diversity in the reference, with numbers worked out by hand."""

from __future__ import annotations

import math

import pytest

from byheart.reference.diversity import cosine, defer_similar, dot, maximal_marginal_relevance, similarity

A, B, C = [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]


def test_dot_adds_in_16_lanes_then_the_rest() -> None:
    # 2**53 + 1 is lost where both meet in one sum, and kept where the rest comes last and 2**53 has gone.
    big, ones = 2.0**53, [1.0] * 65
    numbers = [0.0] * 65
    numbers[0], numbers[16], numbers[1] = big, 1.0, -big  # lane 0 is 2**53 + 1, rounded to 2**53; lane 1 takes it off
    assert dot(numbers, ones) == 0.0
    numbers[16], numbers[64] = 0.0, 1.0  # the rest is added last
    assert dot(numbers, ones) == 1.0
    assert dot([], []) == 0.0


def test_cosine() -> None:
    assert cosine([0.1, 0.2, 0.3], [0.1, 0.2, 0.3]) == 1.0
    assert cosine([0.1, 0.2, 0.3], [-0.2, -0.4, -0.6]) == -1.0
    assert cosine([1.0, 1.0], [1.0, 0.0]) == 1.0 / math.sqrt(2.0)
    assert cosine(A, [0.0, 0.0]) is None
    assert cosine([], []) is None
    with pytest.raises(ValueError, match="3 and 2 dimensions"):
        cosine([1.0, 2.0, 3.0], A)


def test_what_is_missing_is_like_nothing() -> None:
    assert similarity(None, A) == similarity(A, None) == similarity(A, [0.0, 0.0]) == 0.0


def test_the_first_pick_has_the_highest_score_whatever_the_trade_off() -> None:
    for trade_off in (0.0, 0.5, 1.0):
        assert maximal_marginal_relevance([0.1, 0.9, 0.5], [A, A, A], 1, trade_off) == [1]


def test_near_ones_fall_behind() -> None:
    scores = [0.6, 0.58, 0.5]
    assert maximal_marginal_relevance(scores, [A, [0.999, 0.0447101778], B], 3) == [0, 2, 1]
    assert maximal_marginal_relevance(scores, [A, None, B], 3) == [0, 1, 2]  # a missing vector is never penalised


def test_opposite_ones_gain() -> None:
    assert maximal_marginal_relevance([0.9, 0.3, 0.45], [A, C, A], 3, 0.5) == [0, 1, 2]


def test_equal_values_go_by_score_then_by_place() -> None:
    assert maximal_marginal_relevance([0.5, 0.9, 0.9], [None, None, None], 3, 0.0) == [1, 2, 0]
    assert maximal_marginal_relevance([0.0, -0.0, 0.0], [None, None, None], 3) == [0, 1, 2]


def test_no_more_than_k_and_no_more_than_there_are() -> None:
    assert maximal_marginal_relevance([], [], 3) == []
    assert maximal_marginal_relevance([1.0, 2.0], [A, B], 9) == [1, 0]


def test_deferral_keeps_the_order_of_both_halves() -> None:
    assert defer_similar([A, [0.95, 0.05], [0.1, 0.995], [0.99, 0.0], B]) == [0, 2, 1, 3, 4]
    assert defer_similar([A, None, [0.9, 0.1], []]) == [0, 1, 3, 2]
    assert defer_similar([]) == []


def test_deferral_is_strict_and_ignores_the_deferred() -> None:
    assert defer_similar([A, A], threshold=1.0) == [0, 1]
    # The third is near the second alone, and that one is deferred.
    at = [[math.cos(angle), math.sin(angle)] for angle in (0.0, 0.5, 1.0)]
    assert defer_similar(at) == [0, 2, 1]
