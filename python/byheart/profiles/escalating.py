"""Profiles of seed 003: a first retriever, a second one where that was not enough, agreement of the two.

A profile says which retrievers run, when the second one does, how their scores are joined, and what is cut.
The built-in ones are seed 003's plug-ins (spec B1.36, B1.37, B1.47), and `dense` over embeddings. Make your own with
`dataclasses.replace` or `Profile(...)` and hand it to `recall(profile=...)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ..errors import InvalidArgument
from ..ranking import fusion

ESCALATIONS = ("never", "few", "always")
MODES = ("exact", "early_exit", "approx")
PRIMARIES = ("lexical", "dense")
SECONDARIES = ("hypervector", "symbolic", "dense")

_CHOICES = {"escalation": ESCALATIONS, "primary": PRIMARIES, "secondary": SECONDARIES, "mode": MODES}


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
        secondary: the second retriever: "hypervector", "symbolic" for closure over facts, or "dense".
        primary: the first: "lexical"; or "dense", and then words find the records that have no vector.
        mode: how vectors are searched: "exact", "early_exit" (seed 000's cascade) or "approx".
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
    primary: str = "lexical"
    mode: str = "exact"

    def __post_init__(self) -> None:
        """Check the ranges."""
        for name, allowed in _CHOICES.items():
            if getattr(self, name) not in allowed:
                raise InvalidArgument(f"{name}: is {getattr(self, name)!r}; use one of {', '.join(allowed)}")
        if self.escalation != "never" and self.secondary == self.primary:
            raise InvalidArgument(f"secondary: is {self.secondary!r}, which is the primary too")
        if self.primary not in self.weights:
            raise InvalidArgument(f"weights: lack {self.primary!r}, the first retriever")
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

    @property
    def asks_vectors(self) -> bool:
        """Whether the profile ever asks the index of embeddings."""
        return self.primary == "dense" or (self.secondary == "dense" and self.escalation != "never")

    def in_mode(self, mode: str) -> Profile:
        """Return the profile with another way of searching vectors."""
        return replace(self, mode=mode)

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

# Nearest by cosine. What words alone find, of records without a vector, counts half: the scales are not the same.
DENSE = Profile("dense", primary="dense", min_score=0.0, weights={"dense": 1.0, "lexical": 0.5}, agreement_bonus=0.0)
