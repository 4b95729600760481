"""Adapters of the hybrid pipeline: fusion, scoring stages, pools, whole runs, and newer parts.

A stage's case is a table of one row. A run's lists hold scores that are normalised already; it follows version 1.0.11
by explicit settings: lengths in UTF-16 units, its noise patterns, and vector mode without reranking over `limit` rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from byheart import fusion
from byheart.conformance.vitality import vitality
from byheart.profiles import Leg
from byheart.profiles.hybrid import HybridConfig
from byheart.ranking.algebra import Stage, StageContext, run
from byheart.ranking.candidates import Candidates, join
from byheart.ranking.features import gather
from byheart.ranking.normalisation import inverse_distance, logistic
from byheart.ranking.scoring import Importance, LengthNormalisation, Recency, TimeDecay
from byheart.ranking.scoring.formulas import reinforced_half_life
from byheart.ranking.scoring.selection import tags_of
from byheart.records import Record

from .registry import feature

_OF_1_0_11 = {"normaliser": "none", "noise_profile": "1.0.11", "length_unit": "utf16", "vector_pool": "limit"}


def _named(given: Mapping[str, Any], **names: str) -> dict[str, Any]:
    """Return the inputs that are there under the names that the code has for them."""
    return {ours: given[theirs] for ours, theirs in names.items() if theirs in given}


@feature("fusion.seed", optional=("vector", "bm25"))
def _seed(given: Mapping[str, Any]) -> float:
    return fusion.bonus(given.get("vector"), given.get("bm25"))


@feature("fusion.weighted", optional=("vector", "bm25", "vector_weight", "bm25_weight"))
def _weighted(given: Mapping[str, Any]) -> float:
    weights = _named(given, vector_weight="vector_weight", words_weight="bm25_weight")
    return fusion.convex(given.get("vector"), given.get("bm25"), **weights)


@feature("bm25.sigmoid", "raw")
def _sigmoid(given: Mapping[str, Any]) -> float:
    return logistic(given["raw"])


@feature("vector.inverse_distance", "distance")
def _inverse_distance(given: Mapping[str, Any]) -> float:
    return inverse_distance(given["distance"])


def _after(stage: Stage, score: float, **features: float | None) -> float:
    """Return the score of a row after a stage."""
    columns = {name: (value,) for name, value in {"score": score, **features}.items()}
    return stage(Candidates(("row",), columns), StageContext(now=0.0, k=1)).scores()[0]


@feature("score.recency", "score", "age_days", optional=("half_life", "weight", "decay_base"))
def _recency(given: Mapping[str, Any]) -> float:
    stage = Recency(**_named(given, half_life_days="half_life", weight="weight", base="decay_base"))
    return _after(stage, given["score"], age_days=given["age_days"])


@feature("score.time_decay", "score", "age_days", optional=("half_life", "decay_base"))
def _time_decay(given: Mapping[str, Any]) -> float:
    stage = TimeDecay(**_named(given, half_life_days="half_life", base="decay_base"))
    return _after(stage, given["score"], age_days=given["age_days"])


@feature("score.importance", "score", optional=("importance",))
def _importance(given: Mapping[str, Any]) -> float:
    return _after(Importance(), given["score"], importance=given.get("importance"))


@feature("score.length", "score", "char_len", optional=("anchor",))
def _length(given: Mapping[str, Any]) -> float:
    return _after(LengthNormalisation(**_named(given, anchor="anchor")), given["score"], length=given["char_len"])


@feature("pipeline.pools", "limit", optional=("candidate_pool_size",))
def _pools(given: Mapping[str, Any]) -> dict[str, int]:
    config = HybridConfig(**_named(given, candidate_pool_size="candidate_pool_size"))
    limit = given["limit"]
    return config.pools(float("nan") if limit is None else float(limit))._asdict()


@feature(
    "pipeline.run", "limit", "entries", "vector", "bm25", optional=("query_vec", "query", "config", "rerank_response")
)
def _run(given: Mapping[str, Any]) -> list[list[Any]]:
    config = HybridConfig.from_dict({**_OF_1_0_11, **given.get("config", {})})
    if config.mode == "vector":
        config = config.merged({"rerank": "none"})
    limit, said = config.pools(given["limit"]).limit, given.get("rerank_response")
    answer = None if said is None else [(each["index"], each["score"]) for each in said]
    profile = config.profile(None if answer is None else lambda query, texts: answer, limit=limit)
    lists = {"dense": given["vector"], "lexical": given["bm25"]}
    table = join({leg.retriever: _proposed(leg, lists[leg.retriever]) for leg in profile.legs})
    entries = {entry["id"]: entry for entry in given["entries"]}
    for name in ("age_days", "importance"):
        table = table.with_column(name, [entries[id].get(name) for id in table.ids])
    context = StageContext(
        now=0.0,
        k=limit,
        query=given.get("query", ""),
        records={id: Record(text=_text(entry)) for id, entry in entries.items()},
        query_vector=given.get("query_vec"),
        vector_of=lambda id: entries[id].get("vec"),
    )
    table = run(profile.stages, gather(table, profile.stages, context), context)
    return [[id, score] for id, score in zip(table.ids, table.scores(), strict=True)][:limit]


def _proposed(leg: Leg, hits: list[dict[str, Any]]) -> list[tuple[str, float]]:
    """Return what a search of the profile would propose out of a list."""
    kept = [(hit["id"], hit["score"]) for hit in hits if leg.floor is None or hit["score"] >= leg.floor]
    return kept[: leg.pool]


def _text(entry: Mapping[str, Any]) -> str:
    text: str = entry["text"]
    return text.ljust(entry.get("pad_to", 0), "x")


@feature("reinforcement.half_life", "base", "access_count", "days_since_access", optional=("factor", "max_multiplier"))
def _half_life(given: Mapping[str, Any]) -> float:
    options = _named(given, factor="factor", max_multiplier="max_multiplier")
    return reinforced_half_life(given["base"], given["access_count"], given["days_since_access"], **options)


@feature(
    "decay_engine.score",
    "tier", "importance", "confidence", "access_count", "age_days", "days_since_access",
    optional=("temporal_type",),
)  # fmt: skip
def _decay_engine(given: Mapping[str, Any]) -> dict[str, float]:
    numbers = {name: value for name, value in given.items() if name != "temporal_type"}
    return asdict(vitality(**numbers, dynamic=given.get("temporal_type") == "dynamic"))


@feature("tags.extract", "query", optional=("prefixes",))
def _tags(given: Mapping[str, Any]) -> list[str]:
    return tags_of(given["query"], **_named(given, prefixes="prefixes"))
