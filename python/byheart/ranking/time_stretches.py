"""The stretches that a question names by their ends: "since April", "between 3 and 5 March", "5月から8月まで".

The ends are read first, each by its own form; what stands around them says what is meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from functools import cache
from typing import Final

from ..light.expressions import expression
from .calendar_days import Days, Match
from .time_forms import COUNT, Meaning, as_words, bare, counted, exact, japanese
from .time_forms_near import near, near_japanese

End = Callable[[date], Days]
Stretch = tuple[int, int, Days]  # where it begins and ends in a text, and its days

_SIGNS: Final = expression(
    r"\b(?:since|before|after|prior|earlier|later|until|till|between|from|to|through)\b|\w ?[-–—~]|から|まで|以|間|より"
)
# The end of number n is written as many times as it has letters, in the letters of Unicode that are nobody's.
_FIRST_LETTER, _MOST = 0xE000, 6_000
_LETTERS: Final = "[\ue000-\uf8ff]"


def stretches(text: str, today: date) -> list[Stretch]:
    """Return the stretches that a text in lower case names; most texts have no sign of one.

    >>> [(begin, end, str(days.first))  for begin, end, days in stretches("who came since april?", date(2023, 6, 15))]
    [(9, 20, '2023-04-01')]
    """
    if not _SIGNS.search(text) or re.search(_LETTERS, text):
        return []
    ends: list[End] = []
    forms = (*(() if text.isascii() else (*near_japanese(), *japanese())), *near(), *exact(), *bare())
    for pattern, meaning in forms:
        text = pattern.sub(lambda match, meaning=meaning: _lettered(match, meaning, today, ends), text)  # type: ignore[misc]
    found: list[Stretch] = []

    def noted(match: Match, days_of: Callable[[Match, Sequence[End], date], Days]) -> str:
        try:
            found.append((match.start(), match.end(), days_of(match, ends, today)))
        except (ValueError, OverflowError):  # no such days
            return match[0]
        return "\0" * len(match[0])

    for pattern, days_of in _forms() if ends else ():
        text = pattern.sub(lambda match, days_of=days_of: noted(match, days_of), text)  # type: ignore[misc]
    return found


def _lettered(match: Match, meaning: Meaning, today: date, ends: list[End]) -> str:
    """Return the letters that stand for an end, and keep how it is read."""

    def read(day: date) -> Days:
        days = meaning(match, day)
        return days if isinstance(days, Days) else days[0]

    try:
        read(today)
    except (ValueError, OverflowError):
        return match[0]
    if len(ends) >= _MOST:
        return match[0]
    ends.append(read)
    return chr(_FIRST_LETTER + len(ends) - 1) * len(match[0])


# ---- what they mean


def _end(match: Match, name: str, ends: Sequence[End]) -> End:
    return ends[ord(match[name]) - _FIRST_LETTER]


def _between(match: Match, ends: Sequence[End], today: date) -> Days:
    first, last = _end(match, "first", ends)(today), _end(match, "last", ends)(today)
    if first.first >= last.behind:  # "between March and May 2021", "from November to February": before the last
        first = _end(match, "first", ends)(last.first)
    return _days(first.first, last.behind)


def _days_between(match: Match, ends: Sequence[End], today: date) -> Days:
    """Return the days from a number to a date: "3 to 5 March", "from the 28th to 2 March"."""
    last = _end(match, "last", ends)(today)
    if (last.behind - last.first).days != 1:
        raise ValueError("the last is no day")
    day = int(match["day"])
    month = last.first if day <= last.first.day else last.first.replace(day=1) - timedelta(days=1)
    return _days(month.replace(day=day), last.behind)


def _since(match: Match, ends: Sequence[End], today: date) -> Days:
    end = _end(match, "first", ends)(today)
    return _days(end.first, today + timedelta(days=1), end)


def _after(match: Match, ends: Sequence[End], today: date) -> Days:
    end = _end(match, "first", ends)(today)
    return _days(end.behind, today + timedelta(days=1), end)


def _before(match: Match, ends: Sequence[End], today: date) -> Days:
    end = _end(match, "first", ends)(today)
    return _days(date.min, end.first, end)


def _until(match: Match, ends: Sequence[End], today: date) -> Days:
    end = _end(match, "first", ends)(today)
    return _days(date.min, end.behind, end)


def _last_before(match: Match, ends: Sequence[End], today: date) -> Days:
    """Return what the first names, as of the eve of the second: "the Monday before 24 July"."""
    return _end(match, "first", ends)(_end(match, "last", ends)(today).first - timedelta(days=1))


def _beside(match: Match, ends: Sequence[End], today: date) -> Days:
    """Return the day, week, month or year beside a time, or so many of them away: "the week before 3 March"."""
    end, size = _end(match, "first", ends)(today), _SIZES[match["unit"]]
    away = timedelta(days=size * counted(match["count"] or "one"))
    first = end.first - away if match["side"] == "before" else end.behind + away - timedelta(days=size)
    return _days(first, first + timedelta(days=size))


def _days(first: date, behind: date, bound: Days | None = None) -> Days:
    if first >= behind:
        raise ValueError("it ends before it begins")
    return Days(first, behind, 0 if bound is None else (bound.behind - bound.first).days)


# ---- the forms


def _named(name: str) -> str:
    return f"(?P<{name}>{_LETTERS})(?P={name})*"


_A, _B = _named("first"), _named("last")
_DAY: Final = r"(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_DASH: Final = " ?[-–—~] ?"
_SIZES: Final = {"day": 1, "night": 1, "week": 7, "month": 30, "year": 365}  # days


@cache
def _forms() -> tuple[tuple[re.Pattern[str], Callable[[Match, Sequence[End], date], Days]], ...]:
    """Return the forms, the longer first: made when a question first has a sign of one, not when modules load."""
    return (
        (as_words(rf"(?:between|from) {_A} (?:to|until|till|through|and|-|–|—) {_B}"), _between),
        (as_words(rf"(?:between|from) {_DAY} (?:to|until|till|through|and|-|–|—) {_B}"), _days_between),
        (as_words(rf"{_A} (?:to|until|till|through) {_B}"), _between),
        (as_words(f"{_A}{_DASH}{_B}"), _between),
        (as_words(f"{_DAY}{_DASH}{_B}"), _days_between),
        (as_words(f"(?:the )?{_A} before {_B}"), _last_before),
        (as_words(rf"(?:the )?(?:{COUNT} )?(?P<unit>{'|'.join(_SIZES)})s? (?P<side>before|after) {_A}"), _beside),
        (as_words(rf"(?:ever )?since {_A}"), _since),
        (as_words(rf"(?:from|starting) {_A} (?:onwards?|on)"), _since),
        (as_words(rf"(?:before|prior to|earlier than) {_A}"), _before),
        (as_words(rf"(?:until|till|up to) {_A}"), _until),
        (as_words(rf"(?:after|later than) {_A}"), _after),
        (expression(f"{_A}(?:から|{_DASH}){_B}(?:まで)?"), _between),
        (expression(f"{_A}と{_B}の間"), _between),
        (expression(f"{_A}(?:以降|以来|から)"), _since),
        (expression(f"{_A}(?:以前|まで)"), _until),
        (expression(f"{_A}より(?:も)?前"), _before),
        (expression(f"{_A}より(?:も)?(?:後|あと)"), _after),
    )
