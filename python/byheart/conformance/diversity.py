"""Adapters of similarity and diversity: `mmr.*`, and those of `pce.*` that compare vectors.

Cosines of the cases are compared in double precision; maximal marginal relevance takes float32, as embeddings are.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Any

from byheart import maximal_marginal_relevance
from byheart.errors import DimensionMismatch
from byheart.ranking.diversity import DEFERRAL_THRESHOLD, defer_similar
from byheart.ranking.normalisation import cosine_similarity, distance_score, similarity_score

from .registry import feature


@feature("mmr.order", "items", optional=("threshold",))
def _order(given: Mapping[str, Any]) -> list[str]:
    items = given["items"]
    order = defer_similar([item.get("vec") for item in items], given.get("threshold", DEFERRAL_THRESHOLD))
    return [items[at]["id"] for at in order]


@feature("pce.mmr", "items", optional=("lambda", "k"))
def _mmr(given: Mapping[str, Any]) -> list[str]:
    items = given["items"]
    scores = [item["score_final"] for item in items]
    vectors = [array("f", item["vec"]) if item.get("vec") else None for item in items]
    options = {"trade_off": given["lambda"]} if "lambda" in given else {}
    return [
        items[at]["id"] for at in maximal_marginal_relevance(scores, vectors, given.get("k", len(items)), **options)
    ]


@feature("pce.cos_sim", "a", "b")
def _cos_sim(given: Mapping[str, Any]) -> float | str | None:
    try:
        return cosine_similarity(given["a"], given["b"])
    except DimensionMismatch:
        return "error:dimension_mismatch"


@feature("pce.norm_cos", "sim")
def _norm_cos(given: Mapping[str, Any]) -> float:
    return similarity_score(given["sim"])


@feature("pce.vss_distance", "dist")
def _vss_distance(given: Mapping[str, Any]) -> float:
    return distance_score(given["dist"])
