"""The year of a month, a season or a feast, said apart: "August last year" is August 2025, in four languages.

A question is rewritten so before its times are read, or it would name two: the last August, and all of last year.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from functools import lru_cache
from typing import Final

from ..light.expressions import expression
from ..patterns.calendar_words import ENGLISH_MONTHS, MONTHS
from ..patterns.number_words import NUMBERS
from .time_feasts import FEAST

_YEARS: Final = {
    "last year|the previous year|letzten jahres|letztes jahr|vorigen jahres|voriges jahr|vergangenen jahres"
    "|vergangenes jahr|l['\u2019]ann\u00e9e derni\u00e8re|l['\u2019]an dernier|e?l a\u00f1o pasado": -1,
    "the year before last|vorletzten jahres|vorletztes jahr": -2,
    "this year|dieses jahres|dieses jahr|cette ann\u00e9e|este a\u00f1o": 0,
}
_HINTS: Final = ("year", "jahr", "ann\u00e9e", "an dernier", "a\u00f1o", " month")
_SEASONS: Final = "spring|summer|autumn|fall|winter"
_MONTHS: Final = "|".join(sorted(MONTHS, key=len, reverse=True))
_YEAR: Final = rf"(?:{'|'.join(_YEARS)}|(?:\d{{1,2}}|two|three|four|five|six|seven|eight|nine|ten) years ago)"
_ORDINAL: Final = r"(?:st|nd|rd|th|\.)?"


def with_years(text: str, today: date) -> str:
    """Return a question in small letters with the year at the month, the season or the feast whose year it says.

    >>> day = date(2026, 12, 1)
    >>> with_years("where did i hike in august last year?", day), with_years("last year in may", day)
    ('where did i hike in august 2025?', 'in may 2025')
    >>> with_years("on the 3rd of last month", day), with_years("wo war ich im mai letzten jahres?", day)
    ('on 3 november 2026', 'wo war ich im mai 2025?')
    >>> with_years("what did i buy last year?", day)
    'what did i buy last year?'
    """
    if not any(map(text.__contains__, _HINTS)):
        return text

    def year_of(found: re.Match[str]) -> str:
        return str(today.year + _offset(found["year"]))

    for pattern, put in _forms():
        text = pattern.sub(lambda found, put=put: put(found, year_of(found)), text)  # type: ignore[misc]
    return _OF_MONTH.sub(lambda found: _day_of_month(found, today), text)


@lru_cache(maxsize=1)
def _forms() -> tuple[tuple[re.Pattern[str], Callable[[re.Match[str], str], str]], ...]:
    """Return the forms, and what each becomes with a year: what is named before the year, and behind it."""
    time = rf"(?:(?:{_MONTHS})(?:\ \d{{1,2}}{_ORDINAL})?|{_SEASONS}|{FEAST})"
    before = rf"(?<!\w)(?P<time>{time}),?\ (?:of\ |de\ |de(?=l\ ))?(?P<year>{_YEAR})(?!\w)"
    behind = (
        rf"(?<!\w)(?P<year>{_YEAR})(?:,|['\u2019]s)?\ (?P<small>(?:in|im|at|on|en|\u00e0|over|around|during|am|an|zu)"
        rf"\ (?:the\ )?(?:\d{{1,2}}{_ORDINAL}\ (?:of\ )?)?)(?P<time>{time})(?!\w)"
    )
    return (
        (expression(before), lambda found, year: f"{found['time']} {year}"),
        (expression(behind), lambda found, year: f"{found['small']}{found['time']} {year}"),
    )


_OF_MONTH: Final = expression(
    r"(?<!\w)(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th) (?:of )?(?P<which>last|this|the previous) month(?!\w)"
)


def _offset(said: str) -> int:
    for forms, offset in _YEARS.items():
        if re.fullmatch(forms, said) is not None:
            return offset
    count = said.partition(" ")[0]
    return -NUMBERS.get(count, int(count) if count.isdecimal() else 0)


def _day_of_month(found: re.Match[str], today: date) -> str:
    first = today.replace(day=1)
    month = first if found["which"] == "this" else (first - timedelta(days=1))
    return f"{found['day']} {ENGLISH_MONTHS[month.month - 1]} {month.year}"
