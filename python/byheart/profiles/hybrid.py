"""The profile `hybrid`: vectors and words side by side, and every score that is changed says by what.

The order: both searches, fusion, minimum score, reranking, recency, importance, length, time decay, hard minimum,
noise, near-duplicates, cut. `HybridConfig` has the source's settings by its names, with its values and ranges.
They suit fresh notes and a strong model: on judged collections `kb-balanced` answers better, and after years the decay
and the hard minimum leave most questions without an answer. `benches/quality/README.md` has the numbers, and settings
that do better.

>>> HybridConfig(rerank="none", recency_weight=0.0).profile().pool
20
>>> HybridConfig().merged({"minScore": 0.4}).min_score
0.4
"""
# docs/sources.md: A2.1.1.

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ..light.classes import dataclass
from ..ranking.rerank import Reranker
from ..ranking.rerank.protocol import Judge
from ..ranking.rerank.stage import MODES
from ..ranking.scoring.formulas import BASES
from ..ranking.scoring.fuse import NORMALISERS, STRATEGIES, VECTOR_SCORES
from ..ranking.scoring.weights import UNITS
from ..validation import check_between, check_one_of, keep_plain, strings
from ..words import (
    DecayBase,
    HybridFusion,
    HybridMode,
    LengthUnit,
    Normaliser,
    PatternProfile,
    RerankMode,
    VectorPool,
    VectorScore,
    words_of,
)
from .hybrid_stages import MAX_RESULTS, WINDOW, legs, pipeline
from .naming import settings
from .profile import Profile

if TYPE_CHECKING:
    from ..ranking.rerank.client import HttpReranker

LARGEST_LIMIT = 20

_CHOICES: Mapping[str, tuple[str, ...]] = {
    "mode": words_of(HybridMode),
    "rerank": MODES,
    "fusion": STRATEGIES,
    "normaliser": NORMALISERS,
    "vector_score": VECTOR_SCORES,
    "length_unit": UNITS,
    "decay_base": BASES,
    "vector_pool": words_of(VectorPool),
    "noise_profile": words_of(PatternProfile),
}
_RANGES: Mapping[str, tuple[float, float]] = {
    "vector_weight": (0.0, 1.0),
    "bm25_weight": (0.0, 1.0),
    "min_score": (0.0, 1.0),
    "hard_min_score": (0.0, 1.0),
    "vector_floor": (-1.0, 1.0),
    "deferral_threshold": (-1.0, 1.0),
    "candidate_pool_size": (10, 100),
    "recency_half_life_days": (0.0, 365.0),
    "recency_weight": (0.0, 0.5),
    "length_norm_anchor": (0.0, 5000.0),
    "time_decay_half_life_days": (0.0, 365.0),
    "reinforcement_factor": (0.0, 2.0),
    "max_half_life_multiplier": (1.0, 10.0),
    "max_limit": (1, 100_000),
}


class Pools(NamedTuple):
    """How many hits a recall gives, how many rows each search proposes, and how many are reranked."""

    limit: int
    candidate_pool: int
    rerank_window: int


@dataclass(frozen=True, slots=True)
class HybridConfig:
    """The settings of hybrid recall, with its source's defaults, and ours beside them.

    Attributes:
        mode: "hybrid", or "vector" for the vector search alone.
        vector_weight, bm25_weight: weights of the fusion "weighted". The source's own fusion does not look at them, and
            warns if they are changed.
        min_score: lowest fused score; what is below is not reranked.
        rerank: "cross-encoder", "lightweight" for the cosines of the candidates themselves, or "none".
        rerank_provider, rerank_model, rerank_endpoint: what `http_reranker` asks.
        candidate_pool_size: rows that each search proposes, 10 to 100; never fewer than twice the profile's hits.
        recency_half_life_days: time constant of the bonus for youth; 0 turns it off.
        recency_weight: the bonus of what is new, at most 0.5; 0 turns it off.
        filter_noise: drop noise.
        length_norm_anchor: length up to which a text loses nothing; 0 turns it off.
        hard_min_score: lowest score of a hit.
        time_decay_half_life_days: time constant of the discount for age; 0 turns it off.
        fusion: "bonus15" (the source's), "weighted" or "rrf".
        normaliser: of BM25 scores: "logistic", "ratio", "min_max" or "none".
        vector_score: "cosine" or "inverse_distance".
        vector_floor: lowest cosine that the vector search proposes; none with "inverse_distance".
        vector_pool: what the mode "vector" fetches: the "pool", or the "limit" alone.
        noise_profile: of the patterns; filter_denials, filter_meta, filter_boilerplate: its switches.
        length_unit: "codepoint" or "utf16".
        decay_base: "e", or "half_life" for halves after the times that the source calls half-lives.
        deferral_threshold: larger cosines make near-duplicates; 1 turns it off.
        reinforcement_factor, max_half_life_multiplier: records in use age more slowly; 0 turns it off.
        tag_prefixes: tags that a hit has to contain where a query has them; () turns it off.
        rerank_floors: rows that words found strongly keep most of their score, whatever a reranker says.
        max_limit: the most hits of a recall: the pool of the profile.

    Raises:
        InvalidArgument: a value is outside its range.

    """

    # docs/sources.md: A2.8.1, D-22, D-27, A2.3.8.

    mode: HybridMode = "hybrid"
    vector_weight: float = 0.7
    bm25_weight: float = 0.3
    min_score: float = 0.3
    rerank: RerankMode = "cross-encoder"
    rerank_provider: str = "jina"
    rerank_model: str = "jina-reranker-v3"
    rerank_endpoint: str = "https://api.jina.ai/v1/rerank"
    candidate_pool_size: int = 20
    recency_half_life_days: float = 14.0
    recency_weight: float = 0.10
    filter_noise: bool = True
    length_norm_anchor: float = 500.0
    hard_min_score: float = 0.35
    time_decay_half_life_days: float = 60.0
    fusion: HybridFusion = "bonus15"
    normaliser: Normaliser = "logistic"
    vector_score: VectorScore = "cosine"
    vector_floor: float = 0.1
    vector_pool: VectorPool = "pool"
    noise_profile: PatternProfile = "byheart"
    filter_denials: bool = True
    filter_meta: bool = True
    filter_boilerplate: bool = True
    length_unit: LengthUnit = "codepoint"
    decay_base: DecayBase = "e"
    deferral_threshold: float = 0.85
    reinforcement_factor: float = 0.0
    max_half_life_multiplier: float = 3.0
    tag_prefixes: tuple[str, ...] = ()
    rerank_floors: bool = False
    max_limit: int = LARGEST_LIMIT

    def __post_init__(self) -> None:
        """Check names and ranges; warn of weights that nothing looks at."""
        for name, choices in _CHOICES.items():
            check_one_of(name, getattr(self, name), choices)
        keep_plain(self)
        for name, (low, high) in _RANGES.items():
            check_between(name, getattr(self, name), low, high)
        object.__setattr__(self, "tag_prefixes", strings("tag_prefixes", self.tag_prefixes))
        if self.fusion == "bonus15" and (self.vector_weight, self.bm25_weight) != (0.7, 0.3):
            warnings.warn(
                'vector_weight and bm25_weight have no effect on the fusion "bonus15"; use fusion="weighted"',
                stacklevel=3,
            )

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> HybridConfig:
        """Return the configuration that a mapping describes; names in snake_case or as the source writes them.

        Raises:
            UnknownField: a name that is no setting; the message gives the nearest one.
            InvalidArgument: a value is outside its range, or one setting is given twice.

        >>> HybridConfig.from_dict({"recencyHalfLifeDays": 7, "fusion": "rrf"}).recency_half_life_days
        7

        """
        return cls(**settings("configuration", mapping, _defaults()))

    def merged(self, partial: Mapping[str, Any]) -> HybridConfig:
        """Return the configuration with some settings changed; names and errors are those of `from_dict`."""
        return replace(self, **settings("configuration", partial, self.to_dict()))

    def to_dict(self) -> dict[str, Any]:
        """Return every setting by its name in snake_case."""
        return {spec.name: getattr(self, spec.name) for spec in fields(self)}

    def pools(self, limit: float) -> Pools:
        """Return what a limit comes to: a whole number from 1 to `max_limit`, and 1 if it is not finite.

        >>> HybridConfig().pools(5), HybridConfig().pools(50).limit, HybridConfig().pools(float("nan")).limit
        (Pools(limit=5, candidate_pool=20, rerank_window=10), 20, 1)
        """
        # docs/sources.md: A2.1.2.
        whole = math.floor(limit) if math.isfinite(limit) else 1
        limit = min(max(whole, 1), self.max_limit)
        return Pools(limit, max(self.candidate_pool_size, WINDOW * limit), WINDOW * limit)

    def http_reranker(self, api_key: str | None = None, **options: Any) -> HttpReranker:
        """Return the reranker behind HTTP that the configuration names; options are those of `HttpReranker`.

        Raises:
            MissingExtra: the extra "rerank" is not installed.

        """
        from ..ranking.rerank.client import HttpReranker

        ours = {name: getattr(self, f"rerank_{name}") for name in ("provider", "model", "endpoint")}
        if self.rerank_provider != "jina":  # what was left at Jina's is nobody else's
            defaults = _defaults()
            ours = {name: value for name, value in ours.items() if value != defaults[f"rerank_{name}"]}
        return HttpReranker(**{**ours, **options}, api_key=api_key)

    def profile(self, reranker: Reranker | Judge | None = None, *, limit: float | None = None) -> Profile:
        """Return the profile "hybrid" with these settings.

        Args:
            reranker: whom the mode "cross-encoder" asks, an object or a function `f(query, texts)`. Without one, and
                where it fails, the cosines of the candidates take its place, and every answer says `degraded`.
            limit: the hits that pools and the rerank window follow from. The source takes those of each call; here they
                are a constant of the profile, so that asking for more hits changes no score: 10, or more if `max_limit`
                is above 20.

        >>> [stage.name for stage in HybridConfig(filter_noise=False).profile().stages][:3]
        ['fusion', 'minimum score', 'rerank']

        """
        results = self.pools(MAX_RESULTS if limit is None else limit).limit
        pools = self.pools(max(MAX_RESULTS, math.ceil(self.max_limit / WINDOW)) if limit is None else limit)
        stages = pipeline(self, pools.rerank_window, reranker)
        return Profile("hybrid", legs(self, pools), stages, pool=self.max_limit, max_results=results)


def default() -> Profile:
    """Return what `recall(profile="hybrid")` uses: the source's settings, reranked by cosines.

    The source's default is a cross-encoder behind HTTP, with cosines where it cannot be reached. A memory that is
    embedded calls nobody unasked; give `HybridConfig().profile(reranker)` for one.
    """
    return HybridConfig(rerank="lightweight").profile()


def _defaults() -> dict[str, Any]:
    return {spec.name: spec.default for spec in fields(HybridConfig)}
