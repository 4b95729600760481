"""Things of their own: whether a text speaks of a thing by one word more than a question does, and of another one.

"My work phone number is 555-9876" is no answer to "What is my phone number?" where "My phone number is 555-1234" says
it plainly, and makes nothing of that an older number. A guess, in English and German: what stands between "my", "the"
or the like and the thing, and says neither that it is new nor is asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from re import Match
from typing import Final

from .._core import porter_stem
from ..knowledge import lowered
from ..light.expressions import expression
from .rather import MOST_SAID, Rather
from .saying import SMALL, said
from .stating import DAYS, NUMBER_WORDS
from .updating import MOST_CHARACTERS

_BEGINS: Final = (
    r"(?:my|our|the|an?|his|her|their|your|new|mein\w*|unser\w*|de[rmns]|die|das|eine?[rmns]?|neue?[rsnm]?"
    r"|[\w-]+'s)"
)
_RUN: Final = expression(rf"\b{_BEGINS}\ (?=(?P<words>[\w'-]+(?:\ [\w'-]+){{0,3}}))")
_IS: Final = expression(
    r"\W*(?:my|our|the|mein\w*|unser\w*|der|die|das|[\w-]+'s)\ (?P<words>[\w'-]+(?:\ [\w'-]+){0,2}?)"
    r"\ ?(?:\b(?:is|are|was|were|ist|sind|war|heißt|lautet)\b|[:=])"
)
_NEW_SAID: Final = """new newest latest current present actual own old former main real whole first last next usual
    favorite favourite neu neue neuen neuer neues aktuelle aktueller aktuelles aktuellen alte alter altes alten eigene
    eigener"""
_NEW: Final = frozenset(_NEW_SAID.split())
_SAYING_WHEN: Final = SMALL | DAYS | NUMBER_WORDS | _NEW
"""These tell one thing from its like by no more than when, or whose, it is."""


def qualifies(text: str, asked: Collection[str], known: Collection[str] = ()) -> bool:
    """Return whether a text speaks of what is asked for as of another thing, by a word before it that nobody asks for.

    Args:
        text: what is said.
        asked: the stems of what is asked for.
        known: those of what an older text says, which tell nothing apart.

    >>> qualifies("My work phone is a Pixel.", {"phone"}), qualifies("My new phone is a Pixel.", {"phone"})
    (True, False)

    """
    return any(word not in asked and word not in known for run in _before(text, asked) for word in run)


@lru_cache(maxsize=16)
def answers_rather(question: str) -> Rather[frozenset[str], frozenset[str]] | None:
    """Return what tells whether a text says plainly what a thing is, and another speaks of one of its like; or None.

    >>> rather = answers_rather("What is my phone number?")
    >>> rather("My phone number is 555-1234.", "My work phone number is 555-9876.")
    True
    >>> answers_rather("What is my work phone number?")("My phone number is 555-1234.", "My work phone number is 1.")
    False

    """
    asked = frozenset(said(question[:MOST_CHARACTERS]).about)
    if not asked or _RUN.search(lowered(question)) is None:
        return None

    def plainly(one: str) -> frozenset[str] | None:
        found = _IS.match(lowered(one)) if len(one) <= MOST_SAID else None
        if found is None:
            return None
        words = {porter_stem(word) for word in _words(found) if word not in _SAYING_WHEN}
        return asked.intersection(said(one).about) if words and words <= asked else None

    def of_its_own(other: str) -> frozenset[str] | None:
        if len(other) > MOST_SAID or not qualifies(other, asked):
            return None
        return asked.intersection(said(other).about)

    return Rather(plainly, of_its_own, lambda own, theirs: theirs <= own)


@lru_cache(maxsize=2048)  # the same texts are found again and again
def may_decide(text: str) -> bool:
    """Return whether a text says plainly what something is: where none does, no question need be looked at."""
    return len(text) <= MOST_SAID and _IS.match(lowered(text)) is not None


def _words(found: Match[str]) -> list[str]:
    """Return the words of a run, those with a hyphen as two: so a statement has them."""
    return found["words"].replace("-", " ").split()


def _before(text: str, asked: Collection[str]) -> Iterator[list[str]]:
    """Yield the stems of the words that stand between "my" or the like and what is asked for."""
    for found in _RUN.finditer(lowered(text.replace("\u2019", "'"))):
        before = list[str]()
        for word in _words(found):
            stem = porter_stem(word.removesuffix("'s"))
            if stem in asked:
                yield before
            if stem in asked or word.endswith("ed") or (word in SMALL and word not in _NEW):
                break  # a verb or another "my" parts what stands before it from what is asked for
            if word not in _SAYING_WHEN:
                before.append(stem)
