"""What fits a budget, for every input: the oracle's answer, within the budget, maximal, and a receipt that adds up."""

import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byheart.errors import InvalidArgument
from byheart.ranking.budget import fit
from byheart.reference import budget as oracle

from ..counts import examples

# Tenths and thirds are not exact in binary: sums of them are where rounding would show.
parts = st.sampled_from([0, 1, 2, 3, 0.1, 0.2, 0.3, 1 / 3, 0.7, 1e-320, 2.0**53])
numbers = parts | st.integers(0, 12) | st.floats(0, 12)


def exact(costs):
    return sum(map(Fraction, costs), Fraction(0))


@settings(max_examples=examples(3_000))
@given(st.lists(numbers, max_size=10), numbers | st.sampled_from([0.6, 0.1 + 0.2, 1.0, 2**53]))
def test_both_policies_are_their_definitions(costs, budget):
    prefix, first = fit(costs, budget), fit(costs, budget, policy="first_fit")
    assert list(prefix.accepted) == oracle.longest_prefix(costs, budget)
    assert list(first.accepted) == oracle.first_fit(costs, budget)
    assert set(prefix.accepted) <= set(first.accepted)
    for found in (prefix, first):
        taken = [[place for place in found.accepted if place <= at] for at in range(len(costs))]
        spent = [exact(costs[place] for place in places) for places in taken]
        over = [at for at, row in enumerate(found.rows) if row.reason == "over_budget"]
        assert exact(costs[at] for at in found.accepted) <= budget
        assert all(spent[at] + Fraction(costs[at]) > budget for at in over)
        assert [at for at, row in enumerate(found.rows) if row.reason == "accepted"] == list(found.accepted)
        assert [(row.cost, float(row.spent)) for row in found.rows] == [*zip(costs, map(float, spent), strict=True)]
        assert found.spent == (float(spent[-1]) if spent else 0)
    after = [row.reason for row in prefix.rows][len(prefix.accepted) :]
    assert after == ["over_budget", *["after_stop"] * len(after)][: len(after)]
    assert "after_stop" not in [row.reason for row in first.rows]


@given(st.lists(numbers, max_size=8), numbers, st.sampled_from(["prefix", "first_fit"]))
def test_equality_fits(costs, more, policy):
    total = exact(costs)
    if total == float(total) and total <= 2**53:
        assert len(fit([*costs, more], float(total), policy).accepted) >= len(costs)


@pytest.mark.parametrize("wrong", [-1, -0.5, 2**53 + 1, 1e300, float("nan"), float("inf"), float("-inf")])
def test_what_is_no_amount_is_refused(wrong):
    with pytest.raises(InvalidArgument, match=re.escape(f"budget: is {wrong};")):
        fit([1], wrong)
    with pytest.raises(InvalidArgument, match=re.escape(f"cost of item 1: is {wrong};")):
        fit([1, wrong], 5)


def test_a_number_too_long_to_be_written_is_refused_all_the_same():
    for wrong in (10**5_000, -(10**5_000)):
        with pytest.raises(InvalidArgument, match="budget: is 16610 bits long; give a number from 0"):
            fit([1], wrong)


@pytest.mark.parametrize("wrong", [True, "3", None])
def test_what_is_no_number_is_refused(wrong):
    with pytest.raises(TypeError, match="must be a number"):
        fit([wrong], 5)
    with pytest.raises(TypeError, match="budget must be a number"):
        fit([1], wrong)


def test_a_policy_that_does_not_exist_is_refused():
    with pytest.raises(InvalidArgument, match="use one of prefix, first_fit"):
        fit([1], 1, policy="best_fit")
