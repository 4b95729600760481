"""The score that similarities of hypervectors come to."""
# docs/sources.md: B1.35.

from __future__ import annotations

from collections.abc import Mapping

from .._core import hypervector_reach

FIELD_WEIGHTS: Mapping[str, float] = {"topic": 0.35, "claim": 0.35, "role": 0.20, "acts": 0.10}
FLOOR = 0.05  # three standard deviations of the field score of two unrelated vectors


def field_score(similarity: float) -> float:
    """Return max(0, (similarity - 0.5) * 2): 0 for unrelated vectors, 1 for equal ones.

    >>> field_score(0.625), field_score(0.4)
    (0.25, 0.0)
    """
    return max(0.0, (similarity - 0.5) * 2.0)


def final_score(
    scores: Mapping[str, float | None], *, weights: Mapping[str, float] = FIELD_WEIGHTS, renormalise: bool = False
) -> float:
    """Return the weighted sum of field scores in the order of `weights`; a field that is missing adds nothing.

    With `renormalise` the sum is divided by the weights of the fields that are present.

    >>> final_score({"topic": 0.5, "claim": 0.25})
    0.26249999999999996
    """
    total, present = 0.0, 0.0
    for name, weight in weights.items():
        score = scores.get(name)
        if score is not None:
            total += weight * score
            present += weight
    return total / present if renormalise and present > 0.0 else total


def reach(parts: int, other: int) -> float:
    """Return the highest field score to expect of two bundles of these sizes, the smaller contained in the larger.

    Majority bundles of n parts out of the same m share (2/pi) * asin(sqrt(n/m)) of their bits beyond chance. The
    answer is at least 0.2, so that chance is never scaled up to a perfect score (`benches/quality`).

    >>> reach(3, 3)
    1.0
    """
    return hypervector_reach(parts, other)
