"""Times among values: which of the numbers and words that a statement gives say when, and which how much.

"From 1 April the gym costs 45 euros" gives a time, of which "1" is a part, and an amount. Times of day, days and
months say so by themselves; a number does beside a month, a day or an hour, and in the form of a date. A guess.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from .._core import porter_stem
from ..light.expressions import expression
from .stating import DAYS

MONTHS_TOO: Final = frozenset(
    {"may", "mai", "mayo", "today", "tomorrow", "tonight", "heute", "morgen", "demain", "hoy"}
)
"""Months that are other words, too, and days by their distance."""
_PARTS_SAID = "morning noon afternoon evening night vormittag mittag nachmittag abend matin soir mañana tarde noche"
PARTS_OF_DAY: Final = frozenset(map(porter_stem, _PARTS_SAID.split()))
"""The stems of what says when on a day: "Friday mornings" speaks of no other thing than "Thursday afternoons" does."""
_BY_ITSELF: Final = expression(r"\d+(?::\d\d|h\d*|[\u5e74\u6708\u65e5\u6642\u5206])$|\d+(?:am|pm)$")
_ORDINALS_SAID = "first second third fourth fifth sixth seventh eighth ninth tenth"
_ORDINALS: Final = frozenset(_ORDINALS_SAID.split())
_NUMBER: Final = expression(r"\d+(?:[.:,/-]\d+)*")


def times_of(plain: str, values: frozenset[str]) -> frozenset[str]:
    """Return which of the values of a statement in small letters are times.

    >>> sorted(times_of("the gym costs 45 euros from 1 april", frozenset({"45", "1", "april"})))
    ['1', 'april']
    >>> sorted(times_of("we run postgres 14.9 since 2024", frozenset({"14.9", "2024"})))
    ['2024']

    """
    times = {value for value in values if value in DAYS or value in MONTHS_TOO or _BY_ITSELF.search(value)}
    left = values - times
    if any(value[0].isdecimal() for value in left):
        dated = {number for found in _dates().finditer(plain) for number in _NUMBER.findall(found.group())}
        times.update(left & dated)
    return frozenset(times)


@lru_cache(maxsize=1)
def _dates() -> re.Pattern[str]:
    """Return the pattern of the numbers that say when, with what tells so."""
    days = "|".join(sorted((DAYS - _ORDINALS) | MONTHS_TOO))
    day, year = r"\d{1,2}(?:st|nd|rd|th|er|\.)?", r"(?:19|20)\d\d"
    since = r"(?:on|in|since|until|till|as\ of|am|im|seit|ab|bis|zum|vom|den|le|en|du|depuis|desde|el|hasta)"
    return expression(
        rf"""\b(?:{day}\ (?:(?:of|de)\ )?(?:{days})(?:,?\ (?:de\ )?{year})?
            |(?:{days}),?\ (?:the\ |den\ |le\ )?
                (?:{day}(?!\d|[.:,/-]\d|\ ?[%a-z])|{day}(?=,?\ (?:at|on|in|um|{year})\b))(?:,?\ {year})?
            |(?:{days}),?\ {year}
            |{since}\ (?:the\ |der\ |dem\ )?\d{{1,2}}(?:\.\d{{1,2}}\.(?:\d{{2,4}})?|/\d{{1,2}}(?:/\d{{2,4}})?)(?!\d)
            |\d{{1,2}}[./]\d{{1,2}}[./]{year}|{year}-\d\d(?:-\d\d)?
            |(?:{since}|from(?!\ \S+\ to\b))\ {year}(?![.:,/-]?\d|\ ?[%€$]|\ [a-z]+(?:s|en|ro)\b)
            |(?:the|den|am|zum|le|el)\ \d{{1,2}}(?:st|nd|rd|th|\.)(?!\d)(?=\W*$|\W+(?:at|of|in|and|from|um)\b)
            |\d{{1,2}}(?:\.\d\d)?\ (?:am|pm|uhr|h|heures?|oclock)\b
            |(?:at|um)\ \d{{1,2}}
                (?=\W*$|\W+(?:on|in|today|tomorrow|tonight|now|instead|sharp|from\ now|{days})\b))""",
        re.VERBOSE,
    )
