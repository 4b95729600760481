"""The times that a question names: days, weeks, months, seasons and years, in English and Japanese.

A soft preference may rest on them (`byheart.ranking.named_time`), and nothing harder: "May" may be a name, and people
err about dates. Days are those of UTC, weeks begin on Monday, seasons are those of the northern hemisphere, and what
names no year is the last one that has begun. Nothing here reads a clock.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple
from unicodedata import normalize


class Period(NamedTuple):
    """A stretch of time: from `start` up to and without `end`, in epoch seconds; and the words that name it."""

    start: float
    end: float
    words: str = ""


# Every form has one of these; most questions have none.
_HINT = re.compile(
    r"\d|day|night|morning|noon|evening|week|month|year|ago|back|earlier|spring|summer|autumn|fall|winter"
    r"|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|[今昨日月火水木金土年週春夏秋冬]|きのう|きょう|おとと|ことし"
)

Days = tuple[date, date]  # the first, and the one behind the last
Match = re.Match[str]

_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
           "november", "december")  # fmt: skip
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_JAPANESE_WEEKDAYS = "月火水木金土日"
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12, "春": 3, "夏": 6, "秋": 9, "冬": 12}
_NUMBERS = {name: number for number, name in enumerate(
    ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), 1
)} | {"a": 1, "an": 1, "couple of": 2, "a couple of": 2, "few": 3, "a few": 3, "several": 4}  # fmt: skip
_JAPANESE_YEARS = {"今年": 0, "去年": 1, "昨年": 1, "一昨年": 2, "おととし": 2}

_MONTH = rf"(?P<month>{'|'.join(_MONTHS)}|{'|'.join(name[:3] for name in _MONTHS)}|sept)\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)"
_COUNT = rf"(?P<count>\d{{1,3}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
_UNIT = r"(?P<unit>day|week|month|year)s?"
_BEFORE = r"(?:in|during|of|from|around|early|late|mid)(?: the)?"


def may_name(query: str) -> bool:
    """Return whether a question has a word of a time in it; without one it names no period, whatever the time is.

    >>> may_name("what did we say last May?"), may_name("who is Ann?")
    (True, False)
    """
    return _HINT.search((query if query.isascii() else normalize("NFKC", query)).lower()) is not None


def periods(query: str, now: float) -> tuple[Period, ...]:
    """Return the periods that a question names, in its order; none that begins after `now`.

    >>> day = datetime(2023, 6, 15, 12, tzinfo=UTC).timestamp()
    >>> [period] = periods("What did we say last May?", day)
    >>> f"{datetime.fromtimestamp(period.start, UTC):%d %B} to {datetime.fromtimestamp(period.end, UTC):%d %B}"
    '01 May to 01 June'
    >>> [words for _, _, words in periods("昨日と2023年5月8日の話", day)], periods("May I ask you something?", day)
    (['昨日', '2023年5月8日'], ())
    """
    return _read(query, now)[0]


def without_times(query: str, now: float) -> str:
    """Return what a question says beside the periods that it names, in lower case.

    >>> day = datetime(2023, 6, 15, 12, tzinfo=UTC).timestamp()
    >>> without_times("What did we say last May?", day).split(), without_times("the kettle", day)
    (['what', 'did', 'we', 'say', '?'], 'the kettle')
    """
    return _read(query, now)[1].replace(_READ, " ")


def _read(query: str, now: float) -> tuple[tuple[Period, ...], str]:
    """Return the periods that a question names, and the question with a sign in the place of each letter of theirs."""
    text = normalize("NFKC", query).lower()
    if not abs(now) < _USABLE or not may_name(query):
        return (), text
    today = datetime.fromtimestamp(now, UTC).date()
    found: dict[int, Period] = {}
    for pattern, meaning in _ENGLISH if text.isascii() else (*_JAPANESE, *_ENGLISH):
        text = pattern.sub(lambda match, meaning=meaning: _noted(match, meaning, today, now, found), text)  # type: ignore[misc]
    return tuple(found[place] for place in sorted(found)), text


_READ = "\0"
_USABLE = 60_000_000_000.0  # seconds around 1970 for which the calendar has room on both sides


def _noted(
    match: Match, meaning: Callable[[Match, date], Days | None], today: date, now: float, found: dict[int, Period]
) -> str:
    """Note what a form says, and return what stands in its place, so that it is not read twice."""
    try:
        days = meaning(match, today)
    except (ValueError, OverflowError):  # no such day
        days = None
    if days is None:
        return match[0]
    start, end = (datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() for day in days)
    if start <= now:
        found[match.start()] = Period(start, end, match[0].strip())
    return _READ * len(match[0])


# ---- parts of the calendar


def _day(day: date) -> Days:
    return day, day + timedelta(days=1)


def _week(day: date) -> Days:
    monday = day - timedelta(days=day.weekday())
    return monday, monday + timedelta(days=7)


def _month(year: int, month: int, months: int = 1) -> Days:
    """Return so many months from one on; a month outside 1 to 12 lies in the years around."""
    first, last = year * 12 + month - 1, year * 12 + month - 1 + months
    return date(first // 12, first % 12 + 1, 1), date(last // 12, last % 12 + 1, 1)


def _year(year: int) -> Days:
    return _month(year, 1, 12)


def _back(unit: str, count: int, today: date) -> Days:
    """Return the day, week, month or year that lies so many of them back."""
    if unit == "day":
        return _day(today - timedelta(days=count))
    if unit == "week":
        return _week(today - timedelta(weeks=count))
    if unit == "month":
        return _month(today.year, today.month - count)
    return _year(today.year - count)


def _last_that_began(of: Callable[[int], Days], today: date, *, over: bool = False) -> Days:
    """Return the last of a yearly stretch that has begun by today; with `over` that has ended, too."""
    for year in range(today.year, today.year - 9, -1):  # there may be no 29th of February for eight years
        try:
            days = of(year)
        except ValueError:
            continue
        if days[0] <= today and not (over and days[1] > today):
            return days
    raise ValueError("no such day")


# ---- what the forms mean


def _named_month(match: Match) -> int:
    return [name[:3] for name in _MONTHS].index(match["month"][:3]) + 1


def _date(match: Match, today: date) -> Days:
    day, month = int(match["day"]), _named_month(match)
    if match["year"] is not None:
        return _day(date(int(match["year"]), month, day))
    return _last_that_began(lambda year: _day(date(year, month, day)), today)


def _numbered(match: Match, today: date) -> Days:
    """Return the day or month of digits: 2023-05-08, 2023-05, 2023年5月8日, 2023年5月, 5月8日, 5月."""
    told = match.groupdict()
    year, month, day = (int(told[name]) if told.get(name) else None for name in ("year", "month", "day"))
    if month is None or not 1 <= month <= 12:
        raise ValueError("no such month")

    def of(year: int) -> Days:
        return _month(year, month) if day is None else _day(date(year, month, day))

    return _last_that_began(of, today) if year is None else of(year)


def _month_of(match: Match, today: date) -> Days:
    told, month = match.groupdict(), _named_month(match)
    if told.get("year"):
        return _month(int(told["year"]), month)
    return _last_that_began(lambda year: _month(year, month), today, over=told.get("which") == "last")


def _season_of(match: Match, today: date) -> Days:
    told = match.groupdict()
    first = _SEASONS[told["season"]]
    if told.get("year"):
        return _month(int(told["year"]), first, 3)
    if told.get("which") in _JAPANESE_YEARS:
        return _month(today.year - _JAPANESE_YEARS[told["which"]], first, 3)
    return _last_that_began(lambda year: _month(year, first, 3), today, over=told.get("which") == "last")


def _weekday_of(match: Match, today: date) -> Days:
    told = match.groupdict()
    name = told["weekday"]
    wanted = _JAPANESE_WEEKDAYS.index(name) if name in _JAPANESE_WEEKDAYS else _WEEKDAYS.index(name)
    if told.get("week"):  # of the week before
        return _day(_week(today - timedelta(weeks=1))[0] + timedelta(days=wanted))
    back = (today.weekday() - wanted) % 7
    return _day(today - timedelta(days=back or (7 if told.get("which") == "last" else 0)))


def _ago(match: Match, today: date) -> Days:
    return _back(match["unit"], _counted(match["count"]), today)


def _japanese_ago(match: Match, today: date) -> Days:
    unit = {"日": "day", "週": "week", "年": "year"}.get(match["unit"][0], "month")
    return _back(unit, int(match["count"]), today)


def _lately(match: Match, today: date) -> Days:
    """Return the last so many days, weeks, months or years, today included."""
    count, unit = _counted(match["count"]), match["unit"]
    days = {"day": 1, "week": 7, "month": 30, "year": 365}[unit] * count
    return today - timedelta(days=days), today + timedelta(days=1)


def _counted(said: str) -> int:
    return int(said) if said.isdigit() else _NUMBERS[said]


def _weekend(match: Match, today: date) -> Days:
    """Return Saturday and Sunday of this week, or of the one before."""
    monday = _week(today)[0] - timedelta(days=7 if match["which"] == "last" else 0)
    return monday + timedelta(days=5), monday + timedelta(days=7)


def _unit(count: int) -> Callable[[Match, date], Days]:
    return lambda match, today: _back(match["unit"], count, today)


def _fixed(unit: str, count: int) -> Callable[[Match, date], Days]:
    return lambda match, today: _back(unit, count, today)


def _year_of(match: Match, today: date) -> Days:
    return _year(int(match["year"]))


def _japanese_year_month(match: Match, today: date) -> Days:
    month = int(match["month"])
    if not 1 <= month <= 12:
        raise ValueError("no such month")
    return _month(today.year - _JAPANESE_YEARS[match["which"]], month)


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){pattern}(?![\w-])")


Form = tuple[re.Pattern[str], Callable[[Match, date], Days | None]]

# The longer form first: what it takes is not read again.
_JAPANESE: tuple[Form, ...] = (
    (re.compile(r"(?:(?P<year>\d{4})年)?(?P<month>\d{1,2})月(?P<day>\d{1,2})日"), _numbered),
    (re.compile(r"(?P<year>\d{4})年(?P<month>\d{1,2})月"), _numbered),
    (re.compile(r"(?P<which>今年|一昨年|去年|昨年|おととし)の?(?P<month>\d{1,2})月"), _japanese_year_month),
    (re.compile(r"(?P<which>今年|一昨年|去年|昨年|おととし)の?(?P<season>[春夏秋冬])"), _season_of),
    (re.compile(r"(?P<year>\d{4})年の?(?P<season>[春夏秋冬])"), _season_of),
    (re.compile(r"(?P<year>(?:19|20)\d\d)年"), _year_of),
    (re.compile(r"(?P<count>\d{1,3})(?P<unit>日|週間|[かカヵヶケ箇]月|年)前"), _japanese_ago),
    (re.compile(r"(?<!\d)(?P<month>\d{1,2})月"), _numbered),
    (re.compile(r"(?P<week>先週の?)?(?P<weekday>[月火水木金土日])曜日?"), _weekday_of),
    (re.compile("一昨日|おととい"), _fixed("day", 2)),
    (re.compile("昨日|きのう|昨夜|昨晩"), _fixed("day", 1)),
    (re.compile("今日|きょう|今朝|今夜|今晩"), _fixed("day", 0)),
    (re.compile("先々週"), _fixed("week", 2)),
    (re.compile("先週"), _fixed("week", 1)),
    (re.compile("今週"), _fixed("week", 0)),
    (re.compile("先々月"), _fixed("month", 2)),
    (re.compile("先月"), _fixed("month", 1)),
    (re.compile("今月"), _fixed("month", 0)),
    (re.compile("一昨年|おととし"), _fixed("year", 2)),
    (re.compile("去年|昨年"), _fixed("year", 1)),
    (re.compile("今年|ことし"), _fixed("year", 0)),
)
_ENGLISH: tuple[Form, ...] = (
    (re.compile(r"(?<!\d)(?P<year>\d{4})[-/](?P<month>\d{1,2})[-/](?P<day>\d{1,2})(?!\d)"), _numbered),
    (re.compile(r"(?<![\d-])(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)(?![\d-])"), _numbered),
    (_words(rf"(?:the )?{_DAY}(?: of)? {_MONTH}(?:,? {_YEAR})?"), _date),
    (_words(rf"{_MONTH} (?:the )?{_DAY}(?:,? {_YEAR})?"), _date),
    (_words(rf"{_MONTH}(?:,| of)? {_YEAR}"), _month_of),
    (_words(rf"(?P<which>last|this|past|previous) {_MONTH}"), _month_of),
    (_words(rf"{_BEFORE} {_MONTH}"), _month_of),
    (_words(rf"{_SEASON}(?:,| of)? {_YEAR}"), _season_of),
    (_words(rf"(?P<which>last|this|past|previous) {_SEASON}"), _season_of),
    (_words(rf"{_BEFORE} {_SEASON}"), _season_of),
    (_words(rf"(?:in|during|of|from|around|the year)(?: the year)? {_YEAR}"), _year_of),
    (_words(r"(?:the )?day before yesterday"), _fixed("day", 2)),
    (_words(r"yesterday(?: (?:morning|afternoon|evening|night))?|last night"), _fixed("day", 1)),
    (_words(r"today|tonight|this (?:morning|afternoon|evening)"), _fixed("day", 0)),
    (_words(rf"{_COUNT} {_UNIT} (?:ago|back|earlier)"), _ago),
    (_words(rf"(?:last|past|previous) {_COUNT} {_UNIT}"), _lately),
    (_words(r"(?P<which>last|this|past) weekend"), _weekend),
    (_words(r"(?:last|previous|past) (?P<unit>week|month|year)"), _unit(1)),
    (_words(r"this (?P<unit>week|month|year)"), _unit(0)),
    (_words(rf"(?P<which>last|past|this|on) (?P<weekday>{'|'.join(_WEEKDAYS)})"), _weekday_of),
)
