"""Exchanges that name both sides: "moved from src/a.py to src/b.py", "raised from 24 to 72", "x was renamed y"."""

from __future__ import annotations

import re
from typing import Final

from ..light.expressions import expression
from .saying import said

_CHANGED: Final = r"""(?:moved?s?|moving|raised?|changed?|switched|upgraded|downgraded|bumped|lowered|increased|reduced
    |dropped|went|migrated|cut|grew|rose|fell|extended|shortened|swapped|replaced|verschoben|verlegt|erhöht|gesenkt|geändert
    |gewechselt|umgestellt|umgezogen|gestiegen|gesunken|passée?s?|déplacée?s?|augmentée?s?|cambi\w+|movid[oa]
    |subid[oa]|spostat[oa]|passat[oa]|aumentat[oa])"""
_FROM_TO: Final = expression(
    rf"\b{_CHANGED}\s+(?:\S+\s+){{0,4}}?(?:from|von|vom|de|da)\s+(?P<gone>\S+(?:\s\S+){{0,2}}?)"
    r"\s+(?:to|into|auf|nach|zu|à|a)\s+(?P<come>\S+)",
    re.VERBOSE | re.IGNORECASE,
)
_RENAMED: Final = expression(
    r"(?P<gone>\S+)\s+(?:is|was|has\ been|got)\s+(?:now\s+)?(?:renamed|called)\s+(?:to\s+|as\s+|into\s+)?(?P<come>\S+)",
    re.VERBOSE | re.IGNORECASE,
)
_WHO: Final = expression(r"\b(?:who|whom|whose|wer|wen|wem|qui|quién|quien|chi)\b|誰", re.IGNORECASE)
_HOW_MUCH: Final = expression(
    r"\b(?:when|what time|how (?:many|much|long|often|old|far|high|big|large)|wann"
    r"|wie (?:viele?|oft|lange|alt|hoch|weit)|quand|combien|cuándo|cuánt[oa]s?|quando|quant[oaie])\b",
    re.IGNORECASE,
)
_AROUND: Final = ".,;:!?`'\"()[]{}"
_MOST: Final = 400  # characters: a longer text says many things


def is_exchanged(newer: str, older: str, question: str) -> bool:
    """Return whether a text says that what an older one gives was exchanged for something, of the same thing.

    A question that names what was given up asks for the older one.

    >>> new, old = "parse() moved from src/a.py to src/b.py.", "parse() lives in src/a.py."
    >>> is_exchanged(new, old, "Where does parse() live?"), is_exchanged(new, old, "What is in src/a.py?")
    (True, False)
    >>> is_exchanged("The call moved from 3 to 4 pm.", "Leo has 3 cats.", "How many cats has Leo?")
    False
    """
    if len(newer) > _MOST or len(older) > _MOST or _WHO.search(question) is not None:
        return False
    in_figures = _HOW_MUCH.search(question) is not None
    for form in (_FROM_TO, _RENAMED):
        for found in form.finditer(newer):
            gone, come = (found[side].strip(_AROUND).lower() for side in ("gone", "come"))
            if in_figures and not (any(map(str.isdigit, gone)) and any(map(str.isdigit, come))):
                continue
            if not (gone and come) or not _holds(older, gone) or _holds(older, come) or _holds(question, gone):
                continue
            both = set(said(f"{gone} {come}").about)
            about, known = set(said(newer).about) - both, set(said(older).about) - both
            if about & known & set(said(question).about):
                return True
    return False


def _holds(text: str, words: str) -> bool:
    return re.search(rf"(?<![\w/.-]){re.escape(words)}(?![\w/-]|\.\w)", text.lower()) is not None
