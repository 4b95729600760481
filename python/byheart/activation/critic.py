"""Decay: utility and quality halve with time, counted from an anchor.

An anchor is the values and when they were so. What they are at any time is worked out from the anchor, so that it
makes no difference how often somebody looks, or in how many runs a month goes by.
"""
# docs/sources.md: B1.8.3.

from __future__ import annotations

from ..light.classes import dataclass
from ..ranking.activation.formulas import DAY, decayed

UTILITY_DAYS = 30.0
QUALITY_DAYS = 120.0


@dataclass(frozen=True, slots=True)
class Anchored:
    """Utility and quality as they were at a time; confidence does not decay.

    >>> at = Anchored(1.0, 0.8, 0.0)
    >>> at.utility_at(30 * 86_400.0), at.quality_at(120 * 86_400.0)
    (0.5, 0.4)
    """

    utility: float
    quality: float
    decayed_at: float

    def utility_at(self, now: float) -> float:
        """Return the utility at a time; before the anchor it is that of the anchor."""
        return decayed(self.utility, (now - self.decayed_at) / DAY, UTILITY_DAYS)

    def quality_at(self, now: float) -> float:
        """Return the quality at a time; before the anchor it is that of the anchor."""
        return decayed(self.quality, (now - self.decayed_at) / DAY, QUALITY_DAYS)

    def run(self, now: float) -> Anchored:
        """Return the anchor of a run of the critic: the values of now; a run in the past changes nothing.

        >>> Anchored(1.0, 1.0, 100.0).run(50.0)
        Anchored(utility=1.0, quality=1.0, decayed_at=100.0)
        """
        if now <= self.decayed_at:
            return self
        return Anchored(self.utility_at(now), self.quality_at(now), now)
