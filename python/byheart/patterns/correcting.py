"""Corrections in a few words: "No wait, it's Thursday." says of what was just said which value it has instead.

Such a message begins with a word that takes something back, and holds little but a value of the kind that the other
one gives: a time, an amount or a name. Whose statement stands right before it, and in which session, others know.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ..light.expressions import expression
from .asking import asks
from .saying import said

_MOST_WORDS: Final = 6
"""A longer rest says something of its own."""
_MOST_CHARACTERS: Final = 80
_TAKEN_BACK = r"""no|wait|sorry|oops|whoops|actually|i\ mean|i\ meant|my\ mistake|my\ bad|scratch\ that|make\ that
    |correction|nein|doch|quatsch|entschuldigung|ich\ mein(?:te|e)|korrektur|falsch|non
    |pardon|désolée?|je\ voulais\ dire|erreur|en\ fait|je\ me\ suis\ trompée?
    |perdón|perdona|quise\ decir|digo|corrección|me\ equivoqué|en\ realidad|mejor\ dicho
    |scusa(?:mi|te)?|anzi|volevo\ dire|mi\ sono\ sbagliat[oa]|errore|mi\ correggo"""
_JAPANESE: Final = expression(
    "(?:(?:あ|いや|いえ|すみません|ごめん(?:なさい)?|訂正|間違え(?:た|ました)|間違い(?:です|でした)?|違(?:う|います|った))[、。,!！\\s]*)+"
)
_ENDING: Final = expression("(?:でした|です|だった|だよ|だ)?[。!！\\s]*$")
_DENIED: Final = expression(
    r"^(?:not|nicht|pas|non|no)\ (?:[\w:.]+\ ){0,2}?[\w:.]+\s*,\s*(?:but\ |sondern\ |mais\ |sino\ |ma\ )?",
    re.IGNORECASE,
)
_DENIED_JAPANESE: Final = expression("^[^、。]{1,12}(?:じゃなくて|ではなくて?|でなく)[、\\s]*")
"""What is denied before what is right: "not Tuesday, Wednesday"."""
_ADDED: Final = expression(r"^(?:its|it\ is|thats|es\ ist|cest|es)\ ", re.IGNORECASE)


def corrected_value(text: str) -> str | None:
    """Return what a message says behind words that take something back; None if it is no short correction.

    >>> corrected_value("No wait, it's Thursday."), corrected_value("Nein, um 7:21 Uhr."), corrected_value("No, thanks")
    ('Thursday.', 'um 7:21 Uhr.', 'thanks')
    >>> corrected_value("Non, pas mardi, mercredi 22."), corrected_value("間違えた、4412でした。")
    ('mercredi 22.', '4412')
    >>> corrected_value("It's Thursday."), corrected_value("No?"), corrected_value("Notes are on the table.")
    (None, None, None)

    """
    if len(text) > _MOST_CHARACTERS:
        return None
    plain = text.strip().replace("'", "").replace("\u2019", "")
    begins = _begins().match(plain) or (None if text.isascii() else _JAPANESE.match(plain))
    if begins is None or asks(text):
        return None
    rest = _DENIED.sub("", _ADDED.sub("", plain[begins.end() :]))
    if not text.isascii():
        rest = _ENDING.sub("", _DENIED_JAPANESE.sub("", rest))
    says = any(map(str.isalnum, rest)) and len(rest.split()) <= _MOST_WORDS
    return rest if says else None


@lru_cache(maxsize=1)
def _begins() -> re.Pattern[str]:
    form = rf"(?:(?:oh|ah|hm+|uh|um)?[\s,]*(?:{_TAKEN_BACK})\b[\s,.:;!\u2026\u2013-]*)+"
    return expression(form, re.VERBOSE | re.IGNORECASE)


def corrects(newer: str, older: str) -> bool:
    """Return whether a message says in a few words which value something has that an older one speaks of.

    >>> old = "My dentist appointment is on Wednesday at 5pm."
    >>> corrects("No wait, it's Thursday.", old), corrects("No, I walked.", old), corrects("Sorry, 43.", old)
    (True, False, False)

    """
    rest = corrected_value(newer)
    if rest is None or corrected_value(older) is not None:
        return False
    new, old = said(f"it is {rest}"), said(older)
    known = set(old.about)
    own = set(new.about) - new.names - known
    if own:
        return False
    if new.values:
        differs = bool(new.values - old.values)
        return differs and bool((new.times and old.times) or (new.amounts and old.amounts))
    return bool(new.names - known and old.names - set(new.about)) and len(new.names - known) <= 2
