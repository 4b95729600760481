"""The context of a run's stages: what they may know of question, legs and memory beside their table."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..ranking.algebra import StageContext
from ..ranking.candidates import RowKey
from ..ranking.curves import words_in
from ..records import Record
from ..retrieval.asking_words import has_asian
from ..retrieval.question import Question
from .legs import Legs
from .on_demand import Records, Vectors
from .plan import Plan


def context_of(
    legs: Legs, plan: Plan, records: Records, vectors: Vectors, now: float, deadline: float | None
) -> StageContext:
    """Return what stages may know; records that are read on their behalf are kept with the others."""
    queries = legs.queries
    sources, question, profile = queries.sources, queries.question, queries.profile
    partition = sources.partition
    asks_uses = "access_count" in plan.features

    row_of: dict[str, str] = {}

    def related(ids: Sequence[str]) -> Mapping[str, Record]:
        found = queries.rows_named(ids)
        row_of.update(found)
        records.load(list(found.values()))
        given = {each.id or "": each for each in sources.invariants if each.id in ids}
        return given | {id: record for id, row in found.items() if (record := records.held(row)) is not None}

    def words(field: str, keys: Sequence[RowKey]) -> Mapping[RowKey, Any]:
        said = legs.held(keys, (field,)) if field in queries.words else None
        if said is None:
            said = {field: [next(iter(partition.values(field, key)), None) for key in keys]}
        return {key: value for key, value in zip(keys, said[field], strict=True) if value is not None}

    return StageContext(
        now=now,
        k=profile.max_results,
        query=question.text,
        length=words_in(question.terms),
        records=records,
        query_vector=sources.vector.made,
        vector_of=vectors.of,
        session_id=question.session_id,
        user_id=question.user_id,
        deadline=deadline,
        max_access_count=partition.figures.max_access_count(queries.cells) if asks_uses else 0,
        spread=lambda column: partition.figures.spread(column, queries.inside),
        unasked=frozenset(legs.unasked),
        related=related,
        row_of=lambda id: row_of.get(id, id),
        inside=queries.inside.records,
        tops=legs.tops,
        bests=_telling(legs.bests, question),
        leasts=legs.leasts,
        mosts=legs.mosts,
        familiarity=legs.familiarity,
        lift=legs.lift,
        model=sources.vector.family,
        unrelated=queries.unrelated,
        min_strength=question.min_strength,
        words=words,
        values=partition.values,
        says=lambda field: partition.figures.says(field, queries.cells),
        content_hashes=lambda keys: partition.hashes([str(key) for key in keys]),
        admits=_admits(question),
        is_marked=question.operators is not None,
        saying=question.saying,
        moment=queries.moment,
        known_at=math.inf if question.as_of is None else question.as_of,
    )


def _telling(bests: Mapping[str, float], question: Question) -> Mapping[str, float]:
    """Return the best scores that tell what a memory knows.

    Pieces of words stand in for misspelled ones. Of a character that any text has they tell nothing, nor of a number or
    time that no record says, as "18:30" beside "8:30". Where nothing that is asked about is said, words tell nothing.
    """
    if question.is_of_nothing:
        return {name: best for name, best in bests.items() if name not in ("words", "hypervector")}
    if question.unsaid or has_asian(question.text):
        return {name: best for name, best in bests.items() if name != "hypervector"}
    return bests


def _admits(question: Question) -> Callable[[Record], bool] | None:
    """Return what tells the records that marks of the question let through; None where a retriever reads the marks."""
    if question.is_typed:
        return None
    return question.operators.admits if question.operators is not None else lambda record: True
