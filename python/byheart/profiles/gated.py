"""The gate as a condition of a leg: asked where the legs before it covered too little, and within a budget of time."""
# docs/sources.md: A3.2, A3.4.

from __future__ import annotations

from typing import Any, Literal

from ..errors import InvalidArgument
from ..light.classes import dataclass
from ..ranking.router import gate
from ..ranking.router.gate import Decision
from ..validation import check_nonnegative, check_whole, keep_plain, shortly

RUNNING = "p95"
"""As an estimate: what 95 of 100 of the last searches of the leg stayed below."""


@dataclass(frozen=True, slots=True)
class IfGate:
    """The leg is asked if the legs before it found fewer than so many records, and only if it is quick enough.

    It is skipped where its time is estimated above the cap, and what it found is dropped where it took longer than
    that. A leg that fails, this one or one before it, has found nothing, and the answer says so. As with `IfFewer`,
    what a filter lets through does not matter.

    Attributes:
        min_must: so many are enough.
        cap_ms: milliseconds that the leg may take; just as many are fine.
        estimate: milliseconds that it is expected to take; "p95" for what the last searches took; None for none.
        always: ask whatever the legs before it found.

    """

    min_must: int = gate.MIN_MUST
    cap_ms: float = gate.CAP_MS
    estimate: float | Literal["p95"] | None = None
    always: bool = False

    def __post_init__(self) -> None:
        """Check the ranges."""
        keep_plain(self)
        check_whole("min_must", self.min_must, 0)
        check_nonnegative("cap_ms", self.cap_ms)
        if isinstance(self.estimate, str) and self.estimate != RUNNING:
            raise InvalidArgument(f'estimate: is {shortly(self.estimate)}; give milliseconds, "p95", or None')
        if self.estimate is not None and not isinstance(self.estimate, str):
            object.__setattr__(self, "estimate", check_nonnegative("estimate", self.estimate))

    def holds(self, found: int) -> bool:
        """Return whether the leg is wanted after so many records were found; time is not looked at here."""
        return self.always or gate.triggers(found, self.min_must)

    def before(self, found: int, running: float | None) -> Decision:
        """Return what is decided before the leg is asked; `running` is what its last searches stayed below."""
        estimate = running if self.estimate == RUNNING else self.estimate
        assert not isinstance(estimate, str)
        return gate.before(found, min_must=self.min_must, cap_ms=self.cap_ms, estimate_ms=estimate, always=self.always)

    def to_dict(self) -> dict[str, Any]:
        """Return the condition as a mapping."""
        return {
            "when": "if_gate",
            "min_must": self.min_must,
            "cap_ms": self.cap_ms,
            "estimate": self.estimate,
            "always": self.always,
        }
