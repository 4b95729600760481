"""Places and people of a statement: whether it says where something is, and of what kin and friends it speaks."""

from __future__ import annotations

import re
from typing import Final

from .stating import DAYS, NUMBER_WORDS

_AT: Final = re.compile(
    r"\b(?:in|at|on|from|behind|under|near|next\ to|beside|inside|outside|above|below|opposite"
    r"|im|am|an|auf|bei|beim|aus|unter|neben|hinter|vor|dans|à|au|chez|sous|sur|en|desde)\ "
    r"(?:(?:the|a|an|my|our|your|his|her|their|der|dem|den|die|das|einem|einer|mein\w*|unser\w*|la|le|les|l|el|mi)\ )*"
    r"(?P<what>\w[\w:.,'\u2019/-]*)(?P<rest>(?:\ (?-i:[A-Z])\w*)?)",
    re.VERBOSE | re.IGNORECASE,
)
_NAMED: Final = re.compile(r"\ [A-Z]")
_JAPANESE: Final = re.compile(r"[\u4e00-\u9fff\u30a0-\u30ff](?:で|に(?!変更))|室|駅|館|店")
_TIMES_SAID = """time date day days week month year morning afternoon evening night noon midnight fine hold off
    average total general fact order case least most all once first last uhr vormittag nachmittag
    abend mittag janvier summer winter spring autumn fall sommer winter"""
_NO_PLACE: Final = frozenset(_TIMES_SAID.split())
_MONTHS_SAID = """january february march april june july august september october november december jan feb mar apr
    jun jul aug sep sept oct nov dec januar februar märz juni juli oktober dezember février avril
    juin juillet août septembre octobre novembre décembre enero febrero marzo abril mayo junio julio
    agosto septiembre octubre noviembre diciembre may mai"""
MONTHS: Final = frozenset(_MONTHS_SAID.split())
_PEOPLE: Final = re.compile(
    r"\b(?P<who>sister|brother|mother|mom|mum|father|dad|wife|husband|partner|son|daughter|aunt|uncle|cousin|niece|nephew"
    r"|grand(?:ma|pa|mother|father|son|daughter)|boss|landlord|landlady|friend|colleague|neighbou?r|roommate|flatmate"
    r"|girlfriend|boyfriend|fiancée?|schwester|bruder|mutter|vater|frau|mann|sohn|tochter|tante|onkel|chef|vermieter"
    r"|freund|nachbar|kolleg|sœur|frère|mère|père|hermana|hermano|madre|padre)(?:s|in|e|en)?\b",
    re.IGNORECASE,
)


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


def _is_a_time(word: str, rest: str) -> bool:
    if word[:1].isdigit():  # a time or a date, unless a name stands behind it: "5 Mill Lane"
        return _NAMED.match(rest) is None or rest.strip().lower() in MONTHS | {"uhr", "am", "pm"}
    return word in _NO_PLACE or word in MONTHS or word in DAYS or word.removesuffix("s") in DAYS or word in NUMBER_WORDS


def people(text: str) -> frozenset[str]:
    """Return the kin, friends and neighbours of which a text speaks.

    >>> sorted(people("My sister and her boss moved."))
    ['boss', 'sister']
    """
    return frozenset(each["who"].lower() for each in _PEOPLE.finditer(text))
