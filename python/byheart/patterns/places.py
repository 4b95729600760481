"""Places and people of a statement: whether it says where something is, and of what kin and friends it speaks."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ..light.expressions import expression
from .calendar_words import MONTHS, SHORT_MONTHS
from .listed_words import words_in
from .stating import DAYS, NUMBER_WORDS

_AT: Final = expression(
    r"\b(?:in|at|on|from|behind|under|near|next\ to|beside|inside|outside|above|below|opposite"
    r"|im|am|an|auf|bei|beim|aus|unter|neben|hinter|vor|dans|à|au|chez|sous|sur|en|desde)\ "
    r"(?:(?:the|a|an|my|our|your|his|her|their|der|dem|den|die|das|einem|einer|mein\w*|unser\w*|la|le|les|l|el|mi)\ )*"
    r"(?P<what>\w[\w:.,'\u2019/-]*)(?P<rest>(?:\ (?-i:[A-Z])\w*)?)",
    re.VERBOSE | re.IGNORECASE,
)
_NAMED: Final = expression(r"\ [A-Z]")
_JAPANESE: Final = expression(r"[\u4e00-\u9fff\u30a0-\u30ff](?:で|に(?!変更))|室|駅|館|店")
_TIMES_SAID = """time date day days week month year morning afternoon evening night noon midnight fine hold off
    moment present average total general fact order case least most all once first last uhr vormittag nachmittag
    abend mittag janvier summer winter spring autumn fall sommer winter
    mess fire trouble hurry tears strike sale use risk pain love debt demand progress"""
_NO_PLACE: Final = frozenset(_TIMES_SAID.split())
_MONTHS: Final = frozenset(MONTHS) | frozenset(SHORT_MONTHS)
_BEHIND_A_NUMBER: Final = _MONTHS | {"uhr", "am", "pm"}
_KIN_SAID = """sister brother mother mom mum father dad wife husband partner son daughter aunt uncle cousin niece nephew
    grandma grandpa grandmother grandfather grandson granddaughter boss landlord landlady friend colleague neighbour
    neighbor roommate flatmate girlfriend boyfriend fiancée fiancé schwester bruder mutter vater frau mann sohn tochter
    tante onkel chef vermieter freund nachbar kolleg sœur frère mère père hermana hermano madre padre"""
KIN: Final = f"(?P<who>{'|'.join(_KIN_SAID.split())})"
"""Words for kin, friends and neighbours, as a pattern in small letters."""
_FORMS: Final = {kin + end: kin for end in ("s", "in", "e", "en", "") for kin in _KIN_SAID.split()}
"""Those words by the forms in which they are said."""


@lru_cache(maxsize=2048)  # the same texts are found again and again
def gives_a_place(text: str) -> bool:
    """Return whether a statement says where something is, by a word such as "in" before what is no time.

    >>> gives_a_place("It is in hall B."), gives_a_place("It is on 3 May at 10:00.")
    (True, False)
    >>> gives_a_place("I live at 5 Mill Lane."), gives_a_place("Der Termin ist am Montag in der Aula.")
    (True, True)

    """
    if _JAPANESE.search(text):
        return True
    return any(not _is_a_time(each["what"].lower().strip(".,:'\u2019"), each["rest"]) for each in _AT.finditer(text))


def place_nouns(text: str) -> frozenset[str]:
    """Return the words that stand first in the places of a statement, in small letters.

    >>> sorted(place_nouns("The workshop is in hall B, at noon.")), sorted(place_nouns("It is on Monday."))
    (['hall'], [])
    """
    said = ((each["what"].lower().strip(".,:'\u2019"), each["rest"]) for each in _AT.finditer(text))
    return frozenset(word for word, rest in said if not _is_a_time(word, rest))


def _is_a_time(word: str, rest: str) -> bool:
    if word[:1].isdigit():  # a time or a date, unless a name stands behind it: "5 Mill Lane"
        return _NAMED.match(rest) is None or rest.strip().lower() in _BEHIND_A_NUMBER
    return (
        word in _NO_PLACE or word in _MONTHS or word in DAYS or word.removesuffix("s") in DAYS or word in NUMBER_WORDS
    )


def people(text: str) -> frozenset[str]:
    """Return the kin, friends and neighbours of which a text speaks.

    >>> sorted(people("My sister and her boss moved."))
    ['boss', 'sister']
    """
    return frozenset(_FORMS[form] for form in _FORMS.keys() & words_in(text))
