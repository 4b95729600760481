"""The hypervector retriever: one vector for each of topic, claim, role and acts."""
# docs/sources.md: B1.35.

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from .._core import Analyzer, HyperVector, HypervectorIndex, Proposal
from ..errors import InvalidArgument
from ..ranking.explanation import Explanation, Part, shown
from ..ranking.hypervector_score import FIELD_WEIGHTS, FLOOR, field_score, reach
from ..records import Record
from ..validation import check_one_of
from .protocol import NO_SETTINGS, Found, LegQuery, Settings
from .together import CoreRetriever

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Vectors = dict[str, HyperVector]

T = TypeVar("T")

# How a list of terms becomes one vector.
ENCODERS: Mapping[str, Callable[[Sequence[str]], HyperVector]] = {
    "ngrams": HyperVector.encode_ngrams,
    "subwords": HyperVector.encode_subwords,
    "tokens": HyperVector.encode_tokens,
}


NAME = "hypervector"

# Not of terms: the signs of random projections of the text's embedding (spec decision 3).
EMBEDDING = "embedding"


def check_encoder(name: T, *, has_embedder: bool) -> T:
    """Return an encoder; refuse one that does not exist, and one that needs the embedder that is not there."""
    name = check_one_of("hypervectors", name, (*ENCODERS, EMBEDDING))
    if name == EMBEDDING and not has_embedder:
        raise InvalidArgument('hypervectors: "embedding" needs an embedder; give embedder=')
    return name


def new_index() -> HypervectorIndex:
    """Return an empty index over the four fields."""
    return HypervectorIndex(dict(FIELD_WEIGHTS), combine="adaptive", floor=FLOOR)


def encode_record(record: Record, analyzer: Analyzer, encoder: str, embedding: bytes | None = None) -> Vectors:
    """Return a record's vectors; a field without terms has none.

    With the encoder "embedding" what the record says has one vector, under "claim": that of its stored embedding.
    """
    # docs/sources.md: B1.35.7.
    vectors: Vectors = {}
    if encoder == EMBEDDING:
        if embedding is not None:
            vectors |= _of_embedding(embedding)
    else:
        said = (record.claim or record.procedure, record.unstated_text())
        texts = {"topic": record.topic, "claim": "\n".join(part for part in said if part)}
        for name, text in texts.items():
            terms = analyzer.terms(text) if text else []
            if terms:
                vectors[name] = ENCODERS[encoder](terms)
    if record.role:
        vectors["role"] = HyperVector.random(record.role)
    if record.acts():
        vectors["acts"] = HyperVector.encode_tokens(record.acts())
    return vectors


def _of_embedding(row: bytes) -> Vectors:
    import numpy as np

    vector = np.frombuffer(row, dtype="<f4").astype(np.float32, copy=False)
    return {"claim": HyperVector.from_embedding(vector)} if vector.any() else {}


def encode_query(
    terms: Sequence[str],
    act: str | None,
    roles: Sequence[str],
    encoder: str,
    embedding: NDArray[np.float32] | None = None,
) -> Vectors:
    """Return a query's vectors."""
    # docs/sources.md: B1.35.2.
    vectors: Vectors = {}
    if encoder == EMBEDDING:
        if embedding is not None and embedding.any():
            vectors["claim"] = HyperVector.from_embedding(embedding)
    elif terms:
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
        score, detail = field_score(similarity), f"weight {weight:g}, similarity {shown(similarity)}"
        if not whole:
            limit = reach(query[name].parts, record[name].parts)
            detail += f", reachable {shown(limit)}"
            score = 0.0 if score <= FLOOR else min(1.0, score / limit)
        total += weight * score
        weights += weight
        parts.append(Part(name, weight * score, detail))
    divisor = 1.0 if whole or not parts else weights
    return Explanation(id, total / divisor, tuple(parts), total, divisor=divisor)


class Hypervectors(CoreRetriever):
    """Hypervectors: the nearest by Hamming distance, field by field."""

    name = NAME
    takes = NO_SETTINGS

    def form(self, asked: LegQuery) -> Mapping[str, Any]:
        """Return the question's vectors by field; there may be none."""
        question, encoder = asked.question, _settings(asked).encoder
        embedding = asked.embed() if encoder == EMBEDDING else None
        return {"hypervectors": encode_query(question.terms, question.act, question.needed_roles, encoder, embedding)}

    def nothing(self, form: Mapping[str, Any]) -> Found | None:
        """Return an empty answer if the question has no vector in any field."""
        return None if form["hypervectors"] else Found((), evidence={})

    def found(self, asked: LegQuery, form: Mapping[str, Any], proposal: Proposal, leg: int) -> Found:
        """Return what the leg says, with the vectors that were asked."""
        return replace(super().found(asked, form, proposal, leg), evidence=form["hypervectors"])

    def explain(self, asked: LegQuery, found: Found, id: str, score: float | None) -> Explanation | None:
        """Return the score taken apart by field, computed from the two sets of vectors."""
        record = None if score is None else asked.record(id)
        if record is None:
            return None
        settings = _settings(asked)
        row = asked.embedding(id) if settings.encoder == EMBEDDING else None
        return explain(found.evidence, encode_record(record, settings.analyzer, settings.encoder, row), id)


def _settings(asked: LegQuery) -> Settings:
    assert asked.settings is not None, "a retriever with an index is asked with the settings of its memory"
    return asked.settings
