"""Parts of the calendar as stretches of days: a day, a week, months, what lies so many of them back."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple

Match = re.Match[str]


class Days(NamedTuple):
    """A stretch of days.

    Attributes:
        first: the first of them.
        behind: the one behind the last.
        bound: how many days the time has that bounds a stretch with an open side, as "since April"; 0 without one.

    """

    first: date
    behind: date
    bound: int = 0


def one_day(day: date) -> Days:
    """Return a day as a stretch."""
    return Days(day, day + timedelta(days=1))


def week_of(day: date) -> Days:
    """Return the week of a day, from Monday on."""
    monday = day - timedelta(days=day.weekday())
    return Days(monday, monday + timedelta(days=7))


def months_from(year: int, month: int, months: int = 1) -> Days:
    """Return so many months from one on; a month outside 1 to 12 lies in the years around."""
    first, last = year * 12 + month - 1, year * 12 + month - 1 + months
    return Days(date(first // 12, first % 12 + 1, 1), date(last // 12, last % 12 + 1, 1))


def year_of(year: int) -> Days:
    """Return a year as a stretch."""
    return months_from(year, 1, 12)


def days_back(unit: str, count: int, today: date) -> Days:
    """Return the day, week, month, quarter or year that lies so many of them back; of a fortnight the week."""
    if unit == "day":
        return one_day(today - timedelta(days=count))
    if unit in ("week", "fortnight"):
        return week_of(today - timedelta(weeks=count * (2 if unit == "fortnight" else 1)))
    if unit == "month":
        return months_from(today.year, today.month - count)
    if unit == "quarter":
        return months_from(today.year, today.month - (today.month - 1) % 3 - 3 * count, 3)
    return year_of(today.year - count)


def last_that_began(of: Callable[[int], Days], today: date, *, over: bool = False) -> Days:
    """Return the last of a yearly stretch that has begun by today; with `over` that has ended, too."""
    for year in range(today.year, today.year - 9, -1):  # there may be no 29th of February for eight years
        try:
            days = of(year)
        except ValueError:
            continue
        if days.first <= today and not (over and days.behind > today):
            return days
    raise ValueError("no such day")


def last_weekday(wanted: int, today: date, *, over: bool = False) -> Days:
    """Return the last such day of a week, Monday being 0: today may be it, but not with `over`."""
    back = (today.weekday() - wanted) % 7
    return one_day(today - timedelta(days=back or (7 if over else 0)))
