"""The next of several that is asked for, or the last: by the days that texts say, seen from the time of the question.

"The concert is on 12 December." is the next concert from the day behind the one before on; and what is to be on the
8th has not been the last on the 1st.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import Final

from ..light.expressions import expression
from .candidates import RowKey
from .told_rows import MUCH_LESS, Told, Why

_WORDS: Final = r"\b(?:next|upcoming|n\u00e4chste[rsnm]?|prochaine?s?|pr\u00f3xim[oa]s?)\b"
_NEXT: Final = expression(
    rf"{_WORDS}(?!\s(?:to|door|of|time|steps?|week|month|year|night|weekend|summer|winter|spring|autumn|fall|few|\d"
    r"|\w*days?|woche|monat|jahr|semaine|mois|semana|mes)\b)"
)
_OF_NEXT: Final = expression(f"(?i:{_WORDS})")
_PAST: Final = expression(
    r"\b(?:was|were|had|did|went|met|came|saw|said|told|got|took|bought|fell|broke|left|lost|gave|ate|paid|sent|ran|made"
    r"|found|sold|wrote|drove|flew|began|chose|spoke|felt|kept|held|won|drank|slept|swam|rode|war|waren|hatte|ging|kam"
    r"|(?!(?:plann|schedul|book|expect|postpon|mov|reschedul|invit|arrang)ed\b)\w{3,}ed|ge\w{3,}(?:t|en))\b"
)
_BY: Final = expression(r"\b(?:by|until|till|before|bis|deadline)\b")
"""A day by which something has to be done is not the day of what is asked for."""
_WHY: Final = "the question asks for the next, and that one is on no day to come, or on a later one"


@lru_cache(maxsize=16)
def asks_for_the_next(question: str) -> frozenset[str] | None:
    """Return the stems of what a question asks the next of; None where it asks for none.

    >>> sorted(asks_for_the_next("When is my next dentist appointment?"))
    ['appoint', 'dentist']
    >>> asks_for_the_next("What is next to the church?"), asks_for_the_next("What do I have next week?")
    (None, None)
    """
    lower = question.lower()
    if _NEXT.search(lower) is None:
        return None
    from ..patterns.asking import asks  # compiled where the next is asked for
    from ..patterns.saying import said

    return None if not asks(question) else frozenset(said(_NEXT.sub(" ", lower)).about) or None


def day_said(row: Told, today: date) -> date | None:
    """Return the day that a row's text says, the first from a day on if it says several; None of one that says none."""
    from ..patterns.days_ahead import day_of, said_from

    told = day_of(row.made) if abs(row.made) != float("inf") else None
    days = [each.first for level, each in said_from(row.text, told) if level == 2]
    return min((day for day in days if day >= today), default=max(days, default=None))


def is_to_be(row: Told, now: float) -> bool:
    """Return whether a row says of what it tells that it is on a day to come."""
    from ..patterns.days_ahead import day_of

    today = day_of(now)
    if today is None or _PAST.search(row.text.lower()) is not None:  # "Met Ann, she leaves for Peru on 3 December."
        return False
    day = day_said(row, today)
    return day is not None and day > today


def _is_none(row: Told, others: Sequence[Told], question: str) -> bool:
    """Return whether a row is none of what is asked for: another says that it has changed, or it is somebody else's."""
    from ..patterns.subjects import answers_rather
    from ..patterns.updating import is_change
    from .near_pairs import has_changed

    if _BY.search(row.text.lower()) is not None:
        return True
    rather = answers_rather(question)
    return any(
        (other.said > row.said and is_change(other.text) and has_changed(other.text, row.text, question, fairly=True))
        or (rather is not None and rather(other.text, row.text))
        for other in others
        if other.key != row.key
    )


def next_first(rows: Sequence[Told], about: frozenset[str], question: str, now: float) -> tuple[list[Told], Why]:
    """Return rows with those of what is asked for in the order of the days to come that they say.

    What says none, or one that is over, stands behind them, and so does what says less and was found by "next".
    """
    from ..patterns.days_ahead import day_of
    from ..patterns.saying import said

    today, says = day_of(now), {row.key: len(about & set(said(row.text).about)) for row in rows}
    most, best = max(says.values(), default=0), max((row.score for row in rows), default=0.0)
    fitting = [row for row in rows if 0 < most == says[row.key] and row.score >= MUCH_LESS * best]
    if today is None or not fitting:
        return list(rows), {}
    days = {row.key: day for row in fitting if (day := day_said(row, today)) is not None and day >= today}
    days = {row.key: days[row.key] for row in fitting if row.key in days and not _is_none(row, fitting, question)}
    if not days or any(_OF_NEXT.search(row.text) for row in fitting if row.key in days):
        return list(rows), {}  # or one says itself that it is the next
    in_turn = sorted(fitting, key=lambda row: days.get(row.key, date.max))
    places, turn = {row.key for row in fitting}, iter(in_turn)
    last = max(place for place, row in enumerate(rows) if row.key in places)
    lacking = [row for row in rows[:last] if 2 * says[row.key] <= most and _OF_NEXT.search(row.text) is not None]
    kept = [row for row in rows[: last + 1] if row not in lacking]
    final = [*(next(turn) if row.key in places else row for row in kept), *lacking, *rows[last + 1 :]]
    return final, _passed(rows, final, days)


def _passed(before: Sequence[Told], after: Sequence[Told], days: dict[RowKey, date]) -> Why:
    """Return before which row each was put that stands where its score would not have put it."""
    was = {row.key: place for place, row in enumerate(before)}
    found: dict[RowKey, tuple[RowKey, str]] = {}
    for place, row in enumerate(after):
        other = next((each for each in after[place + 1 :] if was[each.key] < was[row.key]), None)
        if other is not None and row.key in days:
            found[row.key] = other.key, _WHY
    return found
