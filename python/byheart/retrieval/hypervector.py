"""Hypervector retrieval of records: one vector for each of topic, claim, role and acts (seed 003; spec B1.35)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .._core import Analyzer, HyperVector, HypervectorIndex
from ..errors import InvalidArgument
from ..ranking.explanation import Explanation, Part
from ..ranking.hypervector_score import FIELD_WEIGHTS, FLOOR, field_score, reach
from ..records import Record

Vectors = dict[str, HyperVector]

# How a list of terms becomes one vector.
ENCODERS: Mapping[str, Callable[[Sequence[str]], HyperVector]] = {
    "ngrams": HyperVector.encode_ngrams,
    "subwords": HyperVector.encode_subwords,
    "tokens": HyperVector.encode_tokens,
}


def check_encoder(name: str) -> None:
    """Refuse an encoder that does not exist."""
    if name not in ENCODERS:
        raise InvalidArgument(f"hypervectors: {name!r} does not exist; there are {', '.join(ENCODERS)}")


def new_index() -> HypervectorIndex:
    """Return an empty index over the four fields."""
    return HypervectorIndex(dict(FIELD_WEIGHTS), combine="adaptive", floor=FLOOR)


def encode_record(record: Record, analyzer: Analyzer, encoder: str) -> Vectors:
    """Return a record's vectors; a field without terms has none (spec B1.35.7)."""
    encode = ENCODERS[encoder]
    texts = {"topic": record.topic, "claim": record.indexed().get("claim") or record.procedure}
    vectors: Vectors = {}
    for name, text in texts.items():
        terms = analyzer.terms(text) if text else []
        if terms:
            vectors[name] = encode(terms)
    if record.role:
        vectors["role"] = HyperVector.random(record.role)
    if record.acts():
        vectors["acts"] = HyperVector.encode_tokens(record.acts())
    return vectors


def encode_query(terms: Sequence[str], act: str | None, roles: Sequence[str], encoder: str) -> Vectors:
    """Return a query's vectors (spec B1.35.2)."""
    vectors: Vectors = {}
    if terms:
        vectors["topic"] = vectors["claim"] = ENCODERS[encoder](terms)
    if roles:
        vectors["role"] = HyperVector.encode_tokens(roles)
    if act is not None:
        vectors["acts"] = HyperVector.random(act)
    return vectors


def explain(query: Vectors, record: Vectors, id: str) -> Explanation:
    """Return a record's hypervector score taken apart, computed from the two sets of vectors alone.

    A record with all four fields is scored by the plain weighted sum. Any other is scored over the fields
    that both have, each scaled by what bundles of their sizes can reach, and divided by their weights.
    """
    whole = all(name in record for name in FIELD_WEIGHTS)
    parts, total, weights = [], 0.0, 0.0
    for name, weight in FIELD_WEIGHTS.items():
        if name not in query or name not in record:
            continue
        similarity = query[name].similarity(record[name])
        score, detail = field_score(similarity), f"weight {weight:g}, similarity {similarity:.4f}"
        if not whole:
            limit = reach(query[name].parts, record[name].parts)
            detail += f", reachable {limit:.4f}"
            score = 0.0 if score <= FLOOR else min(1.0, score / limit)
        total += weight * score
        weights += weight
        parts.append(Part(name, weight * score, detail))
    divisor = 1.0 if whole or not parts else weights
    return Explanation(id, total / divisor, tuple(parts), total, divisor=divisor)
