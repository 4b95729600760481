"""Echoes: whether an assistant's turn says nothing of what a question asks for that a user's turn does not say itself.

"Noted: dentist appointment." has every word of "When is my dentist appointment?", and answers nothing. In English.
"""

from __future__ import annotations

import re
from typing import Final

from .._core import porter_stem
from ..light.expressions import expression
from .saying import said
from .updating import MOST_CHARACTERS

_POLITE_SAID: Final = """noted note got great wonderful good nice lovely awesome fantastic perfect excellent amazing
    congratulations congrats tell thank thanks sure sorry hear hope glad happy luck enjoy well done sounds sound like
    interesting remember remind shall should want know let help ok okay understood understand exciting keep mind saved
    add added list would could may see right done welcome love best wishes fingers crossed take care"""
_NOTES: Final = expression(
    r"\W*(?:(?:ok(?:ay)?|sure|alright|great|thanks?|perfect)\b\W*)?(?:noted|got\ it|understood)\b",
    re.IGNORECASE | re.VERBOSE,
)
"""How an assistant begins that takes down what it was told: what it says is "done" may have been changed."""
_POLITE: Final = frozenset(map(porter_stem, _POLITE_SAID.split()))
"""Stems of what an assistant says of anything."""


def says_less(echo: str, own: str, question: str) -> bool:
    """Return whether one text adds to a question's words but courtesies, or what another one says, which says more.

    >>> told, asked = "My dentist is Dr. Weber, on 19 March at 10:30.", "When is my dentist appointment?"
    >>> says_less("Noted: dentist appointment.", told, asked), says_less("Weber's practice is closed.", told, asked)
    (True, False)
    >>> own, asked = "The wedding is on 6 September.", "When is the wedding?"
    >>> says_less("Okay, noted: wedding on 5 September.", own, asked), says_less("Done: wedding on 5 May.", own, asked)
    (True, False)
    """
    asked, mine, other = said(question[:MOST_CHARACTERS]), said(own), said(echo)
    known = {*asked.about, *asked.values}
    told, heard = {*mine.about, *mine.values} - known, {*other.about, *other.values} - known
    if _NOTES.match(echo) is not None and mine.values - other.values:
        heard -= other.values - mine.values  # who takes down what was said takes it down wrongly at times
    return bool(told - heard) and heard <= told | _POLITE
