"""The forms in which German, French, Spanish and Italian name days, weeks, months and years.

They stand beside those of English (`time_forms`). "hier" is French for yesterday and German for here, and names none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from functools import lru_cache
from typing import Final

from ..light.expressions import expression
from ..patterns.calendar_words import EUROPEAN_MONTHS as MONTHS
from ..patterns.calendar_words import EUROPEAN_WEEKDAYS as WEEKDAYS
from .calendar_days import Days, Match, days_back, last_that_began, last_weekday, months_from, one_day
from .time_forms import Form, as_words

_COUNTS: Final = {word: number for number, words in enumerate(
    ("ein einem einer un une una", "zwei deux dos due", "drei trois tres tre", "vier quatre cuatro quattro",
     "fünf cinq cinco cinque", "sechs six seis sei", "sieben sept siete sette", "acht huit ocho otto",
     "neun neuf nueve nove", "zehn dix diez dieci"), 1,
) for word in words.split()}  # fmt: skip
_UNITS: Final = {"day": "tag jour día dia giorno giorni", "week": "woche semaine semana settimana settimane",
                 "month": "monat mois mes mese mesi", "year": "jahr année annee an año ano anno anni"}  # fmt: skip


def _one_of(words: object) -> str:
    return "|".join(sorted(map(str, words), key=lambda word: (-len(word), word)))  # type: ignore[call-overload]


_ITALIAN: Final = (
    "gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre", "ottobre",
    "novembre", "dicembre",
)  # fmt: skip
_MONTH: Final = rf"(?P<month>{_one_of(MONTHS)})"
_DAY: Final = r"(?P<day>\d{1,2})(?:er|\.)?"
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
_COUNT: Final = rf"(?P<count>\d{{1,3}}|{_one_of(_COUNTS)})"
_UNIT: Final = rf"(?P<unit>{_one_of(' '.join(_UNITS.values()).split())})(?:e[ns]?|en|n|s)?"
_LEADS: Final = (
    r"(?:im|seit|ende|anfang|mitte|letzten|vergangenen|diesen|en|au mois de|début|debut|fin|de|durant|pendant"
    r"|en el mes de|el mes de|a finales de|a principios de|durante)"
)


def _month(match: Match, today: date) -> Days:
    month, told = MONTHS[match["month"]], match.groupdict()
    if told.get("year"):
        return months_from(int(told["year"]), month)
    return last_that_began(lambda year: months_from(year, month), today)


def _date(match: Match, today: date) -> Days:
    day, name = int(match["day"]), match["month"]
    month = int(name) if name.isdecimal() else MONTHS[name]
    if match["year"] is not None:
        return one_day(date(int(match["year"]), month, day))
    return last_that_began(lambda year: one_day(date(year, month, day)), today)


def _weekday(match: Match, today: date) -> Days:
    return last_weekday(WEEKDAYS[match["weekday"]], today, over=match["over"] is not None)


def _unit_of(match: Match) -> str:
    return next(unit for unit, words in _UNITS.items() if match["unit"] in words.split())


def _ago(match: Match, today: date) -> Days:
    said = match["count"]
    return days_back(_unit_of(match), int(said) if said.isdecimal() else _COUNTS[said], today)


def _back(count: int) -> Callable[[Match, date], Days]:
    return lambda match, today: days_back(_unit_of(match), count, today)


def _fixed(count: int) -> Callable[[Match, date], Days]:
    return lambda match, today: days_back("day", count, today)


@lru_cache(maxsize=1)
def european() -> tuple[Form, ...]:
    """Return the forms, the longer first: what it takes is not read again. Made when a question first has a mark."""
    return (
        # 1.2.2026 alone may be a version: such a date has a 0 before its digits, or a word that leads to it.
        (as_words(r"(?P<day>\d\d)\.(?P<month>\d\d)\.(?P<year>(?:19|20)\d\d)"), _date),
        (as_words(r"(?:am|vom|zum) (?P<day>\d{1,2})\. ?(?P<month>\d{1,2})\. ?(?P<year>(?:19|20)\d\d)?"), _date),
        (as_words(rf"{_DAY} (?:de )?{_MONTH}(?:(?: de| del)? {_YEAR})?"), _date),
        (as_words(rf"(?:{_LEADS} )?{_MONTH}(?: de| del)? {_YEAR}"), _month),
        (as_words(rf"{_LEADS} {_MONTH}"), _month),
        (as_words(rf"(?:a|in|da|di|nel mese di|a fine|a inizio) (?P<month>{_one_of(_ITALIAN)})"), _month),
        (as_words(r"vorgestern|avant-hier|anteayer|antes de ayer|l'altro ieri|altroieri|avantieri"), _fixed(2)),
        (as_words(r"gestern|ayer|anoche|ieri"), _fixed(1)),
        (as_words(r"heute|aujourd'hui|aujourd’hui|hoy|oggi"), _fixed(0)),
        (as_words(rf"{_COUNT} {_UNIT} fa"), _ago),
        (as_words(rf"(?:vor|il y a|hace) {_COUNT} {_UNIT}"), _ago),
        (as_words(rf"(?:letzte|vergangene|vorige)[nmrs]? {_UNIT}"), _back(1)),
        (
            as_words(rf"(?:la |le |el |il |l')?{_UNIT} (?:dernière|dernier|passée?|pasad[oa]|scors[oa]|passat[oa])"),
            _back(1),
        ),
        (as_words(rf"(?:la |lo )?scors[oa] {_UNIT}"), _back(1)),
        (as_words(rf"(?:diese[nmrs]?|cette|cet|ce|este|esta|quest[oa]) {_UNIT}"), _back(0)),
        (as_words(r"quest['\u2019](?P<unit>anno)"), _back(0)),
        (
            as_words(rf"(?:el |le |il |la )?(?P<weekday>{_one_of(WEEKDAYS)}) (?P<over>dernier|pasado|scors[oa])"),
            _weekday,
        ),
        (
            as_words(
                rf"(?:am|(?P<over>letzten|vergangenen|lo scorso|la scorsa)|el|le|il) (?P<weekday>{_one_of(WEEKDAYS)})"
            ),
            _weekday,
        ),
    )


_MARKS: Final = [each for each in (*MONTHS, *WEEKDAYS, *" ".join(_UNITS.values()).split()) if each != "an"]
_MAY_NAME: Final = expression(
    rf"(?<!\w)(?:(?:{_one_of(_MARKS)})(?:e[ns]?|n|s)?|(?:un |cet |l')an|ans"
    r"|(?:vor)?gestern|heute|avant-hier|(?:ante)?ayer|anoche|hoy|(?:avant|altro)?ieri|oggi)(?!\w)|aujourd|\d\. ?\d"
)
"""What each of these forms has in it somewhere."""
_DATE: Final = expression(r"\d\. ?\d")
_OTHERS: Final = "an ans gestern vorgestern heute avant ayer anteayer anoche hoy ieri altroieri avantieri oggi"
_WORDS: Final = frozenset(
    [mark + ending for mark in _MARKS for ending in ("", "e", "en", "es", "n", "s")] + _OTHERS.split()
)
"""The words with which it begins, or that stand in it."""


def may_name(text: str, words: Sequence[str]) -> bool:
    """Return whether a text in small letters has what each of these forms has: most questions have not.

    Which words (`patterns.letters.small_words`) stand in a text of ASCII is sooner known than whether the expression
    finds one.

    >>> may_name("woche?", ["woche"]), may_name("am 3. 5.", ["am"]), may_name("last week?", ["last", "week"])
    (True, True, False)
    """
    if text.isascii() and _WORDS.isdisjoint(words):
        return "aujourd" in text or ("." in text and _DATE.search(text) is not None)
    return _MAY_NAME.search(text) is not None
