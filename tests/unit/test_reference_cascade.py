"""Scores of embeddings and the cascade in the reference, with numbers worked out by hand."""

from __future__ import annotations

import pytest

from byheart.reference.cascade import (
    Entry,
    descend,
    dot,
    leaves,
    length,
    normalised,
    prefixes,
    score,
    search,
    search_early_exit,
    single,
    tier_score,
)


def test_a_sum_has_sixteen_lanes_and_a_fold() -> None:
    # Lane 0 holds 2^53 and 1, which is lost there; lane 8 holds 1 and is added to lane 0 first, where it is lost too.
    values = [0.0] * 32
    values[0], values[16], values[8], values[1], values[9] = 2.0**53, 1.0, 1.0, 1.0, 1.0
    assert dot(values, [1.0] * 32) == 2.0**53 + 2.0  # lanes 1 and 9 meet before they meet lane 0
    assert dot([2.0**53, *[0.0] * 15, 1.0, 1.0], [1.0] * 18) == 2.0**53  # the rest, one by one


def test_a_row_is_rounded_to_float32_once() -> None:
    assert single(1 / 3) == 0.3333333432674408
    assert normalised([3.0, 4.0]) == [single(0.6), single(0.8)]
    assert normalised([2.0**-40, 0.0]) == [2.0**-40, 0.0]
    assert length([2.0**-29]) == 2.0**-29  # just above 1e-9; the next power lies below
    assert length([2.0**-30]) == length([0.0]) == 1.0


def test_prefixes_have_their_own_length() -> None:
    assert prefixes([3.0, 4.0, 12.0], (2, 3)) == [[0.6, 0.8], [3 / 13, 4 / 13, 12 / 13]]
    assert prefixes([0.0, 4.0], (1, 2)) == [[0.0], [0.0, 1.0]]
    with pytest.raises(ValueError, match="1 dimensions"):
        prefixes([1.0], (1, 2))


def test_scores_are_cut() -> None:
    assert score([1.0000001], [1.0000001]) == 1.0
    assert score([1.0000001], [-1.0000001]) == -1.0
    assert tier_score([0.6, 0.8], [0.8, -0.6], 2) == pytest.approx(0.0, abs=1e-16)
    assert tier_score([0.6, 0.8], [0.0, 1.0], 1) == 0.0


INDEX = {
    "b": Entry((1.0, 0.0)),
    "a": Entry((2.0, 0.0)),
    "c": Entry((0.0, 0.0)),
    "d": Entry((-1.0, 0.0), "elsewhere"),
}


def test_ties_go_to_the_smaller_id_and_zero_rows_score_nothing() -> None:
    assert search(INDEX, (5.0, 0.0), 9) == [("a", 1.0), ("b", 1.0), ("c", 0.0), ("d", -1.0)]
    assert search(INDEX, (5.0, 0.0), 9, {"elsewhere"}) == [("d", -1.0)]
    assert search(INDEX, (5.0, 0.0), 1) == [("a", 1.0)]
    assert search(INDEX, (0.0, 0.0), 9) == []


@pytest.mark.parametrize(
    ("best", "spent", "visited"),
    [
        ([0.9200001, 0.5, 0.1], False, [1]),
        ([0.92, 0.8000001, 0.1], False, [1, 2]),
        ([0.92, 0.8, 0.1], False, [1, 2, 3]),
        ([None, None, None], False, [1, 2, 3]),
        ([0.99, 0.99, 0.1], True, [3]),
    ],
)
def test_the_way_down(best: list[float | None], spent: bool, visited: list[int]) -> None:
    visits = descend((64, 256, 768), (0.92, 0.80), lambda tier: (best[tier], 1), spent=lambda: spent)
    assert [visit.tier for visit in visits] == visited
    assert [visit.exited for visit in visits] == [False] * (len(visited) - 1) + [visited[-1] < 3]
    assert visits[-1].best == (best[visited[-1] - 1] or 0.0)


def test_an_empty_tier_never_ends_the_search() -> None:
    assert not leaves(None, 0.0, "at_least")
    assert not leaves(None, -1.0)
    assert leaves(0.0, 0.0, "at_least")


def test_rescoring_brings_the_hits_of_an_early_tier_onto_one_scale() -> None:
    index = {"a": Entry((1.0, 9.0)), "b": Entry((1.0, 1.0))}
    hits, visits = search_early_exit(index, (1.0, 1.0), 2, (1, 2), (0.5,), rescore="tier")
    assert hits == [("a", 1.0), ("b", 1.0)]
    assert [visit.tier for visit in visits] == [1]
    hits, _ = search_early_exit(index, (1.0, 1.0), 2, (1, 2), (0.5,))
    assert [name for name, _ in hits] == ["b", "a"]
    assert hits == search(index, (1.0, 1.0), 2)
