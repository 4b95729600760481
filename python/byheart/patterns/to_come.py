"""States that are announced: "From 1 January the rent will be 1,180 euros." says what is to come, and not what is so.

On the day itself, and after it, it says what is so. A guess, in English and German.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import lru_cache
from typing import Final

from ..light.expressions import expression
from .calendar_words import MONTHS, SHORT_MONTHS, WEEKDAYS
from .days_ahead import day_of
from .letters import in_small_letters
from .rather import MOST_SAID
from .told_anew import ToldAnew, told_anew

_MONTHS: Final = {**SHORT_MONTHS, **MONTHS}
_MONTH: Final = rf"(?:{'|'.join(sorted(_MONTHS, key=len, reverse=True))})"
_STARTS: Final = expression(
    r"(?<!\w)(?:from|starting(?:\ from|\ on|\ in)?|beginning(?:\ on|\ in)?|as\ of|as\ from|effective(?:\ from)?"
    r"|with\ effect\ from|ab(?:\ dem)?|zum)\ (?:the\ )?(?:"
    rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?\ (?:of\ )?(?P<of>{_MONTH})(?:,?\ (?P<of_year>20\d\d))?"
    rf"|(?P<month>{_MONTH})(?:\ (?P<on>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:]))?(?:,?\ (?P<year>20\d\d))?"
    r"|(?P<iso>20\d\d-\d\d-\d\d)|(?P<alone>20\d\d)(?![-\d])"
    r"|(?:next|n\u00e4chste[nsmr]?|kommende[nsmr]?)\ (?P<next>week|month|year|woche|monat|jahr)"
    rf"|(?:next\ )?(?P<weekday>{'|'.join(WEEKDAYS)})|(?P<tomorrow>tomorrow|morgen)"
    r")(?!\w)(?!\ (?:to|until|till|through|bis)\b|\ ?[-\u2013&])",
    re.VERBOSE | re.IGNORECASE,
)
"""When something begins. "From May to July" is a stretch of time, and begins nothing that goes on."""
_OF_AN_EVENT: Final = expression(r"(?<=[\w,] )(?:starting|beginning)\b")
"""Amid a text this says when an event begins of which it tells: "The course is in Oslo, starting on 8 January."."""
_WILL: Final = expression(r"\b(?:will|going to|'ll)\b")
_WAS: Final = expression(r"\b(?:was|were|had|went|war|waren)\b")
_JUST_BEGUN: Final = timedelta(120)
"""A day of no year that lies so far back is that one: "from June", said in July, is no June to come."""
_HINTS: Final = ("from", "starting", "beginning", "as of", "effective", "ab ", "zum ")
_ASKED: Final = expression(
    r"\b(?:will|going to|gonna|new|change[sd]?|changing|increase[sd]?|rais\w+|ris\w+|goe?s? up|from|starting|soon|next"
    rf"|upcoming|future|later|tomorrow|20\d\d|{_MONTH}|wird|werden|neue[nrsm]?|ab|k\u00fcnftig\w*|n\u00e4chste\w*)\b",
    re.IGNORECASE,
)
"""Who asks so asks for what is to come, or of a time of which nothing is known here."""


class ToCome:
    """Tells of two texts whether one says what is so, and the other what is to come.

    >>> to_come = to_come_for("What is my rent?")
    >>> announced = "From 1 February the rent will be 1,180 euros."
    >>> day = 1764547200.0  # the first of December 2025
    >>> [ToCome.is_announced(announced, day, day + days * 86_400.0) for days in (1, 61, 62)]
    [True, True, False]
    >>> to_come.decides("My rent is 1,120 euros.", announced)
    True
    """

    def __init__(self, anew: ToldAnew) -> None:
        self._anew = anew

    @staticmethod
    def is_announced(text: str, told: float, now: float) -> bool:
        """Return whether a text that was told at a time says that something begins after `now`."""
        on, today = day_of(told), day_of(now)
        return on is not None and today is not None and any(start > today for start in _starts(text, on))

    @staticmethod
    def front(text: str) -> str | None:
        """Return a text that says what is so."""
        return None if len(text) > MOST_SAID or may_announce(text) else text

    def decides(self, present: str, announced: str) -> bool:
        """Return whether a text gives what the question asks for, as much as one that announces it."""
        return self._anew(present, _STARTS.sub(" ", announced))


def may_announce(text: str) -> bool:
    """Return whether a text says when something begins; nearly all say nothing of the kind.

    >>> may_announce("Starting next month the pool closes at 18:00."), may_announce("The pool closes at 20:00.")
    (True, False)
    >>> [may_announce(text) for text in ("From May to July the pool is open.", "It is in Oslo, starting in May.")]
    [False, False]
    """
    lower = text.lower()
    if not any(map(lower.__contains__, _HINTS)):
        return False
    found = _STARTS.search(in_small_letters(text))
    if found is None or _WAS.search(lower) is not None:
        return False
    return _OF_AN_EVENT.match(lower, found.start()) is None or _WILL.search(lower) is not None


@lru_cache(maxsize=16)
def to_come_for(question: str) -> ToCome | None:
    """Return what tells what is so from what is to come; None of a question that may ask for that."""
    anew = told_anew(question) if _ASKED.search(question) is None else None
    return None if anew is None else ToCome(anew)


def _starts(text: str, told: date) -> Iterator[date]:
    """Yield the days on which something begins that was announced on a day."""
    for found in _STARTS.finditer(in_small_letters(text)):
        try:
            yield _start(found, told)
        except ValueError:  # no such day
            continue


def _start(found: re.Match[str], told: date) -> date:
    month = found["of"] or found["month"]
    if month is not None:
        year = found["of_year"] or found["year"]
        at = date(int(year) if year else told.year, _MONTHS[month], int(found["day"] or found["on"] or 1))
        return at if year or at >= told - _JUST_BEGUN else at.replace(year=at.year + 1)
    if found["iso"] is not None:
        return date.fromisoformat(found["iso"])
    if found["alone"] is not None:
        return date(int(found["alone"]), 1, 1)
    if found["weekday"] is not None:
        return told + timedelta((WEEKDAYS[found["weekday"]] - told.weekday() - 1) % 7 + 1)
    if found["tomorrow"] is not None:
        return told + timedelta(1)
    return _next(found["next"], told)


def _next(what: str, told: date) -> date:
    if what in ("week", "woche"):
        return told + timedelta(7 - told.weekday())
    if what in ("year", "jahr"):
        return date(told.year + 1, 1, 1)
    return (told.replace(day=1) + timedelta(31)).replace(day=1)
