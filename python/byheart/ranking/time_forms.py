"""The forms in which English and Japanese name days, weeks, months, quarters, seasons and years, and what they mean.

A form is a pattern over text in lower case, and a function that takes what it matched, and today, and returns the days.
It raises ValueError or OverflowError where there is no such day.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from functools import cache

from ..light.expressions import expression
from ..patterns.calendar_words import ENGLISH_MONTHS as MONTHS
from ..patterns.calendar_words import ENGLISH_WEEKDAYS as WEEKDAYS
from .calendar_days import Days, Match, days_back, last_that_began, last_weekday, months_from, one_day, week_of, year_of
from .time_feasts import FEAST, feast_of

Meaning = Callable[[Match, date], "Days | list[Days]"]
Form = tuple[re.Pattern[str], Meaning]

_JAPANESE_WEEKDAYS = "月火水木金土日"
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12, "春": 3, "夏": 6, "秋": 9, "冬": 12}
_NUMBERS = {name: number for number, name in enumerate(
    ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), 1
)} | {"a": 1, "an": 1, "few": 3, "a few": 3, "several": 4}  # fmt: skip
_NUMBERS |= {f"{before}couple{behind}": 2 for before in ("", "a ") for behind in ("", " of")}
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4}
_JAPANESE_YEARS = {"今年": 0, "去年": 1, "昨年": 1, "一昨年": 2, "おととし": 2}

_MONTH = rf"(?P<month>{'|'.join(MONTHS)}|{'|'.join(name[:3] for name in MONTHS)}|sept)\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)"
COUNT = rf"(?P<count>\d{{1,3}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
_UNIT = r"(?P<unit>day|week|fortnight|month|quarter|year)s?"
_BEFORE = r"(?:in|during|of|from|around|early|late|mid)(?: the)?"


# ---- what the forms mean


def _named_month(match: Match) -> int:
    return [name[:3] for name in MONTHS].index(match["month"][:3]) + 1


def _date(match: Match, today: date) -> Days:
    day, month = int(match["day"]), _named_month(match)
    if match["year"] is not None:
        return one_day(date(int(match["year"]), month, day))
    return last_that_began(lambda year: one_day(date(year, month, day)), today)


def _numbered(match: Match, today: date) -> Days:
    """Return the day or month of digits: 2023-05-08, 2023-05, 2023年5月8日, 2023年5月, 5月8日, 5月."""
    told = match.groupdict()
    year, month, day = (int(told[name]) if told.get(name) else None for name in ("year", "month", "day"))
    if month is None or not 1 <= month <= 12:
        raise ValueError("no such month")

    def of(year: int) -> Days:
        return months_from(year, month) if day is None else one_day(date(year, month, day))

    return last_that_began(of, today) if year is None else of(year)


def _slashed(match: Match, today: date) -> list[Days]:
    """Return the days of 03/04/2026, which is in March or in April, as people write it; of 24/12/2026 there is one."""
    year, one, other = (int(match[name]) for name in ("year", "one", "other"))
    pairs = {(month, day) for month, day in ((one, other), (other, one)) if 1 <= month <= 12}
    if not pairs:
        raise ValueError("no such month")
    return [one_day(date(year, month, day)) for month, day in sorted(pairs)]


def _month_of(match: Match, today: date) -> Days:
    told, month = match.groupdict(), _named_month(match)
    if told.get("year"):
        return months_from(int(told["year"]), month)
    return last_that_began(lambda year: months_from(year, month), today, over=told.get("which") == "last")


def _part_of_month(match: Match, today: date) -> Days:
    """Return the first ten days of a month, the ten in its middle, or those behind them."""
    told = match.groupdict()

    def of(year: int) -> Days:
        first, behind, _ = months_from(year, _named_month(match))
        tenth, twentieth = first + timedelta(days=10), first + timedelta(days=20)
        return {"b": Days(first, tenth), "s": Days(first, tenth), "e": Days(twentieth, behind)}.get(
            (told["part"] or "middle")[0], Days(tenth, twentieth)
        )

    return of(int(told["year"])) if told.get("year") else last_that_began(of, today)


def _earlier(match: Match, today: date) -> Days:
    return Days(days_back(match["unit"], 0, today).first, today + timedelta(days=1))


def _quarter_of(match: Match, today: date) -> Days:
    told = match.groupdict()
    quarter = int(told["number"]) if told.get("number") else _QUARTERS[told["quarter"]]
    if told.get("year"):
        return months_from(int(told["year"]), 3 * quarter - 2, 3)
    return last_that_began(lambda year: months_from(year, 3 * quarter - 2, 3), today)


def _season_of(match: Match, today: date) -> Days:
    told = match.groupdict()
    first = SEASONS[told["season"]]
    if told.get("year"):
        return months_from(int(told["year"]), first, 3)
    if told.get("which") in _JAPANESE_YEARS:
        return months_from(today.year - _JAPANESE_YEARS[told["which"]], first, 3)
    return last_that_began(lambda year: months_from(year, first, 3), today, over=told.get("which") == "last")


def _weekday_of(match: Match, today: date) -> Days:
    told = match.groupdict()
    name = told["weekday"]
    wanted = _JAPANESE_WEEKDAYS.index(name) if name in _JAPANESE_WEEKDAYS else WEEKDAYS.index(name)
    if told.get("week"):  # of the week before
        return one_day(week_of(today - timedelta(weeks=1)).first + timedelta(days=wanted))
    return last_weekday(wanted, today, over=told.get("which") == "last")


def _ago(match: Match, today: date) -> Days:
    return days_back(match["unit"], counted(match["count"]), today)


def _japanese_ago(match: Match, today: date) -> Days:
    unit = {"日": "day", "週": "week", "年": "year"}.get(match["unit"][0], "month")
    return days_back(unit, int(match["count"]), today)


def _lately(match: Match, today: date) -> Days:
    """Return the last so many days, weeks, fortnights, months, quarters or years, today included."""
    count, unit = counted(match.groupdict().get("count") or "one"), match["unit"]
    days = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "quarter": 91, "year": 365}[unit] * count
    return Days(today - timedelta(days=days), today + timedelta(days=1))


def counted(said: str) -> int:
    """Return the number that a word of counting says: "3", "two", "a few"."""
    return int(said) if said.isdigit() else _NUMBERS[said]


def _weekend(match: Match, today: date) -> Days:
    """Return Saturday and Sunday of this week, or of the one before."""
    monday = week_of(today)[0] - timedelta(days=7 if match["which"] == "last" else 0)
    return Days(monday + timedelta(days=5), monday + timedelta(days=7))


def _unit(count: int) -> Callable[[Match, date], Days]:
    return lambda match, today: days_back(match["unit"], count, today)


def _fixed(unit: str, count: int) -> Callable[[Match, date], Days]:
    return lambda match, today: days_back(unit, count, today)


def _year_of(match: Match, today: date) -> Days:
    return year_of(int(match["year"]))


def _japanese_year_month(match: Match, today: date) -> Days:
    month = int(match["month"])
    if not 1 <= month <= 12:
        raise ValueError("no such month")
    return months_from(today.year - _JAPANESE_YEARS[match["which"]], month)


def as_words(pattern: str) -> re.Pattern[str]:
    """Return a pattern that stands by itself, beside no letter and no dash."""
    return expression(rf"(?<![\w-]){pattern}(?![\w-])")


def _alone(pattern: str) -> re.Pattern[str]:
    """Return a pattern that may stand beside a dash, as the ends of "May-June" do."""
    return expression(rf"(?<!\w){pattern}(?!\w)")


# In each the longer form first: what it takes is not read again. Made when a question first may name a time.


@cache
def japanese() -> tuple[Form, ...]:
    """Return the forms of Japanese."""
    return (
        (expression(r"(?:(?P<year>\d{4})年)?(?P<month>\d{1,2})月(?P<day>\d{1,2})日"), _numbered),
        (expression(r"(?P<year>\d{4})年(?P<month>\d{1,2})月"), _numbered),
        (expression(r"(?P<which>今年|一昨年|去年|昨年|おととし)の?(?P<month>\d{1,2})月"), _japanese_year_month),
        (expression(r"(?P<which>今年|一昨年|去年|昨年|おととし)の?(?P<season>[春夏秋冬])"), _season_of),
        (expression(r"(?P<year>\d{4})年の?(?P<season>[春夏秋冬])"), _season_of),
        (expression(r"(?P<year>(?:19|20)\d\d)年"), _year_of),
        (expression(r"(?P<count>\d{1,3})(?P<unit>日|週間|[かカヵヶケ箇]月|年)前"), _japanese_ago),
        (expression(r"(?<!\d)(?P<month>\d{1,2})月"), _numbered),
        (expression(r"(?P<week>先週の?)?(?P<weekday>[月火水木金土日])曜日?"), _weekday_of),
        (expression("一昨日|おととい"), _fixed("day", 2)),
        (expression("昨日|きのう|昨夜|昨晩"), _fixed("day", 1)),
        (expression("今日|きょう|今朝|今夜|今晩"), _fixed("day", 0)),
        (expression("先々週"), _fixed("week", 2)),
        (expression("先週"), _fixed("week", 1)),
        (expression("今週"), _fixed("week", 0)),
        (expression("先々月"), _fixed("month", 2)),
        (expression("先月"), _fixed("month", 1)),
        (expression("今月"), _fixed("month", 0)),
        (expression("一昨年|おととし"), _fixed("year", 2)),
        (expression("去年|昨年"), _fixed("year", 1)),
        (expression("今年|ことし"), _fixed("year", 0)),
    )


@cache
def exact() -> tuple[Form, ...]:
    """Return the forms of English that name a time wherever they stand."""
    return (
        (expression(r"(?<!\d)(?P<year>\d{4})[-/](?P<month>\d{1,2})[-/](?P<day>\d{1,2})(?!\d)"), _numbered),
        (expression(r"(?<![\d-])(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)(?![\d-])"), _numbered),
        (
            expression(
                r"(?<![\d/-])(?P<one>\d{1,2})(?P<sign>[/-])(?P<other>\d{1,2})(?P=sign)(?P<year>(?:19|20)\d\d)(?![\d/-])"
            ),
            _slashed,
        ),
        (
            as_words(
                r"(?:(?:in|at|around) )?(?:(?:the )?(?P<part>beginning|start|middle|end) of (?:the )?|mid-)"
                rf"{_MONTH}(?:,? {_YEAR})?"
            ),
            _part_of_month,
        ),
        (as_words(r"earlier (?:in )?this (?P<unit>week|month|quarter|year)"), _earlier),
        (as_words(rf"(?:the )?{_DAY}(?: of)? {_MONTH}(?:,? {_YEAR})?"), _date),
        (as_words(rf"{_MONTH} (?:the )?{_DAY}(?:,? {_YEAR})?"), _date),
        (as_words(rf"{_MONTH}(?:,| of)? {_YEAR}"), _month_of),
        (as_words(rf"(?P<which>last|this|past|previous) {_MONTH}"), _month_of),
        (as_words(rf"{_SEASON}(?:,| of)? {_YEAR}"), _season_of),
        (as_words(rf"(?P<which>last|this|past|previous) {_SEASON}"), _season_of),
        (as_words(rf"q(?P<number>[1-4])(?:,| of)? {_YEAR}"), _quarter_of),
        (as_words(rf"{_YEAR} q(?P<number>[1-4])"), _quarter_of),
        (as_words(rf"(?:the )?(?P<quarter>{'|'.join(_QUARTERS)}) quarter(?:,| of)? {_YEAR}"), _quarter_of),
        (as_words(rf"(?P<which>last|this|past|previous) {FEAST}"), feast_of),
        (as_words(rf"{FEAST}(?:,| of)? {_YEAR}"), feast_of),
        (as_words(r"(?:the )?day before yesterday"), _fixed("day", 2)),
        (as_words(r"yesterday(?: (?:morning|afternoon|evening|night))?|last night"), _fixed("day", 1)),
        (as_words(r"today|tonight|this (?:morning|afternoon|evening)"), _fixed("day", 0)),
        (as_words(rf"{COUNT} {_UNIT} (?:ago|back|earlier)"), _ago),
        (as_words(rf"(?:last|past|previous) {COUNT} {_UNIT}"), _lately),
        (as_words(r"(?P<which>last|this|past) weekend"), _weekend),
        (as_words(r"(?:last|previous|past) (?P<unit>week|month|quarter|year)"), _unit(1)),
        (as_words(r"(?:last|previous|past) (?P<unit>fortnight)"), _lately),
        (as_words(r"this (?P<unit>week|month|quarter|year)"), _unit(0)),
        (as_words(rf"(?P<which>last|past|this|on) (?P<weekday>{'|'.join(WEEKDAYS)})"), _weekday_of),
    )


@cache
def led() -> tuple[Form, ...]:
    """Return those that need a word that leads to them, or an end of a stretch: "in May", "since May"."""
    return (
        (as_words(rf"{_BEFORE} {_MONTH}"), _month_of),
        (as_words(rf"{_BEFORE} {_SEASON}"), _season_of),
        (as_words(r"(?:in|during|of|from) q(?P<number>[1-4])"), _quarter_of),
        (as_words(rf"(?:in|during|of|from|around|the year)(?: the year)? {_YEAR}"), _year_of),
    )


@cache
def bare() -> tuple[Form, ...]:
    """Return what names a time at an end of a stretch alone."""
    return (
        (_alone(rf"{_DAY}(?: of)? {_MONTH}(?:,? {_YEAR})?"), _date),
        (_alone(FEAST), feast_of),
        (_alone(rf"(?:the )?{_SEASON}"), _season_of),
        (_alone(_MONTH), _month_of),
        (_alone(r"q(?P<number>[1-4])"), _quarter_of),
        (_alone(_YEAR), _year_of),
        (_alone(rf"(?P<weekday>{'|'.join(WEEKDAYS)})"), _weekday_of),
    )
