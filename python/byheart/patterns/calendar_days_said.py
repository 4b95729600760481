"""Days, weekdays and months as people write them: "3. Mai", "May 3rd", "03.05.", "2026-05-03", "Wed.", "Feb.".

"05/03" is in March or in May, and says neither; "31/12/2026" says a day. "3.5" says one only with a point behind it,
or behind a word that leads to one. Abbreviations that are words, too ("Sun", "so"), need a word that leads to them, or
a date behind them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from ..light.expressions import expression
from .calendar_words import (
    ENGLISH_WEEKDAYS,
    MONTHS,
    SHORT_GERMAN_WEEKDAYS,
    SHORT_MONTHS,
    SHORT_WEEKDAYS,
    WEEKDAYS,
)
from .letters import in_small_letters, letters_of

_WORDS_TOO: Final = frozenset({"may", "mars", "march", "jan", "mar", "juli"})
"""Names of months that are something else, too."""
YEARS: Final = range(2000, 2041)
"""The years in which days are looked for that are written with digits alone."""
_GERMAN_LEADS: Final = r"am|im|ab|bis|seit|vom|von|zum|jeden|nächsten|letzten|kommenden|diesen|anfang|ende|mitte"
_LEADS: Final = (
    r"(?:on|in|by|of|every|each|last|next|this|until|till|since|from|before|after|early|late|mid|and|or"
    rf"|{_GERMAN_LEADS})"
)
_ON: Final = r"(?:on|until|till|since|from|am|ab|bis|seit|vom|zum|der|den|dem)"
_MONTHS: Final = frozenset([*MONTHS, *SHORT_MONTHS])
_WEEKDAYS: Final = frozenset([*WEEKDAYS, *(f"{day}s" for day in WEEKDAYS), *SHORT_WEEKDAYS, *SHORT_GERMAN_WEEKDAYS])
_DIGIT: Final = expression(r"\d")
_DAYS_IN: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class Day(NamedTuple):
    """A day: of a month, or a weekday, or a month alone; a part that is not said is None."""

    day: int | None = None
    month: int | None = None
    year: int | None = None
    weekday: int | None = None

    def agrees(self, other: Day) -> bool:
        """Return whether another one may be the same; one that says a year may be one that says none.

        >>> Day(3, 5).agrees(Day(3, 5, 2026)), Day(3, 5).agrees(Day(3, 6)), Day(None, 5).agrees(Day(3, 5))
        (True, False, False)
        """
        same = (self.day, self.month, self.weekday) == (other.day, other.month, other.weekday)
        return same and (self.year == other.year or self.year is None or other.year is None)


def days_said(text: str) -> Iterator[tuple[int, int, Day]]:
    """Give where a text says a day, a weekday or a month, and which; the longer form first where one is in another.

    >>> [tuple(day)[:2] for *_, day in days_said("am 3.5. oder 4. Mai, May 3rd, 2026-05-06, not 05/03 or v3.5")]
    [(3, 5), (4, 5), (3, 5), (6, 5)]
    >>> [day.weekday for *_, day in days_said("on Wed. or Thursday, am Fr. und sonst so")]
    [2, 3, 4]
    """
    lower, behind = in_small_letters(text), 0
    words, digits = letters_of(lower), _DIGIT.search(lower) is not None
    has = {"month": not _MONTHS.isdisjoint(words), "weekday": not _WEEKDAYS.isdisjoint(words), "digits": digits}
    forms = [pattern for needs, pattern in _forms() if all(has[name] for name in needs.split())]  # mostly none
    found = [(*_span(match), match) for pattern in forms for match in pattern.finditer(lower)]
    for begin, end, match in sorted(found, key=lambda each: (each[0], -each[1])):
        if begin >= behind and (day := _day(match)) is not None:
            behind = end
            yield begin, end, day


def _span(match: re.Match[str]) -> tuple[int, int]:
    return match.span("said" if match.groupdict().get("said") else 0)


def _day(match: re.Match[str]) -> Day | None:
    told = match.groupdict()
    if (weekday := told.get("weekday") or told.get("german")) is not None:
        known = SHORT_GERMAN_WEEKDAYS if told.get("german") else WEEKDAYS if weekday in WEEKDAYS else SHORT_WEEKDAYS
        return Day(weekday=known[weekday])
    said = str(told["month"])
    month = int(said) if said.isdecimal() else MONTHS.get(said) or SHORT_MONTHS[said.rstrip(".")]
    day, year = (int(part) if (part := told.get(name)) else None for name in ("day", "year"))
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= _DAYS_IN[month - 1]):
        return None
    return Day(day, month, year)


@lru_cache(maxsize=1)
def _forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the forms of days, and what each needs; what is said of a day is all of it, or the group "said"."""
    long, short, weekdays = _one_of(MONTHS), _one_of(SHORT_MONTHS), _one_of(WEEKDAYS)
    shorts, germans = _one_of(SHORT_WEEKDAYS), _one_of(SHORT_GERMAN_WEEKDAYS)
    beside = r"(?<![\w:$€£])(?<!\d[.,])"  # a name of a month makes it a day, as in "3./4. Mai"
    free, ends = r"(?<![\w.:,/$€£-])", r"(?!\w|[.:,/-]\d|\ ?[%€$£])"
    day, number, year = r"(?P<day>0?[1-9]|[12]\d|3[01])", r"(?P<month>0?[1-9]|1[0-2])", r"(?P<year>(?:19|20)\d\d)"
    month, before = rf"(?P<month>{long}|(?:{short})\b\.?)(?!\w)", rf"\b(?:{_ON}|{weekdays}|{germans})\.?,?\ "
    following = rf"(?=\.?,?\ (?:the\ |den\ )?(?:\d|um\ |at\ |{long}))"
    th, among = r"(?:st|nd|rd|th|\.)?", r"\ ?(?:-|\u2013|/|,|&|\bto\b|\bbis\b|\band\b|\bund\b|\bor\b|\boder\b)\ ?"
    months, short_months = ([name for name in table if name not in _WORDS_TOO] for table in (MONTHS, SHORT_MONTHS))
    alone = r"(?!\w|[.:,/]\d|-\d\d\d|\ ?[%€$£])"
    # With its year a day of digits is one beside any mark: "due:2026-05-09", "15.09.2026.", "notes-2026-05-09.md"; but
    # not amid a longer number, as a version, unless that is another day, or a time behind a T.
    opens = r"(?<![^\W_])(?<![$€£])(?<!\d[.:/])(?:(?<!\d-)|(?<=\.20\d\d-))"
    shuts = r"(?!(?!t\d\d:)[^\W_]|[.:/]\d|-\d+(?![.\d]))"
    over = r"(?P<day>1[3-9]|2\d|3[01])"
    forms = (
        ("digits", rf"{opens}{year}(?P<sign>[-/])(?P<month>\d\d?)(?P=sign)(?P<day>\d\d?){shuts}"),
        ("digits", rf"{opens}{over}/{number}/{year}{shuts}"),
        ("digits", rf"{opens}{number}/{over}/{year}{shuts}"),
        ("digits month",
         rf"{beside}{day}(?:st|nd|rd|th|er|\.)?\ ?(?:(?:of|de)\ )?{month}(?:,?\ (?:de\ )?{year}(?!\d|:\d))?"),
        ("digits month", rf"\b{month}\ (?:the\ )?{day}(?:st|nd|rd|th)?{alone}(?:,?\ {year}(?!\d|[:-]\d))?"),
        ("digits month", rf"{free}{day}{th}(?=(?:{among}\d\d?{th})+\ (?:of\ )?{month})"),
        ("digits month", rf"\b{month}\ (?:\d\d?{th}{among})+(?P<said>{day}){th}{ends}"),
        ("digits", rf"{opens}{day}\.\ ?{number}\.\ ?{year}{shuts}"),
        ("digits", rf"{free}{day}\.{number}\.(?!\d)(?=\ [a-zäöüß(\d]|\ ?[,;)!?\u2013-])"),
        ("digits", rf"{before}(?P<said>{day}\.\ ?{number}\.(?!\d))"),
        ("digits", rf"\b(?:am|vom|zum|den|dem)\ (?P<said>{day}\.{number}){ends}"),
        ("digits", rf"{free}(?=0|\d\d\.0){day}\.{number}\.(?!\d)"),
        ("weekday", rf"\b(?P<weekday>{weekdays})s?(?!\w)"),
        ("weekday", rf"\b(?P<weekday>{shorts})(?:\.(?!\w)|(?!\w){following})"),
        ("weekday", rf"\b{_LEADS}\ (?P<said>(?P<weekday>{shorts}))(?!\w|'|\ [a-z])"),
        ("weekday", rf"\b(?:{_GERMAN_LEADS})\ (?P<said>(?P<german>{germans})(?:\.(?!\w)|{ends}(?!\ [a-zäöüß])))"),
        ("weekday digits", rf"\b(?P<german>{germans})(?=\.){following}"),
        ("month", rf"\b(?P<month>{_one_of(months)})(?!\w)"),
        ("month", rf"\b{_LEADS}\ (?P<said>{month})"),
        ("month", rf"\b(?P<month>{_one_of(short_months)})\.(?!\w)"),
    )  # fmt: skip
    return tuple((needs, expression(form)) for needs, form in forms)


def _one_of(names: Iterable[str]) -> str:
    return "|".join(sorted(names, key=lambda name: (-len(name), name)))


def days_written(said: Day) -> Iterator[str]:
    """Give the ways in which people write a day, a weekday or a month, in small letters.

    >>> ways = list(days_written(Day(3, 5)))
    >>> [way in ways for way in ("3.5", "03.05", "3 mai", "3rd may", "05 03", "3.5.2026")]
    [True, True, True, True, True, True]
    >>> list(days_written(Day(weekday=2)))
    ['wednesday', 'mittwoch', 'mercredi', 'miércoles', 'mercoledì', 'mercoledi', 'wed', 'mi', 'wednesdays']
    """
    day, month, year, weekday = said
    if weekday is not None:
        tables = (WEEKDAYS, SHORT_WEEKDAYS, SHORT_GERMAN_WEEKDAYS)
        yield from (name for table in tables for name, number in table.items() if number == weekday)
        yield f"{ENGLISH_WEEKDAYS[weekday]}s"
        return
    names = [name for table in (MONTHS, SHORT_MONTHS) for name, number in table.items() if number == month]
    if day is None or month is None:
        yield from names
        return
    yield from (f"{day}.{month}", f"{day:02}.{month:02}", f"{month:02} {day:02}")
    years = YEARS if year is None else (year,)
    yield from (f"{form}.{each}" for form in (f"{day}.{month}", f"{day:02}.{month:02}") for each in years)
    yield from (f"{each}/{month:02}/{day:02}" for each in years)
    if day > 12:  # "05/03/2026" says neither
        yield from (f"{form}/{each}" for form in (f"{day}/{month:02}", f"{month:02}/{day}") for each in years)
    yield from (f"{number} {name}" for number in (str(day), f"{day}{_behind(day)}") for name in names)


def _behind(day: int) -> str:
    """Return what English has behind the number of a day: 1st, 2nd, 3rd, 11th."""
    return "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
