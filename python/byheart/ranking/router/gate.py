"""The gate between two stages: whether the second is asked, and whether what it took lets its answer count.

The law: a decision rests on a count, an estimate and a measured time, all of which are told; nothing is tuned.
"""
# docs/sources.md: A3.2, A3.4.

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Final

from ...errors import InvalidArgument
from ...light.classes import dataclass

MIN_MUST: Final = 3
CAP_MS: Final = 600.0
P95_TARGET_MS: Final = 1500.0

NOT_TRIGGERED: Final = "not_triggered"
USED: Final = "used"
ESTIMATED: Final = "estimated_over_cap"
OBSERVED: Final = "observed_over_cap"
ERROR: Final = "error"


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of the second stage of one question.

    Attributes:
        stage2_should_trigger: the first stage covered too little.
        stage2_used: the second was asked, and its answer counts, even an empty one.
        stage2_skipped_budget: its estimated or its measured time is above the cap.
        reason: one word for it: "used", "not_triggered", "estimated_over_cap", "observed_over_cap" or "error".
        estimate_ms: what its time was estimated at; None for no estimate.
        errors: by stage, what failed.

    """

    stage2_should_trigger: bool
    stage2_used: bool
    stage2_skipped_budget: bool
    reason: str
    estimate_ms: float | None = None
    errors: tuple[tuple[str, str], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the decision as a JSON-able mapping."""
        return {
            "stage2_should_trigger": self.stage2_should_trigger,
            "stage2_used": self.stage2_used,
            "stage2_skipped_budget": self.stage2_skipped_budget,
            "reason": self.reason,
            "estimate_ms": self.estimate_ms,
            "errors": dict(self.errors),
        }

    def failed(self, stage: str, error: str) -> Decision:
        """Return the decision after a stage failed; the answer of a failed second stage does not count."""
        # docs/sources.md: A3.2.4.
        errors = (*self.errors, (stage, error))
        if stage == "stage1":
            return replace(self, errors=errors)
        return replace(self, stage2_used=False, stage2_skipped_budget=False, reason=ERROR, errors=errors)


def triggers(found: int, min_must: int = MIN_MUST) -> bool:
    """Return whether so many different ids of the first stage are too few.

    >>> triggers(2), triggers(3)
    (True, False)
    """
    # docs/sources.md: A3.2.1.
    return found < min_must


def exceeds(milliseconds: float | None, cap: float = CAP_MS) -> bool:
    """Return whether a time is above the cap; just as much is fine, and what is not known is not above it.

    >>> exceeds(600.0), exceeds(600.1), exceeds(None)
    (False, True, False)
    """
    # docs/sources.md: A3.4.1.
    if milliseconds is None:
        return False
    if math.isnan(milliseconds):
        raise InvalidArgument("milliseconds: is no number")
    return milliseconds > cap


def before(
    found: int,
    *,
    min_must: int = MIN_MUST,
    cap_ms: float = CAP_MS,
    estimate_ms: float | None = None,
    always: bool = False,
) -> Decision:
    """Return what is decided before the second stage: asked (`stage2_used`), not needed, or too slow by its estimate.

    Args:
        found: different ids that the first stage found.
        min_must: so many are enough.
        cap_ms: what the second stage may take.
        estimate_ms: what it is expected to take.
        always: ask the second stage whatever the first one found.

    >>> before(2).reason, before(3).reason, before(0, estimate_ms=700.0).reason, before(9, always=True).reason
    ('used', 'not_triggered', 'estimated_over_cap', 'used')

    """
    # docs/sources.md: A3.3.4.
    should = triggers(found, min_must)
    if not (should or always):
        return Decision(should, False, False, NOT_TRIGGERED, estimate_ms)
    if exceeds(estimate_ms, cap_ms):
        return Decision(should, False, True, ESTIMATED, estimate_ms)
    return Decision(should, True, False, USED, estimate_ms)


def after(decision: Decision, observed_ms: float | None, *, cap_ms: float = CAP_MS) -> Decision:
    """Return the decision once it is known what the second stage took: what took too long does not count.

    >>> after(before(0), 600.5).stage2_skipped_budget, after(before(0), 600.0).stage2_used
    (True, True)
    """
    # docs/sources.md: D-42.
    if decision.stage2_used and exceeds(observed_ms, cap_ms):
        return replace(decision, stage2_used=False, stage2_skipped_budget=True, reason=OBSERVED)
    return decision
