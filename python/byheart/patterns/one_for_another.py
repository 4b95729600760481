"""One thing for another: what two statements share of which the newer one gives up, switches or renames a thing.

Each is asked where a newer statement may stand in the place of an older one (`replacing`). A guess, as that is.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Final

from ..knowledge import lowered
from ..light.expressions import expression
from .saying import Said, said

_RENAMED: Final = expression("renamed|umbenannt")
_NAMED_ANEW: Final = expression(r"\brenamed (?:to|as|into) ([^\W_][\w-]*(?:\.\w+)*)")
_NAME_SAID: Final = expression(r"\b(?:\w*name[ds]?|called|titled?|hei(?:ß|ss)t|\w*titel|noms?|sappelle|nombre|llama)\b")
_NAME: Final = r"(?:the )?(?=\w*[A-Z\u00c0-\u00de])\w+"
_SWITCHED: Final = expression(
    rf"^\W*(?P<who>[^,.;!?]{{1,60}}?) (?:ha(?:s|ve) )?(?:switched|changed) (?:over )?to {_NAME}"
)
_WITH: Final = expression(rf"\b(?:with|at|for|from|by|via) {_NAME}")


def speak_of_one(new: Said, old: Said) -> frozenset[str]:
    """Return the words by which two statements name whom or what they begin with, if they share nothing else.

    As "Anna Weber moved to Bonn" and "Anna Weber plays the harp": one has moved, and plays the harp all the same.

    >>> sorted(speak_of_one(said("Anna moved to Bonn."), said("Anna plays the harp.")))
    ['anna']
    """
    shared = set(new.about).intersection(old.about)
    pairs = zip(new.about, old.about, strict=False)
    first = frozenset(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return first if shared <= first and first.difference(old.about[:1]) <= old.names else frozenset()


def is_given_up(new: Said, old: Said, asked: Said) -> bool:
    """Return whether a statement gives up a thing that is not asked for, and says as the older one does what is done.

    As "I gave up coffee, I drink matcha now" of "I drink coffee" says what one drinks.

    >>> new, old = said("I gave up coffee, I drink matcha now."), said("I drink coffee.")
    >>> is_given_up(new, old, said("What do I drink?")), is_given_up(new, old, said("Do I drink coffee?"))
    (True, False)
    """
    over = {new.object}.intersection(old.about)
    does = set(new.about).intersection(old.about, asked.about)
    return bool(over and does and not over & set(asked.about) and set(new.about).difference(old.about))


def is_switched(newer: str, older: str) -> bool:
    """Return whether a statement says to whom its subject switched, and an older one with whom it was.

    >>> is_switched("My daughter switched to Ms. Ito.", "My daughter has lessons with Mr. Ek.")
    True
    """
    switched, was = _SWITCHED.search(newer), _WITH.search(older)
    if switched is None or was is None:
        return False
    return set(said(switched["who"]).about) <= set(said(older[: was.start()]).about)


def names_anew(newer: str, older: str) -> bool:
    """Return whether a text says a new name that an older one does not, be it in small letters.

    >>> names_anew("The queue was renamed to tasks.", "The queue is called jobs.")
    True
    """
    named = _NAMED_ANEW.search(lowered(newer))
    return named is not None and named[1] not in lowered(older)


def is_renamed(new: Said, older: str) -> bool:
    """Return whether a statement gives another name to something of which an older one says the name.

    >>> is_renamed(said("The team was renamed to Heron."), "The team is called Magpie.")
    True
    """
    return any(map(_RENAMED.fullmatch, new.changes)) and _NAME_SAID.search(lowered(older)) is not None
