"""Every published case whose feature is built, against this installation; and the list of those that are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from byheart.conformance import FEATURES, run
from byheart.conformance.not_built import NOT_BUILT
from byheart.conformance.runner import Case, load, report


@pytest.fixture(scope="module")
def cases(shared: Path) -> list[Case]:
    return [case for file in sorted((shared / "vectors").glob("*.json")) for case in load(file)]


def test_all_published_cases_of_built_features_pass(cases: list[Case]) -> None:
    outcomes = run(case for case in cases if case.feature not in NOT_BUILT)
    assert all(outcome.passed for outcome in outcomes), "\n".join(report(outcomes))
    assert len(outcomes) > 60, "the folder has fewer cases than it should; what ran proves little"


def test_every_built_feature_has_a_published_case(cases: list[Case]) -> None:
    assert set(FEATURES) <= {case.feature for case in cases}


def test_every_feature_on_the_list_is_published_and_unbuilt(cases: list[Case]) -> None:
    assert len(set(NOT_BUILT)) == len(NOT_BUILT)
    assert not set(NOT_BUILT) & set(FEATURES), "built now: take it off the list"
    assert set(NOT_BUILT) <= {case.feature for case in cases}, "not published: take it off the list"
