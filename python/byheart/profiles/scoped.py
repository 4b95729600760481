"""The profile `scoped`: a ranking of what session, user and everybody remember, and its configuration.

Three searches by embedding (the session's records, half as many of the user's other ones, a quarter as many of
nobody's), joined in this order and ranked by likeness, recency and scope. Vectors are searched
with early exits where the model was trained for it (Matryoshka), and exactly elsewhere; where a search leaves early,
the hits are rescored with whole vectors, so that all cosines are on one scale.
"""
# docs/sources.md: A1.1, A1.8.2.

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from ..errors import InvalidArgument
from ..light.classes import dataclass
from ..ranking import scoped
from ..ranking.algebra import Stage
from ..ranking.scoped_stages import Cosine, DropSameSource, ScopedRecency, ScopeWeight, StableOrder, SummaryQuality
from ..ranking.scoring import MinimumScore
from ..validation import MAX_K, check_share, check_whole, keep_plain
from ..words import Owner
from .naming import settings
from .profile import Leg, Profile

_TOLERANCE = 1e-9
_ALIASES = {"compaction_quality_weight": "delta"}

_SHARES: Mapping[Owner, float] = {"session": 1.0, "user": 0.5, "global": 0.25}
"""8, 4 and 2 candidates for 8 hits."""


@dataclass(frozen=True, slots=True)
class ScopedConfig:
    """The numbers of the hybrid score, each with the source's value. Checked when made.

    The weights are taken as they are. Their sum should be 1, and a warning says so where it is not: above 1, scores may
    exceed 1.

    Attributes:
        alpha: weight of the cosine, 0 to 1.
        beta: of recency.
        gamma: of scope.
        delta: of what a summary lost; `compaction_quality_weight` is another name for it.
        recency_lambda_session, recency_lambda_user, recency_lambda_global: decay per second, by scope.
        scope_session, scope_user, scope_global: S, by scope, 0 to 1.
        top_k: hits, where a recall does not say how many; what is searched for follows from it.
        min_score: the lowest score of a hit, 0 to 1. The source has none: how high an unrelated record scores depends
            on the embedder, and recency and scope alone give a fresh record of the session up to beta + gamma.
        normalize_weights: divide alpha, beta and gamma by their sum.

    >>> config = ScopedConfig.from_dict({"topK": 4, "compactionQualityWeight": 1.0})
    >>> config.top_k, config.delta, config.alpha
    (4, 1.0, 0.7)

    """

    # docs/sources.md: D-8.

    alpha: float = scoped.ALPHA
    beta: float = scoped.BETA
    gamma: float = scoped.GAMMA
    delta: float = scoped.DELTA
    recency_lambda_session: float = scoped.RATES[0]
    recency_lambda_user: float = scoped.RATES[1]
    recency_lambda_global: float = scoped.RATES[2]
    scope_session: float = scoped.SCOPE_WEIGHTS[0]
    scope_user: float = scoped.SCOPE_WEIGHTS[1]
    scope_global: float = scoped.SCOPE_WEIGHTS[2]
    top_k: int = 8
    min_score: float = 0.0
    normalize_weights: bool = False

    def __post_init__(self) -> None:
        """Check the ranges; warn of weights that do not sum to 1."""
        keep_plain(self)
        for name in ("alpha", "beta", "gamma", "delta", "min_score"):
            check_share(name, getattr(self, name))
        scoped.check_by_scope(self._rates(), self._scope_weights())
        check_whole("top_k", self.top_k, 1, MAX_K)
        total = self.alpha + self.beta + self.gamma
        if self.normalize_weights:
            if total <= 0.0:
                raise InvalidArgument("alpha, beta and gamma: are all 0; they cannot be brought to a sum of 1")
        elif abs(total - 1.0) > _TOLERANCE:
            import warnings

            why = "taken as they are; normalize_weights=True divides by the sum"
            warnings.warn(f"alpha, beta and gamma sum to {total:g}, not 1: {why}", stacklevel=3)

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> ScopedConfig:
        """Return the configuration that a mapping describes, by the source's names or in snake_case.

        Raises:
            UnknownField: a name that does not exist.

        """
        return cls(**settings("scoped", mapping, {spec.name: None for spec in fields(cls)}, _ALIASES))

    def weights(self) -> tuple[float, float, float]:
        """Return alpha, beta and gamma as the score takes them.

        >>> ScopedConfig(alpha=0.5, beta=0.25, gamma=0.25, normalize_weights=True).weights()
        (0.5, 0.25, 0.25)
        """
        if not self.normalize_weights:
            return self.alpha, self.beta, self.gamma
        total = self.alpha + self.beta + self.gamma
        return self.alpha / total, self.beta / total, self.gamma / total

    def scoring(self) -> tuple[Stage, ...]:
        """Return the stages that make the score, and the one that orders by it."""
        alpha, beta, gamma = self.weights()
        return (
            Cosine(alpha),
            ScopedRecency(beta, self._rates()),
            ScopeWeight(gamma, self._scope_weights()),
            SummaryQuality(self.delta),
            StableOrder(),
        )

    def legs(self) -> tuple[Leg, ...]:
        """Return the searches: `top_k` candidates of the session, and its shares of the others.

        >>> [(leg.within, leg.pool) for leg in ScopedConfig(top_k=3).legs()]
        [('session', 3), ('user', 2), ('global', 1)]
        """
        return tuple(
            Leg("dense", math.ceil(share * self.top_k), within=place, stand_in="lexical")
            for place, share in _SHARES.items()
        )

    def profile(self) -> Profile:
        """Return the profile `scoped` with these numbers."""
        floor = (MinimumScore(self.min_score),) if self.min_score > 0.0 else ()
        legs = self.legs()
        return Profile(
            name="scoped",
            legs=legs,
            stages=(*self.scoring(), DropSameSource(), *floor),
            pool=sum(leg.pool for leg in legs),
            max_results=self.top_k,
            mode="by_model",
            users="own_and_shared",  # in a session of several, the others' turns stay theirs
        )

    def _rates(self) -> tuple[float, float, float]:
        return self.recency_lambda_session, self.recency_lambda_user, self.recency_lambda_global

    def _scope_weights(self) -> tuple[float, float, float]:
        return self.scope_session, self.scope_user, self.scope_global
