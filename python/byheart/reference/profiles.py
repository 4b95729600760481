"""The profiles of the seed that the reference can run, as data (B1.36, B1.37)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Profile:
    """How recall retrieves and selects; the last of the strategies runs only by escalation."""

    name: str
    strategies: tuple[str, ...]
    max_results: int
    min_score: float
    gap: float
    min_acceptable: int

    def runs_secondary(self, found: int) -> bool:
        """Return whether hypervectors are asked as well, when BM25 found so many."""
        return "hypervector" in self.strategies and found < self.min_acceptable


PROFILES: Mapping[str, Profile] = {
    profile.name: profile
    for profile in [
        Profile("kb-fast", ("lexical",), max_results=3, min_score=0.30, gap=0.50, min_acceptable=2),
        Profile("kb-balanced", ("lexical", "hypervector"), max_results=7, min_score=0.15, gap=0.35, min_acceptable=4),
    ]
}
"""By name. `kb-balanced` is the default of recall."""
