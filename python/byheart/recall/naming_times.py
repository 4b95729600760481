"""The records that name the time which a question names: "The plumber comes on Friday." for "What is on Friday?"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ..light.expressions import expression
from ..patterns.calendar_days_said import days_said
from ..patterns.calendar_words import MONTHS, WEEKDAYS
from ..ranking.candidates import RowKey
from ..ranking.dates import Period, periods
from ..ranking.near_rows import said_last
from ..ranking.time_feasts import FEAST
from ..ranking.time_forms import SEASONS
from ..records import Record

if TYPE_CHECKING:
    from .queries import Queries


def asks_for_the_past(question: str) -> bool:
    """Return whether a question asks what was; one that does not say so does, too.

    >>> [asks_for_the_past(text) for text in ("What did we do in July?", "July 2024", "Where are we in July?")]
    [True, True, False]
    >>> [asks_for_the_past(text) for text in ("Was ist gestern passiert?", "Was habe ich am Montag?")]
    [True, False]
    """
    said = question.lower().replace("\u2019", "'")
    past, present = _tenses()
    return past.search(said) is not None or present.search(said) is None


_GERMAN_IS: Final = "hab|hast|hat|ist|sind|bin|steh|gib|mach|komm|lieg|läuft|muss|müss|soll|kann|könn|wird|werd|geh"
"""What German says behind its "was", which is "what"."""


@lru_cache(maxsize=1)
def _tenses() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of words that ask what was, and of those that ask what is or will be."""
    return (
        expression(
            rf"\b(?:did|was(?! (?:{_GERMAN_IS})\w*\b)|were|had|been|happened|went|said|told|wrote|written|noted"
            r"|recorded|discussed|talked|spoke|done"
            r"|gab|war|waren|hatte[nt]?|fait|était|passé|hicimos|hizo|pasó|ocurrió"
            r"|(?:habe[nt]?|hast|hat|ist|sind|bin)\b(?=.*\b(?:ge\w{3,}|(?:be|ver|er|ent)\w{3,}|\w{3,}ier)(?:t|en)\b))\b"
        ),
        expression(
            r"\b(?:is|are|am|will|do|does|have|has|going|shall|can|anything|something|up"
            r"|ist|sind|bin|habe[nt]?|hast|hat|werden|wird|gibt|est|sont|ai|avons|hay|es|son|tengo|tenemos|ho|abbiamo|sono)\b|'(?:s|re|m|ll)\b"
        ),
    )


def naming_rows(
    rows: Sequence[RowKey], named: Sequence[Period], queries: Queries, *, relative: bool = False
) -> list[RowKey]:
    """Return those rows whose records have all words of one of some times, in order.

    Args:
        rows: which have some of the words.
        named: the times.
        queries: what the legs were asked.
        relative: whether those count that depend on the day on which they are said, as "last Friday": of what says
            such a time that one which it was on its own day.

    """
    analyzer = queries.sources.partition.settings.analyzer
    saying = queries.question.saying  # who says a day of a month: its number stands beside other months, too
    numbered = [any(day.day is not None for *_, day in days_said(period.words)) for period in named]
    said_so = [period for period, is_day in zip(named, numbered, strict=True) if not is_day]
    wanted = [
        (set(analyzer.terms(period.words)), None if is_absolute else period)
        for period in said_so
        if (is_absolute := _is_absolute(period.words)) or relative
    ]
    if not rows or not (wanted or saying):
        return []
    records = queries.sources.read(rows)
    texts = ["" if record is None else " ".join(record.indexed().values()) for record in records]

    def says(text: str, record: Record | None) -> bool:
        terms = set(analyzer.terms(text))
        return any(each and each <= terms and _is_then(text, record, period) for each, period in wanted)

    named_so = [
        (row, record)
        for row, text, record in zip(rows, texts, records, strict=True)
        if row in saying or says(text, record)
    ]
    moved = _moved([record for _, record in named_so if record is not None], queries)
    return [row for row, record in named_so if record is None or record.id not in moved]


def _last(record: Record) -> float:
    return said_last(record.seen_at, record.created_at)


def _moved(records: Sequence[Record], queries: Queries) -> set[str]:
    """Return the ids of those records of which a later one that is linked with them says that it is at another time."""
    linked = {id for record in records for id in record.near_duplicates}
    if not linked:
        return set()
    from ..patterns.saying import said  # compiled where records are linked
    from ..patterns.updating import updates

    rows = queries.rows_named(linked)
    others = dict(zip(rows, queries.sources.read(list(rows.values())), strict=True))

    def is_moved(record: Record, other: Record | None) -> bool:
        if other is None or _last(other) <= _last(record):
            return False
        return bool(said(other.text).times) and updates(other.text, record.text)

    return {
        record.id or "" for record in records if any(is_moved(record, others.get(id)) for id in record.near_duplicates)
    }


def _is_then(text: str, record: Record | None, asked: Period | None) -> bool:
    """Return whether a text may speak of a time: what said "yesterday" a year ago says nothing of yesterday."""
    at = None if record is None else record.created_at
    if asked is None or at is None:
        return True
    return any(asked.start < told.end and told.start < asked.end for told in periods(text, at))


def _is_absolute(words: str) -> bool:
    names, leads = _named()
    return not leads.sub("", names.sub("", words)).strip() and names.search(words) is not None


@lru_cache(maxsize=1)
def _named() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of what names a time whoever says it, and when, no "last", "today" or "ago"; and of leads."""
    names = "|".join((*MONTHS, *WEEKDAYS, *SEASONS))
    return (
        expression(rf"(?<!\w)(?:{FEAST}|{names}|\d{{1,4}}(?:st|nd|rd|th|\.)?)(?!\w)"),
        expression(
            r"(?<!\w)(?:in|on|of|during|around|the|early|late|mid|at|year|im|am|en|el|le|la|de|du|au)(?!\w)|[,.]"
        ),
    )
