"""The lexical retriever: seven weighted fields, BM25, and the boost of the roles that serve an act."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import knowledge
from .._core import Analyzer, LexicalExplanation, LexicalIndex, LexicalPart
from ..ranking.explanation import Explanation, Part, shown
from ..validation import check_one_of
from .protocol import NO_SETTINGS, Found, LegQuery
from .together import CoreRetriever

# In the order of summation (spec B1.33.2, B1.33.9).
FIELD_WEIGHTS: Mapping[str, float] = {
    "role": 0.5,
    "topic": 1.5,
    "claim": 1.0,
    "condition": 0.6,
    "procedure": 1.0,
    "utility_acts": 0.8,
    "utility_note": 0.6,
}
PARTS = "parts"
"""The field of the parts of identifiers: this retriever neither scores nor counts it (see `identifiers`)."""
ROLE_BOOST = 1.3

# k1 and b. Chat turns are short and even: length says little about them, and repetition still less.
PRESETS: Mapping[str, tuple[float, float]] = {"default": (1.2, 0.75), "conversation": (0.9, 0.4)}


def new_index(preset: str, analyzer: Analyzer) -> LexicalIndex:
    """Return an empty index of records with a preset's k1 and b."""
    preset = check_one_of("preset", preset, PRESETS)
    k1, b = PRESETS[preset]
    return LexicalIndex({**FIELD_WEIGHTS, PARTS: 0.0}, k1=k1, b=b, analyzer=analyzer)


def boosts(act: str | None) -> dict[str, float] | None:
    """Return the factors by role that an act asks for."""
    # docs/sources.md: B1.33.6.
    return None if act is None else dict.fromkeys(knowledge.ACT_ROLES[act], ROLE_BOOST)


def as_explanation(found: LexicalExplanation) -> Explanation:
    """Return what the core says as the facade says it."""
    parts = tuple(
        Part(
            f"{part.field}:{part.term}",
            part.value,
            f"weight {part.weight:g}, idf {shown(part.idf)} ({_rarity(part, found)}), "
            f"{part.term_frequency}x in {part.length} terms (average {shown(part.average_length)}), "
            f"k1 {shown(found.k1)}, b {shown(found.b)}",
        )
        for part in found.parts
    )
    factors = tuple((f"role {label}", factor) for label, factor in found.factors)
    return Explanation(found.id, found.score, parts, found.sum, factors)


def _rarity(part: LexicalPart, found: LexicalExplanation) -> str:
    """Return in how many records a term stands, and in how many ordinary texts where these count, too."""
    said = f"in {part.document_frequency} of {found.records}"
    if not part.ordinary_frequency:
        return said
    return f"{said}, and {shown(part.ordinary_frequency)} of {shown(found.beside)} ordinary texts"


class Lexical(CoreRetriever):
    """Words: the best by BM25 over the seven fields."""

    name = "lexical"
    takes = NO_SETTINGS
    open_ended = True

    def form(self, asked: LegQuery) -> Mapping[str, Any]:
        """Return the terms, and the boosts of the roles that serve the act."""
        return {"terms": asked.question.terms, "boosts": boosts(asked.question.act)}

    def explain(self, asked: LegQuery, found: Found, id: str, score: float | None) -> Explanation:
        """Return the raw score taken apart; 0 if no term occurs in the record."""
        [place] = asked.core.places([id])
        question = asked.question
        return as_explanation(
            asked.core.explain_words(question.terms, *place, cells=asked.cells, boosts=boosts(question.act))
        )
