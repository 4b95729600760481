"""Numbers of a text that are no amounts: times, stretches of time, ages, and those that are part of a name."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ..light.expressions import expression
from .calendar_words import MONTHS, SHORT_MONTHS
from .listed_words import ListedWords
from .stating import NUMBER_WORDS

_MONTH: Final = "|".join(sorted({*MONTHS, *(month for month in SHORT_MONTHS if month)}, key=len, reverse=True))
WORDS: Final = "|".join(sorted(NUMBER_WORDS | {"one", "zero"}))
_DIGIT: Final = expression(r"\d")
"""No date, time of day or number of a thing is without one, and to look for one takes a hundredth of the time."""
_DATES: Final = expression(
    rf"""\b(?:\d{{1,2}}(?:st|nd|rd|th|\.)?\ (?:of\ )?(?:{_MONTH})\b(?:,?\ \d{{4}})?
        |(?:{_MONTH})\.?\ \d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\ \d{{4}})?
        |(?:{_MONTH})\ \d{{4}}\b|(?:in|since|until|of)\ (?:19|20)\d\d\b
        |\d{{4}}-\d\d-\d\d|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}})""",
    re.VERBOSE | re.IGNORECASE,
)
_CLOCK: Final = expression(
    r"""\b(?:\d{1,2}:\d\d(?:\ ?[ap]m)?\b|\d{1,2}\.\d\d\ ?(?:[ap]m|uhr|h)\b
        |(?:at|by|until|till|um|bis|before|after|from|about|around|the|-)\ ?(?:[01]?\d|2[0-4])\.[0-5]\d\b
            (?!\ (?:an?|per|each)\ )
        |\d{1,2}(?:\ ?[ap]m\b|\ o.?clock\b|\ uhr\b|\ h\b)
        |(?:at|by|until|um)\ (?:[01]?\d|2[0-4])(?=\W*$|[,;]|\ (?:on|in)\b))""",
    re.VERBOSE | re.IGNORECASE,
)
"""With a point, hours and minutes stand behind such a word: "cake 24.50" is a price."""
_LABELLED: Final = expression(
    r"(?i:\b(?:size|version|room|gate|platform|seat|row|floor|chapter|page|line|grade|class|no\.?)\ \d+)"
    r"(?!\d|\ ?(?:m\u00b2|m2|sqm|qm|sq)(?!\w))"
    r"|(?<=\w\ )(?P<of>[A-Z]\w*)\ \d+(?!\d*[.,]?\d*\ ?(?:[%€$£]|euros?\b|dollars?\b|pounds?\b))"
)
_SPANS: Final = ListedWords(
    rf"\b(?:\d+|{WORDS}|half)[ -](?:(?!an? |per )\w+ )?(?:second|minute|hour|day|night|week|month|year)s?\b"
    rf"|\bturn(?:s|ed|ing)? (?:\d+|(?:{WORDS})(?:-\w+)?)",
    WORDS,
    re.IGNORECASE,
)


def plain_numbers(text: str, asked: frozenset[str] = frozenset()) -> str:
    """Return a text without the numbers that are times, stretches of time and ages, or the number of a thing.

    Behind a name that is `asked` about stands no number of a thing: "how much do I owe Marc?", "I owe Marc 200".

    >>> plain_numbers("She wears size 38 and comes at 10, for 20 euros.")
    'She wears   and comes  , for 20 euros.'
    >>> plain_numbers("I owe Marc 200, at 10.20."), plain_numbers("I owe Marc 200.", frozenset({"marc"}))
    ('I owe  ,  .', 'I owe Marc 200.')
    """
    left = without_moments(text)
    if _DIGIT.search(left) is None:
        return left
    return _LABELLED.sub(lambda found: found[0] if (found["of"] or "").lower() in asked else " ", left)


@lru_cache(maxsize=1024)  # the same texts are looked at again and again
def without_dates(text: str) -> str:
    """Return a text without the numbers that are dates."""
    return text if _DIGIT.search(text) is None else _DATES.sub(" ", text)


@lru_cache(maxsize=1024)
def without_moments(text: str) -> str:
    """Return a text without the numbers that are dates, times of day and stretches of time."""
    left = without_dates(text)
    return _SPANS.sub(" ", left if _DIGIT.search(left) is None else _CLOCK.sub(" ", left))


def without_labels(text: str) -> str:
    """Return a text without the numbers that are part of a name."""
    return text if _DIGIT.search(text) is None else _LABELLED.sub(" ", text)
