"""Opposite ways: whether a text speaks of the way to a place where a question asks for the way from it, and the like.

"The train from Rome" has all words of "the train to Rome" that an index keeps. So of two texts that speak of what a
question names behind "to", "before" or "with", the one that has the contrary of that word there goes behind. A guess,
in English and German.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from .._core import porter_stem
from ..light.expressions import expression
from .rather import MOST_SAID, Rather
from .saying import SMALL

_PAIRS: Final = (
    ("to", "from"), ("into", "from"), ("before", "after"), ("with", "without"), ("above", "below"),
    ("inside", "outside"), ("nach", "von"), ("nach", "aus"), ("zu", "von"), ("vor", "nach"), ("mit", "ohne"),
)  # fmt: skip
_CONTRARY: Final = {
    one: frozenset(other for pair in _PAIRS for other in pair if one in pair and other != one)
    for one in {word for pair in _PAIRS for word in pair}
}
_DETERMINER: Final = r"(?:(?:the|an?|my|our|his|her|their|de[rmn]|mein\w*)\ )?"
_BEHIND: Final = expression(rf"\b(?P<way>{'|'.join(sorted(_CONTRARY))})\ {_DETERMINER}(?P<what>[\w-]+)")


def may_decide(text: str) -> bool:
    """Return whether a text says a way: where none does, no question need be looked at."""
    return len(text) <= MOST_SAID and bool(_ways(text))


@lru_cache(maxsize=16)
def answers_rather(question: str) -> Rather[bool, bool] | None:
    """Return what tells whether a text says the way that a question asks for, and another the contrary; or None.

    >>> rather = answers_rather("When does the train to Rome leave?")
    >>> rather("The train to Rome leaves at 9.", "The train from Rome leaves at 17.")
    True
    >>> answers_rather("When does the train leave?")

    """
    asked = _ways(question)
    if not asked:
        return None

    def same(text: str) -> bool | None:
        ways = _ways(text)
        return True if any(asked[what] & ways.get(what, frozenset()) for what in asked) else None

    def contrary(text: str) -> bool | None:
        ways = _ways(text)
        return (
            True
            if same(text) is None and any(_are_contrary(asked[what], ways.get(what, ())) for what in asked)
            else None
        )

    return Rather(same, contrary, lambda one, other: True)


def _are_contrary(asked: frozenset[str], said: frozenset[str] | tuple[()]) -> bool:
    return any(not _CONTRARY[way].isdisjoint(said) for way in asked)


@lru_cache(maxsize=2048)  # the same texts are found again and again
def _ways(text: str) -> Mapping[str, frozenset[str]]:
    """Return the stems of what stands behind words of a way, each with those words."""
    found: dict[str, set[str]] = {}
    for each in _BEHIND.finditer(text.lower()):
        if each["what"] not in SMALL:
            found.setdefault(porter_stem(each["what"]), set()).add(each["way"])
    return {what: frozenset(ways) for what, ways in found.items()}
