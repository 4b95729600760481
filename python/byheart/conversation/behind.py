"""Turns behind summaries: a question that finds a summary reaches the archived turns that it stands for.

Each turn is worth what `auto` would find in it: the share of the question's words that it says, by BM25 over the turns
that were read, a part of what the turns around it say, and a part of what its summary is worth, for the whole session.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from functools import partial
from typing import Final

from .._core import Analyzer, Handful
from ..index import selection as selecting
from ..index.indexes import Indexes
from ..light.expressions import expression
from ..patterns.asking import share_asking
from ..ranking.told import Asking, Neighbours, SpeakerNamed, WholeSession
from ..recall.admitted import selection_of
from ..recall.question import Question
from ..records import SUMMARY, Record
from ..retrieval.words import AROUND
from ..storage import key_of
from ..writing.lineage import Lineage
from .filling import Filling

MOST: Final = 20
"""How many summaries are expanded, the best first. On locomo-dev 20 reach .577 of the gold at 500 tokens."""

_WORD: Final = expression(r"\w+")
Expanded = tuple[Record, float, Sequence[Record]]
"""A summary, what it is worth, and the turns behind it in the order in which they were said."""


def behind(indexes: Indexes, question: Question, found: Sequence[tuple[Record, float]]) -> list[Expanded]:
    """Return the best summaries among some hits, with the archived turns behind each that the question may find.

    A summary of which no turn is there, or none may be found, is not among them: it stands for itself.

    Raises:
        StoreBusy: other processes wrote to the store whenever it was read.

    """
    made = ((record, worth) for record, worth in found if record.kind == SUMMARY and record.source_ids)
    summaries = [(record, worth) for record, worth in made if not _is_rewritten(record)][:MOST]
    if not summaries:
        return []
    tenant, inside = question.boundary.tenant, question.boundary

    def read() -> list[Expanded]:
        partition = indexes[tenant]
        now = time.time() if question.now is None else question.now
        selection = selection_of(question, partition, partition.whole(inside), now, own=True)
        cells = partition.all_cells_in(inside)
        lineage = Lineage(partition, inside, partial(indexes.stored, tenant))
        expanded: list[Expanded] = []
        for summary, worth in summaries:
            row = selecting.the_row(partition, inside, summary.id or "", key_of(summary).cell)
            rows = [] if row is None else lineage.sources(row)
            passed = selection.rows(partition.core, cells, among=rows) if rows else set()
            turns = indexes.stored(tenant, [row for row in rows if row in passed])
            there = [turn for turn in turns if turn is not None and turn.archived_by == summary.id]
            if question.operators is not None and there:
                admitted = question.operators.admit(there)
                there = [turn for turn, passes in zip(there, admitted, strict=True) if passes]
            if there:
                expanded.append((summary, worth, there))
        return expanded

    return selecting.at_once(indexes, read)


def _is_rewritten(summary: Record) -> bool:
    """Return whether somebody gave a summary another text: then it stands for itself, whatever its turns say."""
    return any(how == "updated" and "text" in names for _, how, names in summary.revisions)


def worths(question: Question, expanded: Sequence[Expanded], analyzer: Analyzer, how: Filling) -> list[list[float]]:
    """Return what each turn behind each summary is worth to a question, at least 0.

    Args:
        question: what was asked.
        expanded: summaries with their turns.
        analyzer: of their words, by which the question's terms were made.
        how: what a turn is worth beside others.

    """
    texts = Handful(analyzer, [turn.gist() for _, _, turns in expanded for turn in turns])
    shares, lengths = iter(texts.shares(question.terms)), iter(texts.lengths)
    around, whole, named = Neighbours(), WholeSession().share, 1.0 + SpeakerNamed().share
    less = Asking().less
    names = set(_WORD.findall(question.text.casefold()))
    found = []
    for _, worth, turns in expanded:
        own = [next(shares) for _ in turns]
        sizes = [next(lengths) for _ in turns]
        before = [_before(own[:at], turns[at - 1] if at else None, sizes[at]) for at in range(len(own))]
        after = [_faded(own[at + 1 : at + 3]) for at in range(len(own))]
        session = whole * max(worth, 0.0)
        worth_of = [
            (share + around.before * earlier + around.after * later + session)
            * (named if names.intersection(_WORD.findall((turn.said_by() or "").casefold())) else 1.0)
            * (1.0 - less * share_asking(turn))
            for turn, share, earlier, later in zip(turns, own, before, after, strict=True)
        ]  # fmt: skip
        found.append(_lifted(worth_of, how))
    return found


def _lifted(worth: Sequence[float], how: Filling) -> list[float]:
    """Return what turns in a row are worth, each at least its share of those beside it."""
    found = list(worth)
    for at, own in enumerate(worth):
        for step, share in enumerate(how.after, 1):
            if at + step < len(found):
                found[at + step] = max(found[at + step], share * own)
        for step, share in enumerate(how.before, 1):
            if at >= step:
                found[at - step] = max(found[at - step], share * own)
    return found


def _before(shares: Sequence[float], right_before: Record | None, length: int) -> float:
    """Return what the two turns before one add; a question counts more, for a short answer most."""
    nearest = list(shares[-2:][::-1])
    if right_before is not None:
        more = (AROUND["asked"] - 1.0) * right_before.asks() + AROUND["asked_all"] * share_asking(right_before)
        nearest[0] *= 1.0 + more * min(1.0, AROUND["short"] / max(length, 1))
    return _faded(nearest)


def _faded(shares: Sequence[float]) -> float:
    return math.fsum(share * 0.5**step for step, share in enumerate(shares))
