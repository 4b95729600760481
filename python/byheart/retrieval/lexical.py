"""The lexical retriever: seven weighted fields, BM25, and the boost of the roles that serve an act."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from .. import knowledge
from .._core import Analyzer, LexicalExplanation, LexicalIndex, Ranking
from ..errors import InvalidArgument
from ..ranking.explanation import Explanation, Part
from ..records import Record
from . import selection
from .protocol import Batch, Found, IndexedRetriever, LegQuery, Settings

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
ROLE_BOOST = 1.3

# k1 and b. Chat turns are short and even: length says little about them, and repetition still less.
PRESETS: Mapping[str, tuple[float, float]] = {"default": (1.2, 0.75), "conversation": (0.9, 0.4)}


def new_index(preset: str, analyzer: Analyzer) -> LexicalIndex:
    """Return an empty index of records with a preset's k1 and b."""
    if preset not in PRESETS:
        raise InvalidArgument(f"preset: {preset!r} does not exist; there are {', '.join(PRESETS)}")
    k1, b = PRESETS[preset]
    return LexicalIndex(dict(FIELD_WEIGHTS), k1=k1, b=b, analyzer=analyzer)


def add(index: LexicalIndex, ids: Sequence[str], records: Sequence[Record], cells: Sequence[str]) -> None:
    """Put records in under these ids and cells, labelled with their roles."""
    index.add(ids, [record.indexed() for record in records], cells=cells, labels=[record.role for record in records])


def boosts(act: str | None) -> dict[str, float] | None:
    """Return the factors by role that an act asks for (spec B1.33.6)."""
    return None if act is None else dict.fromkeys(knowledge.ACT_ROLES[act], ROLE_BOOST)


def search(
    index: LexicalIndex,
    terms: Sequence[str],
    k: int,
    cells: Sequence[str],
    act: str | None,
    *,
    among: Sequence[str] | Set[str] | None = None,
) -> Ranking:
    """Return the best k records of the cells for terms analysed before; `among` names the only ones to be found."""
    return index.search(terms, k, cells=cells, boosts=boosts(act), among=among)


def explain(index: LexicalIndex, terms: Sequence[str], id: str, cells: Sequence[str], act: str | None) -> Explanation:
    """Return the raw score of a record, taken apart; 0 if no term occurs in it."""
    return as_explanation(index.explain(terms, id, cells=cells, boosts=boosts(act)))


def as_explanation(found: LexicalExplanation) -> Explanation:
    """Return what the core says as the facade says it."""
    parts = tuple(
        Part(
            f"{part.field}:{part.term}",
            part.value,
            f"weight {part.weight:g}, idf {part.idf:.4f} (in {part.document_frequency} of {found.records}), "
            f"{part.term_frequency}x in {part.length} terms (average {part.average_length:.1f})",
        )
        for part in found.parts
    )
    factors = tuple((f"role {label}", factor) for label, factor in found.factors)
    return Explanation(found.id, found.score, parts, found.sum, factors)


class Lexical(IndexedRetriever):
    """Words: the best by BM25 over the seven fields."""

    name = section = "lexical"
    complete = True

    def new_index(self, settings: Settings) -> LexicalIndex:
        """Return an empty index with the preset's k1 and b."""
        return new_index(settings.preset, settings.analyzer)

    def put(self, index: LexicalIndex, batch: Batch, settings: Settings) -> None:
        """Take records in."""
        add(index, batch.ids, batch.records, batch.cells)

    def made_with(self, index: LexicalIndex) -> object:
        """Return analyzer, fields, k1 and b."""
        return index.analyzer, index.fields, index.k1, index.b

    def read(self, data: bytes) -> LexicalIndex:
        """Return the index of these bytes."""
        return LexicalIndex.from_bytes(data)

    def search(self, asked: LegQuery) -> Found:
        """Return the best by words."""
        question, index = asked.question, asked.index

        def ask(k: int, among: Set[str] | None) -> Ranking:
            return search(index, question.terms, k, asked.cells, question.act, among=among)

        found = selection.search(ask, asked.pool, asked.selection)
        return Found(found.hits, found.top, found.count)

    def explain(self, asked: LegQuery, found: Found, id: str, score: float | None) -> Explanation:
        """Return the raw score taken apart; 0 if no term occurs in the record."""
        return explain(asked.index, asked.question.terms, id, asked.cells, asked.question.act)
