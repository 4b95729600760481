"""The runs of letters of a text, by which one knows in which forms it cannot say a value, and which words it lacks."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from ..light.expressions import expression

_IN_ASCII: Final = expression("[a-z]+")
_SHORT: Final = 1_000  # characters: the words of longer texts are not kept
_LETTERS: Final = expression(r"[^\W\d_]+|(?<=\d):(?=\d)")


@lru_cache(maxsize=8)  # each kind of value is looked for in the same text
def letters_of(text: str) -> frozenset[str]:
    """Return the runs of letters of a text in small letters, and ":" where digits stand on both sides of one.

    >>> sorted(letters_of("at 6:30pm, 9 o'clock"))
    [':', 'at', 'clock', 'o', 'pm']
    """
    return frozenset(_LETTERS.findall(text))


def small_words(text: str) -> tuple[str, ...]:
    """Return the runs of letters of ASCII of a text in small letters, in order: whoever looks for words looks there.

    >>> small_words("Où est Ada's 2nd cup?")
    ('o', 'est', 'ada', 's', 'nd', 'cup')
    """
    return _kept(text) if len(text) <= _SHORT else _small_words(text)


def runs_within(words: Iterable[str]) -> frozenset[str]:
    """Return of each word of ASCII its longest run of letters, without which no text has the word.

    >>> sorted(runs_within(["moved", "d'avoir", "mud\u00e9"]))
    ['avoir', 'moved']
    """
    return frozenset(max(_IN_ASCII.findall(word), key=len) for word in words if word.isascii())


def surely_lacks(text: str, runs: frozenset[str]) -> bool:
    """Return whether a text of ASCII has none of some runs of letters, and so no word with them: a first, cheap look.

    >>> surely_lacks("It rains.", frozenset({"moved"})), surely_lacks("We MOVED.", frozenset({"moved"}))
    (True, False)
    """
    return text.isascii() and runs.isdisjoint(small_words(text))


def _small_words(text: str) -> tuple[str, ...]:
    if text.isascii():  # half the time of an expression
        return tuple(text.translate(_APART).split())
    return tuple(_IN_ASCII.findall(text.lower()))


_APART: Final = {code: sign.lower() if (sign := chr(code)).isalpha() else " " for code in range(128)}


_kept: Final = lru_cache(maxsize=32)(_small_words)  # several look at one question, and at what is left of it


def in_small_letters(text: str) -> str:
    """Return a text in small letters, each of which stands where it stood: a few have two for one.

    >>> in_small_letters("Am 3. Mai in \u0130stanbul") == "am 3. mai in \u0130stanbul"
    True
    """
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(each.lower() if len(each.lower()) == 1 else each for each in text)
