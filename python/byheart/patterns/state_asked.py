"""States that are asked for: whether a question asks for a state that has changed, or for a detail that one text says.

"I sold the Gazelle" answers "Which bike do I have?", and not "What is its frame number?": what is gone had details,
which the older statement alone gives.
"""

from __future__ import annotations

import re
from typing import Final

from ..knowledge import lowered
from ..light.expressions import expression
from .saying import said, stems
from .state_forms import STATES, THING
from .states import WORD, changed_by
from .updating import MOST_CHARACTERS

_MOST_SHORT: Final = 8  # words: so short a statement says its state, and nothing beside
_BESIDE: Final = expression(
    r"[,;:(]|\b(?:with|and|that|which|who|mit|und|avec|et|qui|con|y|que)\b"
    r"|\b(?:has|have|had|lies|stands|hat|haben|liegt|steht)\b(?!\ (?:an?|two|three|eine?n?)\ )",
    re.IGNORECASE | re.VERBOSE,
)
"""Behind one of these a statement says more than its state."""
_WHERE_IT_IS: Final = expression(
    r"\b(?:\w+ed\ )?(?:at|in|on|by|under|from|behind|near|until|for|bei|beim|im|am|auf|chez|dans|en)\b", re.VERBOSE
)
_HOW_IT_IS: Final = expression(
    r"\bhow\ (?:big|long|old|large|heavy|tall|fast|high|wide|far|deep|strong|loud)\b"
    r"|\b(?:what|which)\ (?:colou?r|size)\b"
    r"|\bwie\ (?:gro(?:ß|ss)|lang|alt|schwer|schnell|hoch|breit|weit)\b|\bwelche\ (?:farbe|größe)\b"
    r"|\bde\ quelle\ (?:couleur|taille)\b|\bde\ qué\ (?:color|tamaño)\b",
    re.VERBOSE,
)
_HAVING: Final = expression(
    r"\b(?:have|own|drive|ride|hast|habe|haben|besitze|besitzen|fahre|fahren|avons|tengo|tenemos|ho|abbiamo|tenho|temos)\b"
)
_SOLD: Final = frozenset({"sold"})


def asks_for_state(newer: str, older: str, question: str) -> bool:
    """Return whether a question that an older statement answers asks for the state that a newer one changes.

    >>> old, new = "I live in Solna with my two cats, Miso and Momo.", "I moved to Uppsala."
    >>> asks_for_state(new, old, "Where do I live?"), asks_for_state(new, old, "How many cats do I have?")
    (True, False)
    >>> asks_for_state(new, "I live in Solna, postcode 169 33.", "What is my postcode?")
    False
    """
    both = changed_by(newer, older)
    if both is None or asks_for_detail(newer, older, question):
        return False
    new, old = both
    asked = set(WORD.findall(lowered(question)))
    if new.name != THING and not asked.isdisjoint(WORD.findall(old.said[0])) and len(WORD.findall(old.said[0])) == 1:
        return False  # it names what was
    known = old.said if new.name == THING else STATES[new.name].words.split()
    is_had = new.name == THING and _HAVING.search(lowered(question)) is not None
    return is_had or not asked.isdisjoint(known) or len(WORD.findall(older)) <= _MOST_SHORT


def asks_for_detail(newer: str, older: str, question: str) -> bool:
    """Return whether a question asks for what an older text alone says beside a state that a newer one changes.

    That is a word behind the state, as the plate of a car, or how a thing is that is gone: its size, its colour.

    >>> old, new = "We drive a blue Skoda, licence plate B-KM 4711.", "We sold the Skoda."
    >>> asks_for_detail(new, old, "What is our licence plate?"), asks_for_detail(new, old, "What do we drive?")
    (True, False)
    >>> asks_for_detail("We sold the flat in Graz.", "The flat in Graz has a cellar.", "Does it have a cellar?")
    True
    """
    if max(len(newer), len(older)) > MOST_CHARACTERS:
        return False
    both = changed_by(newer, older)
    if both is None and said(newer).changes.isdisjoint(_SOLD):
        return False
    is_thing = both is None or both[0].name == THING
    if is_thing and _HOW_IT_IS.search(lowered(question)):
        return True
    asked = set(said(question[:MOST_CHARACTERS]).about)
    ends = [
        found.start() for found in (_BESIDE.search(older), _WHERE_IT_IS.search(older) if is_thing else None) if found
    ]
    theirs = said(older[min(ends) :]).about if ends else ()
    return not asked.isdisjoint(set(theirs).difference(stems(newer)))
