"""Named pipelines as data.

A profile says which retrievers run, when the second one does, how their scores are joined, and what is cut.
The built-in ones are seed 003's plug-ins (spec B1.36, B1.37, B1.47). Make your own with `dataclasses.replace`
or `Profile(...)` and hand it to `recall(profile=...)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from .errors import InvalidArgument, UnknownProfile
from .ranking import fusion

ESCALATIONS = ("never", "few", "always")
SECONDARIES = ("hypervector", "symbolic")


@dataclass(frozen=True, slots=True)
class Profile:
    """How a recall runs.

    Attributes:
        name: what explanations and receipts call it.
        max_results: hits at most, and how many each retriever proposes.
        min_score: lowest score of a hit; waived in boundaries of fewer than 32 records unless `literal`.
        gap: lowest share of the best score that a hit may have; 0 turns it off.
        min_acceptable: lexical candidates below which the second retriever is asked too (escalation "few").
        escalation: whether it is: "never", "few" or "always".
        weights: of the normalised scores, in the order of summation.
        agreement_bonus: for each retriever beyond the first that found the record.
        literal: keep the minimum score on tiny boundaries too.
        secondary: the second retriever: "hypervector", or "symbolic" for closure over facts.
        expand_aggregates: add the children of aggregates among the hits, beyond k (spec B1.43.3).

    """

    name: str
    max_results: int = 10
    min_score: float = 0.1
    gap: float = 0.0
    min_acceptable: int = 5
    escalation: str = "never"
    weights: Mapping[str, float] = field(default_factory=lambda: dict(fusion.WEIGHTS))
    agreement_bonus: float = fusion.AGREEMENT_BONUS
    literal: bool = False
    secondary: str = "hypervector"
    expand_aggregates: bool = False

    def __post_init__(self) -> None:
        """Check the ranges."""
        if self.escalation not in ESCALATIONS:
            raise InvalidArgument(f"escalation: is {self.escalation!r}; use one of {', '.join(ESCALATIONS)}")
        if self.secondary not in SECONDARIES:
            raise InvalidArgument(f"secondary: is {self.secondary!r}; use one of {', '.join(SECONDARIES)}")
        if self.escalation != "never" and self.secondary not in self.weights:
            raise InvalidArgument(f"weights: lack {self.secondary!r}, the second retriever")
        if not 0.0 <= self.gap <= 1.0:
            raise InvalidArgument(f"gap: is {self.gap}; it must lie between 0 and 1")
        if self.max_results < 1 or self.min_acceptable < 0:
            raise InvalidArgument("max_results must be at least 1 and min_acceptable at least 0")
        numbers = (self.min_score, self.agreement_bonus, *self.weights.values())
        if not all(0.0 <= number < float("inf") for number in numbers):
            raise InvalidArgument("min_score, agreement_bonus and weights must be finite and at least 0")

    def runs_secondary(self, found: int) -> bool:
        """Return whether the second retriever is asked after `found` lexical candidates (spec B1.37.1)."""
        return self.escalation == "always" or (self.escalation == "few" and found < self.min_acceptable)

    @property
    def asks_facts(self) -> bool:
        """Whether the profile ever asks the index of facts."""
        return self.secondary == "symbolic" and self.escalation != "never"

    def literally(self) -> Profile:
        """Return the profile with the seed's rules to the letter: the minimum score holds on tiny boundaries too."""
        return replace(self, literal=True)


KB_FAST = Profile("kb-fast", max_results=3, min_score=0.30, gap=0.50, min_acceptable=2)
KB_BALANCED = Profile("kb-balanced", max_results=7, min_score=0.15, gap=0.35, min_acceptable=4, escalation="few")

KB_THINKINGDB = Profile(
    "kb-thinkingdb",
    max_results=8,
    min_score=0.12,
    gap=0.25,
    min_acceptable=6,
    escalation="always",
    weights={"lexical": 1.0, "symbolic": 0.85},
    secondary="symbolic",
)

BUILT_IN: Mapping[str, Profile] = {profile.name: profile for profile in (KB_FAST, KB_BALANCED, KB_THINKINGDB)}


def get(profile: str | Profile) -> Profile:
    """Return the profile of this name; a Profile is returned as it is.

    >>> get("kb-fast").max_results
    3
    """
    if isinstance(profile, Profile):
        return profile
    if not isinstance(profile, str):
        raise TypeError(f"profile must be str or Profile, not {type(profile).__name__}")
    if profile not in BUILT_IN:
        raise UnknownProfile(f"profile: {profile!r} does not exist; there are {', '.join(BUILT_IN)}")
    return BUILT_IN[profile]
