"""Doers: whether a text says that the one whom a question asks about does something to the other, or the other way.

"Lena owes Marc 15 euros" has every word of "how much does Marc owe Lena?". Of two texts that have the verb and both
names, the one in which they stand the other way round goes behind. In English, a guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from .._core import porter_stem
from ..light.expressions import expression
from .rather import MOST_SAID, Rather
from .saying import SMALL_IN_ENGLISH
from .word_forms import BASE_OF

_NAME: Final = r"[A-Z\u00c0-\u00de][\w-]*\w"
_DOES: Final = expression(
    rf"\b(?:do|does|did|will)\ (?P<one>I|we|{_NAME})\ (?P<verb>[a-z]+)(?:\ (?!(?:with|about|and)\b)[a-z]+){{0,2}}"
    rf"\ (?P<other>me|us|{_NAME})\b"
)
_WHO: Final = expression(
    rf"^\W*(?:[Ww]ho|[Ww]hich\ \w+)\ (?!(?:is|are|was|were|do|does|did|has|have|had)\b)(?P<verb>[a-z]+)\ (?:[a-z]+\ )?"
    rf"(?P<other>me|us|{_NAME})\W*$"
)
_WORD: Final = expression(r"[^\W_][\w-]*")
_PASSIVE: Final = expression(r"\bby\b|\band\b")
"""With one of these the first name is not surely of who does it, or both do."""
_SELF: Final = frozenset({"i", "we", "me", "us"})


class _Asked(NamedTuple):
    """Who does it, in small letters, or "" if that is asked for; to whom; and the stem of what is done."""

    one: str
    other: str
    verb: str


@lru_cache(maxsize=16)
def answers_rather(question: str) -> Rather[bool, bool] | None:
    """Return what tells whether a text says who does something to whom as a question has it, and another not; or None.

    >>> rather = answers_rather("How much does Marc owe Lena?")
    >>> rather("Marc owes Lena 20 euros.", "Lena owes Marc 15 euros.")
    True
    >>> answers_rather("Who reports to Nadia?")("Kofi reports to Nadia.", "Nadia reports to Vera.")
    True
    >>> answers_rather("How much does the bus cost?")

    """
    found = _DOES.search(question) or _WHO.search(question)
    if found is None or found["verb"] in SMALL_IN_ENGLISH:
        return None
    asked = _Asked((found.groupdict().get("one") or "").lower(), found["other"].lower(), _stem(found["verb"]))
    return Rather(
        lambda text: _is_so(text, asked, True), lambda text: _is_so(text, asked, False), lambda one, other: True
    )


def may_decide(text: str) -> bool:
    """Return whether a text may say who does something to whom: with a name, and a word behind it."""
    return len(text) <= MOST_SAID and " " in text and _PASSIVE.search(text) is None


def _is_so(text: str, asked: _Asked, as_asked: bool) -> bool | None:
    """Return True if a text has the verb and both names, in the order of a question or in the other one; else None."""
    if not may_decide(text):
        return None
    words = [word.lower().removesuffix("'s") for word in _WORD.findall(text)]
    if asked.verb not in map(_stem, words):
        return None
    other = _place(words, asked.other)
    if other is None:
        return None
    if asked.one:
        one = _place(words, asked.one)
        return True if one is not None and (one < other) is as_asked else None
    first = text[:1].isupper() and other > 0 and words[0] not in SMALL_IN_ENGLISH - _SELF
    return True if (first if as_asked else other == 0) else None


def _place(words: Sequence[str], name: str) -> int | None:
    """Return where somebody is named first, the speaker by any word of its own."""
    own = _SELF if name in _SELF else (name,)
    return next((at for at, word in enumerate(words) if word in own), None)


def _stem(word: str) -> str:
    return porter_stem(BASE_OF.get(word.lower(), word.lower()))
