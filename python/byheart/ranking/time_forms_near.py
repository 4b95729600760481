"""The forms in which English and Japanese name times by how far they lie from now: "lately", "exactly a year ago".

They stand before those of the calendar (`time_forms`), which would read a part of them: "half a year ago" is no year,
"a year ago today" is not today, and "in the past year" is no year of the calendar.
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from typing import Final

from ..light.expressions import expression
from ..patterns.calendar_words import ENGLISH_WEEKDAYS as WEEKDAYS
from .calendar_days import Days, Match, days_back, one_day, week_of
from .time_forms import COUNT, Form, as_words, counted

_SIZES: Final = {"day": 1, "night": 1, "week": 7, "fortnight": 14, "month": 30, "quarter": 91, "year": 365}  # days
_UNIT: Final = rf"(?P<unit>{'|'.join(_SIZES)})s?"
_MONTHS: Final = {"month": 1, "quarter": 3, "year": 12}
_LATELY: Final = {"day": 7, "week": 30, "month": 120, "year": 3 * 365, "": 30}
"""So many days are recent ones, by what is said to be recent."""
_FADES: Final = 6
"""What is told to be recent is far from sure: by so many times its days the distance to it is measured."""
_OTHER: Final = {"week": 30, "": 10}
"""So many days ago at most was the other day, or the other week."""
_WEEKDAY: Final = rf"(?P<weekday>{'|'.join(WEEKDAYS)})"
_WEEKDAY_TOO: Final = _WEEKDAY.replace("weekday>", "weekday_too>")
_JAPANESE_UNITS: Final = {"日": "day", "夜": "day", "晩": "day", "週": "week", "年": "year"}
_FIGURES: Final = "〇一二三四五六七八九十"
_FEW: Final = 3
_JAPANESE_COUNT: Final = rf"(?P<count>\d{{1,3}}|[{_FIGURES[1:]}]{{1,3}}|数)"
_JAPANESE_UNIT: Final = r"(?P<unit>日|晩|週間?|[かカヵヶケ箇]月|年)"


# ---- what the forms mean


def _around(days: float, slack: float, today: date) -> Days:
    """Return the days around one that lies so many back, today at most."""
    first, last = today - timedelta(days=round(days + slack)), today - timedelta(days=max(round(days - slack), 0))
    return Days(first, last + timedelta(days=1))


def _same_day(unit: str, count: int, today: date) -> date:
    """Return the day of the calendar that lies so many units back; of a short month the last one."""
    if unit not in _MONTHS:
        return today - timedelta(days=_SIZES[unit] * count)
    from calendar import monthrange  # on use: few questions are of so many months ago

    year, month = divmod(today.year * 12 + today.month - 1 - _MONTHS[unit] * count, 12)
    return date(year, month + 1, min(today.day, monthrange(year, month + 1)[1]))


def _exactly(match: Match, today: date) -> Days:
    return one_day(_same_day(match["unit"], counted(match["count"]), today))


def _this_time(match: Match, today: date) -> Days:
    """Return the days around the same day of another week, month or year."""
    told = match.groupdict()
    unit = match["unit"]
    day = _same_day(unit, counted(told.get("count") or "one"), today)
    return _around((today - day).days, _SIZES[unit] // 24, today)


def _a_year_ago(match: Match, today: date) -> Days:
    """Return the months around the day a year back: in January, most of the year before is no year ago."""
    return _around(365, 91, today)


def _few_ago(match: Match, today: date) -> Days:
    """Return from two to five weeks, months or years ago: "a few" counts nothing."""
    size = _SIZES[match["unit"]]
    return _around(3.5 * size, 1.5 * size, today)


def _half(match: Match, today: date) -> Days:
    """Return the days around one that lies a half back, or so many and a half."""
    size, told = _SIZES[match["unit"]], match.groupdict()
    return _around(size * ((counted(told["count"]) if told.get("count") else 0) + 0.5), size / 8, today)


def _hours(match: Match, today: date) -> Days:
    """Return the days in which so many hours or minutes ago may lie: nobody knows in which zone it was said."""
    said = match.groupdict().get("count") or "one"
    hours = counted(said) if match["unit"].startswith(("h", "時")) else 0
    return Days(today - timedelta(days=(hours + 12) // 24), today + timedelta(days=1))


def _rolling(match: Match, today: date) -> Days:
    """Return the last day, week, month, quarter or year up to today."""
    return Days(today - timedelta(days=_SIZES[match["unit"]]), today + timedelta(days=1))


def _lately(match: Match, today: date) -> Days:
    days = _LATELY[match.groupdict().get("unit") or ""]
    return Days(today - timedelta(days=days), today + timedelta(days=1), _FADES * days)


def _other_day(match: Match, today: date) -> Days:
    return Days(today - timedelta(days=_OTHER[match.groupdict().get("unit") or ""]), today)


def _before_last(match: Match, today: date) -> Days:
    if match["unit"] == "weekend":
        return _weekend_of(today - timedelta(weeks=1))
    return days_back(match["unit"], 2, today)


def _day_of_last_week(match: Match, today: date) -> Days:
    day = WEEKDAYS.index(match["weekday"] or match["weekday_too"])
    return one_day(week_of(today - timedelta(weeks=1)).first + timedelta(days=day))


def _the_weekend(match: Match, today: date) -> Days:
    return _weekend_of(today)


def _weekend_of(day: date) -> Days:
    """Return the last Saturday and Sunday that have begun by a day."""
    saturday = week_of(day).first + timedelta(days=5 if day.weekday() >= 5 else -2)
    return Days(saturday, saturday + timedelta(days=2))


def _figure(said: str) -> int:
    """Return the number that digits or Japanese figures say: 12, 十二, 二十."""
    if said.isascii():
        return int(said)
    tens, ten, ones = said.rpartition("十")
    return (10 * (_FIGURES.index(tens) if tens else 1) if ten else 0) + (_FIGURES.index(ones) if ones else 0)


def _japanese_unit(match: Match) -> str:
    return _JAPANESE_UNITS.get(match["unit"][0], "month")


def _japanese_ago(match: Match, today: date) -> Days:
    unit, told = _japanese_unit(match), match.groupdict()
    if told["count"] == "数":
        return _around(_FEW * _SIZES[unit], _SIZES[unit], today)
    if told.get("exactly") or told.get("today"):
        return one_day(_same_day(unit, _figure(told["count"]), today))
    if unit == "year" and _figure(told["count"]) == 1:
        return _a_year_ago(match, today)
    return days_back(unit, _figure(told["count"]), today)


def _japanese_rolling(match: Match, today: date) -> Days:
    size = _SIZES[_japanese_unit(match)]
    count = _FEW if match["count"] == "数" else _figure(match["count"])
    return Days(today - timedelta(days=size * count), today + timedelta(days=1))


def _japanese_half(match: Match, today: date) -> Days:
    return _around(_SIZES["year"] / 2, _SIZES["year"] / 8, today)


def _japanese_this_time(match: Match, today: date) -> Days:
    unit = "month" if "月" in match[0] else "year"
    return _around((today - _same_day(unit, 1, today)).days, _SIZES[unit] // 24, today)


def _japanese_hours(match: Match, today: date) -> Days:
    hours = 0 if match["unit"] == "分" or match["count"] == "数" else _figure(match["count"])
    return Days(today - timedelta(days=(hours + 12) // 24), today + timedelta(days=1))


def _japanese_weekend(match: Match, today: date) -> Days:
    monday = week_of(today).first - timedelta(days=7 if match["which"] == "先" else 0)
    return Days(monday + timedelta(days=5), monday + timedelta(days=7))


def _today(match: Match, today: date) -> Days:
    return one_day(today)


def _yesterday(match: Match, today: date) -> Days:
    return one_day(today - timedelta(days=1))


# In each the longer form first: what it takes is not read again. Made when a question first may name a time.


@cache
def near() -> tuple[Form, ...]:
    """Return the forms of English."""
    ago, hours = "(?:ago|back|earlier)", r"(?P<unit>hour|hr|minute|min)s?"
    this_time = r"(?:(?:around|about|at) )?this time"
    return (
        (as_words(rf"(?:exactly|precisely) {COUNT} {_UNIT} {ago}(?: today)?"), _exactly),
        (as_words(rf"{COUNT} {_UNIT} {ago} (?:today|exactly|to the day)"), _exactly),
        (as_words(rf"{this_time} last (?P<unit>week|month|year)"), _this_time),
        (as_words(rf"{this_time} {COUNT} {_UNIT} {ago}"), _this_time),
        (as_words(rf"half an? {_UNIT} {ago}"), _half),
        (as_words(rf"(?P<count>an?|one) {_UNIT} and a half {ago}"), _half),
        (as_words(rf"{COUNT} and (?:a )?half {_UNIT} {ago}"), _half),
        (as_words(rf"(?:half an|{COUNT}) {hours} {ago}"), _hours),
        (as_words(rf"(?:last|past) (?:{COUNT} )?{hours}"), _hours),
        (as_words(rf"(?:a|one|1) year {ago}"), _a_year_ago),
        (as_words(rf"(?:a few|few|several) (?P<unit>week|month|year)s {ago}"), _few_ago),
        (as_words(rf"{COUNT} (?P<unit>night)s? {ago}"), _exactly),
        (as_words(r"(?:the )?(?P<unit>weekend|week|month|quarter|year) before last"), _before_last),
        (as_words(r"(?:(?:in|over|during|within|throughout) the (?:last|past)|(?:the|this) past)"
                  r" (?P<unit>week|month|quarter|year)(?! of\b)"), _rolling),
        (as_words(r"(?:over the|(?:the|this) past) weekend"), _the_weekend),
        (as_words(rf"(?:on )?{_WEEKDAY} (?:of )?last week|last week(?:'s| on)? {_WEEKDAY_TOO}"),
         _day_of_last_week),
    )  # fmt: skip


@cache
def near_japanese() -> tuple[Form, ...]:
    """Return the forms of Japanese."""
    counted_unit = rf"{_JAPANESE_COUNT}{_JAPANESE_UNIT}"
    return (
        (expression("(?:去年|昨年|先月)の(?:今頃|今ごろ|いまごろ|同じ(?:頃|ころ|時期))"), _japanese_this_time),
        (expression(rf"(?P<exactly>ちょうど|丁度)?{counted_unit}前(?P<today>の(?:今日|きょう))?"), _japanese_ago),
        (expression("半年(?:ほど|くらい|ぐらい)?前"), _japanese_half),
        (expression(rf"{_JAPANESE_COUNT}(?P<unit>時間|分)前"), _japanese_hours),
        (expression(rf"(?:ここ|この|過去|直近)の?{counted_unit}間?"), _japanese_rolling),
        (expression("(?P<which>[先今])週末"), _japanese_weekend),
        (expression("さっき|先ほど|先程"), _today),
        (expression("ゆうべ|夕べ"), _yesterday),
    )


@cache
def vague() -> tuple[Form, ...]:
    """Return the forms of both that say little of when: where a question names another time, too, they do not count."""
    return (
        (as_words(r"in recent (?P<unit>day|week|month|year)s|lately|of late|(?<!most )recently"), _lately),
        (as_words(r"the other (?:(?P<unit>week)|day|night|evening|morning|afternoon)"), _other_day),
        (expression("最近|近頃|近ごろ|この頃|このごろ"), _lately),
        (expression("先日|こないだ|この(?:間|あいだ)|この前(?!の[月火水木金土日]曜)"), _other_day),
    )
