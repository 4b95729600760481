"""The feasts by which people name times, and their days: Easter, Christmas, New Year and their like.

A feast alone names no time ("What do I want for Christmas?"): it does behind "last", with a year, or at an end of a
stretch ("since Easter").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Final

from .calendar_days import Days, Match, last_that_began, one_day


def easter(year: int) -> date:
    """Return Easter Sunday of the western churches (Meeus 1991, "Astronomical Algorithms", chapter 8: Butcher's rule).

    >>> easter(2023).isoformat(), easter(2024).isoformat(), easter(2038).isoformat()
    ('2023-04-09', '2024-03-31', '2038-04-25')
    """
    golden, (century, rest) = year % 19, divmod(year, 100)
    leaps, of_century = divmod(century, 4)
    moon = (19 * golden + century - leaps - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    week = (32 + 2 * of_century + 2 * (rest // 4) - moon - rest % 4) % 7
    late = (golden + 11 * moon + 22 * week) // 451
    month, day = divmod(moon + week - 7 * late + 114, 31)
    return date(year, month, day + 1)


def _from_easter(first: int, days: int = 1) -> Callable[[int], Days]:
    return lambda year: Days(easter(year) + timedelta(days=first), easter(year) + timedelta(days=first + days))


def _on(month: int, day: int, days: int = 1) -> Callable[[int], Days]:
    return lambda year: Days(date(year, month, day), date(year, month, day) + timedelta(days=days))


def _thanksgiving(year: int) -> Days:
    """Return the fourth Thursday of November, as in the United States."""
    first = date(year, 11, 1)
    return one_day(first + timedelta(days=(3 - first.weekday()) % 7 + 21))


FEASTS: Final[Mapping[str, Callable[[int], Days]]] = {
    "good friday": _from_easter(-2),
    "easter sunday": _from_easter(0),
    "easter monday": _from_easter(1),
    "easter": _from_easter(-2, 4),
    "christmas eve": _on(12, 24),
    "christmas day": _on(12, 25),
    "christmas": _on(12, 24, 3),
    "xmas": _on(12, 24, 3),
    "boxing day": _on(12, 26),
    "new year's eve": _on(12, 31),
    "new year's day": _on(1, 1),
    "new year's": _on(1, 1),
    "new year": _on(1, 1),
    "halloween": _on(10, 31),
    "valentine's day": _on(2, 14),
    "thanksgiving": _thanksgiving,
}
"""Feasts by their names in lower case, the longer first, and their days in a year."""

FEAST: Final = rf"(?P<feast>{'|'.join(FEASTS)})".replace("'", "['\u2019]?")


def feast_of(match: Match, today: date) -> Days:
    """Return the days of the feast that was named: of a year, or the last that has begun; "last" ones are over."""
    told = match.groupdict()
    name = told["feast"].replace("\u2019", "'")
    of = FEASTS.get(name) or next(days for each, days in FEASTS.items() if each.replace("'", "") == name)
    if told.get("year"):
        return of(int(told["year"]))
    return last_that_began(of, today, over=told.get("which") == "last")
