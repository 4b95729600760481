"""The forms in which texts name days ahead: English, German, French, Spanish, Italian, Japanese."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from functools import lru_cache
from typing import Final

from ..light.expressions import expression
from .calendar_words import EUROPEAN_WEEKDAYS, WEEKDAYS

_COUNTS: Final = {
    "a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "few": 3, "a few": 3,
    "einer": 1, "einem": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "paar": 3, "ein paar": 3,
    "un": 1, "une": 1, "una": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "quelques": 3,
    "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "unos": 3, "unas": 3, "pocos": 3,
    "due": 2, "tre": 3, "quattro": 4, "cinque": 5, "sei": 6, "qualche": 3,
}  # fmt: skip
Days = Callable[["re.Match[str]", date], tuple[date, date]]
"""Of a match and the day on which it is told the first day that is meant, and the one behind the last."""


def _in(days: int, length: int = 1) -> Days:
    return lambda _, today: (today + timedelta(days), today + timedelta(days + length))


def _count(match: re.Match[str]) -> int:
    said = match["count"]
    return int(said) if said.isdecimal() else _COUNTS[said]


def _counted(match: re.Match[str], today: date) -> tuple[date, date]:
    at = today + timedelta(_count(match))
    return at, at + timedelta(1)


def _counted_weeks(match: re.Match[str], today: date) -> tuple[date, date]:
    """Return the week around a day: "in two weeks" is seldom said of that day alone."""
    at = today + timedelta(7 * _count(match))
    return at - timedelta(3), at + timedelta(4)


def _within(days: int) -> Days:
    return lambda match, today: (today, today + timedelta(days * _count(match) + 1))


def _month(ahead: int) -> Days:
    def days(_: re.Match[str], today: date) -> tuple[date, date]:
        year, month = divmod(today.year * 12 + today.month - 1 + ahead, 12)
        behind = divmod(year * 12 + month + 1, 12)
        return date(year, month + 1, 1), date(behind[0], behind[1] + 1, 1)

    return days


def _week(ahead: int) -> Days:
    def days(_: re.Match[str], today: date) -> tuple[date, date]:
        first = today + timedelta(7 * ahead - today.weekday())
        return first, first + timedelta(7)

    return days


def _weekend(match: re.Match[str], today: date) -> tuple[date, date]:
    first = today + timedelta(5 - today.weekday())
    first = first + timedelta(7) if match["next"] else max(first, today)
    return first, first + timedelta(1 if first.weekday() == 6 else 2)


def _weekday(match: re.Match[str], today: date) -> tuple[date, date]:
    at = today + timedelta((_NUMBERS[match["weekday"]] - today.weekday() - 1) % 7 + 1)
    return at, at + timedelta(1)


_NUMBERS: Final = {**WEEKDAYS, **EUROPEAN_WEEKDAYS}


@lru_cache(maxsize=1)
def forms() -> tuple[tuple[re.Pattern[str], Days, bool], ...]:
    """Return the forms, longer ones first, each with the days that it means, and whether these surely lie ahead."""
    weekdays, counts = "|".join(_NUMBERS), "|".join(("[1-9]", "[1-9][0-9]", *_COUNTS))
    within = rf"(?:next|coming) (?P<count>{counts})"
    part = "(?: (?:morning|afternoon|evening|night))?"
    may_be_past: tuple[tuple[str, Days], ...] = (
        (r"\b(?:today|tonight|later today|this (?:morning|afternoon|evening))\b", _in(0)),
        (r"\bthis week\b", _week(0)),
        (r"\bthis month\b", _month(0)),
        (r"\b(?P<next>(?!))?this weekend\b", _weekend),
        (rf"\b(?:this|on) (?P<weekday>{weekdays})\b", _weekday),
        (r"\bheute(?: morgen| früh| mittag| abend)?\b", _in(0)),
        (r"\bdieser? woche\b", _week(0)),
        (r"\bdiese[nm] monat\b", _month(0)),
        (r"\b(?P<next>(?!))?(?:dieses|am) wochenende\b", _weekend),
        (rf"\b(?:diese[rnms]?|am) (?P<weekday>{weekdays})\b", _weekday),
        (r"\b(?:aujourd['\u2019]hui|hoy|oggi)\b", _in(0)),
        (r"\b(?:cette semaine|esta semana|questa settimana)\b", _week(0)),
        (r"\b(?:ce mois(?:-ci)?|este mes|questo mese)\b", _month(0)),
        (r"\b(?P<next>(?!))?(?:ce week-?end|este fin de semana|questo (?:fine settimana|weekend))\b", _weekend),
        ("今日|本日", _in(0)),
        ("今週(?!末)", _week(0)),
        ("今月", _month(0)),
        ("(?P<next>(?!))?(?<!来)週末", _weekend),
    )
    ahead: tuple[tuple[str, Days], ...] = (
        (r"\b(?:the )?day after tomorrow\b", _in(2)),
        (rf"\btomorrow{part}\b", _in(1)),
        (rf"\bin (?P<count>{counts}) days\b(?! of)", _counted),
        (rf"\bin (?P<count>{counts}) weeks?\b(?! of)", _counted_weeks),
        (rf"\b(?:in |over |for |within )?(?:the )?{within} days\b", _within(1)),
        (rf"\b(?:in |over |for |within )?(?:the )?{within} weeks\b", _within(7)),
        (r"\b(?:the )?(?:next|coming) week\b", _week(1)),
        (r"\b(?:the )?(?:next|coming) month\b", _month(1)),
        (r"\b(?:the coming|(?P<next>next)) weekend\b", _weekend),
        (rf"\b(?:next|coming) (?P<weekday>{weekdays})\b", _weekday),
        (r"\bübermorgen\b", _in(2)),
        (r"(?<!guten )(?<!am )(?<!jeden )(?<!heute )(?<!gestern )\bmorgen(?: früh| mittag| abend)?\b", _in(1)),
        (rf"\bin (?P<count>{counts}) tagen\b", _counted),
        (rf"\bin (?P<count>{counts}) wochen?\b", _counted_weeks),
        (rf"\b(?:in )?den nächsten (?P<count>{counts}) tagen\b", _within(1)),
        (rf"\b(?:in )?den nächsten (?P<count>{counts}) wochen\b", _within(7)),
        (r"\b(?:nächste[nm]|kommende[nm]) monat\b", _month(1)),
        (r"\b(?:nächster?|kommender?) woche\b", _week(1)),
        (r"\b(?P<next>nächstes) wochenende\b", _weekend),
        (rf"\b(?:nächste[rnms]?|kommende[rnms]?) (?P<weekday>{weekdays})\b", _weekday),
        (r"\b(?:après-demain|apres-demain|pasado mañana|dopodomani)\b", _in(2)),
        (r"\b(?:demain|domani)\b(?: matin| soir| mattina| sera)?", _in(1)),
        (r"(?<!la )(?<!esta )(?<!cada )(?<!una )(?<!ayer )\bmañana\b(?: por la (?:mañana|tarde|noche))?", _in(1)),
        (rf"\b(?:dans|en|dentro de|tra|fra) (?P<count>{counts}) (?:jours?|días?|giorn[oi])\b", _counted),
        (rf"\b(?:dans|en|dentro de|tra|fra) (?P<count>{counts}) (?:semaines?|semanas?|settiman[ae])\b", _counted_weeks),
        (
            r"\b(?:semaine prochaine|próxima semana|proxima semana|semana (?:que viene|próxima|proxima)"
            r"|settimana prossima|prossima settimana)\b",
            _week(1),
        ),
        (
            r"\b(?:mois prochain|próximo mes|proximo mes|mes (?:que viene|próximo|proximo)"
            r"|mese prossimo|prossimo mese)\b",
            _month(1),
        ),
        (
            r"\b(?P<next>week-?end prochain|(?:próximo|proximo) fin de semana|fin de semana que viene"
            r"|(?:prossimo|prossima) (?:fine settimana|weekend)|weekend prossimo)\b",
            _weekend,
        ),
        (rf"\b(?:el |il |la )?(?:próximo|proximo|prossim[oa]) (?P<weekday>{weekdays})\b", _weekday),
        (rf"\b(?P<weekday>{weekdays}) (?:prochain|que viene|próximo|proximo|prossim[oa])\b", _weekday),
        ("明後日|あさって", _in(2)),
        ("明日|あした", _in(1)),
        (r"(?P<count>[1-9][0-9]?)日後", _counted),
        (r"(?P<count>[1-9][0-9]?)週間後", _counted_weeks),
        ("再来週", _week(2)),
        ("来週(?!末)", _week(1)),
        ("来月", _month(1)),
        ("(?P<next>来)週末", _weekend),
    )
    return tuple((expression(form), days, of is ahead) for of in (ahead, may_be_past) for form, days in of)
