"""The profile `discovery`: two-pass discovery, and its configuration.

One search by embedding proposes k1 records. Those that are like enough to the query are scored by likeness, authority
and key terms; the best k2 stay, and what they link to is added. Vectors are compared whole: the first pass is defined
as the k1 most similar ones.

Authority multiplies, and by the default rate recency is down to a half after 19 hours: records that nobody uses and
that were given no `authority` score next to nothing after some days, and no longer reach over links. For knowledge that
stays true give the records authority, or a smaller `lambda_r` (1e-9 halves in 22 years).
"""
# docs/sources.md: A1.7.

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from ..light.classes import dataclass
from ..ranking.algebra import Stage
from ..ranking.discovery import formulas
from ..ranking.discovery.assembly import sizes
from ..ranking.discovery.hops import Hops
from ..ranking.discovery.stages import AuthorityWeight, CoarseFloor, KeywordBoost, SecondPass, Similarity
from ..validation import MAX_K, check_between, check_whole, keep_plain
from ..words import AnalyzerMode, Smoothing
from .naming import settings
from .profile import Leg, Profile


@dataclass(frozen=True, slots=True)
class DiscoveryConfig:
    """The numbers of two-pass discovery. Checked when made.

    Attributes:
        kappa: what key terms count, 0 or more.
        k1: size of the first pass; None for twice `top_k`, at least 8 and at least k2.
        k2: size of the second, at most k1; None for `top_k`.
        theta1: lowest similarity in the first pass, -1 to 1.
        theta_hop: lowest score of what is linked to, 0 to 1.
        hop_decay: of scores over a link, between 0 and 1, both exclusive.
        alpha_r, alpha_f, alpha_a: weights of recency, frequency of use and authored authority; they sum to 1.
        lambda_r: decay of recency per second.
        smoothing: "plain", or "plus_one" for ln(1 + most + 1) under the frequency.
        keywords: how key terms are cut: "unicode" or "ascii".
        top_k: hits, where a recall does not say how many.

    >>> DiscoveryConfig.from_dict({"kappa": 0.5, "hopDecay": 0.25}).hop_decay
    0.25

    """

    # docs/sources.md: D-4.

    kappa: float = formulas.KAPPA
    k1: int | None = None
    k2: int | None = None
    theta1: float = formulas.FLOOR
    theta_hop: float = formulas.HOP_FLOOR
    hop_decay: float = formulas.HOP_DECAY
    alpha_r: float = formulas.WEIGHTS[0]
    alpha_f: float = formulas.WEIGHTS[1]
    alpha_a: float = formulas.WEIGHTS[2]
    lambda_r: float = formulas.RATE
    smoothing: Smoothing = "plain"
    keywords: AnalyzerMode = "unicode"
    top_k: int = formulas.TOP_K

    def __post_init__(self) -> None:
        """Check the ranges: the stages look at theirs."""
        keep_plain(self)
        for name in ("k1", "k2", "top_k"):
            if getattr(self, name) is not None:
                check_whole(name, getattr(self, name), 1, MAX_K)
        check_between("theta1", self.theta1, -1.0, 1.0)
        check_between("theta_hop", self.theta_hop, 0.0, 1.0)
        sizes(self.top_k, self.k1, self.k2)
        self.stages()

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> DiscoveryConfig:
        """Return the configuration that a mapping describes; names in snake_case or camelCase.

        Raises:
            UnknownField: a name that does not exist.

        """
        return cls(**settings("discovery", mapping, {spec.name: None for spec in fields(cls)}))

    def stages(self) -> tuple[Stage, ...]:
        """Return the stages in order."""
        at_least, times = self._first_pass()
        return (
            CoarseFloor(self.theta1, at_least, times),
            Similarity(),
            AuthorityWeight((self.alpha_r, self.alpha_f, self.alpha_a), self.lambda_r, self.smoothing),
            KeywordBoost(self.kappa, self.keywords),
            SecondPass(self.k2),
            Hops(self.hop_decay, self.theta_hop),
        )

    def profile(self) -> Profile:
        """Return the profile `discovery` with these numbers; the passes are of the same size whatever is asked for."""
        first, _ = sizes(self.top_k, self.k1, self.k2)
        return Profile(
            name="discovery",
            legs=(Leg("dense", first, stand_in="lexical"),),
            stages=self.stages(),
            pool=first,
            max_results=self.top_k,
        )

    def _first_pass(self) -> tuple[int, float]:
        return (max(8, self.k2 or 0), 2.0) if self.k1 is None else (self.k1, 0.0)
