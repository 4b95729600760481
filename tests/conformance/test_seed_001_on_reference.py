"""Seed 001's published cases of fusions, stages and whole runs, answered by the reference alone.

What fails here and passes in `test_published_cases` is a fault of the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from byheart.conformance.compare import equal
from byheart.conformance.runner import Case, load
from byheart.reference import fusion, vitality
from byheart.reference.hybrid import Entry, Settings, changed, importance_factor, left, length_factor, normalised, run

OLD = Settings(normaliser="none", noise_profile="1.0.11")
NAMES = {
    "minScore": "min_score",
    "hardMinScore": "hard_min_score",
    "filterNoise": "filter_noise",
    "recencyHalfLifeDays": "recency_half_life",
    "lengthNormAnchor": "anchor",
    "timeDecayHalfLifeDays": "time_half_life",
}


def after(given: Mapping[str, Any], step: Callable[[float], float]) -> float:
    return changed([("row", given["score"])], lambda id, score: step(score))[0][1]


def recency(given: Mapping[str, Any]) -> float:
    half_life = given.get("half_life", 14.0)
    if half_life == 0.0:
        return float(given["score"])
    return after(given, lambda score: score + left(given["age_days"], half_life, "e") * given.get("weight", 0.1))


def time_decay(given: Mapping[str, Any]) -> float:
    half_life = given.get("half_life", 60.0)
    if half_life == 0.0:
        return float(given["score"])
    return after(given, lambda score: score * (0.5 + 0.5 * left(given["age_days"], half_life, "e")))


def length(given: Mapping[str, Any]) -> float:
    anchor = given.get("anchor", 500)
    if anchor == 0:
        return float(given["score"])
    return after(given, lambda score: score * length_factor(Entry("x" * given["char_len"]), anchor))


def weighted(given: Mapping[str, Any]) -> float:
    weights = {"vector_weight": given["vector_weight"], "words_weight": given["bm25_weight"]}
    return fusion.convex(given.get("vector"), given.get("bm25"), **weights)


def pipeline(given: Mapping[str, Any]) -> list[list[Any]]:
    config = given["config"]
    settings = replace(OLD, **{NAMES[name]: value for name, value in config.items() if name not in ("rerank", "mode")})
    entries = {
        entry["id"]: Entry(
            entry["text"].ljust(entry.get("pad_to", 0), "x"), entry["age_days"], entry["importance"], entry["vec"]
        )
        for entry in given["entries"]
    }
    lists = {name: [(hit["id"], hit["score"]) for hit in given[name]] for name in ("vector", "bm25")}
    if config.get("mode") == "vector":
        lists["bm25"] = []
    settings = replace(settings, lightweight=config.get("rerank") == "lightweight")
    rows = run(entries, lists["vector"], lists["bm25"], given["limit"], settings, given["query_vec"])
    return [list(row) for row in rows]


ANSWERS: dict[str, Callable[[Mapping[str, Any]], Any]] = {
    "bm25.sigmoid": lambda given: normalised([("row", given["raw"])], "logistic")[0][1],
    "decay_engine.score": lambda given: vitality.vitality(**given),
    "fusion.seed": lambda given: fusion.bonus(given.get("vector"), given.get("bm25")),
    "fusion.weighted": weighted,
    "pipeline.run": pipeline,
    "reinforcement.half_life": lambda given: vitality.reinforced_half_life(**given),
    "score.importance": lambda given: after(
        given, lambda score: score * importance_factor(Entry(importance=given.get("importance")))
    ),
    "score.length": length,
    "score.recency": recency,
    "score.time_decay": time_decay,
}


def answerable(case: Case) -> bool:
    """The reference knows no reranker but the cosine, and no limit that it has to correct."""
    return case.feature != "pipeline.pools" and "rerank_response" not in case.input


@pytest.mark.parametrize("name", ["bm25", "decay_engine", "fusion", "pipeline", "reinforcement", "score"])
def test_reference_gives_the_published_answers(shared: Path, name: str) -> None:
    cases = [case for case in load(shared / "vectors" / f"{name}.json") if answerable(case)]
    got = {case.id: ANSWERS[case.feature](case.input) for case in cases}
    wrong = {case.id: got[case.id] for case in cases if not equal(case.expected, got[case.id])}
    assert wrong == {} and len(cases) >= 3
    assert {case.feature for case in cases} == {feature for feature in ANSWERS if feature.startswith(f"{name}.")}
