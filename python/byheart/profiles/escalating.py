"""The profiles of agreement: a first retriever, a second one where that was not enough, and what both found on top.

`kb-fast`, `kb-balanced` and `kb-thinkingdb`, and `dense` over embeddings. Make your own with
`escalating`, or of a changed configuration: `replace(EscalatingConfig.of("kb-balanced"), gap=0.0).profile()`.
"""
# docs/sources.md: B1.36.

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from ..errors import InvalidArgument, UnknownProfile
from ..light.classes import dataclass
from ..ranking import fusion
from ..ranking.agreement import (
    AgreementFusion,
    DropDuplicates,
    DropUnlike,
    ExpandAggregates,
    GapPruning,
    Normalise,
    ScoreFloor,
)
from ..ranking.algebra import Stage
from ..validation import check_at_least_one, check_one_of, check_whole, keep_plain
from ..words import Escalation, VectorMode, words_of
from .profile import MODES, POOL, Always, IfFewer, IfUnsure, Leg, Profile, When

ESCALATIONS: tuple[str, ...] = words_of(Escalation)
PRIMARIES = ("lexical", "dense")
SECONDARIES = ("hypervector", "symbolic", "dense")

_CHOICES = {"escalation": ESCALATIONS, "primary": PRIMARIES, "secondary": SECONDARIES, "mode": MODES}


@dataclass(frozen=True, slots=True)
class EscalatingConfig:
    """The settings of a profile of agreement.

    Attributes:
        name: what explanations and receipts call it.
        max_results: hits, where a recall does not say how many.
        min_score: lowest score of a hit; waived in boundaries of fewer than 32 records unless `literal`.
        gap: lowest share of the best score that a hit may have; 0 turns it off.
        min_acceptable: records below which the second retriever is asked too (escalation "few").
        escalation: whether it is: "never"; "few", as `min_acceptable` says; "full", also where the first retriever is
            not sure: its best record scores below `min_score`, the second nearly as much, or what the question says
            must be there is nowhere; "always".
        least_lead: with "full", the share of the best score by which the second has to lie below it.
        weights: of the normalised scores, in the order of summation.
        agreement_bonus: for each retriever beyond the first that found the record.
        literal: keep the minimum score on tiny boundaries too.
        secondary: the second retriever: "hypervector", "symbolic" for closure over facts, or "dense".
        expand_aggregates: add the children of aggregates among the hits.
        primary: the first: "lexical"; or "dense", and then words find the records that have no vector.
        mode: how vectors are searched: "exact", "early_exit", "approx" or "by_model".
        pool: how many records each retriever proposes, and the most hits of a recall.

    """

    name: str
    max_results: int = 10
    min_score: float = 0.1
    gap: float = 0.0
    min_acceptable: int = 5
    escalation: Escalation = "never"
    weights: Mapping[str, float] = field(default_factory=lambda: dict(fusion.WEIGHTS))
    agreement_bonus: float = fusion.AGREEMENT_BONUS
    literal: bool = False
    secondary: Literal["hypervector", "symbolic", "dense"] = "hypervector"
    expand_aggregates: bool = False
    primary: Literal["lexical", "dense"] = "lexical"
    mode: VectorMode = "exact"
    pool: int = POOL
    least_lead: float = 0.1

    def __post_init__(self) -> None:
        """Check the ranges."""
        keep_plain(self)
        for name, allowed in _CHOICES.items():
            check_one_of(name, getattr(self, name), allowed)
        if self.escalation != "never" and self.secondary == self.primary:
            raise InvalidArgument(f"secondary: is {self.secondary!r}, which is the primary too")
        if self.primary not in self.weights:
            raise InvalidArgument(f"weights: lack {self.primary!r}, the first retriever")
        if self.escalation != "never" and self.secondary not in self.weights:
            raise InvalidArgument(f"weights: lack {self.secondary!r}, the second retriever")
        check_at_least_one("max_results", self.max_results)
        check_whole("min_acceptable", self.min_acceptable, 0)
        self.profile()

    @classmethod
    def of(cls, name: str) -> EscalatingConfig:
        """Return the configuration of a shipped profile.

        >>> EscalatingConfig.of("kb-fast").max_results
        3
        """
        if name not in CONFIGS:
            raise UnknownProfile(f"profile: {name!r} is none of {', '.join(CONFIGS)}")
        return CONFIGS[name]

    def legs(self) -> tuple[Leg, ...]:
        """Return the searches: the first retriever, and the second as the escalation says."""
        first = Leg(self.primary, self.pool, stand_in="lexical" if self.primary == "dense" else None)
        if self.escalation == "never":
            return (first,)
        when: When = Always()
        if self.escalation == "few":
            when = IfFewer(self.min_acceptable)
        elif self.escalation == "full":
            when = IfUnsure(self.min_acceptable, self.min_score, self.least_lead)
        return first, Leg(self.secondary, self.pool, when)

    def stages(self) -> tuple[Stage, ...]:
        """Return the stages in order."""
        return (
            DropUnlike(),
            Normalise(),
            AgreementFusion(dict(self.weights), self.agreement_bonus),
            ScoreFloor(self.min_score, self.literal),
            DropDuplicates(),
            GapPruning(self.gap),
            *((ExpandAggregates(),) if self.expand_aggregates else ()),
        )

    def profile(self) -> Profile:
        """Return the profile with these settings."""
        return Profile(self.name, self.legs(), self.stages(), self.pool, self.max_results, self.mode)


def escalating(name: str, **settings: Any) -> Profile:
    """Return a profile of agreement; settings are those of `EscalatingConfig`.

    >>> escalating("words", max_results=5, min_score=0.0).max_results
    5
    """
    return EscalatingConfig(name, **settings).profile()


CONFIGS: Mapping[str, EscalatingConfig] = {
    each.name: each
    for each in (
        EscalatingConfig("kb-fast", max_results=3, min_score=0.30, gap=0.50, min_acceptable=2),
        EscalatingConfig(
            "kb-balanced", max_results=7, min_score=0.15, gap=0.35, min_acceptable=4, escalation="few"
        ),
        EscalatingConfig(
            "kb-thinkingdb",
            max_results=8,
            min_score=0.12,
            gap=0.25,
            min_acceptable=6,
            escalation="always",
            weights={"lexical": 1.0, "symbolic": 0.85},
            secondary="symbolic",
        ),
        # Nearest by cosine; words find the records that have no vector.
        EscalatingConfig("dense", primary="dense", min_score=0.0, weights={"dense": 1.0}, agreement_bonus=0.0),
    )
}  # fmt: skip
KB_FAST, KB_BALANCED, KB_THINKINGDB, DENSE = (config.profile() for config in CONFIGS.values())
