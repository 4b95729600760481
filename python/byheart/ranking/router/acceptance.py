"""The acceptance of a run over many questions: fast enough, and no worse than its second source alone."""
# docs/sources.md: A3.5.1.

from __future__ import annotations

from typing import NamedTuple

from .gate import P95_TARGET_MS


class Acceptance(NamedTuple):
    """Two verdicts, and what follows of them."""

    p95_ok: bool
    recall_non_degrading: bool
    accepted: bool


def acceptance(
    p95_ms: float,
    recall: float,
    baseline_recall: float,
    *,
    degradation_quantified: bool = False,
    target_ms: float = P95_TARGET_MS,
) -> Acceptance:
    """Return whether a run is accepted: 95 of 100 questions in time, and recall kept, or its loss told in numbers.

    Args:
        p95_ms: what 95 of 100 questions took at most, in all.
        recall: of the run, at its k.
        baseline_recall: of the second source alone, over the same questions.
        degradation_quantified: whether the report says how much was lost.
        target_ms: the limit of the first.

    >>> acceptance(1500.0, 0.9, 0.9).accepted, acceptance(900.0, 0.85, 0.9).accepted
    (True, False)

    """
    fast, kept = p95_ms <= target_ms, recall >= baseline_recall
    return Acceptance(fast, kept, fast and (kept or degradation_quantified))
