"""Statements of later sessions: which of them go before earlier ones, since they hold the question's words as well.

People say anew what has changed, in words of their own: "Friday deploys are allowed again" is linked with no "Do not
deploy on Fridays". What was told later, in another session, and holds nearly as much of the question, is what holds
now, or at least the latest. So it goes first, unless the question asks for the past or names a time, or what it adds is
a time alone and nobody asks when: who asks for the dentist does not ask to when an appointment was moved. What the
session says in which a question is asked stays before what others said later.

A durable copy outlives the turn that it was made of and names no session: it is of another one if hours lie between.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Final

from ..boundary import id_of
from .algebra import StageContext
from .candidates import Candidates, RowKey
from .near_groups import Newness
from .one_form import SHARE

NEARLY_AS_WELL: Final = 0.8
"""So much of the earlier one's score has the later one, and of its share of the question's words."""
OF_THE_QUESTION: Final = 0.5
"""And so much of the question says the earlier one: of what says less nobody knows whether it is asked for."""
SESSION: Final = "session_id"
KIND: Final = "kind"
COPY: Final = "memory"
"""The kind of durable copies."""
APART: Final = 6 * 3600.0
"""Seconds: a copy is taken to be of another session than what was said so much earlier or later."""
NAMED_TIME: Final = "named_time"
"""The column of how near rows lie to a time that the question names."""


def candidates_of(table: Candidates) -> tuple[RowKey, ...]:
    """Return the rows that say so much of the question that one may go before the other; of one alone none."""
    if any(table.columns.get(NAMED_TIME, ())):
        return ()
    shares = table.columns.get(SHARE, ())
    least = NEARLY_AS_WELL * OF_THE_QUESTION
    rows = tuple(key for key, share in zip(table.keys, shares, strict=False) if share is not None and share >= least)
    return rows if len(rows) > 1 else ()


def told_later(
    table: Candidates, scores: Mapping[RowKey, float], at: Newness, context: StageContext
) -> Callable[[RowKey, RowKey], bool]:
    """Return what tells whether a row was told later, in another session, and fits a question nearly as well.

    Args:
        table: whose columns are read.
        scores: of its rows.
        at: when each was said last.
        context: gives sessions and texts.

    """
    candidates = candidates_of(table)
    shares = dict(zip(table.keys, table.columns.get(SHARE, ()), strict=False))
    sessions = context.said(SESSION, candidates)
    unnamed = [key for key in candidates if key not in sessions]
    copies = {key for key, kind in context.said(KIND, unnamed).items() if kind == COPY} if unnamed else set()
    kept: dict[tuple[RowKey, RowKey], bool] = {}
    texts: dict[RowKey, str | None] = {}
    holds: list[Callable[[str, str], bool]] = []

    def says_so(one: RowKey, key: RowKey) -> bool:
        if not holds:
            from ..patterns.kinds import only_of_the_kind
            from ..patterns.replacing import holding_later  # compiled where something was told later

            says_later = holding_later(context.query)

            def named(newer: str, older: str) -> bool:  # who asks for the shop does not ask for the bakery
                return says_later(newer, older) and not only_of_the_kind(context.query, newer, older)

            holds.append(named)
            texts.update(_texts(candidates, context))
        newer, older = texts[one], texts[key]
        return newer is not None and older is not None and holds[0](newer, older)

    def elsewhere(one: RowKey, key: RowKey) -> bool:
        if one in sessions and key in sessions:
            return bool(sessions[one] != sessions[key])
        of_some = all(row in sessions or row in copies for row in (one, key))
        return of_some and at[one][-1] - at[key][-1] >= APART

    def later(one: RowKey, key: RowKey) -> bool:
        if at[one] <= at[key] or not elsewhere(one, key):
            return False
        if (
            key in sessions and sessions[key] == context.session_id
        ):  # what is asked for goes before what another session says later
            return False
        own, other = shares[one] or 0.0, shares[key] or 0.0
        if not (other >= OF_THE_QUESTION and own >= NEARLY_AS_WELL * other):
            return False
        if scores[one] < NEARLY_AS_WELL * scores[key]:
            return False
        if (one, key) not in kept:
            kept[one, key] = says_so(one, key)
        return kept[one, key]

    return later


def later_first(
    ordered: Sequence[RowKey], among: Container[RowKey], later: Callable[[RowKey, RowKey], bool]
) -> tuple[list[RowKey], dict[RowKey, RowKey]]:
    """Return rows in order, each before the first of those that it was told later than, and which one that is.

    Args:
        ordered: the rows.
        among: of these one may have been told later than another.
        later: whether the first of two was.

    >>> later_first(["a", "x", "b"], {"a", "x", "b"}, lambda one, key: one == "b")
    (['b', 'a', 'x'], {'b': 'a'})

    """
    final: list[RowKey] = []
    passed: dict[RowKey, RowKey] = {}
    for row in ordered:
        place = len(final)
        if row in among:
            place = next((place for place, key in enumerate(final) if key in among and later(row, key)), place)
        if place < len(final):
            passed[row] = final[place]
        final.insert(place, row)
    return final, passed


def _texts(rows: Sequence[RowKey], context: StageContext) -> dict[RowKey, str | None]:
    """Return the texts of rows, as far as they are there."""
    told = context.related([id_of(row) for row in rows])
    found = {row: told.get(id_of(row)) if context.row_of(id_of(row)) == row else None for row in rows}
    return {row: None if record is None else record.text for row, record in found.items()}
