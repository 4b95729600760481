"""Statements of the present: whether a text states what is so, where another one asks for it, or tells what was.

A stored question has every word of itself, asked again, and holds no answer; and "Last year the standup was at 8" tells
nothing of when it is. A guess, in English and German.
"""

from __future__ import annotations

import re
from typing import Final

from ..light.expressions import expression
from .asking import asks
from .rather import MOST_SAID, Rather
from .unasserted import is_unasserted, may_be_so
from .updating import is_change

_THEN: Final = r"(?:last (?:year|month|summer|winter)|(?:in|until|till|up to) (?:19|20)\d\d|letztes jahr)"
_WAS: Final = (
    r"(?:was|were|had|war|waren|hatte|lived|worked|studied|drove|owned|rented|used|played|shared|wore|weighed|smoked)"
)
_OF_THE_PAST: Final = expression(
    r"\b(?:used to|formerly|back then|years? ago|früher|damals)\b"
    rf"|\b{_THEN}\b.*\b{_WAS}\b|\b{_WAS}\b.*\b{_THEN}\b",
    re.IGNORECASE,
)
_PAST_ASKED: Final = expression(
    r"\b(?:was|were|did|had|ask\w*|before|used to|last|ago|first|original\w*|previous\w*|(?:19|20)\d\d|war|waren"
    r"|hatte\w*|früher|damals|vorher)\b",
    re.IGNORECASE,
)


def may_decide(text: str) -> bool:
    """Return whether a text asks, or tells what was or may be: where none does, no question need be looked at."""
    return len(text) <= MOST_SAID and (is_unasserted(text) or _OF_THE_PAST.search(text) is not None)


def answers_rather(question: str) -> Rather[bool, bool] | None:
    """Return what tells whether a text states what is so now, and another does not; None of what asks for the past.

    >>> rather = answers_rather("Who is my dentist?")
    >>> told, asked = "My dentist is Dr. Salis.", "Who is my dentist?"
    >>> rather(told, asked), rather(asked, told)
    (True, False)
    >>> answers_rather("Who was my dentist before?")

    """
    if not asks(question) or _PAST_ASKED.search(question) is not None or may_be_so(question):
        return None
    return Rather(
        lambda text: None if len(text) > MOST_SAID or may_decide(text) else True,
        lambda text: True if may_decide(text) and (is_unasserted(text) or not is_change(text)) else None,
        lambda one, other: True,
    )
