"""Days that lie ahead, as texts name them from the day on which they are told: "tomorrow", "nächsten Freitag"."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import islice, pairwise
from typing import Final, NamedTuple

from ..light.expressions import expression
from .ahead_forms import forms
from .calendar_days_said import Day, days_said
from .calendar_words import EUROPEAN_WEEKDAYS, WEEKDAYS
from .letters import in_small_letters, small_words


class Ahead(NamedTuple):
    """Days that a text names, and the letters that name them.

    Attributes:
        first, behind: the first day, and the one behind the last.
        begin, end: where the letters stand.
        surely: whether they lie ahead in a text about the past, too: "tomorrow" does, "on Friday" does not.

    """

    first: date
    behind: date
    begin: int
    end: int
    surely: bool = True

    def meets(self, other: Ahead) -> bool:
        """Return whether two stretches share a day."""
        return self.first < other.behind and other.first < self.behind

    def lies_in(self, other: Ahead) -> bool:
        """Return whether all of these days are among others."""
        return other.first <= self.first and self.behind <= other.behind


WORDS: Final = (
    "tomorrow", "today", "tonight", "day after tomorrow", "next week", "weekend", "this week", "morgen", "heute",
    "übermorgen", "nächste woche", "wochenende", "diese woche", "明日", "あした", "今日", "明後日", "来週", "今週",
    "demain", "après-demain", "aujourd'hui", "semaine prochaine", "cette semaine", "mañana", "pasado mañana", "hoy",
    "próxima semana", "semana que viene", "esta semana", "domani", "dopodomani", "oggi", "settimana prossima",
    "prossima settimana", "questa settimana",
)  # fmt: skip
"""The ways in which records name days by a short distance, for an index to be asked about."""
LONGER_WORDS: Final = (
    "weeks", "next month", "this month", "wochen", "nächsten monat", "diesen monat", "再来週", "来月", "今月", "週間後",
    "semaines", "mois prochain", "ce mois", "semanas", "mes que viene", "próximo mes", "este mes", "settimane",
    "mese prossimo", "questo mese",
)  # fmt: skip
"""Likewise by a distance of weeks."""
DAILY: Final = (
    "every day", "daily", "every weekday", "weekdays", "jeden tag", "täglich", "werktags", "毎日", "平日",
    "tous les jours", "todos los días", "ogni giorno", "tutti i giorni",
)  # fmt: skip
"""The ways in which records name each day, or each from Monday to Friday."""
_ALONE: Final = frozenset(
    {"tomorrow", "tonight", "today", "morgen", "heute", "demain", "hoy", "domani", "dopodomani", "oggi"}
)
_LEADING: Final = """
    this next coming on in later am diese diesen dieses dieser kommende kommenden a few two three four five six einer
    ein paar zwei drei semaine mois end prochain proximo proxima semana mes que este esta prossimo prossima settimana
    mese questo questa cette ce deux trois dos tres due tre un une una
"""
_LEADS: Final = frozenset(_LEADING.split())
_LENGTHS: Final = """
    week weeks weekend days month months morning afternoon evening woche wochen wochenende tage tagen monat monaten
    prochaine prochain viene proximo proxima prossimo prossima semana mes fin fine settimana mese semaine mois jours
    jour giorni giorno dias semaines semanas settimane
"""
_LED: Final = frozenset([*_LENGTHS.split(), *filter(str.isascii, (*WEEKDAYS, *EUROPEAN_WEEKDAYS))])
_HINT_BEYOND_ASCII: Final = expression(
    r"(?:tomorrow|tonight|today|next|this|coming|days|demain|mañana|domani|dopodomani|hoy|oggi|prochaine?|viene"
    r"|pr[óo]xim[oa]|prossim[oa]|cette|ce|est[ae]|quest[oa]|jours?|d[ií]as?|giorn[oi]|semaines?|semanas?|settiman[ae]"
    r"|(?:über)?morgen|heute|(?:nächst|dies|kommend)\w+|tagen|wochenende|wochen|monat\w*)\b"
    rf"|aujourd|{'|'.join((*WEEKDAYS, *EUROPEAN_WEEKDAYS))}"
    r"|[明今本]日|あした|明後日|あさって|[来今][週月]|週末|[間日]後"
)
_EACH_DAY: Final = expression(
    r"\b(?:(?:every|each) day|daily|jeden tag|täglich|tous les jours|todos los días|ogni giorno|tutti i giorni)\b|毎日"
)
_EACH_WEEKDAY: Final = expression(r"(?<=every )weekday\b|(?<=each )weekday\b|\b(?:weekdays|werktags)\b|平日")
_YEARLY: Final = expression(
    r"birthday|born|anniversary|every year|each year|yearly|geburtstag|geboren|jahrestag|jedes jahr|誕生日|生まれ|毎年"
)
_REPEATED: Final = expression(r"\b(?:every|each|jeden|immer|always|usually)(?: (?:other|am|on|second))? $")
_ONCE: Final = expression(
    r"\b(?:next|this|coming|last|(?:nächst|dies|kommend|letzt)e[nrms]?)(?: on)? $"
    r"|\b(?:ce|questo|questa|este|esta|el próximo|il prossimo|la prossima) $"
)
"""A weekday behind such a word is one day, and none of each week."""
_JAPANESE_DATE: Final = expression(r"(?:(?P<year>20\d\d)年)?(?P<month>\d\d?)月(?P<day>\d\d?)日")
_PAST: Final = expression(
    r"\b(?:was|were|had|did|went|met|came|saw|said|told|(?<!ve )(?<!has )got|took|bought|fell|broke|left|lost|gave|ate"
    r"|ago|last|yesterday"
    r"|war|waren|hatte[nt]?|gab|kam|ging|gestern|letzte[nrs]?|ge\w{3,}(?:t|en)"
    r"|(?!(?:plann|schedul|book|expect|suppos|invit|arrang|need|reserv|postpon|mov|deliver|pick)ed\b)\w{3,}ed)\b"
)
"""Who tells what was "on Monday" means the one before, unless that is only perhaps so."""
_USABLE: Final = 60_000_000_000.0  # seconds around 1970


def may_name_ahead(text: str) -> bool:
    """Return whether a text has words by which days ahead are named; most have none.

    >>> may_name_ahead("What do I have tomorrow?"), may_name_ahead("Who is this?")
    (True, False)
    """
    if not text.isascii():
        return _HINT_BEYOND_ASCII.search(text.lower()) is not None
    words = small_words(text)
    if _LED.isdisjoint(words):
        return not _ALONE.isdisjoint(words)
    return not _ALONE.isdisjoint(words) or any(one in _LEADS and two in _LED for one, two in pairwise(words))


def day_of(moment: float) -> date | None:
    """Return the day of a moment in epoch seconds, in UTC; None where the calendar has no room around it."""
    return datetime.fromtimestamp(moment, UTC).date() if abs(moment) < _USABLE else None


def days_ahead(text: str, today: date) -> list[Ahead]:
    """Return the days that a text names by how far they lie ahead of a day, that day among them, in order.

    >>> [str(each.first) for each in days_ahead("tomorrow, or next week", date(2026, 11, 26))]
    ['2026-11-27', '2026-11-30']
    """
    if not may_name_ahead(text):
        return []
    lower, found = in_small_letters(text), list[Ahead]()
    taken = bytearray(len(lower))  # a mark for each letter: of many days none is compared with all others
    for pattern, days, surely in forms():
        for match in pattern.finditer(lower):
            begin, end = match.span()
            if not any(taken[begin:end]):
                taken[begin:end] = b"\1" * (end - begin)
                found.append(Ahead(*days(match, today), begin, end, surely))
    return sorted(found, key=lambda each: each.begin)


def dates_ahead(text: str, today: date) -> list[Ahead]:
    """Return the days that a text names by day and month and that lie ahead of a day, that day among them, in order.

    >>> [str(each.first) for each in dates_ahead("on 4 September, or 3 March", date(2026, 8, 30))]
    ['2026-09-04', '2027-03-03']
    """
    found = list[Ahead]()
    for begin, end, day in days_said(text):
        if day.weekday is None:
            ahead = (at for _, at in _dates(day, today, text, is_past=False) if at >= today)
            found += [Ahead(at, at + timedelta(1), begin, end, surely=False) for at in islice(ahead, 1)]
    return found


def said_from(text: str, told: date | None) -> Iterator[tuple[int, Ahead]]:
    """Give the days that a text names which was told on a day, and how surely: 2, or 1 where another one may be meant.

    A day of a month without its year is the next one from there on, of a birthday any; a weekday the next one, and
    perhaps every one; of what is past perhaps the next.

    Args:
        text: what was told.
        told: when; without it only a date with its year says which day it is.

    """
    is_past = _PAST.search(in_small_letters(text)) is not None
    if told is not None:
        yield from ((2 if each.surely or not is_past else 1, each) for each in days_ahead(text, told))
    for begin, end, day in (*days_said(text), *_in_japanese(text)):
        yield from (
            (level, Ahead(at, at + timedelta(1), begin, end)) for level, at in _dates(day, told, text, is_past=is_past)
        )


def weekly(text: str, weekday: int) -> Iterator[tuple[int, int, bool]]:
    """Give where a text names a weekday that may be each one, and whether it surely is.

    >>> [each[2] for each in weekly("Choir on Mondays, every Monday, and on Monday, but not next Monday", 0)]
    [True, True, False]
    """
    lower = in_small_letters(text)
    for begin, end, day in days_said(text):
        if day.weekday == weekday and _ONCE.search(lower[:begin]) is None:
            yield begin, end, _REPEATED.search(lower[:begin]) is not None or lower[begin:end].endswith("days")
    for each in (_EACH_DAY, *((_EACH_WEEKDAY,) if weekday < 5 else ())):
        yield from ((*match.span(), True) for match in each.finditer(lower))


def _dates(day: Day, told: date | None, text: str, *, is_past: bool) -> Iterator[tuple[int, date]]:
    """Give the dates that a day of a text may be, the years around where that says none."""
    if day.weekday is not None:
        if told is not None:
            yield 2 - is_past, told + timedelta((day.weekday - told.weekday() - 1) % 7 + 1)
        return
    if day.day is None or day.month is None:
        return
    years = (day.year,) if day.year is not None else () if told is None else range(told.year, told.year + 3)
    in_order = [at for year in years if (at := _date(year, day.month, day.day)) is not None]
    ahead = [at for at in in_order if day.year is not None or told is None or at >= told]
    is_yearly = _YEARLY.search(in_small_letters(text)) is not None
    yield from ((2, at) for place, at in enumerate(ahead) if place == 0 or is_yearly)


def _in_japanese(text: str) -> Iterator[tuple[int, int, Day]]:
    for match in () if text.isascii() else _JAPANESE_DATE.finditer(text):
        year = None if match["year"] is None else int(match["year"])
        yield *match.span(), Day(int(match["day"]), int(match["month"]), year)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:  # no such day in that year
        return None
