"""The times that a question names: days, weeks, months, seasons, years, and what lies between.

A soft preference may rest on them (`byheart.ranking.named_time`), and nothing harder: "May" may be a name, and people
err about dates. Days are those of UTC, weeks begin on Monday, seasons are those of the northern hemisphere, and what
names no year is the last one that has begun. The forms themselves are in `byheart.ranking.time_forms` (English and
Japanese), `byheart.ranking.time_forms_european` (German, French and Spanish, but for stretches and seasons) and
`byheart.ranking.time_stretches`. Nothing here reads a clock.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Final, NamedTuple
from unicodedata import normalize

from ..light.expressions import expression
from ..patterns.calendar_words import ENGLISH_MONTHS, ENGLISH_WEEKDAYS
from ..patterns.letters import small_words
from .calendar_days import Days, Match
from .time_feasts import FEAST, FEASTS
from .time_forms import SEASONS, Meaning, exact, japanese, led
from .time_forms_european import european
from .time_forms_european import may_name as may_name_european
from .time_forms_near import near, near_japanese, vague
from .time_stretches import stretches
from .time_years_said import with_years


class Period(NamedTuple):
    """A stretch of time that a question names.

    Attributes:
        start: its first moment, in epoch seconds.
        end: the moment behind it.
        words: those that name it.
        bound: the seconds of the time at its end, where the other side is open: of "since April" those of a month.

    """

    start: float
    end: float
    words: str = ""
    bound: float = 0.0

    @property
    def length(self) -> float:
        """The seconds by which the distance to it is measured: its own, or those of the time that bounds it."""
        return self.bound or self.end - self.start


# Every form has one of these; most questions have none.
_HINTED: Final = """
    day night morning noon evening week month quarter year hour ago back earlier lately recently spring summer autumn
    fall winter jan feb mar apr may jun jul aug sep oct nov dec easter christmas xmas halloween thanksgiving
"""
_HINTS: Final = tuple(_HINTED.split())
_DIGIT: Final = expression("[0-9]")
_LATE: Final = expression(r"late\b")
_HINT_BEYOND_ASCII: Final = expression(
    r"\d|late\b|[今昨日月火水木金土年週春夏秋冬前頃晩]|きのう|きょう|おとと|ことし|最近|この(?:ご|間|あいだ)|こないだ|近ごろ|先[程ほ]"
    r"|さっき|ゆうべ|夕べ"
)


@lru_cache(maxsize=16)  # it is asked before the times are, too
def may_name(query: str) -> bool:
    """Return whether a question has a word of a time in it; without one it names no period, whatever the time is.

    >>> may_name("what did we say last May?"), may_name("who is Ann?")
    (True, False)
    """
    text = (query if query.isascii() else normalize("NFKC", query)).lower()
    if any(map(text.__contains__, _HINTS)):
        return True
    if not text.isascii():
        return _HINT_BEYOND_ASCII.search(text) is not None or may_name_european(text, ())
    hinted = _DIGIT.search(text) is not None or ("late" in text and _LATE.search(text) is not None)
    return hinted or may_name_european(text, small_words(query))


def periods(query: str, now: float) -> tuple[Period, ...]:
    """Return the periods that a question names, in its order; none that begins after `now`.

    >>> day = datetime(2023, 6, 15, 12, tzinfo=UTC).timestamp()
    >>> [period] = periods("What did we say last May?", day)
    >>> f"{datetime.fromtimestamp(period.start, UTC):%d %B} to {datetime.fromtimestamp(period.end, UTC):%d %B}"
    '01 May to 01 June'
    >>> [period.words for period in periods("昨日と2023年5月8日の話", day)], periods("May I ask you something?", day)
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


_READ: Final = "\0"
_USABLE: Final = 60_000_000_000.0  # seconds around 1970 for which the calendar has room on both sides
_DAY: Final = 86_400.0


@lru_cache(maxsize=16)  # the stages of a recall ask for the same question, one after the other
def _read(query: str, now: float) -> tuple[tuple[Period, ...], str]:
    """Return the periods that a question names, and the question with a sign in the place of each letter of theirs."""
    text = normalize("NFKC", query).lower()
    if not abs(now) < _USABLE or not may_name(query):
        return (), text
    small = small_words(query if query.isascii() else text)
    if text.isascii() and not _is_named(text, small) and not may_name_european(text, small):
        return (), text
    today = datetime.fromtimestamp(now, UTC).date()
    text = with_years(text, today)
    found: Found = {}
    for begin, end, days in stretches(text, today):
        words, text = text[begin:end], text[:begin] + _READ * (end - begin) + text[end:]
        _note(days, begin, words, now, found)
    forms = (*(() if text.isascii() else (*near_japanese(), *japanese())), *near(), *exact(), *led())
    for pattern, meaning in forms + european() if may_name_european(text, small) else forms:
        text = pattern.sub(lambda match, meaning=meaning: _read_once(match, meaning, today, now, found), text)  # type: ignore[misc]
    for pattern, meaning in () if found else vague():
        text = pattern.sub(lambda match, meaning=meaning: _read_once(match, meaning, today, now, found), text)  # type: ignore[misc]
    return tuple(period for place in sorted(found) for period in found[place]), text


_ANY_YEAR_OR_DAY: Final = r"(?:19|20)\d\d|\d[-/]\d"
_YEAR_OR_DAY: Final = expression(_ANY_YEAR_OR_DAY)
_OTHERS: Final = """
    today tonight yesterday ago back earlier last past previous this q1 q2 q3 q4 lately late recent recently other
    weekend
"""
_NAMES: Final = (
    *ENGLISH_MONTHS,
    *(name[:3] for name in ENGLISH_MONTHS),
    "sept",
    *filter(str.isascii, SEASONS),
    *ENGLISH_WEEKDAYS,
    *_OTHERS.split(),
)
_FEASTS: Final = [feast.split()[0] for feast in FEASTS]
_FIRST: Final = frozenset(
    [small_words(name)[0] for name in (*_NAMES, *_FEASTS)] + [feast.replace("'", "") for feast in _FEASTS]
)
"""The runs of letters with which one begins."""


def _is_named(text: str, words: Sequence[str]) -> bool:
    """Return whether a text of ASCII in small letters has what every form of English has, of ends of stretches too.

    Which words stand in it is sooner known than whether the expression finds one.
    """
    if _FIRST.isdisjoint(words) and _YEAR_OR_DAY.search(text) is None:
        return False
    return _named().search(text) is not None


@lru_cache(maxsize=1)
def _named() -> re.Pattern[str]:
    """Return the pattern of that.

    Words of which a form has one stand by themselves, as a hint need not: "mar" is in "summary".
    """
    return expression(rf"(?<!\w)(?:{'|'.join(_NAMES)}|{FEAST})(?!\w)|{_ANY_YEAR_OR_DAY}")


Found = dict[int, list[Period]]  # by where they stand


def _read_once(match: Match, meaning: Meaning, today: date, now: float, found: Found) -> str:
    """Note what a form says, and return what stands in its place, so that it is not read twice."""
    try:
        days = meaning(match, today)
    except (ValueError, OverflowError):  # no such day
        return match[0]
    for each in [days] if isinstance(days, Days) else days:
        _note(each, match.start(), match[0].strip(), now, found)
    return _READ * len(match[0])


def _note(days: Days, place: int, words: str, now: float, found: Found) -> None:
    first, behind, bound = days
    start, end = (datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() for day in (first, behind))
    if start <= now:
        found.setdefault(place, []).append(Period(start, end, words, bound * _DAY))
