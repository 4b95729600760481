"""The surroundings of a turn, for its explanation: what each turn beside it said, and words of its whole session."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ..boundary import id_of
from ..ranking.candidates import RowKey
from ..ranking.explanation import Explanation, Part, shown
from ..retrieval.words import AROUND, length_of, telling, whole_session
from ..retrieval.words import around as looked_around

if TYPE_CHECKING:
    from .legs import Proposal
    from .run import Run

BEFORE, AFTER, WHOLE = "before", "after", "whole"
"""The columns of what was told around a record."""


def told_around(run: Run, key: RowKey, column: str) -> Explanation | None:
    """Return the number that a column is a share of taken apart, by turns or by words; None where words were not asked.

    Args:
        run: that it is read from.
        key: of a row.
        column: "before", "after" or "whole".

    """
    words = next((each for each in run.legs.proposals if each.retriever.name == "words"), None)
    if words is None:
        return None
    if column == WHOLE:
        told = whole_session(words.asked, key)
        return None if told is None else replace(told, id=id_of(key))
    [around] = run.legs.queries.sources.partition.beside([key], telling(AROUND["reach"]))
    turns = around[0] if column == BEFORE else around[1]
    parts = tuple([_part(run, words, key, turn, step, column) for step, turn in enumerate(turns)])
    total = sum([part.value for part in parts])
    return Explanation(id_of(key), total, parts, total) if parts else None


def _part(run: Run, words: Proposal, key: RowKey, turn: RowKey, step: int, column: str) -> Part:
    """Return what one turn adds."""
    value, sums = 0.0, []
    most, told = words.found.most, words.explain(turn, None)
    if most and told is not None and told.score:
        value += told.score / most
        sums.append(f"{shown(told.score)} / {shown(most)}")
    cosine, weight, floor = _cosine(run, turn), AROUND["dense"], looked_around(words.asked)["floor"]
    if cosine is not None and cosine > floor:
        value += weight * (cosine - floor) / (1.0 - floor)
        sums.append(f"{shown(weight)} x ({shown(cosine)} - {shown(floor)}) / {shown(1.0 - floor)}")
    counted = f"({' + '.join(sums)})" if sums else "0"
    for factor, figures, why in _factors(run, words, key, turn, step, column):
        value, counted = factor * value, f"{figures} x {counted}: {why}"
    return Part(id_of(turn), value, counted)


def _factors(
    run: Run, words: Proposal, key: RowKey, turn: RowKey, step: int, column: str
) -> Iterator[tuple[float, str, str]]:
    """Give the one factor by which a turn counts, in figures, and why."""
    if step:
        yield AROUND["decay"] ** step, shown(AROUND["decay"] ** step), f"{step + 1} turns {column}"
    elif column == BEFORE and (asked := _asked(words, turn)):
        more, figures = asked
        short, length = AROUND["short"], length_of(words.asked, key)
        if length > short:
            part = f"({figures}) x {shown(short)} / {length}"
            yield 1.0 + more * short / length, f"(1 + {part})", f"right before, it asks; the answer has {length} terms"
        else:
            yield 1.0 + more, f"(1 + {figures})", "right before, it asks"
    else:
        yield 1.0, "1", f"right {column}"


def _asked(words: Proposal, turn: RowKey) -> tuple[float, str] | None:
    """Return how much more often a turn counts since it asks, in figures too; None for one that does not."""
    more, figures = 0.0, []
    if any(words.asked.core.values(AROUND["asks"], turn)):
        more += AROUND["asked"] - 1.0
        figures.append(shown(more))
    for share in words.asked.core.values(AROUND["asking"], turn):
        more += AROUND["asked_all"] * share
        figures.append(f"{shown(AROUND['asked_all'])} x {shown(share)}")
    return (more, " + ".join(figures)) if figures else None


def _cosine(run: Run, turn: RowKey) -> float | None:
    """Return the cosine of a turn and the question; None where either has no vector."""
    vectors = next((each for each in run.legs.proposals if each.retriever.name == "dense"), None)
    if vectors is None or not vectors.found.answered:
        return None
    core, vector = vectors.asked.core, vectors.asked.embed()
    [place] = core.places([turn])
    if vector is None or place is None or not all(core.vectors([turn])[1]):
        return None
    return float(core.explain_vector(vector, *place).score)
