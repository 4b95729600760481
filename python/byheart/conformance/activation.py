"""Adapters of activation: candidates, normalisation, calibration, fusion, the factor g, acceptance and diversity.

A ranking of whole cases is that of the one path that activation and search take.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Any

from byheart.boundary.policy import Retrieval
from byheart.ranking.activation import formulas, matching, reasons
from byheart.ranking.activation.calibration import Calibration, fit_platt, platt, quantile
from byheart.ranking.activation.ranked import Candidate, Ranked, Sides, rank
from byheart.ranking.activation.stages import CollapseTexts, DiverseEntities
from byheart.ranking.algebra import StageContext
from byheart.ranking.calibration import Isotonic
from byheart.ranking.candidates import Candidates
from byheart.records import Record

from .registry import feature


@feature("pce.ilike", "text", "q")
def _ilike(given: Mapping[str, Any]) -> bool:
    return matching.holds(given["text"], given["q"])


@feature("pce.like_escape", "q")
def _like_escape(given: Mapping[str, Any]) -> str:
    return matching.escaped(given["q"])


@feature("pce.split_words", "q")
def _split_words(given: Mapping[str, Any]) -> list[str]:
    return matching.words(given["q"])


@feature("pce.k_initial", "k_final")
def _k_initial(given: Mapping[str, Any]) -> dict[str, int]:
    return dict(zip(("k_txt", "k_vec"), Retrieval(k_final=given["k_final"]).candidates, strict=True))


@feature("pce.k_widen", "k_final", "hits", "k", "expansions_done")
def _k_widen(given: Mapping[str, Any]) -> int:
    return formulas.widened(given["k"], given["hits"], given["k_final"], given["expansions_done"])


@feature("pce.s_text_minmax", "bm25", optional=("epsilon",))
def _s_text_minmax(given: Mapping[str, Any]) -> list[float]:
    return formulas.min_max(given["bm25"], given.get("epsilon", formulas.EPSILON))


@feature("pce.s_text_rank", "rank")
def _s_text_rank(given: Mapping[str, Any]) -> float:
    return formulas.rank_score(given["rank"])


@feature("pce.fusion", "s_text", "s_vec", "alpha")
def _fusion(given: Mapping[str, Any]) -> float:
    return formulas.fuse(**given)


@feature("pce.fusion_missing_side", "s_text", "s_vec", "alpha")
def _fusion_missing_side(given: Mapping[str, Any]) -> float:
    return formulas.fuse(**given)


@feature("pce.sigmoid", "x")
def _sigmoid(given: Mapping[str, Any]) -> float:
    return formulas.sigmoid(given["x"])


@feature("pce.recency", "age_days", "half_life_days")
def _recency(given: Mapping[str, Any]) -> float:
    return formulas.recency(given["age_days"], given["half_life_days"])


@feature("pce.half_life", "kind")
def _half_life(given: Mapping[str, Any]) -> float:
    return Retrieval().half_life(given["kind"])


@feature("pce.utility_z", "utilities")
def _utility_z(given: Mapping[str, Any]) -> list[float]:
    return [formulas.Population.of(given["utilities"]).z(each) for each in given["utilities"]]


@feature("pce.utility_linear", "utilities")
def _utility_linear(given: Mapping[str, Any]) -> list[float]:
    return formulas.linear(given["utilities"])


@feature("pce.g", "utility_z", "confidence", "recency")
def _g(given: Mapping[str, Any]) -> float:
    return formulas.worth(**given).g


@feature("pce.g_quality", "utility_z", "confidence", "recency", "quality")
def _g_quality(given: Mapping[str, Any]) -> float:
    return formulas.worth(**given).g


@feature("pce.threshold", "S", "g", optional=("threshold",))
def _threshold(given: Mapping[str, Any]) -> dict[str, Any]:
    score = formulas.final_score(given["S"], given["g"])
    return {"score_final": score, "accepted": formulas.accepted(score, given.get("threshold", Retrieval().min_score))}


@feature("pce.calib_quantile", "train", "x")
def _calib_quantile(given: Mapping[str, Any]) -> float:
    return quantile(sorted(given["train"]), given["x"])


@feature("pce.calib_isotonic_fit", "xy")
def _calib_isotonic_fit(given: Mapping[str, Any]) -> list[list[float]]:
    return [[block.low, block.high, block.value] for block in Isotonic.fit(given["xy"]).blocks]


@feature("pce.calib_isotonic_apply", "xy", "x")
def _calib_isotonic_apply(given: Mapping[str, Any]) -> float:
    scores, worths = zip(*given["xy"], strict=True)
    fitted = Calibration.fit("text", "isotonic", scores, worths, model_version="", policy_version="")
    return fitted.apply(given["x"])


@feature("pce.calib_platt_fit", "f", "y")
def _calib_platt_fit(given: Mapping[str, Any]) -> dict[str, float]:
    return dict(zip("AB", fit_platt(given["f"], given["y"]), strict=True))


@feature("pce.calib_platt_apply", "A", "B", "f")
def _calib_platt_apply(given: Mapping[str, Any]) -> float:
    return platt(given["A"], given["B"], given["f"])


@feature("pce.reason", "parts")
def _reason(given: Mapping[str, Any]) -> str:
    return reasons.written(given["parts"])


@feature("pce.dedupe_hash", "items")
def _dedupe_hash(given: Mapping[str, Any]) -> list[str]:
    table = _scored(given["items"]).sorted_by_score()
    said = {item["id"]: Record(text=item["content_hash"]) for item in given["items"] if item["content_hash"]}
    return list(CollapseTexts()(table, StageContext(now=0.0, k=len(said), records=said)).ids)


@feature("pce.entity_cap", "items", "k", optional=("lambda", "cap"))
def _entity_cap(given: Mapping[str, Any]) -> list[str]:
    items = given["items"]
    vectors = {item["id"]: array("f", item["vec"]) if item.get("vec") else None for item in items}
    entities = {item["id"]: _entities(item) for item in items}
    context = StageContext(now=0.0, k=given["k"], vector_of=vectors.get, values=lambda field, id: entities[id])
    stage = DiverseEntities(
        given["k"], given.get("lambda", Retrieval().trade_off), given.get("cap", Retrieval().entity_cap)
    )
    return list(stage(_scored(items), context).ids)


def _scored(items: Sequence[Mapping[str, Any]]) -> Candidates:
    return Candidates(tuple(item["id"] for item in items), {"score": tuple(item["score_final"] for item in items)})


def _entities(item: Mapping[str, Any]) -> list[str]:
    said = item.get("entities", item.get("entity"))
    return [said] if isinstance(said, str) else list(said or ())


@feature("pce.sql_template", "claims", "alpha", "half_life_days")
def _sql_template(given: Mapping[str, Any]) -> list[list[Any]]:
    return [[row.id, row.score] for row in _ranked(given, 0.0).items]


@feature("pce.activate_accept", "claims", "alpha", "half_life_days", "threshold")
def _activate_accept(given: Mapping[str, Any]) -> list[str]:
    return [row.id for row in _ranked(given, given["threshold"]).items]


def _ranked(given: Mapping[str, Any], threshold: float) -> Ranked:
    """Return the ranking of a case, which has substrings' ranks, and utilities as they are."""
    claims = given["claims"]
    settings = Retrieval(
        half_life_days=given["half_life_days"], min_score=threshold, trade_off=1.0, k_final=max(len(claims), 1)
    )
    candidates = [
        Candidate(
            id=claim["id"],
            text_rank=claim["s_text_rank"],
            similarity=claim["sim"],
            utility=claim["utility"],
            confidence=claim["confidence"],
            created_at=-claim["age_days"] * formulas.DAY,
        )
        for claim in claims
    ]
    sides = Sides(full_text=False)
    return rank(candidates, settings, now=0.0, sides=sides, alpha=given["alpha"], utility="raw")
