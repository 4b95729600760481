"""The legs and stages that a hybrid configuration comes to, in their order.

Fusion loses no row: what either search proposes is in the table. After it, these may drop even the best hit of a
search, and say so: the minimum score; the rerank window, if more rows than it is wide score as high; the hard
minimum; noise. Where tags are looked at, that comes first. Near-duplicates are moved, not dropped.
"""
# docs/sources.md: A2.1.1.

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ..errors import RerankFailed
from ..ranking.algebra import Stage
from ..ranking.rerank import CallableReranker, Reranker, Scored
from ..ranking.rerank.protocol import Judge
from ..ranking.rerank.stage import Rerank
from ..ranking.scoring import (
    DeferSimilar,
    Fuse,
    HardMinimum,
    Importance,
    LengthNormalisation,
    MinimumScore,
    MustContain,
    NoiseFilter,
    Recency,
    ReinforcedTimeDecay,
    TimeDecay,
)
from .profile import Leg

if TYPE_CHECKING:
    from .hybrid import HybridConfig, Pools

WINDOW: Final = 2
"""Rows that are reranked, and that each search proposes at least, for each hit."""

MAX_RESULTS: Final = 10
"""Hits, where a recall does not say how many; pools and the rerank window follow from it."""


def legs(config: HybridConfig, pools: Pools) -> tuple[Leg, ...]:
    """Return the searches: both propose the same number of rows, and only the vectors have a floor."""
    # docs/sources.md: A2.1.4.
    floor = config.vector_floor if config.vector_score == "cosine" else None
    words = "lexical" if config.mode == "vector" else None
    if config.mode == "vector" and config.vector_pool == "limit":
        least = config.min_score if floor is not None else None
        return (Leg("dense", pools.limit, floor=least, stand_in=words),)
    dense = Leg("dense", pools.candidate_pool, floor=floor, stand_in=words)
    return (dense,) if config.mode == "vector" else (dense, Leg("lexical", pools.candidate_pool))


def pipeline(config: HybridConfig, window: int, reranker: Reranker | Judge | None = None) -> tuple[Stage, ...]:
    """Return the stages in order; see `HybridConfig.profile`."""
    fuse = Fuse(config.fusion, config.normaliser, config.vector_score, config.vector_weight, config.bm25_weight)
    decay = TimeDecay(config.time_decay_half_life_days, config.decay_base)
    if config.reinforcement_factor > 0.0:
        decay = ReinforcedTimeDecay(
            decay.half_life_days, decay.base, config.reinforcement_factor, config.max_half_life_multiplier
        )
    noise = NoiseFilter(config.noise_profile, config.filter_denials, config.filter_meta, config.filter_boilerplate)
    return (
        *((MustContain(config.tag_prefixes),) if config.tag_prefixes else ()),
        fuse,
        MinimumScore(config.min_score),
        *_rerank(config, window, reranker),
        Recency(config.recency_half_life_days, config.recency_weight, config.decay_base),
        Importance(),
        LengthNormalisation(config.length_norm_anchor, config.length_unit),
        decay,
        HardMinimum(config.hard_min_score),
        *((noise,) if config.filter_noise else ()),
        DeferSimilar(config.deferral_threshold),
    )


def _rerank(config: HybridConfig, window: int, reranker: Reranker | Judge | None) -> tuple[Stage, ...]:
    if config.rerank == "none":
        return ()
    if config.rerank == "lightweight":
        return (Rerank(None, window),)
    if reranker is not None and not isinstance(reranker, Reranker):
        reranker = CallableReranker(reranker)
    return (Rerank(_NOBODY if reranker is None else reranker, window, config.rerank_floors),)


class _Nobody:
    """The reranker that was not given."""

    name: Final = "cross-encoder"

    def scores(self, query: str, documents: Sequence[str], *, deadline: float | None = None) -> Sequence[Scored]:
        """Fail."""
        raise RerankFailed("no reranker was given")


_NOBODY: Final = _Nobody()
