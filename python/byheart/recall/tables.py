"""The first table of a run: of what the legs propose, or of what holds the marks of a question without other words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .._core import Staged
from ..ranking import features
from ..ranking.absolute import NOTHING
from ..ranking.agreement import cut, drop_duplicates
from ..ranking.algebra import StageContext
from ..ranking.candidates import Candidates, join
from ..ranking.strength import CERTAIN
from ..retrieval.question import Question
from .admitted import Admitted
from .legs import Legs
from .on_demand import Records
from .plan import Plan

if TYPE_CHECKING:
    from ..ranking.scoring.at_once import Scoring

NEAR: Final = "near, but nothing of the question is in it"
"""The reason why the nearest is no hit, where nothing of the question is in any record."""


def scored(legs: Legs, scoring: Scoring, now: float, notes: tuple[str, ...]) -> Candidates | None:
    """Return the table after the first stages, in one pass of the core; None where they have to run."""
    queries = legs.queries
    vector = queries.sources.vector.made
    if vector is None or len(legs.of_core) != 1 or legs.raw or queries.inside.blank:
        return None
    staged = Staged.of(
        queries.sources.partition.core, legs.of_core[0], dense=0, lexical=1, floor=queries.profile.legs[0].floor,
        now=now, vector=vector.tolist(), minimum=scoring.minimum, window=scoring.window, recency=scoring.recency,
        anchor=scoring.anchor, decay=scoring.decay, hard=scoring.hard,
    )  # fmt: skip
    return None if staged is None else scoring.table(staged, notes)


def with_features(
    legs: Legs, plan: Plan, records: Records, context: StageContext, notes: tuple[str, ...]
) -> Candidates:
    """Return the table of what the legs propose, with the features that stages read."""
    table = _table(legs, plan)
    if legs.routing is not None:
        table = table.with_figures({"routing": legs.routing.figures()})
    for note in notes:
        table = table.with_note(note)
    if plan.reads_records:
        table = present(table, records)
    records.expect(table.keys)
    return features.filled(table, plan.features, context, legs.held(table.keys))


def _table(legs: Legs, plan: Plan) -> Candidates:
    """Return the union of what the legs propose: raw scores by retriever, and ranks where a stage reads them."""
    table = join(legs.lists)
    more: dict[str, Any] = {f"{name}_stand_in": [raw.get(key) for key in table.keys] for name, raw in legs.raw.items()}
    for name, hits in legs.lists.items():
        if f"{name}_rank" in plan.ranks:
            ranks = {id: float(rank) for rank, (id, _) in enumerate(hits, 1)}
            more[f"{name}_rank"] = [ranks.get(key) for key in table.keys]
    return table.with_columns(more) if more else table


def present(table: Candidates, records: Records) -> Candidates:
    """Return the table without the rows whose records are gone."""
    held = records.load(table.keys)
    gone = [row for row, record in enumerate(held) if record is None]
    return table.drop(dict.fromkeys(gone, "forgotten meanwhile"))


def by_marks(question: Question, marks: Admitted, k: int, *, scaled: bool) -> Candidates | None:
    """Return the table of what holds the marks of a question that has no other word; None where that is no answer.

    Where no word of a question is searched for, since all are as common as those of `"The Who"`, the marks alone say
    what is meant: what holds them is found. Nothing tells these records apart: each says all that was asked, scores 1,
    and is as strong where the profile has a scale for that; they stand in order of their ids.

    Args:
        question: what was asked.
        marks: what became of its marks.
        k: hits at most.
        scaled: whether answers of the profile have a strength.

    """
    if question.terms or not marks.passing:
        return None
    rows = [(row, 1.0) for row in marks.passing.first(k)]
    table = join({"marks": rows}).scored("held", "add", [1.0] * len(rows), detail=f"holds {question.operators}")
    table = table.with_note("no word of the question is searched for: what holds its marks is found, in order of ids")
    return table.with_figures({"strength": CERTAIN}) if scaled else table


def nearest(question: Question, legs: Legs, empty: Candidates, k: int) -> Candidates | None:
    """Return the table of what is nearest where nothing of the question is in any record; None where nothing is near.

    It is the nearest by vectors, or else by pieces of words, the best first. They score 0, as the fusion of the profile
    has it. They are hits for whoever asks for an answer of any strength, and else dropped: an empty answer names them.

    Args:
        question: what was asked.
        legs: what was proposed.
        empty: the table of the answer without rows.
        k: hits at most.

    """
    strength = empty.figures.get("strength")
    otherwise = any(row.reason != NOTHING for row in empty.dropped)
    if strength is None or (otherwise and question.min_strength != 0.0):
        return None
    proposed = {name: [hit for hit in legs.lists.get(name, ()) if hit[1] > 0.0] for name in ("dense", "hypervector")}
    name, hits = next(((name, hits) for name, hits in proposed.items() if hits), ("", []))
    hashes = legs.queries.sources.partition.hashes([row for row, _ in hits])
    there = [(row, likeness) for row, likeness in hits if row in hashes]
    if not there:
        return None
    by = "cosine" if name == "dense" else "likeness of pieces of words"
    table = join({name: there}).scored("nearest", "add", [0.0] * len(there), of=name, detail=f"0: in order of {by}")
    table = cut(drop_duplicates(table, [hashes[row] for row, _ in there]), k)
    table = table.with_note(f"nothing of the question is in any record: the nearest by {by}")
    table = table.with_figures({"strength": strength})
    return table if question.min_strength == 0.0 else table.drop(dict.fromkeys(range(len(table.keys)), NEAR))
