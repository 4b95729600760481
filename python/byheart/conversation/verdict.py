"""The verdict on a message: what the house makes of the gate's score.

The score says how new a text is, and knows few forms of English. So the house has two words of its own. What states
nothing (`byheart.patterns.chatter`) is not kept for good, however new it is; nor is small talk. What states a time, a
number, a name, a preference, a plan, a request, a change or a fact (`byheart.patterns.stating`) is worth what is new,
however low its score, unless one of the nearest durable records says all of it. A statement that says otherwise what
such a record says updates it.

Pure, but for what it is handed: records near the message.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..frozen import copier
from ..patterns.asking import asks_to_keep, sentences, unlabelled
from ..patterns.chatter import chatter, is_small_talk, states
from ..patterns.states import change_in
from ..patterns.stating import stated
from ..patterns.updating import says_more, updates
from ..records import Record
from ..words import Stated
from .gate import Gate, GateSettings

MOST_UPDATED = 4
"""A statement without a word of change that would update more records is one of a form, and updates none."""


def judged(found: Gate, text: str, settings: GateSettings, near: Callable[[], Sequence[Record]]) -> Gate:
    """Return what the gate found, with the word of the house.

    Args:
        found: what the gate said.
        text: the message.
        settings: whether chatter is kept, and statements whatever their score.
        near: gives the durable records nearest to the message; asked only if they decide.

    """
    asked = found.turned_down is not None
    if asked and not (found.turned_down == "question" and asks_to_keep(text)):
        return found
    if not settings.keeps_chatter and is_chatter(text):
        return _with(found, {"turned_down": "chatter", "stated": ()})
    shown = stated(text) or (("request",) if asked else ("change",) if change_in(text) is not None else ())
    if not shown and not settings.keeps_chatter and is_small_talk(unlabelled(text)):
        return _with(found, {"turned_down": "chatter", "stated": ()})
    if not settings.keeps_statements or (
        shown and found.score < found.threshold and not all(says_more(text, each.text) for each in near())
    ):
        shown = ()  # it is known
    return _with(found, {"turned_down": None, "stated": shown}) if asked or shown else found


_with = copier(Gate)


def is_chatter(text: str) -> bool:
    """Return whether each sentence of a message is chatter, or asks, or replies, and one at least is chatter.

    >>> is_chatter("Wow, that's great! Is it far?"), is_chatter("Is it far?"), is_chatter("Bo: Haha. I am vegan.")
    (True, False, False)

    """
    text = unlabelled(text)
    if chatter(text) is not None:
        return True
    found = False
    for part in sentences(text):
        if chatter(part) is not None:
            found = True
        elif states(part):
            return False
    return found


def updated(newer: Record, near: Sequence[Record], shown: Sequence[Stated]) -> list[Record]:
    """Return which of the records near a message it says otherwise; `shown` is what the message states."""
    found = [
        each
        for each in near
        if each.text != newer.text
        and (
            updates(each.text, newer.text)
            if (each.created_at or 0.0) > (newer.created_at or 0.0)
            else updates(newer.text, each.text)
        )
    ]
    return found if "change" in shown or len(found) <= MOST_UPDATED else []
