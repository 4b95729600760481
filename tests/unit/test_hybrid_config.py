"""Seed 001's configuration: its defaults, its ranges, both spellings, and what it makes of a limit."""

import math
import warnings

import pytest

from byheart import errors, profiles
from byheart.profiles import Leg
from byheart.profiles.hybrid import HybridConfig

SEED = {
    "mode": "hybrid",
    "vectorWeight": 0.7,
    "bm25Weight": 0.3,
    "minScore": 0.3,
    "rerank": "cross-encoder",
    "candidatePoolSize": 20,
    "recencyHalfLifeDays": 14,
    "recencyWeight": 0.10,
    "filterNoise": True,
    "rerankModel": "jina-reranker-v3",
    "rerankEndpoint": "https://api.jina.ai/v1/rerank",
    "rerankProvider": "jina",
    "lengthNormAnchor": 500,
    "hardMinScore": 0.35,
    "timeDecayHalfLifeDays": 60,
}


def test_the_defaults_are_the_seeds() -> None:
    assert HybridConfig.from_dict(SEED) == HybridConfig()
    assert HybridConfig.from_dict(HybridConfig().to_dict()) == HybridConfig()


def test_both_spellings_and_partial_changes() -> None:
    changed = HybridConfig().merged({"minScore": 0.4, "hard_min_score": 0.5})
    assert (changed.min_score, changed.hard_min_score, changed.recency_weight) == (0.4, 0.5, 0.10)
    assert HybridConfig().min_score == 0.3
    with pytest.raises(errors.InvalidArgument, match="min_score is given twice"):
        HybridConfig.from_dict({"minScore": 0.4, "min_score": 0.4})


@pytest.mark.parametrize(
    ("wrong", "nearest"), [("minscore", "min_score"), ("recencyHalflife", "recency_half_life_days")]
)
def test_an_unknown_name_is_refused_with_the_nearest(wrong: str, nearest: str) -> None:
    with pytest.raises(errors.UnknownField, match=nearest):
        HybridConfig.from_dict({wrong: 1})
    with pytest.raises(errors.UnknownField, match=nearest):
        HybridConfig().merged({wrong: 1})


@pytest.mark.parametrize(
    ("name", "low", "high", "step"),
    [
        ("candidate_pool_size", 10, 100, 1),
        ("recency_half_life_days", 0.0, 365.0, 0.5),
        ("recency_weight", 0.0, 0.5, 0.01),
        ("length_norm_anchor", 0.0, 5000.0, 1.0),
        ("time_decay_half_life_days", 0.0, 365.0, 0.5),
        ("min_score", 0.0, 1.0, 0.01),
        ("hard_min_score", 0.0, 1.0, 0.01),
        ("reinforcement_factor", 0.0, 2.0, 0.01),
        ("max_half_life_multiplier", 1.0, 10.0, 0.01),
        ("max_limit", 1, 100_000, 1),
    ],
)
def test_ranges(name: str, low: float, high: float, step: float) -> None:
    for inside in (low, high):
        assert getattr(HybridConfig(**{name: inside}), name) == inside
    for outside in (low - step, high + step, math.nan):
        with pytest.raises((errors.InvalidArgument, TypeError), match=name):
            HybridConfig(**{name: outside})
    with pytest.raises(TypeError, match=name):
        HybridConfig(**{name: True})


@pytest.mark.parametrize(
    ("name", "value"),
    [("mode", "both"), ("fusion", "bonus"), ("rerank", "cross"), ("noise_profile", "1.0.12"), ("length_unit", "byte")],
)
def test_names_that_do_not_exist(name: str, value: str) -> None:
    with pytest.raises(errors.InvalidArgument, match=value):
        HybridConfig(**{name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [("filter_noise", "no"), ("rerank_floors", 1), ("tag_prefixes", "proj"), ("rerank_model", 3)],
)
def test_types(name: str, value: object) -> None:
    with pytest.raises(TypeError, match=name):
        HybridConfig.from_dict({name: value})


def test_a_configuration_is_a_mapping() -> None:
    with pytest.raises(TypeError, match="must be a mapping"):
        HybridConfig.from_dict(["min_score"])  # type: ignore[arg-type]


def test_weights_that_nothing_looks_at_are_warned_of() -> None:
    with pytest.warns(UserWarning, match="no effect"):
        HybridConfig(vector_weight=0.8, bm25_weight=0.2)
    with pytest.warns(UserWarning, match="no effect"):
        HybridConfig().merged({"bm25Weight": 0.4})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert HybridConfig(fusion="weighted", vector_weight=0.8, bm25_weight=0.2).vector_weight == 0.8


@pytest.mark.parametrize(
    ("limit", "expected"),
    [(0, (1, 20, 2)), (-3, (1, 20, 2)), (2.9, (2, 20, 4)), (11, (11, 22, 22)), (20, (20, 40, 40)), (21, (20, 40, 40)),
     (math.nan, (1, 20, 2)), (math.inf, (1, 20, 2)), (-math.inf, (1, 20, 2))],
)  # fmt: skip
def test_pools(limit: float, expected: tuple[int, int, int]) -> None:
    config = HybridConfig()
    assert config.pools(limit) == expected
    assert {leg.pool for leg in config.profile(limit=limit).legs} == {expected[1]}
    assert HybridConfig(max_limit=50).pools(30).limit == 30


def test_legs() -> None:
    assert HybridConfig().profile().legs == (Leg("dense", 20, floor=0.1), Leg("lexical", 20))
    assert HybridConfig(mode="vector").profile().legs == (Leg("dense", 20, floor=0.1, stand_in="lexical"),)
    limited = HybridConfig(mode="vector", vector_pool="limit").profile(limit=7).legs
    assert limited == (Leg("dense", 7, floor=0.3, stand_in="lexical"),)
    wide = HybridConfig(max_limit=50).profile()
    assert ({leg.pool for leg in wide.legs}, wide.pool, wide.max_results) == ({50}, 50, 10)
    assert HybridConfig(vector_score="inverse_distance").profile().legs[0].floor is None


def test_the_registered_profile_is_the_configured_one() -> None:
    assert "hybrid" in profiles.NAMES
    profile = profiles.get("hybrid")
    assert profile == HybridConfig(rerank="lightweight").profile()
    factors, summands = profile.worst_case()
    assert summands == {"time": 0.10}
    assert factors["time"] == 2.0 and factors["importance"] == 1.0 / 0.7 and 8.1 < factors["length"] < 8.2


def test_what_is_no_configuration_is_told_so() -> None:
    with pytest.raises(TypeError, match=r"^configuration must be a mapping of names to values, not int$"):
        HybridConfig.from_dict(3)  # type: ignore[arg-type]
    with pytest.raises(errors.UnknownField, match=r"^configuration: unknown name 'x'"):
        HybridConfig.from_dict({"x": 1})
