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
from typing import Final, NamedTuple

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


class _Facts(NamedTuple):
    """What decides without a look at its text whether a row may go before others.

    Attributes:
        at: when it was said last.
        session: in which it was said; None where it names none.
        is_copy: whether it names none since it is a durable copy.
        share: of the question's words that it says.
        score: of the row.

    """

    at: tuple[float, ...]
    session: object
    is_copy: bool
    share: float
    score: float

    def may_go_before(self, other: _Facts) -> bool:
        """Return whether it was told later than another one, in another session, and fits nearly as well."""
        if self.at <= other.at or not (other.share >= OF_THE_QUESTION and self.share >= NEARLY_AS_WELL * other.share):
            return False
        return self.score >= NEARLY_AS_WELL * other.score and self._is_of_another_session(other)

    def _is_of_another_session(self, other: _Facts) -> bool:
        if self.session is not None and other.session is not None:
            return self.session != other.session
        of_some = all(row.session is not None or row.is_copy for row in (self, other))
        return of_some and self.at[-1] - other.at[-1] >= APART


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
    facts = {
        key: _Facts(at[key], sessions.get(key), key in copies, shares[key] or 0.0, scores[key]) for key in candidates
    }
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

    def later(one: RowKey, key: RowKey) -> bool:
        own, other = facts.get(one), facts.get(key)
        if own is None or other is None or not own.may_go_before(other):
            return False
        if other.session is not None and other.session == context.session_id:
            return False  # what is asked for goes before what another session says later
        if (one, key) not in kept:
            kept[one, key] = says_so(one, key)
        return kept[one, key]

    return later


def moves_any(ordered: Sequence[RowKey], among: Container[RowKey], later: Callable[[RowKey, RowKey], bool]) -> bool:
    """Return whether `later_first` puts a row before another one; no pair behind the first is looked at.

    >>> moves_any(["a", "x"], {"a", "x"}, lambda one, key: one == "a")
    False

    """
    rows = [row for row in ordered if row in among]
    return any(later(row, key) for place, row in enumerate(rows) for key in rows[:place])


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
    within: list[RowKey] = []  # of `final`, those that may be passed
    passed: dict[RowKey, RowKey] = {}
    for row in ordered:
        if row not in among:
            final.append(row)
            continue
        place = next((place for place, key in enumerate(within) if later(row, key)), None)
        if place is None:
            final.append(row)
            within.append(row)
        else:
            passed[row] = within[place]
            final.insert(final.index(within[place]), row)
            within.insert(place, row)
    return final, passed


def _texts(rows: Sequence[RowKey], context: StageContext) -> dict[RowKey, str | None]:
    """Return the texts of rows, as far as they are there."""
    told = context.related([id_of(row) for row in rows])
    found = {row: told.get(id_of(row)) if context.row_of(id_of(row)) == row else None for row in rows}
    return {row: None if record is None else record.text for row, record in found.items()}
