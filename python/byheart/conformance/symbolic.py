"""Adapters of facts, rules and closures (`mrp.tdb_*` and their kin), whose texts are in mode "ascii".

The cases are the original's letter: stated facts may crowd derived ones out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from byheart import Record, SymbolicIndex, profiles
from byheart._core import Closure, derived_confidence, extract_fact, path_score, symbol_key, symbol_tokens
from byheart.evaluation.knowledge_metrics import context_f1
from byheart.ranking.fusion import agreement
from byheart.ranking.hierarchy import child_scores
from byheart.retrieval.symbolic import PREFERRED, Vocabulary, fact_of

from .registry import feature

_BOUNDS = {
    "maxDepth": "max_depth",
    "maxDerivedFactsPerQuery": "max_derived",
    "maxProofs": "max_proofs",
    "maxSeedFacts": "max_seeds",
    "maxFocusedProofs": "max_focused",
    "minConfidence": "min_confidence",
    "distancePenalty": "distance_penalty",
    "goalBonus": "goal_bonus",
    "seedBonus": "seed_bonus",
}
_OPTIONAL = ("query_text", "maxCandidates", *_BOUNDS)


@feature("mrp.extract_fact", "text")
def _extract_fact(given: Mapping[str, Any]) -> dict[str, Any] | None:
    found = extract_fact(given["text"])
    return None if found is None else dict(zip(("subject", "relation", "object", "confidence"), found, strict=True))


@feature("mrp.symbol_key", "text")
def _symbol_key(given: Mapping[str, Any]) -> str:
    return symbol_key(given["text"], mode="ascii")


@feature("mrp.symbol_tokens", "text")
def _symbol_tokens(given: Mapping[str, Any]) -> list[str]:
    return symbol_tokens(given["text"], mode="ascii")


def _index() -> SymbolicIndex:
    shipped = Vocabulary()
    return SymbolicIndex(shipped.relations, [rule.row() for rule in shipped.rules], PREFERRED, mode="ascii")


def _closure(given: Mapping[str, Any]) -> Closure:
    index = _index()
    for unit in given["units"]:
        fact = fact_of(Record.from_dict({"text": unit.get("topic") or unit["id"], **unit}))
        if fact is not None:
            index.add([unit["id"]], [fact])
    options = {name: given[key] for key, name in _BOUNDS.items() if key in given}
    return index.search(
        given["query_terms"],
        given.get("query_text"),
        given.get("maxCandidates", 32),
        options={**options, "derived_first": False},
    )


@feature("mrp.tdb_seed_score", "fact", "query_terms", "query_text")
def _seed_score(given: Mapping[str, Any]) -> int:
    index = _index()
    subject, relation, object = given["fact"]
    index.add(["unit"], [(subject, relation, object, 1.0)])
    seeds = index.search(given["query_terms"], given["query_text"]).seeds
    return seeds[0][1] if seeds else 0


@feature("mrp.tdb_seeds", "units", "query_terms", optional=_OPTIONAL)
def _seeds(given: Mapping[str, Any]) -> list[str]:
    return [key for key, _ in _closure(given).seeds]


@feature("mrp.tdb_derived", "units", "query_terms", optional=_OPTIONAL)
def _derived(given: Mapping[str, Any]) -> list[list[Any]]:
    return [[proof.key, proof.raw, proof.rules, proof.base] for proof in _closure(given).derived]


@feature("mrp.tdb_candidates", "units", "query_terms", optional=_OPTIONAL)
def _candidates(given: Mapping[str, Any]) -> list[list[Any]]:
    found = _closure(given)
    return [list(row) for row in zip(found.ids, found.scores, found.normalised, strict=True)]


@feature("mrp.tdb_confidence", "premises", "rule_weight")
def _confidence(given: Mapping[str, Any]) -> float:
    return derived_confidence(given["premises"], given["rule_weight"])


@feature("mrp.tdb_path_score", "raw", "path_length", "touches_goal", "from_seed")
def _path_score(given: Mapping[str, Any]) -> float:
    return path_score(given["raw"], given["path_length"], given["touches_goal"], given["from_seed"])


@feature("mrp.fusion_thinkingdb", "bm25", "thinkingdb")
def _fusion(given: Mapping[str, Any]) -> float:
    profile = profiles.EscalatingConfig.of("kb-thinkingdb")
    scores = {"lexical": given["bm25"], "symbolic": given["thinkingdb"]}
    return agreement(scores, weights=profile.weights, bonus=profile.agreement_bonus)


@feature("mrp.aggregate_expand", "parent_score", "children")
def _aggregate_expand(given: Mapping[str, Any]) -> list[float]:
    return child_scores(given["parent_score"], given["children"])


@feature("mrp.context_f1", "required", "missing", "forbidden", "found_forbidden")
def _context_f1(given: Mapping[str, Any]) -> dict[str, float]:
    return context_f1(**given)._asdict()
