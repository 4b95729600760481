"""The profiles `kb-*`, as data."""
# docs/sources.md: B1.36, B1.37.

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Profile:
    """How recall retrieves and selects.

    Of the strategies the first always runs, "hypervector" only by escalation, "symbolic" always.
    """

    name: str
    strategies: tuple[str, ...]
    max_results: int
    min_score: float
    gap: float
    min_acceptable: int

    def runs_secondary(self, found: int) -> bool:
        """Return whether the second strategy runs as well, when BM25 found so many."""
        return "symbolic" in self.strategies or ("hypervector" in self.strategies and found < self.min_acceptable)


PROFILES: Mapping[str, Profile] = {
    profile.name: profile
    for profile in [
        Profile("kb-fast", ("lexical",), max_results=3, min_score=0.30, gap=0.50, min_acceptable=2),
        Profile("kb-balanced", ("lexical", "hypervector"), max_results=7, min_score=0.15, gap=0.35, min_acceptable=4),
        Profile("kb-thinkingdb", ("lexical", "symbolic"), max_results=8, min_score=0.12, gap=0.25, min_acceptable=6),
    ]
}
"""By name. `kb-balanced` is the default of recall."""
