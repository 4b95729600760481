"""Seed 000's published cases of the hybrid score and of discovery, answered by the reference alone.

What fails here and passes in `test_published_cases` is a fault of the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from byheart.conformance.compare import equal
from byheart.conformance.runner import load
from byheart.reference import discovery, mathematics, scoped


def score(given: Mapping[str, Any]) -> float:
    return scoped.hybrid_score(given, weights(given))


def weights(given: Mapping[str, Any]) -> tuple[float, float, float, float]:
    return given.get("alpha", 0.7), given.get("beta", 0.2), given.get("gamma", 0.1), given.get("delta", 0.5)


def omega(given: Mapping[str, Any]) -> float:
    options = {name: given[name] for name in ("weights", "smoothing") if name in given}
    return discovery.authority_weight(given["age_s"], given["acc"], given["max_acc"], given["a"], **options)


def assemble(given: Mapping[str, Any]) -> dict[str, Any] | None:
    options = {name: value for name, value in given.items() if name not in ("docs", "budget")}
    found = discovery.discover(given["docs"], given["budget"], **options)
    return None if found is None else {name: value for name, value in found.items() if name != "c1"}


ANSWERS: dict[str, Callable[[Mapping[str, Any]], Any]] = {
    "hybrid.rank": lambda given: scoped.rank(given["items"], weights(given)),
    "hybrid.scope": lambda given: scoped.scope_of(given["session_id"], given["user_id"], given["metadata"]),
    "hybrid.score": score,
    "recency.half_life_s": lambda given: mathematics.ln(2.0) / given["lambda"],
    "twopass.assemble": assemble,
    "twopass.coverage": lambda given: discovery.coverage(given["keywords"], given["terms"]),
    "twopass.omega": omega,
    "twopass.s_final": lambda given: discovery.final_score(given["omega"], given["sim"], given["m"], given["kappa"]),
}


@pytest.mark.parametrize("name", ["hybrid", "recency", "twopass"])
def test_reference_gives_the_published_answers(shared: Path, name: str) -> None:
    cases = load(shared / "vectors" / f"{name}.json")
    wrong = {case.id: ANSWERS[case.feature](case.input) for case in cases}
    wrong = {case.id: wrong[case.id] for case in cases if not equal(case.expected, wrong[case.id])}
    assert wrong == {} and len(cases) >= 2
    assert {case.feature for case in cases} == {feature for feature in ANSWERS if feature.startswith(name)}
