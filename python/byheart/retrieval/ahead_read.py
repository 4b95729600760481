"""The days ahead that a question names, read as records say them: "tomorrow" as "30 November", or as "on Monday".

"Call the bank tomorrow", told a week ago, says nothing of tomorrow. So the word itself is searched for only where a
record means the same day by it: each record is read from the day on which it was told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from ..patterns.calendar_days_said import Day, days_written
from ..patterns.days_ahead import DAILY, LONGER_WORDS, WORDS, Ahead, day_of, said_from, weekly
from .filter.canonical import Canonical, all_of
from .question import ReadAs
from .values_read import MOST_ROWS, Reading

if TYPE_CHECKING:
    from .._core import Analyzer, Partition
    from ..records import Record

MOST_WAYS: Final = 8
"""Ways of saying one stretch of days that are searched for: those of most records."""
_ASIAN: Final = "\u3040"  # from here on writing without blanks
_DAY: Final = 86_400.0
_LATELY: Final = 15 * _DAY
"""What was told longer ago names no day ahead by a distance of days."""
_LONG_SINCE: Final = 62 * _DAY
"""Likewise by one of weeks: on the first of a month the next one may last so long."""
_WEEK: Final = 7  # days; of longer stretches it is no news what there is in each week
_LONGEST: Final = 43  # days that are looked for by their dates: six weeks


class _Told(NamedTuple):
    """A record that says the days: at level 3 its own are among them, at 2 they meet, at 1 perhaps."""

    level: int
    words: str
    row: str


class _Looking(NamedTuple):
    analyzer: Analyzer
    core: Partition
    cells: Sequence[str]
    read: Callable[[Sequence[str]], Sequence[Record | None]]
    mine: Canonical | None

    def rows(self, ways: Iterable[str], *, lately: Canonical | None = None) -> Iterator[str]:
        """Give the rows that hold all terms of one of some ways of writing, unless there are too many of them."""
        wanted = [terms for way in dict.fromkeys(ways) if (terms := tuple(self.analyzer.terms(way)))]
        single = list(dict.fromkeys(term for terms in wanted for term in terms))
        there = dict(zip(single, self.core.held_terms(single, cells=self.cells), strict=True))
        filter = self.mine if lately is None else lately if self.mine is None else all_of((self.mine, lately))
        for terms in dict.fromkeys(wanted):
            if all(there[term] for term in terms):
                found = self.core.holding([[term] for term in terms], self.cells, filter=filter)
                yield from found if len(found) <= MOST_ROWS else ()


def read_days_ahead(
    query: str,
    named: Sequence[Ahead],
    now: float,
    analyzer: Analyzer,
    core: Partition,
    cells: Sequence[str],
    read: Callable[[Sequence[str]], Sequence[Record | None]],
    mine: Canonical | None,
) -> Reading:
    """Return what the days ahead that a question names are read as.

    Args:
        query: the question.
        named: the days that it names.
        now: when it is asked, in epoch seconds.
        analyzer: of the memory.
        core: the partition of the tenant.
        cells: those that may be looked at.
        read: gives records by their rows.
        mine: what records have to pass to be looked at; None for all.

    """
    looking = _Looking(analyzer, core, cells, read, mine)
    found = [_reading(query, asked, now, looking) for asked in named]
    rows = frozenset(row for each in found for row in each.rows)
    return Reading(tuple(one for each in found for one in each.read_as), rows, any(each.unsaid for each in found))


def _reading(query: str, asked: Ahead, now: float, looking: _Looking) -> Reading:
    """Return what one stretch of days is read as."""
    own = query[asked.begin : asked.end]
    told = list(_told(asked, now, looking))
    best = max((2, *(each.level for each in told)))  # who may mean another day says nothing of this one
    within = not own.isascii() and own[-1] >= _ASIAN
    if not told:
        terms = looking.analyzer.terms(own)
        return Reading((ReadAs(own, "", tuple(f"{term}\u00b7{own.lower()}" for term in terms), within),), unsaid=True)
    count: dict[str, int] = {}
    for each in told:
        count[each.words] = count.get(each.words, 0) + 1
    words = sorted(count, key=lambda way: -count[way])[:MOST_WAYS]
    rows = frozenset(each.row for each in told if each.level == best)
    return Reading((ReadAs(own, " ".join(words), within=within),), rows)


def _told(asked: Ahead, now: float, looking: _Looking) -> Iterator[_Told]:
    """Give what records say of the days, the surest of each."""
    days = [asked.first + timedelta(each) for each in range(min((asked.behind - asked.first).days, _LONGEST))]
    dates = [way for day in days for way in days_written(Day(day.day, day.month))]
    dates += [f"{day.month}月{day.day}日" for day in days]
    recurring = days if len(days) <= _WEEK else []
    weekdays = [way for day in recurring for way in days_written(Day(weekday=day.weekday()))]
    daily = DAILY if len(days) == 1 else ()
    rows = [*looking.rows(dates), *looking.rows((*weekdays, *daily))]
    for ways, since in ((WORDS, _LATELY), (LONGER_WORDS, _LONG_SINCE)):
        rows += looking.rows(ways, lately=("range", "created_at", now - since, True, now, True))
    rows = list(dict.fromkeys(rows))
    for row, record in zip(rows, looking.read(rows), strict=True):
        said = [] if record is None else list(_said(asked, recurring, record))
        if said:
            level, words = max(said, key=lambda each: each[0])
            yield _Told(level, words, row)


def _said(asked: Ahead, recurring: Sequence[date], record: Record) -> Iterator[tuple[int, str]]:
    """Give how surely a record says the days, or what recurs on some of them, and with which words."""
    moment = record.created_at if record.valid_from is None else record.valid_from
    told = None if moment is None else day_of(moment)
    for text in record.indexed().values():
        for level, each in said_from(text, told):
            if each.meets(asked):
                yield level + (level == 2 and each.lies_in(asked)), text[each.begin : each.end]
        for day in recurring:
            for begin, end, is_repeated in weekly(text, day.weekday()):
                yield 1 + 2 * is_repeated, text[begin:end]
