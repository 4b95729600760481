"""Adapters of knowledge units, whose cases are named `mrp.*`. Their texts are in mode "ascii"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from byheart import STOP_WORDS, Analyzer, LexicalIndex, Memory, Record, porter_stem, profiles
from byheart.knowledge import ACT_ROLES, ROLE_DEFAULT_ACTS, unit_id
from byheart.ranking.fusion import agreement
from byheart.ranking.hypervector_score import field_score, final_score
from byheart.ranking.normalisation import top_or_one
from byheart.ranking.pruning import gap_prune
from byheart.retrieval.lexical import FIELD_WEIGHTS, boosts

from .bm25 import idf, term_score
from .registry import feature

_UNIT_FIELDS = {
    "role": "role",
    "topic": "topic",
    "claim": "claim",
    "condition": "condition",
    "procedure": "procedure",
    "utilityActs": "utility_acts",
    "utilityNote": "utility_note",
}


@feature("mrp.tokenize", "text")
def _tokenize(given: Mapping[str, Any]) -> list[str]:
    return Analyzer(mode="ascii").terms(given["text"])


@feature("mrp.tokenize_nostem", "text")
def _tokenize_without_stemming(given: Mapping[str, Any]) -> list[str]:
    return Analyzer(stem=False, mode="ascii").terms(given["text"])


@feature("mrp.stem", "word")
def _stem(given: Mapping[str, Any]) -> str:
    return porter_stem(given["word"])


@feature("mrp.stopword", "word")
def _stop_word(given: Mapping[str, Any]) -> bool:
    return given["word"].lower() in STOP_WORDS


@feature("mrp.stopword_count")
def _stop_word_count(_: Mapping[str, Any]) -> int:
    return len(STOP_WORDS)


@feature("mrp.idf", "N", "df")
def _idf(given: Mapping[str, Any]) -> float:
    return idf(given["N"], given["df"])


@feature("mrp.bm25_term", "tf", "dl", "avgdl", "idf", optional=("k1", "b"))
def _bm25_term(given: Mapping[str, Any]) -> float:
    return term_score(**given)


@feature("mrp.bm25_normalise", "raw")
def _bm25_normalise(given: Mapping[str, Any]) -> list[float]:
    return top_or_one(given["raw"])


@feature("mrp.bm25_search", "units", "query", optional=("act",))
def _bm25_search(given: Mapping[str, Any]) -> list[list[Any]]:
    units = given["units"]
    index = LexicalIndex(fields=dict(FIELD_WEIGHTS), analyzer=Analyzer(mode="ascii"))
    index.add(
        [unit["id"] for unit in units],
        [_document(unit) for unit in units],
        labels=[unit.get("role") for unit in units],
    )
    ranking = index.search(given["query"], k=10, boosts=boosts(given.get("act")))
    return [[name, score] for name, score in ranking]


def _document(unit: Mapping[str, Any]) -> dict[str, str]:
    """Return the unit's fields under our names; a key that is no field and not the id is an error."""
    fields = {_UNIT_FIELDS[key]: value for key, value in unit.items() if key != "id" and value is not None}
    return {name: value if isinstance(value, str) else " ".join(value) for name, value in fields.items()}


@feature("mrp.act_roles", "act")
def _act_roles(given: Mapping[str, Any]) -> list[str]:
    return list(ACT_ROLES[given["act"]])


@feature("mrp.role_default_acts", "role")
def _role_default_acts(given: Mapping[str, Any]) -> list[str]:
    return list(ROLE_DEFAULT_ACTS[given["role"]])


@feature("mrp.unit_id", "sourceId", "chunk", "unit")
def _unit_id(given: Mapping[str, Any]) -> str:
    return unit_id(given["sourceId"], given["chunk"], given["unit"])


@feature("mrp.hdc_field_score", "similarity")
def _hdc_field_score(given: Mapping[str, Any]) -> float:
    return field_score(given["similarity"])


@feature("mrp.hdc_final", "topic", "claim", "role", "acts")
def _hdc_final(given: Mapping[str, Any]) -> float:
    return final_score(given)


@feature("mrp.hdc_final_partial", "topic", "claim", "role", "acts", "mode")
def _hdc_final_partial(given: Mapping[str, Any]) -> float:
    scores = {name: score for name, score in given.items() if name != "mode"}
    return final_score(scores, renormalise={"plain": False, "renormalised": True}[given["mode"]])


@feature("mrp.fusion", "bm25", "hdc")
def _fusion(given: Mapping[str, Any]) -> float:
    return agreement({"lexical": given["bm25"], "hypervector": given["hdc"]})


@feature("mrp.gap_prune", "scores", "gap")
def _gap_prune(given: Mapping[str, Any]) -> list[float]:
    return gap_prune(given["scores"], given["gap"])


@feature("mrp.profile", "plugin")
def _profile(given: Mapping[str, Any]) -> dict[str, float]:
    profile = profiles.EscalatingConfig.of(given["plugin"])
    return {
        "maxResults": profile.max_results,
        "minScore": profile.min_score,
        "gap": profile.gap,
        "minAcceptableCandidates": profile.min_acceptable,
    }


@feature("mrp.run_secondary", "plugin", "bm25_candidates")
def _run_secondary(given: Mapping[str, Any]) -> bool:
    return profiles.BUILT_IN[given["plugin"]].runs_secondary(given["bm25_candidates"])


@feature("mrp.fast_e2e", "units", "query_tokens", optional=("act",))
def _fast_end_to_end(given: Mapping[str, Any]) -> dict[str, Any]:
    memory = Memory(analyzer=Analyzer(mode="ascii"))
    memory.remember_many([Record.from_dict(unit) for unit in given["units"]])
    recall = memory.recall(given["query_tokens"], profile=profiles.KB_FAST.literally(), act=given.get("act"))
    return {"ranking": [[hit.id, hit.score] for hit in recall], "escalated": recall.receipt.escalated}
